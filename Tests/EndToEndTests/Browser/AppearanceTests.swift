import TerminalHarness
import Testing

/// Colours and symbols, depending on the terminal's capabilities, the environment and the flags.
@Suite struct AppearanceTests {
  /// A kind of terminal, with the expected colours of a lesson card's frame and of a summary.
  struct Kind: CustomTestStringConvertible, Sendable {
    let name: String
    var personality = Personality.modern
    var variables: [String: String] = [:]
    var arguments: [String] = []
    let frame: ShownColour
    let summary: ShownColour

    var testDescription: String { name }
  }

  private static let light: Personality = {
    var light = Personality.modern
    light.background = (253, 252, 250)
    return light
  }()
  private static let reticent: Personality = {
    var reticent = Personality.modern
    reticent.background = nil
    return reticent
  }()

  static let kinds = [
    Kind(name: "dark, 256 colours", frame: .indexed(79), summary: .indexed(247)),
    Kind(name: "light, 256 colours", personality: light, frame: .indexed(23), summary: .indexed(241)),
    Kind(name: "unknown page", personality: reticent, frame: .indexed(6), summary: .default),
    Kind(name: "never answers", personality: .silent, frame: .indexed(6), summary: .default),
    Kind(
      name: "dark, all colours", variables: ["COLORTERM": "truecolor"], frame: .rgb(0x6A, 0xCD, 0xBF),
      summary: .rgb(0x99, 0xA0, 0xAD)),
    Kind(
      name: "light, all colours", personality: light, variables: ["COLORTERM": "truecolor"],
      frame: .rgb(0x0B, 0x6F, 0x66), summary: .rgb(0x5D, 0x64, 0x70)),
    Kind(name: "dark, 16 colours", variables: ["TERM": "xterm"], frame: .indexed(14), summary: .default),
    Kind(
      name: "light, 16 colours", personality: light, variables: ["TERM": "xterm"], frame: .indexed(6),
      summary: .default),
    Kind(name: "16 colours, asked for", arguments: ["--color", "16"], frame: .indexed(14), summary: .default),
    Kind(
      name: "dark, asked for on a light page", personality: light, arguments: ["--theme", "dark"], frame: .indexed(79),
      summary: .indexed(247)),
    Kind(name: "xterm-mono", variables: ["TERM": "xterm-mono"], frame: .default, summary: .default),
    Kind(name: "NO_COLOR", variables: ["NO_COLOR": "1"], frame: .default, summary: .default),
    Kind(name: "no colour, asked for", arguments: ["--color", "none"], frame: .default, summary: .default),
  ]

  @Test(arguments: kinds)
  func `a page uses colours that are readable on the terminal`(kind: Kind) throws {
    let session = try BrowserSession(
      in: .withBundledCourse(), ["english-for-business/negotiating"] + kind.arguments, personality: kind.personality,
      variables: kind.variables)
    session.expect(ExpectedScreens.goal)
    try session.settle()

    let cell = { session.terminal.emulator.cell(column: $0, row: $1) }
    #expect(cell(1, 5).text == "╭")
    #expect(cell(1, 5).foreground == kind.frame)
    #expect(cell(3, 3).text == "P")
    #expect(cell(3, 3).foreground == kind.summary)
    let backgrounds = (0..<24).flatMap { session.terminal.emulator.cells(row: $0) }.map(\.background)
    #expect(Set(backgrounds) == [.default], "the page's own background is never painted")
    #expect(cell(3, 2).isBold, "a title stands out also without colours")
    try session.quit()
  }

