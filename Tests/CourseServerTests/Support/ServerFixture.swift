import Foundation
import TerminalHarness
import TestSupport

/// A home folder with a database, in which the built server and the built command line are run.
final class ServerFixture {
  let folder: TemporaryFolder
  let database: String
  private(set) var server: PipedProgram?
  private(set) var port = 0
  private var environment: [String: String]
  private let network: [String]

  /// Creates a database with the bundled course.
  ///
  /// - Parameter network: The start of a command line that runs a program in a network namespace. If empty, programs
  ///   run in the current network.
  init(within network: [String] = []) throws {
    self.network = network
    folder = try TemporaryFolder()
    database = folder.file("waymark.sqlite")
    environment = [
      "HOME": folder.path, "PATH": "/usr/bin:/bin", "TZ": "UTC", "LANG": "C.UTF-8", "WAYMARK_DATABASE": database,
      "WAYMARK_LEARNER": "ada",
    ]
    try Self.bundled.get().write(to: URL(filePath: database))
  }

  /// Creates a database with the bundled course and starts the server.
  ///
  /// - Returns: The home, and a token of the learner `ada`.
  static func serving() throws -> (home: ServerFixture, token: String) {
    let home = try ServerFixture()
    let token = try home.token()
    try home.serve()
    return (home, token)
  }

  /// The exit code and output of a program.
  struct Answer: Equatable {
    let code: Int
    let output: String
    var errors = ""
  }

  /// A program on which the test depends has failed.
  struct Unexpected: Error {
    let answer: Answer
  }

  /// The content of a database file with the bundled course.
  static let bundled = Result { () -> Data in
    let folder = try TemporaryFolder()
    let file = folder.file("waymark.sqlite")
    let program = try PipedProgram(
      ServerFixture.path("waymark"), ["import", "--bundled"],
      environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin", "WAYMARK_DATABASE": file])
    _ = try program.waitForExit()
    return try folder.bytes(of: "waymark.sqlite")
  }

  /// Returns the path of a program in the build folder of the tests.
  static func path(_ program: String) -> String {
    #if os(Linux)
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
    let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }!.bundleURL
    #endif
    return tests.deletingLastPathComponent().appending(path: program).path
  }

  // MARK: - The server

  /// Starts the server at a free port and waits until it listens.
  ///
  /// - Parameters:
  ///   - arguments: Further arguments of the server.
  ///   - limited: Whether the requests of a token are limited. If `false`, their number is unlimited.
  func serve(_ arguments: String..., limited: Bool = false) throws { try serve(arguments, limited: limited) }

  func serve(_ arguments: [String], limited: Bool = false) throws {
    let all = ["serve", "--port", "0"] + (limited ? [] : ["--requests-per-second", "0"]) + arguments
    let program = try start(Self.path("waymark-server"), all, environment)
    while let line = try program.readLine() {
      guard let number = line.split(separator: ":").last.flatMap({ Int($0) }), line.hasPrefix("Listening at") else {
        continue
      }
      server = program
      port = number
      return
    }
    throw Unexpected(answer: Self.answer(of: program, try program.waitForExit()))
  }

  /// Sends a signal to the server, and waits until it has ended.
  @discardableResult func stop(_ signal: Int32 = SIGTERM) throws -> Answer {
    guard let server else { return Answer(code: 0, output: "") }
    server.signal(signal)
    defer { self.server = nil }
    return Self.answer(of: server, try server.waitForExit())
  }

  /// Opens a connection to the server.
  func connect() throws -> HTTPConnection { try HTTPConnection(port: port) }

  /// Sends one request on a new connection.
  func ask(
    _ method: String, _ path: String, token: String? = nil, headers: [String: String] = [:], body: String? = nil
  ) throws -> HTTPConnection.Answer {
    try connect().ask(method, path, token: token, headers: headers, body: body)
  }

  // MARK: - The command line

  /// Runs the command line to its end.
  func waymark(_ arguments: [String], input: String = "", learner: String = "ada") throws -> Answer {
    try run(Self.path("waymark"), arguments, input: input, learner: learner)
  }

  /// Runs the command line to its end.
  func waymark(_ arguments: String..., learner: String = "ada") throws -> Answer {
    try waymark(arguments, learner: learner)
  }

  /// Runs a subcommand of `waymark-server tokens`.
  func tokens(_ arguments: String...) throws -> Answer {
    try run(Self.path("waymark-server"), ["tokens"] + arguments)
  }

  /// Creates a token and returns its secret.
  func token(_ name: String = "ada", _ arguments: String...) throws -> String {
    let answer = try run(Self.path("waymark-server"), ["tokens", "add", name] + arguments)
    guard answer.code == 0 else { throw Unexpected(answer: answer) }
    return answer.output.trimmingCharacters(in: .newlines)
  }

  /// Runs a program to its end.
  func run(
    _ executable: String, _ arguments: [String], input: String = "", learner: String = "ada",
    variables: [String: String] = [:]
  ) throws -> Answer {
    var environment = environment.merging(variables) { $1 }
    environment["WAYMARK_LEARNER"] = learner
    let program = try start(executable, arguments, environment)
    try program.write(input)
    program.closeInput()
    return Self.answer(of: program, try program.waitForExit(within: 600))
  }

  private func start(_ executable: String, _ arguments: [String], _ environment: [String: String]) throws
    -> PipedProgram
  {
    let line = network + [executable] + arguments
    return try PipedProgram(line[0], Array(line.dropFirst()), environment: environment)
  }

  private static func answer(of program: PipedProgram, _ ending: Ending) -> Answer {
    let code =
      switch ending {
      case .exited(let code): code
      case .signalled(let signal): 128 + signal
      }
    return Answer(
      code: code, output: String(decoding: program.output, as: UTF8.self),
      errors: String(decoding: program.errors, as: UTF8.self))
  }
}

/// Returns the JSON body of a navigation request.
func step(_ operation: String, _ place: String? = nil) -> String {
  place.map { #"{"operation": "\#(operation)", "place": "\#($0)"}"# } ?? #"{"operation": "\#(operation)"}"#
}
