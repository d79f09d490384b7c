import Foundation
import TerminalHarness
import Testing

/// A new user's machine: an empty home folder, an environment with nothing of ours in it, and the built program.
final class Home {
  let folder: URL
  var environment: [String: String]

  /// Makes an empty home.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "waymark-home-\(UUID().uuidString.lowercased())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    environment = [
      "HOME": folder.path, "PATH": "/usr/bin:/bin", "WAYMARK_LEARNER": "ada", "TZ": "UTC", "LANG": "C.UTF-8",
    ]
  }

  /// Makes a home whose database holds the bundled course, as the built program imported it.
  static func withBundledCourse() throws -> Home { try Home(copying: bundled) }

  private static let bundled = Result {
    try original { home in
      let answer = try home.waymark("import", "--bundled")
      guard answer.code == 0 else { throw Unexpected(answer: answer) }
    }
  }

  /// What a home's database is after the program did something once; each test that begins there gets a copy.
  static func original(_ body: (Home) throws -> Void) throws -> Data {
    let home = try Home()
    try body(home)
    // The last program to close it has left the one file.
    guard !FileManager.default.fileExists(atPath: home.database.path + "-wal") else {
      throw CocoaError(.fileWriteUnknown)
    }
    return try Data(contentsOf: home.database)
  }

  /// Makes a home with a database that another left.
  convenience init(copying database: Result<Data, any Error>) throws {
    try self.init()
    let folder = self.database.deletingLastPathComponent()
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try database.get().write(to: self.database)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: self.database.path)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Where the program keeps its database when nobody says otherwise.
  var database: URL { folder.appending(path: ".local/share/waymark/waymark.sqlite") }

  /// The path of a file in this home.
  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Writes a file, with the folders above it.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  /// Runs the program to its end.
  func waymark(
    _ arguments: String..., input: String = "", redirecting: [Int32: String] = [:],
    within seconds: Double = harnessPatience
  ) throws -> Answer {
    try waymark(arguments, input: input, redirecting: redirecting, within: seconds)
  }

  /// Runs the program to its end.
  func waymark(
    _ arguments: [String], input: String = "", redirecting: [Int32: String] = [:],
    within seconds: Double = harnessPatience
  ) throws -> Answer {
    let program = try start(arguments, redirecting: redirecting)
    try program.write(input)
    program.closeInput()
    let ending = try program.waitForExit(within: seconds)
    return Answer(ending, program)
  }

  /// Starts the program, and leaves it running.
  func start(_ arguments: [String], redirecting: [Int32: String] = [:]) throws -> PipedProgram {
    try PipedProgram(
      BuiltProgram.path, arguments, environment: environment, directory: folder, redirecting: redirecting)
  }

  /// Runs another program to its end.
  func run(_ executable: String, _ arguments: [String], within seconds: Double = harnessPatience) throws -> Answer {
    let program = try PipedProgram(executable, arguments, environment: environment, directory: folder)
    program.closeInput()
    let ending = try program.waitForExit(within: seconds)
    return Answer(ending, program)
  }
}

/// What a program said, and how it ended.
struct Answer: Equatable, CustomStringConvertible {
  /// The exit code as a shell sees it: 128 and the signal where one ended it.
  let code: Int
  let output: String
  let errors: String

  init(code: Int, output: String = "", errors: String = "") {
    self.code = code
    self.output = output
    self.errors = errors
  }

  init(_ ending: Ending, _ program: PipedProgram) {
    switch ending {
    case .exited(let code): self.code = code
    case .signalled(let signal): code = 128 + signal
    }
    output = String(decoding: program.output, as: UTF8.self)
    errors = String(decoding: program.errors, as: UTF8.self)
  }

  var description: String { "exit \(code)\n--- output\n\(output)--- errors\n\(errors)---" }
}

/// Expects the exit code of a program and everything that it wrote.
func expectAnswer(
  _ answer: Answer?, code: Int, output: String = "", errors: String = "",
  _ location: SourceLocation = #_sourceLocation
) {
  #expect(answer == Answer(code: code, output: output, errors: errors), sourceLocation: location)
}

/// A command that a test relies on went wrong.
struct Unexpected: Error, CustomStringConvertible {
  let answer: Answer

  var description: String { answer.description }
}

extension Home {
  /// Makes a home whose database has been made, and holds no course.
  static func withDatabase() throws -> Home { try Home(copying: empty) }

  private static let empty = Result {
    try original { home in
      let answer = try home.waymark("nav", "resume")
      guard answer.code == 0 else { throw Unexpected(answer: answer) }
    }
  }

  /// Makes everything in this home readable by everybody and writable by its owner alone.
  func makeReadOnly() throws {
    let answer = try run("/bin/chmod", ["-R", "a+rX,a-w", folder.path])
    guard answer.code == 0 else { throw Unexpected(answer: answer) }
  }

  /// Runs the program as a user who owns nothing; permission bits do not bind root, as whom tests often run.
  func asNobody(_ arguments: String...) throws -> Answer { try asNobody(arguments) }

  /// Runs the program as a user who owns nothing.
  func asNobody(_ arguments: [String]) throws -> Answer {
    guard getuid() == 0 else {
      let program = try start(arguments)
      program.closeInput()
      return Answer(try program.waitForExit(), program)
    }
    // The folder of the build need not be open to everybody.
    let binary = folder.deletingLastPathComponent().appending(path: "waymark-\(UUID().uuidString.lowercased())")
    // By another program: while this one has the copy open for writing, a child of another test would too.
    _ = try run("/bin/cp", [BuiltProgram.path, binary.path])
    defer { try? FileManager.default.removeItem(at: binary) }
    return try run(
      "/usr/bin/setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", binary.path] + arguments)
  }
}

extension Answer {
  /// The same with what differs from run to run named instead.
  func steadied(_ home: Home? = nil) -> Answer {
    Answer(code: code, output: output.steadied(home), errors: errors.steadied(home))
  }
}

extension Home {
  /// Writes a course of one lesson and two texts, and returns its folder's path.
  @discardableResult
  func writeCourse() throws -> String {
    try write("title: Small\n", to: "course/course.yml")
    try write("title: One\n", to: "course/01-one/goal.yml")
    try write("title: First\n", to: "course/01-one/01-first/lesson.yml")
    try write(
      "---\ntitle: Beginning\n---\nA first word,\nand a second one.\n\n- one\n- two\n",
      to: "course/01-one/01-first/01-beginning.md")
    try write("---\ntitle: Second\n---\nSome words.\n", to: "course/01-one/01-first/02-second.md")
    return path("course")
  }
}

extension Home {
  /// Makes a home in which ada has made four steps: resume, open a lesson, push its first activity, next.
  static func walked() throws -> Home { try Home(copying: stepped) }

  private static let stepped = Result { try original(walk) }

  /// Makes those steps.
  static func walk(_ home: Home) throws {
    let imported = try home.waymark("import", "--bundled")
    guard imported.code == 0 else { throw Unexpected(answer: imported) }
    let walk = try home.waymark(
      "nav", "run",
      input: """
        {"operation": "open", "place": "english-for-business/negotiating/opening-offers"}
        {"operation": "push", "place": "read-the-brief"}
        {"operation": "next"}

        """)
    guard walk.code == 0 else { throw Unexpected(answer: walk) }
  }
}
