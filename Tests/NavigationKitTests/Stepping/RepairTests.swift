import LearningModel
import LearningStore
import NavigationKit
import Testing

struct RepairTests {
  /// Removes the course at a path from the database.
  private func remove(_ path: String, on fixture: NavigationFixture) throws {
    let node = try fixture.node(path)
    _ = try LearningStore.open(at: fixture.database).removeCourse(node, at: fixture.now)
  }

  @Test func `a learner in a removed place moves to the nearest existing one`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    _ = try service.perform(.open("rust/start"))
    _ = try service.perform(.open("english/meetings/opening"))
    fixture.advance(seconds: 60)

    try remove("english", on: fixture)

    let row = try #require(try service.history.page(limit: 1).rows.first)
    #expect(row.operation == .repair && row.cause == .system && row.to == .root && row.transition?.choice == .crossFade)
    #expect(row.from?.path.description == "english/meetings/opening" && row.from?.isRemoved == true)
    #expect(try service.currentStack() == [.root])
    #expect(try service.perform(.back).to.title == "Start")
    #expect(try service.perform(.forward).to == .root)
    #expect(try service.perform(.forward).outcome == .nothingToDo(.noVisitAfter))
    #expect(try service.check() == [])
  }

  @Test func `a removed place stays in the history and reports the nearest place`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    _ = try service.perform(.open("english/meetings/opening"))
    _ = try service.progress.record(.markedDone, in: "english/meetings/opening/agenda")
    _ = try service.notes.setBookmark(true, at: "english/meetings")
    let places = try ["english/meetings", "rust/start"].map { Place.node(try fixture.node($0)) }

    try remove("english", on: fixture)

    #expect(
      try service.history.page(HistoryFilter(under: "english/meetings")).rows.map(\.to.path.description)
        == ["english/meetings/opening"])
    #expect(throws: NavigationError.removedPlace(title: "Meetings", nearest: .root)) {
      try service.perform(.open("english/meetings"))
    }
    #expect(
      try service.notes.bookmarks().map { "\($0.path) \($0.title) \($0.isRemoved)" } == [
        "english/meetings Meetings true"
      ])
    #expect(try service.notes.setBookmark(false, at: "english/meetings"))
    #expect(try service.notes.bookmarks() == [])
    #expect(try service.places.summaries(of: places).values.map(\.place.title) == ["Start"])
    #expect(try service.places.page(of: "/").children.map(\.place.title) == ["Rust"])
    #expect(try service.places.page(of: "/").summary.progress == LearningProgress(done: 0, total: 1))
  }

  @Test func `a session that resumes at a removed place starts at the nearest existing place`() throws {
    let fixture = try NavigationFixture.withCourses()
    let service = try fixture.service(session: .named("old"))
    _ = try service.perform(.open("english/meetings/opening"))
    fixture.advance(seconds: 5 * 3600)
    _ = try fixture.service()
    try remove("english", on: fixture)

    #expect(
      try service.resume().reason
        == "You left “Opening” today; it is no longer in the course; the first unfinished activity is “World”.")
    let step = try fixture.service().perform(.resume)

    #expect(step.to == .root && step.event?.sequence == 1)
    #expect(step.message == "“Opening” is no longer in the course: this is the nearest remaining place.")
  }
}
