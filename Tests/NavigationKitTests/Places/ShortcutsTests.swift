import GRDB
import LearningModel
import NavigationKit
import Testing

/// Tests the suggestions of the palette before a query is typed.
struct ShortcutsTests {
  private func desk() throws -> (desk: NavigationFixture, service: NavigationService) {
    let (desk, service) = try NavigationFixture.withService()
    for place in ["english/meetings/opening/agenda", "rust/start", "english/meetings", "rust/start/hello/world"] {
      _ = try service.perform(.open(PlaceName(stringLiteral: place)))
      desk.advance(seconds: 60)
    }
    _ = try service.setBookmark(true, at: "english/meetings")
    desk.advance(seconds: 1)
    _ = try service.setBookmark(true, at: "rust/start/hello")
    return (desk, service)
  }

  private func words(_ shortcuts: [Shortcut]) -> [String] {
    shortcuts.map { ($0.breadcrumb + [$0.summary.place.title]).joined(separator: " > ") }
  }

  @Test func `shortcuts list bookmarks newest first, then recents, each once with its ancestors`() throws {
    let (_, service) = try desk()

    let all = try service.shortcuts()

    #expect(words(all.bookmarks) == ["Rust > Start > Hello", "English > Meetings"])
    #expect(all.bookmarkCount == 2)
    #expect(
      words(all.recents) == ["Rust > Start > Hello > World", "Rust > Start", "English > Meetings > Opening > Agenda"])
    let cards = try all.bookmarks.map { try service.summary(of: .place($0.summary.place.place)) }
    #expect(all.bookmarks.map(\.summary) == cards)
    #expect(cards.map(\.isBookmarked) == [true, true])
  }

  @Test func `shortcuts can be limited to a course, a kind and a number`() throws {
    let (desk, service) = try desk()
    let rust = Place.node(try desk.node("rust"))

    #expect(words(try service.shortcuts(in: rust).bookmarks) == ["Rust > Start > Hello"])
    #expect(words(try service.shortcuts(in: rust).recents) == ["Rust > Start > Hello > World", "Rust > Start"])
    #expect(words(try service.shortcuts(kind: .goal).bookmarks) == ["English > Meetings"])
    #expect(words(try service.shortcuts(kind: .goal).recents) == ["Rust > Start"])
    let few = try service.shortcuts(bookmarks: 1, recents: 1)
    #expect(words(few.bookmarks) == ["Rust > Start > Hello"])
    #expect(few.bookmarkCount == 2)
    #expect(words(few.recents) == ["Rust > Start > Hello > World"])
    #expect(words(try service.shortcuts(recents: 0).recents) == [])
  }

  @Test func `shortcuts of a rare kind are found among thousands of places`() throws {
    let desk = try NavigationFixture()
    let activities = (0..<300).map { "        a\($0)*" }.joined(separator: "\n")
    try desk.insertCourse("course\n  goal\n    lesson\n\(activities)")
    let service = try desk.service()
    _ = try service.perform(.open("course/goal"))
    for number in 0..<300 { _ = try service.perform(.open(PlaceName(stringLiteral: "course/goal/lesson/a\(number)"))) }

    #expect(words(try service.shortcuts(kind: .goal).recents) == ["Course > Goal"])
    #expect(try service.shortcuts().recents.count == 12)
  }

  @Test func `shortcuts omit removed places, and a new learner is not stored`() throws {
    let (desk, service) = try desk()
    let rust = try desk.node("rust").rawValue
    try desk.write {
      try $0.execute(
        sql: "UPDATE contentNode SET removedInRevision = 1 WHERE course = ? AND parent IS NOT NULL", arguments: [rust])
    }

    #expect(words(try service.shortcuts().bookmarks) == ["English > Meetings"])
    let stranger = try desk.service("ben")
    #expect(try stranger.shortcuts() == service.shortcuts(kind: .course))
    #expect(try stranger.learners().map(\.name) == ["ada"])
  }
}
