import Foundation
import TerminalHarness
import Testing

/// Nothing to do: nothing done.
@Suite struct `An idle browser` {
  /// Seconds of watching: 5, or a minute in the long tests.
  private static let seconds: Double = ProcessInfo.processInfo.environment["WAYMARK_LONG_TESTS"] == nil ? 5 : 60

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
}
