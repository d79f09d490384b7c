import Testing
import TextCanvas

struct SurfaceDrawingTests {
  @Test func `text is drawn at the given point, and its width is returned`() {
    var surface = Surface(columns: 10, rows: 2)

    let used = surface.draw("où 日本", at: CellPoint(column: 1, row: 1))

    #expect(used == 7)
    #expect(surface.textRows == ["          ", " où 日本  "])
  }

  @Test func `a surface of text has a row for each line and the widest line's width`() {
    let surface = Surface("one\n日本\n\nx", style: Style(attributes: .bold))

    #expect(surface.textRows == ["one ", "日本", "    ", "x   "])
    #expect(surface[0, 3].style == Style(attributes: .bold))
    #expect(surface[1, 3] == .clear)
    #expect(Surface("").size == CellSize(columns: 0, rows: 1))
  }

  @Test func `a wide character that only half fits leaves a blank`() {
    var surface = Surface(columns: 3, rows: 2)

    surface.draw("日本", at: CellPoint(column: 0, row: 0))
    surface.draw("日本", at: CellPoint(column: -1, row: 1))

    #expect(surface.textRows == ["日 ", " 本"])
  }

  @Test func `overwriting half of a wide character blanks the other half`() {
    var surface = Surface(columns: 4, rows: 1)

    surface.draw("日本", at: .zero)
    surface.draw("x", at: CellPoint(column: 1, row: 0))
    surface.draw("y", at: CellPoint(column: 2, row: 0))

    #expect(surface.textRows == [" xy "])
  }

  @Test func `a clear background keeps the existing background`() {
    var surface = Surface(columns: 2, rows: 1, filledWith: Cell(background: .indexed(4)))

    surface.draw("a", at: .zero, style: Style(foreground: .indexed(1)))

    #expect(surface[0, 0].style == Style(foreground: .indexed(1), background: .indexed(4)))
  }

  @Test func `text is clipped, but its full width is returned`() {
    var surface = Surface(columns: 8, rows: 1)

    let used = surface.draw("abcdefgh", at: .zero, clippedTo: CellRect(column: 2, row: 0, columns: 3, rows: 1))

    #expect(used == 8)
    #expect(surface.textRows == ["  cde   "])
  }
}
