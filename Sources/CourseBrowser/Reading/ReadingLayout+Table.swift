internal import LearningModel
internal import TextCanvas

extension ReadingLayout {
  /// Sets a table: columns as wide as their cells, or, where that is too much, the widest ones narrowed and their cells
  /// wrapped; below four columns of text each, one line a cell under its heading.
  func table(alignments: [ColumnAlignment], header: [[Inline]], rows: [[[Inline]]], width: Int) -> [StyledLine] {
    let head = header.map { styled($0, theme.bold(.strong)) }
    let body = rows.map { row in row.map { styled($0, theme[.ink]) } }
    let gap = 3
    let room = width - gap * max(0, head.count - 1)
    guard room >= 4 * head.count else { return stacked(head, body, width: width) }

    let widths = columnWidths(of: [head] + body, room: room)
    let rule = widths.map { String(repeating: symbols.horizontal, count: $0) }
      .joined(separator: String(repeating: symbols.horizontal, count: gap))
    return lines(of: head, widths: widths, alignments: alignments, gap: gap)
      + [StyledLine(rule, style: theme[.faint])]
      + body.flatMap { lines(of: $0, widths: widths, alignments: alignments, gap: gap) }
  }

  /// The natural widths, cut from the widest down until they fit.
  private func columnWidths(of rows: [[StyledText]], room: Int) -> [Int] {
    var widths = (0..<(rows.first?.count ?? 0)).map { column in
      max(1, rows.map { column < $0.count ? $0[column].displayWidth : 0 }.max() ?? 1)
    }
    while widths.reduce(0, +) > room, let widest = widths.max(), widest > 4 {
      widths[widths.lastIndex(of: widest)!] -= 1
    }
    return widths
  }

  private func lines(
    of row: [StyledText], widths: [Int], alignments: [ColumnAlignment], gap: Int
  ) -> [StyledLine] {
    let cells = widths.indices.map { $0 < row.count ? row[$0].wrapped(to: widths[$0]) : [] }
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
        pending += gap
      }
      return StyledLine(runs.filter { !$0.text.isEmpty })
    }
  }

  private func stacked(_ head: [StyledText], _ body: [[StyledText]], width: Int) -> [StyledLine] {
    body.flatMap { row in
      row.enumerated().flatMap { column, cell in
        let name = column < head.count ? head[column].wrapped(to: width) : []
        return name
          + cell.wrapped(to: width, indent: 2, hangingIndent: 2).map { line in
            StyledLine([StyledRun(String(repeating: " ", count: line.indent))] + line.runs)
          }
      } + [StyledLine()]
    }
  }
}
