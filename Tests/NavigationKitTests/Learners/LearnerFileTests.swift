import CourseKit
import Foundation
import LearningModel
import Synchronization
import Snapshots
import Testing

@testable import NavigationKit

struct LearnerFileTests {
  private func settled(_ file: String) -> String {
    // The identifiers of sessions and events, and the last bits of the times of changes, are random.
    file.replacing(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, with: "UUID")
      .replacing(/"replica":"[0-9a-f]{32}"/, with: #""replica":"REPLICA""#)
      .replacing(/"stamp":[0-9]+/, with: #""stamp":STAMP"#)
  }

  @Test func `a file contains everything about a learner, one item per line`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    try service.perform(.open("rust/start"), cause: .shell)
    fixture.advance(seconds: 5)
    try service.perform(.open("rust/start/hello/world"), cause: .search, animated: true)
    fixture.advance(seconds: 60)
    try service.progress.record(.quizChecked(answers: [[1]], score: 0.5), in: "rust/start/hello/world")
    let world = try service.currentPlace().place
    try service.progress.save(
      ReadingPosition(block: 2, blockOffset: 0.5, fraction: 0.25, heading: "Numbers", savedAt: fixture.now),
      read: ["85944171f73967e8": RangeSet([0..<6, 9..<12])], in: world)
    try service.progress.save(UnfinishedQuiz(answers: [[2], []], question: 0, isChecked: true), of: .two, in: world)
    try service.notes.setBookmark(true, at: "rust")
    try service.set("dark", forSetting: "theme")

    expectSnapshot(settled(try service.file(of: "ada")))
  }

  @Test func `importing a file twice changes nothing and exports the same file`() throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.live(300, seed: 1, on: home)
    try ada.endSession()
    let file = try ada.file(of: "ada")
    let school = try NavigationFixture.withCourses()
    // The import refuses times that are later than the clock.
    school.clock.withLock { $0 = home.now }
    let teacher = try school.service("teacher")
    try teacher.perform(.open("english"))

    let first = try teacher.learners.import(from: Data(file.utf8), named: "ada.json")
    let second = try teacher.learners.import(from: Data(file.utf8), named: "ada.json")

    #expect(first.steps == (try ada.history.page().rows.count))
    #expect(first.steps > 150 && first.activities > 5 && first.unknownPlaces == 0)
    #expect(second.sessions == 0 && second.steps == 0 && second.activities == 0 && second.unknownPlaces == 0)
    #expect(try teacher.file(of: "ada") == file)
    #expect(try teacher.check() == [])
    let imported = try school.service("ada")
    #expect(try imported.progress.rows(of: "english") == ada.progress.rows(of: "english"))
    #expect(try imported.places.recents().map(\.place.path) == ada.places.recents().map(\.place.path))
    #expect(try teacher.history.page().rows.count == 2)
  }

  @Test func `importing earlier and later files extends a session to its latest state`() throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.perform(.open("english/meetings/opening/agenda"))
    home.advance(seconds: 30)
    try ada.recordInput()
    let early = try ada.file(of: "ada")
    home.advance(seconds: 30)
    try ada.perform(.next)
    try ada.progress.record(.seenToEnd, in: "english/meetings/opening/hello")
    let late = try ada.file(of: "ada")
    let school = try NavigationFixture.withCourses()
    let teacher = try school.service("teacher")

    let steps = try [early, late, early].map { try teacher.learners.import(from: Data($0.utf8), named: "f").steps }

