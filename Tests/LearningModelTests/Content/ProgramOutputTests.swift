import LearningModel
import Testing

struct ProgramOutputTests {
  @Test(arguments: [
    ("\u{1B}[31mred\u{1B}[0m", "\u{1B}[31mred\u{1B}[0m"),
    ("a\u{1B}[2Jb\u{1B}]0;title\u{7}c\u{1B}[?1049hd", "abcd"),
    ("\u{1B}[0m\u{8}\u{8}\u{8}]52;c;eA==\u{7}", "\u{1B}[0m]52;c;eA=="),
    ("ab\u{1B}[1m\u{8}\u{8}c", "ab\u{1B}[1mc"),
    ("10 %\r\u{1B}[32m90 %\n", "\u{1B}[32m90 %\n"),
    ("done\r\u{1B}[0m\n", "done\u{1B}[0m\n"),
    ("\u{9B}31m\u{7F}x\u{1B}", "31mx"),
  ])
  func `only colours are kept, and no backspace leaves half of one`(_ output: String, _ shown: String) {
    #expect(ProgramOutput.plain(output, keepingColours: true) == shown)
  }
}
