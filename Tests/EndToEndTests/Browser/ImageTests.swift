import TerminalHarness
import Testing

/// Images on terminals with and without support for pixels.
@Suite(.serialized) struct ImageTests {
  private static let place = "english-for-business/negotiating/counter-offers/dropping-anchor-too-early"
  private static let variables = ["TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"]

  /// Opens a page with an image, and sends the terminal's answers.
  private func open(_ arguments: [String] = [], answers: String = "") throws -> BrowserSession {
    let session = try BrowserSession(
      in: .withBundledCourse(), [Self.place] + arguments, personality: .silent, variables: Self.variables)
    try session.waitForPage("Dropping anchor too early")
    session.type(answers)
    return session
  }

  private func output(_ session: BrowserSession) -> String { String(decoding: session.terminal.output, as: UTF8.self) }

  // Sources: DEC VT510 reference, DA1; xterm, XTWINOPS; kitty, "Terminal graphics protocol".
  private static let sixels = "\u{1B}[6;20;10t\u{1B}[?62;4;22c"
  private static let kitty = "\u{1B}_Gi=4211087;OK\u{1B}\\\u{1B}[?62c"

  @Test func `a terminal that answers no queries gets half blocks only`() throws {
    let session = try open()
    try session.wait(for: "▀")
    session.terminal.pump(for: 1)

    let text = output(session)
    #expect(!text.contains("\u{1B}P"))
    #expect(text.split(separator: "\u{1B}_G").count == 2, "only the query is sent")
    try session.quit()
    session.expectRestored()
  }

  @Test func `a terminal is not queried if pixels are disabled`() throws {
    for mode in ["none", "blocks"] {
      let session = try open(["--pictures", mode], answers: Self.sixels)
      if mode == "blocks" { try session.wait(for: "▀") }
      // Pixels would be sent within this time.
      session.terminal.pump(for: 1)

      #expect(!output(session).contains("\u{1B}_G"))
      #expect(!output(session).contains("\u{1B}P"))
      #expect(output(session).contains("▀") == (mode == "blocks"))
      try session.quit()
    }
  }

  @Test(arguments: [(sixels, "\u{1B}P0;1;0q"), (kitty, "\u{1B}_Ga=T,f=100,")])
  func `pixels are sent while the page is at rest and removed at the next key press`(
    answers: String, beginning: String
  ) throws {
    let session = try open(answers: answers)
    try session.terminal.waitUntil("pixels") { output(session).contains(beginning) }
    try session.terminal.waitUntil("the end of the picture") {
      let text = output(session)
      return text.hasSuffix("\u{1B}\\") && (answers == Self.sixels || text.contains("m=0;"))
    }
    let start = session.terminal.output.count

    session.press(.down)
    try session.settle()

    let after = String(decoding: session.terminal.output[start...], as: UTF8.self)
    if answers == Self.kitty { #expect(after.hasPrefix("\u{1B}_Ga=d,d=I,i=1,q=2\u{1B}\\")) }
    #expect(after.contains("\u{1B}["))
    try session.quit()
    session.expectRestored()
  }

  @Test func `a requested protocol is not used if the terminal supports another one`() throws {
    let session = try open(["--pictures", "kitty"], answers: Self.sixels)
    session.terminal.pump(for: 1)

    #expect(!output(session).contains("\u{1B}P0;1"))
    try session.quit()
  }
}