    #expect(steps == [2, 1, 0])
    let rows = try teacher.history.page(HistoryFilter(learner: .named("ada"))).rows
    #expect(rows.map(\.operation) == [.next, .open, .resume])
    #expect(rows.map(\.dwellTime) == [nil, .seconds(60), .zero])
    #expect(try teacher.check() == [])
  }

  @Test func `an import does not change a session open in this database`() throws {
    let ada = try NavigationFixture.withCourses().service()
    try ada.perform(.open("english"))
    let file = try ada.file(of: "ada")
    try ada.perform(.push("meetings"))

    let imported = try ada.learners.import(from: Data(file.utf8), named: "ada.json")

    #expect(imported.sessions == 0)
    #expect(try ada.currentPlace().path.description == "english/meetings")
  }

  @Test func `if a copy has continued an open session, its steps are imported and another session begins`() throws {
    let (fixture, copy) = try forked()
    let (ada, twin) = (try fixture.service(), try copy.service())
    for place in ["english", "english/meetings"] { try twin.perform(.open(.text(place))) }
    try twin.progress.record(.seenToEnd, in: "english/meetings/opening/agenda")
    let file = Data(try twin.file(of: "ada").utf8)
    let session = try ada.currentSession()?.uuid

    let first = try ada.learners.import(from: file, named: "b.json")
    let second = try ada.learners.import(from: file, named: "b.json")
    fixture.advance(seconds: 60)
    try ada.perform(.open("rust/start"))

    #expect(first.sessions == 1 && first.steps == 2 && first.activities == 1)
    #expect(second.sessions == 0 && second.steps == 0 && second.activities == 0)
    #expect(try ada.currentSession()?.uuid != session)
    #expect(try ada.history.page().rows.map(\.operation) == [.open, .resume, .open, .open, .open, .resume])
    #expect(try ada.check() == [])
  }

  @Test func `a file with another continuation of a session is refused`() throws {
    let (fixture, copy) = try forked()
    let (ada, twin) = (try fixture.service(), try copy.service())
    try ada.perform(.open("english/meetings"))
    for place in ["rust/start", "english"] { try twin.perform(.open(.text(place))) }

    #expect(throws: NavigationError.self) {
      try ada.learners.import(from: Data(twin.file(of: "ada").utf8), named: "b.json")
    }

    #expect(try ada.history.page().rows.count == 3 && ada.check() == [])
  }

  @Test func `files of two copies of a session are imported in any order`() throws {
    let (fixture, copy) = try forked()
    let (ada, twin) = (try fixture.service(), try copy.service())
    try ada.endSession()
    let ended = Data(try ada.file(of: "ada").utf8)
    try twin.perform(.open("english"))
    let continued = Data(try twin.file(of: "ada").utf8)
    try twin.perform(.open("english/meetings"))
    try twin.endSession()
    let complete = Data(try twin.file(of: "ada").utf8)
    let teacher = try NavigationFixture.withCourses().service("teacher")

    let steps = try [continued, ended, complete].map { try teacher.learners.import(from: $0, named: "f").steps }

    #expect(steps == [3, 0, 1])
    #expect(try teacher.file(of: "ada") == twin.file(of: "ada"))
    #expect(try teacher.check() == [])
  }

  @Test func `a process whose session belongs to another database begins another one`() throws {
    let (fixture, copy) = try forked()
    let (browser, twin) = (try fixture.service(session: .browser), try copy.service())
    try browser.perform(.open("english"))
    try twin.perform(.open("english/meetings"))
    let session = try #require(try browser.currentSession()).uuid
    try fixture.service().learners.import(from: Data(twin.file(of: "ada").utf8), named: "b.json")
    fixture.advance(seconds: 60)

    try browser.recordInput()
    try browser.perform(.open("rust/start"))
    try browser.endSession()

    let sessions = try browser.history.sessions()
    #expect(sessions.map(\.name) == ["browser", "browser", "shell"])
    #expect(sessions.map { $0.endedAt == nil } == [false, true, true])
    #expect(sessions[1].uuid == session)
    #expect(try browser.check() == [])
  }

  @Test func `a session of another database without an end is shown as open for a day`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    try ada.perform(.open("rust"))
    let school = try NavigationFixture.withCourses()
    let teacher = try school.service("teacher")
    try teacher.learners.import(from: Data(ada.file(of: "ada").utf8), named: "ada.json")

    let ends = try [0.0, 86_400, 1].map { seconds in
      school.advance(seconds: seconds)
      return try teacher.history.sessions(of: .named("ada")).map(\.endedAt)
    }

    #expect(ends == [[nil], [nil], [fixture.now]])
    try ada.endSession()
    try teacher.learners.import(from: Data(ada.file(of: "ada").utf8), named: "ada.json")
    #expect(try teacher.file(of: "ada") == ada.file(of: "ada"))
  }

  /// Makes a database with an open session of two steps, and a copy of it and its folder, which continues the session.
  private func forked() throws -> (fixture: NavigationFixture, copy: NavigationFixture) {
    let fixture = try NavigationFixture.withCourses()
    try fixture.service().perform(.open("rust"))
    return (fixture, try fixture.copied(withFolder: true))
  }

  @Test func `importing a course restores the places of a history that was imported earlier`() throws {
    let source = try NavigationFixture()
    let library = try CourseLibrary(databaseAt: source.database)
    _ = try library.importBundled()
    let ada = try source.service()
    let activity = try #require(try library.tree().first { $0.kind == .activity }).path
    try ada.perform(.open(.text(activity.description)))
    try ada.progress.record(.markedDone, in: .text(activity.description))
    try ada.notes.setBookmark(true, at: .text(activity.description))
    try ada.endSession()
    let file = try ada.file(of: "ada")
    let elsewhere = try NavigationFixture()
    let reader = try elsewhere.service("ada")

    let imported = try reader.learners.import(from: Data(file.utf8), named: "ada.json")
    let before = try reader.history.page().rows
    let bookmarksBefore = try reader.notes.bookmarks()
    let problemsBefore = try reader.check()
    let targetLibrary = try CourseLibrary(databaseAt: elsewhere.database)
    let contentProblems = try targetLibrary.check()
    _ = try targetLibrary.importBundled()

    #expect(imported.unknownPlaces == 4)
    #expect(before.first?.to.path == activity && before.first?.to.isRemoved == true)
    #expect(bookmarksBefore.map(\.path) == [activity] && bookmarksBefore.map(\.isRemoved) == [true])
    #expect(problemsBefore == [] && contentProblems == [])
    #expect(try reader.history.page().rows.first?.to.isRemoved == false)
    #expect(try reader.notes.bookmarks().map(\.isRemoved) == [false])
    #expect(try reader.progress.rows(of: .text(activity.description)).map(\.progress.done) == [1])
    #expect(try reader.check() == [] && targetLibrary.check() == [])
    #expect(try reader.file(of: "ada") == file)
  }

  @Test func `learners with equal names stay separate and none is imported twice`() throws {
    let school = try NavigationFixture.withCourses().service("teacher")
    let files = try ([3, 4] as [UInt64]).map { seed in
      let home = try NavigationFixture.withCourses()
      let student = try home.service("student")
      try student.live(30, seed: seed, on: home)
      return Data(try student.file(of: "student").utf8)
    }

    try school.learners.import(from: files[0], named: "a.json", as: " Ada L. ")
    try school.learners.import(from: files[1], named: "b.json", as: "Ben")
    let again = try school.learners.import(from: files[0], named: "a.json", as: "Ada L.")

    #expect(try school.learners.all().map(\.name) == ["Ada L.", "Ben"])
    #expect(again.sessions == 0)
    #expect {
      try school.learners.import(from: files[0], named: "a.json")
    } throws: { error in
      "\(error)"
        == "Could not import learner 'student': this database already contains the same history for learner 'Ada L.'. "
        + "Import it under that name, or erase that learner first. Nothing was changed."
    }
    #expect(throws: NavigationError.unusableName(name: " ")) {
      try school.learners.import(from: files[0], named: "a.json", as: " ")
    }
    #expect(try school.learners.all().count == 2 && school.check() == [])
  }

  @Test(arguments: [
    ("{", "it is not JSON"),
    (#"{"format": "scorm", "version": 1}"#, "its format is 'scorm'"),
    (#"{"format": "waymark-learner", "version": 3}"#, "it was written by a newer version of waymark"),
    (#"{"format": "waymark-learner", "version": 1}"#, "it was written by an older version of waymark"),
    (#"{"format": "waymark-learner", "version": 2, "uuid": "u", "name": "ada"}"#, "'createdAt' is missing"),
    (
      """
      {"format": "waymark-learner", "version": 2, "uuid": "u", "name": "ada", "createdAt": "2026-11-20T10:00:00.000Z",
      "nodes": [{"course": "17", "key": "17", "kind": "course", "slug": "rust", "title": "Rust"}, {"course": "17"}]}
      """, "'nodes.1.key' is missing"
    ),
  ])
  func `a file that is not a learner's file is refused`(text: String, problem: String) throws {
    let service = try NavigationFixture().service()

    #expect(throws: NavigationError.unreadableLearner(file: "a.json", problem: problem)) {
      try service.learners.import(from: Data(text.utf8), named: "a.json")
    }
  }

  @Test(arguments: [("\"sequence\":3", "\"sequence\":4"), ("\"stack\":[0]", "\"stack\":[7]")])
  func `an inconsistent file changes nothing`(right: String, wrong: String) throws {
    let ada = try NavigationFixture.withCourses().service()
    try ada.perform(.open("english"))
    try ada.perform(.popToRoot)
    let file = try ada.file(of: "ada").replacing(right, with: wrong)
    let school = try NavigationFixture.withCourses().service("teacher")

    #expect(throws: NavigationError.self) { try school.learners.import(from: Data(file.utf8), named: "ada.json") }

    #expect(try school.learners.all() == [])
  }
}
