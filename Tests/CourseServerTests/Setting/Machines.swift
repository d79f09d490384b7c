import Foundation
import TerminalHarness
import TestSupport

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// PostgreSQL on machines of its own in a network of its own, by `Tests/System/PostgresCluster/cluster.py`. All of it ends
/// with this, or with this process, however that ends.
final class Machines: @unchecked Sendable {
  /// Three with etcd, Patroni and PostgreSQL, or a proxy and two shards.
  enum Kind: String { case patroni, shards }

  /// What the tests need and is not there; `nil` where nothing is missing.
  static let missing: String? = {
    guard getuid() == 0 else { return "namespaces are made by root" }
    let programs = ["/usr/bin/patroni", "/usr/bin/etcd", "/usr/sbin/ip", "/usr/bin/nsenter", "/usr/bin/python3"]
    return programs.first { !FileManager.default.isExecutableFile(atPath: $0) }.map { "\($0) is not there" }
  }()

  /// They were not ready, or do not answer.
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
    // They end with their input, and take their folder with them.
    program.closeInput()
    _ = try? program.waitForExit(within: 60)
  }

  /// The beginning of a command line that runs a program in their network.
  var network: [String] { ["/usr/bin/nsenter", "--net=/proc/\(program.processIdentifier)/ns/net"] }

  /// Has the calling thread, and nothing else, be in their network from now on.
  func join() throws {
    #if canImport(Glibc)
    let file = open("/proc/\(program.processIdentifier)/ns/net", O_RDONLY | O_CLOEXEC)
    guard file >= 0, let symbol = dlsym(nil, "setns") else { throw silent() }
    defer { close(file) }
    // Source: setns(2); glibc declares it for C++ only. 0 takes a namespace of any kind.
    let setns = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
    guard setns(file, 0) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    #else
    throw silent()
    #endif
  }

  /// Has something done, such as `kill n1`.
  ///
  /// - Returns: What is answered.
  @discardableResult
  func tell(_ words: String...) throws -> String {
    try program.write(words.joined(separator: " ") + "\n")
    guard let answer = try program.readLine(within: 60) else { throw silent() }
    return answer
  }

  /// The machine that takes changes.
  func leader() throws -> String {
    try wait("a leader", within: 60) {
      let name = try tell("leader")
      return name == "none" ? nil : name
    }
  }

  /// Waits until all machines take changes or follow them, and says how many seconds that took.
  @discardableResult
  func waitUntilHealthy() throws -> Double {
    let start = ProcessInfo.processInfo.systemUptime
    return try wait("three healthy machines", within: 180) {
      try tell("healthy") == "3" ? ProcessInfo.processInfo.systemUptime - start : nil
    }
  }

  private func wait<Value>(_ what: String, within seconds: Double, for value: () throws -> Value?) throws -> Value {
    let deadline = ProcessInfo.processInfo.systemUptime + seconds
    while ProcessInfo.processInfo.systemUptime < deadline {
      if let value = try value() { return value }
      Thread.sleep(forTimeInterval: 0.5)
    }
    throw Silent(description: "There was no \(what) within \(seconds) s.")
  }

  private func silent() -> Silent {
    Silent(description: String(decoding: program.output + program.errors, as: UTF8.self))
  }
}
