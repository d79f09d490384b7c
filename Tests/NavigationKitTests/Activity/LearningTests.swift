import Foundation
import LearningModel
import NavigationKit
import TestSupport
import Testing

struct LearningTests {
  private let agenda: PlaceName = "english/meetings/opening/agenda"

  @Test(
    arguments: [
      ([.seenToEnd], .done), ([.markedDone], .done), ([.quizChecked(answers: [[0]], score: 0.59)], .begun),
      ([.quizChecked(answers: [[0]], score: 0.6)], .done),
      ([.quizChecked(answers: [[0]], score: 0.6, pass: 0.8)], .begun),
      ([.quizChecked(answers: [[0]], score: 1, pass: 1)], .done),
      ([.quizChecked(answers: [[0]], score: 1), .quizChecked(answers: [[0]], score: 0)], .done),
      ([.markedDone, .markedNotDone], .notBegun), ([.markedNotDone], .notBegun), ([.markedNotDone, .seenToEnd], .done),
      ([.cardGraded(card: 0, of: 2, isKnown: true)], .begun),
      ([.cardGraded(card: 0, of: 2, isKnown: true), .cardGraded(card: 0, of: 2, isKnown: true)], .begun),
      ([.cardGraded(card: 0, of: 2, isKnown: false), .cardGraded(card: 1, of: 2, isKnown: true)], .done),
      (
        [
          .cardGraded(card: 0, of: 2, isKnown: true), .markedNotDone, .cardGraded(card: 1, of: 2, isKnown: true),
        ], .begun
      ),
    ] as [([ActivityEventContent], PlaceSummary.State)])
  func `activity events determine the state of an activity`(events: [ActivityEventContent], state: PlaceSummary.State)
    throws
  {
    let service = try NavigationFixture.withCourses().service()
    #expect(try service.places.summary(of: agenda).state == .notBegun)

    var card: PlaceSummary?
    for event in events { card = try service.progress.record(event, in: agenda) }

    #expect(card?.state == state)
    let course = try service.places.summary(of: "english")
    #expect(course.progress == LearningProgress(done: state == .done ? 1 : 0, total: 8))
    #expect(course.minutesLeft == (state == .done ? 35 : 40))
    #expect(try service.check() == [])
  }

  @Test func `attempts without a stored pass score stay done after a rebuild`() throws {
    let service = try NavigationFixture.withCourses().service()
    try service.progress.record(.quizChecked(answers: [[0]], score: 0), in: agenda)
    try service.progress.record(.quizChecked(answers: [[0]], score: 0.2, of: 5), in: "english/meetings/opening/hello")
    try service.endSession()
    let file = try service.file(of: "ada").replacing(
      #"{\"answers\":[[0]],\"pass\":0.6,\"of\":1}"#, with: #"{\"answers\":[[0]]}"#)

    let elsewhere = try NavigationFixture.withCourses()
    try elsewhere.service().learners.import(from: Data(file.utf8), named: "ada.json")

    let ada = try elsewhere.service()
    #expect(try ada.places.summary(of: agenda).state == .done)
    #expect(try ada.places.summary(of: "english/meetings/opening/hello").state == .begun)
    #expect(try ada.check() == [])
  }

  @Test func `activity events are refused for places other than activities`() throws {
    let service = try NavigationFixture.withCourses().service()

    #expect(throws: NavigationError.notAnActivity(place: PlacePath("english/meetings"))) {
      try service.progress.record(.markedDone, in: "english/meetings")
    }
    #expect(try service.history.sessions() == [])
  }

