import Answers
import ArgumentParser
import CourseBrowser
import CoursePages
import LearningModel
import NavigationKit

/// A history in the format of another program.
struct HistoryFile {
  enum Form: String, CaseIterable, ExpressibleByArgument {
    case xapi, jsonl, csv
  }

  let form: Form
  let service: NavigationService
  let filter: HistoryFilter
  /// The maximum number of statements per array. If `nil`, all statements are in one array.
  var batch: Int?

  /// Writes the history in chunks, newest first.
  ///
  /// - Returns: The number of rows or statements.
  @discardableResult func write(to sink: ([UInt8]) throws -> Void) throws -> Int {
    var rows: RowStream
    switch form {
    case .jsonl: return try HistoryStream(service: service, filter: filter).write(as: .jsonLines, to: sink)
    case .csv:
      return try HistoryStream(service: service, filter: filter).write(as: .csv(columns: CSVColumns.history), to: sink)
    case .xapi: rows = RowStream(batch.map { .jsonArrays(ofAtMost: $0) } ?? .jsonArray)
    }
    try withThrowingCallback({ try rows.write($0, to: sink) }) { try service.history.forEachStatement(filter, $0) }
    try rows.finish(to: sink)
    return rows.count
  }
}

extension HistoryExport {
  /// Returns the export formats, each selected by the extension of the file.
  ///
  /// - Parameter database: The path of the open database, which must not be overwritten.
  static func of(_ service: NavigationService, database: String) -> HistoryExport {
    let forms: [(form: HistoryFile.Form, ending: String, name: String)] = [
      (.csv, "csv", "a table for a spreadsheet"), (.jsonl, "jsonl", "one object per line"),
      (.xapi, "json", "xAPI statements"),
    ]
    return HistoryExport(formats: forms.map { Format(fileExtension: $0.ending, name: $0.name) }) {
      filter, form, path, replaces in
      let form = forms.first { $0.ending == form.fileExtension }?.form ?? .csv
      let replacing = replaces ? OutputName.Replacing.always : .never
      guard let name = try OutputName(path, database: database, replacing: replacing) else { return 0 }
      let file = try FileOutput(name, isPrivate: true)
      let count = try HistoryFile(form: form, service: service, filter: filter).write { try file.write($0) }
      try file.finish()
      return count
    }
  }
}

/// Writes a history of any length in a format for programs, one row at a time.
struct HistoryStream {
  let service: NavigationService
  let filter: HistoryFilter
  var limit: Int?
  var after: HistoryCursor?

  /// Writes the rows in chunks, newest first.
  ///
  /// - Returns: The number of rows.
  @discardableResult func write(as form: RowStream.Format, to sink: ([UInt8]) throws -> Void) throws -> Int {
    var rows = RowStream(form)
    try withThrowingCallback({ try rows.write($0, to: sink) }) {
      try service.history.forEachRow(filter, limit: limit, after: after, $0)
    }
    try rows.finish(to: sink)
    return rows.count
  }
}
