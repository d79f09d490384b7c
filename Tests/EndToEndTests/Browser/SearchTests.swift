import Foundation
import TerminalHarness
import Testing

/// Search results while typing, and navigation to a result and back.
@Suite struct SearchTests {
  @Test func `search results update with every letter, and back returns to the previous place`() throws {
    let home = try HomeFixture.withBundledCourse()
    let session = try BrowserSession(in: home, ["english-for-business/negotiating"])
    session.expect(ExpectedScreens.goal)

    session.type("/")
    try session.wait(for: "[Find]")
    session.type("li")
    try session.wait(for: "   li▎")
    try session.terminal.waitUntil("places", within: BrowserSession.timeout) { session.rows[2].contains("places") }
    #expect(session.rows[2].hasSuffix("the best 50 places"))
    session.type("ft sentence")
    session.expect(
      """
         Courses › English for Business › Negotiating

         lift sentence▎                                                   13 places
      """)
    session.expect(" │ The lift sentence                                                  reading │", from: 7)
    session.expect(" │ English for Business › Presenting › One message                  not begun │", from: 8)
    session.press(.enter)
    try session.waitForPage("The lift sentence")
    session.expect("   Courses › English for Business › Presenting › One message  activity 1 of 3")

    session.type("H")
    try session.waitForPage("Negotiating")
    session.type("L")
    try session.waitForPage("The lift sentence")
    session.press(.left)
    try session.waitForPage("One message")
    #expect(session.rows[7].hasPrefix(" │ ◐ The lift sentence "))
    try session.quit()

    let steps = try BrowserSession.steps(in: home).map { "\($0.operation) \($0.to.path)" }
    #expect(
      steps == [
        "resume /", "open english-for-business/negotiating",
        "open english-for-business/presenting/one-message/the-lift-sentence", "back english-for-business/negotiating",
        "forward english-for-business/presenting/one-message/the-lift-sentence",
        "pop english-for-business/presenting/one-message",
      ])
    // A search text must not be stored anywhere.
    let bytes = try Data(contentsOf: home.database)
    #expect(bytes.range(of: Data("lift sentence▎".utf8)) == nil)
    let tables = try home.run("/usr/bin/sqlite3", [home.database.path, ".dump"]).output
    #expect(!tables.lines.contains { $0.contains("'lift sentence'") })
  }

  @Test func `keys typed without a pause open the right result`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), ["english-for-business/negotiating"])
    session.expect(ExpectedScreens.goal)

    // No result is on screen when Enter arrives.
    session.type("/neg op 2\r")
    try session.waitForPage("Who speaks first?")
    session.type("2")
    session.expect("   neg op 2▎                                                          1 place", from: 3)
    session.expect(" │ Who speaks first?                                                  reading │", from: 7)
    session.type("qqq")
    session.expect("   qqq▎                                                         nothing found", from: 3)
    session.press(.escape)
    try session.waitForPage("Who speaks first?")
    session.type("2")
    try session.wait(for: "▎type words to find")
    session.press(.escape)
    try session.waitForPage("Who speaks first?")
    try session.quit()
  }

  @Test func `the search field takes every key as text until Escape`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), ["english-for-business/negotiating"])
    session.expect(ExpectedScreens.goal)

    session.type("/qxjk?.1")
    session.expect("   qxjk?.1▎                                                     nothing found", from: 3)
    session.press(.backspace, .backspace, .backspace)
    session.expect("   qxjk▎                                                        nothing found", from: 3)
    session.terminal.paste("é\nwords")
    try session.wait(for: "qxjké words▎")
    session.press(.escape)

    session.expect(ExpectedScreens.goal)
    try session.quit()
  }

  private static let samples = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"]

  @Test(.enabled(if: samples != nil, "WAYMARK_SAMPLES does not name the folder of samples"))
  func `a search in a large book finds a chapter and records its use`() throws {
    let home = try HomeFixture.withBundledCourse()
    let book = try #require(Self.samples) + "/mdbook/rust-book"
    let imported = try home.waymark("import", book)
    #expect(imported.code == 0, "\(imported)")
    let session = try BrowserSession(in: home)
    try session.waitForPage("Courses")
    session.press(.enter)
    session.expect(ExpectedScreens.course.rows(2...22), from: 2)

    session.type("/lifetimes")
    session.expect(" │ Validating References with Lifetimes                                lesson │", from: 7)
    session.press(.enter)
    try session.waitForPage("Validating References with Lifetimes")
    session.expect("   Courses › … › Generic Types, Traits, and Lifetimes           lesson 4 of 4")
    try session.quit()

    let answer = try home.waymark("where")
    #expect(
      answer.output.lines.prefix(3) == [
        "Place     The Rust Programming Language › Generic Types, Traits, and Lifetimes › "
          + "Validating References with Lifetimes",
        "Path      the-rust-programming-language/generic-types-traits-and-lifetimes/"
          + "validating-references-with-lifetimes",
        "Visited   Courses → English for Business → Validating References with Lifetimes",
      ])
  }

  @Test(arguments: ["2", ":", "a", "3/"])
  func `Ctrl-C is answered after more typed text than can wait`(opener: String) throws {
    let session = try BrowserSession(in: HomeFixture.withBundledCourse(), ["english-for-business"])
    try session.settle()
    session.type(opener)

    session.type(String(repeating: "anchor ", count: 30_000))
    session.type("\u{3}")

    #expect(try session.terminal.waitForExit() == .exited(0))
    session.expectRestored()
  }
}
