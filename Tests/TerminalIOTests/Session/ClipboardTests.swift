import TextCanvas
import Testing

@testable import TerminalIO

@Suite struct ClipboardTests {
  /// Source of the pairs: RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"), ("ö›", "w7bigLo="),
  ])
  func `a text is sent as Base64 in a control string`(text: String, encoded: String) {
    #expect(ClipboardMessage.bytes(of: text) == Array("\u{1B}]52;c;\(encoded)\u{1B}\\".utf8))
  }

  @Test func `a text above the length limit is not sent`() {
    let longest = String(repeating: "x", count: ClipboardMessage.maximumBytes)

    #expect(ClipboardMessage.bytes(of: longest) != nil)
    #expect(ClipboardMessage.bytes(of: longest + "x") == nil)
  }

  @Test func `a message is sent in one piece between two slices of a frame`() throws {
    var surface = Surface(columns: 120, rows: 40, filledWith: .blank)
    for row in 0..<40 {
      for column in 0..<120 {
        let shade = UInt8(truncatingIfNeeded: column * 3 + row * 7)
        surface[column, row] = Cell(Glyph("x"), style: Style(foreground: .rgb(shade, 9, 255 &- shade)))
      }
    }
    var queue = OutputQueue(encoder: FrameEncoder(size: surface.size, features: OutputFeatures()))
    var written: [[UInt8]] = []
    // A terminal that accepts half of each write and then refuses the next one.
    var takes = true
    let write: OutputQueue.Write = { bytes in
      defer { takes.toggle() }
      guard takes else { return .wouldBlock }
      let count = max(1, bytes.count / 2)
      written.append(Array(bytes[..<count]))
      return .count(count)
    }
    let message = try #require(ClipboardMessage.bytes(of: "copied"))

    _ = queue.present(Frame(surface: surface), now: 0, write: write)
    _ = queue.send(message, now: 0, write: write)
    for step in 1...10_000 where queue.isBusy {
      _ = queue.replyArrived(now: Double(step) / 100, write: write)
    }

    let all = Array(written.joined())
    let range = try #require(all.firstRange(of: message))
    // The bytes before the message end with a complete sequence, because a slice is never split.
    let before = all[..<range.lowerBound]
    #expect(before.suffix(4) == Array("\u{1B}[5n".utf8)[...])
    #expect(!queue.isBusy)
  }
}
