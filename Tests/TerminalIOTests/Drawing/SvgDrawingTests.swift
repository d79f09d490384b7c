import TerminalIO
import TextCanvas
import Testing

struct SvgDrawingTests {
  private static func body(_ svg: String) -> [String] {
    svg.split(separator: "\n").map(String.init).filter { $0.hasPrefix("<path") || $0.hasPrefix("<text") }
  }

  @Test func `a small surface becomes a complete SVG document`() {
    var surface = Surface(columns: 4, rows: 2)
    surface.draw("a<b", at: .zero, style: Style(foreground: .hex(0xF19A94), attributes: .bold))
    surface.draw("╭──", at: CellPoint(column: 0, row: 1), style: Style(foreground: .indexed(12)))

    let svg = SvgDrawing(theme: .dark, title: "A & B").text(of: surface)

    #expect(
      svg == """
        <svg xmlns="http://www.w3.org/2000/svg" width="64" height="66" viewBox="0 0 64 66" role="img">
        <title>A &amp; B</title>
        <rect x="0.5" y="0.5" width="63" height="65" rx="8" fill="#16181d" stroke="#d6d9df" stroke-opacity="0.2"/>
        <g transform="translate(14 14)" font-size="15" font-family="ui-monospace,'SF Mono','JetBrains Mono',\
        'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace" font-variant-ligatures="none">
        <path fill="#86b7fb" d="M9 28h18v1h-18z"/>
        <path fill="none" stroke="#86b7fb" d="M4.5 38V33A4.5 4.5 0 0 1 9 28.5"/>
        <text x="0" y="14" textLength="27" lengthAdjust="spacingAndGlyphs" fill="#f19a94" font-weight="bold">\
        a&lt;b</text>
        </g>
        </svg>

        """)
  }

  @Test func `a film draws each row once for the frames in which it is equal`() {
    func frame(_ time: Double, _ rows: String...) -> SvgDrawing.Frame {
      var surface = Surface(columns: 2, rows: rows.count)
      for (row, text) in rows.enumerated() { surface.draw(text, at: CellPoint(column: 0, row: row)) }
      return SvgDrawing.Frame(time: time, surface: surface)
    }

    let film = SvgDrawing().film(
      of: [frame(0, "a", "x", "·"), frame(0.5, "b", "y", "·"), frame(1, "a", "y", "·")], duration: 4, still: 1)

    #expect(
      film.split(separator: "\n").dropFirst(3).map {
        $0.replacing(" lengthAdjust=\"spacingAndGlyphs\" fill=\"#d6d9df\"", with: "")
      } == [
        "<style>.f{visibility:hidden;animation:4s step-end infinite}"
          + "@media(prefers-reduced-motion:reduce){.f{animation:none}.s{visibility:visible}}",
        "@keyframes k0{0%{visibility:visible}12.5%{visibility:hidden}}",
        "@keyframes k1{0%{visibility:visible}12.5%{visibility:hidden}25%{visibility:visible}}",
        "@keyframes k3{12.5%{visibility:visible}25%{visibility:hidden}}",
        "@keyframes k4{12.5%{visibility:visible}}",
        "</style>",
        "<g class=\"f\" style=\"animation-name:k0\">", "<text x=\"0\" y=\"33\" textLength=\"9\">x</text>", "</g>",
        "<g class=\"f\" style=\"animation-name:k1\">", "<text x=\"0\" y=\"14\" textLength=\"9\">a</text>", "</g>",
        "<g>", "<text x=\"0\" y=\"52\" textLength=\"9\">·</text>", "</g>",
        "<g class=\"f s\" style=\"animation-name:k3\">", "<text x=\"0\" y=\"14\" textLength=\"9\">b</text>", "</g>",
        "<g class=\"f s\" style=\"animation-name:k4\">", "<text x=\"0\" y=\"33\" textLength=\"9\">y</text>", "</g>",
        "</g>", "</svg>",
      ])
  }

  @Test func `words of one style share a run, and unusual characters are placed separately`() {
    var surface = Surface(columns: 20, rows: 1)
    surface.draw("to be  ✓ 日 or", at: .zero)

    #expect(
      Self.body(SvgDrawing().text(of: surface)).map { $0.replacing(" lengthAdjust=\"spacingAndGlyphs\"", with: "") }
        == [
          "<text x=\"0\" y=\"14\" textLength=\"45\" fill=\"#d6d9df\">to be</text>",
          "<text x=\"63\" y=\"14\" textLength=\"9\" fill=\"#d6d9df\">✓</text>",
          "<text x=\"81\" y=\"14\" textLength=\"18\" fill=\"#d6d9df\">日</text>",
          "<text x=\"108\" y=\"14\" textLength=\"18\" fill=\"#d6d9df\">or</text>",
        ])
  }

  @Test func `reversed text swaps foreground and background`() {
    var surface = Surface(columns: 2, rows: 1)
    surface.draw("x", at: .zero, style: Style(attributes: .reverse))

    #expect(
      Self.body(SvgDrawing(theme: .light).text(of: surface)) == [
        "<path shape-rendering=\"crispEdges\" fill=\"#2a2d34\" d=\"M0 0h9v19h-9z\"/>",
        "<text x=\"0\" y=\"14\" textLength=\"9\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#fdfcfa\">x</text>",
      ])
  }

  @Test func `each side of a tall frame is one shape`() {
    var surface = Surface(columns: 3, rows: 4)
    for (row, text) in ["┌─┐", "│ │", "│ │", "└─┘"].enumerated() {
      surface.draw(text, at: CellPoint(column: 0, row: row))
    }

    #expect(
      Self.body(SvgDrawing().text(of: surface)) == [
        "<path fill=\"#d6d9df\" d=\"M4 9h19v1h-19zM4 9h1v58h-1zM22 9h1v58h-1zM4 66h19v1h-19z\"/>"
      ])
  }

  @Test(arguments: [
    ("━", "M0 8h9v3h-9z"), ("│", "M4 0h1v19h-1z"), ("┌", "M4 9h5v1h-5zM4 9h1v10h-1z"),
    ("┐", "M0 9h5v1h-5zM4 9h1v10h-1z"),
    ("╬", "M0 8h4v1h-4zM0 10h4v1h-4zM5 10h4v1h-4zM5 8h4v1h-4zM5 0h1v9h-1zM3 0h1v9h-1zM3 10h1v9h-1zM5 10h1v9h-1z"),
    ("▁", "M0 17h9v2h-9z"),
    ("▌", "M0 0h5v19h-5z"), ("▚", "M0 0h5v10h-5zM5 10h4v9h-4z"), ("█", "M0 0h9v19h-9z"),
  ])
  func `line and block characters are paths that reach their cell's edges`(_ glyph: String, _ path: String) throws {
    var surface = Surface(columns: 1, rows: 1)
    surface.draw(glyph, at: .zero)

    let shape = try #require(Self.body(SvgDrawing().text(of: surface)).first)

    #expect(shape.contains("d=\"\(path)"))
    #expect(!shape.contains("<text"))
  }
}
