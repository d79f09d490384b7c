import TestSupport
import TextCanvas

extension SplitMix64 {
  /// Fragments of text of each kind, which a surface must not split.
  static let pieces = [
    "a", "word", " ", "  ", "é", "e\u{301}", "日", "日本語", "한글", "\u{1112}\u{1161}\u{11AB}", "👩🏽‍💻", "🇬🇧", "❤\u{FE0F}",
    "1\u{FE0F}\u{20E3}",
    "…", "─", "╭", "▌", "\u{1B}", "\u{202E}", "\u{200B}", "\u{301}", "क्षि", "ไทย", "\t", "-", "/", "“q”", "。", "\u{A0}",
  ]

  /// Returns a text of at most `count` fragments.
  mutating func text(pieces count: Int) -> String {
    (0..<Int.random(in: 0...count, using: &self)).map { _ in Self.pieces.randomElement(using: &self) ?? "" }.joined()
  }

  /// Returns a style with few possible colours, so that adjacent cells often have the same style.
  mutating func style() -> Style {
    let colours: [Colour] = [.default, .clear, .indexed(4), .hex(0xB8A6F5), .hex(0x16181D)]
    return Style(
      foreground: colours.randomElement(using: &self) ?? .default,
      background: colours.randomElement(using: &self) ?? .clear,
      attributes: Attributes(rawValue: UInt8.random(in: 0..<64, using: &self)))
  }

  /// Returns a position on or near a surface of the given size.
  mutating func point(near size: CellSize) -> CellPoint {
    CellPoint(
      column: Int.random(in: -4...size.columns + 1, using: &self), row: Int.random(in: -1...size.rows, using: &self))
  }

  /// Returns a rectangle on or near a surface of the given size.
  mutating func rect(near size: CellSize) -> CellRect {
    let corner = point(near: size)
    return CellRect(
      column: corner.column, row: corner.row, columns: Int.random(in: 0...size.columns, using: &self),
      rows: Int.random(in: 0...size.rows, using: &self))
  }

  /// Returns a surface with text at random positions.
  mutating func surface(columns: Int, rows: Int) -> Surface {
    var surface = Surface(columns: columns, rows: rows, filledWith: Bool.random(using: &self) ? .clear : .blank)
    for _ in 0..<Int.random(in: 0...2 * rows, using: &self) {
      surface.draw(text(pieces: 8), at: point(near: surface.size), style: style())
    }
    return surface
  }
}

extension Surface {
  /// Describes the first half of a wide character without its other half, the first wrong width, or the first text that
  /// must not reach a terminal.
  var firstFlaw: String? {
    for row in 0..<rows {
      for column in 0..<columns {
        let cell = self[column, row]
        let next = column + 1 < columns ? self[column + 1, row] : nil
        if cell.isWide && next?.isContinuation != true { return "half of a wide character at \(column), \(row)" }
        if cell.isContinuation && (column == 0 || !self[column - 1, row].isWide) {
          return "other half of a wide character at \(column), \(row)"
        }
        if cell.glyph != .none, cell.glyph.displayWidth != Int(cell.width) {
          return "\(cell.glyph) in \(cell.width) columns at \(column), \(row)"
        }
        let scalars = cell.glyph.text.unicodeScalars
        if scalars.count > 12 { return "\(scalars.count) scalars at \(column), \(row)" }
        if let bad = scalars.first(where: { $0.isCommand }) {
          return "U+\(String(bad.value, radix: 16)) at \(column), \(row)"
        }
      }
    }
    return nil
  }
}

extension Unicode.Scalar {
  /// Whether the scalar would control a terminal or change the order of text.
  var isCommand: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
    default: false
    }
  }
}
