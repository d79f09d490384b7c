import Foundation
import CourseKit
import GRDB
import LearningModel
import Synchronization
import TestSupport
import Testing

@testable import LearningStore
@testable import NavigationKit

struct SyncTests {
  @Test func `a run sends missing data once and a second run sends nothing`() throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.live(200, seed: 1, on: home)
    try ada.set("dark", forSetting: "theme")
    try ada.endSession()
    let pair = SyncPair(ada, try NavigationFixture.withCourses().service("Ada L."))

    let first = try pair.run()
    let second = try pair.run()

    #expect(first.sent.steps == (try ada.history.page().rows.count) && first.sent.steps > 100)
    #expect(first.sent.activities > 5 && first.sent.facts > 5 && first.received == SyncReport.Count())
    #expect(second.sent == SyncReport.Count() && second.received == SyncReport.Count() && second.messages == 1)
    #expect(pair.sizes.count == 2 && pair.sizes.reduce(0, +) < 8_000)
    try expectSame(pair.hub, ada)
    #expect(try pair.hub.check() == [] && ada.check() == [])
  }

  @Test func `progress is reported after each message and ends complete`() throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.live(600, seed: 6, on: home)
    let pair = SyncPair(ada, try NavigationFixture.withCourses().service())
    try pair.hub.live(200, seed: 7, on: home)
    var reports: [(done: Int, total: Int)] = []

    let report = try Synchroniser(ada, writing: 40, send: pair.send).run(joining: true) { done, total in
      reports.append((done.sent.all + done.received.all, total.sent.all + total.received.all))
    }

    #expect(reports.map(\.done) == reports.map(\.done).sorted() && Set(reports.map(\.total)).count == 1)
    #expect(reports.count > 3, "\(reports)")
    #expect(reports.first!.done < reports.last!.done && reports.last!.done == reports.last!.total)
    #expect(reports.last!.done == report.sent.all + report.received.all)
  }

  @Test func `synchronising a continued session sends only its new events`() throws {
    let (home, ada) = try NavigationFixture.withService()
    let pair = SyncPair(ada, try NavigationFixture.withCourses().service())
    for place in ["english", "english/meetings", "rust"] { try ada.perform(.open(.text(place))) }
    try pair.run()
    home.advance(seconds: 60)
    try ada.perform(.open("english/meetings/opening/agenda"))
    try ada.progress.record(.markedDone, in: "english/meetings/opening/agenda")

    let report = try pair.run()

    #expect(report.sent.steps == 1 && report.sent.activities == 1 && report.parted == 0)
    let rows = try pair.hub.history.page().rows
    #expect(rows.count == 5 && rows[1].dwellTime == .seconds(60))
    #expect(try pair.hub.progress.rows(of: "english/meetings/opening/agenda").map(\.progress.done) == [1])
    try expectSame(pair.hub, ada)
    #expect(try pair.hub.check() == [])
  }

  @Test func `no message is larger than a megabyte`() throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.live(Tier.count(4_000, long: 20_000), seed: 5, on: home)
    let pair = SyncPair(ada, try NavigationFixture.withCourses().service())

    let report = try pair.run()

    #expect(report.messages > 2 && pair.sizes.allSatisfy { $0 < 1_000_000 })
    try expectSame(pair.hub, ada)
  }

  @Test func `a run that writes small batches receives the same data`() throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.live(300, seed: 6, on: home)
    try ada.endSession()
    let hub = try NavigationFixture.withCourses().service()
    try SyncPair(ada, hub).run()
    let laptop = try NavigationFixture.withCourses().service()
    let pair = SyncPair(laptop, hub)
    var largest = 0

    _ = try Synchroniser(laptop, writing: 20) { message in
      let answer = try pair.send(message)
      if case .payload(let payload) = answer {
        let facts = payload.record.changes.count + payload.record.passages.count
        largest = max(largest, payload.record.steps.count + payload.record.activities.count + facts)
      }
      return answer
    }.run()

    #expect((10...20).contains(largest))
    try expectSame(laptop, ada)
    #expect(try laptop.check() == [])
  }

  @Test func `a push that contains a known event with different content is refused as a whole`() throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.perform(.open("english"))
    try ada.progress.record(.markedDone, in: "rust/start/hello/world")
    let hub = try NavigationFixture.withCourses().service()
    try SyncPair(ada, hub).run()
    let uuid = try ada.session.read { snapshot in try snapshot.uuid(of: snapshot.learner(named: "ada")!.id)! }
    let before = try hub.everything()
    func refusal(_ change: (inout LearnerRecord) -> Void) throws -> SyncError? {
      var record = try ada.session.read { snapshot in try snapshot.record(of: snapshot.learner(named: "ada")!.id)! }
      // The record also has a new bookmark before the contradiction. A refusal must not store it either.
      record.bookmarks.append(LearnerRecord.BookmarkRow(node: 0, createdAt: home.now))
      record.changes.append(LearnerRecord.FactChangeRow(kind: .bookmark, node: 0, stamp: 1 << 40, replica: "x"))
      change(&record)
      do {
        _ = try hub.sync.respond(.push(SyncMessage.PushPayload(record: record)))
      } catch let error as SyncError {
        return error
      }
      return nil
    }
    let record = try ada.session.read { snapshot in try snapshot.record(of: snapshot.learner(named: "ada")!.id)! }

    let refusals = [
      try refusal { $0.steps[1].operation = .select },
      try refusal { $0.steps[1].at = home.now.advanced(byMilliseconds: 1) },
      try refusal { $0.activities[0].kind = .seenToEnd },
    ]

    let (step, event) = (record.steps[1].uuid, record.activities[0].uuid)
    #expect(refusals == [.otherContent(uuid: step), .otherContent(uuid: step), .otherContent(uuid: event)])
    #expect(try hub.everything() == before)
    #expect(uuid == record.uuid)
  }

  @Test func `the change with the greater replica identifier wins over a simultaneous one`() throws {
    for isTurned in [false, true] {
      let fixtures = try (0..<2).map { _ in try NavigationFixture.withCourses() }
      let leaves = try fixtures.map { try $0.service() }
      let hub = try NavigationFixture.withCourses().service()
      for leaf in leaves { try SyncPair(leaf, hub).run() }
      for (fixture, name) in zip(fixtures, ["a", "b"]) {
        try fixture.write {
          try $0.execute(sql: "UPDATE replica SET uuid = ?", arguments: ["\(name)0000000-0000-4000-8000-000000000000"])
        }
      }
      try leaves[0].set("dark", forSetting: "theme")
      try leaves[1].set("light", forSetting: "theme")
      for fixture in fixtures { try fixture.write { try $0.execute(sql: "UPDATE factChange SET stamp = 1 << 40") } }

      for leaf in (isTurned ? leaves.reversed() : leaves) + leaves { try SyncPair(leaf, hub).run() }

      #expect(try (leaves + [hub]).map { try $0.setting("theme") } == ["light", "light", "light"])
    }
  }

  @Test func `a step dated 2099 hides no later step and keeps its time`() throws {
    let (home, laptop, school) = (
      try NavigationFixture.withCourses(), try NavigationFixture.withCourses(), try NavigationFixture.withCourses()
    )
    let (ada, other, hub) = (try home.service(), try laptop.service(), try school.service())
    for service in [ada, other] { try SyncPair(service, hub).run() }
    let farFuture = Timestamp("2099-01-01T00:00:00Z")!
    home.clock.withLock { $0 = farFuture }
    try ada.perform(.open("rust"))
    try ada.endSession()
    try SyncPair(ada, hub).run()
    for fixture in [laptop, school] { fixture.advance(seconds: 600) }
    try other.perform(.open("english/meetings"))
    try other.endSession()
    for service in [other, other] { try SyncPair(service, hub).run() }

    let soon = school.now.advanced(byMilliseconds: 300_000)
    for (fixture, service) in [(school, hub), (laptop, other)] {
      #expect(try service.check() == [])
      let clocks = try fixture.write { try Int64.fetchAll($0, sql: "SELECT clock FROM navigationEvent ORDER BY id") }
      #expect(clocks.count == 4 && clocks.allSatisfy { $0 <= soon.milliseconds })
      let rows = try service.history.page().rows
      for time in rows.map(\.at) + [
        laptop.now.advanced(byMilliseconds: -60_000), farFuture.advanced(byMilliseconds: -1),
      ] {
        let (since, until) = (HistoryFilter(since: time.date), HistoryFilter(until: time.date))
        #expect(try service.history.page(since).rows.map(\.uuid) == rows.filter { $0.at >= time }.map(\.uuid))
        #expect(try service.history.page(until).rows.map(\.uuid) == rows.filter { $0.at <= time }.map(\.uuid))
      }
      #expect(rows.count { $0.at >= farFuture } == 2)
    }
    // The latest place is the one with the latest time that is not in the future.
    #expect(try hub.resume().last?.path.description == "english/meetings")
    #expect(try other.resume().last?.path.description == "english/meetings")
  }

  @Test func `if all received events are in the future, the latest of them is resumed`() throws {
    let (home, school) = (try NavigationFixture.withCourses(), try NavigationFixture.withCourses())
    let (ada, hub) = (try home.service(), try school.service())
    try ada.perform(.open("english"))
    home.advance(seconds: 60)
    try ada.perform(.open("rust"))
    try ada.endSession()
    // A machine without the correct date.
    school.clock.withLock { $0 = Timestamp("1970-01-02T00:00:00Z")! }

    try SyncPair(ada, hub).run()

    #expect(try hub.resume().last?.path.description == "rust")
    #expect(try hub.history.page(HistoryFilter(since: Timestamp("2026-11-20T10:01:00Z")!.date)).rows.count == 1)
    #expect(try hub.check() == [])
  }

  @Test func `two learners with the same name are joined only on request`() throws {
    let home = try NavigationFixture.withCourses()
    let student = try home.service("student")
    try student.live(10, seed: 1, on: home)
    let school = try NavigationFixture.withCourses()
    let pair = SyncPair(student, try school.service("student"))
    try pair.hub.perform(.open("rust"))
    let (before, hubBefore) = (try student.everything(), try pair.hub.everything())
    let steps = try student.history.page().rows.count

    #expect(
      throws: SyncError.notJoined(name: "student", steps: steps, otherName: "student", otherSteps: 2)
    ) { try pair.run(joining: false) }
    #expect(try student.everything() == before && pair.hub.everything() == hubBefore)
    try pair.run(joining: true)
    try pair.run(joining: false)
    try expectSame(student, pair.hub)
    #expect(throws: SyncError.knownAs(name: "ben", other: "student")) {
      try SyncPair(home.service("ben"), pair.hub).run()
    }
  }

  @Test func `synchronising a copied folder forks the sessions that both databases have continued`() throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.perform(.open("english"))
    try ada.perform(.push("meetings"))
    try ada.progress.record(.markedDone, in: "rust/start/hello/world")
    let copy = try home.copied(withFolder: true)
    copy.advance(seconds: 300)
    let twin = try copy.service()
    try twin.perform(.back)
    try twin.perform(.push("negotiating"))
    try twin.progress.record(.markedNotDone, in: "rust/start/hello/world")
    home.advance(seconds: 60)
    try ada.perform(.push("opening"))
    let hub = try NavigationFixture.withCourses().service()

    try SyncPair(ada, hub).run()
    let report = try SyncPair(twin, hub).run()
    try SyncPair(ada, hub).run()

    #expect(report.parted == 1)
    try expectSame(hub, ada)
    try expectSame(hub, twin)
    #expect(try hub.check() == [] && ada.check() == [] && twin.check() == [])
    let paths = try hub.history.page().rows.map(\.to.path.description)
    #expect(paths.contains("english/meetings/opening") && paths.contains("english/negotiating"))
    // If the target of a back step is in the other session, the target is dropped, but the step remains a back step.
    #expect(try hub.history.page().rows.count { $0.operation == .back } == 1)
    #expect(try hub.progress.rows(of: "rust/start/hello/world").map(\.progress.done) == [0])
    // The copy continues in another session.
    try twin.perform(.popToRoot)
    #expect(try SyncPair(twin, hub).run().sent.steps == 2)
  }

  @Test(arguments: [true, false])
  func `a client neither continues nor ends a session of its server`(ends: Bool) throws {
    let school = try NavigationFixture.withCourses()
    let (hub, ben) = (try school.service(), try school.service("ben"))
    try hub.perform(.open("english"))
    try ben.perform(.open("rust"))
    let twin = try school.copied(withFolder: true).service()
    let sessions = try [hub, ben].map { try $0.currentSession() }
    if ends { try twin.endSession() } else { try twin.perform(.push("meetings")) }

    let report = try SyncPair(twin, hub).run()

    #expect(report.parted == 1)
    #expect(try [hub, ben].map { try $0.currentSession() } == sessions)
    for service in [hub, ben] {
      try service.perform(.open("rust/start"))
      try service.endSession()
      #expect(try service.history.sessions().allSatisfy { $0.endedAt != nil })
    }
    try SyncPair(twin, hub).run()
    try expectSame(twin, hub)
    #expect(try hub.check() == [] && twin.check() == [])
  }

  @Test func `a session of another database is split without ending the own one`() throws {
    let (_, ada) = try NavigationFixture.withService()
    try ada.perform(.open("english"))
    let (fixture, laptop) = try NavigationFixture.withService()
    try laptop.perform(.open("rust"))
    try laptop.learners.import(from: Data(ada.file(of: "ada").utf8), named: "ada.json")
    let session = try #require(try laptop.currentSession())
    let foreign = try #require(try ada.currentSession()).uuid
    let names = try #require(try ada.session.read { try $0.names(inSession: foreign) })

    let uuid = try #require(try laptop.session.read { try $0.uuid(of: $0.learner(named: "ada")!.id) })
    try laptop.sync.forkSession(
      foreign, of: uuid, from: SyncAnswer.Names(steps: Array(names.steps.prefix(1)), acts: []))

    #expect(try laptop.currentSession() == session)
    #expect(try laptop.history.sessions().count == 3 && laptop.check() == [])
    withExtendedLifetime(fixture) {}
  }

  @Test func `an idle session of this database gets its end everywhere`() throws {
    let (home, ada) = try NavigationFixture.withService()
    let hub = try NavigationFixture.withCourses().service()
    try ada.perform(.open("english"))
    let last = home.now
    for service in [ada, hub] {
      try SyncPair(ada, hub).run()
      try service.closeOrphanedSessions()
    }
    #expect(try hub.history.sessions().map(\.endedAt) == [nil])

    home.advance(seconds: 5 * 3_600)
    try ada.closeOrphanedSessions()
    try SyncPair(ada, hub).run()

    #expect(try hub.history.sessions().map(\.endedAt) == [last])
    try expectSame(ada, hub)
  }

  @Test func `a message is encoded as a JSON object with its name and version`() throws {
    let text = #"{"names":{"learner":"a","session":"b"},"version":2}"#
    let message = SyncMessage.names(SyncMessage.SessionName(learner: "a", session: "b"))

    #expect(String(decoding: try SyncCoding.data(message), as: UTF8.self) == text)
    #expect(try SyncCoding.value(SyncMessage.self, from: Data(text.utf8)) == message)
    #expect(String(decoding: try SyncCoding.data(SyncAnswer.fork("b")), as: UTF8.self) == #"{"fork":"b"}"#)
    #expect(String(decoding: try SyncCoding.data(SyncMessage.hello), as: UTF8.self) == #"{"greet":{},"version":2}"#)
    for bad in [
      "{}", #"{"names":{"learner":"a","session":"b"},"greet":{},"version":2}"#, "[]", #"{"other":{},"version":2}"#,
      #"{"greet":{}}"#, #"{"greet":{},"version":"2"}"#, #"{"greet":1,"version":2}"#,
    ] {
      #expect(throws: DecodingError.self) { try SyncCoding.value(SyncMessage.self, from: Data(bad.utf8)) }
    }
    for version in [0, 1, 3] {
      for name in [#""greet":{}"#, #""other":[]"#] {
        #expect(throws: SyncError.otherVersion(version)) {
          try SyncCoding.value(SyncMessage.self, from: Data(#"{\#(name),"version":\#(version)}"#.utf8))
        }
      }
    }
  }

  @Test func `erased events do not return from a database that still had them`() throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.live(40, seed: 4, on: home)
    let time = home.now
    try ada.live(40, seed: 5, on: home)
    let school = try NavigationFixture.withCourses()
    let (hub, laptop) = (try school.service(), try NavigationFixture.withCourses().service())
    try SyncPair(ada, hub).run()
    try SyncPair(laptop, hub).run()
    let steps = try hub.history.page().rows.count

    try ada.learners.eraseHistory(since: time.date)
    for service in [ada, laptop, ada] { try SyncPair(service, hub).run() }

    #expect(try hub.history.page().rows.count < steps)
    #expect(try hub.history.page().rows.allSatisfy { $0.at < time })
    try expectSame(hub, ada)
    try expectSame(hub, laptop)
    #expect(try hub.check() == [] && laptop.check() == [])
  }

  @Test func `a learner erased on the server is erased everywhere`() throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.live(20, seed: 4, on: home)
    let hub = try NavigationFixture.withCourses().service()
    let pair = SyncPair(ada, hub)
    try pair.run()
    try hub.learners.erase("ada")

    // The token still belongs to the erased learner. A new learner with the same name is a different one.
    #expect(throws: SyncError.self) { try pair.run(joining: false) }
    try ada.endSession()
    let uuid = try ada.session.read { snapshot in try snapshot.uuid(of: snapshot.learner(named: "ada")!.id)! }
    let answer = try hub.sync.respond(
      .compare(
        SyncMessage.Comparison(
          learner: uuid, summary: try #require(try ada.sync.comparison(of: uuid)).summary,
          erased: LearnerRecord.Erasure())))
    #expect(answer == .erased)
  }

  @Test func `a later change wins even if a fast clock dated the earlier change later`() throws {
    let (home, school) = (try NavigationFixture.withCourses(), try NavigationFixture.withCourses())
    let (ada, laptop) = (try home.service(), try school.service())
    let (server, hub) = try NavigationFixture.withService()
    try SyncPair(ada, hub).run()
    try SyncPair(laptop, hub).run()
    try ada.notes.setBookmark(true, at: "rust")
    school.advance(seconds: 1)
    try laptop.notes.setBookmark(true, at: "rust")
    try laptop.notes.setBookmark(false, at: "rust")
    home.advance(seconds: 70 * 365 * 86_400)
    try ada.set("light", forSetting: "theme")
    for service in [ada, laptop] { try SyncPair(service, hub).run() }
    #expect(try hub.notes.bookmarks().isEmpty && laptop.setting("theme") == "light")

    for fixture in [school, server] { fixture.advance(seconds: 600) }
    try laptop.set("dark", forSetting: "theme")
    for service in [laptop, ada, laptop] { try SyncPair(service, hub).run() }

    #expect(try ada.setting("theme") == "dark" && hub.setting("theme") == "dark")
    try expectSame(hub, ada)
    try expectSame(hub, laptop)
    #expect(try SyncPair(ada, hub).run().sent.facts == 0)
  }

  @Test func `data of an unknown kind from a later version is stored, merged and erased`() throws {
    let (home, school) = (try NavigationFixture.withCourses(), try NavigationFixture.withCourses())
    let (ada, hub) = (try home.service(), try school.service())
    try ada.live(4, seed: 4, on: home)
    try SyncPair(ada, hub).run()
    let (time, stamp) = (school.now, school.now.milliseconds << 16)
    let uuid = try hub.session.read { snapshot in try snapshot.uuid(of: snapshot.learner(named: "ada")!.id)! }
    func take(_ value: String?, name: String? = nil, at count: Int64, savedAt: Timestamp? = nil) throws {
      var record = LearnerRecord(uuid: uuid, name: "ada", createdAt: time)
      let node = name == nil ? nil : 0
      record.nodes = [
        LearnerRecord.Node(course: "rust", key: "rust", parent: nil, kind: .course, slug: "rust", title: "Rust")
      ]
      record.others = value.map {
        [LearnerRecord.OtherFact(kind: .other("pace"), node: node, name: name, value: $0, savedAt: savedAt)]
      }
      record.changes = [
        LearnerRecord.FactChangeRow(
          kind: .other("pace"), node: node, name: name, stamp: stamp + count, replica: "later")
      ]
      _ = try hub.sync.merge(record, of: uuid)
    }
    func kept(by service: NavigationService) throws -> [String] {
      try service.everything().filter { $0.hasPrefix("pace") }
    }

    try take("slow", at: 1)
    try take("fast", at: 3)
    try take("faster", at: 2)
    try take("90", name: "words", at: 1, savedAt: time)
    try SyncPair(ada, hub).run()
    let stored = try kept(by: ada)
    #expect(stored == ["pace /  fast ", "pace rust/rust words 90 \(time)"])
    try expectSame(hub, ada)

    try take(nil, at: 4)
    try SyncPair(ada, hub).run()
    try ada.learners.eraseHistory(since: time.date)
    try SyncPair(ada, hub).run()
    try take("90", name: "words", at: 5, savedAt: time)
    try SyncPair(ada, hub).run()

    let remaining = try kept(by: ada)
    #expect(remaining == [])
    try expectSame(hub, ada)
    #expect(try SyncPair(ada, hub).run().sent.facts == 0 && hub.check() == [])
  }

  @Test func `a learner resumes at the latest place in any database that is not in the future`() throws {
    let (home, school) = (try NavigationFixture.withCourses(), try NavigationFixture.withCourses())
    let hub = try NavigationFixture.withCourses().service()
    let (ada, laptop) = (try home.service(), try school.service())
    try ada.perform(.open("rust"))
    for service in [ada, laptop] { try SyncPair(service, hub).run() }
    home.advance(seconds: 300)
    school.advance(seconds: 600)
    try laptop.perform(.open("english/meetings"))
    try ada.endSession()
    for service in [laptop, ada] { try SyncPair(service, hub).run() }

    let before = try ada.resume().last?.path
    home.advance(seconds: 301)
    let after = try ada.resume().last?.path
    try ada.perform(.open("english/negotiating"))

    #expect(before?.description == "rust" && after?.description == "english/meetings")
    #expect(try ada.resume().last?.path.description == "english/negotiating")
  }

  @Test func `earlier and future visits of another database do not become the last ones`() throws {
    let (desk, school) = (try NavigationFixture.withCourses(), try NavigationFixture.withCourses())
    let hub = try NavigationFixture.withCourses().service()
    let (ada, laptop) = (try desk.service(), try school.service())
    try ada.begin("english/meetings/opening/agenda")
    try ada.begin("rust/start/hello/world")
    try ada.endSession()
    school.advance(seconds: 7 * 86_400)
    try laptop.begin("english/negotiating/offers/anchor")
    let visitedAt = school.now
    try laptop.endSession()
    desk.clock.withLock { $0 = Timestamp("2099-01-01T00:00:00Z")! }
    for place in ["english/meetings/middle/turns", "english/meetings/opening/agenda"] { try ada.begin(.text(place)) }
    try ada.endSession()
    for service in [ada, laptop] { try SyncPair(service, hub).run() }
    school.advance(seconds: 60)

    let course = try laptop.places.page(of: "english")
    #expect(
      try laptop.places.page(of: "/").children.map(\.lastVisitAt) == [visitedAt, Timestamp("2026-11-20T10:00:00Z")!])
    #expect(course.summary.lastVisitAt == visitedAt)
    #expect(course.children.map(\.lastVisitAt) == [Timestamp("2026-11-20T10:00:00Z")!, visitedAt])
    #expect(course.nextStep?.summary.place.path.description == "english/negotiating/offers/anchor")
    #expect(course.nextStep?.leftAt == visitedAt)
    let negotiating = Place.node(try school.node("english/negotiating"))
    #expect(try laptop.history.lastVisitedChild(under: course.summary.place.place) == negotiating)
    #expect(try laptop.resume().last?.path.description == "english/negotiating/offers/anchor")

    let recents = try laptop.places.recents()
    #expect(
      recents.map(\.lastVisit) == [visitedAt, Timestamp("2026-11-20T10:00:00Z")!, Timestamp("2026-11-20T10:00:00Z")!])
    #expect(recents.first?.place.path.description == "english/negotiating/offers/anchor")
    #expect(try laptop.places.recents(limit: 1) == Array(recents.prefix(1)))

    // A rebuild and a later visit change nothing.
    try laptop.session.store.write { try $0.rebuildProjections() }
    #expect(try laptop.places.page(of: "english").children.map(\.lastVisitAt) == course.children.map(\.lastVisitAt))
    try laptop.perform(.resume)
    let resumedAt = school.now
    school.advance(seconds: 60)
    try laptop.perform(.open("english/meetings/closing"))
    #expect(try laptop.places.page(of: "english").children.map(\.lastVisitAt) == [school.now, resumedAt])
    #expect(try laptop.check() == [])
  }

  @Test(arguments: [
    (SyncError.erasedHere, "Could not synchronise: the learner was erased in this database and cannot be added again."),
    (
      .contradictory(detail: "it names a node that it does not list"),
      "Could not synchronise: the received data contradicts itself or the data in this database: it names a node that "
    ),
    (
      .otherContent(uuid: "0192f0c1"),
      "Could not synchronise: the event 0192f0c1 differs between the two databases. Nothing was changed. Check whether "
    ),
    (
      .otherVersion(1),
      "Could not synchronise: the other side uses version 1 of the protocol, and this program uses version 2. Both "
        + "sides need the same version."
    ),
    (
      .knownAs(name: "ada", other: "A."),
      "Could not synchronise 'ada': the token is for the learner who has the name 'A.' in this database."
    ),
  ])
  func `an error states what failed and suggests a remedy`(error: SyncError, text: String) {
    #expect(error.description.hasPrefix(text))
  }
}
