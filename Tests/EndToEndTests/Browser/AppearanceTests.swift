import Foundation
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
    Kind(name: "unknown page", personality: reticent, frame: .indexed(5), summary: .default),
    Kind(name: "never answers", personality: .silent, frame: .indexed(5), summary: .default),
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
    #expect(Set(backgrounds) == [.default], "a background that fits is not painted")
    #expect(cell(3, 2).isBold, "a title stands out also without colours")
    try session.quit()
  }

  /// A theme that does not fit the terminal, with the background and the default foreground that it paints.
  struct Painting: CustomTestStringConvertible, Sendable {
    let name: String
    var personality = Personality.modern
    var variables: [String: String] = [:]
    let theme: String
    let background: ShownColour

    var testDescription: String { name }
  }

  static let paintings = [
    Painting(name: "light on dark", theme: "light", background: .indexed(231)),
    Painting(name: "dark on light", personality: light, theme: "dark", background: .indexed(234)),
    Painting(name: "light on unknown", personality: reticent, theme: "light", background: .indexed(231)),
    Painting(name: "dark on a silent terminal", personality: .silent, theme: "dark", background: .indexed(234)),
    Painting(
      name: "light, all colours", variables: ["COLORTERM": "truecolor"], theme: "light",
      background: .rgb(0xFD, 0xFC, 0xFA)),
    Painting(name: "light, 16 colours", variables: ["TERM": "xterm"], theme: "light", background: .indexed(15)),
    Painting(name: "high contrast", theme: "high-contrast", background: .indexed(16)),
    Painting(
      name: "light, without background colour erase", variables: ["TERM": "screen-256color"], theme: "light",
      background: .indexed(231)),
  ]

  @Test(arguments: paintings)
  func `a theme that does not fit the terminal paints every cell, also in motion and below overlays`(
    painting: Painting
  ) throws {
    let session = try BrowserSession(
      in: .withBundledCourse(), ["english-for-business/negotiating", "--theme", painting.theme],
      personality: painting.personality, variables: painting.variables)
    func expectPainted(_ what: String) throws {
      try session.settle()
      let cells = (0..<24).flatMap { session.terminal.emulator.cells(row: $0) }
      let unpainted = cells.indices.filter {
        cells[$0].background != painting.background || cells[$0].foreground == .default && cells[$0].text != " "
      }
      #expect(
        unpainted.isEmpty, "\(what): \(unpainted.prefix(3).map { (row: $0 / 80, column: $0 % 80, cell: cells[$0]) })")
    }

    session.expect(ExpectedScreens.goal)
    try expectPainted("a list")
    for key in [NamedKey.enter, .enter, .pageDown, .down, .down] {
      session.press(key)
      try expectPainted("after \(key)")
    }
    for (key, name) in [("?", "help"), ("q", "no help"), ("2", "Find"), ("offers", "results")] {
      session.type(key)
      try expectPainted(name)
    }
    session.press(.escape)
    try expectPainted("Learn")
    try session.quit()
  }

  @Test func `arrows preview a theme on the whole screen, Esc restores it and Enter keeps it`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), ["english-for-business/negotiating"])
    func backgrounds() throws -> Set<ShownColour> {
      try session.settle()
      return Set((0..<24).flatMap { session.terminal.emulator.cells(row: $0) }.map(\.background))
    }
    session.expect(ExpectedScreens.goal)
    session.type(",")
    session.type("theme")
    session.press(.enter)
    #expect(try backgrounds() == [.default])

    session.press(.down, .down)
    let light = try backgrounds()
    session.press(.up)
    let dark = try backgrounds()
    session.press(.escape)
    let restored = try backgrounds()
    session.press(.enter, .down, .down, .enter)
    let kept = try backgrounds()

    #expect(light == [.indexed(231)])
    #expect(dark == [.default] && restored == [.default])
    #expect(kept == [.indexed(231)])
    session.press(.escape)
    try session.settle()
    try session.quit()
    let file = try String(contentsOfFile: session.home.path(".config/waymark/config.yml"), encoding: .utf8)
    #expect(file.contains("theme: light"))
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
      #expect(answer.code == 0 && answer.errors.isEmpty)
      // A line can end inside the path.
      let output = answer.output.filter { !$0.isWhitespace }
      let message =
        "Could not read 'motion' at \(file):2: 'slow' is not a valid value. Write one of full, reduced, none. "
        + "Until then, the default is used."
      #expect(output.contains(message.filter { !$0.isWhitespace }))
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
