import VTerm

/// A colour as the emulator keeps it.
public enum ShownColour: Hashable, Sendable, CustomStringConvertible {
  /// The terminal's own foreground or background.
  case `default`
  /// One of the palette's 256.
  case indexed(Int)
  /// Red, green and blue, each 0…255.
  case rgb(Int, Int, Int)

  /// The words for a failed expectation.
  public var description: String {
    switch self {
    case .default: "default"
    case .indexed(let index): "\(index)"
    case .rgb(let red, let green, let blue): "\(red),\(green),\(blue)"
    }
  }
}

/// What the emulator shows in one cell.
public struct ShownCell: Hashable, Sendable, CustomStringConvertible {
  /// The cluster of the cell; a space when there is none; empty in the right half of a wide character.
  public var text: String
  /// Columns the character takes: 1 or 2, and 0 for the right half of a wide one.
  public var width: Int
  /// The colour of the text.
  public var foreground = ShownColour.default
  /// The colour behind it.
  public var background = ShownColour.default
  /// Bold (SGR 1).
  public var isBold = false
  /// Faint (SGR 2). libvterm does not tell.
  public var isFaint = false
  /// Italic (SGR 3).
  public var isItalic = false
  /// 0 none, 1 single, 2 double, 3 curly (SGR 4).
  public var underline = 0
  /// Blinking (SGR 5).
  public var isBlinking = false
  /// Foreground and background exchanged (SGR 7).
  public var isReversed = false
  /// Struck through (SGR 9).
  public var isStruck = false

  /// Makes a cell of plain text.
  public init(_ text: String, width: Int = 1) {
    self.text = text
    self.width = width
  }

  /// The right half of a wide character.
  public static let continuation = ShownCell("", width: 0)

  /// The words for a failed expectation.
  public var description: String {
    var marks = ""
    if isBold { marks += " bold" }
    if isFaint { marks += " faint" }
    if isItalic { marks += " italic" }
    if underline > 0 { marks += " underline\(underline)" }
    if isBlinking { marks += " blink" }
    if isReversed { marks += " reverse" }
    if isStruck { marks += " struck" }
    return "'\(text)'(\(foreground) on \(background)\(marks))"
  }
}

extension ShownCell {
  init(_ cell: VTermScreenCell) {
    self.init(Self.text(of: cell), width: Int(cell.width))
    foreground = ShownColour(cell.fg)
    background = ShownColour(cell.bg)
    isBold = cell.attrs.bold != 0
    isItalic = cell.attrs.italic != 0
    underline = Int(cell.attrs.underline)
    isBlinking = cell.attrs.blink != 0
    isReversed = cell.attrs.reverse != 0
    isStruck = cell.attrs.strike != 0
  }

  private static func text(of cell: VTermScreenCell) -> String {
    // Most cells have one scalar, and millions of cells are looked at.
    if cell.chars.1 == 0 { return Unicode.Scalar(cell.chars.0).flatMap { $0.value == 0 ? nil : String($0) } ?? " " }
    let scalars = withUnsafeBytes(of: cell.chars) { raw in
      raw.bindMemory(to: UInt32.self).prefix { $0 != 0 && $0 != .max }.compactMap(Unicode.Scalar.init)
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return text.isEmpty ? " " : String(text)
  }
}

extension ShownColour {
  init(_ colour: VTermColor) {
    if colour.type & UInt8(VTERM_COLOR_DEFAULT_MASK.rawValue) != 0 {
      self = .default
    } else if colour.type & UInt8(VTERM_COLOR_TYPE_MASK.rawValue) == UInt8(VTERM_COLOR_INDEXED.rawValue) {
      self = .indexed(Int(colour.indexed.idx))
    } else {
      self = .rgb(Int(colour.rgb.red), Int(colour.rgb.green), Int(colour.rgb.blue))
    }
  }
}
