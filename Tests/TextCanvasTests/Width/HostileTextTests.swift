import Testing
import TextCanvas

struct HostileTextTests {
  @Test(arguments: [
    ("\u{1B}[2J\u{1B}]0;title\u{7}", "␛[2J␛]0;title␇"),
    ("\u{9B}31m \u{9D}0;x\u{9C}", "\u{FFFD}31m \u{FFFD}0;x\u{FFFD}"),
    ("a\u{0}b\u{7F}c\r\n", "a␀b␡c␍␊"),
    ("safe\u{202E}txt.exe\u{2066}!\u{2069}\u{200F}", "safetxt.exe!"),
    ("pass\u{200B}\u{2060}\u{FEFF}word\u{AD}", "password"),
    ("tag\u{E0041}\u{E0042}s", "tags"),
    ("line\u{2028}paragraph\u{2029}", "line\u{FFFD}paragraph\u{FFFD}"),
    ("\u{301}mark", "\u{25CC}\u{301}mark"),
    ("\u{3164}\u{115F}\u{FFA0}fill", "fill"),
  ])
  func `control characters become visible, and invisible or reordering ones are omitted`(
    _ text: String, _ expected: String
  ) {
    #expect(Array(text.harmless.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test(arguments: [UInt32(0xFFFE), 0xFFFF, 0xFDD0, 0x1_FFFF, 0x10_FFFF])
  func `noncharacters are replaced`(_ value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))

    #expect(String(Character(scalar)).harmless == "\u{FFFD}")
  }

  @Test func `ten thousand combining marks fill one bounded cell`() {
    let flood = "e" + String(repeating: "\u{301}", count: 10_000) + "x"
    var surface = Surface(columns: 4, rows: 1)

    let width = surface.draw(flood, at: .zero)

    #expect(width == 2)
    #expect(surface.text(ofRow: 0).unicodeScalars.count == 12 + 1 + 2)
  }

  @Test func `a long chain of joiners is divided into valid cells`() {
    let chain = Array(repeating: "👩", count: 1_000).joined(separator: "\u{200D}")

    var surface = Surface(columns: 8, rows: 1)
    let width = surface.draw(chain, at: .zero)

    #expect(surface.firstFlaw == nil)
    #expect(width > 2)
    #expect(width <= 2 * 1_000)
  }

  @Test func `no scalar reaches a terminal as a command, alone or after another`() {
    for base in ["", "a", "日", "👩", "ك", "क"] {
      for value in UInt32(0)...0x10FFFF {
        // All scalars below U+3000 and in two ranges of special characters, and every 97th of the others.
        guard
          value < 0x3000 || value > 0xFE00 && value < 0x1_0000 || value > 0xE_0000 && value < 0xE_0200
            || value % 97 == 0,
          let scalar = Unicode.Scalar(value)
        else { continue }
        let scalars = (base + String(Character(scalar))).harmless.unicodeScalars
        if let bad = scalars.first(where: \.isCommand) {
          Issue.record("U+\(String(value, radix: 16)) behind '\(base)' is shown as U+\(String(bad.value, radix: 16))")
        }
      }
    }
  }

  @Test func `a link's address contains no control characters`() throws {
    let link = try #require(Hyperlink("https://a.example/\u{1B}\\é \u{7}"))

    #expect(link.address == "https://a.example/%1B\\%C3%A9%20%07")
    #expect(Hyperlink("") == nil)
    #expect(Hyperlink(String(repeating: "x", count: 2_001)) == nil)
  }
}
