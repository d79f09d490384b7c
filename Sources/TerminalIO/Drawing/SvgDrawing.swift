public import TextCanvas
import WholeNumbers

/// Draws a surface as an SVG image that requires only a monospaced font and looks the same in all viewers.
///
/// The same surface results in the same bytes. The width of each run of text is specified, so that columns are aligned
/// with any font. Lines and blocks (U+2500–U+259F) are drawn as shapes on whole pixels, so that they join.
///
/// Source: SVG 1.1, sections 8 (paths) and 10 (`textLength`).
public struct SvgDrawing: Sendable {
  /// The colours that replace those of a terminal.
  public var theme: Theme
  /// An accessible description of the image, or `nil` to omit it.
  public var title: String?

  /// Creates a drawing.
  ///
  /// - Parameters:
  ///   - theme: The colours that replace those of a terminal.
  ///   - title: An accessible description of the image, or `nil` to omit it.
  public init(theme: Theme = .dark, title: String? = nil) {
    self.theme = theme
    self.title = title
  }

  /// The default colours and the 16 numbered colours of a terminal theme, each `0xRRGGBB`.
  public struct Theme: Hashable, Sendable {
    /// The default foreground and background colours.
    public var page: PageColours
    /// The first 16 numbered colours. Missing ones are those of xterm.
    public var palette: [UInt32]

    /// Creates a theme.
    ///
    /// - Parameters:
    ///   - page: The default foreground and background colours.
    ///   - palette: The first 16 numbered colours. Missing ones are those of xterm.
    public init(page: PageColours, palette: [UInt32] = []) {
      self.page = page
      self.palette = palette
    }

    /// Light text on a dark background.
    public static let dark = Theme(
      page: PageColours(foreground: 0xD6D9DF, background: 0x16181D),
      palette: [
        0x2B2F38, 0xD9746D, 0x84B85B, 0xD0994A, 0x5F97E8, 0x9580E0, 0x4DB3A5, 0xB9BEC8,
        0x4D5360, 0xF19A94, 0xA3D27C, 0xE6B866, 0x86B7FB, 0xB8A6F5, 0x6ACDBF, 0xF2F4F8,
      ])

    /// Dark text on a light background.
    public static let light = Theme(
      page: PageColours(foreground: 0x2A2D34, background: 0xFDFCFA),
      palette: [
        0x0D0F13, 0xB3261E, 0x3B6D12, 0x875500, 0x1458B8, 0x5A3FC0, 0x0B6F66, 0xB9BEC8,
        0x5D6470, 0xC9443B, 0x528A26, 0xA66E12, 0x3373D2, 0x7459D6, 0x1F8A80, 0xF0EEEA,
      ])

    /// White on black, for maximum contrast.
    public static let highContrast = Theme(
      page: PageColours(foreground: 0xFFFFFF, background: 0x000000), palette: dark.palette)

    /// Black on white, for maximum contrast.
    public static let highContrastLight = Theme(
      page: PageColours(foreground: 0x000000, background: 0xFFFFFF), palette: light.palette)
  }

  /// Sizes in pixels. A cell is as wide as the letters of most monospaced fonts of this size (0.6 em). Its width and
  /// height are odd, so that it has a central pixel for lines of one pixel.
  enum Metrics {
    static let cellWidth = 9
    static let cellHeight = 19
    static let fontSize = 15
    static let baseline = 14
    static let margin = 14
  }

  /// Returns a surface as an SVG document.
  public func text(of surface: Surface) -> String {
    document(CellSize(columns: surface.columns, rows: surface.rows)) { svg in
      svg.write(SvgElements(surface: surface, rows: 0..<surface.rows, theme: theme))
    }
  }

  /// A frame of a film.
  public struct Frame: Sendable {
    /// The time in seconds from the beginning of the film at which the frame appears.
    public var time: Double
    /// The content, which has the same size in all frames of a film.
    public var surface: Surface

    /// Creates a frame.
    public init(time: Double, surface: Surface) {
      self.time = time
      self.surface = surface
    }
  }

