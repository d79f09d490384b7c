/// A rectangular grid of cells, stored row by row in one array. A value type.
///
/// All operations keep this invariant: a cell of width 2 is followed by its continuation in the same row, and a
/// continuation follows such a cell. If one half is overwritten, the other half becomes a blank.
public struct Surface: Hashable, Sendable {
  /// The size in columns and rows.
  public let size: CellSize
  /// All cells, row by row.
  public internal(set) var cells: [Cell]
  /// Whether all cells certainly hide the content below them.
  var isOpaque: Bool
  /// Whether the surface may contain wide characters.
  var mayHoldWide = false

  /// Creates a surface with equal cells.
  ///
  /// - Parameters:
  ///   - size: The size. Negative values count as 0.
  ///   - cell: The cell. By default, the cells are clear.
  public init(_ size: CellSize, filledWith cell: Cell = .clear) {
    self.size = CellSize(columns: max(0, size.columns), rows: max(0, size.rows))
    cells = Array(repeating: cell.width == 1 ? cell : cell.asBlank, count: self.size.columns * self.size.rows)
    isOpaque = cell.isOpaque
  }

  /// Creates a surface with equal cells.
  ///
  /// - Parameters:
  ///   - columns: The number of columns. Negative values count as 0.
  ///   - rows: The number of rows. Negative values count as 0.
  ///   - cell: The cell. By default, the cells are clear.
  public init(columns: Int, rows: Int, filledWith cell: Cell = .clear) {
    self.init(CellSize(columns: columns, rows: rows), filledWith: cell)
  }

  /// Creates a surface from a text: one row for each line, as wide as the widest line, clear elsewhere.
  ///
  /// - Parameters:
  ///   - text: The text; it is drawn as in ``draw(_:at:style:clippedTo:)``.
  ///   - style: The style of the text.
  public init(_ text: String, style: Style = .plain) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    self.init(columns: lines.map(\.displayWidth).max() ?? 0, rows: lines.count)
    for (row, line) in lines.enumerated() { draw(line, at: CellPoint(column: 0, row: row), style: style) }
  }

  /// The number of columns.
  public var columns: Int { size.columns }
  /// The number of rows.
  public var rows: Int { size.rows }
  /// The rectangle of all cells.
  public var bounds: CellRect { CellRect(size) }

  /// The cell at a position. Outside of the surface, reading returns a clear cell and writing has no effect.
  ///
  /// If half of a wide character is overwritten, its other half becomes a blank. Only cells of one column can be
  /// written; a half of a wide character becomes a blank.
  public subscript(column: Int, row: Int) -> Cell {
    get {
      guard bounds.contains(CellPoint(column: column, row: row)) else { return .clear }
      return cells[row * columns + column]
    }
    set {
      guard bounds.contains(CellPoint(column: column, row: row)) else { return }
      let index = row * columns + column
      separate(row: row, at: column)
      separate(row: row, at: column + 1)
      cells[index] = newValue.width == 1 ? newValue : newValue.asBlank
      if !newValue.isOpaque { isOpaque = false }
    }
  }

  /// Replaces a wide character across the boundary before a column by blanks.
  @inline(__always)
  mutating func separate(row: Int, at column: Int) {
    guard column > 0, column < columns else { return }
    let index = row * columns + column
    guard cells[index].isContinuation else { return }
    cells[index] = cells[index].asBlank
    cells[index - 1] = cells[index - 1].asBlank
  }

  /// Sets all cells of a rectangle. The part outside the surface is ignored.
  public mutating func fill(_ rect: CellRect, with cell: Cell) {
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    let single = cell.width == 1 ? cell : cell.asBlank
    let isWhole = area == bounds
    isOpaque = single.isOpaque && (isWhole || isOpaque)
    if mayHoldWide {
      for row in area.row..<area.endRow {
        separate(row: row, at: area.column)
        separate(row: row, at: area.endColumn)
      }
    }
    if isWhole { mayHoldWide = false }
    let columns = columns
    cells.withUnsafeMutableBufferPointer { cells in
      guard let first = cells.baseAddress.map({ $0 + (area.row * columns + area.column) }) else { return }
      first.update(repeating: single, count: area.columns)
      // Copying rows is faster than setting their cells.
      for row in 1..<max(1, area.rows) { (first + row * columns).update(from: first, count: area.columns) }
    }
  }

  /// Sets all cells.
  public mutating func fill(with cell: Cell) {
    fill(bounds, with: cell)
  }

  /// Changes the style of all cells in a rectangle. Both halves of a wide character are changed, even if the rectangle
  /// ends between them.
  ///
  /// - Parameters:
  ///   - rect: The rectangle, or `nil` for the whole surface.
  ///   - change: Returns the new style for a style.
  public mutating func mapStyles(in rect: CellRect? = nil, _ change: (Style) -> Style) {
    let area = (rect ?? bounds).intersection(bounds)
    guard !area.isEmpty else { return }
    var cached: (before: Style, after: Style)?
    for row in area.row..<area.endRow {
      var first = row * columns + area.column
      var end = first + area.columns
      if cells[first].isContinuation { first -= 1 }
      if end < (row + 1) * columns, cells[end].isContinuation { end += 1 }
      for index in first..<end {
        let before = cells[index].style
        if cached?.before != before { cached = (before, change(before)) }
        guard let cached else { continue }
        cells[index].style = cached.after
        if cached.after.background == .clear { isOpaque = false }
      }
    }
  }

  /// Returns whether both surfaces have the same size and equal cells.
  public static func == (one: Surface, other: Surface) -> Bool {
    one.size == other.size && one.cells == other.cells
  }

  /// Hashes the size and the cells.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    hasher.combine(cells)
  }

  /// Returns a part of the surface as a new surface. Halves of wide characters at its edges become blanks. Cells
  /// outside of this surface are clear.
  public func cropped(_ rect: CellRect) -> Surface {
    var result = Surface(rect.size)
    result.copy(self, at: CellPoint(column: -rect.column, row: -rect.row))
    return result
  }
}

