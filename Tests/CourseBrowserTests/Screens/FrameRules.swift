import TextCanvas

@testable import CoursePages

/// Rules that every frame satisfies.
struct FrameRules {
  let surface: Surface
  /// The render tree from which the frame was composed.
  let tree: RenderNode
  let look: Appearance
  /// Whether an overlay covers the page.
  let isCovered: Bool

  private let metrics: PageMetrics
  private let rows: [String]
  /// The characters of frames and horizontal lines.
  private let lines: Set<String>

  init(surface: Surface, tree: RenderNode, look: Appearance, isCovered: Bool) {
    self.surface = surface
    self.tree = tree
    self.look = look
    self.isCovered = isCovered
    metrics = PageMetrics(size: surface.size)
    rows = surface.textRows
    let symbols = look.symbols
    lines = Set(
      (symbols.corners + symbols.joins + [symbols.horizontal, symbols.vertical, symbols.heavy]).map { String($0) })
  }

  /// The violated rules.
  var broken: [String] {
    guard metrics.isSupported else { return [] }
    return halves + colours + signs + margins + frames + lastRow + (isCovered ? [] : collisions)
  }

  /// The violated rules of a frame during an animation, when margins may be crossed and frames cut.
  var brokenOnTheWay: [String] { metrics.isSupported ? halves + colours + signs + collisions : [] }

  // MARK: - Characters

  private var halves: [String] {
    var violations: [String] = []
    forEachCell { cells, index in
      let cell = cells[index]
      guard cell.isWide || cell.isContinuation || cell.glyph == .replacement else { return }
      let (column, row) = (index % surface.columns, index / surface.columns)
      if cell.isWide, column + 1 >= surface.columns || !cells[index + 1].isContinuation {
        violations.append("half a character at \(column), \(row)")
      } else if cell.isContinuation, column == 0 || !cells[index - 1].isWide {
        violations.append("the other half at \(column), \(row)")
      } else if cell.glyph == .replacement {
        violations.append("a character that could not be drawn at \(column), \(row)")
      }
    }
    return violations
  }

  /// Calls a function for each cell. A plain loop over pointers, because thousands of frames are checked in debug
  /// builds.
  private func forEachCell(_ body: (UnsafePointer<Cell>, Int) -> Void) {
    surface.cells.withUnsafeBufferPointer { cells in
      var index = 0
      while index < cells.count {
        body(cells.baseAddress!, index)
        index += 1
      }
    }
  }

  /// With ASCII symbols, only the author's text may contain other characters, and the ellipsis.
  private var signs: [String] {
    guard look.symbols.enter == Symbols.ascii.enter else { return [] }
    let forbidden = Set("─━│╭╮╰╯▎▌•◦▪↑↓←→↵✗✦●▁▂▃▄▅▆▇█›")
    return rows.enumerated().compactMap { row, text in
      text.first { forbidden.contains($0) }.map { "'\($0)' in row \(row) of a screen in ASCII" }
    }
  }

  // MARK: - Colours

  /// The page's background is never painted, and only colours of the available depth are used.
  private var colours: [String] {
    var (used, backgrounds): (Set<Colour>, Set<Colour>) = ([], [])
    forEachCell { cells, index in
      let (foreground, background) = (cells[index].foreground, cells[index].background)
      if index == 0 || foreground != cells[index - 1].foreground { used.insert(foreground) }
      if index == 0 || background != cells[index - 1].background { backgrounds.insert(background) }
    }
    used.formUnion(backgrounds)
    backgrounds.subtract([.default, .clear])
    let unexpected = used.filter { colour in
      switch (colour.kind, look.theme.colourDepth) {
      case (.default, _), (.clear, _): false
      case (.indexed(let number), .ansi): number > 15
      case (.indexed(let number), _) where look.theme.pageAppearance == .unknown:
        ![1, 2, 4, 5, 6, 9, 12].contains(number)
      case (.indexed, .indexed), (.rgb, .truecolor): false
      default: true
      }
    }
    return backgrounds.map { "the background \($0)" } + unexpected.map { "the colour \($0)" } + colouredWords
  }

  /// If the terminal's background is unknown, text has the default colour or one that is readable on any background.
  private var colouredWords: [String] {
    guard look.theme.pageAppearance == .unknown else { return [] }
    var coloured: [Cell] = []
    let readable: [Colour] = [.default, .indexed(5), .indexed(9), .indexed(12)]
    forEachCell { cells, index in
      if !readable.contains(cells[index].foreground) { coloured.append(cells[index]) }
    }
    let letters = coloured.filter { cell in
      let text = cell.glyph.text
      return text != look.symbols.place && text.contains { $0.isLetter || $0.isNumber }
    }
    return letters.isEmpty ? [] : ["coloured words: \(letters.prefix(20).map(\.glyph.text).joined())"]
  }

  // MARK: - Positions

