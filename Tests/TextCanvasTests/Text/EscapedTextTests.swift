import Testing

@testable import TextCanvas

@Suite struct EscapedTextTests {
  private func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.append(quotedInJSON: text)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `JSON escapes every invisible scalar or only control characters`() {
    let text = "a\"b\\\n\t\r\u{1B}\u{7F}\u{9B}\u{A0}\u{202E}é👩\u{200D}👧"

    #expect(quoted(text) == #""a\"b\\\n\t\r\u001b\u007f\u009b"# + "\u{A0}" + #"\u202eé👩"# + "\u{200D}👧\"")
    #expect(text.quotedInJSON == #""a\"b\\\n\t\r\u001b\u007f\u009b"# + "\u{A0}\u{202E}é👩\u{200D}👧\"")
  }

  @Test func `JSON escapes exactly the invisible scalars`() {
    for value in 0...0x10FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value), scalar != "\"", scalar != "\\" else { continue }
      let text = "a\(scalar)b"

      let isUnchanged = quoted(text) == "\"\(text)\""

      guard isUnchanged != scalar.isInvisible else {
        Issue.record("U+\(String(value, radix: 16)) is \(scalar.isInvisible ? "invisible" : "visible")")
        continue
      }
    }
  }

  @Test func `existing JSON gets escapes for invisible scalars`() {
    let text = "a\u{1B}\u{7F}\u{9B}\u{202E}\u{200B}\u{FEFF}\u{E0041}é👩\u{200D}👧"

    #expect(
      "[\"\(text)\", 1]".harmlessJSON == #"["a"# + "\u{1B}" + #"\u007f\u009b\u202e\u200b\ufeff\udb40\udc41é👩"#
        + "\u{200D}👧\", 1]")
  }

  @Test func `XML escapes markup, in attributes also quotation marks, and drops forbidden characters`() {
    let text = "a < b & c > \"d\"\n\t\u{0}\u{1B}\u{9B}\u{FFFE}é"

    #expect(text.escapedForXML() == "a &lt; b &amp; c &gt; &quot;d&quot;\n\té")
    #expect(text.escapedForXML(quotes: false) == "a &lt; b &amp; c &gt; \"d\"\n\té")
  }
}
