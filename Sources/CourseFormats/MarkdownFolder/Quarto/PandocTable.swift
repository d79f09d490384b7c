/// A table in one of the forms of pandoc: a pipe table, a grid table, a simple table or a multiline table. The last three
/// are converted to pipe tables or, if a cell contains several blocks, to HTML.
///
/// Source: Pandoc, "User's Guide", "Tables".
struct PandocTable {
  /// The index after the last line of the table.
  private(set) var end: Int
  /// The lines of the converted table. The inline markup of a line is not converted if `isDone` is `true`.
  private(set) var output: [(text: String, isDone: Bool)] = []

  /// The maximum number of lines of a table in a form other than a pipe table.
  private static let maximumLines = 2_000

  /// Reads the table that begins at a line, or returns `nil` if none does.
  init?(_ lines: [Substring], at start: Int, isAfterBlank: Bool) {
    end = start
    let line = PageLine(lines[start])
    let content = line.content
    if content.hasPrefix("+"), Self.isGridRule(content) {
      guard readGrid(lines, at: start) else { return nil }
      return
    }
    if start + 1 < lines.count, content.contains("|"), Self.isPipeRule(PageLine(lines[start + 1]).content) {
      while end < lines.count {
        let row = PageLine(lines[end]).content
        guard !row.isEmpty, end < start + 2 || !Self.isCaption(row) else { break }
        output.append((String(row), isDone: false))
        end += 1
      }
      return
    }
    guard isAfterBlank, line.quoteDepth == 0, !line.hasListMarker, readSimple(lines, at: start) else { return nil }
  }

  /// Returns the caption that begins at a line, and the index after it. Returns `nil` if no caption begins there.
  static func caption(_ lines: [Substring], at start: Int) -> (text: String, end: Int)? {
    let first = PageLine(lines[start]).content
    guard isCaption(first) else { return nil }
    var end = start + 1
    var words = [String(first[first.firstIndex(of: ":")!...].dropFirst().trimmingBlanks)]
    while end < lines.count, end < start + 20 {
      let line = PageLine(lines[end])
      guard !line.isBlank, !line.content.hasPrefix("|"), !line.content.hasPrefix("+"), line.colons == nil else { break }
      words.append(String(line.content))
      end += 1
    }
    return (words.joined(separator: " "), end)
  }

  private static func isCaption(_ line: Substring) -> Bool {
    line.hasPrefix("Table: ") || line.hasPrefix("table: ") || line.hasPrefix(": ") || line.hasPrefix(":\t")
  }

  /// Returns whether a line separates the header of a pipe table from its rows.
  private static func isPipeRule(_ line: Substring) -> Bool {
    line.contains("-") && line.contains { $0 == "|" || $0 == "+" } && line.allSatisfy { "|-: +".contains($0) }
  }

  // MARK: Grid tables

  private static func isGridRule(_ line: Substring) -> Bool {
    line.count > 2 && line.last == "+" && line.allSatisfy { "+-=:".contains($0) }
  }

  /// Reads a grid table. If a cell spans several columns or rows, the source of the table is shown as code.
  private mutating func readGrid(_ lines: [Substring], at start: Int) -> Bool {
    while end < lines.count, end < start + Self.maximumLines {
      let row = PageLine(lines[end]).content
      guard row.hasPrefix("+") || row.hasPrefix("|") else { break }
      end += 1
    }
    let rows = lines[start..<end].map { Array(PageLine($0).content) }
    guard rows.count > 2, rows.last?.last == "+" else { return false }
    let bounds = rows[0].indices.filter { rows[0][$0] == "+" }
    guard bounds.count > 1 else { return false }
    var groups: [[[String]]] = [Array(repeating: [], count: bounds.count - 1)]
    var headerCount = 0
    var isRegular = true
    for row in rows.dropFirst() {
      if row.first == "+", Self.isGridRule(String(row)[...]) {
        isRegular = isRegular && bounds.allSatisfy { $0 < row.count && row[$0] == "+" }
        if row.contains("="), headerCount == 0 { headerCount = groups.count }
        groups.append(Array(repeating: [], count: bounds.count - 1))
        continue
      }
      isRegular = isRegular && bounds.allSatisfy { $0 < row.count && row[$0] == "|" }
      guard isRegular else { break }
      for column in 0..<bounds.count - 1 {
        groups[groups.count - 1][column].append(String(row[(bounds[column] + 1)..<bounds[column + 1]]))
      }
    }
    guard isRegular else {
      let text = lines[start..<end].map { String(PageLine($0).content) }
      output = (["```"] + text + ["```"]).map { ($0, isDone: true) }
      return true
    }
    groups.removeLast()
    write(header: groups.prefix(headerCount).first, rows: Array(groups.dropFirst(min(headerCount, 1))))
    return true
  }

  // MARK: Simple and multiline tables

  /// Returns the columns at which groups of hyphens begin and end, or `nil` if the line has other characters.
  private static func rule(_ line: Substring) -> [Range<Int>]? {
    guard line.contains("--"), line.allSatisfy({ $0 == "-" || $0 == " " }) else { return nil }
    var groups: [Range<Int>] = []
    for (column, character) in line.trimmingEnd.enumerated() where character == "-" {
      if let last = groups.last, last.upperBound == column {
        groups[groups.count - 1] = last.lowerBound..<column + 1
      } else {
        groups.append(column..<column + 1)
      }
    }
    return groups
  }