  /// Nothing is drawn outside of the page and the side pane. Next to the text, only frames, horizontal lines and note
  /// symbols are drawn.
  private var margins: [String] {
    let page = metrics.firstColumn..<metrics.firstColumn + metrics.width
    let text = metrics.textColumn..<metrics.textColumn + metrics.textWidth
    let sidePane = metrics.sidePaneColumn..<metrics.sidePaneColumn + metrics.sidePaneWidth
    var violations: [String] = []
    for row in 0..<surface.rows {
      for column in 0..<surface.columns where !text.contains(column) && !isBlank(column, row) {
        if sidePane.contains(column), row < metrics.keysRow { continue }
        // The bracket of the last tab is in the margin.
        if row == metrics.keysRow, column == text.upperBound { continue }
        let glyph = surface[column, row].glyph.text
        // The symbol of a note and the marker of a selected block are next to their texts.
        if !page.contains(column)
          || !lines.contains(glyph) && ![look.symbols.note, look.symbols.marker].contains(glyph)
        {
          violations.append("'\(glyph)' in the margin at \(column), \(row)")
        }
      }
    }
    return violations
  }

  /// Every frame is complete. There is at most one, and another one for an overlay.
  private var frames: [String] {
    guard !metrics.isSmall, look.symbols.corners[0] != "+" else { return [] }
    let corners = look.symbols.corners.map { corner in rows.reduce(0) { $0 + $1.count { $0 == corner } } }
    guard !isCovered else { return corners.reduce(0, +) > 8 ? ["corners: \(corners)"] : [] }
    // The graph of a session contains the lower corners too.
    let isComplete = corners[0] == corners[1] && corners[0] <= 1 && min(corners[2], corners[3]) >= corners[0]
    return isComplete ? [] : ["corners: \(corners)"]
  }

  private var lastRow: [String] {
    let row = rows[metrics.keysRow]
    // Without its own row, a notice covers the keys.
    if isCovered, metrics.hintRow == nil { return [] }
    guard !row.contains("…") else { return ["the last row is cut: \(row)"] }
    let text = row.trimmingPrefix { $0 == " " }
    guard !text.isEmpty else { return ["the last row is empty"] }
    return metrics.isSmall || ["Learn", "Find", "History"].allSatisfy { row.contains($0) }
      ? [] : ["the tabs are incomplete: \(row)"]
  }

  /// No cell is drawn by two layers, except where a horizontal line meets the edge of its own frame.
  private var collisions: [String] {
    var written = [Bool?](repeating: nil, count: surface.columns * surface.rows)
    var violations: [String] = []
    func visit(_ node: RenderNode, x: Double, y: Double, clip: CellRect, excluding hiddenRows: Set<Int>) {
      let shift = node.transform.translation
      let (left, top) = (x + node.frame.x + shift.x, y + node.frame.y + shift.y)
      guard node.opacity > 0.01 else { return }
      var clip = clip
      if let nodeClip = node.clip {
        clip = clip.intersection(
          Rect(x: left + nodeClip.x, y: top + nodeClip.y, width: nodeClip.width, height: nodeClip.height).cells)
      }
      var hiddenRows = hiddenRows
      if let dissolve = node.dissolve {
        // In each row of a dissolve only one page is visible: the old one covers the new one until the row changes.
        let rows = Rect(x: left, y: top, width: node.frame.width, height: node.frame.height).cells
        for row in max(0, rows.row)..<min(surface.rows, rows.endRow) {
          if dissolve.opacities(ofRow: row - rows.row, of: rows.rows).going == 0 {
            hiddenRows.insert(row)
          } else {
            for column in 0..<surface.columns { written[row * surface.columns + column] = nil }
          }
        }
      }
      if let drawn = node.surface {
        // A notice covers the rows of the page below it.
        let covers =
          drawn.columns == surface.columns && drawn.rows <= surface.rows / 2
          && (0..<drawn.rows).allSatisfy { row in (0..<drawn.columns).allSatisfy { drawn[$0, row].glyph != .none } }
        for row in 0..<drawn.rows {
          if covers, case let covered = Int(top.rounded()) + row, 0..<surface.rows ~= covered {
            for column in 0..<surface.columns { written[covered * surface.columns + column] = nil }
          }
          for column in 0..<drawn.columns {
            let glyph = drawn[column, row].glyph
            guard glyph != .none, glyph != .blank else { continue }
            let point = CellPoint(column: Int(left.rounded()) + column, row: Int(top.rounded()) + row)
            guard clip.contains(point), !hiddenRows.contains(point.row) else { continue }
            let index = point.row * surface.columns + point.column
            let isLine = lines.contains(glyph.text)
            if let other = written[index], !other || !isLine {
              violations.append("two layers draw the cell at \(point.column), \(point.row)")
            }
            written[index] = isLine
          }
        }
      }
      for child in node.children { visit(child, x: left, y: top, clip: clip, excluding: hiddenRows) }
    }
    visit(tree, x: 0, y: 0, clip: CellRect(surface.size), excluding: [])
    return violations
  }

  private func isBlank(_ column: Int, _ row: Int) -> Bool {
    let cell = surface[column, row]
    return cell.glyph == .none || cell.glyph == .blank || cell.isContinuation
  }
}
