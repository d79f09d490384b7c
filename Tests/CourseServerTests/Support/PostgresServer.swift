import Foundation
import TerminalHarness
import TestSupport

/// A PostgreSQL server of this test run in a temporary folder, reachable only through a socket in that folder.
///
/// The server ends and its folder is removed with the process, even after a crash.
final class PostgresServer: Sendable {
  static let shared = Result { try PostgresServer() }

  let folder: String
  let programs: String
  nonisolated(unsafe) private let program: PipedProgram

  /// PostgreSQL is not installed or did not start.
  struct NoPostgres: Error, CustomStringConvertible {
    let description: String
  }

  private init() throws {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    guard let version = versions.compactMap({ Int($0) }).max() else {
      throw NoPostgres(
        description: "There is no PostgreSQL below /usr/lib/postgresql. Run 'make test-server', which installs it.")
    }
    programs = "/usr/lib/postgresql/\(version)/bin"
    folder = "/tmp/waymark-postgres.\(ProcessInfo.processInfo.processIdentifier)"
    // PostgreSQL refuses to run as root. The script ends the server when its input ends, which happens when this
    // process ends.
    let script = """
      set -e
      mkdir -m 700 "$1"
      as=""
      if [ "$(id -u)" = 0 ]; then
        chown postgres "$1"
        as="setpriv --reuid=postgres --regid=postgres --clear-groups"
      fi
      cd /
      $as "$0/initdb" -D "$1/data" -A trust -E UTF8 --locale=C.UTF-8 -U waymark --no-sync >"$1/initdb.log" 2>&1
      $as "$0/postgres" -D "$1/data" -k "$1" -c listen_addresses= -c fsync=off >"$1/log" 2>&1 &
      for i in $(seq 600); do
        if "$0/pg_isready" -q -h "$1"; then echo ready; break; fi
        sleep 0.1
      done
      read -r end || true
      kill -QUIT $! || true
      wait $! || true
      rm -rf "$1"
      """
    program = try PipedProgram(
      "/bin/sh", ["-c", script, programs, folder],
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"])
    guard try program.readLine() == "ready" else {
      throw NoPostgres(description: String(decoding: program.errors, as: UTF8.self))
    }
  }

  /// Creates a database for a hub.
  ///
  /// - Parameter isMigrated: Whether the tables of a hub are created.
  /// - Returns: The address of the database.
  func database(in home: ServerFixture, migrated isMigrated: Bool = true) throws -> String {
    let name = "hub_\(UInt64.random(in: 0 ... .max))"
    _ = try query("CREATE DATABASE \(name)", in: home)
    let address = "postgres://waymark@/\(name)?host=\(folder)"
    if isMigrated {
      let answer = try home.run(ServerFixture.path("waymark-server"), ["migrate", address])
      guard answer.code == 0 else { throw ServerFixture.Unexpected(answer: answer) }
    }
    return address
  }

  /// Creates a proxy with two shards, and returns the proxy's address.
  func proxy(in home: ServerFixture) throws -> String {
    let addresses = try (0..<3).map { _ in try database(in: home, migrated: false) }
    let shards = addresses.dropFirst().flatMap { ["--shard", $0] }
    let answer = try home.run(ServerFixture.path("waymark-server"), ["migrate", addresses[0]] + shards)
    guard answer.code == 0 else { throw ServerFixture.Unexpected(answer: answer) }
    return addresses[0]
  }

  /// Removes a database.
  func drop(_ address: String, in home: ServerFixture) throws {
    let name = address.prefix { $0 != "?" }.split(separator: "/").last ?? ""
    _ = try query("DROP DATABASE \(name) WITH (FORCE)", in: home)
  }

  /// Runs a query with psql. Returns a line for each row, with tabs between the columns.
  func query(_ sql: String, of address: String? = nil, in home: ServerFixture) throws -> String {
    try run("psql", ["-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", sql], of: address, in: home)
  }

  /// Runs one of PostgreSQL's programs.
  func run(_ program: String, _ arguments: [String], of address: String? = nil, in home: ServerFixture) throws -> String
  {
    let answer = try home.run(
      "\(programs)/\(program)", arguments + ["-d", address ?? "postgres://waymark@/postgres?host=\(folder)"])
    guard answer.code == 0 else { throw ServerFixture.Unexpected(answer: answer) }
    return answer.output
  }
}
