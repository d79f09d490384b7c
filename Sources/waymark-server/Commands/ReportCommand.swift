import Answers
import ArgumentParser
import Foundation
import LearningModel
import NavigationKit

/// `waymark-server report`: reports on the progress of a class.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Report on stuck learners, learners who have not begun, unfinished activities, and retention.",
    discussion: "Example:\n  waymark-server report stuck --class 7b --course english-for-business",
    subcommands: [
      StuckReport.self, NotBegunReport.self, LeftReport.self, RetentionReport.self,
    ])
}

/// The class, the course and the hub of a report.
struct ReportOptions: ParsableArguments {
  @OptionGroup var hub: HubOption
  @OptionGroup var list: ListOption
  @Option(name: .customLong("class"), help: ArgumentHelp("The class (default: all learners).", valueName: "name"))
  var className: String?
  @Option(help: ArgumentHelp("The course (default: all courses).", valueName: "path")) var course: String?

  @Option(
    help: ArgumentHelp(
      "The folder of the replica from which reports on a hub on PostgreSQL are computed "
        + "(default: a folder for each hub and tenant in waymark/reports in the cache folder).", valueName: "folder"))
  var replica: String?

  mutating func validate() throws {
    if replica == "" { throw ValidationError("--replica requires a folder.") }
    if replica != nil, hub.url == nil { throw ValidationError("--replica requires --hub.") }
  }

  var scope: ReportScope { ReportScope(className: className, course: course) }

  /// Computes a report, and records it in the audit before any data of learners is read.
  ///
  /// - Parameters:
  ///   - name: The name of the report.
  ///   - body: Computes the report from the database, or from the replica of a hub on PostgreSQL.
  func report<Row>(_ name: String, _ body: (EmbeddedStore) throws -> [Row]) throws -> [Row] {
    let (store, now) = (try hub.store(), Timestamp(date: Date()))
    try store.noteAudit(command: "report \(name)", at: now)
    guard let address = try hub.address() else { return try body(EmbeddedStore(hub.database.service())) }
    let source = "tenant \(hub.tenant) of \(address.host)"
    let folder =
      replica ?? UserFolder.path("XDG_CACHE_HOME", else: ".cache") + "/reports/"
      + Digest.text(Array(source.utf8)).prefix(16)
    var nextMessage = ContinuousClock.now + .seconds(2)
    return try ReportingReplica(of: store, named: source, in: folder, at: now) { event in
      let isWatched = isatty(STDERR_FILENO) == 1
      switch event {
      case .refused(let learner, let reason):
        Output.notice("The report lacks records of \(quoted: learner). \(reason)")
      case .waiting where isWatched: Output.notice("Waiting for another report on this hub.")
      case .compared(let number, let count) where isWatched && ContinuousClock.now >= nextMessage:
        Output.notice("Compared \(number) of \(count) learners with the hub.")
        nextMessage = .now + .seconds(2)
      case .waiting, .compared: break
      }
    }.report(body)
  }
}

/// The option for the maximum number of rows.
struct LimitOption: ParsableArguments {
  @Option(help: ArgumentHelp("The maximum number of rows.", valueName: "n")) var limit = 100

  func validate() throws {
    guard (1...1_000_000).contains(limit) else {
      throw ValidationError("--limit must be from 1 to 1000000, not \(limit).")
    }
  }
}

/// The option for the number of days without progress.
struct DaysOption: ParsableArguments {
  @Option(help: ArgumentHelp("The number of days without progress.", valueName: "days")) var days = 7

  /// The start of the period of inactivity: only learners without progress since this time are listed.
  var since: Timestamp { Timestamp(date: Date()).advanced(byMilliseconds: -Int64(days) * 86_400_000) }

  func validate() throws {
    guard (0...36_500).contains(days) else {
      throw ValidationError("--days must be from 0 to 36500, not \(days).")
    }
  }
}

/// `waymark-server report stuck`.
struct StuckReport: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "stuck",
    abstract: "List learners with an unfinished activity and no progress for some days.",
    discussion: "Example:\n  waymark-server report stuck --class 7b --days 14")

  @OptionGroup var options: ReportOptions
  @OptionGroup var days: DaysOption
  @OptionGroup var limit: LimitOption

  func perform() throws {
    try options.list.format.print(
      options.report("stuck") { try $0.stuckLearners(options.scope, since: days.since, limit: limit.limit) },
      fields: CSVColumns.stuck,
      columns: [
        ("learner", { $0.learner }), ("at", { $0.path }), ("begun", { "\($0.begunAt)" }),
        ("last", { "\($0.lastAt)" }), ("unfinished", { "\($0.unfinished)" }),
      ], whenEmpty: "No learner has been stuck for \(days.days) days.")
  }
}

/// `waymark-server report not-begun`.
struct NotBegunReport: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "not-begun",
    abstract: "List learners who have not begun any activity.",
    discussion: "Example:\n  waymark-server report not-begun --class 7b --course english-for-business")

  @OptionGroup var options: ReportOptions
  @OptionGroup var limit: LimitOption

  func perform() throws {
    try options.list.format.print(
      options.report("not-begun") { try $0.learnersNotBegun(options.scope, limit: limit.limit) },
      fields: CSVColumns.notBegun,
      columns: [("learner", { $0.learner }), ("since", { "\($0.since)" })], whenEmpty: "All learners have begun.")
  }
}

/// `waymark-server report left`.
struct LeftReport: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "left",
    abstract: "List the activities that most learners began and have not finished for some days.",
    discussion: "Example:\n  waymark-server report left --course english-for-business --days 14")

  @OptionGroup var options: ReportOptions
  @OptionGroup var days: DaysOption
  @OptionGroup var limit: LimitOption

  func perform() throws {
    try options.list.format.print(
      options.report("left") { try $0.abandonedActivities(options.scope, since: days.since, limit: limit.limit) },
      fields: CSVColumns.abandonedActivities,
      columns: [
        ("activity", { $0.path }), ("begun", { "\($0.begun)" }), ("done", { "\($0.done)" }),
        ("left", { "\($0.left)" }),
      ], whenEmpty: "No activity has been left for \(days.days) days.")
  }
}

/// `waymark-server report retention`.
struct RetentionReport: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "retention",
    abstract: "Print the share of learners who are active in each week after their first.",
    discussion: "Example:\n  waymark-server report retention --class 7b --weeks 8")

  @OptionGroup var options: ReportOptions
  @Option(help: ArgumentHelp("The maximum number of weeks.", valueName: "n")) var weeks = 12

  func validate() throws {
    guard (1...520).contains(weeks) else {
      throw ValidationError("--weeks must be from 1 to 520, not \(weeks).")
    }
  }

  func perform() throws {
    try options.list.format.print(
      options.report("retention") { try $0.retention(options.scope, at: Timestamp(date: Date()), weeks: weeks) },
      fields: CSVColumns.retention,
      columns: [
        ("week", { "\($0.week)" }), ("learners", { "\($0.learners)" }), ("active", { "\($0.active)" }),
        ("share", { "\($0.learners == 0 ? 0 : 100 * $0.active / $0.learners) %" }),
      ], whenEmpty: "No learner has begun.")
  }
}
