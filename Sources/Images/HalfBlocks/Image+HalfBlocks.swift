public import TextCanvas

extension PixelImage {
  /// Draws the image with half blocks, two pixels per cell: `▀` with the upper pixel as foreground and the lower one as
  /// background.
  ///
  /// - Parameters:
  ///   - columns: The number of columns to fill.
  ///   - rows: The number of rows to fill. `fit(columns:rows:)` returns a size that keeps the aspect ratio.
  ///   - background: The colour of the page behind transparent pixels. If it is `default` or `clear`, the colour is
  ///     unknown and transparent pixels remain clear.
  ///   - depth: The colours of the terminal: `truecolor` or `indexed`. With fewer colours, images cannot be recognised.
  public func halfBlocks(
    columns: Int, rows: Int, background: Colour = .default, depth: ColourDepth = .truecolor
  ) -> Surface {
    var surface = Surface(columns: columns, rows: rows)
    guard columns > 0, rows > 0 else { return surface }
    // If the colour of the page is known, it is applied before scaling, so that edges are blended with it.
    let page = background.rgbNumber == nil ? self : composited(over: background)
    let scaled = page.scaled(toWidth: columns, height: 2 * rows).composited(over: background)
    let (upperHalf, lowerHalf) = (Glyph("▀"), Glyph("▄"))
    for row in 0..<rows {
      for column in 0..<columns {
        let upper = scaled.colour(column, 2 * row)?.limited(to: depth)
        let lower = scaled.colour(column, 2 * row + 1)?.limited(to: depth)
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

  /// Returns the colour of a pixel, or `nil` if it is transparent.
  private func colour(_ column: Int, _ row: Int) -> Colour? {
    let offset = 4 * (row * width + column)
    guard pixels[offset + 3] > 0 else { return nil }
    return .rgb(pixels[offset], pixels[offset + 1], pixels[offset + 2])
  }
}
