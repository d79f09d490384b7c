import Answers
import ArgumentParser
import CoursePages
import Foundation
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark history`, with subcommands to query, export and erase the navigation history.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List, query, export or erase the navigation history.",
    discussion: Example.text(
      "waymark history --since yesterday --kind activity",
      "waymark history --since 10m --format json") + "\n\nFor the filters, run: waymark help history list",
    subcommands: [
      HistoryListCommand.self, HistoryStatsCommand.self, HistoryNextFromCommand.self, HistoryAtCommand.self,
      HistoryReplayCommand.self, HistoryLeavingCommand.self, HistoryExportCommand.self,
      HistoryEraseCommand.self,
    ],
    defaultSubcommand: HistoryListCommand.self)

  @OptionGroup var global: GlobalOptions
}

/// `waymark history list`, the default subcommand.
struct HistoryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List steps, newest first.",
    discussion: Example.text("waymark history list --under english-for-business/negotiating --limit 20")
      + HistoryOptions.everyone)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Filters") var options: HistoryOptions
  @OptionGroup var zone: ZoneOptions
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The maximum number of steps (default: 100 in a table, otherwise all).", valueName: "n"))
  var limit: Int?
  @Option(help: ArgumentHelp("List the steps after the one with this id.", valueName: "cursor")) var after:
    HistoryCursor?

  /// The default number of rows in a table.
  private static let tableLimit = 100

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1, not \(limit).") }
  }

  func run() throws {
    let service = try global.history(in: zone)
    let filter = try options.filter(of: global.scope, for: service)
    var standardOutput = StandardOutput()
    if let programFormat = output.format.stream(columns: CSVColumns.history) {
      let stream = HistoryStream(service: service, filter: filter, limit: limit, after: after)
      try stream.write(as: programFormat) { standardOutput.write($0) }
    } else {
      let page = try service.history.page(filter, limit: limit ?? Self.tableLimit, after: after)
      try output.format.write(
        page.rows, fields: CSVColumns.history, columns: HistoryRow.columns(in: service.timeZone),
        whenEmpty: "No matching steps.", to: &standardOutput)
      standardOutput.flush()
      if let next = page.next, limit == nil {
        StandardError.write("There are older steps. Use --after \(next) or --limit to list them.\n")
      }
    }
    standardOutput.flush()
  }
}

/// `waymark history at TIME`.
struct HistoryAtCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "at",
    abstract: "Show the place at a given time.",
    discussion: Example.text("waymark history at 'yesterday 21:00'"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var zone: ZoneOptions
  @Argument(help: "A time such as 2026-11-20T10:15, 10:15, yesterday or 2h (two hours ago).") var time: String

  func run() throws {
    let service = try global.history(in: zone)
    // If the time is a period such as a day, the end of the period is used.
    let period = try HistoryTime(time, in: service.timeZone)
    let location = try service.history.location(at: min(period.end, Date()), of: global.scope)
    let timeText = LocalTime.text(location.at, in: service.timeZone)
    let table =
      if let stack = location.stack {
        "At \(timeText), \(location.learner) was at:\n  " + stack.map(\.title).joined(separator: " › ") + "\n"
      } else {
        "At \(timeText), \(location.learner) had no history yet.\n"
      }
    try Printing.value(location, fields: CSVColumns.pastPlace, table: table.harmlessLines, as: output.format)
  }
}

/// `waymark history replay --session ID`.
struct HistoryReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "List the steps of one session in order, with their transitions.",
    discussion: Example.text(
      "waymark nav open english-for-business/negotiating", "waymark history replay --session shell"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var zone: ZoneOptions
  @Option(
    help: ArgumentHelp("The number or name of the session; for a name, its newest session.", valueName: "session"),
    transform: ArgumentParsers.session)
  var session: String

  func run() throws {
    let service = try global.history(in: zone)

    var list = ListStream<HistoryRow>(
      fields: CSVColumns.history,
      columns: [
        Column("number", alignment: .right, omissionRank: 3) { String($0.sequence) },
        Column("time") { LocalTime.text($0.at, in: service.timeZone) },
        Column("step") { DisplayFormat.step($0.operation) },
        Column("from", mayShrink: true, omissionRank: 1) { $0.from?.title ?? "" },
        Column("to", mayShrink: true) { $0.to.title },
        Column("transition", omissionRank: 2) { row in
          row.transition.map { DisplayFormat.transition($0.choice, row.to.levels) } ?? ""
        },
      ],
      as: output.format, whenEmpty: "No steps in this session.")
    try withThrowingCallback({ try list.write($0) }) { try service.history.forEachRow(ofSession: session, $0) }
    try list.finish()
  }
}

/// `waymark history stats --by GROUP`.
struct HistoryStatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Print visits, places, active time and the share of visits after which the learner went back.",
    discussion: Example.text("waymark history stats --by lesson --since 7d") + HistoryOptions.everyone)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Option(help: "How to group the steps; learner includes every learner.") var by: StatisticsGroup
  @OptionGroup(title: "Filters") var options: HistoryOptions
  @OptionGroup var zone: ZoneOptions
  @OptionGroup var limit: LimitOption

  func run() throws {
    let service = try global.history(in: zone)
    // Statistics by learner include all learners, unless a learner is named.
    let scope = by == .learner && global.learner == nil ? .everyone : global.scope
    if global.learner == nil { try global.auditRead(of: scope, by: service) }
    let rows = try limit.first(
      of: service.history.statistics(by: by, options.filter(of: scope, for: service), in: service.timeZone))

    try Printing.list(
      rows, fields: CSVColumns.statistics(by: by),
      columns: [
        Column(by.rawValue, mayShrink: true) { $0.key.text },
        Column("visits", alignment: .right) { String($0.visits) },
        Column("places", alignment: .right) { String($0.places) },
        Column("active", alignment: .right) { DisplayFormat.duration(milliseconds: $0.activeTime.milliseconds) },
        Column("went back", alignment: .right) { DisplayFormat.percent($0.turnedBack) },
      ],
      as: output.format, whenEmpty: "No matching steps.")
  }
}

extension StatisticsRow.Key {
  /// The name of the group in a table.
  fileprivate var text: String {
    switch self {
    case .place(let place): place.title
    case .text(let text): text
    case .number(let number): String(number)
    }
  }
}

/// `waymark history leaving`.
struct HistoryLeavingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leaving",
    abstract: "Count how visits to activities ended: done, closed by going up, or abandoned.",
    discussion: Example.text("waymark history leaving --under english-for-business --learner all")
      + HistoryOptions.everyone)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Filters") var options: HistoryOptions
  @OptionGroup var zone: ZoneOptions

  func run() throws {
    let service = try global.history(in: zone)
    let rows = try service.history.leaving(options.filter(of: global.scope, for: service))

    try Printing.list(
      rows, fields: CSVColumns.leaving,
      columns: [
        Column("title", mayShrink: true) { $0.place.title },
        Column("left", alignment: .right) { String($0.left) },
        Column("done", alignment: .right) { String($0.done) },
        Column("went up", alignment: .right) { String($0.popped) },
        Column("abandoned", alignment: .right) { String($0.abandoned) },
        Column("path", mayShrink: true, omissionRank: 1) { $0.place.path.description },
      ],
      as: output.format, whenEmpty: "No visits to activities have ended there.")
  }
}

/// `waymark history next-from PLACE`.
struct HistoryNextFromCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next-from",
    abstract: "Count the places that follow a place.",
    discussion: Example.text("waymark history next-from english-for-business/negotiating --learner all"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Argument(
    help: "A path such as english-for-business/negotiating.", completion: .places, transform: ArgumentParsers.place)
  var place: String

  func run() throws {
    let rows = try global.history().history.nextPlaces(from: .text(place), of: global.scope)

    try Printing.list(
      rows, fields: CSVColumns.nextFrom,
      columns: Column.places(\.to) + [
        Column("times", alignment: .right) { String($0.count) },
        Column("share", alignment: .right) { DisplayFormat.percent($0.share) },
      ],
      as: output.format, whenEmpty: "No steps from this place.")
  }
}

/// `waymark history export --as FORM`.
struct HistoryExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export the history for other programs, newest first.",
    discussion: """
      csv and jsonl contain one row for each matching step. xapi contains the statements of xAPI 1.0.3 for these \
      steps: 'experienced' for each visit that has ended, 'launched' if its place is an activity, 'completed' for each \
      activity that became done, and 'passed' or 'failed' for each answered quiz. The statements are one JSON array with \
      one statement per line. With --batch, each line is an array, small enough for one request to a record store.


      """
        + Example.text(
          "waymark history export --as csv --learner all --output steps.csv",
          "waymark history export --as xapi --batch 500 --output statements.jsonl") + HistoryOptions.everyone)

  @OptionGroup var global: GlobalOptions
  @Option(
    name: .customLong("as"),
    help: "The format: xAPI statements, one JSON object per line, or comma-separated values.")
  var form: HistoryFile.Form
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With --as xapi: print arrays of at most n statements, one array per line.", valueName: "n"))
  var batch: Int?
  @OptionGroup var file: FileOptions
  @OptionGroup(title: "Filters") var options: HistoryOptions
  @OptionGroup var zone: ZoneOptions

  func validate() throws {
    guard let batch else { return }
    if form != .xapi { throw ValidationError("--batch requires --as xapi.") }
    if batch < 1 { throw ValidationError("--batch must be at least 1, not \(batch).") }
  }

  func run() throws {
    let service = try global.history(in: zone)
    let filter = try options.filter(of: global.scope, for: service)
    let history = HistoryFile(form: form, service: service, filter: filter, batch: batch)
    try file.writeBytes(of: "the history", database: global.databasePath, isPrivate: true) {
      try history.write(to: $0)
    }
  }
}

/// `waymark history erase --since TIME`.
struct HistoryEraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase your steps and activity events since a given time. This cannot be undone.",
    discussion: Example.text(
      "waymark nav open english-for-business", "waymark history erase --since 10m --yes"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var zone: ZoneOptions
  @Option(
    help: ArgumentHelp(
      "Erase everything since this time: 2026-11-20, 2026-11-20T10:15, 10:15, yesterday, 7d, 10m.", valueName: "time"))
  var since: String
  @Flag(help: "Do not ask for confirmation.") var yes = false

  func run() throws {
    let service = try global.navigation()
    let timeZone = try zone.zone()
    let start = try HistoryTime(since, in: timeZone).start
    // If there is no such learner, fails before the question is asked.
    _ = try service.history.sessions(of: .named(service.learner))
    if !yes {
      let time = LocalTime.text(Timestamp(date: start), in: timeZone)
      let question = "Erase the history of learner “\(service.learner)” since \(time)? This cannot be undone."
      guard try Confirmation.ask(question, orFail: "erase the history since \(time)") else { return }
    }
    try service.learners.eraseHistory(since: start).report(copiesMayStay: true)
  }
}
