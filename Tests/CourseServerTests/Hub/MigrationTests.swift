@testable import waymark_server
import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Migrations while clients read.
@Suite(.serialized)
struct MigrationTests {
  /// The number of events: ten million in a long run, about a year of use.
  private static let events = Tier.count(50_000, long: 10_000_000)

  /// A migration as a later version might have it: an index, a function, a column and a constraint for new rows.
  private static let later = (
    "9001_test",
    """
    CREATE INDEX event_by_time ON waymark.event (tenant, learner, (body->>'at'));
    CREATE FUNCTION waymark.later(p_tenant text) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
    ALTER TABLE waymark.event ADD COLUMN device text NOT NULL DEFAULT 'none',
      ADD CONSTRAINT event_device CHECK (device <> '') NOT VALID;
    """
  )

  @Test func `a migration does not block readers for more than a tenth of a second`() throws {
    let home = try ServerFixture()
    let server = try PostgresServer.shared.get()
    let address = try server.database(in: home, migrated: false)
    defer { try? server.drop(address, in: home) }
    _ = try PostgresMigration(PostgresAddress(address)).run()
    _ = try server.query(Self.load, of: address, in: home)
    try server.tellWaits(of: address, in: home)
    // A slow reader holds the table for longer than the migration may wait for its lock.
    let slow = try PipedProgram(
      "\(server.programs)/psql", ["-X", "-d", address, "-c", "SELECT count(*), pg_sleep(2) FROM waymark.event"],
      environment: ["HOME": home.folder.path, "PATH": "/usr/bin:/bin"])
    let seconds = Tier.count(8, long: 240)
    let readers = try server.readers(of: address, script: Self.read, for: seconds, in: home)
    let start = ProcessInfo.processInfo.systemUptime

    let done = try PostgresMigration(PostgresAddress(address), files: PostgresMigration.files + [Self.later]).run()
    let took = ProcessInfo.processInfo.systemUptime - start
    let delays = try server.waits()
    // A control: a lock of half a second must be detected by the same method.
    let control = "BEGIN; LOCK TABLE waymark.event; SELECT pg_sleep(0.5); COMMIT"
    _ = try server.query(control, of: address, in: home)
    let heldByControl = try server.waits()
    let times = try readers.finish()
    #expect(try slow.waitForExit(within: 300) == .exited(0))

    print("\(Self.events) rows, \(took) s, \(times.count) reads, the longest \(times.max() ?? 0) ms with the control's")
    #expect(done == ["9001_test"] && took < Double(seconds) - 2)
    #expect(delays == [])
    #expect(heldByControl != [] && times.max() ?? 0 >= 100 && times.count > 500)
    let count = try server.query("SELECT count(*) FROM waymark.event WHERE device = 'none'", of: address, in: home)
    #expect(count == "\(Self.events)\n")
  }

  /// The rows of a hundred learners, with sessions of a thousand events.
  private static let load = """
    INSERT INTO waymark.learner SELECT 'main', md5(n::text)::uuid, 'learner-' || n, now() FROM generate_series(0, 99) AS n;
    INSERT INTO waymark.session SELECT 'main', md5((n % 100)::text)::uuid, md5('s' || n)::uuid, '{}', 1000
      FROM generate_series(0, \(events / 1000 - 1)) AS n;
    INSERT INTO waymark.event SELECT 'main', md5((n % 100)::text)::uuid, md5('s' || n)::uuid, 'step', place,
      ('00000000-0000-4000-8000-' || lpad(to_hex(n::bigint * 1000 + place), 12, '0'))::uuid,
      '{"operation": "open", "animated": false, "cause": "api", "to": {"kind": "root"}, "stack": [],
      "at": "2026-11-20T10:00:00.000Z", "leftAt": "2026-11-20T10:00:00.000Z", "activeMs": 0}'
      FROM generate_series(0, \(events / 1000 - 1)) AS n, generate_series(1, 1000) AS place;
    """

  /// The first query of a synchronisation, for a random learner, and one event of the learner.
  private static let read = """
    \\set n random(0, 99)
    SELECT waymark.compare('main', md5(:n::text)::uuid, md5(:n::text)::uuid, '{"sessions": [], "spans": []}', NULL, now());
    SELECT uuid FROM waymark.event WHERE tenant = 'main' AND learner = md5(:n::text)::uuid LIMIT 1;
    \\sleep 2 ms
    """
}

extension PostgresServer {
  /// Clients that run a script repeatedly for a limited time.
  final class Readers {
    private let program: PipedProgram
    private let folder: TemporaryFolder

    fileprivate init(_ program: PipedProgram, _ folder: TemporaryFolder) {
      (self.program, self.folder) = (program, folder)
    }

    /// Waits until the clients have finished.
    ///
    /// - Returns: The duration of each run in milliseconds.
    func finish() throws -> [Double] {
      _ = try program.waitForExit(within: 300)
      // Source: PostgreSQL 15, pgbench, "Per-Transaction Logging": the third number is the time, in microseconds.
      return try folder.names.filter { $0.hasPrefix("log") }.flatMap { name in
        String(decoding: try folder.bytes(of: name), as: UTF8.self).split(separator: "\n")
          .compactMap { $0.split(separator: " ").dropFirst(2).first.flatMap { Double($0) } }.map { $0 / 1_000 }
      }
    }
  }

  /// Makes the server log each transaction that waits for a lock for more than 0.1 seconds. Durations measured by the
  /// client would include other delays of the machine.
  func tellWaits(of address: String, in home: ServerFixture) throws {
    let name = try query("SELECT current_database()", of: address, in: home).trimmingCharacters(in: .newlines)
    for setting in ["log_lock_waits = on", "deadlock_timeout = '100ms'"] {
      _ = try query("ALTER DATABASE \(name) SET \(setting)", of: address, in: home)
    }
  }

  /// Returns the log entries of readers that waited for a lock.
  func waits() throws -> [String] {
    try String(contentsOfFile: "\(folder)/log", encoding: .utf8).split(separator: "\n").map(String.init)
      .filter { $0.contains("still waiting for AccessShareLock") }
  }

  /// Starts two clients that run a script repeatedly, with pgbench.
  func readers(of address: String, script: String, for seconds: Int, in home: ServerFixture) throws -> Readers {
    let folder = try TemporaryFolder()
    try folder.write(Data(script.utf8), to: "read.sql")
    let program = try PipedProgram(
      "\(programs)/pgbench",
      [
        "-n", "-c", "2", "-T", String(seconds), "-f", folder.file("read.sql"), "--log",
        "--log-prefix", folder.file("log"), address,
      ], environment: ["HOME": home.folder.path, "PATH": "/usr/bin:/bin"])
    return Readers(program, folder)
  }
}
