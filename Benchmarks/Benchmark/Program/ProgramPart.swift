import Foundation
import TerminalHarness
import TestSupport

/// The program as it was built for release, under a terminal: what somebody waits for.
enum ProgramPart {
  @MainActor static func run(_ options: Options, _ print: (Table) -> Void) throws {
    guard FileManager.default.isExecutableFile(atPath: options.program) else {
      throw BenchmarkError.missing("program at '\(options.program)'; say where it is with --program")
    }
    let databases = try Databases()
    defer { databases.removeCopies() }
    let small = try Guest(program: options.program)
    guard try small.run(["import", "--bundled"]) == .exited(0) else { throw BenchmarkError.missing("bundled course") }

    let large = try Guest(program: options.program)
    let (memory, importing) = try Importing(seed: options.seed).table(large)
    print(memory)
    print(try Starting(rounds: 25).table([("the bundled course", small), ("a course of 100,111 nodes", importing)]))
    print(try Answering(seed: options.seed, idleSeconds: options.isLong ? 60 : 10).table(small, large: importing))
  }
}

/// Somebody's machine: a home folder, and the program.
final class Guest {
  let program: String
  let home: TemporaryFolder

  init(program: String) throws {
    self.program = program
    home = try TemporaryFolder()
  }

  var environment: [String: String] {
    [
      "HOME": home.path, "PATH": "/usr/bin:/bin", "WAYMARK_LEARNER": "ada", "TZ": "UTC", "LANG": "C.UTF-8",
      "COLORTERM": "truecolor",
    ]
  }

  /// Runs the program to its end.
  func run(_ arguments: [String], within seconds: Double = 60) throws -> Ending {
    let process = try PipedProgram(program, arguments, environment: environment)
    process.closeInput()
    return try process.waitForExit(within: seconds)
  }

  /// Opens the browser under a terminal, and waits for its first whole frame.
  ///
  /// - Returns: The terminal, and the seconds that took: to the read that brought the end of the frame.
  func browse(columns: Int = 80, rows: Int = 24) throws -> (terminal: PseudoTerminal, seconds: Double) {
    let terminal = try PseudoTerminal(columns: columns, rows: rows)
    try terminal.launch(program, environment: environment)
    // The last row of every first frame says how to leave.
    let end = Array("quit".utf8)
    try terminal.waitUntil("the first frame") { terminal.output.suffix(400).holds(end) }
    return (terminal, terminal.reads.last?.time ?? .nan)
  }

  /// Leaves the browser.
  func leave(_ terminal: PseudoTerminal) throws {
    terminal.type("q")
    _ = try terminal.waitForExit()
  }
}

extension Collection<UInt8> {
  /// Whether those bytes stand in it.
  func holds(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first else { return true }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      if rest[start...].starts(with: bytes) { return true }
      rest = rest[rest.index(after: start)...]
    }
    return false
  }
}

/// What the kernel says of a process. Source: Linux, proc(5), `status`.
enum ProcessMemory {
  /// The most memory that it has had, in bytes.
  static func peak(of process: Int32) -> Int { value("VmHWM", process) }
  /// The memory that it has.
  static func present(of process: Int32) -> Int { value("VmRSS", process) }

  private static func value(_ name: String, _ process: Int32) -> Int {
    let words = Machine.field(name, of: "/proc/\(process)/status")?.split(separator: " ")
    return (words?.first).flatMap { Int($0) }.map { $0 * 1024 } ?? 0
  }
}

extension Int {
  /// Bytes in words.
  var asMegabytes: String { (Double(self) / 1_000_000).rounded(digits: 3) + " MB" }
}
