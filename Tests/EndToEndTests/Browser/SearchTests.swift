import Foundation
import TerminalHarness
import Testing

/// Search results while typing, and navigation to a result and back.
@Suite struct SearchTests {
  @Test func `search results update with every letter, and back returns to the previous place`() throws {
    let home = try HomeFixture.withBundledCourse()
    let sitting = try BrowserSession(in: home, ["english-for-business/negotiating"])
    sitting.expect(ExpectedScreens.goal)

    sitting.type("/")
    try sitting.wait(for: "[Find]")
    sitting.type("li")
    try sitting.wait(for: "   li▎")
    try sitting.terminal.waitUntil("places", within: BrowserSession.timeout) { sitting.rows[2].contains("places") }
    #expect(sitting.rows[2].hasSuffix("the best 50 places"))
    sitting.type("ft sentence")
    sitting.expect(
      """
         Courses › English for Business › Negotiating

         lift sentence▎                                                   13 places
      """)
    sitting.expect(" │ The lift sentence                                                  reading │", from: 7)
    sitting.expect(" │ English for Business › Presenting › One message                  not begun │", from: 8)
    sitting.press(.enter)
    try sitting.waitForPage("The lift sentence")
    sitting.expect("   Courses › English for Business › Presenting › One message  activity 1 of 3")

    sitting.type("H")
    try sitting.waitForPage("Negotiating")
    sitting.type("L")
    try sitting.waitForPage("The lift sentence")
    sitting.press(.left)
    try sitting.waitForPage("One message")
    #expect(sitting.rows[7].hasPrefix(" │ ◐ The lift sentence "))
    try sitting.quit()

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
    let sitting = try BrowserSession(in: .withBundledCourse(), ["english-for-business/negotiating"])
    sitting.expect(ExpectedScreens.goal)

    // No result is on screen when Enter arrives.
    sitting.type("/neg op 2\r")
    try sitting.waitForPage("Who speaks first?")
    sitting.type("2")
    sitting.expect("   neg op 2▎                                                          1 place", from: 3)
    sitting.expect(" │ Who speaks first?                                                  reading │", from: 7)
    sitting.type("qqq")
    sitting.expect("   qqq▎                                                         nothing found", from: 3)
    sitting.press(.escape)
    try sitting.waitForPage("Who speaks first?")
    sitting.type("2")
    try sitting.wait(for: "▎type what you look for")
    sitting.press(.escape)
    try sitting.waitForPage("Who speaks first?")
    try sitting.quit()
  }

  @Test func `the search field takes every key as text until Escape`() throws {
    let sitting = try BrowserSession(in: .withBundledCourse(), ["english-for-business/negotiating"])
    sitting.expect(ExpectedScreens.goal)

    sitting.type("/qxjk?.1")
    sitting.expect("   qxjk?.1▎                                                     nothing found", from: 3)
    sitting.press(.backspace, .backspace, .backspace)
    sitting.expect("   qxjk▎                                                        nothing found", from: 3)
    sitting.terminal.paste("é\nwords")
    try sitting.wait(for: "qxjké words▎")
    sitting.press(.escape)

    sitting.expect(ExpectedScreens.goal)
    try sitting.quit()
  }

  private static let samples = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"]

  @Test(.enabled(if: samples != nil, "WAYMARK_SAMPLES does not name the folder of samples"))
  func `a search in a large book finds a chapter and records its use`() throws {
    let home = try HomeFixture.withBundledCourse()
    let book = try #require(Self.samples) + "/mdbook/rust-book"
    let imported = try home.waymark("import", book)
    #expect(imported.code == 0, "\(imported)")
    let sitting = try BrowserSession(in: home)
    try sitting.waitForPage("Courses")
    sitting.press(.enter)
    sitting.expect(ExpectedScreens.course.rows(2...22), from: 2)

    sitting.type("/lifetimes")
    sitting.expect(" │ Validating References with Lifetimes                                lesson │", from: 7)
    sitting.press(.enter)
    try sitting.waitForPage("Validating References with Lifetimes")
    sitting.expect("   Courses › … › Generic Types, Traits, and Lifetimes           lesson 4 of 4")
    try sitting.quit()

    let whereabouts = try home.waymark("where")
    #expect(
      whereabouts.output.lines.prefix(3) == [
        "Place     The Rust Programming Language › Generic Types, Traits, and Lifetimes › "
          + "Validating References with Lifetimes",
        "Path      the-rust-programming-language/generic-types-traits-and-lifetimes/"
          + "validating-references-with-lifetimes",
        "Visited   Courses → English for Business → Validating References with Lifetimes",
      ])
  }
}
