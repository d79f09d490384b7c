import Answers
import ArgumentParser
import CourseLibrary
import LearningModel

/// `waymark database restore FILE`.
struct DatabaseRestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Replace the database by a copy of it, and keep the database before.",
    discussion: """
      \(Example.text("waymark database restore ~/waymark-copy.sqlite"))

      The copy is checked first. No other program may use the database: close browsers, and stop the server. Never copy a \
      file over a database: its write-ahead log would be applied to the copy.
      """)

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The copy, made by 'waymark database backup'.", completion: .file()) var file: String

  func run() throws {
    let result = try CourseLibrary.restore(from: file, to: global.databasePath)
    Printing.line("Restored '\(result.path)' from '\(file)': \(Self.text(result.restored)).")
    guard let kept = result.kept else { return }
    Printing.line(
      "The database before " + (result.replaced.map { "held \(Self.text($0))" } ?? "could not be read")
        + "; it is kept as '\(kept)'.")
  }

  /// `2 courses, 1 learner, 30 steps, the last at 2026-11-20T10:15:00.123Z`
  private static func text(_ contents: DatabaseContents) -> String {
    let counts = [
      (contents.courses, "course", "courses"), (contents.learners, "learner", "learners"),
      (contents.steps, "step", "steps"),
    ].map { "\($0) \($0 == 1 ? $1 : $2)" }
    return (counts + (contents.lastStepAt.map { ["the last at \($0)"] } ?? [])).joined(separator: ", ")
  }
}
