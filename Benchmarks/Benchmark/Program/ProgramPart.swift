import Foundation
import TerminalHarness
import TestSupport

/// The release build of the program under a terminal: the latencies that a user notices.
enum ProgramPart {
  @MainActor static func run(_ options: Options, _ print: (Table) -> Void) throws {
    for path in [options.program, options.terminalReference] {
      guard FileManager.default.isExecutableFile(atPath: path) else {
        throw BenchmarkError.missing("program at '\(path)'; build it, or pass its path with --program")
      }
    }
    let databases = try Databases()
    defer { databases.removeCopies() }
    let grown = GrownDatabases(databases: databases, language: Words(20_000, seed: options.seed), seed: options.seed)
    func isAsked(_ table: String) -> Bool { options.isAsked(for: table, of: "program") }

    let reference = try Visit("a minimal program in C") { try Guest(program: options.terminalReference) }
    let small = try Visit("the bundled course", list: "english-for-business") {
      let guest = try Guest(program: options.program)
      guard try guest.run(["import", "--bundled"]) == .exited(0) else { throw BenchmarkError.missing("bundled course") }
      return guest
    }
    let large = try Visit("a course of 100,111 nodes", list: "course-0") {
      try Guest(program: options.program, database: databases.copy(grown.searchable()))
    }
    let wide = try Visit("a goal of 10,000 lessons", list: "course-0/place-1") {
      try Guest(program: options.program, database: databases.copy(grown.wide()))
    }

    if isAsked("import") {
      let seed = options.seed
      for (language, kind) in [
        (Words(20_000, seed: seed), ""), (Words(unparted: 20_000, seed: seed), ", texts without blanks"),
      ] {
        print(try Importing(language: language, seed: seed, kind: kind).table(Guest(program: options.program)))
      }
    }

    if isAsked("exports") {
      print(try Exporting(databases: databases, grown: grown, program: options.program).table())
    }
    if isAsked("sessions") {
      print(try LongSessions(databases: databases, grown: grown, program: options.program).table())
    }

    let isFirst = Machine.goFirst(true)
    defer { _ = Machine.goFirst(false) }
    let order = isFirst ? "with real-time priority" : "with normal priority"
    FileHandle.standardError.write(Data("The following programs run \(order).\n".utf8))
    if isAsked("start") {
      print(try Starting(rounds: options.isLong ? 100 : 40).table([small, large, wide], reference))
    }
    if isAsked("keys") {
      print(try Answering(seed: options.seed).table([reference, small, large, wide]))
    }
    if isAsked("steps") { try Stepping().tables([reference, small, large, wide], print) }
    if isAsked("frames") {
      print(
        try Pacing(rounds: options.isLong ? 10 : 3).table(
          [reference, small, large, wide], busy: options.terminalReference))
    }
    if isAsked("scrolling") { print(try Scrolling(seconds: options.isLong ? 30 : 6).table(wide)) }
    if isAsked("finding") {
      let unfinished = try Visit("a course that is half indexed") {
        try Guest(program: options.program, database: databases.copy(grown.halfSearchable()))
      }
      print(
        try Finding(seed: options.seed, language: grown.language).table([small, large], unfinished: unfinished))
    }
    if isAsked("resting") {
      print(try Resting(idleSeconds: options.isLong ? 60 : 20).table([reference, small, large, wide]))
    }
  }
}

/// A test environment with its content.
struct Visit {
  let name: String
  let guest: Guest
  /// The path of a list with several cards, each of which leads to a list.
  let list: String
  private let another: () throws -> Guest

  init(_ name: String, list: String = "", _ guest: @escaping () throws -> Guest) throws {
    (self.name, self.list, another) = (name, list, guest)
    self.guest = try guest()
  }

  /// Returns this environment and another one with the same content.
  func guests() throws -> [Guest] { [guest, try another()] }
}

/// A home folder with a database, in which the program runs.
final class Guest {
  let program: String
  let home: TemporaryFolder
  let database: String?

  init(program: String, database: String? = nil) throws {
    self.program = program
    self.database = database
    home = try TemporaryFolder()
  }

  var environment: [String: String] {
    var variables = [
      "HOME": home.path, "PATH": "/usr/bin:/bin", "WAYMARK_LEARNER": "ada", "TZ": "UTC", "LANG": "C.UTF-8",
      "COLORTERM": "truecolor",
    ]
    variables["WAYMARK_DATABASE"] = database
    return variables
  }

  /// Runs the program and waits for its end.
  func run(_ arguments: [String], within seconds: Double = 60) throws -> Ending {
    let process = try PipedProgram(program, arguments, environment: environment)
    process.closeInput()
    return try process.waitForExit(within: seconds)
  }

  /// Opens the browser in a terminal and waits for its first complete frame.
  ///
  /// - Returns: The terminal, and the seconds until the end of the frame was read.
  func browse(
    _ arguments: [String] = [], columns: Int = 80, rows: Int = 24
  ) throws -> (terminal: PseudoTerminal, seconds: Double) {
    let terminal = try PseudoTerminal(columns: columns, rows: rows)
    try terminal.launch(program, arguments, environment: environment)
    // The last row of every first frame contains the tabs; the reference prints a word there.
    let ends = [Array("History".utf8), Array("quit".utf8)]
    try terminal.waitUntil("the first frame") {
      ends.contains { terminal.output.holds($0) }
    }
    return (terminal, terminal.reads.last?.time ?? .nan)
  }

  /// Quits the browser.
  func leave(_ terminal: PseudoTerminal) throws {
    terminal.type("q")
    _ = try terminal.waitForExit()
  }
}

extension Collection<UInt8> {
  /// Returns whether the collection contains these bytes in sequence.
  func holds(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first else { return true }
    var remaining = self[...]
    while let start = remaining.firstIndex(of: first) {
      if remaining[start...].starts(with: bytes) { return true }
      remaining = remaining[remaining.index(after: start)...]
    }
    return false
  }
}

extension Int {
  /// The number of bytes as a text in megabytes.
  var asMegabytes: String { (Double(self) / 1_000_000).rounded(digits: 3) + " MB" }
}
