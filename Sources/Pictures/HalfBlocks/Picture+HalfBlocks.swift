public import TextCanvas

extension Picture {
  /// Draws this picture with half blocks, two pixels in a cell: `▀` in the colour of the upper one on that of the lower.
  ///
  /// - Parameters:
  ///   - columns: Columns that it is to fill.
  ///   - rows: Rows that it is to fill; `fit(columns:rows:)` gives columns and rows that keep its sides in proportion.
  ///   - background: The page's colour, seen through what is transparent. Over `default` and `clear`, which are not
  ///     known, such pixels are left clear.
  ///   - depth: Colours that the terminal has: `truecolor` or `indexed`; in fewer a picture is not to be recognised.
  public func halfBlocks(
    columns: Int, rows: Int, background: Colour = .default, depth: ColourDepth = .truecolor
  ) -> Surface {
    var surface = Surface(columns: columns, rows: rows)
    guard columns > 0, rows > 0 else { return surface }
    // Over a page that is known first, so that edges are those of the picture on it.
    let page = background.rgbNumber == nil ? self : laid(over: background)
    let small = page.scaled(toWidth: columns, height: 2 * rows).laid(over: background)
    let (upperHalf, lowerHalf) = (Glyph("▀"), Glyph("▄"))
    for row in 0..<rows {
      for column in 0..<columns {
        let upper = small.colour(column, 2 * row)?.limited(to: depth)
        let lower = small.colour(column, 2 * row + 1)?.limited(to: depth)
        surface[column, row] =
          switch (upper, lower) {
          case (let upper?, let lower?) where upper == lower: Cell(background: upper)
          case (let upper?, let lower): Cell(upperHalf, style: Style(foreground: upper, background: lower ?? .clear))
          case (nil, let lower?): Cell(lowerHalf, style: Style(foreground: lower, background: .clear))
          case (nil, nil): .clear
          }
      }
    }
    return surface
  }

  /// The colour of a pixel; `nil` where it is transparent.
  private func colour(_ column: Int, _ row: Int) -> Colour? {
    let offset = 4 * (row * width + column)
    guard pixels[offset + 3] > 0 else { return nil }
    return .rgb(pixels[offset], pixels[offset + 1], pixels[offset + 2])
  }
}
