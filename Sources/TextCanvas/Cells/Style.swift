/// How text is written, apart from its colours.
public struct Attributes: OptionSet, Hashable, Sendable {
  /// One bit for each.
  public let rawValue: UInt8

  /// Makes a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Heavier.
  public static let bold = Attributes(rawValue: 1)
  /// Less bright.
  public static let faint = Attributes(rawValue: 2)
  /// Slanted.
  public static let italic = Attributes(rawValue: 4)
  /// With a line below.
  public static let underline = Attributes(rawValue: 8)
  /// With a line through it.
  public static let strikethrough = Attributes(rawValue: 16)
  /// Foreground and background change places.
  public static let reverse = Attributes(rawValue: 32)
}

/// Everything about how a piece of text looks.
public struct Style: Hashable, Sendable {
  /// The colour of the ink; `clear` counts as `default`.
  public var foreground: Colour
  /// The colour behind the ink; `clear` keeps what is there.
  public var background: Colour
  /// Weight, slant and lines.
  public var attributes: Attributes
  /// Where the text leads, for terminals that know links.
  public var link: Hyperlink?

  /// The terminal's own ink over whatever is there.
  public static let plain = Style()

  /// Makes a style.
  public init(
    foreground: Colour = .default, background: Colour = .clear, attributes: Attributes = [], link: Hyperlink? = nil
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
    self.link = link
  }
}
