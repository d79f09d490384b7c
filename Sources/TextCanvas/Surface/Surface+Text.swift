extension Surface {
  /// Writes a text on one row.
  ///
  /// Text is data: control characters become visible pictures of themselves, and what is invisible or would change the
  /// order of text is left out. A background of `clear` keeps the background that is there. A wide character that does
  /// not fit is a blank in the column where half of it would stand.
  ///
  /// - Parameters:
  ///   - text: What to write.
  ///   - point: The cell of its first character; may lie outside.
  ///   - style: How to write it.
  ///   - clip: Only cells in it are changed; the whole surface by default.
  /// - Returns: The columns that the whole text takes, also where it was clipped.
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

  /// Writes a text of nothing but visible ASCII, where every byte is a cell; `nil`, and nothing done, for any other.
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

  /// Writes one glyph in a row, within columns that lie on the surface.
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

  /// The text of a row, a clear cell as a space; trailing blanks are kept.
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

  /// The texts of all rows.
  public var textRows: [String] { (0..<rows).map { text(ofRow: $0) } }
}
