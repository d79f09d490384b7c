import ArgumentParser

/// What every command understands: which database, and which learner.
struct GlobalOptions: ParsableArguments, LearnerChoice {
  @Option(
    help: ArgumentHelp(
      "The database file (default: $WAYMARK_DATABASE, else waymark.sqlite in your data folder).", valueName: "path"),
    completion: .file())
  var database: String?

  @Option(
    help: ArgumentHelp("Whose history (default: $WAYMARK_LEARNER, else your login name).", valueName: "name"),
    completion: .learners)
  var learner: String?

  mutating func validate() throws {
    if database == "" { throw ValidationError("The path of --database is empty.") }
    if learner == "" { throw ValidationError("The name of --learner is empty.") }
  }
}

/// How much a command lists.
struct LimitOption: ParsableArguments {
  @Option(help: ArgumentHelp("At most so many (default: all).", valueName: "n")) var limit: Int?

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1, not \(limit).") }
  }

  /// The first rows, as many as are asked for.
  func first<Row>(of rows: [Row]) -> [Row] { limit.map { Array(rows.prefix($0)) } ?? rows }
}

/// How a command prints what it lists.
struct OutputOptions: ParsableArguments {
  @Option(help: ArgumentHelp("table for people; json, jsonl or csv for programs.", valueName: "format"))
  var format = OutputFormat.table
}

/// The example that every `--help` has one of.
enum Example {
  static func text(_ line: String, _ rest: String...) -> String {
    (["Example:", "  " + line] + rest.map { "  " + $0 }).joined(separator: "\n")
  }
}
