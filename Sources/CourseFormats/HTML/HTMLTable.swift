import LearningModel

/// Collects the rows of a table element and arranges its cells in columns.
struct HTMLTable {
  /// The rows, each with the index of its row group.
  private var rows: [(cells: [HTMLNode], group: Int)] = []
  private(set) var caption: HTMLNode?
  private var alignments: [ColumnAlignment?] = []
  private var groupCount = 0

  /// Collects the rows below a node, at any depth of row groups.
  mutating func gather(_ node: HTMLNode, depth: Int, limits: SourceLimits, file: String) throws {
    guard depth <= limits.nestingDepth else {
      throw CourseFormatError.limit(.nestingDepth(limits.nestingDepth), file: file, line: nil)
    }
    groupCount += 1
    let group = groupCount
    var isInLooseRow = false
    var footers: [HTMLNode] = []
    for child in node.children {
      switch child.name {
      case "tr": rows.append((child.children.filter { $0.name == "td" || $0.name == "th" }, group))
      case "td", "th":
        // If cells are outside a row, a row is added for them, as in browsers.
        if isInLooseRow { rows[rows.count - 1].cells.append(child) } else { rows.append(([child], group)) }
        isInLooseRow = true
        continue
      case "caption": caption = child
      // The footer of a table is its last group of rows, wherever it is written.
      case "tfoot": footers.append(child)
      case nil: continue
      default: try gather(child, depth: depth + 1, limits: limits, file: file)
      }
      isInLooseRow = false
    }
    for footer in footers { try gather(footer, depth: depth + 1, limits: limits, file: file) }
  }

  /// Returns the cells by row and column. A cell that spans several columns or rows is in its first column and row; the
  /// other positions that it covers, and the positions after the last cell of a row, are `nil`.
  ///
  /// Source: WHATWG HTML, 4.9.12.1, "Forming a table".
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if the table has too many columns or too many missing cells.
  mutating func grid(limits: SourceLimits, file: String) throws -> [[HTMLNode?]] {
    var grid: [[HTMLNode?]] = []
    // The number of following rows that a cell above covers, by column.
    var covered: [Int] = []
    var emptyCount = 0
    var group = 0
    for row in rows {
      // A cell does not extend into the next row group.
      if row.group != group { covered = [] }
      group = row.group
      var cells: [HTMLNode?] = []
      func skipCovered() {
        while cells.count < covered.count, covered[cells.count] > 0 {
          covered[cells.count] -= 1
          cells.append(nil)
          emptyCount += 1
        }
      }
      for cell in row.cells {
        skipCovered()
        let width = Self.span(of: cell, "colspan")
        let height = Self.span(of: cell, "rowspan")
        guard cells.count + width <= limits.tableColumns else {
          throw CourseFormatError.limit(.tableColumns(limits.tableColumns), file: file, line: nil)
        }
        for index in 0..<width {
          let column = cells.count
          if covered.count <= column { covered += Array(repeating: 0, count: column + 1 - covered.count) }
          covered[column] = height - 1
          cells.append(index == 0 ? cell : nil)
        }
        emptyCount += width - 1
        note(alignment: cell, column: cells.count - width)
      }
      skipCovered()
      // Cells above may cover columns after the last cell of the row.
      for column in covered.indices.dropFirst(cells.count) where covered[column] > 0 { covered[column] -= 1 }
      grid.append(cells)
      guard emptyCount <= limits.tableGaps else {
        throw CourseFormatError.limit(.tableGaps(limits.tableGaps), file: file, line: nil)
      }
    }
    let columns = grid.map(\.count).max() ?? 0
    guard columns <= limits.tableColumns else {
      throw CourseFormatError.limit(.tableColumns(limits.tableColumns), file: file, line: nil)
    }
    guard grid.reduce(emptyCount, { $0 + columns - $1.count }) <= limits.tableGaps else {
      throw CourseFormatError.limit(.tableGaps(limits.tableGaps), file: file, line: nil)
    }
    return grid.map { $0 + Array(repeating: nil, count: columns - $0.count) }
  }

  /// Returns the table with the first row as its header. Empty if the table has no cells.
  ///
  /// - Parameter lines: The texts of the cells of ``grid(limits:file:)``.
  func table(of lines: [[[Inline]]]) -> [Block] {
    guard let header = lines.first, !header.isEmpty else { return [] }
    let alignments = header.indices.map { self.alignments.indices.contains($0) ? self.alignments[$0] ?? .left : .left }
    return [.table(alignments: alignments, header: header, rows: Array(lines.dropFirst()))]
  }

  /// Returns the number of columns or rows that a cell covers, at least 1.
  private static func span(of cell: HTMLNode, _ name: String) -> Int {
    guard let written = cell.attribute(name), let count = Int(written.prefix { !$0.isWhitespace }) else { return 1 }
    // A `rowspan` of 0 extends to the end of the group.
    return count == 0 && name == "rowspan" ? 65_534 : min(max(count, 1), name == "rowspan" ? 65_534 : 1_000)
  }

  private mutating func note(alignment cell: HTMLNode, column: Int) {
    if alignments.count <= column { alignments += Array(repeating: nil, count: column + 1 - alignments.count) }
    if alignments[column] == nil { alignments[column] = Self.alignment(of: cell) }
  }

  private static func alignment(of cell: HTMLNode) -> ColumnAlignment? {
    let style = cell.attribute("style")?.lowercased().filter { $0 != " " } ?? ""
    switch cell.attribute("align")?.lowercased() {
    case "center": return .centre
    case "right": return .right
    case "left": return .left
    default: break
    }
    if style.contains("text-align:center") { return .centre }
    if style.contains("text-align:right") { return .right }
    return style.contains("text-align:left") ? .left : nil
  }
}

extension [Block] {
  /// The blocks as one line for a table cell. Two blocks are separated by a line break.
  var asLine: [Inline] {
    var line: [Inline] = []
    for block in self {
      guard !block.isTarget else {
        if case .paragraph(let targets) = block { line += targets }
        continue
      }
      if line.contains(where: { !$0.isTarget }) { line.append(.lineBreak) }
      line += block.asLine
    }
    return line
  }
}

extension Block {
  fileprivate var asLine: [Inline] {
    switch self {
    case .paragraph(let text): return text
    case .heading(_, let text, _): return [.strong(text)]
    case .math(let source): return [.math(source)]
    case .bulletList(let items): return Self.line(of: items.map { ("•", $0) })
    case .orderedList(let start, let items):
      return Self.line(of: zip(items.numbers(from: start), items).map { ($0 + ".", $1) })
    default:
      return plainText.split(separator: "\n").enumerated().flatMap { index, words -> [Inline] in
        (index > 0 ? [.lineBreak] : []) + [.text(String(words))]
      }
    }
  }

  private static func line(of items: [(mark: String, item: ListItem)]) -> [Inline] {
    items.enumerated().flatMap { index, item -> [Inline] in
      var line = item.item.blocks.asLine
      if case .text(let words) = line.first {
        line[0] = .text(item.mark + " " + words)
      } else {
        line.insert(.text(item.mark + " "), at: 0)
      }
      return (index > 0 ? [.lineBreak] : []) + line
    }
  }
}
