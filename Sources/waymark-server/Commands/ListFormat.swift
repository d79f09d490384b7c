import Answers
import ArgumentParser
import Foundation
import TextCanvas

/// The formats in which a list is printed. They are the same as those of the `waymark` program.
enum ListFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json, jsonl, csv

  /// Prints a list: a table for people, or all members of every row for programs.
  ///
  /// - Parameters:
  ///   - fields: The columns of the CSV format.
  ///   - columns: The columns of the table, with a title and a function that returns a row's text.
  func print<Row: Encodable>(
    _ rows: [Row], fields: [String], columns: [(title: String, text: (Row) -> String)], whenEmpty: String
  ) throws {
    switch self {
    case .table:
      Output.text(rows.isEmpty ? whenEmpty + "\n" : Self.table(rows, columns))
    case .json: Output.text(try AnswerText.json(rows))
    case .jsonl: Output.text(try rows.map { try AnswerText.jsonLine($0) + "\n" }.joined())
    case .csv: Output.text(try CSVText.text(rows, columns: fields))
    }
  }

  private static func table<Row>(_ rows: [Row], _ columns: [(title: String, text: (Row) -> String)]) -> String {
    let lines = [columns.map(\.title)] + rows.map { row in columns.map { $0.text(row).harmless } }
    let widths = columns.indices.map { index in lines.map { $0[index].displayWidth }.max() ?? 0 }
    return lines.map { line in
      line.indices.map { index in
        // The last column is not padded.
        let space = index == line.count - 1 ? 0 : widths[index] - line[index].displayWidth
        return line[index] + String(repeating: " ", count: space)
      }.joined(separator: "  ") + "\n"
    }.joined()
  }
}

/// The option that selects the format of a list.
struct ListOption: ParsableArguments {
  @Option(help: "The output format.") var format = ListFormat.table
}

/// Standard output.
enum Output {
  /// Writes a line without buffering. Control characters in the text are escaped.
  static func line(_ text: String, isRequired: Bool = true) {
    self.text(text.harmlessLines + "\n", isRequired: isRequired)
  }

  /// Writes a line about the progress of a command to standard error. Control characters in the text are escaped.
  static func notice(_ text: String) { FileHandle.standardError.write(Data((text.harmlessLines + "\n").utf8)) }

  /// Writes a text without escaping it. Ends the process if the text is required and cannot be written.
  ///
  /// - Parameter isPerformed: Whether the text is the result of a command, and not help.
  static func text(_ text: String, isRequired: Bool = true, isPerformed: Bool = true) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch  where isRequired {
      let reason = String(cString: strerror(errno)).lowercased()
      let failure = Failure.cannotWriteOutput(reason: reason, isPerformed: isPerformed)
      _ = Failure.report(failure)
      exit(failure.kind.exitStatus)
    } catch {
      return
    }
  }
}

/// The limit of open files and connections of the process.
enum OpenFiles {
  /// Raises the limit to the maximum that the system allows. Most systems start with 1,024.
  static func raise() {
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
  }
}
