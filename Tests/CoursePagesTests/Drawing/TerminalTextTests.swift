import Testing
import TextCanvas

@testable import CoursePages

@Suite struct TerminalTextTests {
  private func runs(_ output: String, _ depth: ColourDepth = .truecolor) -> [StyledRun] {
    StyledText(output: output, style: .plain, depth: depth).runs
  }

  @Test func `colours and attributes are kept`() {
    let red = Style(foreground: .indexed(1), attributes: .bold)

    #expect(
      runs("a\u{1B}[1;31mb\u{1B}[0mc\u{1B}[38;5;200md\u{1B}[48;2;1;2;3me\u{1B}[39;49mf\u{1B}[97mg")
        == [
          StyledRun("a"), StyledRun("b", style: red), StyledRun("c"),
          StyledRun("d", style: Style(foreground: .indexed(200))),
          StyledRun("e", style: Style(foreground: .indexed(200), background: .rgb(1, 2, 3))), StyledRun("f"),
          StyledRun("g", style: Style(foreground: .indexed(15))),
        ])
  }

  @Test func `colours are reduced to those of the terminal`() {
    #expect(runs("\u{1B}[38;5;196ma", .ansi) == [StyledRun("a", style: Style(foreground: .indexed(9)))])
    #expect(runs("\u{1B}[31ma", .none) == [StyledRun("a")])
  }

  @Test func `a carriage return overwrites the line, and other sequences are removed`() {
    #expect(runs("10 %\r\u{1B}[2K100 %\n\u{1B}]0;title\u{7}\u{1B}[3Aend") == [StyledRun("100 %\nend")])
  }

  @Test func `a tab leads to the next multiple of eight columns`() {
    #expect(runs("a\tb\n\tc") == [StyledRun("a       b\n        c")])
  }
}
