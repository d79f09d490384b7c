package import Pictures
import TextCanvas

/// How everything looks: the colours and the signs.
package struct Appearance: Sendable {
  /// The style of each role.
  package var theme: Theme
  /// The signs that are not letters.
  package var symbols: Symbols

  /// The pixels of a cell, where pictures are drawn; `nil` where only their descriptions are shown.
  package var pictureCell: CellPixels?

  /// The longest line of running text, in columns.
  package var measure: Int

  /// Makes an appearance.
  package init(
    theme: Theme, symbols: Symbols, pictureCell: CellPixels? = nil, measure: Int = ReadingLayout.longestMeasure
  ) {
    self.theme = theme
    self.symbols = symbols
    self.pictureCell = pictureCell
    self.measure = measure
  }

  /// What becomes of pictures on a terminal of so many rows.
  ///
  /// Half blocks need their sign and more than sixteen colours.
  package func pictures(rows: Int) -> PictureStyle {
    guard let pictureCell, theme.depth.isRich, !symbols.isAscii else { return .frames }
    return .drawn(rows: max(1, rows * 3 / 5), cell: pictureCell)
  }
}

extension ColourDepth {
  /// Whether there are colours enough for pictures.
  fileprivate var isRich: Bool { self == .truecolor || self == .indexed }
}

/// How pictures are shown, where somebody says so.
package enum PictureWay: String, CaseIterable, Hashable, Sendable {
  /// By their descriptions.
  case none
  /// In half blocks.
  case blocks
  /// With sixels, where the terminal answers that it has them.
  case sixel
  /// By kitty's protocol, where the terminal answers that it has it.
  case kitty
}
