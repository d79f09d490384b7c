import Answers
import ArgumentParser
import Foundation
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark-server move FROM TO`.
struct MoveCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Move all learners of a hub to another hub.",
    discussion: """
      Example:
        waymark-server move /var/lib/waymark/waymark.sqlite postgres://waymark@127.0.0.1/waymark

      History, bookmarks, positions, settings, erasures, tokens and classes are moved. The source hub keeps its data. \
      If the command is interrupted, run it again to continue. Courses are not moved: import them where they are read.
      """)

  @Argument(help: "The source hub: a database file, or postgres://…") var from: String
  @Argument(help: "The target hub: a database file, created if missing, or postgres://…")
  var to: String
  @Option(help: ArgumentHelp("The tenant of the learners on PostgreSQL.", valueName: "name")) var tenant = "main"
  @OptionGroup var list: ListOption

  func perform() throws {
    guard from != to else {
      throw HubError.movedOntoItself(Self.isAddress(from) ? try PostgresAddress(from).host : from)
    }
    guard Self.isAddress(from) || FileManager.default.fileExists(atPath: from) else {
      throw Failure.noDatabase(path: from)
    }
    if Self.isAddress(to) {
      for name in try PostgresMigration(PostgresAddress(to)).run() { Output.notice("Applied \(name).") }
    }
    let isWatched = isatty(STDERR_FILENO) == 1
    let report = try HubMove(from: store(from), to: store(to), at: Timestamp(date: Date())).run { report in
      if isWatched, report.all.isMultiple(of: 100), report.all > 0 { Output.notice("\(report.all) learners so far.") }
    }
    switch list.format {
    case .table: Output.text(Self.summary(report))
    case .json: Output.text(try AnswerText.json(report))
    case .jsonl, .csv: try list.format.print([report], fields: CSVColumns.move, columns: [], whenEmpty: "")
    }
  }

  private func store(_ name: String) throws -> any HubStore {
    if Self.isAddress(name) { return try PostgresStore(PostgresAddress(name), tenant: tenant) }
    return EmbeddedStore(
      try NavigationService(databaseAt: name, learner: "server", session: .process(named: "question")))
  }

  // A mistyped address is refused as an address. If it were treated as a file name, it would appear in messages, or a
  // file with this name would be created.
  private static func isAddress(_ name: String) -> Bool { Addresses.isAddress(name) || name.hasPrefix("postgres:") }

  /// Returns the report as text, with one count on each line.
  private static func summary(_ report: HubMove.Report) -> String {
    var moved = report
    moved.all = 0
    guard moved != HubMove.Report() else {
      return switch report.all {
      case 0: "Nothing was moved: there are no learners.\n"
      case 1: "Nothing was moved: the only learner is already there.\n"
      default: "Nothing was moved: all \(report.all) learners are already there.\n"
      }
    }
    let counts = [
      (report.learners, "learner", "learners"), (report.moved.steps, "step", "steps"),
      (report.moved.activities, "activity event", "activity events"),
      (report.moved.facts, "other record", "other records"),
      (report.moved.marks, "erasure record", "erasure records"),
      (report.erased, "erased learner", "erased learners"), (report.tokens, "token", "tokens"),
      (report.classes, "class", "classes"), (report.memberships, "membership", "memberships"),
    ].filter { $0.0 > 0 }
    let width = counts.map { "\($0.0)".count }.max() ?? 0
    return "Moved from \(report.all) \(report.all == 1 ? "learner" : "learners"):\n"
      + counts.map { count, singular, plural in
        String(repeating: " ", count: 2 + width - "\(count)".count) + "\(count) \(count == 1 ? singular : plural)\n"
      }.joined()
      + report.renamed.map { "\(quoted: $0.from) has the name \(quoted: $0.to) there.\n".harmlessLines }.joined()
      + report.similar.map { similar in
        "\(quoted: similar.name) differs from \(quoted: similar.known) there only in case, spaces or invisible characters.\n"
          .harmlessLines
      }.joined()
  }
}

/// `waymark-server migrate ADDRESS`.
struct MigrateCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Create or update the tables of a hub on PostgreSQL, without interrupting readers.",
    discussion: """
      Example:
        waymark-server migrate postgres://waymark@127.0.0.1/waymark

      With --shard, learners are distributed over the named databases, and the database at the given URL forwards \
      requests to them by PL/Proxy.
      """)

  @Argument(help: "The URL of PostgreSQL.") var address: String
  @Option(
    help: ArgumentHelp(
      "A database for a part of the learners. Repeat the option for 2, 4, 8 … databases, always in the same order.",
      valueName: "address"))
  var shard: [String] = []

  func perform() throws {
    let migration = try PostgresMigration(PostgresAddress(address))
    let done = try shard.isEmpty ? migration.run() : migration.run(over: shard.map { try PostgresAddress($0) })
    for name in done { Output.line("Applied \(name).") }
    if done.isEmpty { Output.line("The tables are up to date.") }
  }
}