extension Surface {
  /// Replaces cells by those of another surface, including its clear cells.
  ///
  /// - Parameters:
  ///   - source: The other surface.
  ///   - point: The position of its top left cell, which can be outside this surface.
  ///   - clip: The rectangle in which cells are changed, or `nil` for the whole surface.
  public mutating func copy(_ source: Surface, at point: CellPoint = .zero, clippedTo clip: CellRect? = nil) {
    if !source.isOpaque { isOpaque = false }
    transfer(source, at: point, clippedTo: clip) { below, above, count in below.update(from: above, count: count) }
  }

  /// Draws another surface over this one. Its clear cells do not change anything, and its clear backgrounds keep the
  /// existing background.
  ///
  /// - Parameters:
  ///   - source: The other surface.
  ///   - point: The position of its top left cell, which can be outside this surface.
  ///   - clip: The rectangle in which cells are changed, or `nil` for the whole surface.
  public mutating func overlay(_ source: Surface, at point: CellPoint = .zero, clippedTo clip: CellRect? = nil) {
    guard !source.isOpaque else {
      copy(source, at: point, clippedTo: clip)
      return
    }
    transfer(source, at: point, clippedTo: clip) { below, above, count in
      var offset = 0
      while offset < count {
        below[offset] = above[offset].over(below[offset])
        offset += 1
      }
    }
  }

  /// Calls a function for each row of overlapping cells, and keeps wide characters intact.
  ///
  /// - Parameters:
  ///   - source: The other surface.
  ///   - point: The position of its top left cell.
  ///   - clip: The rectangle in which cells are changed, or `nil` for the whole surface.
  ///   - merge: Changes cells of this surface, given the same number of cells of the other one.
  mutating func transfer(
    _ source: Surface, at point: CellPoint, clippedTo clip: CellRect?,
    _ merge: (_ below: UnsafeMutablePointer<Cell>, _ above: UnsafePointer<Cell>, _ count: Int) -> Void
  ) {
    let area = meeting(source, at: point, clippedTo: clip)
    if source.mayHoldWide { mayHoldWide = true }
    let (columns, mayHoldWide, count) = (columns, mayHoldWide, area.columns)
    cells.withUnsafeMutableBufferPointer { cells in
      source.cells.withUnsafeBufferPointer { others in
        guard !area.isEmpty, let cells = cells.baseAddress, let others = others.baseAddress else { return }
        for row in area.row..<area.endRow {
          let below = cells + (row * columns + area.column)
          let above = others + ((row - point.row) * source.columns + area.column - point.column)
          var (first, last) = (below[0], below[count - 1])
          merge(below, above, count)
          guard mayHoldWide else { continue }
          if above[0].isContinuation {
            withUnsafePointer(to: above[0].asBlank) { merge(&first, $0, 1) }
            below[0] = first
          }
          if above[count - 1].isWide {
            withUnsafePointer(to: above[count - 1].asBlank) { merge(&last, $0, 1) }
            below[count - 1] = last
          }
          Surface.repairWideCharacters(cells + row * columns, columns: columns, from: area.column, to: area.endColumn)
        }
      }
    }
  }

