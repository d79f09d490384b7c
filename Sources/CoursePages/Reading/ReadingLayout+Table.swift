package import LearningModel
package import TextCanvas

extension ReadingLayout {
  static let gap = 3
  /// The minimum width of a column is that of its longest word, but at most this number of terminal columns.
  private static let maximumWordWidth = 14
  /// A column whose content is wide enough has at least this width, because cells with one word per line are
  /// unreadable.
  private static let minimumColumnWidth = 12

  /// Returns the lines of a table.
  ///
  /// Columns are as wide as their content. If the table does not fit, the widest columns are narrowed and their cells
  /// wrapped. If the columns would be narrower than their longest words, each cell has its own line, with the heading
  /// of its column.
  ///
  /// - Returns: The lines, and the ranges of lines to keep on one page: the headings with the first row, and each other
  ///   row.
  package func table(
    alignments: [ColumnAlignment], header: [[Inline]], rows: [[[Inline]]], columns: Int
  ) -> (lines: [StyledLine], together: [Range<Int>]) {
    let headerCells = header.map { styled($0, theme.bold(.strong)) }
    // A row without content, for example because its images could not be imported, takes no space.
    let body = rows.map { row in row.map { styled($0, theme[.foreground]) } }.filter {
      $0.contains { !$0.text.isEmpty }
    }
    guard
      let widths = columnWidths(of: [headerCells] + body, columns: columns - Self.gap * max(0, headerCells.count - 1))
    else {
      return stacked(headerCells, body, width: min(columns, width))
    }

    let rule = widths.map { String(repeating: symbols.horizontal, count: $0) }
      .joined(separator: String(repeating: symbols.horizontal, count: Self.gap))
    let rowLines = body.map { lines(of: $0, widths: widths, alignments: alignments) }
    // Rows of several lines are separated by blank lines.
    let isSpaced = rowLines.contains { $0.count > 1 }
    let hasHeader = headerCells.contains { !$0.text.isEmpty }
    let top =
      hasHeader
      ? lines(of: headerCells, widths: widths, alignments: alignments) + [StyledLine(rule, style: theme[.faint])] : []
    return joined([top + (rowLines.first ?? [])] + rowLines.dropFirst(), hasAir: isSpaced)
  }

  /// Returns the lines of several groups, one group below the other. The lines of a group are kept on one page.
  private func joined(_ groups: [[StyledLine]], hasAir: Bool) -> (lines: [StyledLine], together: [Range<Int>]) {
    var (lines, together) = ([StyledLine](), [Range<Int>]())
    for group in groups where !group.isEmpty {
      if hasAir, !lines.isEmpty { lines.append(StyledLine()) }
      together.append(lines.count..<lines.count + group.count)
      lines += group
    }
    return (lines, together)
  }

  /// Returns the widths of the columns. Reduces the widest columns until the table fits, or returns `nil` if words
  /// would have to be broken.
  private func columnWidths(of rows: [[StyledText]], columns maximumColumns: Int) -> [Int]? {
    let columns = 0..<(rows.first?.count ?? 0)
    func widest(_ width: (StyledText) -> Int) -> [Int] {
      columns.map { column in max(1, rows.map { column < $0.count ? width($0[column]) : 0 }.max() ?? 1) }
    }
    var widths = widest { text in text.wrapped(to: .max / 2).map(\.displayWidth).max() ?? 0 }
    let wordWidths = widest { text in
      // In output that never breaks code and addresses, a cell is at least as wide as its longest unbreakable sequence.
      if overflows { return wrapped(text, to: 2).map(\.displayWidth).max() ?? 0 }
      return min(Self.maximumWordWidth, text.text.split(whereSeparator: \.isWhitespace).map(\.displayWidth).max() ?? 0)
    }
    let minimumWidths = zip(widths, wordWidths).map { min($0, max(Self.minimumColumnWidth, $1)) }
    guard minimumWidths.reduce(0, +) <= maximumColumns else { return nil }
    var total = widths.reduce(0, +)
    while total > maximumColumns {
      guard let column = columns.filter({ widths[$0] > minimumWidths[$0] }).max(by: { widths[$0] <= widths[$1] }) else {
        return nil
      }
      widths[column] -= 1
      total -= 1
    }
    return widths
  }

  private func lines(of row: [StyledText], widths: [Int], alignments: [ColumnAlignment]) -> [StyledLine] {
    let cells = widths.indices.map { $0 < row.count ? wrapped(row[$0], to: widths[$0]) : [] }
    let height = max(1, cells.map(\.count).max() ?? 1)
    return (0..<height).map { number in
      var runs: [StyledRun] = []
      var pending = 0
      for (column, width) in widths.enumerated() {
        let line = number < cells[column].count ? cells[column][number] : StyledLine()
        let freeColumns = max(0, width - line.displayWidth)
        let leading =
          switch column < alignments.count ? alignments[column] : .left {
          case .left: 0
          case .centre: freeColumns / 2
          case .right: freeColumns
          }
        if !line.runs.isEmpty {
          runs.append(StyledRun(String(repeating: " ", count: pending + leading + line.indent)))
          runs += line.runs
          pending = freeColumns - leading
        } else {
          pending += width
        }
        pending += Self.gap
      }
      return StyledLine(runs.filter { !$0.text.isEmpty })
    }
  }

