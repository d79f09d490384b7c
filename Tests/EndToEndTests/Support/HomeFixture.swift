import Foundation
import TerminalHarness
import Testing

/// The machine of a new user: an empty home folder, a minimal environment, and the built program.
final class HomeFixture {
  let folder: URL
  var environment: [String: String]

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "waymark-home-\(UUID().uuidString.lowercased())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    environment = [
      "HOME": folder.path, "PATH": "/usr/bin:/bin", "WAYMARK_LEARNER": "ada", "TZ": "UTC", "LANG": "C.UTF-8",
    ]
  }

  /// Creates a home whose database contains the bundled course, imported by the built program.
  static func withBundledCourse() throws -> HomeFixture { try HomeFixture(copying: bundled) }

  private static let bundled = Result {
    try original { home in
      let answer = try home.waymark("import", "--bundled")
      guard answer.code == 0 else { throw Unexpected(answer: answer) }
    }
  }

  /// A database with the file that contains its UUID. A copy of both continues open sessions.
  struct Original {
    let database: Data
    let replica: Data?
  }

  /// Returns the database that a function creates in a new home. Tests with the same initial state copy it.
  static func original(_ body: (HomeFixture) throws -> Void) throws -> Original {
    let home = try HomeFixture()
    try body(home)
    // The last program that closed the database must have removed the write-ahead log.
    guard !FileManager.default.fileExists(atPath: home.database.path + "-wal") else {
      throw CocoaError(.fileWriteUnknown)
    }
    return Original(
      database: try Data(contentsOf: home.database),
      replica: try? Data(contentsOf: home.sessions.appending(path: "replica")))
  }

  /// Creates a home with a copy of a database.
  convenience init(copying original: Result<Original, any Error>) throws {
    try self.init()
    let folder = self.database.deletingLastPathComponent()
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let original = try original.get()
    try original.database.write(to: database)
    if let replica = original.replica {
      try FileManager.default.createDirectory(at: sessions, withIntermediateDirectories: true)
      try replica.write(to: sessions.appending(path: "replica"))
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: self.database.path)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The default path of the database.
  var database: URL { folder.appending(path: ".local/share/waymark/waymark.sqlite") }

  /// The folder with the locks of sessions and the UUID of the database.
  var sessions: URL { URL(filePath: database.path + "-sessions") }

  /// Returns the path of a file in the home folder.
  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Writes a file, and creates its folder if needed. Returns the file's path.
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
    within seconds: Double = harnessTimeout
  ) throws -> Answer {
    try waymark(arguments, input: input, redirecting: redirecting, within: seconds)
  }

  /// Runs the program to its end.
  func waymark(
    _ arguments: [String], input: String = "", redirecting: [Int32: String] = [:],
    within seconds: Double = harnessTimeout
  ) throws -> Answer {
    let program = try start(arguments, redirecting: redirecting)
    try program.write(input)
    program.closeInput()
    let ending = try program.waitForExit(within: seconds)
    return Answer(ending, program)
  }

  /// Starts the program without waiting for its end.
  func start(_ arguments: [String], redirecting: [Int32: String] = [:]) throws -> PipedProgram {
    try PipedProgram(
      BuiltProgram.path, arguments, environment: environment, directory: folder, redirecting: redirecting)
  }

  /// Runs another program to its end.
  func run(_ executable: String, _ arguments: [String], within seconds: Double = harnessTimeout) throws -> Answer {
    let program = try PipedProgram(executable, arguments, environment: environment, directory: folder)
    program.closeInput()
    let ending = try program.waitForExit(within: seconds)
    return Answer(ending, program)
  }
}

/// The output and the exit code of a program.
struct Answer: Equatable, CustomStringConvertible {
  /// The exit code as reported by a shell: 128 plus the signal if a signal ended the program.
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

/// Expects the exit code and the whole output of a program.
func expectAnswer(
  _ answer: Answer?, code: Int, output: String = "", errors: String = "",
  _ location: SourceLocation = #_sourceLocation
) {
  #expect(answer == Answer(code: code, output: output, errors: errors), sourceLocation: location)
}

/// Thrown if a command fails on which a test depends.
struct Unexpected: Error, CustomStringConvertible {
  let answer: Answer

  var description: String { answer.description }
}

extension HomeFixture {
  /// Creates a home with a database without courses.
  static func withDatabase() throws -> HomeFixture { try HomeFixture(copying: empty) }

  private static let empty = Result {
    try original { home in
      let answer = try home.waymark("nav", "resume")
      guard answer.code == 0 else { throw Unexpected(answer: answer) }
    }
  }

  /// Gives all users read permission for all files in the home, and removes all write permissions.
  func makeReadOnly() throws {
    let answer = try run("/bin/chmod", ["-R", "a+rX,a-w", folder.path])
    guard answer.code == 0 else { throw Unexpected(answer: answer) }
  }

  /// Runs the program as a user without files. Tests often run as root, to whom permission bits do not apply.
  func asNobody(_ arguments: String...) throws -> Answer { try asNobody(arguments) }

  func asNobody(_ arguments: [String]) throws -> Answer {
    guard getuid() == 0 else {
      let program = try start(arguments)
      program.closeInput()
      return Answer(try program.waitForExit(), program)
    }
    // The build folder may not be accessible to that user.
    let binary = folder.deletingLastPathComponent().appending(path: "waymark-\(UUID().uuidString.lowercased())")
    // Another program copies the file. If this process opened the copy for writing, child processes of concurrent tests
    // would inherit the descriptor.
    _ = try run("/bin/cp", [BuiltProgram.path, binary.path])
    defer { try? FileManager.default.removeItem(at: binary) }
    return try run(
      "/usr/bin/setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", binary.path] + arguments)
  }
}

extension Answer {
  /// The answer with placeholders for values that differ between runs.
  func steadied(_ home: HomeFixture? = nil) -> Answer {
    Answer(code: code, output: output.normalized(home), errors: errors.normalized(home))
  }
}

extension HomeFixture {
  /// Writes a course with one lesson and two texts, and returns the path of its folder.
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

extension HomeFixture {
  /// Creates a home in which `ada` has made four steps: resume, open a lesson, push its first activity, next.
  static func walked() throws -> HomeFixture { try HomeFixture(copying: stepped) }

  private static let stepped = Result { try original(walk) }

  /// Performs these steps.
  static func walk(_ home: HomeFixture) throws {
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
