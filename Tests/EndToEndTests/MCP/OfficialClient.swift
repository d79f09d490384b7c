import Foundation
import TerminalHarness

/// The Python client of the Model Context Protocol, which `Sources/System/libraries install test` installs.
enum OfficialClient {
  /// The Python interpreter with the client, or `nil` if it is not installed.
  static let python: String? = {
    // The program's path is BUILD/PLATFORM/debug/waymark.
    let build = URL(filePath: BuiltProgram.path).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = build.appending(path: "test-python/bin/python").path
    guard let home = try? HomeFixture(), FileManager.default.isExecutableFile(atPath: path),
      (try? home.run(path, ["-c", "import mcp"]))?.code == 0
    else { return nil }
    return path
  }()

  struct Session: Decodable {
    let revision: String
    let tools: [Tool]
    let results: [Result]
  }

  struct Tool: Decodable {
    let name: String
    let readOnly: Bool
    let destructive: Bool?
  }

  struct Result: Decodable, Equatable {
    var texts: [String]?
    var isError: Bool?
    /// The message and the code of a call that the server refused.
    var refused: String?
    var code: Int?

    /// Returns the result with changed texts.
    func steadied(_ home: HomeFixture, _ change: (String, HomeFixture) -> String) -> Result {
      Result(texts: texts?.map { change($0, home) }, isError: isError, refused: refused, code: code)
    }
  }

  /// Starts `waymark mcp`, calls tools, and ends the server.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of `waymark mcp`.
  ///   - mode: The way in which the client negotiates the revision of the protocol.
  ///   - calls: The names of tools and their arguments in JSON.
  ///   - together: Whether all calls are sent at the same time instead of one after the other.
  static func session(
    _ arguments: [String] = [], in home: HomeFixture, mode: String = "auto", calls: [(tool: String, arguments: String)],
    together: Bool = false
  ) throws -> Session {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "mcp-client.py").path
    let request: [String: Any] = [
      "command": BuiltProgram.path, "arguments": ["mcp"] + arguments, "environment": home.environment, "mode": mode,
      "calls": calls.map { [$0.tool, $0.arguments.json ?? NSNull()] }, "together": together,
    ]
    let client = try PipedProgram(python!, [script], environment: home.environment, directory: home.folder)
    try client.write(String(decoding: try JSONSerialization.data(withJSONObject: request), as: UTF8.self))
    client.closeInput()
    let answer = Answer(try client.waitForExit(), client)
    guard answer.code == 0 else { throw Unexpected(answer: answer) }
    return try JSONDecoder().decode(Session.self, from: Data(answer.output.utf8))
  }
}