  /// Returns the cells of this surface that another one overlaps.
  private func meeting(_ source: Surface, at point: CellPoint, clippedTo clip: CellRect?) -> CellRect {
    (clip ?? bounds).intersection(bounds)
      .intersection(CellRect(source.size).offset(columns: point.column, rows: point.row))
  }

  /// Replaces halves of wide characters that have lost their other half by blanks.
  private static func repairWideCharacters(
    _ row: UnsafeMutablePointer<Cell>, columns: Int, from first: Int, to end: Int
  ) {
    for column in max(0, first - 1)..<min(columns, end + 1) {
      switch row[column].width {
      case 1: continue
      case 2: if column + 1 < columns, row[column + 1].width == 0 { continue }
      default: if column > 0, row[column - 1].width == 2 { continue }
      }
      row[column] = row[column].asBlank
    }
  }
}

extension Cell {
  /// Returns this cell drawn over another one with full opacity.
  @inline(__always)
  func over(_ below: Cell) -> Cell {
    if glyph == .none {
      guard background != .clear else { return below }
      return Cell(glyph: .blank, foreground: foreground, background: background, attributes: attributes)
    }
    var result = self
    if background == .clear { result.background = below.background }
    return result
  }
}

extension Surface {
  /// Returns the number of rows by which the content has moved down since another surface of the same size, or `nil` if
  /// it has not scrolled.
  ///
  /// The distance is guessed from a few rows and then verified: at least half of the rows that can come from the other
  /// surface must be equal.
  func rowsScrolled(since before: Surface) -> Int? {
    guard size == before.size, rows > 2 else { return nil }
    return cells.withUnsafeBufferPointer { new in
      before.cells.withUnsafeBufferPointer { old in
        // Compares rows in different parts of the surface, because the first and last ones may have disappeared.
        for probe in [rows / 2, rows / 4, 3 * rows / 4] {
          guard !isPlainRow(old, probe) else { continue }
          for distance in 1..<rows {
            for shift in [-distance, distance] where probe + shift >= 0 && probe + shift < rows {
              if isSameRow(old, probe, new, probe + shift), isScrolled(old, new, by: shift) { return shift }
            }
          }
        }
        return nil
      }
    }
  }

  private func isScrolled(_ old: UnsafeBufferPointer<Cell>, _ new: UnsafeBufferPointer<Cell>, by shift: Int) -> Bool {
    var same = 0
    let first = max(0, -shift)
    let end = min(rows, rows - shift)
    for row in first..<end where isSameRow(old, row, new, row + shift) { same += 1 }
    return 2 * same >= end - first
  }

  private func isSameRow(
    _ old: UnsafeBufferPointer<Cell>, _ oldRow: Int, _ new: UnsafeBufferPointer<Cell>, _ newRow: Int
  ) -> Bool {
    let from = oldRow * columns
    let to = newRow * columns
    for column in 0..<columns where old[from + column] != new[to + column] { return false }
    return true
  }

  /// Returns whether all cells of a row are equal, so that its previous position cannot be determined.
  private func isPlainRow(_ cells: UnsafeBufferPointer<Cell>, _ row: Int) -> Bool {
    let first = row * columns
    for column in 1..<max(1, columns) where cells[first + column] != cells[first] { return false }
    return true
  }

