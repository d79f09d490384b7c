import Foundation
import GRDB
import LearningModel
import LearningStore
import Synchronization
import TestSupport
import Testing

@testable import NavigationService

struct SyncTests {
  @Test func `what one database has and another one lacks goes there, and a second time nothing does`() throws {
    let home = try Desk.withCourses()
    let ada = try home.service()
    try ada.live(200, seed: 1, on: home)
    try ada.set("dark", forSetting: "theme")
    try ada.endSession()
    let pair = Pair(ada, try Desk.withCourses().service("Ada L."))

    let first = try pair.run()
    let second = try pair.run()

    #expect(first.sent.steps == (try ada.history().rows.count) && first.sent.steps > 100)
    #expect(first.sent.activities > 5 && first.sent.facts > 5 && first.received == SyncReport.Count())
    #expect(second.sent == SyncReport.Count() && second.received == SyncReport.Count() && second.messages == 1)
    #expect(pair.sizes.count == 2 && pair.sizes.reduce(0, +) < 8_000)
    try expectSame(pair.hub, ada)
    #expect(try pair.hub.check() == [] && ada.check() == [])
  }

  @Test func `a session that goes on sends only what is new of it`() throws {
    let home = try Desk.withCourses()
    let ada = try home.service()
    let pair = Pair(ada, try Desk.withCourses().service())
    for place in ["english", "english/meetings", "rust"] { try ada.perform(.open(.text(place))) }
    try pair.run()
    home.pass(seconds: 60)
    try ada.perform(.open("english/meetings/opening/agenda"))
    try ada.record(.markedDone, in: "english/meetings/opening/agenda")

    let report = try pair.run()

    #expect(report.sent.steps == 1 && report.sent.activities == 1 && report.parted == 0)
    let rows = try pair.hub.history().rows
    #expect(rows.count == 5 && rows[1].dwellMilliseconds == 60_000)
    #expect(try pair.hub.progress(of: "english/meetings/opening/agenda").map(\.progress.done) == [1])
    try expectSame(pair.hub, ada)
    #expect(try pair.hub.check() == [])
  }

  @Test func `it may be cut off at every message, before or after the answer, and goes on from there`() throws {
    for afterAnswer in [false, true] {
      let home = try Desk.withCourses()
      let ada = try home.service()
      try ada.live(60, seed: 2, on: home)
      let pair = Pair(ada, try Desk.withCourses().service())
      try pair.hub.live(60, seed: 3, on: home)
      var cuts = 0
      while true {
        let last = cuts
        pair.before = { if !afterAnswer && $0 == last { throw Pair.Cut() } }
        pair.after = { if afterAnswer && $0 == last { throw Pair.Cut() } }
        do {
          try pair.run()
          break
        } catch is Pair.Cut {
          cuts += 1
        }
      }
      #expect(cuts >= 2)
      try expectSame(pair.hub, ada)
      #expect(try pair.hub.check() == [] && ada.check() == [])
    }
  }

  @Test func `no message is larger than a megabyte`() throws {
    let home = try Desk.withCourses()
    let ada = try home.service()
    try ada.live(Tier.count(4_000, long: 20_000), seed: 5, on: home)
    let pair = Pair(ada, try Desk.withCourses().service())

    let report = try pair.run()

    #expect(report.messages > 2 && pair.sizes.allSatisfy { $0 < 1_000_000 })
    try expectSame(pair.hub, ada)
  }

