import Testing

@testable import waymark

struct LineBufferTests {
  /// Returns the lines of a text that arrives in chunks of the given size.
  private static func lines(_ text: String, in size: Int, limit: Int = 8) -> [LineBuffer.Line] {
    var (buffer, lines, bytes) = (LineBuffer(limit: limit), [LineBuffer.Line](), Array(text.utf8)[...])
    while !bytes.isEmpty {
      lines += buffer.append(bytes.prefix(size))
      bytes = bytes.dropFirst(size)
    }
    return lines + buffer.finish()
  }

  @Test(arguments: [1, 2, 3, 5, 100]) func `chunks of any size give the same lines`(size: Int) {
    let lines = Self.lines("one\n\n two\r\n \t\r\nthree", in: size)

    #expect(lines == ["one", " two\r", "three"].map { .text(Array($0.utf8)) })
  }

  @Test(arguments: [1, 2, 100]) func `blank lines are kept on request, except after the last line feed`(size: Int) {
    var (buffer, bytes) = (LineBuffer(limit: 8, keepsBlankLines: true), Array("one\n\ntwo\n \n".utf8)[...])
    var lines: [LineBuffer.Line] = []
    while !bytes.isEmpty {
      lines += buffer.append(bytes.prefix(size))
      bytes = bytes.dropFirst(size)
    }

    #expect(lines + buffer.finish() == ["one", "", "two", " "].map { .text(Array($0.utf8)) })
  }

  @Test(arguments: [1, 3, 100]) func `a line over the limit is reported once and the next one is read`(size: Int) {
    let lines = Self.lines("12345678\n123456789\nnext\n" + String(repeating: "x", count: 1000), in: size)

    #expect(lines == [.text(Array("12345678".utf8)), .tooLong, .text(Array("next".utf8)), .tooLong])
  }
}
