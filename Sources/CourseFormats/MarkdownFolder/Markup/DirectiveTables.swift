import LearningModel

/// Tables that are written as lists of lists. While the text is still Markdown, such a table is represented by lists in
/// a block quote that begins with a marker.
enum ListTable {
  private static let sign: Character = "\u{E0F1}"

  /// Returns the paragraph with the marker.
  static func marker(headerRows: Int, caption: String) -> String {
    "\(sign)\(headerRows > 0 ? 1 : 0)\(caption.onOneLine)"
  }

  /// Returns the blocks with the marked lists replaced by tables, at every depth.
  static func resolved(_ blocks: [Block]) -> [Block] {
    blocks.flatMap { block -> [Block] in
      if case .quote(let inner) = block, case .paragraph(let line) = inner.first, line.plainText.first == sign {
        return table(of: Array(inner.dropFirst()), marker: line.plainText)
      }
      return [block.mapChildren(line: { $0 }, blocks: resolved)]
    }
  }

  private static func table(of blocks: [Block], marker: String) -> [Block] {
    guard case .bulletList(let rows) = blocks.first, blocks.count == 1 else { return resolved(blocks) }
    var cells = rows.map { row -> [[Inline]] in
      row.blocks.flatMap { block -> [[Inline]] in
        if case .bulletList(let items) = block { return items.map { $0.blocks.asLine } }
        return [[block].asLine]
      }
    }
    let columns = cells.map(\.count).max() ?? 0
    cells = cells.map { $0 + Array(repeating: [], count: columns - $0.count) }
    let hasHeader = marker.dropFirst().first == "1"
    let header = hasHeader ? cells.removeFirst() : Array(repeating: [], count: columns)
    let caption = String(marker.dropFirst(2))
    let table = Block.table(alignments: Array(repeating: .left, count: columns), header: header, rows: cells)
    return caption.isEmpty ? [table] : [.quote([.paragraph([.emphasis([.text(caption)])]), table])]
  }
}

/// Tables of comma-separated values.
enum CommaTable {
  /// Returns the table as Markdown, with the first line as the header.
  static func markdown(of lines: [String]) -> String {
    let rows = lines.filter { $0.contains { !$0.isWhitespace } }.map(cells)
    guard let header = rows.first else { return "" }
    func row(_ cells: [String]) -> String {
      let padded = cells.prefix(header.count) + Array(repeating: "", count: max(0, header.count - cells.count))
      return "| " + padded.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }
    let rule = "|" + String(repeating: " --- |", count: header.count)
    return ([row(header), rule] + rows.dropFirst().map(row)).joined(separator: "\n")
  }

  private static func cells(_ line: String) -> [String] {
    var cells = [""]
    var isQuoted = false
    for character in line {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == ",", !isQuoted {
        cells.append("")
      } else {
        cells[cells.count - 1].append(character)
      }
    }
    return cells.map { $0.onOneLine }
  }
}
