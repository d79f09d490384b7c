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
      try sitting.settle()
      return sitting
    }
    // The threads that served the start end after some seconds; their end is a last switch.
    for sitting in sittings { sitting.terminal.pump(for: 2.5) }
    let before = sittings.map { ($0.terminal.output.count, $0.terminal.contextSwitches) }

    // They are watched one after the other, but all are left alone all the time.
    let end = Date() + Self.seconds
    while Date() < end { for sitting in sittings { sitting.terminal.pump(for: 0.1) } }

    for (sitting, (bytes, switches)) in zip(sittings, before) {
      #expect(sitting.terminal.output.count == bytes)
      #expect(!switches.isEmpty)
      #expect(sitting.terminal.contextSwitches == switches)
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
    sitting.terminal.pump(for: 12)
    let (bytes, switches) = (sitting.terminal.output.count, sitting.terminal.contextSwitches)

    sitting.terminal.pump(for: Self.seconds)

    #expect(sitting.terminal.output.count == bytes)
    #expect(!switches.isEmpty)
    #expect(sitting.terminal.contextSwitches == switches)
    try sitting.quit()
  }
}
