import Foundation
import GRDB
import LearningModel
import NavigationKit
import Synchronization
import Testing

struct LeaveReportTests {
  @Test func `a visit to an activity counts as done, popped or abandoned`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    try ada.perform(.open("english/meetings/opening/agenda"))
    fixture.advance(seconds: 5)
    try ada.perform(.pop)  // popped
    try ada.perform(.push("agenda"))
    try ada.perform(.next)  // abandons Agenda
    try ada.progress.record(.seenToEnd, in: "english/meetings/opening/hello")
    fixture.advance(seconds: 5)
    try ada.perform(.previous)  // done
    try ada.perform(.popToRoot)  // popped
    try ada.perform(.open("english/meetings/opening/agenda"))
    try ada.endSession()  // abandons Agenda

    let rows = try ada.history.leaving(HistoryFilter(under: "english/meetings/opening"))

    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(
      String(decoding: try encoder.encode(rows), as: UTF8.self) == """
        [{"abandoned":2,"done":0,"kind":"activity","left":4,"path":"english/meetings/opening/agenda","popped":2,\
        "title":"Agenda"},\
        {"abandoned":0,"done":1,"kind":"activity","left":1,"path":"english/meetings/opening/hello","popped":0,\
        "title":"Hello"}]
        """)
    #expect(try ada.history.leaving(HistoryFilter(under: "rust")) == [])
  }

  @Test func `an activity is done since the time of its event, whatever was merged before it`() throws {
    let (home, ada) = try NavigationFixture.withService()
    let (desk, laptop) = (try NavigationFixture.withCourses(), try NavigationFixture.withCourses())
    desk.clock.withLock { $0 = Timestamp("2099-01-01T00:00:00Z")! }
    try desk.service().progress.record(.markedDone, in: "english/meetings/opening/hello")
    laptop.advance(seconds: -3_600)
    try laptop.service().progress.record(.markedDone, in: "english/meetings/opening/agenda")
    for other in [desk, laptop] { try SyncPair(ada, other.service()).run() }

    for place in ["agenda", "hello"] { try ada.perform(.open(.text("english/meetings/opening/\(place)"))) }
    home.advance(seconds: 60)
    try ada.perform(.popToRoot)

    #expect(try ada.history.leaving().map { [$0.done, $0.popped, $0.abandoned] } == [[0, 1, 0], [1, 0, 0]])
  }

  @Test(arguments: [3, 4] as [UInt64])
  func `a visit counts as done if the activity is stored as done`(seed: UInt64) throws {
    let (fixture, ada) = try NavigationFixture.withService()
    try ada.live(600, seed: seed, on: fixture)
    try ada.perform(.popToRoot)
    let done = try fixture.write {
      try String.fetchSet(
        $0, sql: "SELECT path FROM progress JOIN place ON id = node WHERE doneAt IS NOT NULL AND kind = 'activity'")
    }

    var late: Set<String> = []
    for activity in try ada.history.leaving().map(\.place.path.description) {
      fixture.advance(seconds: 1)
      let since = fixture.now
      try ada.perform(.open(.text(activity)))
      try ada.perform(.popToRoot)
      let row = try ada.history.leaving(HistoryFilter(under: .text(activity), since: since.date)).first
      if row?.done == 1 { late.insert(activity) }
    }

    #expect(late == done.intersection(try ada.history.leaving().map(\.place.path.description)) && !late.isEmpty)
  }
}
