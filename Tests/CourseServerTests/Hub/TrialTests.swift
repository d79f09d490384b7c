@testable import waymark_server
import Foundation
import LearningModel
import NavigationKit
import TestSupport
import Testing

/// Weeks of use by a class, with simulated clocks.
struct TrialTests {
  /// Records random activity on a laptop: visits, completed activities, bookmarks and notes.
  private func study(_ laptop: NavigationService, _ clock: TestClock, _ random: inout SplitMix64) throws {
    for _ in 0..<(3 + random.below(6)) {
      clock.pass(minutes: Double(1 + random.below(10)))
      let place = Activities.all[random.below(Activities.all.count)]
      try laptop.visit(place, done: random.oneIn(4))
      if random.oneIn(4) { try laptop.notes.setBookmark(random.oneIn(2), at: .text(place)) }
      if random.oneIn(5) {
        let anchor = NoteAnchor(heading: "", digest: "0123456789abcdef", characters: 0..<1, quote: "a")
        try laptop.notes.write("Note \(random.below(100))", at: anchor, in: .text(place))
      }
    }
  }

  @Test func `two weeks with three laptops and a move to PostgreSQL lose no data`() throws {
    for seed in Tier.seeds([1, 2], long: 1..<51) {
      var random = SplitMix64(seed: seed)
      let hub = try ClockedHub(.sqlite)
      #expect(try hub.store.addClass("7b", at: hub.clock.now))
      #expect(try hub.store.join(["ada", "ben"], toClass: "7b", at: hub.clock.now) == [true, true])
      let (ada, ben) = (try hub.admit("ada"), try hub.admit("ben"))
      let desk = try hub.leaf("desk.sqlite", "ada")
      let laptop = try hub.leaf("laptop.sqlite", "ada")
      let bens = try hub.leaf("ben.sqlite", "ben")
      var copy: NavigationService?
      var parted = 0

      for day in 1...14 {
        try study(desk, hub.clock, &random)
        try study(laptop, hub.clock, &random)
        if day <= 10 { try study(bens, hub.clock, &random) }
        if let copy { try study(copy, hub.clock, &random) }
        parted += try hub.sync(desk, ada).parted
        // The laptop has no network in its second week.
        if day <= 7 { parted += try hub.sync(laptop, ada).parted }
        if day <= 10 { try hub.sync(bens, ben) }
        if let copy { parted += try hub.sync(copy, ada).parted }
        if day == 5 {
          copy = try hub.copy(of: "desk.sqlite", to: "copy.sqlite", "ada")
          // Depending on the seed, one or both databases continue the session that was open at the copy.
          for place in [Activities.first, Activities.second] {
            if seed % 3 != 1 { try desk.visit(place) }
            if seed % 3 != 2 { try copy?.visit(place) }
          }
        }
        if day == 10 { _ = try hub.store.eraseLearner("ben", by: .test, at: hub.clock.now) }
        hub.clock.pass(days: 0.6)
      }
      let leaves = [desk, laptop, try #require(copy)]
      for leaf in leaves + leaves { parted += try hub.sync(leaf, ada).parted }
      let now = hub.clock.now
      let before = try hub.store.rows(at: now)
      let postgres = try hub.postgresHub()
      let moved = try HubMove(from: hub.store, to: postgres, at: now).run()
      for leaf in leaves {
        hub.clock.pass(minutes: 5)
        // One of the two places differs from the leaf's current place.
        for place in [Activities.first, Activities.second] { try leaf.visit(place) }
      }
      for leaf in leaves + leaves { try hub.sync(leaf, ada, with: postgres) }

      #expect(parted >= 1 || seed % 3 != 0, "seed \(seed)")
      #expect(moved.all == 1 && moved.erased == 1 && moved.moved.steps > 100, "seed \(seed): \(moved)")
      #expect(try hub.store.rows(at: now) == before, "seed \(seed)")
      let rows = try postgres.rows(of: ["ada"], at: hub.clock.now)
      for leaf in leaves {
        let difference = Set(try EmbeddedStore(leaf).rows(of: ["ada"], at: hub.clock.now)).symmetricDifference(rows)
        #expect(difference == [], "seed \(seed)")
      }
      #expect(rows.count { $0.hasPrefix("steps ") } >= moved.moved.steps + 3)
      // Erased learners have no valid token and are not restored.
      #expect(try postgres.validToken(ben, at: now) == nil)
      #expect(throws: SyncError.self) {
        let token = try postgres.addToken(for: "ben", .learner, at: now, expiresAt: nil).secret
        try hub.sync(bens, token, with: postgres, joining: false)
      }
      #expect(try postgres.classes().map(\.members) == [["ada"]])
    }
  }

