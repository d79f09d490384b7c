import TerminalHarness
import Testing

/// Images on terminals with and without support for pixels.
@Suite(.serialized) struct ImageTests {
  private static let place = "english-for-business/negotiating/counter-offers/dropping-anchor-too-early"
  private static let variables = ["TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"]

  /// Opens a page with an image, and sends the terminal's answers.
  private func sitting(_ arguments: [String] = [], answers: String = "") throws -> BrowserSession {
    let sitting = try BrowserSession(
      in: .withBundledCourse(), [Self.place] + arguments, personality: .silent, variables: Self.variables)
    try sitting.waitForPage("Dropping anchor too early")
    sitting.type(answers)
    return sitting
  }

  private func output(_ sitting: BrowserSession) -> String { String(decoding: sitting.terminal.output, as: UTF8.self) }

  // Sources: DEC VT510 reference, DA1; xterm, XTWINOPS; kitty, "Terminal graphics protocol".
  private static let sixels = "\u{1B}[6;20;10t\u{1B}[?62;4;22c"
  private static let kitty = "\u{1B}_Gi=4211087;OK\u{1B}\\\u{1B}[?62c"

  @Test func `a terminal that answers no queries gets half blocks only`() throws {
    let sitting = try sitting()
    try sitting.wait(for: "▀")
    sitting.terminal.pump(for: 1)

    let said = output(sitting)
    #expect(!said.contains("\u{1B}P"))
    #expect(said.split(separator: "\u{1B}_G").count == 2, "the question, and nothing else")
    try sitting.quit()
    sitting.expectRestored()
  }

  @Test func `a terminal is not queried if pixels are disabled`() throws {
    for way in ["none", "blocks"] {
      let sitting = try sitting(["--pictures", way], answers: Self.sixels)
      if way == "blocks" { try sitting.wait(for: "▀") }
      // Pixels would be sent within this time.
      sitting.terminal.pump(for: 1)

      #expect(!output(sitting).contains("\u{1B}_G"))
      #expect(!output(sitting).contains("\u{1B}P"))
      #expect(output(sitting).contains("▀") == (way == "blocks"))
      try sitting.quit()
    }
  }

  @Test(arguments: [(sixels, "\u{1B}P0;1;0q"), (kitty, "\u{1B}_Ga=T,f=100,")])
  func `pixels are sent while the page is at rest and removed at the next key press`(
    answers: String, beginning: String
  ) throws {
    let sitting = try sitting(answers: answers)
    try sitting.terminal.waitUntil("pixels") { output(sitting).contains(beginning) }
    try sitting.terminal.waitUntil("the end of the picture") {
      let said = output(sitting)
      return said.hasSuffix("\u{1B}\\") && (answers == Self.sixels || said.contains("m=0;"))
    }
    let seen = sitting.terminal.output.count

    sitting.press(.down)
    try sitting.settle()

    let after = String(decoding: sitting.terminal.output[seen...], as: UTF8.self)
    if answers == Self.kitty { #expect(after.hasPrefix("\u{1B}_Ga=d,d=I,i=1,q=2\u{1B}\\")) }
    #expect(after.contains("\u{1B}["))
    try sitting.quit()
    sitting.expectRestored()
  }

  @Test func `a requested protocol is not used if the terminal supports another one`() throws {
    let sitting = try sitting(["--pictures", "kitty"], answers: Self.sixels)
    sitting.terminal.pump(for: 1)

    #expect(!output(sitting).contains("\u{1B}P0;1"))
    try sitting.quit()
  }
}
