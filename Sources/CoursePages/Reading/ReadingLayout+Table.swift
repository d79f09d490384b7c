package import LearningModel
package import TextCanvas

extension ReadingLayout {
  static let gap = 3
  /// A column is not made narrower than its longest word, or than this where a word is longer still,
  private static let longestWord = 14
  /// nor than this where it needs so much: cells of one word a line are read by nobody.
  private static let narrowest = 12

  /// Sets a table: columns as wide as their cells, or, where that is too much, the widest ones narrowed and their cells
  /// wrapped; where not even the words would fit side by side, one line a cell under its heading.
  ///
  /// - Returns: The lines, and which of them belong together: the headings and the first row, and each other row.
  package func table(
    alignments: [ColumnAlignment], header: [[Inline]], rows: [[[Inline]]], room: Int
  ) -> (lines: [StyledLine], together: [Range<Int>]) {
    let head = header.map { styled($0, theme.bold(.strong)) }
    // A row of nothing, where what it had could not be shown, takes no room.
    let body = rows.map { row in row.map { styled($0, theme[.ink]) } }.filter { $0.contains { !$0.text.isEmpty } }
    guard let widths = columnWidths(of: [head] + body, room: room - Self.gap * max(0, head.count - 1)) else {
      return stacked(head, body, width: min(room, width))
    }

    let rule = widths.map { String(repeating: symbols.horizontal, count: $0) }
      .joined(separator: String(repeating: symbols.horizontal, count: Self.gap))
    let set = body.map { lines(of: $0, widths: widths, alignments: alignments) }
    // Rows of several lines are told apart by air.
    let hasAir = set.contains { $0.count > 1 }
    let hasHead = head.contains { !$0.text.isEmpty }
    let top =
      hasHead
      ? lines(of: head, widths: widths, alignments: alignments) + [StyledLine(rule, style: theme[.faint])] : []
    return joined([top + (set.first ?? [])] + set.dropFirst(), hasAir: hasAir)
  }

  /// Pieces below each other, each of which stays together.
  private func joined(_ pieces: [[StyledLine]], hasAir: Bool) -> (lines: [StyledLine], together: [Range<Int>]) {
    var (lines, together) = ([StyledLine](), [Range<Int>]())
    for piece in pieces where !piece.isEmpty {
      if hasAir, !lines.isEmpty { lines.append(StyledLine()) }
      together.append(lines.count..<lines.count + piece.count)
      lines += piece
    }
    return (lines, together)
  }

  /// The natural widths, cut from the widest down until they fit; `nil` where words would have to be broken.
  private func columnWidths(of rows: [[StyledText]], room: Int) -> [Int]? {
    let columns = 0..<(rows.first?.count ?? 0)
    func widest(_ width: (StyledText) -> Int) -> [Int] {
      columns.map { column in max(1, rows.map { column < $0.count ? width($0[column]) : 0 }.max() ?? 1) }
    }
    var widths = widest { text in text.wrapped(to: .max / 2).map(\.displayWidth).max() ?? 0 }
    let words = widest { text in
      // What must not be broken is known when there is no room.
      if overflows { return wrapped(text, to: 2).map(\.displayWidth).max() ?? 0 }
      return min(Self.longestWord, text.text.split(whereSeparator: \.isWhitespace).map(\.displayWidth).max() ?? 0)
    }
    let least = zip(widths, words).map { min($0, max(Self.narrowest, $1)) }
    guard least.reduce(0, +) <= room else { return nil }
    var total = widths.reduce(0, +)
    while total > room {
      guard let column = columns.filter({ widths[$0] > least[$0] }).max(by: { widths[$0] <= widths[$1] }) else {
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
        let free = max(0, width - line.displayWidth)
        let before =
          switch column < alignments.count ? alignments[column] : .left {
          case .left: 0
          case .centre: free / 2
          case .right: free
          }
        if !line.runs.isEmpty {
          runs.append(StyledRun(String(repeating: " ", count: pending + before + line.indent)))
          runs += line.runs
          pending = free - before
        } else {
          pending += width
        }
        pending += Self.gap
      }
      return StyledLine(runs.filter { !$0.text.isEmpty })
    }
  }

  /// Each row as a list of its cells: each behind the heading of its column, or under it where the headings are long.
  private func stacked(
    _ head: [StyledText], _ body: [[StyledText]], width: Int
  ) -> (lines: [StyledLine], together: [Range<Int>]) {
    let names = (head.map(\.displayWidth).max() ?? 0) + Self.gap
    let isBeside = names <= width / 3
    let set = body.map { row in
      row.enumerated().flatMap { column, cell in
        if isBeside {
          let name = column < head.count ? head[column] : StyledText()
          let words = wrapped(cell, to: width - names)
          return words.enumerated().map { number, line in
            let before = number == 0 ? name.runs : []
            guard !line.runs.isEmpty else { return StyledLine(before) }
            let blanks = names - (number == 0 ? name.displayWidth : 0) + line.indent
            return StyledLine(before + [StyledRun(String(repeating: " ", count: blanks))] + line.runs)
          }
        }
        let name = column < head.count && !head[column].runs.isEmpty ? wrapped(head[column], to: width) : []
        return name + wrapped(cell, to: width, indent: 2)
      }
    }
    return joined(set, hasAir: true)
  }
}

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
