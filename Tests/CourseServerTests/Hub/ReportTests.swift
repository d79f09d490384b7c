@testable import waymark_server
import Foundation
import LearningModel
import NavigationKit
import TestSupport
import Testing

/// Reports, for each kind of store.
struct ReportTests {
  /// Three weeks of a class of four and one learner outside of it. One member of the class never begins.
  private func school(_ engine: Engine) throws -> ClockedHub {
    let hub = try ClockedHub(engine)
    #expect(try hub.store.addClass("7b", at: hub.clock.now))
    var (tokens, leaves): ([String: String], [String: NavigationService]) = ([:], [:])
    for name in ["ada", "ben", "cleo", "dora", "eve"] {
      if name != "eve" { #expect(try hub.store.join([name], toClass: "7b", at: hub.clock.now) == [true]) }
      tokens[name] = try hub.admit(name)
      leaves[name] = try hub.leaf("\(name).sqlite", name)
    }
    try leaves["ada"]?.visit(Activities.first, done: true)
    hub.clock.pass(minutes: 10)
    try leaves["ada"]?.visit(Activities.second)
    try leaves["ben"]?.visit(Activities.first)
    try leaves["eve"]?.visit(Activities.first)
    hub.clock.pass(days: 8)
    try leaves["ben"]?.visit(Activities.second, done: true)
    try leaves["cleo"]?.visit(Activities.first, done: true)
    for (name, leaf) in leaves where name != "dora" { try hub.sync(leaf, tokens[name]!) }
    hub.clock.pass(days: 12)
    return hub
  }

  private func uuids(_ hub: ClockedHub) throws -> [String: String] {
    Dictionary(uniqueKeysWithValues: try hub.store.accounts(after: nil, limit: 100).map { ($0.name, $0.uuid) })
  }

  @Test(arguments: Engine.allCases)
  func `the report on stuck learners lists unfinished activities, longest inactive first`(engine: Engine) throws {
    let hub = try school(engine)
    let (uuids, weekAgo) = (try uuids(hub), hub.clock.now.advanced(byMilliseconds: -7 * 86_400_000))
    func row(_ name: String, _ path: String, _ title: String, _ begun: String, _ last: String) -> StuckLearner {
      StuckLearner(
        learner: name, uuid: uuids[name]!, path: path, title: title, begunAt: Timestamp(begun)!,
        lastAt: Timestamp(last)!, unfinished: 1)
    }
    let ada = row("ada", Activities.second, "The first two minutes", "2026-09-07T08:10:00Z", "2026-09-07T08:10:00Z")
    let eve = row("eve", Activities.first, "Why are we here?", "2026-09-07T08:10:00Z", "2026-09-07T08:10:00Z")
    let ben = row("ben", Activities.first, "Why are we here?", "2026-09-07T08:10:00Z", "2026-09-15T08:10:00Z")

    let ofClass = try hub.report { try $0.stuckLearners(ReportScope(className: "7b"), since: weekAgo, limit: 100) }
    let all = try hub.report {
      try $0.stuckLearners(ReportScope(course: "english-for-business"), since: weekAgo, limit: 100)
    }
    let first = try hub.report { try $0.stuckLearners(ReportScope(), since: weekAgo, limit: 1) }
    let fresh = try hub.report {
      try $0.stuckLearners(
        ReportScope(className: "7b"), since: hub.clock.now.advanced(byMilliseconds: -13 * 86_400_000), limit: 100)
    }

    #expect(ofClass == [ada, ben])
    #expect(all == [ada, eve, ben])
    #expect(first == [ada])
    #expect(fresh == [ada])
  }

  @Test(arguments: Engine.allCases)
  func `the report on learners who have not begun lists members of a class or all learners`(engine: Engine) throws {
    let hub = try school(engine)
    let dora = LearnerNotBegun(
      learner: "dora", uuid: try #require(try uuids(hub)["dora"]), since: Timestamp("2026-09-07T08:00:00Z")!)
    _ = try hub.admit("fred")

    let ofClass = try hub.report {
      try $0.learnersNotBegun(ReportScope(className: "7b", course: "english-for-business"), limit: 100)
    }
    let all = try hub.report { try $0.learnersNotBegun(ReportScope(), limit: 100) }

    #expect(ofClass == [dora])
    // On SQLite, a learner with a token but without data does not exist yet.
    #expect(all.map(\.learner) == (engine == .sqlite ? ["dora"] : ["dora", "fred"]))
  }

  @Test(arguments: Engine.allCases)
  func `reports list the most abandoned activities and the weekly retention`(engine: Engine) throws {
    let hub = try school(engine)
    let (scope, now) = (ReportScope(className: "7b", course: "english-for-business"), hub.clock.now)
    let weekAgo = now.advanced(byMilliseconds: -7 * 86_400_000)

    let activities = try hub.report { try $0.abandonedActivities(scope, since: weekAgo, limit: 100) }
    let all = try hub.report { try $0.abandonedActivities(ReportScope(), since: weekAgo, limit: 1) }
    let weeks = try hub.report { try $0.retention(scope, at: now, weeks: 12) }
    let two = try hub.report { try $0.retention(ReportScope(), at: now, weeks: 2) }

    #expect(
      activities == [
        AbandonedActivity(path: Activities.second, title: "The first two minutes", begun: 2, done: 1, left: 1),
        AbandonedActivity(path: Activities.first, title: "Why are we here?", begun: 3, done: 2, left: 1),
      ])
    #expect(all == [AbandonedActivity(path: Activities.first, title: "Why are we here?", begun: 4, done: 2, left: 2)])
    #expect(
      weeks == [
        RetentionWeek(week: 0, learners: 3, active: 3), RetentionWeek(week: 1, learners: 3, active: 1),
        RetentionWeek(week: 2, learners: 2, active: 0),
      ])
    #expect(
      two == [RetentionWeek(week: 0, learners: 4, active: 4), RetentionWeek(week: 1, learners: 4, active: 1)])
  }

  @Test func `a name that is similar to a known one joins no class until it has a token`() throws {
    let home = try ServerFixture()
    func join(_ names: String...) throws -> ServerFixture.Answer {
      try home.run(ServerFixture.path("waymark-server"), ["class", "join", "7b"] + names)
    }
    #expect(try home.run(ServerFixture.path("waymark-server"), ["class", "add", "7b"]).code == 0)
    #expect(try join("ada", "benjamin").output == "Added ada to the class 7b.\nAdded benjamin to the class 7b.\n")

    let mistyped = try join("zoe", "adda")
    _ = try home.token("adda")
    let added = try join("zoe", "adda", "ada")

    #expect(
      mistyped
        == .init(
          code: 1, output: "",
          errors:
            "Could not add 'adda' to the class '7b': there is no learner with this name, but similar ones: 'ada'. "
            + "Use one of these names, or create a token for 'adda' first.\n"))
    #expect(
      added.output
        == "Added zoe to the class 7b.\nAdded adda to the class 7b.\nada is already in the class 7b.\n")
  }

  @Test(arguments: Engine.allCases)
  func `classes are created, joined, left and removed, and unknown ones are reported`(engine: Engine) throws {
    let hub = try ClockedHub(engine)
    let (store, now) = (hub.store, hub.clock.now)

    #expect(try store.addClass("7b", at: now) && !store.addClass("7b", at: now))
    #expect(try store.join(["ben", "ada", "ada"], toClass: "7b", at: now) == [true, true, false])
    #expect(try store.classes() == [LearnerClass(name: "7b", createdAt: now, members: ["ada", "ben"])])
    try store.leave(["ben"], fromClass: "7b")
    #expect(throws: HubError.notInClass(learner: "ben", className: "7b")) {
      try store.leave(["ada", "ben"], fromClass: "7b")
    }
    #expect(throws: HubError.unknownClass("8a")) { try store.join(["ben"], toClass: "8a", at: now) }
    #expect(throws: NavigationError.similarName(name: "Zoe", known: "zoe")) {
      try store.join(["zoe", "Zoe"], toClass: "7b", at: now)
    }
    #expect(throws: NavigationError.unusableName(name: "all")) {
      try store.join(["zoe", "all"], toClass: "7b", at: now)
    }
    #expect(try !store.knownNames().contains("zoe"))
    #expect(try store.classes().map(\.members) == [["ada"]])
    #expect(throws: HubError.unknownClass("8a")) {
      try hub.report { try $0.learnersNotBegun(ReportScope(className: "8a"), limit: 1) }
    }
    #expect(throws: HubError.unknownCourse("none")) {
      try hub.report { try $0.learnersNotBegun(ReportScope(course: "none"), limit: 1) }
    }
    let ada = try #require(try store.validToken(hub.admit("ada"), at: now)).learner
    _ = try store.eraseLearner(ada, by: .test, at: hub.clock.now)
    #expect(try store.classes() == [LearnerClass(name: "7b", createdAt: now, members: [])])
    try store.removeClass("7b")
    #expect(throws: HubError.unknownClass("7b")) { try store.removeClass("7b") }
    #expect(try store.classes() == [])
  }

  @Test func `random classes have the same reports on SQLite and, through a replica, on PostgreSQL`() throws {
    for seed in Tier.seeds([1, 2, 3, 4, 5, 6], long: 1..<201) {
      var random = SplitMix64(seed: seed)
      let hub = try ClockedHub(.sqlite)
      let moved = try hub.postgresHub()
      let stores = [hub.store, moved] as [any HubStore]
      var (names, tokens): ([String], [String: String]) = (["ada", "ben", "cleo", "dora"], [:])
      for name in names { tokens[name] = try hub.admit(name) }
      let leaves = Dictionary(uniqueKeysWithValues: try names.map { ($0, try hub.leaf("\($0).sqlite", $0)) })
      for leaf in leaves.values { _ = try leaf.perform(.open(.text(Activities.first))) }
      for store in stores { for name in ["7b", "8a"] { _ = try store.addClass(name, at: hub.clock.now) } }
      for round in 0..<4 {
        for _ in 0..<25 {
          let leaf = leaves[names[random.below(names.count)]]!
          let place = Activities.all[random.below(Activities.all.count)]
          // Times may decrease, as with a clock that is set back.
          hub.clock.pass(minutes: Double(random.below(900)) - 200)
          switch random.below(10) {
          case 0: try leaf.visit(place, done: true)
          case 1: _ = try leaf.progress.record(.markedNotDone, in: .text(place))
          case 2:
            _ = try leaf.progress.record(.cardGraded(card: random.below(3), of: 3, isKnown: true), in: .text(place))
          case 3:
            _ = try leaf.progress.record(
              .quizChecked(answers: [[0]], score: Double(random.below(3)) / 2, pass: 0.6), in: .text(place))
          case 4:
            let anchor = NoteAnchor(heading: "", digest: "0123456789abcdef", characters: 0..<1, quote: "q")
            _ = try leaf.notes.write("n", at: anchor, in: .text(place))
          case 5:
            if random.oneIn(4) {
              try leaf.learners.eraseHistory(since: hub.clock.now.advanced(byMilliseconds: -3_600_000).date)
            }
          case 6: try hub.sync(leaf, tokens[leaf.learner]!)
          case 7: _ = try leaf.perform(.open(.text(place)))
          case 8: try leaf.progress.setReadingPosition(nil, in: .text(place))
          default: try leaf.visit(place)
          }
        }
        if round == 2 {
          _ = try hub.store.eraseLearner(names.removeLast(), by: .test, at: hub.clock.now)
        }
        for name in names { try hub.sync(leaves[name]!, tokens[name]!) }
        _ = try HubMove(from: hub.store, to: moved, at: hub.clock.now).run()
        let (name, className) = (names[random.below(names.count)], ["7b", "8a"][random.below(2)])
        for store in stores {
          if try store.join([name], toClass: className, at: hub.clock.now) == [false] {
            try store.leave([name], fromClass: className)
          }
        }

        let expected = try hub.report { try $0.reports(at: hub.clock.now) }
        let replicated = try hub.replica(of: moved).report { try $0.reports(at: hub.clock.now) }

        #expect(replicated == expected, "seed \(seed), round \(round)")
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `the built program prints reports in four formats and explains errors`(engine: Engine) throws {
    let hub = try school(engine)
    let store = hub.address.map { ["--hub", $0] } ?? ["--database", hub.home.database]
    func run(_ arguments: String...) throws -> ServerFixture.Answer {
      try hub.home.run(ServerFixture.path("waymark-server"), arguments + store)
    }
    let dora = try #require(try uuids(hub)["dora"])

    let table = try run("report", "left", "--class", "7b", "--days", "0")
    let csv = try run("report", "retention", "--class", "7b", "--weeks", "1", "--format", "csv")
    let line = try run("report", "not-begun", "--class", "7b", "--format", "jsonl")
    let json = try run("report", "stuck", "--class", "7b", "--course", "english-for-business", "--format", "json")
    let list = try run("class", "list", "--format", "csv")
    let wrong = try run("report", "stuck", "--class", "8a")

    #expect(table.output.hasPrefix("activity"))
    #expect(table.output.contains("\n\(Activities.second)  2      1     1\n"), "\(table)")
    #expect(csv == .init(code: 0, output: "week,learners,active\n0,3,3\n"))
    #expect(line.output == #"{"learner":"dora","uuid":"\#(dora)","since":"2026-09-07T08:00:00.000Z"}"# + "\n")
    #expect((try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [Any])?.count == 2, "\(json)")
    #expect(list.output.hasPrefix("name,createdAt,members\n7b,2026-09-07T08:00:00.000Z,"), "\(list)")
    #expect(
      wrong
        == .init(
          code: 66, output: "",
          errors: "Could not find the class '8a': there is no class with this name. "
            + "List the classes with 'waymark-server class list'.\n"))
  }
}

extension EmbeddedStore {
  /// Returns the rows of all reports, for all learners and for each class, in all courses and in the bundled one.
  func reports(at now: Timestamp) throws -> [String] {
    let names = [nil] + (try classes().map(\.name))
    let scopes = names.flatMap { name in [nil, "english-for-business"].map { ReportScope(className: name, course: $0) }
    }
    return try scopes.flatMap { scope in
      let dayAgo = now.advanced(byMilliseconds: -86_400_000)
      let rows: [[any Encodable]] = [
        try stuckLearners(scope, since: dayAgo, limit: 100), try learnersNotBegun(scope, limit: 100),
        try abandonedActivities(scope, since: dayAgo, limit: 100), try retention(scope, at: now, weeks: 12),
      ]
      return try rows.joined().map {
        "\(scope) \(String(decoding: try SyncCoding.data($0), as: UTF8.self))"
      }
    }
  }
}
