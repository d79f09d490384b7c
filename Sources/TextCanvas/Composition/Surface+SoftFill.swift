extension Surface {
  /// Fills a panel whose edges may lie between cells: parts of cells are drawn in eighths where nothing is written, and
  /// elsewhere cells that are covered at least by half are filled.
  mutating func fillSoftly(_ frame: Rect, with fill: Colour, page: PageColours, clippedTo clip: CellRect) {
    let whole = frame.cells.intersection(clip).intersection(bounds)
    let left = Edge(frame.x)
    let right = Edge(frame.maxX)
    let top = Edge(frame.y)
    let bottom = Edge(frame.maxY)
    let isSoft = fill != .default && (left.eighths + right.eighths + top.eighths + bottom.eighths) > 0
    guard isSoft, right.cell > left.cell, bottom.cell > top.cell else {
      self.fill(whole, with: Cell(background: fill))
      return
    }
    let inner = CellRect(
      column: left.firstWhole, row: top.firstWhole, columns: right.cell - left.firstWhole,
      rows: bottom.cell - top.firstWhole
    ).intersection(clip)
    self.fill(inner, with: Cell(background: fill))
    // A corner between cells lies on two edges and cannot be drawn as both: where less than half of it is covered it is
    // left out, and the panel looks rounded there.
    func columns(_ height: Int) -> Range<Int> {
      let first = left.eighths > 0 && (8 - left.eighths) * height < 32 ? left.cell + 1 : left.cell
      return first..<max(first, right.eighths * height >= 32 ? right.cell + 1 : right.cell)
    }
    if top.eighths > 0 {
      let height = 8 - top.eighths
      for column in columns(height) { edge(column, top.cell, .lowerPart(height), fill, page, clip) }
    }
    if bottom.eighths > 0 {
      for column in columns(bottom.eighths) {
        edge(column, bottom.cell, .upperPart(bottom.eighths), fill, page, clip)
      }
    }
    let rows = top.firstWhole..<max(top.firstWhole, bottom.cell)
    if left.eighths > 0 {
      for row in rows { edge(left.cell, row, .rightPart(8 - left.eighths), fill, page, clip) }
    }
    if right.eighths > 0 {
      for row in rows { edge(right.cell, row, .leftPart(right.eighths), fill, page, clip) }
    }
  }

  /// A coordinate in eighths of a cell.
  private struct Edge {
    let cell: Int
    let eighths: Int

    init(_ coordinate: Double) {
      let all = nearestCell(max(-100_000, min(100_000, coordinate)) * 8)
      cell = all >> 3
      eighths = all & 7
    }

    var firstWhole: Int { eighths > 0 ? cell + 1 : cell }
  }

  /// The part of a cell that a panel covers, in eighths, 1…7.
  private enum Part {
    case lowerPart(Int), upperPart(Int), leftPart(Int), rightPart(Int)
  }

  private mutating func edge(
    _ column: Int, _ row: Int, _ part: Part, _ fill: Colour, _ page: PageColours, _ clip: CellRect
  ) {
    guard clip.contains(CellPoint(column: column, row: row)), bounds.contains(CellPoint(column: column, row: row))
    else { return }
    let below = self[column, row]
    let paper = below.background.rgbNumber.map(Colour.hex) ?? .hex(page.background)
    // There are blocks that grow from below and from the left; the others are drawn as what they leave free.
    let (first, eighths, isInverted): (UInt32, Int, Bool) =
      switch part {
      case .lowerPart(let count): (0x2580 + UInt32(count), count, false)
      case .upperPart(let count): (0x2580 + UInt32(8 - count), count, true)
      case .leftPart(let count): (0x2590 - UInt32(count), count, false)
      case .rightPart(let count): (0x2590 - UInt32(8 - count), count, true)
      }
    guard below.glyph.isBlank, !below.isContinuation, !below.attributes.contains(.reverse), below.background != .clear
    else {
      if eighths >= 4 { self[column, row] = Cell(background: fill) }
      return
    }
    self[column, row] = Cell(
      Glyph(bits: first),
      style: Style(foreground: isInverted ? paper : fill, background: isInverted ? fill : below.background))
  }
}
