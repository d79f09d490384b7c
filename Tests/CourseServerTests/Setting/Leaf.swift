import Foundation
import TestSupport

/// A database of its own beside the server's, with the bundled course, which synchronises with it.
struct Leaf {
  let home: ServedHome
  let database: String

  /// Makes it.
  ///
  /// - Parameter name: Its file.
  init(_ home: ServedHome, _ name: String = "leaf.sqlite") throws {
    self.home = home
    database = home.folder.file(name)
    guard try waymark("import", "--bundled").code == 0 else { throw HTTPConnection.Closed() }
  }

  private init(_ home: ServedHome, at database: String) { (self.home, self.database) = (home, database) }

  /// A copy of its file as it is now, as people make them: it does not know that it is one.
  func copied(to name: String) throws -> Leaf {
    let file = home.folder.file(name)
    _ = try home.run("/bin/cp", [database, file])
    return Leaf(home, at: file)
  }

  /// Runs the command line on it.
  @discardableResult
  func waymark(_ arguments: String..., input: String = "", learner: String = "ada") throws -> ServedHome.Answer {
    try home.run(
      ServedHome.path("waymark"), arguments, input: input, learner: learner, variables: ["WAYMARK_DATABASE": database])
  }

  /// Walks to and fro.
  func walk(_ steps: Int, learner: String = "ada") throws {
    let lines = (0..<steps).map {
      step("open", $0.isMultiple(of: 2) ? "english-for-business/meetings" : "english-for-business/negotiating")
    }
    _ = try waymark("nav", "run", input: lines.joined(separator: "\n") + "\n", learner: learner)
  }

  /// Synchronises; `port` is the server's where it is left out.
  func sync(_ arguments: String..., port: Int? = nil, input: String = "", learner: String = "ada") throws
    -> ServedHome.Answer
  {
    try home.run(
      ServedHome.path("waymark"), ["sync", "http://127.0.0.1:\(port ?? home.port)", "--format", "json"] + arguments,
      input: input, learner: learner, variables: ["WAYMARK_DATABASE": database])
  }

  /// Everything of the learner, as the file that can be imported elsewhere has it.
  func everything(learner: String = "ada") throws -> String { try waymark("learners", "export", learner).output }
}

extension ServedHome.Answer {
  /// The members of a report.
  var object: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any] ?? [:] }

  /// A count of a report, such as `sent` and `steps`.
  func count(_ way: String, _ what: String) -> Int? { (object[way] as? [String: Any])?[what] as? Int }
}