  /// Returns the rows as lists of cells, with the heading of the column before each cell, or above it if headings are
  /// long.
  private func stacked(
    _ headerCells: [StyledText], _ body: [[StyledText]], width: Int
  ) -> (lines: [StyledLine], together: [Range<Int>]) {
    let nameColumns = (headerCells.map(\.displayWidth).max() ?? 0) + Self.gap
    let isNextToName = nameColumns <= width / 3
    let rowLines = body.map { row in
      row.enumerated().flatMap { column, cell in
        if isNextToName {
          let name = column < headerCells.count ? headerCells[column] : StyledText()
          let lines = wrapped(cell, to: width - nameColumns)
          return lines.enumerated().map { number, line in
            let prefixRuns = number == 0 ? name.runs : []
            guard !line.runs.isEmpty else { return StyledLine(prefixRuns) }
            let blanks = nameColumns - (number == 0 ? name.displayWidth : 0) + line.indent
            return StyledLine(prefixRuns + [StyledRun(String(repeating: " ", count: blanks))] + line.runs)
          }
        }
        let name =
          column < headerCells.count && !headerCells[column].runs.isEmpty ? wrapped(headerCells[column], to: width) : []
        return name + wrapped(cell, to: width, indent: 2)
      }
    }
    return joined(rowLines, hasAir: true)
  }
}

/// Unwrapped blocks that are wider than the page and scroll horizontally.
extension ReadingLayout {
  /// Returns the width of a table whose cells are not wrapped, in columns.
  func naturalWidth(of rows: [[[Inline]]]) -> Int {
    let widths = naturalWidths(of: rows)
    return widths.reduce(0, +) + Self.gap * max(0, widths.count - 1)
  }

  private func naturalWidths(of rows: [[[Inline]]]) -> [Int] {
    (0..<(rows.first?.count ?? 0)).map { column in
      rows.map { column < $0.count ? Self.width(of: styled($0[column], theme[.foreground])) : 0 }.max() ?? 0
    }
  }

  private static func width(of cell: StyledText) -> Int {
    cell.text.split(separator: "\n").map(\.displayWidth).max() ?? 0
  }

  /// Returns the lines of a table with unwrapped cells. The first column is always visible; the others are scrolled
  /// horizontally by `column` columns.
  func unwrappedTable(
    alignments: [ColumnAlignment], header: [[Inline]], rows: [[[Inline]]], columns: Int, from column: Int
  ) -> (lines: [StyledLine], together: [Range<Int>]) {
    let fullTable = table(alignments: alignments, header: header, rows: rows, columns: Self.unlimited)
    let firstColumnWidth = (naturalWidths(of: [header] + rows).first ?? 0) + Self.gap
    // If the first column takes more than half of the width, it is scrolled too.
    let fixedColumns = firstColumnWidth <= columns / 2 ? firstColumnWidth : 0
    let lines = fullTable.lines.map { line in
      let scrolledLine = line.columns(from: fixedColumns + column, width: columns - fixedColumns, symbols.ellipsis)
      guard fixedColumns > 0 else { return scrolledLine }
      let fixedLine = line.columns(from: 0, width: fixedColumns, "")
      return StyledLine(
        fixedLine.runs + [StyledRun(spaces(max(0, fixedColumns - fixedLine.displayWidth + scrolledLine.indent)))]
          + scrolledLine.runs)
    }
    return (lines.map { $0.text.allSatisfy { $0 == " " } ? StyledLine() : $0 }, fullTable.together)
  }
}

extension StyledText {
  /// Returns the text as one line.
  func line(indent: Int) -> StyledLine { StyledLine(indent: indent, runs) }
}

extension StyledLine {
  /// Returns the part of the line that begins at a column, truncated to a width.
  func columns(from start: Int, width: Int, _ ellipsis: String) -> StyledLine {
    var column = indent
    var clipped = StyledLine(indent: max(0, indent - start))
    for run in runs {
      guard column < start else {
        clipped.runs.append(run)
        continue
      }
      var text = run.text[...]
      while column < start, let first = text.first {
        column += String(first).displayWidth
        text = text.dropFirst()
      }
      // Replaces a clipped double-width character with a space.
      let visibleText = String(repeating: " ", count: max(0, column - start)) + text
      if !visibleText.isEmpty { clipped.runs.append(StyledRun(visibleText, style: run.style)) }
    }
    return clipped.truncated(to: width, ellipsis: ellipsis)
  }
}

extension ReadingText {
  /// Adds a selectable block that begins on a line and ends with the last line.
  mutating func addBlock(_ block: Block, from line: Int, overflow: Int = 0) {
    guard line < lines.count else { return }
    selectableBlocks.append(SelectableBlock(lines: line..<lines.count, block: block, overflow: overflow))
  }
}

extension ReadingText.SelectableBlock {
  /// The name of the block in messages, such as `the code`.
  package var name: String {
    switch block {
    case .code: "the code"
    case .table: "the table"
    case .math: "the formula"
    default: "the paragraph"
    }
  }

  /// The text that is copied: for a shell session, the typed commands; for a formula, its source; for a table, rows
  /// with tabs between the cells, which spreadsheets can paste.
  package var copyText: String {
    switch block {
    case .code(let language, let code): ReadingText.typedText(code, in: language)
    case .math(let source): source
    case .table(_, let header, let rows):
      ([header] + rows).map { row in
        row.map { $0.plainText.replacing("\t", with: " ").replacing("\n", with: " ") }.joined(separator: "\t")
      }.joined(separator: "\n")
    default: block.plainText
    }
  }
}
