import LearningModel
import NavigationKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct BookmarkTests {
  @Test func `the m key bookmarks the selected card, and removes the bookmark again`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    fixture.press(.down, at: 1)
    fixture.press("m", at: 2)

    expectSnapshot(fixture.text(at: 3))
    #expect(try fixture.marks == ["english-for-business/negotiating"])

    fixture.press("m", at: 4)
    #expect(fixture.screen(at: 5)[21].contains("Removed the bookmark for “Negotiating”."))
    #expect(try fixture.marks == [])
  }

  @Test func `the m key bookmarks an open activity, and its header shows the bookmark`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating/opening-offers/who-speaks-first")
    fixture.press("m", at: 1)

    #expect(fixture.screen(at: 2)[2].hasPrefix("   Who speaks first? ✦"))
  }

  @Test func `the bookmark and info keys refer to the selected step of the history`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    fixture.press(.enter, at: 1)
    fixture.press("3", at: 2)
    fixture.press(.up, at: 3)
    fixture.press("i", at: 4)
    let info = fixture.screen(at: 6)
    fixture.press("i", at: 7)
    fixture.press("m", at: 8)

    #expect(info.contains { $0.contains("2 of 4 in English for Business") })
    #expect(try fixture.marks == ["english-for-business/negotiating"])
  }

  @Test func `the apostrophe key lists bookmarks and frequent places, and records the cause`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/writing")
    fixture.press("n", at: 0.5)
    fixture.press("p", at: 0.7)
    fixture.press("'", at: 1)
    #expect(fixture.screen(at: 2)[21].contains("No bookmarks yet. m bookmarks the selection."))
    fixture.press(.left, at: 3)
    fixture.press("m", at: 4)
    fixture.press(.up, at: 5)
    fixture.press("m", at: 6)
    fixture.press("'", at: 7)

    expectSnapshot(fixture.text(at: 8), "at 8")

    fixture.press(.down, at: 9)
    expectSnapshot(fixture.text(at: 9), "at 9")
    fixture.press(.enter, at: 10)
    #expect(fixture.screen(at: 11)[2].contains("Negotiating ✦"))
    #expect(try fixture.lastStep.cause == .bookmark)
  }

  /// Writes a note in a text of the bundled course.
  private func writeNote(in fixture: BrowserFixture) throws {
    let anchor = try #require(AnchoredText([.paragraph([.text("Let the silence work for you.")])]).anchor(ofBlock: 0))
    try fixture.browser.navigation.notes.write(
      "Count to ten", at: anchor,
      in: .text("english-for-business/negotiating/opening-offers/who-speaks-first"))
  }

  @Test func `the apostrophe key shows the bookmarks in place of earlier results`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/writing")
    fixture.press("m", at: 1)
    try writeNote(in: fixture)
    fixture.press("/", at: 2)
    fixture.type("silence", at: 3)
    fixture.press(.enter, at: 4)
    _ = fixture.screen(at: 5)
    fixture.press("'", at: 6)
    let rows = fixture.text(at: 7).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    fixture.press("\"", at: 8)
    let notes = fixture.text(at: 9)
    fixture.press(.escape, at: 10)
    fixture.type("a", at: 11)
    fixture.press("\"", at: 12)

    expectSnapshot(rows[2...6])
    #expect(rows[7].hasPrefix(" │ Emails that get answers "))
    #expect(notes.contains("│ ▌ Count to ten"))
    #expect(fixture.screen(at: 13)[2].hasPrefix("   a\"▎"))
  }

  @Test func `without bookmarks, the apostrophe key shows a notice that names the notes key`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    try writeNote(in: fixture)
    fixture.press("'", at: 1)

    let rows = fixture.screen(at: 2)
    #expect(rows[21].trimmed == "No bookmarks yet. m bookmarks the selection. 1 note: \"")
    #expect(!rows.contains { $0.contains("Count to ten") })
  }
}
