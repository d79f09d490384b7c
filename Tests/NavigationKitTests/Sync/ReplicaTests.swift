import Foundation
import GRDB
import LearningModel
import Synchronization
import Testing

@testable import LearningStore
@testable import NavigationKit

/// Tests when a database takes another UUID, so that it does not continue the sessions of another one.
struct ReplicaTests {
  private func uuid(_ fixture: NavigationFixture) throws -> String {
    try #require(try fixture.write { try String.fetchOne($0, sql: "SELECT uuid FROM replica") })
  }

  @Test func `a copied database file continues in another session, and nothing has to be split`() throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.perform(.open("english"))
    let session = try ada.currentSession()
    let copy = try home.copied(withFolder: false)
    let twin = try copy.service()
    #expect(try twin.currentSession() == session, "reading changes nothing")

    copy.advance(seconds: 60)
    try twin.perform(.push("meetings"))
    try ada.perform(.push("negotiating"))
    let hub = try NavigationFixture.withCourses().service()
    let reports = try [ada, twin, ada].map { try SyncPair($0, hub).run() }

    #expect(try ada.currentSession()?.id == session?.id)
    #expect(try twin.currentSession()?.uuid != session?.uuid)
    #expect(try uuid(home) != uuid(copy))
    #expect(reports.map(\.parted) == [0, 0, 0])
    try expectSame(ada, twin)
    #expect(try twin.check() == [] && ada.check() == [])
  }

  @Test(arguments: [true, false])
  func `an older copy that replaces a database begins another session if records have left`(haveLeft: Bool) throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.perform(.open("english"))
    let session = try #require(try ada.currentSession()).uuid
    let backup = try home.copied(withFolder: false)
    try ada.perform(.push("meetings"))
    if haveLeft { _ = try ada.file(of: "ada") }
    let hub = try NavigationFixture.withCourses().service()
    if haveLeft { try SyncPair(ada, hub).run() }

    let restored = try backup.copied(withFolder: false, replica: home.replica)
    let service = try restored.service()
    try service.perform(.push("negotiating"))
    let report = try SyncPair(service, hub).run()

    #expect(try (service.currentSession()?.uuid == session) == !haveLeft)
    #expect(try (uuid(restored) == uuid(home)) == !haveLeft)
    #expect(report.parted == 0 && report.received.steps == (haveLeft ? 1 : 0))
    try expectSame(service, hub)
    #expect(try service.check() == [])
  }

  @Test func `programs that write, export and synchronise at the same time keep the UUID`() throws {
    let home = try NavigationFixture.withCourses()
    try home.service().perform(.open("english"))
    let before = try uuid(home)
    let browser = try home.service("ben", session: .browser)
    let hub = try NavigationFixture.withCourses().service()

    for number in 0..<5 {
      try browser.perform(.open(number.isMultiple(of: 2) ? "rust" : "english"))
      // Another program opens the file, with its own connections.
      var options = LearningStore.Options()
      options.busyTimeout = .seconds(20 + number)
      let database = try LearningDatabase(.file(home.database), busyTimeout: options.busyTimeout)
      let shell = try NavigationService(database, learner: "ada", session: .shell, now: { home.now })
      try shell.perform(.open(number.isMultiple(of: 2) ? "rust" : "english"))
      _ = try shell.file(of: "ben")
      if number == 2 { try SyncPair(shell, hub).run() }
      try browser.perform(.popToRoot)
    }

    #expect(try uuid(home) == before)
    #expect(try browser.history.sessions(of: .everyone).map(\.endedAt) == [nil, nil])
    let names = try FileManager.default.contentsOfDirectory(atPath: home.database + "-sessions")
    #expect(names.count == 2 && names.contains("replica"), "\(names)")
  }

  @Test func `a refused first write and a check leave no file`() throws {
    let home = try NavigationFixture.withCourses()
    let ada = try home.service()

    #expect(throws: NavigationError.self) { try ada.perform(.open("nowhere")) }
    #expect(try ada.check() == [])
    #expect(home.replica == nil)

    try ada.perform(.open("english"))
    let state = try ada.session.read { try $0.replicaState() }
    #expect(home.replica == Data("\(state.uuid) 0 0".utf8))
    _ = try ada.file(of: "ada")
    #expect(home.replica == Data("\(state.uuid) 2 0".utf8))
  }

  @Test(arguments: ["", "x", "x 1", "x one 1"])
  func `an unreadable file counts as missing`(text: String) throws {
    let home = try NavigationFixture.withCourses()
    try home.service().perform(.open("english"))
    let copy = try home.copied(withFolder: false, replica: Data(text.utf8))

    try copy.service().perform(.open("rust"))

    #expect(try uuid(copy) != uuid(home))
  }

  @Test func `a database whose folder of sessions cannot be written keeps its UUID`() throws {
    let home = try NavigationFixture.withCourses()
    try home.service().perform(.open("english"))
    let copy = try home.copied(withFolder: false)
    try Data().write(to: URL(filePath: copy.database + "-sessions"))

    try copy.service().perform(.push("meetings"))

    #expect(try uuid(copy) == uuid(home))
    #expect(try copy.service().history.sessions().count == 1)
  }

  @Test func `a database that is opened for reading writes no file`() throws {
    let home = try NavigationFixture.withCourses()
    try home.service().perform(.open("english"))
    let copy = try home.copied(withFolder: false)
    let database = try LearningDatabase(.file(copy.database), isReadOnly: true)
    let reader = try NavigationService(database, learner: "ada", session: .shell, now: { copy.now })

    _ = try reader.file(of: "ada")

    #expect(copy.replica == nil)
    #expect(!FileManager.default.fileExists(atPath: copy.database + "-sessions"))
  }

  @Test func `a file that claims to continue a session only makes the sessions of this database begin again`() throws {
    let home = try NavigationFixture.withCourses()
    let (ada, ben) = (try home.service(), try home.service("ben"))
    for service in [ada, ben] { try service.perform(.open("english")) }
    let hub = try NavigationFixture.withCourses().service("ben")
    try SyncPair(ben, hub).run()
    var record = try ada.session.read { snapshot in try snapshot.record(of: snapshot.learner(named: "ada")!.id)! }
    var step = record.steps[1]
    (step.uuid, step.sequence, step.from) = (RandomIdentifier.make(), 3, step.to)
    step.transition = LearnerRecord.TransitionRow(kind: .crossFade, reason: .noMatch)
    record.steps[1].leftAt = step.at
    record.steps[1].activeMs = 0
    record.steps.append(step)

    for _ in 0..<2 { _ = try ada.session.write { try $0.merge(record, at: home.now) } }
    home.advance(seconds: 60)
    for service in [ada, ben] { try service.perform(.open("rust")) }
    try SyncPair(ben, hub).run()

    #expect(try ada.history.sessions(of: .everyone).count == 4)
    #expect(try ben.history.page().rows.map(\.operation) == [.open, .resume, .open, .resume])
    try expectSame(ben, hub)
    #expect(try ada.check() == [] && hub.check() == [])
  }
}
