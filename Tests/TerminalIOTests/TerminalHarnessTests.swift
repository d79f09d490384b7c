import TerminalHarness
import Testing

@Suite struct TerminalHarnessTests {
  @Test func `a program sees the terminal's size, reads typed text and shows its output`() throws {
    let terminal = try PseudoTerminal(columns: 40, rows: 4)

    try terminal.launch("/bin/sh", ["-c", "stty size; read word; echo \"got $word\"; exit 3"])
    try terminal.waitFor("4 40")
    terminal.type("hello\r")

    #expect(try terminal.waitForExit() == .exited(3))
    #expect(terminal.text == "4 40\nhello\ngot hello\n")
  }

  @Test func `an idle program is distinguished from one that pauses for a moment`() throws {
    let terminal = try PseudoTerminal(columns: 20, rows: 2)
    try terminal.launch("/bin/sh", ["-c", "read a; for n in 1 2 3 4 5; do sleep 0.1; done; echo done; read b"])

    try terminal.waitUntilQuiet()
    #expect(terminal.sleep.isSound)
    terminal.type("\r")
    // The program writes nothing for half a second and sleeps most of that time.
    try terminal.waitUntilQuiet()

    #expect(terminal.text.contains("done"))
  }

  @Test func `a busy program is not taken for an idle one`() throws {
    let terminal = try PseudoTerminal(columns: 20, rows: 2)
    try terminal.launch("/bin/sh", ["-c", "while :; do :; done"])

    #expect(throws: HarnessError.self) { try terminal.waitUntilQuiet(within: 0.5) }
  }

  @Test func `a signal reaches the program and its ending is reported`() throws {
    let terminal = try PseudoTerminal(columns: 20, rows: 2)

    try terminal.launch("/bin/sh", ["-c", "echo ready; sleep 30"])
    try terminal.waitFor("ready")
    terminal.signal(15)

    #expect(try terminal.waitForExit() == .signalled(15))
  }

  @Test func `the emulator answers queries, including some that libvterm does not support`() {
    let emulator = Emulator(columns: 20, rows: 2)

    emulator.feed("\u{1B}[5n\u{1B}[?2026$p\u{1B}]11;?\u{7}\u{1B}[>1u\u{1B}[?u\u{1B}[c")

    let expected = "\u{1B}[0n\u{1B}[?2026;2$y\u{1B}]11;rgb:1010/1212/1818\u{1B}\\\u{1B}[?1u\u{1B}[?1;2c"
    #expect(String(decoding: emulator.takeAnswers(), as: UTF8.self) == expected)
    #expect(emulator.text == "\n")
  }

  @Test func `a silent terminal replies to nothing`() {
    let emulator = Emulator(columns: 20, rows: 2, personality: .silent)

    emulator.feed("\u{1B}[5n\u{1B}[?2026$p\u{1B}]11;?\u{7}\u{1B}[c")

    #expect(emulator.takeAnswers() == [])
  }

  @Test func `cells have colours, attributes and both halves of wide characters`() {
    let emulator = Emulator(columns: 4, rows: 1)

    emulator.feed("\u{1B}[1;38;2;1;2;3;48;5;200m漢\u{1B}[0;4mx")

    var wide = ShownCell("漢", width: 2)
    wide.isBold = true
    wide.foreground = .rgb(1, 2, 3)
    wide.background = .indexed(200)
    var underlined = ShownCell("x")
    underlined.underline = 1
    #expect(emulator.cells(row: 0) == [wide, .continuation, underlined, ShownCell(" ")])
  }

  @Test func `modes and keyboard flags are tracked`() {
    let emulator = Emulator(columns: 4, rows: 1)

    emulator.feed("\u{1B}[?1049h\u{1B}[?25;2004h\u{1B}[?2026h\u{1B}[>5u\u{1B}[>1u\u{1B}[<u\u{1B}[?25l")

    #expect(emulator.privateModes == [7, 1049, 2004, 2026])
    #expect(emulator.keyboardFlags == [5])
    #expect(emulator.showsAlternateScreen && !emulator.showsCursor)
  }

  @Test func `a slow connection is read no faster than its rate`() throws {
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    terminal.readRate = 64_000

    try terminal.launch("/bin/sh", ["-c", "head -c 32000 /dev/zero | tr '\\0' x; echo; echo done"])
    try terminal.waitFor("done")

    #expect(terminal.elapsed >= 0.4)
  }

  @Test func `all output is read after a program ends, even over a slow connection`() throws {
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    terminal.readRate = 1_000

    try terminal.launch("/bin/sh", ["-c", "head -c 2000 /dev/zero | tr '\\0' x; echo; echo done"])
    _ = try terminal.waitForExit()

    #expect(terminal.text.hasSuffix("done\n"))
  }
}
