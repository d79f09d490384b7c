import Foundation
import GRDB
import LearningModel
@testable import NavigationKit
import Testing

struct SessionTests {
  @Test func `an idle session without a process ends after four hours`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    _ = try service.perform(.open("english/meetings"))
    fixture.advance(seconds: 4 * 3600 - 1)
    #expect(try service.perform(.push("opening")).event?.sequence == 3)
    fixture.advance(seconds: 4 * 3600)

    #expect(try service.currentSession() == nil)
    #expect(try service.predict(.pop).to.title == "Meetings")
    let step = try service.perform(.pop)

    #expect(step.event == EventStamp(id: 5, sequence: 2, at: fixture.now))
    #expect(step.from?.title == "Opening")
    let rows = try service.history.page().rows
    #expect(rows.map(\.operation) == [.pop, .resume, .push, .open, .resume])
    #expect(rows[2].leftAt == rows[2].at && rows[2].activeTime == .zero)
    #expect(try service.history.sessions().map(\.endedAt) == [nil, Timestamp("2026-11-20T13:59:59Z")])
    #expect(try service.check() == [])
  }

  @Test func `each combination of a learner and a session name has its own session`() throws {
    let fixture = try NavigationFixture.withCourses()
    for (learner, name) in [("ada", "shell"), ("ada", "phone"), ("ben", "shell"), ("ada", "shell")] {
      _ = try fixture.service(learner, session: .named(name)).perform(.open("english"))
      _ = try fixture.service(learner, session: .named(name)).perform(.popToRoot)
    }

    #expect(try fixture.service().history.sessions(of: .everyone).map(\.name) == ["shell", "phone", "shell"])
  }

  @Test func `a learner's name is trimmed and must not be empty`() throws {
    let fixture = try NavigationFixture.withCourses()
    try fixture.service(" ada ").perform(.open("english"))

    #expect(try fixture.service("ada").learners.all().map(\.name) == ["ada"])
    for name in ["", "  ", "\n\t"] {
      #expect(throws: NavigationError.unusableName(name: name)) { try fixture.service(name) }
    }
  }

  @Test func `a browser's session lasts as long as its service`() throws {
    let fixture = try NavigationFixture.withCourses()
    var browser: NavigationService? = try fixture.service(session: .browser)
    _ = try browser?.perform(.open("english/meetings"), cause: .key)
    fixture.advance(seconds: 100)
    try browser?.recordInput()
    fixture.advance(seconds: 10 * 3600)

    let commandService = try fixture.service()
    #expect(try commandService.history.sessions().map(\.endedAt) == [nil], "the process is still running")
    browser = nil
    _ = try fixture.service()

    let session = try #require(try commandService.history.sessions().first)
    #expect(session.name == "browser" && session.endedAt == Timestamp("2026-11-20T10:01:40Z"))
    let row = try #require(try commandService.history.page(limit: 1).rows.first)
    #expect(row.leftAt == session.endedAt && row.activeTime == .seconds(100))
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.database + "-sessions") == ["replica"])
  }

  @Test func `a session that is ended explicitly ends at its last input`() throws {
    let fixture = try NavigationFixture.withCourses()
    let browser = try fixture.service(session: .browser)
    _ = try browser.perform(.open("english"))
    fixture.advance(seconds: 20)
    try browser.recordInput()
    fixture.advance(seconds: 50)
    try browser.endSession()

    #expect(try browser.currentSession() == nil)
    #expect(try browser.history.sessions().first?.endedAt == Timestamp("2026-11-20T10:00:20Z"))
    #expect(try browser.perform(.pop).event?.sequence == 2)
  }

  @Test func `the time in which the learner is elsewhere does not count for the visit`() throws {
    let fixture = try NavigationFixture.withCourses()
    let browser = try fixture.service(session: .browser)
    _ = try browser.perform(.open("english"))
    for (seconds, isLeaving) in [(20.0, true), (100, true), (50, false), (5, false)] {
      fixture.advance(seconds: seconds)
      try browser.recordInput(leaving: isLeaving)
    }
    _ = try browser.perform(.push("meetings"))

    let row = try #require(try browser.history.page().rows.dropFirst().first)
    #expect(row.dwellTime == .seconds(175) && row.activeTime == .seconds(25))
  }

  @Test func `input that is saved late counts for the visit in which it happened`() throws {
    let fixture = try NavigationFixture.withCourses()
    let browser = try fixture.service(session: .browser)
    _ = try browser.perform(.open("english"))
    fixture.advance(seconds: 40)
    let save = try #require(browser.prepareInputRecord())
    #expect(browser.prepareInputRecord() == nil, "the same input is reported only once")
    fixture.advance(seconds: 5)
    _ = try browser.perform(.push("meetings"))
    fixture.advance(seconds: 1)
    try save()
    try browser.endSession()

    let rows = try browser.history.page().rows
    #expect(rows.prefix(2).map(\.activeTime) == [.zero, .seconds(45)])
    #expect(rows.first?.leftAt == Timestamp("2026-11-20T10:00:45Z"))
  }

  @Test func `the time of the last input is saved with each step and every thirty seconds`() throws {
    let fixture = try NavigationFixture.withCourses()
    let browser = try fixture.service(session: .browser)
    _ = try browser.perform(.open("english"))
    func saved() throws -> String? { try browser.currentSession()?.lastInputAt.description }

    fixture.advance(seconds: 10)
    try browser.recordInput()
    #expect(try saved() == "2026-11-20T10:00:00.000Z")
    fixture.advance(seconds: 20)
    try browser.recordInput()
    #expect(try saved() == "2026-11-20T10:00:30.000Z")
    fixture.advance(seconds: 400)
    _ = try browser.perform(.push("meetings"))

    let row = try #require(try browser.history.page().rows.dropFirst().first)
    #expect(row.dwellTime == .seconds(430))
    #expect(row.activeTime == .seconds(330), "a pause of 400 seconds counts as 300 seconds")
    #expect(
      try browser.history.activeTime(inSession: row.session) == (.seconds(330), true),
      "a visit that has not ended does not count yet")
    #expect(try browser.history.activeTime(inSession: 99) == (.zero, true))
  }

  @Test func `a step on a busy database fails after the timeout and can be repeated`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    _ = try service.perform(.open("english"))
    let other = try DatabaseQueue(path: fixture.database)

    try other.inDatabase { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      #expect(throws: NavigationError.busy) { try service.perform(.push("meetings"), waitingAtMost: .milliseconds(20)) }
      #expect(try service.places.page().place.title == "English", "the database can still be read")
      try database.execute(sql: "ROLLBACK")
    }

    #expect(try service.perform(.push("meetings"), waitingAtMost: .milliseconds(20)).isPerformed)
  }

  @Test func `changes by other programs are detected, and the service's own changes are not`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    let before = try service.dataVersion()

    _ = try service.perform(.open("english"))
    let afterOwnChange = try service.dataVersion()
    try fixture.write { try $0.execute(sql: "INSERT INTO learner (name, createdAt) VALUES ('ben', 0)") }

    #expect(afterOwnChange == before)
    #expect(try service.dataVersion() != before)
  }
}
