public import TextCanvas

/// Draws a surface as lines of text with the escape sequences of colours and attributes, for `cat` and for pagers.
///
/// No cursor movement. Every row ends without colours, so that a line feed carries no background along, and the text
/// ends in a reset.
///
/// Source: ECMA-48, section 8.3.117 (select graphic rendition); ISO 8613-6 for `38;2` and `38;5`.
public struct AnsiDrawing: Sendable {
  /// The colours that are used; others become the nearest of these.
  public var depth: ColourDepth
  /// Whether plain blanks at the end of rows are kept.
  public var keepsTrailingBlanks: Bool

  /// Makes a drawing.
  public init(depth: ColourDepth = .truecolor, keepsTrailingBlanks: Bool = false) {
    self.depth = depth
    self.keepsTrailingBlanks = keepsTrailingBlanks
  }

  /// Draws a surface.
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

  /// What of a cell's style a terminal of this depth can show.
  private func rendition(of cell: Cell) -> Style {
    var style = cell.style
    style.link = nil
    style.foreground = style.foreground == .clear ? .default : style.foreground.limited(to: depth)
    style.background = style.background == .default ? .clear : style.background.limited(to: depth)
    if depth == .none { style.background = .clear }
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

/// The escape sequences that change the pen.
enum GraphicRendition {
  static let reset = "\u{1B}[0m"

  private static let codes: [(attribute: Attributes, on: String)] = [
    (.bold, "1"), (.faint, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"), (.strikethrough, "9"),
  ]

  /// The sequence that turns one pen into another: only what differs, or a reset first where that is shorter.
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

/// Draws a surface as plain text: its rows, each ended by a line feed.
///
/// What a surface shows is harmless (no control character can be in a cell), so the text may go anywhere.
public struct PlainTextDrawing: Sendable {
  /// Whether blanks at the end of rows are kept, so that every row has the surface's width.
  public var keepsTrailingBlanks: Bool

  /// Makes a drawing.
  public init(keepsTrailingBlanks: Bool = false) {
    self.keepsTrailingBlanks = keepsTrailingBlanks
  }

  /// Draws a surface.
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
