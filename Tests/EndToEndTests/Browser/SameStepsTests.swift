import Testing

/// Compares navigation in the browser with the same navigation by commands.
@Suite struct SameStepsTests {
  /// Keys, the title of the page that they lead to, and the command for the same step.
  private static let walk: [(keys: String, page: String, command: [String])] = [
    ("l", "English for Business", ["push", "english-for-business"]),
    ("jl", "Negotiating", ["push", "english-for-business/negotiating"]),
    ("n", "Writing", ["next"]),
    ("p", "Negotiating", ["previous"]),
    ("jl", "Opening offers", ["push", "english-for-business/negotiating/opening-offers"]),
    ("j\r", "Who speaks first?", ["push", "english-for-business/negotiating/opening-offers/who-speaks-first"]),
    ("nn", "Make the first offer", ["next"]),
    ("n", "Dropping anchor too early", ["next"]),
    ("h", "Counter-offers", ["pop"]),
    ("H", "Dropping anchor too early", ["back"]),
    ("H", "Make the first offer", ["back"]),
    ("L", "Dropping anchor too early", ["forward"]),
    (
      "2lift sentence\r", "The lift sentence",
      ["open", "english-for-business/presenting/one-message/the-lift-sentence"]
    ),
    ("h", "One message", ["pop"]),
    (".", "The lift sentence", ["open", "english-for-business/presenting/one-message/the-lift-sentence"]),
    ("H", "One message", ["back"]),
    ("hhh", "Courses", ["pop"]),
  ]

  @Test func `keys and commands record the same steps and transitions`() throws {
    let byKey = try HomeFixture.withBundledCourse()
    let session = try BrowserSession(in: byKey)
    try session.wait(for: "+ Add a course")
    for step in Self.walk {
      if step.keys.hasPrefix("2") {
        session.type(String(step.keys.dropLast()))
        try session.wait(for: "│ \(step.page) ")
        session.type("\r")
      } else {
        session.type(step.keys)
      }
      try session.waitForPage(step.page)
    }
    try session.quit()
    let keys = try BrowserSession.steps(in: byKey)

    let byCommand = try HomeFixture.withBundledCourse()
    _ = try byCommand.waymark("nav", "resume")
    for step in Self.walk {
      // Counts the keys that move between pages. Other keys only select a card.
      let times = step.keys.hasPrefix("2") ? 1 : max(1, step.keys.count { "nph".contains($0) })
      for _ in 0..<times {
        let answer = try byCommand.waymark(["nav"] + step.command)
        #expect(answer.code == 0, "\(answer)")
      }
    }
    let commands = try BrowserSession.steps(in: byCommand, session: "shell")

    #expect(keys.map(\.description) == commands.map(\.description))
    #expect(keys.map(\.stack) == commands.map(\.stack))
    // All kinds of transition must occur.
    #expect(
      Set(keys.compactMap(\.transition?.kind)).isSuperset(of: [
        "courseCard", "goalCard", "lessonCard", "activityCard", "siblingSlide",
        "crossFade",
      ]))
  }
}
