import GRDB
import LearningModel
import NavigationKit
import Testing

/// Tests the suggestions of the palette before a query is typed.
struct ShortcutsTests {
  private func fixture() throws -> (fixture: NavigationFixture, service: NavigationService) {
    let (fixture, service) = try NavigationFixture.withService()
    for place in ["english/meetings/opening/agenda", "rust/start", "english/meetings", "rust/start/hello/world"] {
      _ = try service.perform(.open(PlaceName(stringLiteral: place)))
      fixture.advance(seconds: 60)
    }
    _ = try service.notes.setBookmark(true, at: "english/meetings")
    fixture.advance(seconds: 1)
    _ = try service.notes.setBookmark(true, at: "rust/start/hello")
    return (fixture, service)
  }

  private func words(_ shortcuts: [Shortcut]) -> [String] {
    shortcuts.map { ($0.breadcrumb + [$0.summary.place.title]).joined(separator: " > ") }
  }

  @Test func `shortcuts list bookmarks newest first, then recents, each once with its ancestors`() throws {
    let (_, service) = try fixture()

    let all = try service.places.shortcuts()

    #expect(words(all.bookmarks) == ["Rust > Start > Hello", "English > Meetings"])
    #expect(all.bookmarkCount == 2)
    #expect(
      words(all.recents) == ["Rust > Start > Hello > World", "Rust > Start", "English > Meetings > Opening > Agenda"])
    let cards = try all.bookmarks.map { try service.places.summary(of: .place($0.summary.place.place)) }
    #expect(all.bookmarks.map(\.summary) == cards)
    #expect(cards.map(\.isBookmarked) == [true, true])
  }

  @Test func `shortcuts can be limited to a course, a kind and a number`() throws {
    let (fixture, service) = try fixture()
    let rust = Place.node(try fixture.node("rust"))

    #expect(words(try service.places.shortcuts(in: rust).bookmarks) == ["Rust > Start > Hello"])
    #expect(words(try service.places.shortcuts(in: rust).recents) == ["Rust > Start > Hello > World", "Rust > Start"])
    #expect(words(try service.places.shortcuts(kind: .goal).bookmarks) == ["English > Meetings"])
    #expect(words(try service.places.shortcuts(kind: .goal).recents) == ["Rust > Start"])
    let few = try service.places.shortcuts(bookmarks: 1, recents: 1)
    #expect(words(few.bookmarks) == ["Rust > Start > Hello"])
    #expect(few.bookmarkCount == 2)
    #expect(words(few.recents) == ["Rust > Start > Hello > World"])
    #expect(words(try service.places.shortcuts(recents: 0).recents) == [])
  }

  @Test func `shortcuts of a rare kind are found among thousands of places`() throws {
    let fixture = try NavigationFixture()
    let activities = (0..<300).map { "        a\($0)*" }.joined(separator: "\n")
    try fixture.insertCourse("course\n  goal\n    lesson\n\(activities)")
    let service = try fixture.service()
    _ = try service.perform(.open("course/goal"))
    for number in 0..<300 { _ = try service.perform(.open(PlaceName(stringLiteral: "course/goal/lesson/a\(number)"))) }

    #expect(words(try service.places.shortcuts(kind: .goal).recents) == ["Course > Goal"])
    #expect(try service.places.shortcuts().recents.count == 12)
  }

  @Test func `shortcuts omit removed places, and a new learner is not stored`() throws {
    let (fixture, service) = try fixture()
    let rust = try fixture.node("rust").rawValue
    try fixture.write {
      try $0.execute(
        sql: "UPDATE contentNode SET removedInRevision = 1 WHERE course = ? AND parent IS NOT NULL", arguments: [rust])
    }

    #expect(words(try service.places.shortcuts().bookmarks) == ["English > Meetings"])
    let stranger = try fixture.service("ben")
    #expect(try stranger.places.shortcuts() == service.places.shortcuts(kind: .course))
    #expect(try stranger.learners.all().map(\.name) == ["ada"])
  }
}
