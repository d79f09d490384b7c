import Foundation
import GRDB
import LearningModel
import NavigationKit
import Testing

struct HistoryTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test func `a history row has the JSON that scripts rely on`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    _ = try service.perform(.open("english/meetings"), cause: .shell)
    fixture.advance(seconds: 2)
    let step = try service.perform(.push("middle"), cause: .key, animated: true)
    fixture.advance(seconds: 400)
    _ = try service.perform(.pop)

    let rows = try service.history.page().rows
    let row = try #require(rows.dropFirst().first)

    #expect(rows.map(\.operation) == [.pop, .push, .open, .resume])
    #expect(
      try json(row) == """
        {"activeMs":300000,"animated":true,"at":"2026-11-20T10:00:02.000Z","cause":"key","dwellMs":400000,\
        "from":{"kind":"goal","path":"english/meetings","title":"Meetings"},"id":3,"learner":"ada",\
        "leftAt":"2026-11-20T10:06:42.000Z","operation":"push","sequence":3,"session":1,\
        "stack":["/","english","english/meetings","english/meetings/middle"],\
        "to":{"kind":"lesson","path":"english/meetings/middle","title":"Middle"},\
        "transition":{"direction":"down","kind":"lessonCard","node":"english/meetings/middle","reason":"matched"},\
        "traversal":false,\
        "uuid":"\(row.uuid)"}
        """)
    #expect(
      try json(step) == """
        {"event":{"at":"2026-11-20T10:00:02.000Z","id":3,"sequence":3},\
        "from":{"kind":"goal","path":"english/meetings","title":"Meetings"},"operation":"push","performed":true,\
        "stack":["/","english","english/meetings","english/meetings/middle"],\
        "to":{"kind":"lesson","path":"english/meetings/middle","title":"Middle"},\
        "transition":{"direction":"down","kind":"lessonCard","node":"english/meetings/middle","reason":"matched"},\
        "traversal":false}
        """)
  }

  @Test func `history pages continue after the last row even if rows are added`() throws {
    let service = try NavigationFixture.withCourses().service()
    _ = try service.perform(.open("english/meetings/opening/agenda"))
    for _ in 0..<4 { _ = try service.perform(.next) }

    let first = try service.history.page(limit: 3)
    _ = try service.perform(.popToRoot)
    let second = try service.history.page(limit: 3, after: first.next)

    #expect(first.rows.map(\.id) == [6, 5, 4])
    #expect(second.rows.map(\.id) == [3, 2, 1])
    #expect(second.next == nil)
  }

  @Test(
    arguments: [
      HistoryFilter(), HistoryFilter(learner: .everyone), HistoryFilter(under: "english"),
      HistoryFilter(kind: .activity),
      HistoryFilter(operation: .next), HistoryFilter(transition: .siblingSlide), HistoryFilter(cause: .key),
      HistoryFilter(session: "shell"), HistoryFilter(since: Timestamp("2026-11-20T10:00:05Z")?.date),
      HistoryFilter(text: "e"), HistoryFilter(learner: .everyone, course: "english", kind: .activity, text: "e"),
    ])
  func `the pages for each filter equal the whole list even if steps are added`(filter: HistoryFilter) throws {
    let (fixture, ada) = try NavigationFixture.withService()
    let ben = try fixture.service("ben", session: .named("phone"))
    func walk(_ count: Int) throws {
      for number in 0..<count {
        fixture.advance(seconds: number.isMultiple(of: 7) ? -3 : 1)
        let service = number.isMultiple(of: 3) ? ben : ada
        if try !service.perform(.next, cause: number.isMultiple(of: 2) ? .key : .mouse).isPerformed {
          try service.perform(.open("english/meetings/opening/agenda"), cause: .key)
        }
      }
    }
    try ada.perform(.open("english/meetings"))
    try walk(60)
    let all = try ada.history.page(filter).rows

    var paged: [HistoryRow] = []
    var cursor: HistoryCursor?
    repeat {
      let page = try ada.history.page(filter, limit: 4, after: cursor)
      paged += page.rows
      cursor = page.next
      try walk(3)
    } while cursor != nil

    #expect(all.count > 8)
    // A visit that had not ended in the first list may have ended since.
    #expect(paged.map(\.id) == all.map(\.id))
    #expect(zip(paged, all).filter { $0 != $1 }.allSatisfy { $1.leftAt == nil })
  }

  @Test func `each filter selects exactly its rows`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    _ = try ada.perform(.open("english/meetings/opening/agenda"), cause: .search)  // 2
    fixture.advance(seconds: 60)
    _ = try ada.perform(.next, cause: .key)  // 3
    _ = try ada.perform(.pop)  // 4
    fixture.advance(seconds: 60)
    _ = try ada.perform(.open("rust/start"), cause: .link)  // 5
    let ben = try fixture.service("ben")
    _ = try ben.perform(.open("rust/start/hello"))  // 6, 7

    func ids(_ filter: HistoryFilter) throws -> [Int64] { try ada.history.page(filter).rows.map(\.id) }

    #expect(try ids(HistoryFilter()) == [5, 4, 3, 2, 1])
    #expect(try ids(HistoryFilter(learner: .everyone)) == [7, 6, 5, 4, 3, 2, 1])
    #expect(try ids(HistoryFilter(learner: .named("ben"))) == [7, 6])
    #expect(try ids(HistoryFilter(course: "english")) == [4, 3, 2])
    #expect(try ids(HistoryFilter(learner: .everyone, course: "rust")) == [7, 5])
    #expect(try ids(HistoryFilter(under: "english/meetings/opening/hello")) == [3])
    #expect(try ids(HistoryFilter(course: "rust", under: "english/meetings")) == [])
    #expect(try ids(HistoryFilter(kind: .activity)) == [3, 2])
    #expect(try ids(HistoryFilter(learner: .everyone, kind: .root)) == [6, 1])
    #expect(try ids(HistoryFilter(operation: .next)) == [3])
    #expect(try ids(HistoryFilter(transition: .siblingSlide)) == [3])
    #expect(try ids(HistoryFilter(cause: .link)) == [5])
    #expect(try ids(HistoryFilter(session: "1")) == [5, 4, 3, 2, 1])
    #expect(try ids(HistoryFilter(learner: .everyone, session: "2")) == [7, 6])
    #expect(try ids(HistoryFilter(session: "shell")) == [5, 4, 3, 2, 1])
    #expect(try ids(HistoryFilter(since: Timestamp("2026-11-20T10:01:00Z")?.date)) == [5, 4, 3])
    #expect(try ids(HistoryFilter(until: Timestamp("2026-11-20T10:00:59Z")?.date)) == [2, 1])
    #expect(try ids(HistoryFilter(until: Timestamp("2026-11-19T10:00:59Z")?.date)) == [])
    #expect(try ids(HistoryFilter(learner: .everyone, since: Timestamp("2026-11-20T10:02:00Z")?.date)) == [7, 6, 5])
    #expect(try ids(HistoryFilter(text: "hell")) == [3])
    #expect(try ids(HistoryFilter(text: "%")) == [])
  }

  @Test(arguments: [
    ("Über den Satz", ["über", "ÜBER", "u\u{308}ber", "uber", "ber d"], ["üxx", "satz über"]),
    ("U\u{308}ber A\u{30A}re", ["über", "åre", "ÅRE"], ["öber"]),
    ("Ελλάδα", ["ελλαδα", "ΕΛΛ"], ["εμ"]), ("Й и К", ["й и", "и\u{306} и"], []),
    ("がっこう", ["が", "か\u{3099}"], []), ("각 나", ["각", "\u{1100}\u{1161}\u{11A8}"], ["낙"]),
    ("क़लम", ["क\u{93C}", "क़"], []), ("ＡＢＣ 100%", ["abc", "0%", "ａ"], ["0_", "abd"]),
  ])
  func `titles are compared without case, accents and forms of Unicode`(
    title: String, matching: [String], others: [String]
  ) throws {
    let (fixture, service) = try NavigationFixture.withService()
    try service.progress.record(.markedDone, in: "rust/start/hello/world")
    try service.perform(.open("rust/start/hello/world"))
    try service.perform(.popToRoot)
    try fixture.write {
      try $0.execute(sql: "UPDATE contentNode SET title = ? WHERE slug = 'world'", arguments: [title])
    }
    func verbs(_ filter: HistoryFilter) throws -> [LearningStatement.Verb] {
      var verbs: [LearningStatement.Verb] = []
      try service.history.forEachStatement(filter) {
        verbs.append($0.verb)
        return true
      }
      return verbs
    }

    for (texts, count) in [(matching, 1), (others, 0)] {
      for text in texts {
        let filters = [HistoryFilter(text: text), HistoryFilter(titleTexts: [text])]
        #expect(try filters.map { try service.history.page($0).rows.count } == [count, count], "\(text)")
        #expect(try filters.map { try verbs($0).count } == [3 * count, 3 * count], "\(text)")
      }
    }
    #expect(try service.history.page(HistoryFilter(text: "cOÚRSES")).rows.map(\.to.kind) == [.root, .root])
  }

  @Test func `steps before and after a clock change are found by their times`() throws {
    let fixture = try NavigationFixture.withCourses()
    let service = try fixture.service(session: .browser)
    _ = try service.perform(.open("english"))  // 10:00
    fixture.advance(seconds: -3600)
    _ = try service.perform(.push("meetings"))  // 9:00
    fixture.advance(seconds: 7200)
    _ = try service.perform(.push("opening"))  // 11:00

    #expect(
      try service.history.page(HistoryFilter(until: Timestamp("2026-11-20T09:30:00Z")?.date)).rows.map(\.id) == [3])
    #expect(
      try service.history.page(HistoryFilter(since: Timestamp("2026-11-20T09:30:00Z")?.date)).rows.map(\.id) == [
        4, 2, 1,
      ])
    #expect(try service.check() == [])
  }

  @Test func `the place and the path taken differ after a deep link`() throws {
    let service = try NavigationFixture.withCourses().service()
    _ = try service.perform(.open("rust/start"))
    _ = try service.perform(.open("english/meetings/opening"))
    _ = try service.perform(.push("agenda"))
    _ = try service.perform(.back)

    let location = try service.currentLocation()

    #expect(
      try json(location) == """
        {"pathTaken":["/","rust/start","english/meetings/opening"],\
        "place":{"kind":"lesson","path":"english/meetings/opening","title":"Opening"},\
        "resume":{"firstUnfinished":{"kind":"activity","path":"english/meetings/opening/agenda","title":"Agenda"},\
        "last":{"kind":"lesson","path":"english/meetings/opening","title":"Opening"},\
        "next":{"kind":"lesson","path":"english/meetings/middle","title":"Middle"},\
        "reason":"You opened “Opening” today; the first unfinished activity is “Agenda”."},\
        "session":"shell",\
        "stack":["/","english","english/meetings","english/meetings/opening"]}
        """)
  }

  @Test func `the place at a time is the latest place before that time`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    _ = try service.perform(.open("english/meetings"))
    fixture.advance(seconds: 600)
    _ = try service.perform(.push("closing"))

    let then = try service.history.location(at: Timestamp("2026-11-20T10:05:00Z")!.date)
    let before = try service.history.location(at: Timestamp("2026-11-20T09:00:00Z")!.date)

    #expect(
      try json(then) == """
        {"at":"2026-11-20T10:05:00.000Z","event":{"at":"2026-11-20T10:00:00.000Z","id":2,"sequence":2},\
        "learner":"ada","place":{"kind":"goal","path":"english/meetings","title":"Meetings"},"session":1,\
        "stack":["/","english","english/meetings"]}
        """)
    #expect(
      try json(before) == """
        {"at":"2026-11-20T09:00:00.000Z","event":null,"learner":"ada","place":null,"session":null,"stack":null}
        """)
  }

  @Test func `statistics count visits, places, active time and quick returns`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    _ = try service.perform(.open("english/meetings/opening"))
    fixture.advance(seconds: 20)
    _ = try service.perform(.push("agenda"))
    fixture.advance(seconds: 5)
    _ = try service.perform(.pop)
    fixture.advance(seconds: 20)
    _ = try service.perform(.push("hello"))
    fixture.advance(seconds: 100)
    _ = try service.perform(.pop)
    _ = try service.perform(.back)
    _ = try service.perform(.open("rust/start"))

    let byLesson = try service.history.statistics(by: .lesson)
    let byDay = try service.history.statistics(by: .day, in: TimeZone(identifier: "Pacific/Auckland"))
    let byHour = try service.history.statistics(by: .hour)

    #expect(
      try json(byLesson) == """
        [{"activeMs":145000,"lesson":{"kind":"lesson","path":"english/meetings/opening","title":"Opening"},"places":3,\
        "turnedBack":0.4,"visits":5}]
        """)
    #expect(
      try json(byDay) == #"[{"activeMs":145000,"day":"2026-11-20","places":5,"turnedBack":\#(2.0 / 7),"visits":7}]"#)
    #expect(try json(byHour) == #"[{"activeMs":145000,"hour":10,"places":5,"turnedBack":\#(2.0 / 7),"visits":7}]"#)
    #expect(try service.history.statistics(by: .learner).map(\.key) == [.text("ada")])
    #expect(
      try json(Array(service.history.nextPlaces(from: "english/meetings/opening").prefix(1))) == """
        [{"count":2,"share":0.6666666666666666,"to":{"kind":"activity","path":"english/meetings/opening/hello","title":"Hello"}}]
        """)
  }

  @Test func `a session is replayed in order`() throws {
    let fixture = try NavigationFixture.withCourses()
    let service = try fixture.service(session: .named("demo"))
    _ = try service.perform(.open("english"))
    _ = try service.perform(.push("meetings"))

    #expect(
      try service.history.replay(session: "demo").map(\.to.path.description) == ["/", "english", "english/meetings"])
    #expect(throws: NavigationError.unknownSession(name: "none")) { try service.history.replay(session: "none") }
  }

  @Test func `queries about an unknown learner do not create one`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    _ = try ada.perform(.open("english"))

    let nobody = try fixture.service("zoe")

    #expect(try nobody.history.page().rows == [])
    #expect(try nobody.places.page().place == .root)
    #expect(try nobody.resume().last == nil)
    #expect(throws: NavigationError.unknownLearner(name: "adda", nearest: ["ada"])) {
      try nobody.history.page(HistoryFilter(learner: .named("adda")))
    }
    #expect(try nobody.learners.all().map(\.name) == ["ada"])
  }
}
