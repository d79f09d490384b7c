import ArgumentParser

/// The flags of every command: the database and the learner.
struct GlobalOptions: ParsableArguments, LearnerChoice {
  @Option(
    help: ArgumentHelp(
      "The database file (default: $WAYMARK_DATABASE, or waymark.sqlite in the data folder).", valueName: "path"),
    completion: .file())
  var database: String?

  @Option(
    help: ArgumentHelp("The learner (default: $WAYMARK_LEARNER, or your login name).", valueName: "name"),
    completion: .learners)
  var learner: String?

  mutating func validate() throws {
    if database == "" { throw ValidationError("--database requires a path.") }
    if learner == "" { throw ValidationError("--learner requires a name.") }
  }
}

/// The maximum number of rows of a list.
struct LimitOption: ParsableArguments {
  // A negative number is a value, so that the message names the permitted values.
  @Option(
    parsing: .unconditional, help: ArgumentHelp("The maximum number of rows (default: all).", valueName: "n"))
  var limit: Int?

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1, not \(limit).") }
  }

  /// Returns the first rows, as many as the limit allows.
  func first<Row>(of rows: [Row]) -> [Row] { limit.map { Array(rows.prefix($0)) } ?? rows }
}

/// The output format of a list.
struct OutputOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The output format.", valueName: "format"))
  var format = OutputFormat.table
}

/// The examples in help texts.
enum Example {
  static func text(_ line: String, _ furtherLines: String...) -> String {
    (["Example:", "  " + line] + furtherLines.map { "  " + $0 }).joined(separator: "\n")
  }
}
