import Foundation
import JSONCoding
import LearningModel
import Testing

@testable import CourseFormats

/// Compares the encoder and decoder of stored contents with those of Foundation.
struct ContentCodingTests {
  private static let foundation = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  @Test func `random contents are encoded as the same bytes as by Foundation, and decoded again`() throws {
    var random = RandomContent(seed: 7)
    for _ in 0..<500 {
      let content = random.content()

      let bytes = try JSONEncoding.sorted(content)

      #expect(bytes == Array(try Self.foundation.encode(content)))
      #expect(try JSONDecoding.decode(ActivityContent.self, from: bytes) == content)
    }
  }

  @Test(arguments: [
    "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}\u{80}", "\"\\/", "é e\u{301} 漢 👩‍👩‍👧 \u{2028}", "{\"p\": [1]}", "",
  ])
  func `characters are escaped in the same way as by Foundation`(_ text: String) throws {
    let content = ActivityContent.reading([.paragraph([.text(text)]), .code(language: text, text: text)])

    let bytes = try JSONEncoding.sorted(content)

    #expect(bytes == Array(try Self.foundation.encode(content)))
    #expect(try JSONDecoding.decode(ActivityContent.self, from: bytes) == content)
  }

  @Test func `escapes that other programs write are decoded`() throws {
    let json = #" { "reading" : [ "\u0041\u00e9 \ud83d\udc1d \/\b\f" , { "hr" : true } ] } "#

    #expect(
      try JSONDecoding.decode(ActivityContent.self, from: Array(json.utf8))
        == .reading([.paragraph([.text("Aé 🐝 /\u{8}\u{C}")]), .rule]))
  }

  @Test(arguments: [
    "", "{", "{\"reading\"", "{\"reading\": [\"a\"", "{\"reading\": \"a", "{\"reading\": \"\\x\"}",
    "{\"reading\": tru}",
    "{\"reading\": []} x", "{\"reading\": 1}", "[]", "{\"p\": \"a\"}", "{\"reading\": [\"a\",]}",
    "{\"reading\": " + String(repeating: "[", count: 100_000), "{\"reading\": \"\\ud83d",
  ])
  func `invalid contents are rejected`(_ json: String) {
    #expect(throws: DecodingError.self) { try JSONDecoding.decode(ActivityContent.self, from: Array(json.utf8)) }
  }

  @Test func `a spool returns the stored form without encoding the content again`() throws {
    var random = RandomContent(seed: 3)
    var spool = try ContentSpool()
    let contents = (0..<50).map { _ in random.content() }
    for (index, content) in contents.enumerated() { try spool.store(content, at: index) }

    let stored = try spool.finish()

    for (index, content) in contents.enumerated() {
      #expect(try stored.encoded(at: index) == StoredContent(content))
    }
    #expect(try stored.encoded(at: 99) == StoredContent(.reading([])))
  }
}

/// Compares the searches in bytes with those of the standard library.
struct TextSearchTests {
  private static let texts = [
    "", "a", "a,b", ",a,,b,", "e\u{301},\u{301},x", "line\nnext\n", "line\r\nnext\nlast", "漢,字", "🐝,👩‍👩‍👧,", "{{#x}} {{",
  ]

  @Test(arguments: texts) func `a character is found and a text is split where the standard library does so`(
    _ text: String
  ) {
    for character: Character in [",", "\n", "e", "漢", "\r\n"] {
      let inner = text.dropFirst()
      let index = Array(inner).firstIndex(of: character).map { inner.index(inner.startIndex, offsetBy: $0) }
      #expect(inner.firstIndex(of: character) == index)
      #expect(inner.contains(character) == (index != nil))
      #expect(text.contains(character) == Array(text).contains(character))
      for omits in [true, false] {
        for most in [0, 1, Int.max] {
          #expect(
            text.split(separator: character, maxSplits: most, omittingEmptySubsequences: omits)
              == text.split(maxSplits: most, omittingEmptySubsequences: omits) { $0 == character })
        }
      }
    }
  }

  @Test func `a text is found at its first occurrence`() {
    let text = "ab{ {{x}} {{y}}"
    let inner = text.dropFirst(2)

    #expect(inner.range(of: "{{").map { inner[..<$0.lowerBound] } == "{ ")
    #expect(text.range(of: "}}").map { text[$0.upperBound...] } == " {{y}}")
    #expect(text.range(of: "{{y}}")?.upperBound == text.endIndex)
    #expect(text.range(of: "}}}") == nil && "".range(of: "a") == nil && text.contains(""))
    #expect(inner.hasPrefix("{ {") && !inner.hasPrefix("ab") && inner.hasSuffix("y}}") && !"b"[...].hasSuffix("ab"))
  }

  @Test func `paths are sorted in their natural order`() {
    let paths = ["b/10.md", "b/9.md", "a.md", "B/9.md", "a/02 x.md", "a/2 x.md", "a", "a/b/c.md", "é.md"]

    #expect(NaturalOrder.sorted(paths) == paths.sorted(by: NaturalOrder.pathPrecedes))
  }
}
