import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Nothing to do: nothing done.
@Suite struct `An idle browser` {
  /// Seconds of watching: 5, or a minute in the long tests.
  private static let seconds: Double = Tier.isLong ? 60 : 5

  @Test func `writes nothing and never wakes, on a list, a text and the history`() throws {
    let home = try Home.withBundledCourse()
    let sittings = try [
      (place: "english-for-business", keys: ""),
      ("english-for-business/negotiating/opening-offers/who-speaks-first", " "),
      ("english-for-business", "3"),
    ].map { place, keys in
      let sitting = try Sitting(in: home, [place])
      try sitting.settle()
      sitting.type(keys)
      return sitting
    }

    for sitting in sittings {
      // The threads that served the start end after some seconds. Then nothing is written and nothing woken for so long.
      try sitting.terminal.waitUntilQuiet(for: Self.seconds)
      #expect(!sitting.terminal.sleep.switches.isEmpty)
      try sitting.quit()
    }
  }

  @Test func `sleeps as deeply after it has searched, and added a course`() throws {
    let home = try Home.withBundledCourse()
    let folder = try TemporaryFolder()
    try folder.write(Data("[book]\ntitle = \"Maps\"\n".utf8), to: "book.toml")
    try FileManager.default.createDirectory(atPath: folder.file("src"), withIntermediateDirectories: true)
    try folder.write(Data("# Summary\n\n- [Hills](hills.md)\n".utf8), to: "src/SUMMARY.md")
    try folder.write(Data("# Hills\n\nThe closer the lines, the steeper.\n".utf8), to: "src/hills.md")
    let sitting = try Sitting(in: home, [])
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
    // The notice goes by itself, and so does the last thread that worked for the import.
    try sitting.terminal.waitUntil("the notice to go") { !sitting.terminal.text.contains("is here") }

    try sitting.terminal.waitUntilQuiet(for: Self.seconds)

    #expect(!sitting.terminal.sleep.switches.isEmpty)
    try sitting.quit()
  }
}
