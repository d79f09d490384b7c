import LearningModel
import NavigationKit
import Testing

/// Which activities count as begun.
struct BegunTests {
  private let agenda: PlaceName = "english/meetings/opening/agenda"
  private let ancestors: [PlaceName] = ["english/meetings/opening", "english/meetings", "english"]

  private func states(_ service: NavigationService) throws -> [PlaceSummary.State] {
    try ([agenda] + ancestors).map { try service.places.summary(of: $0).state }
  }

  @Test func `opening activities one after another begins none of them`() throws {
    let service = try NavigationFixture.withCourses().service()

    try service.perform(.open(agenda))
    for _ in 0..<3 { try service.perform(.next) }

    #expect(try states(service) == [.notBegun, .notBegun, .notBegun, .notBegun])
    #expect(try service.places.page(of: "/").nextStep?.reason == .firstUnfinished)
    #expect(try service.check() == [])
  }

  @Test(arguments: [
    ReadingPosition(block: 1, fraction: 0, heading: nil, savedAt: Timestamp("2026-11-20T10:00:00Z")!),
    ReadingPosition(block: 0, blockOffset: 0.1, fraction: 0, heading: nil, savedAt: Timestamp("2026-11-20T10:00:00Z")!),
    ReadingPosition(block: 0, fraction: 0.2, heading: nil, savedAt: Timestamp("2026-11-20T10:00:00Z")!),
  ])
  func `a position beyond the start begins the activity and its ancestors until it is back`(position: ReadingPosition)
    throws
  {
    let service = try NavigationFixture.withCourses().service()
    let place = try service.perform(.open(agenda)).to.place
    var start = position
    (start.block, start.blockOffset, start.fraction) = (0, 0, 0)

    try service.progress.save(start, in: place)
    #expect(try states(service) == [.notBegun, .notBegun, .notBegun, .notBegun])
    try service.progress.save(position, in: place)
    #expect(try states(service) == [.begun, .begun, .begun, .begun])
    try service.progress.save(start, in: place)

    #expect(try states(service) == [.notBegun, .notBegun, .notBegun, .notBegun])
    #expect(try service.check() == [])
  }

  @Test func `a mark that is undone leaves the activity as it was`() throws {
    let service = try NavigationFixture.withCourses().service()
    try service.progress.record(.markedDone, in: agenda)
    #expect(try states(service) == [.done, .begun, .begun, .begun])

    try service.progress.record(.markedNotDone, in: agenda)
    #expect(try states(service) == [.notBegun, .notBegun, .notBegun, .notBegun])
    try service.progress.record(.seenToEnd, in: agenda)
    try service.progress.record(.markedNotDone, in: agenda)

    #expect(try states(service) == [.begun, .begun, .begun, .begun])
  }

  @Test func `adding, burying, suspending and making cards begins nothing, an answer does until it is undone`() throws {
    let fixture = try ReviewFixture()
    let service = fixture.service
    let deck = ReviewFixture.path("words")
    func states() throws -> [PlaceSummary.State] {
      try [deck, "cards/goal/lesson-of-words", "cards/goal", "cards"].map { try service.places.summary(of: $0).state }
    }

    try service.cards.include(from: deck)
    try service.cards.make(front: "own", back: "own", in: deck)
    let cards = try service.cards.all(in: deck)
    try service.cards.setSuspended(true, cards[0].id)
    try service.cards.bury(cards[1].id)
    #expect(try states() == [.notBegun, .notBegun, .notBegun, .notBegun])

    try fixture.answerNext(.good)
    #expect(try states() == [.begun, .begun, .begun, .begun])
    _ = try service.changes.undo()

    #expect(try states() == [.notBegun, .notBegun, .notBegun, .notBegun])
    #expect(try service.check() == [])
  }
}
