package import Images
import TextCanvas

/// The colours and symbols of the screen, the maximum line length of texts, and the size of a cell for images.
package struct Appearance: Sendable {
  package var theme: Theme
  /// The symbols for frames, markers and keys.
  package var symbols: Symbols

  /// The size of a cell in pixels, or `nil` if images are shown by their descriptions only.
  package var imageCellSize: CellPixels?

  /// The maximum width of running text, in columns.
  package var measure: Int

  package init(
    theme: Theme, symbols: Symbols, imageCellSize: CellPixels? = nil, measure: Int = ReadingLayout.maximumLineLength
  ) {
    self.theme = theme
    self.symbols = symbols
    self.imageCellSize = imageCellSize
    self.measure = measure
  }

  /// Returns how images are drawn on a terminal with this many rows.
  ///
  /// An image takes at most three fifths of the rows. If the terminal has at most 16 colours, or the symbols are ASCII,
  /// images are replaced by frames with their descriptions.
  package func imageStyle(rows: Int) -> ImageStyle {
    guard let imageCellSize, theme.colourDepth.isRich, !symbols.isAscii else { return .frames }
    return .drawn(rows: max(1, rows * 3 / 5), cell: imageCellSize)
  }
}

extension ColourDepth {
  /// Whether the depth has enough colours for images.
  fileprivate var isRich: Bool { self == .truecolor || self == .indexed }
}

/// The image protocols that the setting `imageStyle` can force. For the setting's default, `auto`, the value is `nil`.
package enum ImageRenderingMode: String, CaseIterable, Hashable, Sendable {
  /// Descriptions only.
  case none
  /// Half-block characters.
  case blocks
  /// Sixels, if the terminal reports support.
  case sixel
  /// The kitty graphics protocol, if the terminal reports support.
  case kitty
}
