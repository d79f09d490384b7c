import VTerm

/// A colour in the emulator.
public enum ShownColour: Hashable, Sendable, CustomStringConvertible {
  /// The terminal's default foreground or background.
  case `default`
  /// One of the 256 colours of the palette.
  case indexed(Int)
  /// Red, green and blue, each 0…255.
  case rgb(Int, Int, Int)

  /// The description in failure messages.
  public var description: String {
    switch self {
    case .default: "default"
    case .indexed(let index): "\(index)"
    case .rgb(let red, let green, let blue): "\(red),\(green),\(blue)"
    }
  }
}

/// The content of a cell in the emulator.
public struct ShownCell: Hashable, Sendable, CustomStringConvertible {
  /// The cluster in the cell. A space if the cell is empty, and an empty text in the right half of a wide character.
  public var text: String
  /// The width of the character: 1 or 2, or 0 for the right half of a wide one.
  public var width: Int
  /// The foreground colour.
  public var foreground = ShownColour.default
  /// The background colour.
  public var background = ShownColour.default
  /// Bold (SGR 1).
  public var isBold = false
  /// Faint (SGR 2). libvterm does not report it.
  public var isFaint = false
  /// Italic (SGR 3).
  public var isItalic = false
  /// Underline (SGR 4): 0 none, 1 single, 2 double, 3 curly.
  public var underline = 0
  /// Blinking (SGR 5).
  public var isBlinking = false
  /// Foreground and background exchanged (SGR 7).
  public var isReversed = false
  /// Strikethrough (SGR 9).
  public var isStruck = false

  /// Creates a cell of plain text.
  public init(_ text: String, width: Int = 1) {
    self.text = text
    self.width = width
  }

  /// The right half of a wide character.
  public static let continuation = ShownCell("", width: 0)

  /// The description in failure messages.
  public var description: String {
    var attributes = ""
    if isBold { attributes += " bold" }
    if isFaint { attributes += " faint" }
    if isItalic { attributes += " italic" }
    if underline > 0 { attributes += " underline\(underline)" }
    if isBlinking { attributes += " blink" }
    if isReversed { attributes += " reverse" }
    if isStruck { attributes += " struck" }
    return "'\(text)'(\(foreground) on \(background)\(attributes))"
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
    // Most cells have one scalar, and tests read millions of cells.
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
