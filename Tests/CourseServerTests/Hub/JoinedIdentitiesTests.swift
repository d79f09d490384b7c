@testable import waymark_server
import Foundation
import LearningModel
import NavigationKit
import TestSupport
import Testing

/// A learner on several hubs. The first hub uses each kind of store.
struct JoinedIdentitiesTests {
  @Test(arguments: Engine.allCases)
  func `a leaf database joins several hubs once and later syncs without joining again`(engine: Engine) throws {
    let hub = try ClockedHub(engine)
    let hubs: [any HubStore] = [hub.store, try hub.postgresHub(), try hub.emptyHub("third.sqlite")]
    let tokens = try hubs.map { try $0.addToken(for: "ada", .learner, at: hub.clock.now, expiresAt: nil).secret }
    let (desk, laptop) = (try hub.leaf("desk.sqlite", "ada"), try hub.leaf("laptop.sqlite", "ada"))
    try desk.visit(Activities.first, done: true)
    try laptop.visit(Activities.second)
    for (store, token) in zip(hubs, tokens) { try hub.sync(desk, token, with: store, joining: true) }
    try hub.sync(laptop, tokens[0], joining: true)

    for number in [1, 2, 0, 2, 1, 0] {
      for leaf in [laptop, desk] { try hub.sync(leaf, tokens[number], with: hubs[number], joining: false) }
    }

    let rows = try [desk, laptop].map { try Set($0.history.page().rows.map(\.uuid)) }
    #expect(rows[0] == rows[1] && rows[0].count == 4)
    for number in 0..<3 {
      for leaf in [desk, laptop] {
        #expect(try hub.sync(leaf, tokens[number], with: hubs[number], joining: false).isEmpty)
      }
    }
  }

  @Test(arguments: [Engine.sqlite, .postgres])
  func `an erased learner does not return to a hub through another identity`(engine: Engine) throws {
    let hub = try ClockedHub(engine)
    let other = try hub.emptyHub("other.sqlite")
    let desk = try hub.leaf("desk.sqlite", "ada")
    try desk.visit(Activities.first)
    try desk.endSession()
    try hub.sync(desk, hub.admit("ada"))
    let token = try other.addToken(for: "ada", .learner, at: hub.clock.now, expiresAt: nil).secret
    try hub.sync(desk, token, with: other)
    let account = try #require(try hub.store.accounts(after: nil, limit: 1).first)
    _ = try hub.store.eraseLearner(hub.store.name(of: account), by: .test, at: hub.clock.now)
    let next = try hub.admit("ada")

    #expect(throws: SyncError.erasedThere(name: "ada")) { try hub.sync(desk, next, joining: true) }

    #expect(try desk.learners.all() == [])
    #expect(try hub.report { try $0.stuckLearners(ReportScope(), since: hub.clock.now, limit: 10) } == [])
  }
}
