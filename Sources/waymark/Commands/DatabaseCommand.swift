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
    "database", "Check, back up and restore the database.", example: "waymark database backup ~/waymark-copy.sqlite",
    subcommands: [
      DatabaseInfoCommand.self, DatabaseCheckCommand.self, DatabaseBackupCommand.self, DatabaseRestoreCommand.self,
      DatabaseRebuildCommand.self, DatabasePathCommand.self,
    ])

  @OptionGroup var global: GlobalOptions
}

/// `waymark database info`.
struct DatabaseInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "info", "Show the location, size and content of the database.", example: "waymark database info")

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
      learners: try global.history().learners.all().count)
    let table = """
      path        \(info.path.harmlessLines)
      size        \(info.bytes / 1024) KiB
      courses     \(info.courses)
      activities  \(info.activities)
      learners    \(info.learners)

      """
    try Printing.value(info, fields: CSVColumns.databaseInfo, table: table, as: output.format)
  }

  private static func size(of file: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
  }
}

/// `waymark database path`.
struct DatabasePathCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "path", "Print the path of the database.",
    example: #"sqlite3 "$(waymark database path)" 'SELECT * FROM visit LIMIT 5'"#)

  @OptionGroup var global: GlobalOptions

  func run() throws {
    _ = try LearningDatabase.path(named: global.databasePath)
    var output = StandardOutput()
    // If the output is for a shell, the path is not changed, because it must still name the file.
    output.write((output.isTerminal ? global.databasePath.harmless : global.databasePath) + "\n")
    output.flush()
  }
}

/// `waymark database check`.
struct DatabaseCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "check", "Check the database for damage and inconsistencies.", example: "waymark database check")

  private struct Check: Encodable {
    let ok: Bool
    let problems: [String]
  }

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let problems = try (global.library().check() + global.history().check()).map { CommandWords.text($0) }
    var table = problems.isEmpty ? "No problems found.\n" : problems.map { $0.harmlessLines + "\n" }.joined()
    // Such answers contradict nothing, but their cards return late.
    let future = try global.history().cards.all(answeredInFuture: true).count
    if future > 0 {
      table +=
        "\(future) \(future == 1 ? "card was" : "cards were") answered more than a day in the future, because the clock was "
      table += "ahead. Run 'waymark review list --future'.\n"
    }
    // The log of display faults is not a part of the database. It is mentioned here because users run this command when
    // something is wrong.
    let log = IssueLog(path: ProgramEnvironment.current.issueLogPath)
    let count = log.count
    if count > 0 {
      table += "The browser logged \(count) \(count == 1 ? "internal error" : "internal errors") in "
      table += "\(log.path.harmlessLines). Send this file with a bug report, then delete it.\n"
    }
    try Printing.value(
      Check(ok: problems.isEmpty, problems: problems), fields: CSVColumns.databaseCheck, table: table, as: output.format
    )
    if !problems.isEmpty { throw ExitCode(FailureKind.badData.exitStatus) }
  }
}

/// `waymark database rebuild`.
struct DatabaseRebuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "rebuild", "Rebuild the data derived from the logs and courses: locations, scores, progress and the search index.",
    example: "waymark database rebuild")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    try global.library().rebuildSearch()
    let service = try global.history()
    try service.rebuild()
    let isSwept = try service.sweep()
    Printing.line("Rebuilt the data derived from the logs and courses.")
    if !isSwept {
      Printing.line(
        "Erased data was not overwritten in the file, because another program is reading the database. Close that program and run the command again."
      )
    }
  }
}

/// `waymark database backup FILE`.
struct DatabaseBackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "backup", "Copy the database, even while it is in use.", example: "waymark database backup ~/waymark-copy.sqlite")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The file to write.", completion: .file()) var file: String
  @OptionGroup var replacing: ReplacingOption

  func run() throws {
    let library = try global.library()
    let path = try LearningDatabase.path(named: file)
    guard let name = try replacing.name(path, database: global.databasePath) else { return }
    guard let temporary = name.temporary else {
      throw CommandFailure.cannotCreate(file: file, reason: "it exists and is not a regular file")
    }
    try library.backUp(to: temporary)
    try name.moveIntoPlace()
    Printing.line("Copied to \(file).")
  }
}

/// `waymark database restore FILE`.
struct DatabaseRestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Restore the database from a backup, and keep the replaced database.",
    discussion: """
      \(Example.text("waymark database restore ~/waymark-copy.sqlite"))

      The backup is checked first. Tokens that were revoked and data that was erased after the backup do not come back, \
      and the audit is kept. No other program may use the database: close browsers and stop the server. Never \
      copy a file over a database, because the old write-ahead log would be applied to the copy.
      """)

  @OptionGroup var global: GlobalOptions
  @Argument(help: "A file that 'waymark database backup' wrote.", completion: .file()) var file: String

  func run() throws {
    let result = try CourseLibrary.restore(from: file, to: global.databasePath)
    Printing.line("Restored \(quoted: result.path) from \(quoted: file): \(Self.text(result.restored)).")
    guard let previousPath = result.previousPath else { return }
    Printing.line(
      "The replaced database " + (result.replaced.map { "had \(Self.text($0))" } ?? "could not be read")
        + ". It is kept as \(quoted: previousPath).")
    if result.kept == KeptRecords() { return }
    let kept = result.kept.map { kept in
      let counts = [
        (kept.revokedTokens + kept.erasedTokens, "revoked token", "revoked tokens"),
        (kept.erasures, "erasure", "erasures"),
        (kept.auditEntries, "audit entry", "audit entries"),
      ]
      return "Kept from it: \(counts.map(Self.counted).joined(separator: ", "))."
    }
    Printing.line(
      kept
        ?? "Its revoked tokens, erasures and audit could not be read: what was revoked or erased after the backup is back. "
        + "Check 'waymark-server tokens list' and 'waymark learners list'.")
  }

  private static func counted(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }

  /// Returns `2 courses, 1 learner, 30 steps, last step at 2026-11-20 10:15`.
  private static func text(_ contents: DatabaseContents) -> String {
    let counts = [
      (contents.courses, "course", "courses"), (contents.learners, "learner", "learners"),
      (contents.steps, "step", "steps"),
    ].map(counted)
    return (counts + (contents.lastStepAt.map { ["last step at \(LocalTime.text($0, in: .current))"] } ?? [])).joined(
      separator: ", ")
  }
}
