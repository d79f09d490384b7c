/// A cell of a surface. It takes sixteen bytes, and copying it needs no reference counting.
public struct Cell: Hashable, Sendable {
  /// The character in the cell.
  public var glyph: Glyph
  /// The foreground colour.
  public var foreground: Colour
  /// The background colour.
  public var background: Colour
  /// The text attributes.
  public var attributes: Attributes
  /// The width of the glyph in columns: 1, 2 for the first half of a wide character, 0 for its second half.
  public internal(set) var width: UInt8
  /// The number of the link in the table of links, or 0.
  package var linkNumber: UInt16

  /// An empty cell, which shows the content below it.
  public static let clear = Cell(glyph: .none, foreground: .default, background: .clear, attributes: [])

  /// A blank cell in the terminal's default colours, which hides the content below it.
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

  /// Creates a cell with a glyph of one column. A wide glyph becomes ``Glyph/replacement``. Draw wide glyphs with
  /// `Surface.draw`, which sets both halves.
  ///
  /// - Parameters:
  ///   - glyph: The glyph.
  ///   - style: The colours, attributes and link.
  public init(_ glyph: Glyph, style: Style = .plain) {
    self.init(
      glyph: glyph.displayWidth == 1 ? glyph : .replacement, foreground: style.foreground,
      background: style.background, attributes: style.attributes, linkNumber: style.link?.number ?? 0)
  }

  /// Creates a blank cell with a background colour.
  public init(background: Colour) {
    self.init(glyph: .blank, foreground: .default, background: background, attributes: [])
  }

  /// The colours, attributes and link.
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

  /// Whether the cell is the first half of a wide character.
  public var isWide: Bool { width == 2 }

  /// Whether the cell is the second half of a wide character.
  public var isContinuation: Bool { width == 0 }

  /// Whether the cell shows nothing and hides nothing.
  public var isClear: Bool { glyph == .none && background == .clear }

  /// Whether the cell hides the content below it completely.
  @inline(__always) var isOpaque: Bool { glyph != .none && background != .clear }

  /// A blank with the same style, which replaces half of a wide character whose other half was overwritten.
  var asBlank: Cell {
    Cell(
      glyph: .blank, foreground: foreground, background: background, attributes: attributes, width: 1,
      linkNumber: linkNumber)
  }
}
