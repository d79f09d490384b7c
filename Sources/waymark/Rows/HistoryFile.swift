import Answers
import ArgumentParser
import CourseBrowser
import CoursePages
import NavigationService

/// A history in a form for other programs.
struct HistoryFile {
  enum Form: String, CaseIterable, ExpressibleByArgument {
    case xapi, jsonl, csv
  }

  let form: Form
  let service: NavigationService
  let filter: HistoryFilter

  /// Writes it, the newest first, piece by piece.
  ///
  /// - Returns: How many rows, or statements, it has.
  @discardableResult func write(to sink: (String) throws -> Void) throws -> Int {
    switch form {
    case .jsonl: return try HistoryStream(service: service, filter: filter).write(as: .jsonl, to: sink)
    case .csv: return try HistoryStream(service: service, filter: filter).write(as: .csv, to: sink)
    case .xapi:
      // One array, as a learning record store takes them, with a statement a line.
      var count = 0
      try service.forEachStatement(filter) { statement in
        try sink((count == 0 ? "[\n" : ",\n") + OutputEncoder.encode(statement).json)
        count += 1
        return true
      }
      try sink(count == 0 ? "[]\n" : "\n]\n")
      return count
    }
  }
}

extension HistoryExport {
  /// The forms of the command line, each by the end of a file's name.
  ///
  /// - Parameter database: The one in use, which is not to be written over.
  static func of(_ service: NavigationService, database: String) -> HistoryExport {
    let forms: [(form: HistoryFile.Form, ending: String, name: String)] = [
      (.csv, "csv", "a table for a spreadsheet"), (.jsonl, "jsonl", "an object a line"),
      (.xapi, "json", "statements of xAPI"),
    ]
    return HistoryExport(forms: forms.map { Form(ending: $0.ending, name: $0.name) }) { filter, form, path, replaces in
      let form = forms.first { $0.ending == form.ending }?.form ?? .csv
      let replacing = replaces ? OutputName.Replacing.always : .never
      guard let name = try OutputName(path, database: database, replacing: replacing) else { return 0 }
      let file = try FileOutput(name, isPrivate: true)
      let count = try HistoryFile(form: form, service: service, filter: filter).write { try file.write($0) }
      try file.finish()
      return count
    }
  }
}