  /// Draws text in a row.
  ///
  /// Control characters are replaced by visible symbols, and characters that are invisible or would change the order of
  /// text are omitted. A background of ``Colour/clear`` keeps the existing background. A wide character that fits only
  /// half is drawn as a blank.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - point: The cell of the first character, which can be outside this surface.
  ///   - style: The style of the text.
  ///   - clip: The rectangle in which cells are changed, or `nil` for the whole surface.
  /// - Returns: The width of the whole text in columns, even if it was clipped.
  @discardableResult
  public mutating func draw(
    _ text: some StringProtocol, at point: CellPoint, style: Style = .plain, clippedTo clip: CellRect? = nil
  ) -> Int {
    let area = (clip ?? bounds).intersection(bounds)
    let isVisible = point.row >= area.row && point.row < area.endRow && !area.isEmpty
    let text = Substring(text)
    if let width = drawAscii(text, at: point, style: style, in: isVisible ? area : .zero) { return width }
    var column = point.column
    for cluster in Clusters(text.unicodeScalars) {
      if isVisible {
        place(
          cluster.glyph, width: cluster.width, column: column, row: point.row, style: style, from: area.column,
          to: area.endColumn)
      }
      column += cluster.width
    }
    return column - point.column
  }

  /// Draws text that consists of visible ASCII, where each byte is a cell. Returns `nil` without drawing for any other
  /// text.
  private mutating func drawAscii(
    _ text: Substring, at point: CellPoint, style: Style, in area: CellRect
  ) -> Int? {
    text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      guard bytes.isVisibleAscii else { return nil }
      let first = max(point.column, area.column)
      let end = min(point.column + bytes.count, area.endColumn)
      guard first < end, !area.isEmpty else { return bytes.count }
      if mayHoldWide {
        separate(row: point.row, at: first)
        separate(row: point.row, at: end)
      }
      let start = point.row * columns
      var cell = Cell(.blank, style: style)
      cells.withUnsafeMutableBufferPointer { cells in
        for column in first..<end {
          cell.glyph = Glyph(bits: UInt32(bytes[column - point.column]))
          if style.background == .clear { cell.background = cells[start + column].background }
          cells[start + column] = cell
        }
      }
      return bytes.count
    } ?? nil
  }

  /// Draws a glyph in a row, within columns of the surface.
  @inline(__always)
  mutating func place(
    _ glyph: Glyph, width: Int, column: Int, row: Int, style: Style, from first: Int, to end: Int
  ) {
    let last = column + width
    guard last > first, column < end else { return }
    let isWhole = column >= first && last <= end
    if width == 2 { mayHoldWide = true }
    separate(row: row, at: max(column, first))
    separate(row: row, at: min(last, end))
    for each in max(column, first)..<min(last, end) {
      let index = row * columns + each
      let background = style.background == .clear ? cells[index].background : style.background
      cells[index] = Cell(
        glyph: isWhole ? (each == column ? glyph : .continuation) : .blank, foreground: style.foreground,
        background: background, attributes: style.attributes,
        width: isWhole ? (each == column ? UInt8(width) : 0) : 1, linkNumber: style.link?.number ?? 0)
    }
  }

  /// Returns the text of a row, including trailing blanks. Clear cells are spaces.
  public func text(ofRow row: Int) -> String {
    guard row >= 0, row < rows else { return "" }
    var bytes: [UInt8] = []
    for index in row * columns..<(row + 1) * columns {
      if cells[index].glyph == .none {
        bytes.append(0x20)
      } else {
        cells[index].glyph.appendUTF8(to: &bytes)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text of all rows.
  public var textRows: [String] { (0..<rows).map { text(ofRow: $0) } }

  /// Blends another surface over this one.
  ///
  /// If both have visible glyphs in a cell, the one with the higher opacity is drawn. Glyphs that are being covered
  /// fade out.
  ///
  /// - Parameters:
  ///   - source: The other surface.
  ///   - point: The position of its top left cell, which can be outside this surface.
  ///   - clip: The rectangle in which cells are changed, or `nil` for the whole surface.
  ///   - opacity: From 0, which draws nothing, to 1, which is the same as ``overlay(_:at:clippedTo:)``.
  ///   - fading: How partially transparent content is drawn.
  public mutating func blend(
    _ source: Surface, at point: CellPoint = .zero, clippedTo clip: CellRect? = nil, opacity: Double, fading: Fading
  ) {
    guard opacity > 0 else { return }
    guard opacity < 1 else {
      overlay(source, at: point, clippedTo: clip)
      return
    }
    switch fading {
    case .blend(let page):
      let mixer = ColourMixer(page: page, opacity: opacity)
      transfer(source, at: point, clippedTo: clip) { below, above, count in
        mixer.mix(above, over: below, count: count)
      }
    case .ramp(let ramp):
      var fader = RampFader(ramp: ramp, opacity: opacity)
      transfer(source, at: point, clippedTo: clip) { below, above, count in
        for offset in 0..<count { below[offset] = fader.fade(above[offset], over: below[offset]) }
      }
    }
  }

  /// Fills a panel whose edges may be inside cells. Partly covered cells are drawn in eighths if they contain no text.
  /// Otherwise, cells are filled if at least half of them is covered.
  mutating func fillSoftly(_ frame: Rect, with fill: Colour, page: PageColours, clippedTo clip: CellRect) {
    let area = frame.cells.intersection(clip).intersection(bounds)
    let left = Edge(frame.x)
    let right = Edge(frame.maxX)
    let top = Edge(frame.y)
    let bottom = Edge(frame.maxY)
    let isSoft = fill != .default && (left.eighths + right.eighths + top.eighths + bottom.eighths) > 0
    guard isSoft, right.cell > left.cell, bottom.cell > top.cell else {
      self.fill(area, with: Cell(background: fill))
      return
    }
    let inner = CellRect(
      column: left.firstWhole, row: top.firstWhole, columns: right.cell - left.firstWhole,
      rows: bottom.cell - top.firstWhole
    ).intersection(clip)
    self.fill(inner, with: Cell(background: fill))
    // If a corner is inside a cell, two edges partly cover that cell, but only one of them can be drawn. The cell is
    // omitted if less than half of it is covered, so that the panel looks rounded.
    func columns(_ height: Int) -> Range<Int> {
      let first = left.eighths > 0 && (8 - left.eighths) * height < 32 ? left.cell + 1 : left.cell
      return first..<max(first, right.eighths * height >= 32 ? right.cell + 1 : right.cell)
    }
    if top.eighths > 0 {
      let height = 8 - top.eighths
      for column in columns(height) { edge(column, top.cell, .lower(height), fill, page, clip) }
    }
    if bottom.eighths > 0 {
      for column in columns(bottom.eighths) {
        edge(column, bottom.cell, .upper(bottom.eighths), fill, page, clip)
      }
    }
    let rows = top.firstWhole..<max(top.firstWhole, bottom.cell)
    if left.eighths > 0 {
      for row in rows { edge(left.cell, row, .right(8 - left.eighths), fill, page, clip) }
    }
    if right.eighths > 0 {
      for row in rows { edge(right.cell, row, .left(right.eighths), fill, page, clip) }
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
  private enum Coverage {
    case lower(Int), upper(Int), left(Int), right(Int)
  }

  private mutating func edge(
    _ column: Int, _ row: Int, _ coverage: Coverage, _ fill: Colour, _ page: PageColours, _ clip: CellRect
  ) {
    guard clip.contains(CellPoint(column: column, row: row)), bounds.contains(CellPoint(column: column, row: row))
    else { return }
    let below = self[column, row]
    let background = below.background.rgbNumber.map(Colour.hex) ?? .hex(page.background)
    // There are only blocks that start at the bottom or at the left. The others are drawn inverted.
    let (first, eighths, isInverted): (UInt32, Int, Bool) =
      switch coverage {
      case .lower(let count): (0x2580 + UInt32(count), count, false)
      case .upper(let count): (0x2580 + UInt32(8 - count), count, true)
      case .left(let count): (0x2590 - UInt32(count), count, false)
      case .right(let count): (0x2590 - UInt32(8 - count), count, true)
      }
    guard below.glyph.isBlank, !below.isContinuation, !below.attributes.contains(.reverse), below.background != .clear
    else {
      if eighths >= 4 { self[column, row] = Cell(background: fill) }
      return
    }
    self[column, row] = Cell(
      Glyph(bits: first),
      style: Style(foreground: isInverted ? background : fill, background: isInverted ? fill : below.background))
  }
}
