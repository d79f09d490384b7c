import Foundation
import TerminalHarness
import Testing

/// A browser that is killed in the middle has lost nothing that was seen.
@Suite struct `A browser that is killed` {
  @Test func `has every step in the history, and goes on there`() throws {
    let home = try Home.withBundledCourse()
    var sitting = try Sitting(in: home, ["english-for-business/negotiating/opening-offers"])
    sitting.expect(Pictures.lesson)
    sitting.press(.down, .enter)
    try sitting.waitForPage("Who speaks first?")
    sitting.type("n")
    try sitting.waitForPage("Anchors and ranges")
    sitting.type("n")
    try sitting.waitForPage("Make the first offer")
    let asked = Date()
    sitting.type("h")
    // The first sign of the answer is enough: what is answered is written.
    try sitting.terminal.waitUntil("motion", within: Sitting.patience) { !sitting.rows[2].contains("Make the first") }
    let answered = Date()

    sitting.terminal.signal(SIGKILL)

    #expect(try sitting.terminal.waitForExit(within: Sitting.patience) == .signalled(Int(SIGKILL)))
    let steps = try Sitting.steps(in: home)
    #expect(
      steps.map { "\($0.operation) \($0.to.path.split(separator: "/").last ?? "")" } == [
        "resume ", "open opening-offers", "push who-speaks-first", "next anchors-and-ranges",
        "next make-the-first-offer", "pop opening-offers",
      ])

    sitting = try Sitting(in: home)
    sitting.expect("   Opening offers                                                 0 of 4 done", from: 3)
    #expect(sitting.rows.contains { $0.contains("◐ Make the first offer   ") })
    try sitting.quit()

    let both = try Sitting.steps(in: home)
    #expect(Set(both.map(\.session)).count == 2)
    let died = try #require(both.last { $0.session == steps[0].session })
    let leftAt = try #require(died.leftAt.flatMap { try? Self.style.parse($0) })
    // The log has whole milliseconds.
    let lastInput = asked.addingTimeInterval(-0.001)...answered
    #expect(lastInput.contains(leftAt), "it was left at its last input, not when it was found dead")
    #expect(try home.waymark("database", "check").code == 0)
  }

  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  @Test func `leaves a database that the next finds whole, again and again`() throws {
    let home = try Home.withBundledCourse()
    var expected = 0
    for round in 0..<4 {
      let sitting = try Sitting(in: home, ["english-for-business"])
      try sitting.waitForPage("English for Business")
      // Keys on keys; the kill comes wherever it comes, but not before the first of them.
      let bytes = sitting.terminal.output.count
      // The last key changes the page: keys that arrive together are handled before the next frame.
      sitting.type(String(repeating: "lh", count: 30) + "l")
      try sitting.terminal.waitUntil("motion") { sitting.terminal.output.count > bytes }
      sitting.terminal.pump(for: 0.06 * Double(round))
      sitting.terminal.signal(SIGKILL)
      _ = try sitting.terminal.waitForExit(within: Sitting.patience)

      let steps = try Sitting.steps(in: home)
      #expect(steps.count >= expected)
      expected = steps.count
      #expect(try home.waymark("database", "check").code == 0)
    }
    let moves = try Sitting.steps(in: home).filter { ["push", "pop"].contains($0.operation) }
    #expect(moves.count > 0)
    // Within each session a push and a pop take turns: none is missing in between.
    for (_, steps) in Dictionary(grouping: moves, by: \.session) {
      for (index, step) in steps.enumerated() { #expect(step.operation == (index % 2 == 0 ? "push" : "pop")) }
    }
  }
}