  /// Returns an SVG document that plays frames in an endless loop, without a script.
  ///
  /// Rows that are visible in the same frames form a group, which is drawn once. An animation in CSS shows and hides the
  /// group. If the reader prefers reduced motion, one frame is shown.
  ///
  /// Source: CSS Animations Level 1, sections 3 (key frames) and 4.3 (`step-end` holds a value until the next key frame).
  ///
  /// - Parameters:
  ///   - frames: At least one frame. The first one is at 0 seconds.
  ///   - duration: The duration of the film in seconds, greater than the time of the last frame.
  ///   - still: The index of the frame for readers who prefer reduced motion.
  public func film(of frames: [Frame], duration: Double, still: Int) -> String {
    let size = CellSize(columns: frames[0].surface.columns, rows: frames[0].surface.rows)
    let groups = FilmGroup.all(of: frames.map(\.surface))
    return document(size) { svg in
      svg.line(
        "<style>.f{visibility:hidden;animation:\(SvgWriter.number(duration))s step-end infinite}"
          + "@media(prefers-reduced-motion:reduce){.f{animation:none}.s{visibility:visible}}")
      for (number, group) in groups.enumerated() where group.frames != [0..<frames.count] {
        let changes = group.frames.flatMap { range in
          [(range.lowerBound, "visible"), (range.upperBound, "hidden")].filter { $0.0 < frames.count }
        }
        let keyFrames = changes.map { frame, visibility in
          "\(SvgWriter.number(frames[frame].time / duration * 100))%{visibility:\(visibility)}"
        }
        svg.line("@keyframes k\(number){\(keyFrames.joined())}")
      }
      svg.line("</style>")
      for (number, group) in groups.enumerated() {
        let isStill = group.frames.contains { $0.contains(still) }
        svg.line(
          group.frames == [0..<frames.count]
            ? "<g>" : "<g class=\"f\(isStill ? " s" : "")\" style=\"animation-name:k\(number)\">")
        svg.write(
          SvgElements(surface: frames[group.frames[0].lowerBound].surface, rows: group.rows, theme: theme))
        svg.line("</g>")
      }
    }
  }

  /// Returns a document with a frame around its content.
  private func document(_ size: CellSize, _ write: (inout SvgWriter) -> Void) -> String {
    let margin = Metrics.margin
    let (width, height) = (size.columns * Metrics.cellWidth + 2 * margin, size.rows * Metrics.cellHeight + 2 * margin)
    var svg = SvgWriter()
    svg.line(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
        + "viewBox=\"0 0 \(width) \(height)\" role=\"img\">")
    if let title { svg.line("<title>\(title.harmless.escapedForXML(quotes: false))</title>") }
    svg.line(
      "<rect x=\"0.5\" y=\"0.5\" width=\"\(width - 1)\" height=\"\(height - 1)\" rx=\"8\" "
        + "fill=\"\(SvgWriter.hex(theme.page.background))\" stroke=\"\(SvgWriter.hex(theme.page.foreground))\" "
        + "stroke-opacity=\"0.2\"/>")
    svg.line(
      "<g transform=\"translate(\(margin) \(margin))\" font-size=\"\(Metrics.fontSize)\" font-family=\"ui-monospace,"
        + "'SF Mono','JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace\" "
        // Ligatures would replace characters of program text.
        + "font-variant-ligatures=\"none\">")
    write(&svg)
    svg.line("</g>")
    svg.line("</svg>")
    return svg.text
  }
}

/// Rows of a film that are visible in the same frames.
struct FilmGroup {
  /// The frames with these rows, as ranges of indices in ascending order.
  let frames: [Range<Int>]
  private(set) var rows: [Int]

  /// Returns the groups of all rows, in the order of their first frames.
  static func all(of surfaces: [Surface]) -> [FilmGroup] {
    var groups: [[Range<Int>]: FilmGroup] = [:]
    for row in 0..<surfaces[0].rows {
      var frames: [[Cell]: [Range<Int>]] = [:]
      for (frame, surface) in surfaces.enumerated() {
        var ranges = frames[surface.cells(inRow: row), default: []]
        if let last = ranges.last, last.upperBound == frame {
          ranges[ranges.count - 1] = last.lowerBound..<frame + 1
        } else {
          ranges.append(frame..<frame + 1)
        }
        frames[surface.cells(inRow: row)] = ranges
      }
      for ranges in frames.values { groups[ranges, default: FilmGroup(frames: ranges, rows: [])].rows.append(row) }
    }
    return groups.values.sorted { left, right in
      // Two groups without a frame in common can begin with the same row, so the frames decide first.
      left.frames.lexicographicallyPrecedes(right.frames) {
        ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound)
      }
    }
  }
}

extension Surface {
  fileprivate func cells(inRow row: Int) -> [Cell] { (0..<columns).map { self[$0, row] } }
}

/// A surface converted to the elements of an SVG file.
struct SvgElements {
  private(set) var backgrounds = SvgShapes()
  private(set) var blocks = SvgShapes()
  private(set) var lines = SvgShapes()
  private(set) var texts: [SvgText] = []