  @Test(arguments: Engine.allCases)
  func `an erased learner cannot join again with the old data, but can start again`(
    engine: Engine
  ) throws {
    let hub = try ClockedHub(engine)
    let leaf = try hub.leaf("leaf.sqlite", "ben")
    try leaf.visit(Activities.first)
    let first = try hub.admit("ben")
    try hub.sync(leaf, first)
    _ = try hub.store.eraseLearner(
      #require(try hub.store.validToken(first, at: hub.clock.now)).learner, by: .test, at: hub.clock.now)
    let token = try hub.admit("ben")

    #expect(throws: SyncError.erasedThere(name: "ben")) { try hub.sync(leaf, token) }
    #expect(try leaf.history.page(HistoryFilter()).rows.isEmpty)
    #expect(try !hub.store.rows(of: ["ben"], at: hub.clock.now).contains { $0.hasPrefix("steps ") })

    try leaf.visit(Activities.second)
    let report = try hub.sync(leaf, token)
    #expect(report.sent.steps == 2)
    #expect(try hub.store.rows(of: ["ben"], at: hub.clock.now).count { $0.hasPrefix("steps ") } == 2)
  }

  @Test(arguments: Engine.allCases, ["desk", "copy"])
  func `if one of two copies has ended a session and the other continued it, both have all steps`(
    engine: Engine, goesOn: String
  ) throws {
    let hub = try ClockedHub(engine)
    let token = try hub.admit("ada")
    let desk = try hub.leaf("desk.sqlite", "ada")
    try desk.visit(Activities.first)
    hub.clock.pass(minutes: 3)
    let copy = try hub.copy(of: "desk.sqlite", to: "copy.sqlite", "ada")
    let leaves = ["desk": desk, "copy": copy]
    for (minutes, name) in [(2.0, "copy"), (20, "desk")] {
      hub.clock.pass(minutes: minutes)
      let leaf = try #require(leaves[name])
      if goesOn == name { try leaf.visit(Activities.second) }
      try leaf.endSession()
    }
    // The copy synchronises first, so that the session ends as there.
    for leaf in [copy, desk, copy, desk] { try hub.sync(leaf, token) }

    let rows = try hub.store.rows(of: ["ada"], at: hub.clock.now)
    // Each session starts with the list of courses, and the other continuation with a step to the common place.
    #expect(rows.count { $0.hasPrefix("steps ") } == (goesOn == "copy" ? 3 : 4))
    for leaf in [desk, copy] { #expect(try EmbeddedStore(leaf).rows(of: ["ada"], at: hub.clock.now) == rows) }
  }

  @Test(arguments: Engine.allCases)
  func `an erasure of the last answers of an open session ends it in its own database too`(engine: Engine) throws {
    let hub = try ClockedHub(engine)
    let token = try hub.admit("ada")
    let (desk, laptop) = (try hub.leaf("desk.sqlite", "ada"), try hub.leaf("laptop.sqlite", "ada"))
    try desk.visit(Activities.first)
    hub.clock.pass(minutes: 2)
    _ = try desk.progress.record(.markedDone, in: .text(Activities.first))
    for leaf in [desk, laptop] { try hub.sync(leaf, token) }
    let session = try #require(try desk.currentSession()).uuid

    _ = try laptop.learners.eraseHistory(since: hub.clock.now.advanced(byMilliseconds: -60_000).date)
    for leaf in [laptop, desk] { try hub.sync(leaf, token) }
    hub.clock.pass(minutes: 1)
    _ = try desk.perform(.open(.text(Activities.second)))
    _ = try desk.progress.record(.markedDone, in: .text(Activities.second))
    for leaf in [desk, laptop, desk] { try hub.sync(leaf, token) }

    #expect(try desk.currentSession()?.uuid != session)
    let rows = try hub.store.rows(of: ["ada"], at: hub.clock.now)
    #expect(rows.count { $0.hasPrefix("activities ") } == 1, "\(rows)")
    for leaf in [desk, laptop] {
      #expect(try EmbeddedStore(leaf).rows(of: ["ada"], at: hub.clock.now) == rows)
      #expect(try leaf.check() == [])
    }
  }
}
