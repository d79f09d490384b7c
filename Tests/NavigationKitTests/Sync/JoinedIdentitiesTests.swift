import Foundation
import LearningModel
import Testing

@testable import LearningStore
@testable import NavigationKit

struct JoinedIdentitiesTests {
  private static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

  /// Makes a database with one step of a learner.
  private func database(_ name: String, _ place: PlaceName) throws -> NavigationService {
    let service = try NavigationFixture.withCourses().service(name)
    try service.perform(.open(place))
    try service.endSession()
    return service
  }

  private func servers() throws -> [NavigationService] {
    try ["english", "rust", "english/meetings"].enumerated().map { try database("ada \($0)", .text($1)) }
  }

  @Test(arguments: orders)
  func `three servers that were joined once synchronise in any order`(order: [Int]) throws {
    let servers = try servers()
    let desk = try database("ada", "rust/start")
    for number in order { try SyncPair(desk, servers[number]).run(joining: true) }

    for other in Self.orders {
      for number in other { try SyncPair(desk, servers[number]).run(joining: false) }
    }

    for server in servers { try expectSame(desk, server) }
    #expect(try desk.history.page().rows.count == 8)
    #expect(try ([desk] + servers).allSatisfy { try $0.check() == [] })
  }

  @Test func `joining is needed once per server, and an identity does not count as a change`() throws {
    let servers = try servers()
    let desk = try database("ada", "rust/start")

    for server in servers {
      #expect(throws: SyncError.self) { try SyncPair(desk, server).run(joining: false) }
      #expect(throws: SyncError.self) { try Synchroniser(desk, send: SyncPair(desk, server).send).preview() }
      let first = try SyncPair(desk, server).run(joining: true)
      let second = try SyncPair(desk, server).run(joining: false)
      #expect(first.sent.facts == 0 && first.received.facts == 0 && second.isEmpty)
      #expect(try Synchroniser(desk, send: SyncPair(desk, server).send).preview().isEmpty)
    }
    let identities = try desk.session.read { try $0.identities(of: $0.learner(named: "ada")!.id) }
    #expect(identities.count == 4 && Set(identities).count == 4)
  }

  @Test func `after joining one server, a database synchronises with all servers of the first database`() throws {
    let servers = try servers()
    let (desk, laptop) = (try database("ada", "rust/start"), try database("ada", "english/negotiating"))
    for server in servers { try SyncPair(desk, server).run(joining: true) }
    try SyncPair(laptop, servers[0]).run(joining: true)

    // The first server has only the previous identity of the first database. The other two have the identity of the
    // first server.
    for number in [1, 2, 0] {
      #expect(try Synchroniser(laptop, send: SyncPair(laptop, servers[number]).send).preview().sent.steps >= 0)
      try SyncPair(laptop, servers[number]).run(joining: false)
    }
    for number in [2, 0, 1, 2, 0] {
      for leaf in [desk, laptop] { try SyncPair(leaf, servers[number]).run(joining: false) }
    }

    for service in servers + [laptop] { try expectSame(desk, service) }
  }

  @Test func `a new database receives the identities from any server`() throws {
    let servers = try servers()
    let desk = try database("ada", "rust/start")
    for number in [0, 1, 2, 0] { try SyncPair(desk, servers[number]).run(joining: true) }
    let laptop = try NavigationFixture.withCourses().service("ada")

    for number in [0, 2, 1] { try SyncPair(laptop, servers[number]).run(joining: false) }

    try expectSame(desk, laptop)
  }

  @Test func `a copy of a database can synchronise without joining the server that the original joined later`() throws {
    let (home, desk) = try NavigationFixture.withService()
    try desk.perform(.open("rust"))
    try desk.endSession()
    let copy = try NavigationFixture(copying: Data(contentsOf: URL(filePath: home.backup()))).service()
    let server = try database("ada", "english")
    try SyncPair(desk, server).run(joining: true)

    try SyncPair(copy, server).run(joining: false)

    try expectSame(copy, server)
  }

  @Test func `a server joined with another learner is refused under any identity`() throws {
    let servers = try servers()
    let home = try NavigationFixture.withCourses()
    let (ada, ben) = (try home.service("ada"), try home.service("ben"))
    for service in [ada, ben] { try service.perform(.open("rust")) }
    let desk = try database("ada", "rust/start")
    try SyncPair(ada, servers[0]).run(joining: true)
    for server in servers { try SyncPair(desk, server).run(joining: true) }

    let expected = SyncError.knownAs(name: "ben", other: "ada")
    // `ada` has the identity that the first and the second server know.
    for server in servers.prefix(2) { #expect(throws: expected) { try SyncPair(ben, server).run(joining: true) } }
  }

  @Test func `a learner erased locally is not restored by any joined server`() throws {
    let servers = try servers()
    let desk = try database("ada", "rust/start")
    for server in servers { try SyncPair(desk, server).run(joining: true) }

    try desk.learners.erase("ada")

    for server in servers { #expect(throws: SyncError.erasedHere) { try SyncPair(desk, server).run(joining: true) } }
    #expect(try desk.learners.all() == [])
  }

  @Test func `a learner erased on one joined server is erased locally`() throws {
    let servers = try servers()
    let desk = try database("ada", "rust/start")
    for server in servers { try SyncPair(desk, server).run(joining: true) }
    _ = try servers[0].learners.erase("ada 0", sweeping: true, barringIdentities: false, by: .command("learners erase"))

    #expect(throws: SyncError.erasedThere(name: "ada")) { try SyncPair(desk, servers[0]).run(joining: true) }

    #expect(try desk.learners.all() == [])
    // A hub that has not received the erasure keeps the learner.
    #expect(try servers[1].learners.all().map(\.name) == ["ada 1"])
    #expect(try servers[0].access.erasedLearners().count == 1)
  }

  @Test func `a learner's identity cannot be claimed or barred through another learner's record`() throws {
    let home = try NavigationFixture.withCourses()
    let (ada, ben) = (try home.service("ada"), try home.service("ben"))
    for service in [ada, ben] { try service.perform(.open("rust")) }
    let uuid = try ada.session.read { try $0.uuid(of: $0.learner(named: "ada")!.id)! }
    var record = LearnerRecord(uuid: RandomIdentifier.make(), name: "ben", createdAt: home.now)
    record.others = [LearnerRecord.OtherFact(kind: .identity, name: uuid, value: "joined")]
    record.changes = [LearnerRecord.FactChangeRow(kind: .identity, name: uuid, stamp: 1 << 40, replica: "x")]
    try ben.session.write { try _ = $0.merge(record, at: home.now) }

    let owner = try ada.session.read { try $0.learner(identifiedBy: uuid)?.name }
    try ben.learners.erase("ben")
    let isErased = try ada.session.read { try $0.isErased(learnerWithUUID: uuid) }

    #expect(owner == "ada" && !isErased)
    #expect(try ada.history.page().rows.count == 2)
  }
}