  init(surface: Surface, rows: some Sequence<Int>, theme: SvgDrawing.Theme) {
    for row in rows {
      for column in 0..<surface.columns {
        let cell = surface[column, row]
        draw(cell, paint: SvgPaint(cell, theme: theme), column: column, row: row, page: theme.page.background)
      }
    }
  }

  private mutating func draw(_ cell: Cell, paint: SvgPaint, column: Int, row: Int, page: UInt32) {
    typealias Metrics = SvgDrawing.Metrics
    let x = Double(column * Metrics.cellWidth)
    let y = Double(row * Metrics.cellHeight)
    let width = Double(Metrics.cellWidth)
    let height = Double(Metrics.cellHeight)
    if paint.background != page {
      backgrounds.add(SvgRect(x: x, y: y, width: width, height: height), paint: SvgPaint(paint.background))
    }
    if cell.attributes.contains(.underline) {
      lines.add(SvgRect(x: x, y: y + Double(Metrics.baseline) + 2, width: width, height: 1), paint: paint)
    }
    if cell.attributes.contains(.strikethrough) {
      lines.add(SvgRect(x: x, y: y + Double(Metrics.baseline) - 5, width: width, height: 1), paint: paint)
    }
    guard !cell.glyph.isBlank else { return }
    if let scalar = cell.glyph.scalar?.value, (0x2500...0x259F).contains(scalar) {
      let box = BoxDrawing(x: x, y: y, width: width, height: height)
      if scalar < 0x2580 {
        box.drawLines(scalar, paint: paint, into: &lines)
      } else {
        box.drawBlock(scalar, paint: paint, into: &blocks)
      }
      return
    }
    let joins = cell.glyph.scalar.map { SvgElements.isInEveryFont($0) } ?? false
    let isBold = cell.attributes.contains(.bold)
    let isItalic = cell.attributes.contains(.italic)
    if joins, let last = texts.indices.last, texts[last].joins,
      texts[last].continues(column: column, row: row, paint: paint, isBold: isBold, isItalic: isItalic)
    {
      texts[last].extend(to: column, with: cell.glyph.text)
      return
    }
    texts.append(
      SvgText(
        column: column, row: row, columns: Int(cell.width), text: cell.glyph.text, paint: paint, isBold: isBold,
        isItalic: isItalic, joins: joins))
  }

  /// Returns whether all monospaced fonts have a character, so that it can be part of a run. Other characters may come
  /// from a font with another width and are positioned individually.
  private static func isInEveryFont(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x21...0x24F, 0x370...0x3FF, 0x400...0x45F, 0x2010...0x2027, 0x2030...0x203A: true
    default: false
    }
  }
}

/// The colours and opacity of a shape or text.
struct SvgPaint: Hashable {
  /// The colour, `0xRRGGBB`.
  var colour: UInt32
  /// The background colour, `0xRRGGBB`.
  var background: UInt32
  /// The opacity in percent.
  var opacity: Int

  init(_ colour: UInt32) {
    self.colour = colour
    background = colour
    opacity = 100
  }

  init(_ cell: Cell, theme: SvgDrawing.Theme) {
    func number(_ colour: Colour, _ fallback: UInt32) -> UInt32 {
      if case .indexed(let index) = colour.kind, Int(index) < min(16, theme.palette.count) {
        return theme.palette[Int(index)]
      }
      return colour.rgbNumber ?? fallback
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
  let paint: SvgPaint
  let isBold: Bool
  let isItalic: Bool
  /// Whether adjacent characters may join the run.
  let joins: Bool

  /// Returns whether a character continues the run: directly, or after one blank.
  func continues(column: Int, row: Int, paint: SvgPaint, isBold: Bool, isItalic: Bool) -> Bool {
    row == self.row && column - (self.column + columns) <= 1 && paint.colour == self.paint.colour
      && paint.opacity == self.paint.opacity && isBold == self.isBold && isItalic == self.isItalic
  }

  mutating func extend(to column: Int, with string: String) {
    if column > self.column + columns {
      text += " "
      columns += 1
    }
    text += string
    columns += 1
  }
}

/// A rectangle in pixels.
struct SvgRect: Hashable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
}

/// Rectangles and curves, grouped by colour and opacity. The groups are in the order of their first use.
struct SvgShapes {
  private(set) var paints: [SvgPaint] = []
  private(set) var fills: [SvgPaint: [SvgRect]] = [:]
  private(set) var strokes: [SvgPaint: [String]] = [:]
  /// The index of the last rectangle of each colour in each row or column of pixels.
  private var latest: [Segment: Int] = [:]

