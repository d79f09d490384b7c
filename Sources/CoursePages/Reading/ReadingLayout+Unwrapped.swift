import LearningModel
import TextCanvas

/// What is wider than the page and not wrapped: a part of its columns is seen.
extension ReadingLayout {
  /// The columns that a table takes whose cells are not wrapped.
  func naturalWidth(of rows: [[[Inline]]]) -> Int {
    let widths = naturalWidths(of: rows)
    return widths.reduce(0, +) + Self.gap * max(0, widths.count - 1)
  }

  private func naturalWidths(of rows: [[[Inline]]]) -> [Int] {
    (0..<(rows.first?.count ?? 0)).map { column in
      rows.map { column < $0.count ? Self.width(of: styled($0[column], theme[.ink])) : 0 }.max() ?? 0
    }
  }

  private static func width(of cell: StyledText) -> Int {
    cell.text.split(separator: "\n").map(\.displayWidth).max() ?? 0
  }

  /// A table in lines as wide as its cells, of which the first column is always seen, and of the others what is behind so
  /// many columns.
  func unwrappedTable(
    alignments: [ColumnAlignment], header: [[Inline]], rows: [[[Inline]]], room: Int, from column: Int
  ) -> (lines: [StyledLine], together: [Range<Int>]) {
    let whole = table(alignments: alignments, header: header, rows: rows, room: Self.unlimited)
    let first = (naturalWidths(of: [header] + rows).first ?? 0) + Self.gap
    // A first column that leaves no room for another goes along.
    let fixed = first <= room / 2 ? first : 0
    let lines = whole.lines.map { line in
      let rest = line.columns(from: fixed + column, width: room - fixed, symbols.ellipsis)
      guard fixed > 0 else { return rest }
      let head = line.columns(from: 0, width: fixed, "")
      return StyledLine(
        head.runs + [StyledRun(spaces(max(0, fixed - head.displayWidth + rest.indent)))] + rest.runs)
    }
    return (lines.map { $0.text.allSatisfy { $0 == " " } ? StyledLine() : $0 }, whole.together)
  }
}

extension StyledText {
  /// This text on one line.
  func line(indent: Int) -> StyledLine { StyledLine(indent: indent, runs) }
}

extension StyledLine {
  /// What is seen of this line behind so many columns, in at most so many; an ellipsis where something is behind that.
  func columns(from start: Int, width: Int, _ ellipsis: String) -> StyledLine {
    var column = indent
    var part = StyledLine(indent: max(0, indent - start))
    for run in runs {
      guard column < start else {
        part.runs.append(run)
        continue
      }
      var words = run.text[...]
      while column < start, let first = words.first {
        column += String(first).displayWidth
        words = words.dropFirst()
      }
      // Of a wide letter that is cut the other half is blank.
      let rest = String(repeating: " ", count: max(0, column - start)) + words
      if !rest.isEmpty { part.runs.append(StyledRun(rest, style: run.style)) }
    }
    return part.truncated(to: width, ellipsis: ellipsis)
  }
}

extension ReadingText {
  /// Adds a block that can be chosen, which begins on a line and ends with the last one.
  mutating func addPiece(_ block: Block, from line: Int, overflow: Int = 0) {
    guard line < lines.count else { return }
    pieces.append(Piece(lines: line..<lines.count, block: block, overflow: overflow))
  }
}

extension ReadingText.Piece {
  /// What it is called, such as `the code`.
  package var name: String {
    switch block {
    case .code: "the code"
    case .table: "the table"
    case .math: "the formula"
    default: "the paragraph"
    }
  }

  /// What is copied of it: what is typed of program text, a formula's source, and a table as a spreadsheet takes it, a line
  /// a row with tabs between the cells.
  package var words: String {
    switch block {
    case .code(let language, let code): ReadingText.typed(code, in: language)
    case .math(let source): source
    case .table(_, let header, let rows):
      ([header] + rows).map { row in
        row.map { $0.plainText.replacing("\t", with: " ").replacing("\n", with: " ") }.joined(separator: "\t")
      }.joined(separator: "\n")
    default: block.plainText
    }
  }
}
