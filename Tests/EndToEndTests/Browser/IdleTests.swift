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
    let sittings = try [
      (place: "english-for-business", keys: ""),
      ("english-for-business/negotiating/opening-offers/who-speaks-first", " "),
      ("english-for-business", "3"),
    ].map { place, keys in
      let sitting = try BrowserSession(in: home, [place])
      try sitting.settle()
      sitting.type(keys)
      return sitting
    }

    for sitting in sittings {
      // Threads that are only needed at the start end after some seconds. After that no thread may wake up.
      try sitting.terminal.waitUntilQuiet(for: Self.seconds)
      #expect(!sitting.terminal.sleep.switches.isEmpty)
      try sitting.quit()
    }
  }

  @Test func `a browser becomes idle again after a search and an import`() throws {
    let home = try HomeFixture.withBundledCourse()
    let folder = try TemporaryFolder()
    try folder.write(Data("[book]\ntitle = \"Maps\"\n".utf8), to: "book.toml")
    try FileManager.default.createDirectory(atPath: folder.file("src"), withIntermediateDirectories: true)
    try folder.write(Data("# Summary\n\n- [Hills](hills.md)\n".utf8), to: "src/SUMMARY.md")
    try folder.write(Data("# Hills\n\nThe closer the lines, the steeper.\n".utf8), to: "src/hills.md")
    let sitting = try BrowserSession(in: home, [])
    try sitting.settle()
    sitting.type("/")
    try sitting.settle()
    sitting.type("anchor")
    try sitting.terminal.waitFor("Anchors and ranges")
    sitting.terminal.press(.escape)
    try sitting.settle()
    for _ in 0..<5 {
      sitting.terminal.press(.left)
      try sitting.settle()
    }
    sitting.type("a")
    try sitting.settle()
    sitting.type(folder.path)
    sitting.terminal.press(.enter)
    try sitting.terminal.waitFor("add it")
    sitting.terminal.press(.enter)
    try sitting.terminal.waitFor("is here")
    // The notice disappears after a while, and the import's threads end.
    try sitting.terminal.waitUntil("the notice to go") { !sitting.terminal.text.contains("is here") }

    try sitting.terminal.waitUntilQuiet(for: Self.seconds)

    #expect(!sitting.terminal.sleep.switches.isEmpty)
    try sitting.quit()
  }
}
