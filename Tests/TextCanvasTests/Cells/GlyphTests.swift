import Testing

@testable import TextCanvas

struct GlyphTests {
  @Test(arguments: ["a", "é", "e\u{301}", "日", "👩🏽‍💻", "…", "\u{10FFFD}"])
  func `a glyph returns its appearance as text and as bytes`(_ text: String) {
    let glyph = Glyph(text)
    var bytes: [UInt8] = []

    glyph.appendUTF8(to: &bytes)

    #expect(Array(glyph.text.utf8) == Array(text.utf8))
    #expect(bytes == Array(text.utf8))
    #expect(glyph == Glyph(text))
  }

  @Test func `an empty glyph and a continuation have no text`() {
    var bytes: [UInt8] = []

    Glyph.none.appendUTF8(to: &bytes)
    Glyph.continuation.appendUTF8(to: &bytes)

    #expect(bytes == [])
    #expect(Glyph.none.text + Glyph.continuation.text == "")
  }

  @Test func `only the first cluster of a text becomes a glyph`() {
    #expect(Glyph("日本") == Glyph("日"))
    #expect(Glyph("") == .blank)
    #expect(Glyph("\u{1B}").text == "␛")
  }

  @Test func `composed and decomposed letters stay unchanged`() {
    #expect(Array(Glyph("e\u{301}").text.unicodeScalars) == ["e", "\u{301}"])
    #expect(Array(Glyph("\u{E9}").text.unicodeScalars) == ["\u{E9}"])
  }

  @Test func `a full cluster table refuses new clusters and finds known ones`() {
    let table = GlyphTable(capacity: 2)

    let first = table.number(of: ["a", "\u{301}"], width: 1, isDisputed: false)
    let second = table.number(of: ["b", "\u{301}"], width: 1, isDisputed: false)
    let third = table.number(of: ["c", "\u{301}"], width: 1, isDisputed: false)

    #expect([first, second, third] == [0, 1, nil])
    #expect(table.number(of: ["a", "\u{301}"], width: 1, isDisputed: false) == 0)
  }

  @Test func `a cell is a value of sixteen bytes without references`() {
    #expect(MemoryLayout<Cell>.stride == 16)
    #expect(_isPOD(Cell.self))
  }
}
