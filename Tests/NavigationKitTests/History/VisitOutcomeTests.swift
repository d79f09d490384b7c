import NavigationKit
import Testing

struct VisitOutcomeTests {
  private let fixture: NavigationFixture
  private let ada: NavigationService

  init() throws {
    fixture = try NavigationFixture.withCourses()
    ada = try fixture.service()
  }

  /// Returns the outcome of each visit to an activity, oldest first.
  private func outcomes() throws -> [String] {
    let rows = try ada.history.page().rows.reversed()
    let outcomes = try ada.history.outcomes(of: Array(rows))
    return rows.compactMap { row in
      guard let outcome = outcomes[row.id] else { return nil }
      let facts = [
        outcome.isDone ? "done" : nil, outcome.score.map { "score \($0)" }, outcome.fraction.map { "read \($0)" },
      ]
      return "\(row.to.title): " + facts.compactMap(\.self).joined(separator: ", ")
    }
  }

  @Test func `each visit reports the state of its activity when it ended`() throws {
    try ada.perform(.open("english/meetings/opening/agenda"))
    fixture.advance(seconds: 5)
    try ada.perform(.next)
    fixture.advance(seconds: 5)
    try ada.perform(.previous)
    try ada.progress.record(.seenToEnd, in: "english/meetings/opening/agenda")
    fixture.advance(seconds: 5)
    try ada.perform(.next)
    fixture.advance(seconds: 5)
    try ada.perform(.previous)
    try ada.progress.record(.markedNotDone, in: "english/meetings/opening/agenda")

    #expect(try outcomes() == ["Agenda: ", "Hello: ", "Agenda: done", "Hello: ", "Agenda: "])
  }

  @Test func `the reading position belongs to the visit in which it was saved`() throws {
    let agenda = try ada.places.named("english/meetings/opening/agenda").place
    try ada.perform(.open(.place(agenda)))
    fixture.advance(seconds: 5)
    try ada.progress.save(ReadingPosition(block: 1, fraction: 0.62, heading: nil, savedAt: fixture.now), in: agenda)
    try ada.perform(.next)
    fixture.advance(seconds: 5)
    try ada.perform(.previous)

    #expect(try outcomes() == ["Agenda: read 0.62", "Hello: ", "Agenda: "])
  }

  @Test func `visits to places other than activities have no outcome`() throws {
    try ada.perform(.open("english/meetings"))

    #expect(try ada.history.outcomes(of: ada.history.page().rows).isEmpty)
    #expect(try ada.history.outcomes(of: []).isEmpty)
  }
}