  private mutating func readSimple(_ lines: [Substring], at start: Int) -> Bool {
    if let first = Self.rule(lines[start]) {
      return first.count > 1 ? readHeaderless(lines, at: start, first) : readMultiline(lines, at: start)
    }
    guard start + 1 < lines.count, let columns = Self.rule(lines[start + 1]), columns.count > 1,
      columns.allSatisfy({ $0.count > 1 })
    else { return false }
    end = start + 2
    while end < lines.count, end < start + Self.maximumLines, !Self.isBlank(lines[end]), Self.rule(lines[end]) == nil {
      end += 1
    }
    guard end > start + 2 else { return false }
    let rows = lines[(start + 2)..<end].map { Self.cells($0, columns).map { [$0] } }
    if end < lines.count, Self.rule(lines[end]) != nil { end += 1 }
    write(header: Self.cells(lines[start], columns).map { [$0] }, rows: rows)
    return true
  }

  /// Reads a table without a header, which begins and ends with a line of hyphens.
  private mutating func readHeaderless(_ lines: [Substring], at start: Int, _ columns: [Range<Int>]) -> Bool {
    let reach = lines[(start + 1)...].prefix(Self.maximumLines)
    guard columns.allSatisfy({ $0.count > 1 }), let close = reach.firstIndex(where: { Self.rule($0) != nil }),
      close > start + 1
    else { return false }
    let inside = lines[(start + 1)..<close]
    write(header: nil, rows: Self.rows(inside, columns))
    end = close + 1
    return true
  }

  /// Reads a table with rows of several lines: a line of hyphens, the header, the rule with the columns, the rows
  /// separated by blank lines, and a line of hyphens.
  private mutating func readMultiline(_ lines: [Substring], at start: Int) -> Bool {
    let reach = lines[(start + 1)...].prefix(10)
    guard lines[start].count > 4, let middle = reach.firstIndex(where: { Self.rule($0) != nil }), middle > start + 1,
      let columns = Self.rule(lines[middle]), columns.count > 1, !reach[..<middle].contains(where: Self.isBlank)
    else { return false }
    let rest = lines[(middle + 1)...].prefix(Self.maximumLines)
    guard let close = rest.firstIndex(where: { Self.rule($0)?.count == 1 }), close > middle + 1 else { return false }
    let head = lines[(start + 1)..<middle].map { Self.cells($0, columns) }
    write(
      header: columns.indices.map { column in head.map { $0[column] } },
      rows: Self.rows(lines[(middle + 1)..<close], columns))
    end = close + 1
    return true
  }

  private static func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }

  /// Returns the rows of a table. If there are blank lines, they separate the rows; otherwise each line is a row.
  private static func rows(_ lines: ArraySlice<Substring>, _ columns: [Range<Int>]) -> [[[String]]] {
    guard lines.contains(where: isBlank) else {
      let all = lines.map { cells($0, columns) }
      return all.map { row in row.map { [$0] } }
    }
    return lines.split(whereSeparator: isBlank).map { group in
      let all = group.map { cells($0, columns) }
      return columns.indices.map { column in all.map { $0[column] } }
    }
  }

  private static func cells(_ line: Substring, _ columns: [Range<Int>]) -> [String] {
    let characters = Array(line)
    return columns.indices.map { index in
      let start = index == 0 ? 0 : columns[index].lowerBound
      let end = index + 1 < columns.count ? columns[index + 1].lowerBound : characters.count
      return start < min(end, characters.count)
        ? String(characters[start..<min(end, characters.count)]).trimmingCharacters : ""
    }
  }

  // MARK: Output

  private mutating func write(header: [[String]]?, rows: [[[String]]]) {
    let all = (header.map { [$0] } ?? []) + rows
    let columns = all.map(\.count).max() ?? 0
    guard columns > 0 else { return }
    let isPlain = all.allSatisfy { row in row.allSatisfy { Self.isParagraph($0) } }
    guard !isPlain else {
      func line(_ row: [[String]]) -> String {
        "| " + row.map { Self.joined($0).escapingBars }.joined(separator: " | ") + " |"
      }
      output.append((line(header ?? Array(repeating: [], count: columns)), isDone: false))
      output.append(("|" + String(repeating: " --- |", count: columns), isDone: false))
      output += rows.map { (line($0), isDone: false) }
      return
    }
    output.append(("<table>", isDone: true))
    for row in (header == nil ? [Array(repeating: [], count: columns)] : []) + all {
      output.append(("<tr>", isDone: true))
      for cell in row {
        output += [("<td>", isDone: true), ("", isDone: true)]
        let indent = cell.filter { $0.contains { $0 != " " } }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        output += cell.map { (String($0.dropFirst(min(indent, $0.count))), isDone: false) }
        output += [("", isDone: true), ("</td>", isDone: true)]
      }
      output.append(("</tr>", isDone: true))
    }
    output.append(("</table>", isDone: true))
  }

  private static func joined(_ cell: [String]) -> String {
    cell.map(\.trimmingCharacters).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns whether the lines of a cell are a single paragraph.
  private static func isParagraph(_ cell: [String]) -> Bool {
    let lines = cell.map(\.trimmingCharacters)
    let inner = lines.drop { $0.isEmpty }
    guard let last = inner.lastIndex(where: { !$0.isEmpty }) else { return true }
    return inner[...last].allSatisfy { line in
      let parsed = PageLine(line[...])
      return !line.isEmpty && !parsed.hasListMarker && parsed.quoteDepth == 0 && parsed.fence == nil
        && parsed.content.first != "#"
    }
  }
}

extension String {
  /// The text with the vertical bars escaped that are not escaped yet.
  fileprivate var escapingBars: String {
    replacing("\\|", with: "|").replacing("|", with: "\\|")
  }
}
