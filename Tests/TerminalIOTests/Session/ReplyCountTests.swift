import CTerminal
import Foundation
import Testing

/// The replies that are counted while they are read, so that the end of the program does not wait for them.
@Suite(.serialized) struct ReplyCountTests {
  /// Counts the replies in the given reads, discards the expected further replies, and returns the bytes that remain.
  private func remaining(expecting count: Int32, reads: [String], then later: String) -> String {
    let pipe = Pipe()
    let (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
    cterminal_answers_forget()
    defer { cterminal_answers_forget() }
    // Waits so long only if a reply was not counted.
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    cterminal_answers_expect(count, Int64(now.tv_sec + 10) * 1000)
    var buffer = [UInt8](repeating: 0, count: 64)

    for text in reads {
      writing.write(Data(text.utf8))
      #expect(cterminal_answers_read(reading.fileDescriptor, &buffer, buffer.count) == text.utf8.count)
    }
    writing.write(Data(later.utf8))
    cterminal_answers_drain(reading.fileDescriptor)
    try? writing.close()
    return String(decoding: reading.readDataToEndOfFile(), as: UTF8.self)
  }

  @Test(arguments: [
    ["\u{1B}[0n"], ["\u{1B}[?1;2c"], ["\u{1B}", "[0n"], ["\u{1B}[", "?6", "2c"], ["a\u{1B}[A\u{1B}[0nb"],
  ])
  func `a reply is counted when it is read, also in several reads`(reads: [String]) {
    #expect(remaining(expecting: 1, reads: reads, then: "typed") == "typed")
  }

  @Test func `only the missing replies are read at the end`() {
    let missing = remaining(expecting: 2, reads: ["\u{1B}[0n"], then: "\u{1B}[?1;2c")

    #expect(missing == "")
  }

  @Test(arguments: ["\u{1B}[?997;1n", "\u{1B}[1c", "\u{1B}[5~", "n", "\u{1B}]11;rgb:00/00/00c\u{1B}\\"])
  func `other input is not counted as a reply`(input: String) {
    #expect(remaining(expecting: 1, reads: [input], then: "\u{1B}[0n") == "")
  }
}
