import TextCanvas

/// A surface taken apart into what an SVG file is made of.
struct SvgPicture {
  private(set) var backgrounds = SvgShapes()
  private(set) var blocks = SvgShapes()
  private(set) var lines = SvgShapes()
  private(set) var texts: [SvgText] = []

  init(surface: Surface, theme: SvgDrawing.Theme) {
    for row in 0..<surface.rows {
      for column in 0..<surface.columns {
        let cell = surface[column, row]
        draw(cell, ink: SvgInk(cell, theme: theme), column: column, row: row, page: theme.page.background)
      }
    }
  }

  private mutating func draw(_ cell: Cell, ink: SvgInk, column: Int, row: Int, page: UInt32) {
    typealias Metrics = SvgDrawing.Metrics
    let x = Double(column * Metrics.cellWidth)
    let y = Double(row * Metrics.cellHeight)
    let width = Double(Metrics.cellWidth)
    let height = Double(Metrics.cellHeight)
    if ink.background != page {
      backgrounds.add(SvgRect(x: x, y: y, width: width, height: height), ink: SvgInk(ink.background))
    }
    if cell.attributes.contains(.underline) {
      lines.add(SvgRect(x: x, y: y + Double(Metrics.baseline) + 2, width: width, height: 1), ink: ink)
    }
    if cell.attributes.contains(.strikethrough) {
      lines.add(SvgRect(x: x, y: y + Double(Metrics.baseline) - 5, width: width, height: 1), ink: ink)
    }
    guard !cell.glyph.isBlank else { return }
    if let scalar = cell.glyph.scalar?.value, (0x2500...0x259F).contains(scalar) {
      let box = BoxDrawing(x: x, y: y, width: width, height: height)
      if scalar < 0x2580 {
        box.drawLines(scalar, ink: ink, into: &lines)
      } else {
        box.drawBlock(scalar, ink: ink, into: &blocks)
      }
      return
    }
    let joins = cell.glyph.scalar.map { SvgPicture.isInEveryFont($0) } ?? false
    let isBold = cell.attributes.contains(.bold)
    let isItalic = cell.attributes.contains(.italic)
    if joins, let last = texts.indices.last, texts[last].joins,
      texts[last].continues(column: column, row: row, ink: ink, isBold: isBold, isItalic: isItalic)
    {
      texts[last].extend(to: column, with: cell.glyph.text)
      return
    }
    texts.append(
      SvgText(
        column: column, row: row, columns: Int(cell.width), text: cell.glyph.text, ink: ink, isBold: isBold,
        isItalic: isItalic, joins: joins))
  }

  /// Whether a monospaced font surely has a scalar, so that it may share a run with its neighbours; others may come
  /// from a font of other widths and are placed one by one.
  private static func isInEveryFont(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x21...0x24F, 0x370...0x3FF, 0x400...0x45F, 0x2010...0x2027, 0x2030...0x203A: true
    default: false
    }
  }
}

/// What a shape or a text is drawn with.
struct SvgInk: Hashable {
  /// The colour, `0xRRGGBB`.
  var colour: UInt32
  /// What is behind it.
  var background: UInt32
  /// In hundredths.
  var opacity: Int

  init(_ colour: UInt32) {
    self.colour = colour
    background = colour
    opacity = 100
  }

  init(_ cell: Cell, theme: SvgDrawing.Theme) {
    func number(_ colour: Colour, _ known: UInt32) -> UInt32 {
      if case .indexed(let index) = colour.kind, Int(index) < min(16, theme.palette.count) {
        return theme.palette[Int(index)]
      }
      return colour.rgbNumber ?? known
    }
    colour = number(cell.foreground, theme.page.foreground)
    background = number(cell.background, theme.page.background)
    if cell.attributes.contains(.reverse) { swap(&colour, &background) }
    opacity = cell.attributes.contains(.faint) ? 60 : 100
  }
}

/// A run of text in one row.
struct SvgText {
  let column: Int
  let row: Int
  private(set) var columns: Int
  private(set) var text: String
  let ink: SvgInk
  let isBold: Bool
  let isItalic: Bool
  /// Whether characters beside it may join it.
  let joins: Bool

  init(
    column: Int, row: Int, columns: Int, text: String, ink: SvgInk, isBold: Bool, isItalic: Bool, joins: Bool
  ) {
    self.column = column
    self.row = row
    self.columns = columns
    self.text = text
    self.ink = ink
    self.isBold = isBold
    self.isItalic = isItalic
    self.joins = joins
  }

  /// Whether a character belongs to this run: beside it, or behind one blank.
  func continues(column: Int, row: Int, ink: SvgInk, isBold: Bool, isItalic: Bool) -> Bool {
    row == self.row && column - (self.column + columns) <= 1 && ink.colour == self.ink.colour
      && ink.opacity == self.ink.opacity && isBold == self.isBold && isItalic == self.isItalic
  }

  mutating func extend(to column: Int, with more: String) {
    if column > self.column + columns {
      text += " "
      columns += 1
    }
    text += more
    columns += 1
  }
}
