import Foundation
import TerminalHarness
import TestSupport

/// The program as it was built for release, under a terminal: what somebody waits for.
enum ProgramPart {
  @MainActor static func run(_ options: Options, _ print: (Table) -> Void) throws {
    for path in [options.program, options.terminalReference] {
      guard FileManager.default.isExecutableFile(atPath: path) else {
        throw BenchmarkError.missing("program at '\(path)'; build it, or say where it is with --program")
      }
    }
    let databases = try Databases()
    defer { databases.removeCopies() }
    let grown = GrownDatabases(databases: databases, language: Words(20_000, seed: options.seed), seed: options.seed)
    func isAsked(_ table: String) -> Bool { options.isAsked(for: table, of: "program") }

    let reference = try Visit("a program in C that only answers") { try Guest(program: options.terminalReference) }
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
    let order = isFirst ? "before everybody else on the machine" : "in turn with everybody else on the machine"
    FileHandle.standardError.write(Data("What follows runs \(order).\n".utf8))
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
      let unfinished = try Visit("half of it not in the index") {
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

/// Somebody, and what they have.
struct Visit {
  let name: String
  let guest: Guest
  /// A list with several cards, each of which leads to a list.
  let list: String
  private let another: () throws -> Guest

  init(_ name: String, list: String = "", _ guest: @escaping () throws -> Guest) throws {
    (self.name, self.list, another) = (name, list, guest)
    self.guest = try guest()
  }

  /// Them, and somebody who has the same on a machine of their own.
  func guests() throws -> [Guest] { [guest, try another()] }
}

/// Somebody's machine: a home folder, and the program.
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

  /// Runs the program to its end.
  func run(_ arguments: [String], within seconds: Double = 60) throws -> Ending {
    let process = try PipedProgram(program, arguments, environment: environment)
    process.closeInput()
    return try process.waitForExit(within: seconds)
  }

  /// Opens the browser under a terminal, and waits for its first whole frame.
  ///
  /// - Returns: The terminal, and the seconds that took: to the read that brought the end of the frame.
  func browse(
    _ arguments: [String] = [], columns: Int = 80, rows: Int = 24
  ) throws -> (terminal: PseudoTerminal, seconds: Double) {
    let terminal = try PseudoTerminal(columns: columns, rows: rows)
    try terminal.launch(program, arguments, environment: environment)
    // The last row of every first frame has the tabs, and of the reference a word.
    let ends = [Array("History".utf8), Array("quit".utf8)]
    try terminal.waitUntil("the first frame") {
      ends.contains { terminal.output.holds($0) }
    }
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

extension Int {
  /// Bytes in words.
  var asMegabytes: String { (Double(self) / 1_000_000).rounded(digits: 3) + " MB" }
}
