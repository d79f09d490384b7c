import Answers
import ArgumentParser
import Foundation
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark history`, with subcommands to query, export and erase the navigation history.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Ask where you have been.",
    discussion: Example.text(
      "waymark history --since yesterday --kind activity",
      "waymark history --since 10m --format json") + "\n\nThe filters: waymark help history list",
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
    abstract: "List the steps, the newest first.",
    discussion: Example.text("waymark history list --under english-for-business/negotiating --limit 20")
      + HistoryOptions.everyone)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Filters") var options: HistoryOptions
  @OptionGroup var zone: ZoneOptions
  @Option(help: ArgumentHelp("At most so many (default: 100 in a table, else all).", valueName: "n")) var limit: Int?
  @Option(help: ArgumentHelp("Go on behind the step of this id.", valueName: "cursor")) var after: HistoryCursor?

  /// The default number of rows in a table.
  private static let tableLimit = 100

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1, not \(limit).") }
  }

  func run() throws {
    let service = try global.history(in: zone)
    let filter = try options.filter(of: global.scope, for: service)
    var out = StandardOutput()
    if let form = output.format.stream(columns: Fields.history) {
      let stream = HistoryStream(service: service, filter: filter, limit: limit, after: after)
      try stream.write(as: form) { out.write($0) }
    } else {
      let page = try service.history(filter, limit: limit ?? Self.tableLimit, after: after)
      try output.format.write(
        page.rows, fields: Fields.history, columns: HistoryRow.columns(in: service.timeZone),
        whenEmpty: "No step matches.", to: &out)
      out.flush()
      if let next = page.next, limit == nil {
        StandardError.write("There are older steps: add --after \(next), or a --limit.\n")
      }
    }
    out.flush()
  }
}

/// `waymark history at TIME`.
struct HistoryAtCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "at",
    abstract: "Say where you were at a moment.",
    discussion: Example.text("waymark history at 'yesterday 21:00'"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var zone: ZoneOptions
  @Argument(help: "A time: 2026-11-20T10:15, 10:15, yesterday, 2h.") var time: String

  func run() throws {
    let service = try global.history(in: zone)
    // For a period such as a day, its end, when all of its steps have been taken.
    let moment = min(try HistoryTime(time, in: service.timeZone).end, Date())
    let past = try service.location(at: moment, of: global.scope)
    let when = LocalTime.text(past.at, in: service.timeZone)
    let table =
      if let stack = past.stack {
        "At \(when), \(past.learner) was at:\n  " + stack.map(\.title).joined(separator: " › ") + "\n"
      } else {
        "At \(when), \(past.learner) had not been anywhere yet.\n"
      }
    try Printing.value(past, fields: Fields.pastPlace, table: table.harmlessLines, as: output.format)
  }
}

/// `waymark history replay --session ID`.
struct HistoryReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "List the steps of one session in their order, with their transitions.",
    discussion: Example.text("waymark history replay --session 12"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var zone: ZoneOptions
  @Option(
    help: ArgumentHelp("Its number or name, as the history has it; of a name, the newest.", valueName: "session"),
    transform: Given.session)
  var session: String

  func run() throws {
    let service = try global.history(in: zone)

    var list = ListStream<HistoryRow>(
      fields: Fields.history,
      columns: [
        Column("step", alignment: .right) { String($0.sequence) },
        Column("when") { LocalTime.text($0.at, in: service.timeZone) },
        Column("did") { $0.operation.rawValue },
        Column("from", mayShrink: true) { $0.from?.title ?? "" },
        Column("to", mayShrink: true) { $0.to.title },
        Column("transition") { $0.transition?.choice.description ?? "" },
      ],
      as: output.format, whenEmpty: "The session has no step.")
    try withThrowingCallback({ try list.write($0) }) { try service.forEachRow(ofSession: session, $0) }
    try list.finish()
  }
}

/// `waymark history stats --by GROUP`.
struct HistoryStatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Count visits, places, time and turning back.",
    discussion: Example.text("waymark history stats --by lesson --since 7d") + HistoryOptions.everyone)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Option(help: "What is counted together; by learner it is everyone's.") var by: StatisticsGroup
  @OptionGroup(title: "Filters") var options: HistoryOptions
  @OptionGroup var zone: ZoneOptions
  @OptionGroup var limit: LimitOption

  func run() throws {
    let service = try global.history(in: zone)
    // Statistics by learner include everyone, unless a learner is named.
    let scope = by == .learner && global.learner == nil ? .everyone : global.scope
    if global.learner == nil { try global.noteRead(of: scope, by: service) }
    let rows = try limit.first(
      of: service.statistics(by: by, options.filter(of: scope, for: service), in: service.timeZone))

    try Printing.list(
      rows, fields: Fields.statistics(by: by),
      columns: [
        Column(by.rawValue, mayShrink: true) { $0.key.words },
        Column("visits", alignment: .right) { String($0.visits) },
        Column("places", alignment: .right) { String($0.places) },
        Column("active", alignment: .right) { TimeSpent.text($0.activeTime.milliseconds) },
        Column("turned back", alignment: .right) { Percent.text($0.turnedBack) },
      ],
      as: output.format, whenEmpty: "No step matches.")
  }
}

extension StatisticsRow.Key {
  /// The name of the group in a table.
  fileprivate var words: String {
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
    abstract: "Say how activities were left: done, gone up from, or abandoned.",
    discussion: Example.text("waymark history leaving --under english-for-business --learner all")
      + HistoryOptions.everyone)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Filters") var options: HistoryOptions
  @OptionGroup var zone: ZoneOptions

  func run() throws {
    let service = try global.history(in: zone)
    let rows = try service.leaving(options.filter(of: global.scope, for: service))

    try Printing.list(
      rows, fields: Fields.leaving,
      columns: [
        Column("title", mayShrink: true) { $0.place.title },
        Column("left", alignment: .right) { String($0.left) },
        Column("done", alignment: .right) { String($0.done) },
        Column("gone up", alignment: .right) { String($0.popped) },
        Column("abandoned", alignment: .right) { String($0.abandoned) },
        Column("path", mayShrink: true) { $0.place.path.description },
      ],
      as: output.format, whenEmpty: "No activity has been left there.")
  }
}

/// `waymark history next-from PLACE`.
struct HistoryNextFromCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next-from",
    abstract: "Say where people go next from a place.",
    discussion: Example.text("waymark history next-from english-for-business/negotiating --learner all"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Argument(help: "A path such as english-for-business/negotiating.", completion: .places, transform: Given.place)
  var place: String

  func run() throws {
    let rows = try global.history().nextPlaces(from: .text(place), of: global.scope)

    try Printing.list(
      rows, fields: Fields.nextFrom,
      columns: Column.places(\.to) + [
        Column("times", alignment: .right) { String($0.count) },
        Column("share", alignment: .right) { Percent.text($0.share) },
      ],
      as: output.format, whenEmpty: "Nobody has gone on from there.")
  }
}

/// `waymark history export --as FORM`.
struct HistoryExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the history for other programs, the newest first.",
    discussion: """
      csv and jsonl have one row for each step that matches. xapi has the statements of xAPI 1.0.3 that follow from these \
      steps: 'experienced' for each visit that has ended, 'launched' if its place is an activity, 'completed' for each \
      activity that became done, and 'passed' or 'failed' for each answered quiz. They are one JSON array with a \
      statement a line, or with --batch an array a line, as many as a record store accepts in one request.


      """
        + Example.text(
          "waymark history export --as csv --learner all --output steps.csv",
          "waymark history export --as xapi --batch 500 --output statements.jsonl") + HistoryOptions.everyone)

  @OptionGroup var global: GlobalOptions
  @Option(
    name: .customLong("as"),
    help: "xapi for statements, jsonl for one JSON object a line, csv for comma-separated values.")
  var form: HistoryFile.Form
  @Option(help: ArgumentHelp("With --as xapi: arrays of at most so many statements, an array a line.", valueName: "n"))
  var batch: Int?
  @OptionGroup var file: FileOptions
  @OptionGroup(title: "Filters") var options: HistoryOptions
  @OptionGroup var zone: ZoneOptions

  func validate() throws {
    guard let batch else { return }
    if form != .xapi { throw ValidationError("--batch is for --as xapi; leave it out.") }
    if batch < 1 { throw ValidationError("--batch takes a number from 1, not \(batch).") }
  }

  func run() throws {
    let service = try global.history(in: zone)
    let filter = try options.filter(of: global.scope, for: service)
    let history = HistoryFile(form: form, service: service, filter: filter, batch: batch)
    try file.writeBytes(database: global.databasePath, isPrivate: true) { try history.write(to: $0) }
  }
}

/// `waymark history erase --since TIME`.
struct HistoryEraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase your steps, and the things you did, from a time on. It cannot be taken back.",
    discussion: Example.text("waymark history erase --since 10:15 --yes"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var zone: ZoneOptions
  @Option(
    help: ArgumentHelp("From when on: 2026-11-20, 2026-11-20T10:15, 10:15, yesterday, 7d, 10m.", valueName: "time"))
  var since: String
  @Flag(help: "Do not ask.") var yes = false

  func run() throws {
    let service = try global.navigation()
    let timeZone = try zone.zone()
    let moment = try HistoryTime(since, in: timeZone).start
    // Fails before the question is asked if there is no such learner.
    _ = try service.sessions(of: .named(service.learner))
    if !yes {
      let time = LocalTime.text(Timestamp(date: moment), in: timeZone)
      let question = "Erase what learner “\(service.learner)” did since \(time)? It cannot be taken back."
      guard try Question.ask(question, orFail: "erase the history since \(time)") else { return }
    }
    try service.eraseHistory(since: moment).report(copiesMayStay: true)
  }
}