  private struct Segment: Hashable {
    let paint: SvgPaint
    let isRow: Bool
    let start: Double
    let size: Double
  }

  /// Adds a rectangle. If it continues an earlier one of the same colour to the right or below, that one is extended,
  /// so that a line is one shape without seams.
  mutating func add(_ rect: SvgRect, paint: SvgPaint) {
    let key = key(paint)
    let row = Segment(paint: key, isRow: true, start: rect.y, size: rect.height)
    if let index = latest[row], let previous = fills[key]?[index], previous.y == rect.y, previous.height == rect.height,
      previous.x + previous.width >= rect.x, previous.x <= rect.x
    {
      fills[key]?[index].width = max(previous.width, rect.x + rect.width - previous.x)
      return
    }
    let column = Segment(paint: key, isRow: false, start: rect.x, size: rect.width)
    if let index = latest[column], let above = fills[key]?[index], above.x == rect.x, above.width == rect.width,
      above.y + above.height >= rect.y, above.y <= rect.y
    {
      fills[key]?[index].height = max(above.height, rect.y + rect.height - above.y)
      return
    }
    latest[row] = fills[key]?.count ?? 0
    latest[column] = fills[key]?.count ?? 0
    fills[key, default: []].append(rect)
  }

  /// Adds a curve, given as path commands. It is drawn one pixel wide.
  mutating func addStroke(_ path: String, paint: SvgPaint) {
    strokes[key(paint), default: []].append(path)
  }

  /// Returns the group of a colour. Backgrounds are drawn separately, so colours that differ only in the background are
  /// in the same group.
  private mutating func key(_ paint: SvgPaint) -> SvgPaint {
    var key = paint
    key.background = paint.colour
    if fills[key] == nil && strokes[key] == nil { paints.append(key) }
    return key
  }
}

/// Writes the elements of an SVG file.
struct SvgWriter {
  private(set) var text = ""

  mutating func line(_ element: String) {
    text += element
    text += "\n"
  }

  /// Writes all elements of a surface.
  mutating func write(_ elements: SvgElements) {
    write(elements.backgrounds, isCrisp: true)
    write(elements.blocks, isCrisp: true)
    write(elements.lines, isCrisp: false)
    write(elements.texts)
  }

  /// Writes shapes. Crisp shapes are aligned to whole pixels at every scale, so that there are no gaps between them.
  private mutating func write(_ shapes: SvgShapes, isCrisp: Bool) {
    let rendering = isCrisp ? "shape-rendering=\"crispEdges\" " : ""
    for paint in shapes.paints {
      let opacity = SvgWriter.opacity(paint)
      if let rects = shapes.fills[paint], !rects.isEmpty {
        let path = rects.map { rect in
          let width = SvgWriter.number(rect.width)
          return "M\(SvgWriter.number(rect.x)) \(SvgWriter.number(rect.y))h\(width)v\(SvgWriter.number(rect.height))"
            + "h-\(width)z"
        }
        line(
          "<path \(rendering)fill=\"\(SvgWriter.hex(paint.colour))\"\(opacity) d=\"\(path.joined())\"/>"
        )
      }
      if let strokes = shapes.strokes[paint] {
        line(
          "<path fill=\"none\" stroke=\"\(SvgWriter.hex(paint.colour))\"\(opacity.replacing("fill-", with: "stroke-")) "
            + "d=\"\(strokes.joined())\"/>")
      }
    }
  }

  private mutating func write(_ texts: [SvgText]) {
    typealias Metrics = SvgDrawing.Metrics
    for text in texts {
      let x = text.column * Metrics.cellWidth
      let y = text.row * Metrics.cellHeight + Metrics.baseline
      let length = text.columns * Metrics.cellWidth
      line(
        "<text x=\"\(x)\" y=\"\(y)\" textLength=\"\(length)\" lengthAdjust=\"spacingAndGlyphs\" "
          + "fill=\"\(SvgWriter.hex(text.paint.colour))\"\(SvgWriter.opacity(text.paint))"
          + (text.isBold ? " font-weight=\"bold\"" : "") + (text.isItalic ? " font-style=\"italic\"" : "")
          + ">\(text.text.escapedForXML(quotes: false))</text>")
    }
  }

  static func hex(_ colour: UInt32) -> String {
    let digits = String(colour & 0xFF_FFFF, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// Returns a number with up to two decimals. Halves and quarters are exact.
  static func number(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() ? String(Int(clamping: rounded)) : String(rounded)
  }

  private static func opacity(_ paint: SvgPaint) -> String {
    paint.opacity == 100 ? "" : " fill-opacity=\"0.\(paint.opacity)\""
  }
}
