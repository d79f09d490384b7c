import TerminalIO
import TextCanvas
import Testing

struct PlainTextDrawingTests {
  private static func surface() -> Surface {
    var surface = Surface(columns: 6, rows: 3)
    surface.draw("日本", at: CellPoint(column: 1, row: 0))
    surface.draw("e\u{301}!", at: CellPoint(column: 0, row: 2))
    return surface
  }

  @Test func `trailing blanks of a row are omitted`() {
    #expect(PlainTextDrawing().text(of: Self.surface()) == " 日本\n\ne\u{301}!\n")
  }

  @Test func `trailing blanks of a row are kept if requested`() {
    #expect(PlainTextDrawing(keepsTrailingBlanks: true).text(of: Self.surface()) == " 日本 \n      \ne\u{301}!    \n")
  }
}
