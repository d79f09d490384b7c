import Foundation
import LearningModel
import Testing

@testable import LearningStore
@testable import NavigationKit

/// Tests the answers to pushed events, and messages that cannot be sent or read.
struct SyncAnswerTests {
  @Test func `a push is answered with the current lengths of its sessions`() throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.live(30, seed: 9, on: home)
    let pair = SyncPair(ada, try NavigationFixture.withCourses().service())
    var receipts: [SyncAnswer.Acknowledgement] = []

    _ = try Synchroniser(ada) { message in
      let answer = try pair.send(message)
      if case .acknowledged(let acknowledgement) = answer { receipts.append(acknowledgement) }
      return answer
    }.run(joining: true)

    let versions = try pair.hub.session.read { snapshot in
      try snapshot.syncState(of: snapshot.learner(named: "ada")!.id).sessions
    }
    #expect(receipts.count == 1 && receipts[0].sessions?.sorted { $0.uuid < $1.uuid } == versions)
    #expect(versions.map(\.steps).reduce(0, +) == (try ada.history.page().rows.count))
  }

  @Test func `changes that another database pushes during a run are received too`() throws {
    let (home, ada) = try NavigationFixture.withService()
    for place in ["english", "rust"] { try ada.perform(.open(.text(place))) }
    let (hub, laptop) = (try NavigationFixture.withCourses().service(), try NavigationFixture.withCourses().service())
    for leaf in [ada, laptop] { try SyncPair(leaf, hub).run() }
    home.advance(seconds: 60)
    try ada.perform(.open("english/meetings"))
    // A hub that has lost its data.
    let restored = try NavigationFixture.withCourses().service()
    let uuid = try ada.session.read { snapshot in try snapshot.uuid(of: snapshot.learner(named: "ada")!.id)! }
    try restored.sync.identify(as: SyncAnswer.Hello(learner: uuid, name: "ada", steps: 0), joining: true)
    let pair = SyncPair(laptop, restored)
    // At the third message, after the hello and the comparison.
    pair.before = { if $0 == 2 { try SyncPair(ada, restored).run() } }

    let report = try pair.run()

    #expect(report.sent.steps == 3 && report.received.steps == 1 && report.parted == 0)
    try expectSame(laptop, restored)
    try expectSame(laptop, ada)
  }

  @Test func `an answer without the lengths of the sessions is accepted too`() throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.live(30, seed: 9, on: home)
    let pair = SyncPair(ada, try NavigationFixture.withCourses().service())

    _ = try Synchroniser(ada) { message in
      let answer = try pair.send(message)
      guard case .acknowledged(let acknowledgement) = answer else { return answer }
      let first = try SyncCoding.data(
        SyncAnswer.acknowledged(SyncAnswer.Acknowledgement(limited: acknowledgement.limited)))
      #expect(String(decoding: first, as: UTF8.self).contains(#"{"taken":{"limited":["#))
      #expect(!String(decoding: first, as: UTF8.self).contains("sessions"))
      return try SyncCoding.answer(from: first)
    }.run(joining: true)

    try expectSame(pair.hub, ada)
  }

  @Test func `an event larger than 256 kB is refused and reported before sending`() throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.perform(.open("english"))
    try ada.endSession()
    home.advance(seconds: 60)
    let hub = try NavigationFixture.withCourses().service()
    let node = try home.node("rust/start/hello/world")
    let uuid = RandomIdentifier.make()
    let detail = "\"" + String(repeating: "x", count: 256_000) + "\""
    try ada.session.beginning(waitingAtMost: nil) { transaction, record, _ in
      _ = try transaction.append(
        PendingActivityEvent(
          uuid: uuid, session: record.session, node: node, kind: .cardGraded, detail: detail, score: nil, at: home.now))
    }
    let refused = SyncError.eventTooLarge(uuid: uuid, bytes: 256_002)

    #expect(throws: refused) { try SyncPair(ada, hub).run() }

    #expect(
      refused.description
        == "Could not synchronise: the activity event \(uuid) takes 256002 bytes, and a server accepts at most 256000. "
        + "The data that belongs to the same message was not sent.")
    #expect(refused.remedy == .eraseHistory)
    #expect(try hub.history.page().rows.isEmpty)
    try ada.endSession()
    try ada.learners.eraseHistory(since: home.now.date)
    #expect(try SyncPair(ada, hub).run().sent.steps == 2)
    try expectSame(hub, ada)
  }

  @Test func `an older database pushes its data before it fails on newer data`() throws {
    let (home, other) = (try NavigationFixture.withCourses(), try NavigationFixture.withCourses())
    let (ada, laptop) = (try home.service(), try other.service())
    let hub = try NavigationFixture.withCourses().service()
    try laptop.perform(.open("english"))
    try laptop.endSession()
    try SyncPair(laptop, hub).run()
    try ada.perform(.open("rust"))
    try ada.endSession()
    let pair = SyncPair(ada, hub)

    #expect(throws: SyncError.unknownMessage) {
      _ = try Synchroniser(ada) { message in
        let text = String(decoding: try SyncCoding.data(pair.send(message)), as: UTF8.self)
        let later = text.replacing(#""kind":"root""#, with: #""kind":["hall"]"#)
        return try SyncCoding.answer(from: Data(later.utf8))
      }.run(joining: true)
    }

    #expect(try hub.history.page().rows.count == 4 && ada.history.page().rows.count == 2)
    #expect(
      SyncError.unknownMessage.description
        == "Could not receive the data of the other side: this version does not support a part of it. The data of this "
        + "database was sent.")
    #expect(SyncError.unknownMessage.remedy == .updateProgram)
    #expect(throws: DecodingError.self) { try SyncCoding.answer(from: Data(#"{"elsewhere":1}"#.utf8)) }
  }

  @Test func `a course known only from one learner is hidden from all others`() throws {
    let ada = try NavigationFixture.withCourses().service()
    try ada.perform(.open("rust/start/hello"))
    let school = try NavigationFixture()
    let (hub, ben) = (try school.service(), try school.service("ben"))

    try SyncPair(ada, hub).run()

    #expect(try hub.history.page().rows.contains { $0.to.path.description == "rust/start/hello" })
    #expect(try ben.places.page().children.isEmpty)
    let errors = ["rust", "rust/start/hello", "nowhere"].map { path in
      #expect(throws: NavigationError.self) { try ben.perform(.open(.text(path))) }.map { "\($0)" } ?? ""
    }
    #expect(errors.allSatisfy { !$0.contains("Rust") && !$0.contains("Hello") }, "\(errors)")
    #expect(try ben.history.page().rows.count <= 1)
  }
}
