import Foundation
import TerminalHarness
import Testing

/// `waymark review` in a real terminal.
@Suite struct ReviewBrowserTests {
  private static let deck = "english-for-business/writing/tone/softer-please"

  private func home() throws -> HomeFixture {
    let home = try HomeFixture.withBundledCourse()
    _ = try home.waymark("review", "add", Self.deck)
    return home
  }

  @Test func `a whole review is answered with the keyboard and stored`() throws {
    let home = try home()
    let session = try BrowserSession(in: home, ["review"])
    try session.wait(for: "Space  Review 10 cards")
    session.type(" ")

    for number in 1...10 {
      try session.wait(for: "\(number) of 10")
      try session.settle()
      session.type(" ")
      try session.wait(for: "Space knew it")
      try session.settle()
      session.type(number == 2 ? "f" : " ")
    }
    session.type("U")
    try session.wait(for: "Space knew it")
    try session.settle()
    session.type(" ")
    // Cards in a step of ten minutes are shown again at once, because no other card is due.
    var answers = 10
    while !session.rows.contains(where: { $0.hasPrefix("   Cards       ") }), answers < 60 {
      try session.settle()
      session.type(" ")
      try session.settle()
      session.type(" ")
      try session.settle()
      answers += 1
    }
    #expect(session.rows.contains { $0.hasPrefix("   Cards       10, with") }, "\(session.rows)")
    try session.quit()

    let log = try home.waymark("review", "log", "--format", "jsonl").output.split(separator: "\n")
    #expect(log.count >= 20)
    #expect(log.count { $0.contains(#""undone":true"#) } == 1)
    #expect(log.count { $0.contains(#""rating":"again""#) } == 1)
  }

  @Test func `the review begins in the place that the command names`() throws {
    let session = try BrowserSession(in: home(), ["review", Self.deck, "--ahead"])

    try session.wait(for: "card 1")
    session.press(.escape)
    try session.wait(for: "Esc all courses")
    #expect(session.rows[2].hasPrefix("   Review of “Softer, please”"))
    try session.quit()
  }

  @Test func `outside a terminal, the command refuses as the browser does, after an unknown place`() throws {
    let home = try home()

    let refused = try home.waymark("review")
    let unknown = try home.waymark("review", "nowhere")

    #expect(refused.code == 69 && refused.output == "")
    #expect(refused.errors == (try home.waymark("browse").errors))
    #expect(unknown.code == 66 && unknown.errors.hasPrefix("Could not find 'nowhere'"))
  }
}
