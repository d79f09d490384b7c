import Answers
import ArgumentParser
import Foundation
import LearningModel
import NavigationKit

/// `waymark-server report`: reports on the progress of a class.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Say who is stuck where, who has not begun, what is left most, and who comes back.",
    discussion: "Example:\n  waymark-server report stuck --class 7b --course english-for-business",
    subcommands: [
      StuckReport.self, NotBegunReport.self, LeftReport.self, RetentionReport.self,
    ])
}

/// The class, the course and the hub of a report.
struct ReportOptions: ParsableArguments {
  @OptionGroup var hub: HubOption
  @OptionGroup var list: ListOption
  @Option(name: .customLong("class"), help: ArgumentHelp("A class (default: everyone).", valueName: "name"))
  var className: String?
  @Option(help: ArgumentHelp("A course (default: all of them).", valueName: "path")) var course: String?

  var scope: ReportScope { ReportScope(className: className, course: course) }

  /// Opens the store and records the report in the audit, before anything is read.
  func store(for report: String) throws -> any HubStore {
    let store = try hub.store()
    try store.noteAudit(command: "report \(report)", at: Timestamp(date: Date()))
    return store
  }
}

/// The option for the maximum number of rows.
struct LimitOption: ParsableArguments {
  @Option(help: ArgumentHelp("How many rows at most.", valueName: "n")) var limit = 100

  func validate() throws {
    guard (1...1_000_000).contains(limit) else {
      throw ValidationError("--limit takes a number from 1 to 1000000, not \(limit).")
    }
  }
}

/// The option for the number of days without progress.
struct DaysOption: ParsableArguments {
  @Option(help: ArgumentHelp("For how many days nothing has come of it.", valueName: "days")) var days = 7

  /// The time before which nothing may have happened.
  var since: Timestamp { Timestamp(date: Date()).advanced(byMilliseconds: -Int64(days) * 86_400_000) }

  func validate() throws {
    guard (0...36_500).contains(days) else {
      throw ValidationError("--days takes a number from 0 to 36500, not \(days).")
    }
  }
}

/// `waymark-server report stuck`.
struct StuckReport: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "stuck",
    abstract: "List who has begun something, not finished it, and neither begun nor finished anything for days.",
    discussion: "Example:\n  waymark-server report stuck --class 7b --days 14")

  @OptionGroup var options: ReportOptions
  @OptionGroup var days: DaysOption
  @OptionGroup var limit: LimitOption

  func perform() throws {
    try options.list.format.print(
      options.store(for: "stuck").stuck(options.scope, since: days.since, limit: limit.limit), fields: Fields.stuck,
      columns: [
        ("learner", { $0.learner }), ("at", { $0.path }), ("begun", { "\($0.begunAt)" }),
        ("last", { "\($0.lastAt)" }), ("unfinished", { "\($0.unfinished)" }),
      ], whenEmpty: "Nobody has been stuck for \(days.days) days.")
  }
}

/// `waymark-server report not-begun`.
struct NotBegunReport: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "not-begun",
    abstract: "List who has not begun any activity.",
    discussion: "Example:\n  waymark-server report not-begun --class 7b --course english-for-business")

  @OptionGroup var options: ReportOptions
  @OptionGroup var limit: LimitOption

  func perform() throws {
    try options.list.format.print(
      options.store(for: "not-begun").notBegun(options.scope, limit: limit.limit), fields: Fields.notBegun,
      columns: [("learner", { $0.learner }), ("since", { "\($0.since)" })], whenEmpty: "Everyone has begun.")
  }
}

/// `waymark-server report left`.
struct LeftReport: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "left",
    abstract: "List the activities that most have begun, and not finished for days.",
    discussion: "Example:\n  waymark-server report left --course english-for-business --days 14")

  @OptionGroup var options: ReportOptions
  @OptionGroup var days: DaysOption
  @OptionGroup var limit: LimitOption

  func perform() throws {
    try options.list.format.print(
      options.store(for: "left").left(options.scope, since: days.since, limit: limit.limit), fields: Fields.left,
      columns: [
        ("activity", { $0.path }), ("begun", { "\($0.begun)" }), ("done", { "\($0.done)" }),
        ("left", { "\($0.left)" }),
      ], whenEmpty: "Nothing has been left for \(days.days) days.")
  }
}

/// `waymark-server report retention`.
struct RetentionReport: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "retention",
    abstract: "Say how many come back in each week after their own first one.",
    discussion: "Example:\n  waymark-server report retention --class 7b --weeks 8")

  @OptionGroup var options: ReportOptions
  @Option(help: ArgumentHelp("How many weeks at most.", valueName: "n")) var weeks = 12

  func validate() throws {
    guard (1...520).contains(weeks) else {
      throw ValidationError("--weeks takes a number from 1 to 520, not \(weeks).")
    }
  }

  func perform() throws {
    try options.list.format.print(
      options.store(for: "retention").retention(options.scope, at: Timestamp(date: Date()), weeks: weeks),
      fields: Fields.retention,
      columns: [
        ("week", { "\($0.week)" }), ("learners", { "\($0.learners)" }), ("active", { "\($0.active)" }),
        ("share", { "\($0.learners == 0 ? 0 : 100 * $0.active / $0.learners) %" }),
      ], whenEmpty: "Nobody has begun.")
  }
}
