import Foundation
import TestSupport

/// A learner's database with the bundled course, which synchronises with the server. It is in the same home folder as
/// the server's database.
struct LeafDatabase {
  let fixture: ServerFixture
  let database: String

  /// Creates the database.
  ///
  /// - Parameter name: The name of its file.
  init(_ home: ServerFixture, _ name: String = "leaf.sqlite") throws {
    self.fixture = home
    database = home.folder.file(name)
    guard try waymark("import", "--bundled").code == 0 else { throw HTTPConnection.Closed() }
  }

  private init(_ home: ServerFixture, at database: String) { (self.fixture, self.database) = (home, database) }

  /// Copies the database's file and the folder with its UUID. The copy has the same identity as the original.
  func copied(to name: String) throws -> LeafDatabase {
    let file = fixture.folder.file(name)
    _ = try fixture.run("/bin/cp", [database, file])
    _ = try fixture.run("/bin/cp", ["-r", database + "-sessions", file + "-sessions"])
    return LeafDatabase(fixture, at: file)
  }

  /// Runs the command line with this database.
  @discardableResult
  func waymark(_ arguments: String..., input: String = "", learner: String = "ada") throws -> ServerFixture.Answer {
    try fixture.run(
      ServerFixture.path("waymark"), arguments, input: input, learner: learner,
      variables: ["WAYMARK_DATABASE": database])
  }

  /// Switches between two places a number of times.
  func walk(_ steps: Int, learner: String = "ada") throws {
    let lines = (0..<steps).map {
      step("open", $0.isMultiple(of: 2) ? "english-for-business/meetings" : "english-for-business/negotiating")
    }
    _ = try waymark("nav", "run", input: lines.joined(separator: "\n") + "\n", learner: learner)
  }

  /// Synchronises with the server at a port, by default the home's server.
  func sync(_ arguments: String..., port: Int? = nil, input: String = "", learner: String = "ada") throws
    -> ServerFixture.Answer
  {
    try fixture.run(
      ServerFixture.path("waymark"),
      ["sync", "http://127.0.0.1:\(port ?? fixture.port)", "--format", "json"] + arguments,
      input: input, learner: learner, variables: ["WAYMARK_DATABASE": database])
  }

  /// Returns the learner's exported data.
  func everything(learner: String = "ada") throws -> String { try waymark("learners", "export", learner).output }
}

extension ServerFixture.Answer {
  /// The members of a report in JSON.
  var object: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any] ?? [:] }

  /// Returns a count of a report, for example the `steps` of `sent`.
  func count(_ direction: String, _ kind: String) -> Int? { (object[direction] as? [String: Any])?[kind] as? Int }
}
