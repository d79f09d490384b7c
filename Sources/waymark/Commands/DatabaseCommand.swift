import Answers
import ArgumentParser
import CourseKit
import Foundation
import LearningModel
import LearningStore
import NavigationKit
import TextCanvas

/// `waymark database`, with subcommands for the database file.
struct DatabaseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "database", "Look after the database.", example: "waymark database backup ~/waymark-copy.sqlite",
    subcommands: [
      DatabaseInfoCommand.self, DatabaseCheckCommand.self, DatabaseBackupCommand.self, DatabaseRestoreCommand.self,
      DatabaseRebuildCommand.self, DatabasePathCommand.self,
    ])

  @OptionGroup var global: GlobalOptions
}

/// `waymark database info`.
struct DatabaseInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "info", "Say where the database is, and how much is in it.", example: "waymark database info")

  private struct Info: Encodable {
    let path: String
    let bytes: Int
    let courses: Int
    let activities: Int
    let learners: Int
  }

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let library = try global.library()
    let courses = try library.courses()
    let info = Info(
      path: library.path, bytes: Self.size(of: library.path) + Self.size(of: library.path + "-wal"),
      courses: courses.count, activities: courses.map(\.counts.activity).reduce(0, +),
      learners: try global.history().learners().count)
    let table = """
      path        \(info.path.harmlessLines)
      size        \(info.bytes / 1024) KiB
      courses     \(info.courses)
      activities  \(info.activities)
      learners    \(info.learners)

      """
    try Printing.value(info, fields: Fields.databaseInfo, table: table, as: output.format)
  }

  private static func size(of file: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
  }
}

/// `waymark database path`.
struct DatabasePathCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "path", "Print where the database is, or would be.",
    example: #"sqlite3 "$(waymark database path)" 'SELECT * FROM visit LIMIT 5'"#)

  @OptionGroup var global: GlobalOptions

  func run() throws {
    _ = try LearningDatabase.path(named: global.databasePath)
    var output = StandardOutput()
    // Unchanged for a shell: a name with special characters must still be the name of the file.
    output.write((output.isTerminal ? global.databasePath.harmless : global.databasePath) + "\n")
    output.flush()
  }
}

/// `waymark database check`.
struct DatabaseCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "check", "Look for damage, and for anything that contradicts itself.", example: "waymark database check")

  private struct Check: Encodable {
    let ok: Bool
    let problems: [String]
  }

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let problems = try (global.library().check() + global.history().check()).map { CommandWords.text($0) }
    var table = problems.isEmpty ? "The database is in order.\n" : problems.map { $0.harmlessLines + "\n" }.joined()
    // The log of the screens is not part of the database, but users look here when something is wrong.
    let log = IssueLog(path: ProgramEnvironment.current.issueLogPath)
    let count = log.count
    if count > 0 {
      table += "The screens have noted \(count) \(count == 1 ? "fault" : "faults") of the program in "
      table += "\(log.path.harmlessLines): send it with a bug report, then remove it.\n"
    }
    try Printing.value(
      Check(ok: problems.isEmpty, problems: problems), fields: Fields.databaseCheck, table: table, as: output.format)
    if !problems.isEmpty { throw ExitCode(FailureKind.badData.exitStatus) }
  }
}

/// `waymark database rebuild`.
struct DatabaseRebuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "rebuild", "Work out anew what follows from the logs and the courses: stacks, scores, progress, the search index.",
    example: "waymark database rebuild")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    try global.library().rebuildSearch()
    let service = try global.history()
    try service.rebuild()
    let isSwept = try service.sweep()
    Printing.line("Everything that follows from the logs and the courses was worked out anew.")
    if !isSwept {
      Printing.line("Another program is reading the database, so its file was not swept of what was erased.")
    }
  }
}

/// `waymark database backup FILE`.
struct DatabaseBackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "backup", "Copy the database while it is in use.", example: "waymark database backup ~/waymark-copy.sqlite")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The file to write.", completion: .file()) var file: String
  @OptionGroup var replacing: ReplacingOption

  func run() throws {
    let library = try global.library()
    let path = try LearningDatabase.path(named: file)
    guard let name = try replacing.name(path, database: global.databasePath) else { return }
    guard let temporary = name.temporary else {
      throw CommandFailure.cannotCreate(file: file, reason: "what has this name is no ordinary file")
    }
    try library.backUp(to: temporary)
    try name.take()
    Printing.line("Copied to \(file).")
  }
}

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

  /// Returns `2 courses, 1 learner, 30 steps, the last at 2026-11-20T10:15:00.123Z`.
  private static func text(_ contents: DatabaseContents) -> String {
    let counts = [
      (contents.courses, "course", "courses"), (contents.learners, "learner", "learners"),
      (contents.steps, "step", "steps"),
    ].map { "\($0) \($0 == 1 ? $1 : $2)" }
    return (counts + (contents.lastStepAt.map { ["the last at \($0)"] } ?? [])).joined(separator: ", ")
  }
}
