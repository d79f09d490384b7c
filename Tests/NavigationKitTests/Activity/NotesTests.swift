import Foundation
import GRDB
import LearningModel
import Testing

@testable import NavigationKit

/// Tests that notes and highlights are stored in the log.
struct NotesTests {
  private let agenda: PlaceName = "english/meetings/opening/agenda"
  private let anchor = NoteAnchor(heading: "why", digest: "85944171f73967e8", characters: 3..<9, quote: "six let")

  /// Returns the paths and texts of the notes under a place.
  private func said(_ service: NavigationService, under name: PlaceName? = nil) throws -> [String] {
    try service.notes.all(under: name).map { "\($0.place.path): \($0.note.text)" }
  }

  @Test func `a note keeps its identifier and creation time until it is removed`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    let began = fixture.now
    let id = try service.notes.write("Ask this first", at: anchor, in: agenda)
    fixture.advance(seconds: 60)
    try service.notes.write("Ask this last", at: anchor, replacing: id, in: agenda)
    let place = try service.places.named(agenda).place

    #expect(
      try service.notes.all(in: place) == [
        Note(id: id, text: "Ask this last", anchor: anchor, createdAt: began, changedAt: fixture.now)
      ])
    #expect(try service.notes.remove(id))
    #expect(try service.notes.all(in: place) == [] && service.notes.all() == [])
    #expect(try !service.notes.remove(id))
    #expect(try service.check() == [])
  }

  @Test func `the longest note is stored whole and a longer one refused`() throws {
    let service = try NavigationFixture.withCourses().service()
    let longest = String(repeating: "é", count: Note.maximumTextLength)

    let id = try service.notes.write(longest, at: anchor, in: agenda)

    #expect(throws: NavigationError.noteTooLong) { try service.notes.write(longest + "x", at: anchor, in: agenda) }
    #expect(throws: NavigationError.noteTooLong) {
      try service.notes.write(longest + "x", at: anchor, replacing: id, in: agenda)
    }
    #expect(try service.notes.all().map(\.note.text) == [longest])
  }

  @Test func `a note does not begin its activity and is listed for each ancestor`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    try service.notes.write("One", at: anchor, in: agenda)
    fixture.advance(seconds: 1)
    try service.notes.write("", at: anchor, in: "rust/start/hello/world")

    #expect(try service.places.summary(of: agenda).state == .notBegun)
    #expect(try said(service) == ["rust/start/hello/world: ", "english/meetings/opening/agenda: One"])
    #expect(try said(service, under: "english/meetings") == ["english/meetings/opening/agenda: One"])
    #expect(try said(service, under: "english/negotiating") == [])
    #expect(try service.notes.all(under: "rust").first?.ancestorTitles == ["Rust", "Start", "Hello"])
    #expect(try service.notes.all(under: "rust").first?.note.isHighlight == true)
    #expect(throws: NavigationError.self) { try service.notes.write("No", at: anchor, in: "english/meetings") }
  }

  @Test func `a rebuild restores notes, and erasing history since a time removes later notes`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    try service.notes.write("Before", at: anchor, in: agenda)
    let removedNote = try service.notes.write("Gone", at: anchor, in: agenda)
    try service.notes.remove(removedNote)
    fixture.advance(seconds: 60)
    let since = fixture.now
    try service.perform(.open("rust"))
    try service.notes.write("After", at: anchor, in: agenda)
    let before = try service.notes.all()

    try service.rebuild()

    #expect(try service.notes.all() == before)
    _ = try service.learners.eraseHistory(since: since.date)
    #expect(try said(service) == ["english/meetings/opening/agenda: Before"])
    _ = try service.learners.erase("ada")
    #expect(try said(service) == [])
    #expect(try fixture.write { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 0)
  }

  @Test func `notes survive an export and import of the learner`() throws {
    let service = try NavigationFixture.withCourses().service()
    let id = try service.notes.write("Say “hello”\u{1B}[31m\nand \\ again", at: anchor, in: agenda)
    try service.endSession()
    let file = try service.file(of: "ada")

    let other = try NavigationFixture.withCourses()
    try other.service().learners.import(from: Data(file.utf8), named: "ada.json")

    #expect(try other.service().notes.all().map(\.note) == service.notes.all().map(\.note))
    #expect(try other.service().notes.all().first?.note.id == id)
  }

  @Test func `merging keeps the later text of a note and removes deleted notes`() throws {
    let (home, work) = (try NavigationFixture.withCourses(), try NavigationFixture.withCourses())
    let (leaf, hub) = (try home.service(), try work.service())
    let changed = try leaf.notes.write("First", at: anchor, in: agenda)
    let removed = try leaf.notes.write("Away", at: anchor, in: agenda)
    let pair = SyncPair(leaf, hub)
    try pair.run()
    work.advance(seconds: 600)
    home.advance(seconds: 300)
    try leaf.notes.write("At home, earlier", at: anchor, replacing: changed, in: agenda)
    try hub.notes.write("At work, later", at: anchor, replacing: changed, in: agenda)
    try hub.notes.remove(removed)
    try leaf.notes.write("Only at home", at: anchor, in: agenda)

    try pair.run()

    #expect(try leaf.notes.all().map(\.note) == hub.notes.all().map(\.note))
    #expect(Set(try leaf.notes.all().map(\.note.text)) == ["At work, later", "Only at home"])
    try expectSame(leaf, hub)
    #expect(try leaf.check() == [] && hub.check() == [])
  }

  @Test func `an invalid position of an imported note becomes an empty range`() throws {
    let service = try NavigationFixture.withCourses().service()
    try service.notes.write("Good", at: anchor, in: agenda)
    try service.endSession()
    let file = try service.file(of: "ada")
    let bad = file.replacing(#"\"from\":3"#, with: #"\"from\":\"x\""#).replacing(#"\"to\":9"#, with: #"\"to\":-4"#)

    let other = try NavigationFixture.withCourses()
    try other.service().learners.import(from: Data(bad.utf8), named: "ada.json")

    #expect(try other.service().notes.all().map(\.note.anchor.characters) == [0..<0])
  }
}
