import Images
import TextCanvas
import Testing

@testable import TerminalIO

@Suite struct CapabilitiesTests {
  private func known(_ variables: [String: String]) -> Capabilities {
    Capabilities(environment: TerminalEnvironment(variables))
  }

  @Test(arguments: [
    (["TERM": "xterm-256color"], ColourDepth.indexed),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .truecolor),
    (["TERM": "screen", "COLORTERM": "24bit"], .truecolor),
    (["TERM": "xterm-direct"], .truecolor),
    (["TERM": "xterm-kitty"], .truecolor),
    (["TERM": "xterm"], .ansi),
    (["TERM": "linux"], .ansi),
    (["TERM": "vt100"], .none),
    (["TERM": "dumb"], .none),
    ([:], .none),
    (["TERM": "dumb", "CLICOLOR_FORCE": "1"], .ansi),
    (["TERM": "dumb", "CLICOLOR_FORCE": "0"], .none),
    (["TERM": "xterm-mono", "COLORTERM": "truecolor"], .none),
    (["TERM": "xterm-mono", "FORCE_COLOR": "1"], .ansi),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
    (["TERM": "xterm-256color", "NO_COLOR": ""], .indexed),
  ])
  func `colours follow the environment`(variables: [String: String], depth: ColourDepth) {
    #expect(known(variables).colourDepth == depth)
  }

  @Test(arguments: [
    (["TERM": "xterm"], "XTerm(379)", ColourDepth.indexed), (["TERM": "screen"], "tmux 3.3a", .indexed),
    (["TERM": "xterm"], "VTE(7006)", .indexed), (["TERM": "xterm"], "something else", .ansi),
    (["TERM": "xterm-direct"], "XTerm(379)", .truecolor), (["TERM": "vt100"], "XTerm(379)", .none),
    (["TERM": "xterm", "NO_COLOR": "1"], "XTerm(379)", .none),
  ])
  func `a terminal's reported name can add colours that TERM does not declare`(
    variables: [String: String], name: String, depth: ColourDepth
  ) {
    var capabilities = known(variables)

    _ = capabilities.update(.version(name))

    #expect(capabilities.colourDepth == depth)
    #expect(capabilities.following(TerminalOptions(colourDepth: .ansi)).colourDepth == .ansi)
  }

  @Test(arguments: [
    (["LANG": "en_GB.UTF-8"], true), (["LANG": "C"], false), ([:], false), (["LC_ALL": "C", "LANG": "C.UTF-8"], false),
    (["LC_CTYPE": "de_DE.utf8", "LANG": "C"], true), (["LC_ALL": "", "LANG": "C.UTF-8"], true),
  ])
  func `characters follow the locale`(variables: [String: String], isUnicode: Bool) {
    #expect(known(variables).isUnicode == isUnicode)
  }

  @Test func `replies update the capabilities, and the last one completes them`() {
    var capabilities = known(["TERM": "xterm-256color", "LANG": "C.UTF-8"])
    var expected = capabilities

    for answer in [
      TerminalReply.mode(2026, .reset), .keyboardFlags(0), .background(.rgb(255, 255, 240)), .version("foot(1.16.2)"),
      .cursor(CellPoint(column: 6, row: 1)), .attributes([62, 4, 22]),
    ] {
      let isNews = capabilities.update(answer)
      #expect(isNews)
    }

    expected.responds = true
    expected.hasSynchronizedOutput = true
    expected.hasKittyKeyboard = true
    expected.hasSixels = true
    expected.background = .rgb(255, 255, 240)
    expected.version = "foot(1.16.2)"
    expected.repeatsCharacters = true
    expected.hasLinks = true
    expected.ambiguousWidth = 2
    expected.isSettled = true
    #expect(capabilities == expected)
    #expect(capabilities.isDark == false)
    let isNews = capabilities.update(.status)
    #expect(!isNews)
  }

  @Test func `an unknown or permanently reset mode is not used`() {
    var capabilities = known(["TERM": "xterm"])

    _ = capabilities.update(.mode(2026, .unknown))
    #expect(!capabilities.hasSynchronizedOutput)
    _ = capabilities.update(.mode(2026, .permanentlyReset))
    #expect(!capabilities.hasSynchronizedOutput)
  }

  @Test(arguments: [(1, 1, false), (2, 2, false), (3, 1, true), (6, 2, true), (0, 1, false), (5, 1, false)])
  func `the cursor column after the probe reveals ambiguous width and REP support`(
    column: Int, width: Int, repeats: Bool
  ) {
    var capabilities = known(["TERM": "xterm-256color", "LANG": "C.UTF-8"])

    _ = capabilities.update(.cursor(CellPoint(column: column, row: 1)))

    #expect((capabilities.ambiguousWidth, capabilities.repeatsCharacters) == (width, repeats))
    #expect(Capabilities.probe(isUnicode: true) == "\u{1B}[2H─\u{1B}[2b\u{1B}[6n")
    #expect(Capabilities.probe(isUnicode: false) == "\u{1B}[2H-\u{1B}[2b\u{1B}[6n")
  }

  @Test func `a cursor report from another row changes nothing`() {
    var capabilities = known(["TERM": "xterm-256color", "LANG": "C.UTF-8"])
    let before = capabilities.repeatsCharacters

    _ = capabilities.update(.cursor(CellPoint(column: 3, row: 0)))

    #expect(capabilities.repeatsCharacters == before)
  }

  @Test(arguments: [
    (["TERM": "xterm-256color"], false), (["TERM": "xterm"], false), (["TERM": "linux"], false),
    (["TERM": "foot"], true), (["TERM": "xterm-kitty"], true), (["TERM": "vte-256color"], true),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], true),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], false),
    (["TERM": "xterm-256color", "VTE_VERSION": "7006"], true),
    (["TERM": "xterm-256color", "VTE_VERSION": "4205"], false),
    (["TERM": "xterm-256color", "WT_SESSION": "a"], true),
    (["TERM": "tmux-256color", "VTE_VERSION": "7006"], false),
    (["TERM": "screen", "TERM_PROGRAM": "WezTerm"], false),
    (["TERM": "xterm-256color", "TMUX": "/tmp/tmux", "VTE_VERSION": "7006"], false),
  ])
  func `links are sent only to terminals that are known to show them`(variables: [String: String], hasLinks: Bool) {
    #expect(known(variables).hasLinks == hasLinks)
  }

  @Test(arguments: [
    ("foot(1.16.2)", true), ("tmux 3.4", true), ("tmux 3.3a", false), ("tmux next-3.5", true), ("XTerm(390)", false),
    ("iTerm2 3.5.0", true), ("somebody's", false), ("tmux", false), ("tmux 4.0", true),
  ])
  func `the reported terminal name decides whether links are used`(name: String, hasLinks: Bool) {
    var capabilities = known(["TERM": "xterm-256color"])

    _ = capabilities.update(.version(name))

    #expect(capabilities.hasLinks == hasLinks)
  }

  @Test func `the program's options override what the terminal reports`() {
    var capabilities = known(["TERM": "xterm-256color"])
    _ = capabilities.update(.version("foot(1.16.2)"))

    #expect(capabilities.following(TerminalOptions()).hasLinks)
    #expect(!capabilities.following(TerminalOptions(usesHyperlinks: false)).hasLinks)
    #expect(known(["TERM": "linux"]).following(TerminalOptions(usesHyperlinks: true)).hasLinks)
    #expect(capabilities.following(TerminalOptions(colourDepth: ColourDepth.none)).colourDepth == .none)
  }

  @Test func `images are enabled only by replies to queries that were sent`() {
    var capabilities = known(["TERM": "xterm-kitty"])
    #expect(!capabilities.supportsKittyGraphics && !capabilities.hasSixels && capabilities.cellPixels == nil)

    _ = capabilities.update(.image(5, isShown: true))
    _ = capabilities.update(.attributes([4, 6]))
    #expect(!capabilities.supportsKittyGraphics && !capabilities.hasSixels, "another picture, and the class of a VT132")

    _ = capabilities.update(.image(Capabilities.queryImageID, isShown: true))
    _ = capabilities.update(.attributes([63, 4, 22]))
    _ = capabilities.update(.cell(CellPixels(width: 9, height: 18)))
    #expect(capabilities.supportsKittyGraphics && capabilities.hasSixels)
    #expect(capabilities.cellPixels == CellPixels(width: 9, height: 18))

    _ = capabilities.update(.image(Capabilities.queryImageID, isShown: false))
    _ = capabilities.update(.cell(CellPixels(width: 1, height: 1)))
    #expect(!capabilities.supportsKittyGraphics)
    #expect(capabilities.cellPixels == CellPixels(width: 9, height: 18), "what is known first stays")
  }

  @Test(arguments: [
    (["TERM": "xterm-256color"], "\u{1B}_Gi=4211087,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t"),
    (
      ["TERM": "tmux-256color", "TMUX": "x"],
      "\u{1B}Ptmux;\u{1B}\u{1B}_Gi=4211087,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\u{1B}\\\u{1B}\\\u{1B}[16t"
    ),
    (["TERM": "linux"], ""), (["TERM": "screen", "STY": "x"], ""),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], ""),
  ])
  func `the image query is sent only to terminals that do not print it as text`(
    _ variables: [String: String], _ expected: String
  ) {
    #expect(Capabilities.imageQueries(environment: TerminalEnvironment(variables)) == expected)
  }

  @Test func `the background query is not sent to the Linux console, which misinterprets it`() {
    #expect(!Capabilities.queries(environment: TerminalEnvironment(["TERM": "linux"])).contains("\u{1B}]"))
    #expect(Capabilities.queries(environment: TerminalEnvironment(["TERM": "xterm"])).contains("\u{1B}]11;?\u{1B}\\"))
  }
}
