import Foundation
import TerminalHarness
import TestSupport
import Testing

/// An idle browser does not use the processor.
@Suite struct IdleTests {
  /// The observed time in seconds: 5, or 60 in long tests.
  private static let seconds: Double = Tier.isLong ? 60 : 5

  @Test func `an idle browser writes nothing and wakes no thread`() throws {
    let home = try HomeFixture.withBundledCourse()
    let sessions = try [
      (place: "english-for-business", keys: ""),
      ("english-for-business/negotiating/opening-offers/who-speaks-first", " "),
      ("english-for-business", "3"),
    ].map { place, keys in
      let session = try BrowserSession(in: home, [place])
      try session.settle()
      session.type(keys)
      return session
    }

    for session in sessions {
      // Threads that are only needed at the start end after some seconds. After that no thread may wake up.
      try session.terminal.waitUntilQuiet(for: Self.seconds)
      #expect(!session.terminal.sleep.switches.isEmpty)
      try session.quit()
    }
  }

  @Test func `a browser becomes idle again after a search and an import`() throws {
    let home = try HomeFixture.withBundledCourse()
    let folder = try TemporaryFolder()
    try folder.write(Data("[book]\ntitle = \"Maps\"\n".utf8), to: "book.toml")
    try FileManager.default.createDirectory(atPath: folder.file("src"), withIntermediateDirectories: true)
    try folder.write(Data("# Summary\n\n- [Hills](hills.md)\n".utf8), to: "src/SUMMARY.md")
    try folder.write(Data("# Hills\n\nThe closer the lines, the steeper.\n".utf8), to: "src/hills.md")
    let session = try BrowserSession(in: home, [])
    try session.settle()
    session.type("/")
    try session.settle()
    session.type("anchor")
    try session.terminal.waitFor("Anchors and ranges")
    session.terminal.press(.escape)
    try session.settle()
    for _ in 0..<5 {
      session.terminal.press(.left)
      try session.settle()
    }
    session.type("a")
    try session.settle()
    session.type(folder.path)
    session.terminal.press(.enter)
    try session.terminal.waitFor("↵ add")
    session.terminal.press(.enter)
    try session.terminal.waitFor("Imported “Maps”")
    // The notice offers to open the course until a key is pressed. The import's threads end.
    session.terminal.press(.down)
    try session.terminal.waitUntil("the notice to go") { !session.terminal.text.contains("Imported “Maps”") }

    try session.terminal.waitUntilQuiet(for: Self.seconds)

    #expect(!session.terminal.sleep.switches.isEmpty)
    try session.quit()
  }
}
