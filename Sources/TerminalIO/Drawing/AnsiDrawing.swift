public import TextCanvas

/// Draws a surface as lines of text with escape sequences for colours and attributes, for `cat` and for pagers.
///
/// The text contains no cursor movement. Colours are reset at the end of each row, so that line feeds do not fill with
/// a background colour, and at the end of the text.
///
/// Source: ECMA-48, section 8.3.117 (select graphic rendition); ISO 8613-6 for `38;2` and `38;5`.
public struct AnsiDrawing: Sendable {
  /// The colours that are used. Other colours are replaced by the nearest ones.
  public var colourDepth: ColourDepth
  /// Whether blank cells without colour at the end of rows are included.
  public var keepsTrailingBlanks: Bool

  /// Creates a drawing.
  ///
  /// - Parameters:
  ///   - colourDepth: The colours that are used.
  ///   - keepsTrailingBlanks: Whether blank cells without colour at the end of rows are included.
  public init(colourDepth: ColourDepth = .truecolor, keepsTrailingBlanks: Bool = false) {
    self.colourDepth = colourDepth
    self.keepsTrailingBlanks = keepsTrailingBlanks
  }

  /// Returns a surface as text with escape sequences.
  public func text(of surface: Surface) -> String {
    var bytes: [UInt8] = []
    for row in 0..<surface.rows {
      var pen = Style.plain
      for column in 0..<end(ofRow: row, in: surface) {
        let cell = surface[column, row]
        guard !cell.isContinuation else { continue }
        let style = rendition(of: cell)
        if style != pen {
          bytes.append(contentsOf: GraphicRendition.change(from: pen, to: style).utf8)
          pen = style
        }
        if cell.glyph == .none {
          bytes.append(0x20)
        } else {
          cell.glyph.appendUTF8(to: &bytes)
        }
      }
      if pen != .plain { bytes.append(contentsOf: GraphicRendition.reset.utf8) }
      bytes.append(0x0A)
    }
    bytes.append(contentsOf: GraphicRendition.reset.utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the style of a cell as far as a terminal of this colour depth can show it.
  private func rendition(of cell: Cell) -> Style {
    var style = cell.style
    style.link = nil
    style.foreground = style.foreground == .clear ? .default : style.foreground.limited(to: colourDepth)
    style.background = style.background == .default ? .clear : style.background.limited(to: colourDepth)
    if colourDepth == .none { style.background = .clear }
    return style
  }

  private func end(ofRow row: Int, in surface: Surface) -> Int {
    guard !keepsTrailingBlanks else { return surface.columns }
    var end = surface.columns
    while end > 0 {
      let cell = surface[end - 1, row]
      let lines: Attributes = [.underline, .strikethrough, .reverse]
      let isPlain = cell.glyph.isBlank && !cell.isContinuation && cell.attributes.isDisjoint(with: lines)
      guard isPlain, rendition(of: cell).background == .clear else { break }
      end -= 1
    }
    return end
  }
}

/// The escape sequences that change colours and attributes.
enum GraphicRendition {
  static let reset = "\u{1B}[0m"

  private static let codes: [(attribute: Attributes, on: String)] = [
    (.bold, "1"), (.faint, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"), (.strikethrough, "9"),
  ]

  /// Returns the sequence that changes one style into another. It contains only the differences, after a reset if an
  /// attribute ends.
  static func change(from old: Style, to new: Style) -> String {
    let lost = old.attributes.subtracting(new.attributes)
    let start = lost.isEmpty ? old : .plain
    var parameters = lost.isEmpty ? [] : ["0"]
    for (attribute, on) in codes where new.attributes.subtracting(start.attributes).contains(attribute) {
      parameters.append(on)
    }
    if new.foreground != start.foreground { parameters.append(colour(new.foreground, base: 30)) }
    if new.background != start.background { parameters.append(colour(new.background, base: 40)) }
    return "\u{1B}[\(parameters.joined(separator: ";"))m"
  }

  private static func colour(_ colour: Colour, base: Int) -> String {
    switch colour.kind {
    case .default, .clear: "\(base + 9)"
    case .indexed(let number) where number < 8: "\(base + Int(number))"
    case .indexed(let number) where number < 16: "\(base + 52 + Int(number))"
    case .indexed(let number): "\(base + 8);5;\(number)"
    case .rgb(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
    }
  }
}

/// Draws a surface as plain text. Each row ends with a line feed.
///
/// A surface contains no control characters, so the text can be printed safely.
public struct PlainTextDrawing: Sendable {
  /// Whether blanks at the end of rows are included, so that all rows have the width of the surface.
  public var keepsTrailingBlanks: Bool

  /// Creates a drawing.
  ///
  /// - Parameter keepsTrailingBlanks: Whether blanks at the end of rows are included.
  public init(keepsTrailingBlanks: Bool = false) {
    self.keepsTrailingBlanks = keepsTrailingBlanks
  }

  /// Returns a surface as plain text.
  public func text(of surface: Surface) -> String {
    var bytes: [UInt8] = []
    for row in 0..<surface.rows {
      var length = bytes.count
      for column in 0..<surface.columns {
        let glyph = surface[column, row].glyph
        if glyph == .none {
          bytes.append(0x20)
        } else {
          glyph.appendUTF8(to: &bytes)
        }
        if !glyph.isBlank || keepsTrailingBlanks { length = bytes.count }
      }
      bytes.removeLast(bytes.count - length)
      bytes.append(0x0A)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
