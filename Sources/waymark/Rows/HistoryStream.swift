import Answers
import LearningModel
import NavigationService

/// Writes a history of any length in the forms for programs, a row at a time.
struct HistoryStream {
  let service: NavigationService
  let filter: HistoryFilter
  var limit: Int?
  var after: HistoryCursor?

  /// Writes the rows in pieces, the newest first.
  ///
  /// - Returns: The number of rows.
  @discardableResult func write(as form: RowStream.Form, to sink: ([UInt8]) throws -> Void) throws -> Int {
    var rows = RowStream(form)
    try service.forEachRow(filter, limit: limit, after: after) { row in
      try rows.write(row, to: sink)
      return true
    }
    try rows.finish(to: sink)
    return rows.count
  }
}
