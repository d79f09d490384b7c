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
    abstract: "Bring the learners of one hub to another one: history, facts, erasures, tokens and classes.",
    discussion: """
      Example:
        waymark-server move /var/lib/waymark/waymark.sqlite postgres://waymark@127.0.0.1/waymark

      It may be interrupted anywhere: run it again, and it goes on. What is there already is not moved a second time. The \
      hub that is left keeps everything. Courses are not moved: import them where they are read.
      """)

  @Argument(help: "The hub that is left: a database file, or postgres://…") var from: String
  @Argument(help: "The hub that takes them in: a database file, which is made if there is none, or postgres://…")
  var to: String
  @Option(help: ArgumentHelp("To which tenant learners belong on PostgreSQL.", valueName: "name")) var tenant = "main"
  @OptionGroup var list: ListOption

  func perform() throws {
    guard from != to else {
      throw HubError.movedOntoItself(Self.isAddress(from) ? try PostgresAddress(from).host : from)
    }
    guard Self.isAddress(from) || FileManager.default.fileExists(atPath: from) else {
      throw Failure.noDatabase(path: from)
    }
    if Self.isAddress(to) {
      for name in try PostgresMigration(PostgresAddress(to)).run() { Self.say("Ran \(name).") }
    }
    let isWatched = isatty(STDERR_FILENO) == 1
    let report = try HubMove(from: store(from), to: store(to), at: Timestamp(date: Date())).run { report in
      if isWatched, report.all.isMultiple(of: 100), report.all > 0 { Self.say("\(report.all) learners so far.") }
    }
    switch list.format {
    case .table: Output.text(Self.words(report))
    case .json: Output.text(try AnswerText.json(report))
    case .jsonl, .csv: try list.format.print([report], fields: Fields.move, columns: [], whenEmpty: "")
    }
  }

  private func store(_ name: String) throws -> any HubStore {
    if Self.isAddress(name) { return try PostgresStore(PostgresAddress(name), tenant: tenant) }
    return EmbeddedStore(
      try NavigationService(databaseAt: name, learner: "server", session: .process(named: "question")))
  }

  // A mistyped address must be refused as an address: as a file name it would appear in messages or be created.
  private static func isAddress(_ name: String) -> Bool { Addresses.isAddress(name) || name.hasPrefix("postgres:") }

  private static func say(_ line: String) {
    FileHandle.standardError.write(Data((line.harmlessLines + "\n").utf8))
  }

  /// Returns the report as text, with one count on each line.
  private static func words(_ report: HubMove.Report) -> String {
    var moved = report
    moved.all = 0
    guard moved != HubMove.Report() else {
      return switch report.all {
      case 0: "Nothing was moved: there are no learners.\n"
      case 1: "Nothing was moved: the one learner is there already.\n"
      default: "Nothing was moved: all of the \(report.all) learners are there already.\n"
      }
    }
    let counts = [
      (report.learners, "learner", "learners"), (report.moved.steps, "step", "steps"),
      (report.moved.activities, "thing done", "things done"), (report.moved.facts, "fact", "facts"),
      (report.moved.marks, "mark of an erasure", "marks of erasures"),
      (report.erased, "erased learner", "erased learners"), (report.tokens, "token", "tokens"),
      (report.classes, "class", "classes"), (report.memberships, "membership", "memberships"),
    ].filter { $0.0 > 0 }
    let width = counts.map { "\($0.0)".count }.max() ?? 0
    return "Moved, of \(report.all) \(report.all == 1 ? "learner" : "learners"):\n"
      + counts.map { count, one, several in
        String(repeating: " ", count: 2 + width - "\(count)".count) + "\(count) \(count == 1 ? one : several)\n"
      }.joined()
      + report.renamed.map { "'\($0.from)' is called '\($0.to)' there.\n".harmlessLines }.joined()
      + report.similar.map { similar in
        "'\(similar.name)' differs from '\(similar.known)' there only in case, spaces or invisible characters.\n"
          .harmlessLines
      }.joined()
  }
}

/// `waymark-server migrate ADDRESS`.
struct MigrateCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Make the tables of a hub on PostgreSQL, or bring them up to date. Who reads them goes on reading.",
    discussion: """
      Example:
        waymark-server migrate postgres://waymark@127.0.0.1/waymark

      With --shard the learners are distributed over the databases that it names, and the first one passes on what it is
      asked, by PL/Proxy.
      """)

  @Argument(help: "Where PostgreSQL is.") var address: String
  @Option(
    help: ArgumentHelp(
      "A database that has a part of the learners; 2, 4, 8 … of them, always in the same order.", valueName: "address"))
  var shard: [String] = []

  func perform() throws {
    let migration = try PostgresMigration(PostgresAddress(address))
    let done = try shard.isEmpty ? migration.run() : migration.run(over: shard.map { try PostgresAddress($0) })
    for name in done { Output.line("Ran \(name).") }
    if done.isEmpty { Output.line("Everything is up to date.") }
  }
}
