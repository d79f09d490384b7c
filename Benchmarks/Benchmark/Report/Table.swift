struct Table {
  let title: String
  /// An explanation of how to read the table.
  var note: String
  /// The titles of the columns. The first column is the measured operation; the last two are the target and whether it
  /// is met.
  let columns: [String]
  private(set) var rows: [[String]] = []

  init(_ title: String, note: String = "", columns: [String]) {
    self.title = title
    self.note = note
    self.columns = columns + ["target", "met"]
  }

  /// Adds a row. Without `isMet`, the row has no result.
  mutating func add(_ values: String..., target: String = "", isMet: Bool? = nil) {
    rows.append(values + [target, isMet.map { $0 ? "yes" : "**no**" } ?? ""])
  }

  /// The table as Markdown with aligned columns.
  var markdown: String {
    let all = [columns] + rows
    let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String], _ fill: Character = " ") -> String {
      "| " + zip(cells, widths).map { $0 + String(repeating: fill, count: $1 - $0.count) }.joined(separator: " | ")
        + " |"
    }
    let rule = line(columns.map { _ in "" }, "-")
    let heading = "## \(title)\n" + (note.isEmpty ? "" : "\n\(note)\n")
    return ([heading, line(columns), rule] + rows.map { line($0) }).joined(separator: "\n") + "\n"
  }
}
