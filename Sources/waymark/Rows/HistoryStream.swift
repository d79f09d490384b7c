import Answers
import LearningModel
import NavigationService

/// Writes a history of any length in the forms for programs, a row at a time.
struct HistoryStream {
  let service: NavigationService
  let filter: HistoryFilter
  var limit: Int?
  var after: HistoryCursor?

  /// Writes the rows, the newest first.
  ///
  /// - Parameter format: Any but `table`, which is for people and has an end.
  /// - Returns: How many there are.
  @discardableResult func write(as format: OutputFormat, to sink: (String) throws -> Void) throws -> Int {
    var count = 0
    func each(_ body: (OutputValue) throws -> Void) throws {
      try service.forEachRow(filter, limit: limit, after: after) { row in
        try body(OutputEncoder.encode(row))
        count += 1
        return true
      }
    }
    switch format {
    case .jsonl, .table:
      try each { try sink($0.json + "\n") }
    case .csv:
      try sink(CSVText.header(Fields.history))
      try each { try sink(CSVText.line($0, columns: Fields.history)) }
    case .json:
      try each { row in try sink((count == 0 ? "[\n" : ",\n") + row.indentedJSON(at: 1)) }
      try sink(count == 0 ? "[]\n" : "\n]\n")
    }
    return count
  }
}
