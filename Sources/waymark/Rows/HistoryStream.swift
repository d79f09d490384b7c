import LearningModel
import NavigationService

/// Writes a history of any length in the forms for programs, a row at a time.
struct HistoryStream {
  /// The columns of the CSV form: the same for every question, whatever the rows hold.
  static let columns = [
    "id", "uuid", "learner", "session", "sequence", "operation", "traversal", "animated", "cause", "transition.kind",
    "transition.direction", "transition.reason", "from.path", "from.kind", "from.title", "to.path", "to.kind",
    "to.title", "stack", "at", "leftAt", "dwellMs", "activeMs",
  ]

  let service: NavigationService
  let filter: HistoryFilter
  var limit: Int?
  var after: HistoryCursor?

  /// Writes the rows, the newest first.
  ///
  /// - Parameter format: Any but `table`, which is for people and has an end.
  func write(as format: OutputFormat, to sink: (String) throws -> Void) throws {
    switch format {
    case .jsonl, .table:
      try each { try sink($0.json + "\n") }
    case .csv:
      try sink(CSVText.header(Self.columns))
      try each { try sink(CSVText.line($0, columns: Self.columns)) }
    case .json:
      var isFirst = true
      try each { row in
        try sink((isFirst ? "[\n" : ",\n") + row.indentedJSON(at: 1))
        isFirst = false
      }
      try sink(isFirst ? "[]\n" : "\n]\n")
    }
  }

  private func each(_ body: (OutputValue) throws -> Void) throws {
    try service.forEachRow(filter, limit: limit, after: after) { row in
      try body(OutputEncoder.encode(row))
      return true
    }
  }
}
