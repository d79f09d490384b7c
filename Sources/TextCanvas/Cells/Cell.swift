/// One cell of a surface: sixteen bytes, copied without counting references.
public struct Cell: Hashable, Sendable {
  /// What stands in it.
  public var glyph: Glyph
  /// The ink.
  public var foreground: Colour
  /// What is behind the ink.
  public var background: Colour
  /// Weight, slant and lines.
  public var attributes: Attributes
  /// Columns that the glyph takes: 1, 2 for the first half of a wide character, 0 for its second half.
  public internal(set) var width: UInt8
  /// The number of its link in the table of links; 0 where there is none.
  package var linkNumber: UInt16

  /// Nothing: what lies below shows through.
  public static let clear = Cell(glyph: .none, foreground: .default, background: .clear, attributes: [])

  /// A blank on the terminal's own page: what lies below is covered.
  public static let blank = Cell(glyph: .blank, foreground: .default, background: .default, attributes: [])

  init(
    glyph: Glyph, foreground: Colour, background: Colour, attributes: Attributes, width: UInt8 = 1,
    linkNumber: UInt16 = 0
  ) {
    self.glyph = glyph
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
    self.width = width
    self.linkNumber = linkNumber
  }

  /// Makes a cell of a glyph of one column; a wide glyph is drawn with `Surface.draw`, which places both halves.
  public init(_ glyph: Glyph, style: Style = .plain) {
    self.init(
      glyph: glyph.displayWidth == 1 ? glyph : .replacement, foreground: style.foreground,
      background: style.background, attributes: style.attributes, linkNumber: style.link?.number ?? 0)
  }

  /// Makes a blank of a colour.
  public init(background: Colour) {
    self.init(glyph: .blank, foreground: .default, background: background, attributes: [])
  }

  /// Colours, attributes and link.
  public var style: Style {
    get {
      Style(
        foreground: foreground, background: background, attributes: attributes, link: Hyperlink(number: linkNumber))
    }
    set {
      foreground = newValue.foreground
      background = newValue.background
      attributes = newValue.attributes
      linkNumber = newValue.link?.number ?? 0
    }
  }

  /// Whether it is the first half of a wide character.
  public var isWide: Bool { width == 2 }

  /// Whether it is the second half of a wide character.
  public var isContinuation: Bool { width == 0 }

  /// Whether it shows nothing and covers nothing.
  public var isClear: Bool { glyph == .none && background == .clear }

  /// Whether it covers what lies below wholly.
  @inline(__always) var isOpaque: Bool { glyph != .none && background != .clear }

  /// The cell that is left where half of a wide character was covered: a blank with the same style.
  var asBlank: Cell {
    Cell(
      glyph: .blank, foreground: foreground, background: background, attributes: attributes, width: 1,
      linkNumber: linkNumber)
  }
}