  @Test func `progress is per learner and can be listed for the whole class`() throws {
    let fixture = try NavigationFixture.withCourses()
    _ = try fixture.service("ada").progress.record(.markedDone, in: agenda)
    _ = try fixture.service("ben").progress.record(.markedDone, in: agenda)
    _ = try fixture.service("ben").progress.record(.markedDone, in: "english/meetings/opening/hello")
    let ada = try fixture.service("ada")

    let rows = try ada.progress.rows(of: "english/meetings/opening", by: .everyone)

    #expect(
      rows.map { "\($0.place.title) \($0.learner) \($0.progress.done)/\($0.progress.total)" } == [
        "Opening ada 1/2", "Opening ben 2/2", "Agenda ada 1/1", "Agenda ben 1/1", "Hello ben 1/1",
      ])
    #expect(
      try ada.progress.rows().map { "\($0.place.title) \($0.progress.done)/\($0.progress.total)" } == [
        "English 1/8", "Rust 0/1",
      ])
    #expect(
      try fixture.service("zoe").progress.rows(of: "rust").map(\.progress) == [
        LearningProgress(done: 0, total: 1), LearningProgress(done: 0, total: 1),
      ])
  }

  @Test func `attempts keep their score and are listed newest first`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    _ = try service.progress.record(.quizChecked(answers: [[0], [1, 2]], score: 0.5), in: agenda)
    fixture.advance(seconds: 60)
    _ = try service.progress.record(.quizChecked(answers: [[1], [1, 2]], score: 1), in: agenda)
    _ = try service.progress.record(.seenToEnd, in: "rust/start/hello/world")

    #expect(try service.progress.attempts().map(\.score) == [1, 0.5])
    #expect(try service.progress.attempts(in: "english/meetings", limit: 1).map(\.at) == [fixture.now])
    #expect(try service.progress.attempts(in: "rust") == [])
  }

  @Test func `the remaining minutes of a text exclude the part already read`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    let place = try service.perform(.open(agenda)).to.place
    let position = ReadingPosition(block: 3, blockOffset: 0.25, fraction: 0.62, heading: "When", savedAt: fixture.now)

    try service.progress.save(position, in: place)

    let card = try service.places.summary(of: agenda)
    #expect(card.reading == position && card.minutesLeft == 2 && card.state == .begun)
    #expect(try service.progress.readingPosition(in: place) == position)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `the remaining time of a place is the sum of its activities, partial work included`(seed: UInt64) throws {
    let (fixture, service) = try NavigationFixture.withService()
    var random = SplitMix64(seed: seed)
    let activities: [PlaceName] = [
      agenda, "english/meetings/opening/hello", "english/meetings/middle/turns",
      "english/meetings/middle/rounds/circle",
      "english/negotiating/offers/range", "rust/start/hello/world",
    ]
    for _ in 0..<12 {
      let activity = activities.randomElement(using: &random)!
      let place = try service.perform(.open(activity)).to.place
      switch Int.random(in: 0..<4, using: &random) {
      case 0: _ = try service.progress.record(.markedDone, in: activity)
      case 1: _ = try service.progress.record(.markedNotDone, in: activity)
      default:
        try service.progress.save(
          ReadingPosition(
            block: 0, fraction: .random(in: 0...1, using: &random), heading: nil, savedAt: fixture.now), in: place)
      }
    }

    /// Checks the sums below a place, and returns the remaining time of its activities.
    func remaining(at name: PlaceName) throws -> Int {
      let page = try service.places.page(of: name)
      guard page.place.kind != .activity else {
        let (seconds, share) = (Double(page.summary.seconds), page.summary.readShare)
        let expected = page.summary.state == .done ? 0 : (seconds - (seconds * share).rounded(.down))
        #expect(page.summary.secondsLeft == Int(expected))
        return page.summary.secondsLeft
      }
      let sum = try page.children.reduce(0) { try $0 + remaining(at: .place($1.place.place)) }
      #expect(page.summary.secondsLeft == sum && page.children.reduce(0) { $0 + $1.secondsLeft } == sum)
      return sum
    }

    #expect(try remaining(at: .path(.root)) < 45 * 60)
  }

  @Test func `the next step is the begun activity, otherwise the first unfinished one`() throws {
    let service = try NavigationFixture.withCourses().service()
    func next(at name: PlaceName?) throws -> String? {
      try service.places.page(of: name).nextStep.map { "\($0.reason) \($0.summary.place.title)" }
    }

    #expect(try next(at: "/") == "firstUnfinished Agenda")
    try service.begin("english/negotiating/offers/anchor")
    #expect(try next(at: nil) == "next Range")
    #expect(try next(at: "/") == "goOn Anchor")
    #expect(try next(at: "english/negotiating") == "goOn Anchor")
    #expect(try next(at: "english/meetings") == "firstUnfinished Agenda")
    #expect(try next(at: "rust") == "firstUnfinished World")
    // At the last activity of a course, the next step is never that activity itself while anything else is unfinished.
    try service.begin("english/negotiating/offers/range")
    #expect(try next(at: nil) == "firstUnfinished Agenda")
    try service.begin("english/negotiating/offers/anchor")
    for title in ["anchor", "range"] {
      _ = try service.progress.record(.markedDone, in: .text("english/negotiating/offers/\(title)"))
    }
    #expect(try next(at: "english/negotiating") == "firstUnfinished Agenda")
    #expect(try next(at: "english/negotiating/offers/range") == "firstUnfinished Agenda")
    _ = try service.progress.record(.markedDone, in: "rust/start/hello/world")
    for path in [
      "opening/agenda", "opening/hello", "middle/turns", "middle/rounds/circle", "middle/votes", "closing/thanks",
    ] {
      _ = try service.progress.record(.markedDone, in: .text("english/meetings/\(path)"))
    }
    #expect(try next(at: "english/meetings") == "allDone English")
    _ = try service.progress.record(.markedNotDone, in: "english/negotiating/offers/range")
    #expect(try next(at: "english/negotiating/offers/range")?.hasSuffix(" Range") == true)
  }

  @Test func `setting or removing a bookmark twice changes nothing`() throws {
    let (fixture, service) = try NavigationFixture.withService()

    #expect(try service.notes.setBookmark(false, at: "english") == false)
    #expect(try service.learners.all() == [])
    #expect(try service.notes.setBookmark(true, at: "english"))
    #expect(try service.notes.setBookmark(true, at: "english") == false)
    fixture.advance(seconds: 1)
    #expect(try service.notes.setBookmark(true, at: "rust/start"))

    #expect(try service.notes.bookmarks().map(\.title) == ["Start", "English"])
    #expect(try service.places.summary(of: "english").isBookmarked)
    #expect(try service.notes.setBookmark(false, at: "english"))
    #expect(try service.notes.bookmarks().map(\.title) == ["Start"])
  }

  @Test func `recent places are ranked by number and age of visits, ignoring pops and back`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    _ = try service.perform(.open("rust/start"))
    _ = try service.perform(.open("english/meetings"))
    _ = try service.perform(.push("opening"))
    _ = try service.perform(.pop)
    _ = try service.perform(.back)
    fixture.advance(seconds: 7 * 86_400)
    _ = try service.perform(.open("rust/start"))

    let recents = try service.places.recents()

    #expect(recents.map(\.place.title) == ["Start", "Meetings", "Opening"])
    #expect(recents.map(\.visits) == [2, 1, 1])
    #expect(recents.map { ($0.score * 1_000_000).rounded() / 1_000_000 } == [1.5, 0.5, 0.5])
    #expect(try service.places.recents(limit: 1).map(\.lastVisit) == [fixture.now])
    for recent in recents { #expect(try service.places.recent(at: recent.place.place)?.visits == recent.visits) }
    let unseen = try service.places.named("english/meetings/middle").place
    #expect(try service.places.recent(at: unseen)?.visits == nil)
    #expect(try service.places.recent(at: .root)?.visits == nil)
  }

  @Test func `settings are stored per learner`() throws {
    let (fixture, ada) = try NavigationFixture.withService()

    try ada.set("list", forSetting: "layout")

    #expect(try ada.setting("layout") == "list")
    #expect(try fixture.service("ben").setting("layout") == nil)
    try ada.set(nil, forSetting: "layout")
    #expect(try ada.setting("layout") == nil)
  }
}
