/// Rows as comma-separated values. Nested members are columns of their own, their keys joined by a dot. A list of paths,
/// which have no spaces, is one cell with spaces between them; any other list is a cell of JSON.
///
/// The form has no escapes, so control characters are shown by their pictures; JSON keeps everything as it is.
///
/// Source: RFC 4180, with `\n` at the end of a line.
package enum CSVText {
  /// The members that are lists of paths.
  private static let pathLists: Set = ["stack", "pathTaken"]

  /// The whole text.
  package static func text(_ rows: [OutputValue], columns: [String]) -> String {
    header(columns) + rows.map { line($0, columns: columns) }.joined()
  }

  /// The first line.
  package static func header(_ columns: [String]) -> String {
    columns.map(quote).joined(separator: ",") + "\n"
  }

  /// The line of one row; a column that it does not have is empty.
  package static func line(_ row: OutputValue, columns: [String]) -> String {
    let cells = Dictionary(flatten(row), uniquingKeysWith: { first, _ in first })
    return columns.map { quote(cells[$0] ?? "") }.joined(separator: ",") + "\n"
  }

  private static func flatten(_ value: OutputValue, under prefix: String = "") -> [(String, String)] {
    switch value {
    case .object(let members):
      members.flatMap { flatten($0.value, under: prefix.isEmpty ? $0.key : prefix + "." + $0.key) }
    case .array(let values) where pathLists.contains(prefix): [(prefix, values.map(cell).joined(separator: " "))]
    default: [(prefix, cell(value))]
    }
  }

  private static func cell(_ value: OutputValue) -> String {
    switch value {
    case .null: ""
    case .text(let text): text
    default: value.json
    }
  }

  private static func quote(_ cell: String) -> String {
    let cell = cell.unicodeScalars.contains(where: \.isUnseen) ? cell.harmlessLines : cell
    guard cell.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return cell }
    return "\"" + cell.replacing("\"", with: "\"\"") + "\""
  }
}
