import Foundation
import TerminalHarness
import Testing

/// Texts of courses by other authors must not control the terminal.
@Suite struct HostileTextTests {
  /// Expects that the terminal received only the control functions that the browser itself uses.
  private func expectHarmless(_ session: BrowserSession, _ location: SourceLocation = #_sourceLocation) {
    let emulator = session.terminal.emulator
    #expect(emulator.title == "Waymark", sourceLocation: location)
    #expect(emulator.bells == 0, sourceLocation: location)
    #expect(emulator.showsAlternateScreen && !emulator.showsCursor, sourceLocation: location)
    // The modes for the cursor (25), wrapping (7) and synchronised output (2026) must be off.
    #expect(emulator.privateModes == [1002, 1004, 1006, 1049, 2004], sourceLocation: location)
    let parts = TerminalOutputPart.parts(of: session.terminal.output)
    #expect(
      parts.count { $0 == .sequence("2J") } == 1, "the screen is cleared only at the start", sourceLocation: location)
    let unexpected = parts.filter { part in
      switch part {
      case .text(let text): text.unicodeScalars.contains { Self.isHarmful($0) }
      case .control(let byte): ![8, 9, 10, 13, 15].contains(byte)
      case .sequence(let text): !Self.finals.contains(text.last ?? "?")
      case .string("]", let text) where text.hasPrefix("8;id="): !text.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
      case .string(let opener, let text): !Self.strings.contains("\(opener)\(text)")
      case .escape(let text): !["(B", "M", "7", "8"].contains(text)
      }
    }
    #expect(unexpected == [], sourceLocation: location)
    for row in emulator.lines { #expect(row.count <= emulator.columns, sourceLocation: location) }
  }

  /// Returns whether a scalar is a C1 control, a bidirectional control or an invisible format character.
  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029, 0xFEFF,
      0xE0000...0xE007F:
      true
    default: false
    }
  }

  private static let finals: Set<Character> = [
    "A", "B", "C", "D", "E", "G", "H", "J", "K", "L", "M", "P", "S", "T", "X", "@", "b", "c", "d", "h", "l", "m", "n",
    "p",
    "q", "r", "t", "u",
  ]
  private static let strings: Set<String> = [
    "]2;Waymark", "]11;?", "]8;;",
    // The query for kitty's graphics protocol.
    "_Gi=4211087,s=1,v=1,a=q,t=d,f=24;AAAA",
  ]

  /// Returns the corners and edges of the selected card's frame.
  private func frame(of session: BrowserSession) -> [String] {
    let ends = (5..<22).map { row in
      [1, 78].map { session.terminal.emulator.cell(column: $0, row: row).text }.joined()
    }
    return Array(ends.drop { $0 != "╭╮" }.prefix(4))
  }

  @Test func `harmful text is displayed as symbols in every list and activity`() throws {
    let home = try HomeFixture.harmful()
    let session = try BrowserSession(in: home)
    try session.wait(for: "Harm")
    try session.settle()
    expectHarmless(session)

    // The course has a single goal, which is skipped.
    session.type("l")
    try session.wait(for: "Goal ")
    try session.settle()
    #expect(frame(of: session) == ["╭╮", "││", "││", "╰╯"], "harmful text does not move the frame")
    expectHarmless(session)
    for index in HarmfulTexts.all.indices {
      session.type("g" + String(repeating: "j", count: index) + "l")
      try session.wait(for: "lesson \(index + 1) of \(HarmfulTexts.all.count)")
      for activity in 1...3 {
        session.type(activity == 1 ? "gl" : "n")
        try session.wait(for: "activity \(activity) of 3")
        session.press(.down, .down, .up)
      }
      session.type("h")
      try session.wait(for: "lesson \(index + 1) of \(HarmfulTexts.all.count)")
      session.type("h")
      try session.settle()
    }
    session.type("i")
    try session.settle()
    expectHarmless(session)
    session.press(.left)
    try session.settle()
    session.type("/end")
    try session.wait(for: "[Find]")
    try session.settle()
    session.press(.down, .escape)
    try session.wait(for: "Learn]")
    session.type("3")
    try session.wait(for: "History]")
    try session.settle()
    expectHarmless(session)
    try session.quit()
  }

  @Test func `harmful file names are displayed as symbols`() throws {
    let home = try HomeFixture()
    let name = "01-\u{1B}]0;evil\u{7}\u{9B}2J\u{202E}"
    try home.write("title: Files\n", to: "course/course.yml")
    try home.write("", to: "course/\(name)/goal.yml")
    try home.write("", to: "course/\(name)/\(name)/lesson.yml")
    try home.write("Some words to read.\n", to: "course/\(name)/\(name)/\(name).md")
    let terminal = try PseudoTerminal(columns: 80, rows: 24)

    try terminal.launch(
      BuiltProgram.path, ["import", home.path("course")], environment: home.environment, directory: home.folder)
    let ending = try terminal.waitForExit(within: BrowserSession.timeout)

    #expect(terminal.emulator.title == "" && terminal.emulator.bells == 0)
    #expect(
      !terminal.output.contains { $0 == 0x07 } && !String(decoding: terminal.output, as: UTF8.self).contains("\u{9B}"))
    guard ending == .exited(0) else { return }
    let session = try BrowserSession(in: home)
    try session.wait(for: "Files")
    for place in ["course 1 of 1", "goal 1 of 1", "lesson 1 of 1", "activity 1 of 1"] {
      session.type("l")
      try session.wait(for: place)
      try session.settle()
    }
    expectHarmless(session)
    try session.quit()
  }

  @Test func `the text of the bundled course passes the same check`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), ["english-for-business/meetings/across-borders"])
    try session.waitForPage("Across borders")
    session.type("l")
    try session.waitForPage("Two hands and a card")
    session.type("    ")
    try session.settle()

    expectHarmless(session)
    try session.quit()
  }
}