  @Test func `two people of one name are joined only where somebody says so`() throws {
    let home = try Desk.withCourses()
    let student = try home.service("student")
    try student.live(10, seed: 1, on: home)
    let school = try Desk.withCourses()
    let pair = Pair(student, try school.service("student"))
    try pair.hub.perform(.open("rust"))
    let (before, there) = (try student.everything(), try pair.hub.everything())
    let steps = try student.history().rows.count

    #expect(
      throws: SyncError.notJoined(name: "student", steps: steps, otherName: "student", otherSteps: 2)
    ) { try pair.run(joining: false) }
    #expect(try student.everything() == before && pair.hub.everything() == there)
    try pair.run(joining: true)
    try pair.run(joining: false)
    try expectSame(student, pair.hub)
    #expect(throws: SyncError.knownAs(name: "ben", other: "student")) {
      try Pair(home.service("ben"), pair.hub).run()
    }
  }

  @Test func `a database that was copied parts what both did in one session, and keeps both`() throws {
    let home = try Desk.withCourses()
    let ada = try home.service()
    try ada.perform(.open("english"))
    try ada.perform(.push("meetings"))
    try ada.record(.markedDone, in: "rust/start/hello/world")
    let copy = try Desk(copying: Data(contentsOf: URL(filePath: home.backup())))
    copy.pass(seconds: 300)
    let twin = try copy.service()
    try twin.perform(.back)
    try twin.perform(.push("negotiating"))
    try twin.record(.markedNotDone, in: "rust/start/hello/world")
    home.pass(seconds: 60)
    try ada.perform(.push("opening"))
    let hub = try Desk.withCourses().service()

    try Pair(ada, hub).run()
    let report = try Pair(twin, hub).run()
    try Pair(ada, hub).run()

    #expect(report.parted == 1)
    try expectSame(hub, ada)
    try expectSame(hub, twin)
    #expect(try hub.check() == [] && ada.check() == [] && twin.check() == [])
    let sessions = try hub.read { snapshot in try snapshot.record(of: snapshot.learner(named: "ada")!.id)!.sessions }
    #expect(sessions.map(\.forkAfter).sorted { $0 ?? 0 < $1 ?? 0 } == [nil, 3])
    let paths = try hub.history().rows.map(\.to.path.description)
    #expect(paths.contains("english/meetings/opening") && paths.contains("english/negotiating"))
    // A way back to a visit that stayed in the other session is forgotten, and that it was a way back is not.
    #expect(try hub.history().rows.count { $0.operation == .back } == 1)
    #expect(try hub.progress(of: "rust/start/hello/world").map(\.progress.done) == [0])
    // Whoever lived in the session goes on in another one.
    try twin.perform(.popToRoot)
    #expect(try Pair(twin, hub).run().sent.steps == 2)
  }

  @Test func `two copies that did something else, and as much of it, part too`() throws {
    let home = try Desk.withCourses()
    let ada = try home.service()
    try ada.perform(.open("english"))
    let copy = try Desk(copying: Data(contentsOf: URL(filePath: home.backup())))
    let twin = try copy.service()
    try ada.perform(.push("meetings"))
    try twin.perform(.push("negotiating"))
    let hub = try Desk.withCourses().service()

    try Pair(ada, hub).run()
    let report = try Pair(twin, hub).run()
    try Pair(ada, hub).run()

    #expect(report.parted == 1)
    try expectSame(hub, ada)
    try expectSame(hub, twin)
    let paths = try hub.history().rows.map(\.to.path.description)
    #expect(paths.contains("english/meetings") && paths.contains("english/negotiating"))
  }

  @Test func `a message is an object with its name and its version`() throws {
    let text = #"{"names":{"learner":"a","session":"b"},"version":1}"#
    let message = SyncMessage.names(SyncMessage.SessionName(learner: "a", session: "b"))

    #expect(String(decoding: try SyncCoding.data(message), as: UTF8.self) == text)
    #expect(try SyncCoding.value(SyncMessage.self, from: Data(text.utf8)) == message)
    #expect(String(decoding: try SyncCoding.data(SyncAnswer.fork("b")), as: UTF8.self) == #"{"fork":"b"}"#)
    #expect(String(decoding: try SyncCoding.data(SyncMessage.greet), as: UTF8.self) == #"{"greet":{},"version":1}"#)
    for bad in [
      "{}", #"{"names":{"learner":"a","session":"b"},"greet":{},"version":1}"#, "[]", #"{"other":{},"version":1}"#,
      #"{"greet":{}}"#, #"{"greet":{},"version":0}"#, #"{"greet":{},"version":"1"}"#, #"{"greet":1,"version":1}"#,
    ] {
      #expect(throws: DecodingError.self) { try SyncCoding.value(SyncMessage.self, from: Data(bad.utf8)) }
    }
    for later in [#"{"greet":{},"version":2}"#, #"{"other":[],"version":2}"#] {
      #expect(throws: SyncError.newer(2)) { try SyncCoding.value(SyncMessage.self, from: Data(later.utf8)) }
    }
  }

  @Test func `what was erased does not come back from a database that still had it`() throws {
    let home = try Desk.withCourses()
    let ada = try home.service()
    try ada.live(40, seed: 4, on: home)
    let moment = home.now
    try ada.live(40, seed: 5, on: home)
    let school = try Desk.withCourses()
    let (hub, laptop) = (try school.service(), try Desk.withCourses().service())
    try Pair(ada, hub).run()
    try Pair(laptop, hub).run()
    let steps = try hub.history().rows.count

    try ada.eraseHistory(since: moment)
    for service in [ada, laptop, ada] { try Pair(service, hub).run() }

    #expect(try hub.history().rows.count < steps)
    #expect(try hub.history().rows.allSatisfy { $0.at < moment })
    try expectSame(hub, ada)
    try expectSame(hub, laptop)
    #expect(try hub.check() == [] && laptop.check() == [])
  }

  @Test func `who was erased on the server is erased everywhere, and begins as somebody new`() throws {
    let home = try Desk.withCourses()
    let ada = try home.service()
    try ada.live(20, seed: 4, on: home)
    let school = try Desk.withCourses()
    let hub = try school.service()
    let pair = Pair(ada, hub)
    try pair.run()
    try hub.eraseLearner("ada")

    // The token still speaks of her: a new learner of that name is somebody else.
    #expect(throws: SyncError.self) { try pair.run(joining: false) }
    try ada.endSession()
    let uuid = try ada.read { snapshot in try snapshot.uuid(of: snapshot.learner(named: "ada")!.id)! }
    let answer = try hub.answer(
      .compare(
        SyncMessage.Comparison(
          learner: uuid, summary: try #require(try ada.comparison(of: uuid)).summary,
          erased: LearnerRecord.Erased())))
    #expect(answer == .erased)
  }

  @Test func `of two changes of a fact the later one holds, and a clock that is ahead does not win for ever`() throws {
    let (home, school) = (try Desk.withCourses(), try Desk.withCourses())
    let (ada, laptop) = (try home.service(), try school.service())
    let server = try Desk.withCourses()
    let hub = try server.service()
    for desk in [home, school, server] { try desk.beItself() }
    try Pair(ada, hub).run()
    try Pair(laptop, hub).run()
    try ada.setBookmark(true, at: "rust")
    school.pass(seconds: 1)
    try laptop.setBookmark(true, at: "rust")
    try laptop.setBookmark(false, at: "rust")
    home.pass(seconds: 70 * 365 * 86_400)
    try ada.set("light", forSetting: "theme")
    for service in [ada, laptop] { try Pair(service, hub).run() }
    #expect(try hub.bookmarks().isEmpty && laptop.setting("theme") == "light")

    for desk in [school, server] { desk.pass(seconds: 600) }
    try laptop.set("dark", forSetting: "theme")
    for service in [laptop, ada, laptop] { try Pair(service, hub).run() }

    #expect(try ada.setting("theme") == "dark" && hub.setting("theme") == "dark")
    try expectSame(hub, ada)
    try expectSame(hub, laptop)
    #expect(try Pair(ada, hub).run().sent.facts == 0)
  }

  @Test func `one takes up where one was last, also where that was elsewhere`() throws {
    let (home, school) = (try Desk.withCourses(), try Desk.withCourses())
    let hub = try Desk.withCourses().service()
    let (ada, laptop) = (try home.service(), try school.service())
    try ada.perform(.open("rust"))
    for service in [ada, laptop] { try Pair(service, hub).run() }
    for desk in [home, school] { desk.pass(seconds: 600) }
    try laptop.perform(.open("english/meetings"))
    home.pass(seconds: -300)
    try ada.endSession()

    for service in [laptop, ada] { try Pair(service, hub).run() }
    let elsewhere = try ada.resume().last?.path
    // A clock that was put back does not matter for what is done here.
    try ada.perform(.open("english/negotiating"))

    #expect(elsewhere?.description == "english/meetings")
    #expect(try ada.resume().last?.path.description == "english/negotiating")
  }

  @Test(arguments: Tier.seeds([1, 2, 3], long: 1..<201))
  func `three leaves that were apart are one after they have met`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let desks = try (0..<3).map { _ in try Desk.withCourses() }
    let leaves = try desks.map { try $0.service() }
    let school = try Desk.withCourses()
    let hub = try school.service()
    for desk in desks + [school] { try desk.beItself() }
    var began: [Timestamp] = []
    for round in 0..<Tier.count(6, long: 30) {
      for (desk, leaf) in zip(desks, leaves) {
        if random.oneIn(4) { desk.pass(seconds: Double(random.below(200_000)) - 100_000) }
        began.append(desk.now)
        try leaf.live(1 + random.below(12), seed: random.next(), on: desk)
        if random.oneIn(3) { try leaf.set("\(random.below(9))", forSetting: "s\(random.below(3))") }
        if random.oneIn(10) { try leaf.eraseHistory(since: began[random.below(began.count)]) }
      }
      school.pass(seconds: 10_000)
      for index in [0, 1, 2].shuffled(using: &random) where random.oneIn(2) {
        let pair = Pair(leaves[index], hub)
        let cut = random.oneIn(3) ? random.below(6) : .max
        pair.after = { if $0 == cut { throw Pair.Cut() } }
        do { try pair.run() } catch is Pair.Cut {}
      }
      if round.isMultiple(of: 10) { try hub.live(3, seed: random.next(), on: school) }
    }
    for service in leaves + [hub] { try service.endSession() }
    for leaf in leaves + leaves { try Pair(leaf, hub).run() }

    // Where somebody left off is seen from one moment.
    let end = Timestamp("2030-01-01T00:00:00Z")!
    for desk in desks + [school] { desk.clock.withLock { $0 = end } }
    for leaf in leaves {
      try expectSame(leaf, hub)
      #expect(try leaf.check() == [])
    }
    #expect(try hub.check() == [])
  }

  @Test(arguments: [
    (SyncError.erasedHere, "Could not synchronise: this learner was erased here, and does not come back. "),
    (
      .contradictory(detail: "it names a node that it does not list"),
      "Could not synchronise: what the other side tells contradicts itself, or what is here: it names a node that it does "
    ),
    (.newer(2), "Could not synchronise: the other side speaks version 2, this one up to 1. Update waymark."),
    (
      .knownAs(name: "ada", other: "A."),
      "Could not synchronise 'ada': the token is of somebody who is called 'A.' here."
    ),
  ])
  func `an error says what could not be done, and what to do next`(error: SyncError, words: String) {
    #expect(error.description.hasPrefix(words))
  }
}

extension Desk {
  /// Makes it a database of its own, though it began as a copy.
  fileprivate func beItself() throws {
    try write { try $0.execute(sql: "UPDATE replica SET uuid = ?", arguments: [RandomIdentifier.make()]) }
  }

  /// A copy of the database as it is now.
  fileprivate func backup() throws -> String {
    let path = "\(folder)/copy.sqlite"
    try write { _ in }
    let queue = try DatabaseQueue(path: database)
    try queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [path]) }
    try queue.close()
    return path
  }
}
