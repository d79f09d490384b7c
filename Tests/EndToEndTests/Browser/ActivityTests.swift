import Foundation
import TerminalHarness
import Testing

/// Flashcards that were not graded before the browser ended.
@Suite struct ActivityTests {
  private static let lesson = "english-for-business/negotiating/opening-offers"

  @Test func `a killed browser resumes the cards that were not graded`() throws {
    let home = try HomeFixture.withBundledCourse()
    var session = try BrowserSession(in: home, [Self.lesson + "/anchors-and-ranges"])
    try session.waitForPage("Anchors and ranges")
    for number in 1...3 {
      try session.wait(for: "card \(number) of 12")
      session.type(" ")
      try session.wait(for: "Space  You knew it")
      try session.settle()
      session.type(" ")
    }
    try session.wait(for: "card 4 of 12")
    session.terminal.signal(SIGKILL)
    _ = try session.terminal.waitForExit(within: BrowserSession.timeout)

    session = try BrowserSession(in: home)
    try session.waitForPage("Anchors and ranges")
    try session.wait(for: "You have turned 3 of 12 cards, and knew 3 of them.")
    session.type(" ")
    try session.wait(for: "card 4 of 12")
    try session.quit()
  }
}
