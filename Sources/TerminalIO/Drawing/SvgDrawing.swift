public import TextCanvas

/// Draws a surface as a picture: an SVG file that needs nothing but a monospaced font, and looks alike everywhere.
///
/// The same surface gives the same bytes. Each run of text says how wide it is, so that columns stay columns whatever
/// font a renderer has; lines and blocks (U+2500–U+259F) are drawn as shapes on whole pixels, so that they join.
///
/// Source: SVG 1.1, sections 8 (paths) and 10 (`textLength`).
public struct SvgDrawing: Sendable {
  /// The colours that the terminal's own stand for.
  public var theme: Theme
  /// What the picture shows, in words, for those who cannot see it; none when `nil`.
  public var title: String?

  /// Makes a drawing.
  public init(theme: Theme = .dark, title: String? = nil) {
    self.theme = theme
    self.title = title
  }

  /// The page, the ink and the 16 colours of a terminal's theme, each `0xRRGGBB`.
  public struct Theme: Hashable, Sendable {
    /// What `default` is as ink and as page.
    public var page: PageColours
    /// The first 16 numbered colours; missing ones are those of xterm.
    public var palette: [UInt32]

    /// Makes a theme.
    public init(page: PageColours, palette: [UInt32] = []) {
      self.page = page
      self.palette = palette
    }

    /// Light text on a dark page.
    public static let dark = Theme(
      page: PageColours(foreground: 0xD6D9DF, background: 0x16181D),
      palette: [
        0x2B2F38, 0xD9746D, 0x84B85B, 0xD0994A, 0x5F97E8, 0x9580E0, 0x4DB3A5, 0xB9BEC8,
        0x4D5360, 0xF19A94, 0xA3D27C, 0xE6B866, 0x86B7FB, 0xB8A6F5, 0x6ACDBF, 0xF2F4F8,
      ])

    /// Dark text on a light page.
    public static let light = Theme(
      page: PageColours(foreground: 0x2A2D34, background: 0xFDFCFA),
      palette: [
        0x0D0F13, 0xB3261E, 0x3B6D12, 0x875500, 0x1458B8, 0x5A3FC0, 0x0B6F66, 0xB9BEC8,
        0x5D6470, 0xC9443B, 0x528A26, 0xA66E12, 0x3373D2, 0x7459D6, 0x1F8A80, 0xF0EEEA,
      ])

    /// White on black, for the strongest contrast.
    public static let highContrast = Theme(
      page: PageColours(foreground: 0xFFFFFF, background: 0x000000), palette: dark.palette)

    /// Black on white, for the strongest contrast.
    public static let highContrastLight = Theme(
      page: PageColours(foreground: 0x000000, background: 0xFFFFFF), palette: light.palette)
  }

  /// Sizes in pixels. A cell is as wide as the letters of most monospaced fonts of this size (0.6 em), and of odd width
  /// and height, so that a line of one pixel has a pixel in its middle.
  enum Metrics {
    static let cellWidth = 9
    static let cellHeight = 19
    static let fontSize = 15
    static let baseline = 14
    static let margin = 14
  }

  /// Draws a surface.
  public func text(of surface: Surface) -> String {
    let width = surface.columns * Metrics.cellWidth
    let height = surface.rows * Metrics.cellHeight
    let margin = Metrics.margin
    let page = theme.page.background
    var svg = SvgWriter()
    svg.line(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width + 2 * margin)\" height=\"\(height + 2 * margin)\" "
        + "viewBox=\"0 0 \(width + 2 * margin) \(height + 2 * margin)\" role=\"img\">")
    if let title { svg.line("<title>\(SvgWriter.escaped(title.harmless))</title>") }
    svg.line(
      "<rect x=\"0.5\" y=\"0.5\" width=\"\(width + 2 * margin - 1)\" height=\"\(height + 2 * margin - 1)\" rx=\"8\" "
        + "fill=\"\(SvgWriter.hex(page))\" stroke=\"\(SvgWriter.hex(theme.page.foreground))\" stroke-opacity=\"0.2\"/>")
    svg.line(
      "<g transform=\"translate(\(margin) \(margin))\" font-size=\"\(Metrics.fontSize)\" font-family=\"ui-monospace,"
        + "'SF Mono','JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace\" "
        // A program text is read sign by sign.
        + "font-variant-ligatures=\"none\">")
    let picture = SvgPicture(surface: surface, theme: theme)
    svg.write(picture.backgrounds, isCrisp: true)
    svg.write(picture.blocks, isCrisp: true)
    svg.write(picture.lines, isCrisp: false)
    svg.write(picture.texts)
    svg.line("</g>")
    svg.line("</svg>")
    return svg.text
  }
}
