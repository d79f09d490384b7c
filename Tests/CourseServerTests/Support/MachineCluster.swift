import Foundation
import TerminalHarness
import TestSupport

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// PostgreSQL on several machines in a network namespace, started by `Tests/System/PostgresCluster/cluster.py`.
///
/// The machines end with this object or with the process, even after a crash.
final class MachineCluster: @unchecked Sendable {
  /// Three machines with etcd, Patroni and PostgreSQL, or a proxy and two shards.
  enum Kind: String { case patroni, shards }

  /// The first requirement of the tests that is missing, or `nil` if all are met.
  static let missing: String? = {
    guard getuid() == 0 else { return "namespaces are made by root" }
    let programs = ["/usr/bin/patroni", "/usr/bin/etcd", "/usr/sbin/ip", "/usr/bin/nsenter", "/usr/bin/python3"]
    return programs.first { !FileManager.default.isExecutableFile(atPath: $0) }.map { "\($0) is not there" }
  }()

  /// The machines did not become ready, or do not answer.
  struct Silent: Error, CustomStringConvertible {
    let description: String
  }

  private let program: PipedProgram
  private let folder: String

  init(_ kind: Kind) throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let script = tests.appending(path: "System/PostgresCluster/cluster.py").path
    folder = "/tmp/waymark-\(kind.rawValue).\(ProcessInfo.processInfo.processIdentifier)"
    program = try PipedProgram(
      "/usr/bin/unshare", ["--net", "/usr/bin/python3", script, kind.rawValue, folder],
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"])
    guard try program.readLine(within: 240) == "ready" else { throw silent() }
  }

  deinit {
    // The script ends when its input does, and removes its folder.
    program.closeInput()
    _ = try? program.waitForExit(within: 60)
  }

  /// The start of a command line that runs a program in the machines' network.
  var network: [String] { ["/usr/bin/nsenter", "--net=/proc/\(program.processIdentifier)/ns/net"] }

  /// Moves the calling thread into the machines' network.
  func join() throws {
    #if canImport(Glibc)
    let file = open("/proc/\(program.processIdentifier)/ns/net", O_RDONLY | O_CLOEXEC)
    guard file >= 0, let symbol = dlsym(nil, "setns") else { throw silent() }
    defer { close(file) }
    // Source: setns(2). glibc declares it for C++ only. The value 0 accepts a namespace of any type.
    let setns = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
    guard setns(file, 0) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    #else
    throw silent()
    #endif
  }

  /// Sends a command such as `kill n1` to the script.
  ///
  /// - Returns: The answer of the script.
  @discardableResult
  func tell(_ arguments: String...) throws -> String {
    try program.write(arguments.joined(separator: " ") + "\n")
    guard let answer = try program.readLine(within: 60) else { throw silent() }
    return answer
  }

  /// Returns the machine that accepts writes.
  func leader() throws -> String {
    try wait("a leader", within: 60) {
      let name = try tell("leader")
      return name == "none" ? nil : name
    }
  }

  /// Waits until all machines are leader or replicas. Returns the duration in seconds.
  @discardableResult
  func waitUntilHealthy() throws -> Double {
    let start = ProcessInfo.processInfo.systemUptime
    return try wait("three healthy machines", within: 180) {
      try tell("healthy") == "3" ? ProcessInfo.processInfo.systemUptime - start : nil
    }
  }

  private func wait<Value>(_ description: String, within seconds: Double, for value: () throws -> Value?) throws
    -> Value
  {
    let deadline = ProcessInfo.processInfo.systemUptime + seconds
    while ProcessInfo.processInfo.systemUptime < deadline {
      if let value = try value() { return value }
      Thread.sleep(forTimeInterval: 0.5)
    }
    throw Silent(description: "There was no \(description) within \(seconds) s.")
  }

  private func silent() -> Silent {
    Silent(description: String(decoding: program.output + program.errors, as: UTF8.self))
  }
}
