import TerminalIO
import TextCanvas
import Testing

struct AnsiDrawingTests {
  private static func surface() -> Surface {
    var surface = Surface(columns: 8, rows: 2)
    surface.draw("ab", at: .zero, style: Style(foreground: .rgb(184, 166, 245), attributes: [.bold, .underline]))
    surface.draw("c", at: CellPoint(column: 2, row: 0), style: Style(foreground: .rgb(184, 166, 245)))
    surface.draw("日", at: CellPoint(column: 3, row: 0))
    surface.fill(CellRect(column: 0, row: 1, columns: 2, rows: 1), with: Cell(background: .indexed(4)))
    return surface
  }

  @Test(arguments: [
    (
      ColourDepth.truecolor,
      "\u{1B}[1;4;38;2;184;166;245mab\u{1B}[0;38;2;184;166;245mc\u{1B}[39m日\n\u{1B}[44m  \u{1B}[0m\n\u{1B}[0m"
    ),
    (.indexed, "\u{1B}[1;4;38;5;147mab\u{1B}[0;38;5;147mc\u{1B}[39m日\n\u{1B}[44m  \u{1B}[0m\n\u{1B}[0m"),
    (.ansi, "\u{1B}[1;4;37mab\u{1B}[0;37mc\u{1B}[39m日\n\u{1B}[44m  \u{1B}[0m\n\u{1B}[0m"),
    (.none, "\u{1B}[1;4mab\u{1B}[0mc日\n\n\u{1B}[0m"),
  ])
  func `each row uses colours of the given depth and resets them at its end`(_ depth: ColourDepth, _ expected: String) {
    #expect(AnsiDrawing(colourDepth: depth).text(of: Self.surface()) == expected)
  }

  @Test func `escape sequences in text are drawn as visible characters`() {
    var surface = Surface(columns: 40, rows: 1)

    surface.draw("\u{1B}]0;owned\u{7}\u{9B}31m\u{1B}[2J", at: .zero)

    #expect(AnsiDrawing().text(of: surface) == "␛]0;owned␇\u{FFFD}31m␛[2J\n\u{1B}[0m")
  }
}