  @Test func `a page has the same layout with ASCII symbols`() throws {
    let home = try HomeFixture.withBundledCourse()
    let signs: [Character: Character] = [
      "›": ">", "─": "-", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "│": "|", "“": "\"", "”": "\"",
    ]
    let ascii = String(ExpectedScreens.goal.map { signs[$0] ?? $0 })

    let kinds = [
      (["--symbols", "ascii"], [:]), ([], ["LANG": "C"]), ([], ["LC_ALL": "POSIX"]), ([], ["TERM": "linux"]),
    ]
    for (arguments, variables) in kinds {
      let session = try BrowserSession(in: home, ["english-for-business/negotiating"] + arguments, variables: variables)
      session.expect(ascii)
      try session.settle()
      let nonASCII = session.terminal.text.unicodeScalars.filter { !$0.isASCII }
      #expect(nonASCII.isEmpty)
      try session.quit()
    }
  }

  @Test func `a dumb terminal gets the linear browser`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), variables: ["TERM": "dumb"])

    session.expect(
      """
      Waymark, linear mode (because TERM says that the terminal is dumb). Type a
      number or word, ? for help.
      """)
    try session.wait(for: "\n>")
    session.type("quit\r")

    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
    session.expectUntouched()
  }

  @Test(
    arguments: [
      ("linear: on\n", [:], [], "asked for by the settings file"),
      ("linear: off\n", ["WAYMARK_LINEAR": "1"], [], "asked for by WAYMARK_LINEAR"),
      ("linear: off\n", ["WAYMARK_LINEAR": "0"], ["--linear"], "asked for by --linear"),
    ] as [(String, [String: String], [String], String)])
  func `a flag, a variable or the settings file selects the linear browser`(
    file: String, variables: [String: String], arguments: [String], reason: String
  ) throws {
    let home = try HomeFixture.withBundledCourse()
    try home.write(file, to: ".config/waymark/config.yml")
    home.environment.merge(variables) { $1 }

    let answer = try home.waymark(["browse"] + arguments, input: "quit\n")

    #expect(answer.code == 0, "\(answer)")
    #expect(answer.output.hasPrefix("Waymark, linear mode (\(reason))."), "\(answer)")
  }

  @Test func `an error in the settings file is reported even in linear mode`() throws {
    let home = try HomeFixture.withBundledCourse()
    let file = try home.write("linear: on\nmotion: slow\n", to: ".config/waymark/config.yml")

    for arguments in [["browse"], ["browse", "--linear"]] {
      let answer = try home.waymark(arguments, input: "quit\n")
      #expect(answer.code == 65)
      #expect(answer.output.isEmpty)
      #expect(
        answer.errors == "Could not read 'motion' at \(file):2: 'slow' is not a valid value. "
          + "Write one of full, reduced, none.\n")
    }
  }

  @Test(arguments: [
    ("auto", "xterm-kitty", true), ("auto", "xterm", false), ("on", "xterm", true), ("off", "foot", false),
  ])
  func `hyperlinks are written for known terminals, or as the settings file requires`(
    setting: String, terminal: String, isWritten: Bool
  ) throws {
    let home = try HomeFixture.withBundledCourse()
    try home.write("hyperlinks: \(setting)\n", to: ".config/waymark/config.yml")

    let session = try BrowserSession(
      in: home, ["english-for-business/negotiating/closing-the-deal/getting-to-yes"], personality: .silent,
      variables: ["TERM": terminal])
    try session.waitForPage("Getting to Yes")
    try session.settle()

    // Source: the specification "Hyperlinks in terminal emulators".
    #expect(String(decoding: session.terminal.output, as: UTF8.self).contains("\u{1B}]8;") == isWritten)
    try session.quit()
  }

  @Test func `without motion a new page is drawn in a single frame`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), ["english-for-business", "--motion", "none"])
    try session.waitForPage("English for Business")

    session.press(.down)
    try session.settle()
    let start = session.terminal.output.count
    session.press(.enter)
    session.expect(ExpectedScreens.goal)
    try session.settle()

    // No intermediate frame was written: the output contains one synchronised update.
    let bytes = session.terminal.output[start...]
    let openings = bytes.split(separator: UInt8(ascii: "h")).count { $0.suffix(5).elementsEqual("?2026".utf8) }
    #expect(openings == 1, "\(openings) frames")
    try session.quit()
  }
}
