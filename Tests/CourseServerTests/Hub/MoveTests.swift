@testable import waymark_server
import Foundation
import LearningModel
import NavigationKit
import TerminalHarness
import TestSupport
import Testing

struct MoveTests {
  struct Killed: Error {}

  /// Creates a hub with all kinds of data: a forked session, erasures, facts, tokens of all kinds and classes. One of
  /// the learners has no data, and one is erased.
  private func filled(_ engine: Engine) throws -> (hub: ClockedHub, tokens: [String: String]) {
    let hub = try ClockedHub(engine)
    let (store, clock) = (hub.store, hub.clock)
    var tokens: [String: String] = [:]
    for name in ["ada", "ben", "cleo", "dora"] { tokens[name] = try hub.admit(name) }
    let tomorrow = clock.now.advanced(byMilliseconds: 86_400_000)
    _ = try store.addToken(for: "ada", .teacher, at: clock.now, expiresAt: tomorrow)
    let revoked = try store.addToken(for: "ben", .learner, at: clock.now, expiresAt: nil).token
    #expect(try store.revokeToken(revoked.id, at: clock.now))
    for (name, members) in [("7b", ["ada", "ben"]), ("8a", ["ada", "dora"]), ("empty", [])] {
      #expect(try store.addClass(name, at: clock.now))
      for member in members { #expect(try store.join([member], toClass: name, at: clock.now) == [true]) }
    }

    let desk = try hub.leaf("desk.sqlite", "ada")
    for place in Activities.all { try desk.visit(place, done: place == Activities.first) }
    try desk.notes.setBookmark(true, at: "english-for-business/meetings")
    try desk.notes.setBookmark(true, at: "english-for-business")
    try desk.notes.setBookmark(false, at: "english-for-business")
    try desk.set("1", forSetting: "tour")
    let anchor = NoteAnchor(heading: "", digest: "0123456789abcdef", characters: 0..<4, quote: "When")
    try desk.notes.write("Ask why.", at: anchor, in: .text(Activities.first))
    _ = try desk.progress.record(
      .quizChecked(answers: [[1], [0]], score: 0.5), in: .text(Activities.second))
    _ = try desk.progress.record(
      .exerciseChecked(ExerciseCheck(isPassed: true, isChanged: true, seconds: 1, files: "", revision: 1)),
      in: .text(Activities.second))
    try hub.sync(desk, tokens["ada"]!)
    // A copy of a database, in which the same session continues.
    let copy = try hub.copy(of: "desk.sqlite", to: "copy.sqlite", "ada")
    clock.pass(minutes: 5)
    try desk.visit(Activities.second)
    try copy.visit(Activities.all[3])
    try hub.sync(desk, tokens["ada"]!)
    #expect(try hub.sync(copy, tokens["ada"]!).parted == 1)

    clock.pass(days: 1)
    let ben = try hub.leaf("ben.sqlite", "ben")
    for place in Activities.all { try ben.visit(place, done: true) }
    try hub.sync(ben, tokens["ben"]!)
    clock.pass(minutes: 30)
    let cut = clock.now
    clock.pass(minutes: 30)
    for place in Activities.all.reversed() { try ben.visit(place) }
    try hub.sync(ben, tokens["ben"]!)
    try ben.learners.eraseHistory(since: cut.date)
    try hub.sync(ben, tokens["ben"]!)

    let cleo = try hub.leaf("cleo.sqlite", "cleo")
    try cleo.visit(Activities.first)
    try hub.sync(cleo, tokens["cleo"]!)
    _ = try store.eraseLearner(
      #require(try store.validToken(tokens["cleo"]!, at: clock.now)).learner, by: .test, at: clock.now)
    return (hub, tokens)
  }

  @Test func `moving a hub from SQLite to PostgreSQL and back preserves all rows`() throws {
    let (hub, tokens) = try filled(.sqlite)
    let (middle, end, now) = (try hub.postgresHub(), try hub.emptyHub("end.sqlite"), hub.clock.now)

    let before = try hub.store.rows(at: now)
    let report = try HubMove(from: hub.store, to: middle, at: now).run()
    let back = try HubMove(from: middle, to: end, at: now).run()
    let again = try [
      HubMove(from: hub.store, to: middle, at: now).run(), HubMove(from: middle, to: end, at: now).run(),
      HubMove(from: end, to: hub.store, at: now).run(),
    ]

    #expect(try middle.rows(at: now) == before)
    #expect(try end.rows(at: now) == before)
    #expect(try hub.store.rows(at: now) == before)
    #expect(before.count > 30)
    #expect(report == back)
    #expect(report.all == 3 && report.learners == 3 && report.tokens == 5 && report.classes == 3)
    #expect(report.memberships == 4 && report.erased == 1 && report.moved.marks == 2 && report.moved.steps > 12)
    var unchanged = HubMove.Report()
    unchanged.all = 3
    #expect(again == [unchanged, unchanged, unchanged])
    for store in [middle, end] as [any HubStore] {
      #expect(try store.validToken(tokens["ada"]!, at: now) != nil)
      #expect(try store.validToken(tokens["cleo"]!, at: now) == nil)
    }
  }

  @Test func `a moved learner with a similar name remains a separate learner and is reported`() throws {
    let hub = try ClockedHub(.postgres)
    let (end, now) = (try hub.emptyHub("end.sqlite"), hub.clock.now)
    for name in ["Ada", "ben"] { _ = try hub.admit(name) }
    for (store, name) in [(end as any HubStore, "ada"), (end, "ben")] {
      _ = try store.addToken(for: name, .learner, at: now, expiresAt: nil)
    }

    let first = try HubMove(from: hub.store, to: end, at: now).run()
    let second = try HubMove(from: hub.store, to: end, at: now).run()

    #expect(first.similar.map(\.name) == ["Ada"] && first.similar.map(\.known) == ["ada"])
    #expect(first.learners == 2 && second.similar.isEmpty)
    #expect(try end.tokens().map(\.learner).sorted() == ["Ada", "ada", "ben", "ben"])
  }

  @Test(arguments: Engine.allCases)
  func `a move that is interrupted before any message can be restarted without loss`(engine: Engine) throws {
    let (hub, _) = try filled(engine)
    let now = hub.clock.now
    let to: any HubStore = engine == .sqlite ? try hub.postgresHub() : try hub.emptyHub("end.sqlite")
    var kills = 0
    var report: HubMove.Report?

    while report == nil {
      var messages = 0
      do {
        report = try HubMove(from: hub.store, to: to, at: now) {
          messages += 1
          if messages > kills { throw Killed() }
        }.run()
      } catch is Killed {
        kills += 1
      }
    }

    #expect(kills >= 15, "\(kills)")
    #expect(try to.rows(at: now) == hub.store.rows(at: now))
  }

  @Test func `the built program resumes a move after being killed`() throws {
    let (hub, _) = try filled(.sqlite)
    let (server, now) = (try PostgresServer.shared.get(), hub.clock.now)
    for number in 1...600 {
      let uuid = "00000000-0000-4000-8000-\(String(number + 1_000_000_000_000).dropFirst())"
      _ = try hub.store.add(LearnerAccount(uuid: uuid, name: "learner \(number)", createdAt: now))
    }
    let address = try server.database(in: hub.home)
    let to = try PostgresStore(PostgresAddress(address), tenant: "main")
    var counts: [Int] = []

    for minimum in [1, 100, 200] {
      let program = try PipedProgram(
        ServerFixture.path("waymark-server"), ["move", hub.home.database, address],
        environment: ["HOME": hub.home.folder.path, "PATH": "/usr/bin:/bin"])
      while try to.accounts(after: nil, limit: 1_000).count < minimum {}
      program.signal(SIGKILL)
      #expect(try program.waitForExit() == .signalled(Int(SIGKILL)))
      counts.append(try to.accounts(after: nil, limit: 1_000).count)
    }
    let completed = try hub.home.run(ServerFixture.path("waymark-server"), ["move", hub.home.database, address])
    let again = try hub.home.run(ServerFixture.path("waymark-server"), ["move", hub.home.database, address])

    #expect(counts[2] < 603 && completed.output.hasPrefix("Moved from 603 learners:\n"), "\(counts), \(completed)")
    #expect(again == .init(code: 0, output: "Nothing was moved: all 603 learners are already there.\n"))
    #expect(try hub.home.waymark("database", "check").code == 0)
    #expect(try to.rows(at: now) == hub.store.rows(at: now))
  }

  @Test func `leaf databases continue with the target hub and their existing tokens`() throws {
    let (hub, tokens) = try filled(.sqlite)
    let to = try hub.postgresHub()
    _ = try HubMove(from: hub.store, to: to, at: hub.clock.now).run()
    let (desk, cleo) = (try hub.leaf("desk.sqlite", "ada"), try hub.leaf("cleo.sqlite", "cleo"))
    try hub.sync(desk, tokens["ada"]!)
    hub.clock.pass(minutes: 5)
    try desk.visit(Activities.all[4], done: true)

    let first = try hub.sync(desk, tokens["ada"]!, with: to)
    let second = try hub.sync(desk, tokens["ada"]!, with: to)

    // On the next day a new session starts, with an event of its own. The fact is the position in the text.
    #expect(first.sent.steps == 2 && first.sent.activities == 1 && first.sent.facts == 1)
    #expect(!first.hasReceived)
    #expect(second.isEmpty && second.messages == 1)
    let newToken = try to.addToken(for: "cleo", .learner, at: hub.clock.now, expiresAt: nil).secret
    #expect(throws: SyncError.self) { try hub.sync(cleo, newToken, with: to, joining: false) }
  }

  @Test func `a second learner with the same name gets a number when moved to SQLite`() throws {
    let hub = try ClockedHub(.postgres)
    let to = try hub.emptyHub("end.sqlite")
    let uuids = ["10000000-0000-4000-8000-000000000000", "20000000-0000-4000-8000-000000000000"]
    for uuid in uuids {
      _ = try hub.store.add(LearnerAccount(uuid: uuid, name: "student", createdAt: hub.clock.now))
    }

    let report = try HubMove(from: hub.store, to: to, at: hub.clock.now).run()

    #expect(report.renamed.map { [$0.from, $0.to] } == [["student", "student 2"]])
    #expect(try to.accounts(after: nil, limit: 10).map(\.name) == ["student", "student 2"])
    #expect(try to.accounts(after: nil, limit: 10).map(\.uuid) == uuids)
  }

  @Test func `a session that was continued on both hubs is reported and not moved`() throws {
    let (hub, tokens) = try filled(.sqlite)
    let to = try hub.postgresHub()
    _ = try HubMove(from: hub.store, to: to, at: hub.clock.now).run()
    let desk = try hub.leaf("desk.sqlite", "ada")
    try hub.sync(desk, tokens["ada"]!)
    try desk.visit(Activities.all[4])
    try hub.sync(desk, tokens["ada"]!)
    let other = try hub.copy(of: "desk.sqlite", to: "other.sqlite", "ada")
    _ = try HubMove(from: hub.store, to: to, at: hub.clock.now).run()
    try desk.visit(Activities.first)
    try other.visit(Activities.second)
    try hub.sync(desk, tokens["ada"]!)
    try hub.sync(other, tokens["ada"]!, with: to)

    #expect(throws: HubError.forkedSession(learner: "ada")) {
      try HubMove(from: hub.store, to: to, at: hub.clock.now).run()
    }
  }

  @Test func `the built program reports the moved items, and a second move reports none`() throws {
    let (hub, _) = try filled(.sqlite)
    let address = try PostgresServer.shared.get().database(in: hub.home, migrated: false)
    func move(_ arguments: String...) throws -> ServerFixture.Answer {
      try hub.home.run(ServerFixture.path("waymark-server"), ["move"] + arguments)
    }

    let first = try move(hub.home.database, address)
    let second = try move(hub.home.database, address)
    let secret = "postgres://ada:secret@127.0.0.1:1/x"
    let itself = try move(secret, secret)
    let nowhere = try move(hub.home.folder.file("none.sqlite"), address)

    #expect(first.code == 0 && first.errors == "Applied 0001_hub.\nApplied 0002_renamed_places.\n", "\(first)")
    #expect(first.output.hasPrefix("Moved from 3 learners:\n") && first.output.contains(" 1 erased learner\n"))
    #expect(second == .init(code: 0, output: "Nothing was moved: all 3 learners are already there.\n"))
    #expect(itself.code == 1 && itself.errors.hasPrefix("Could not move '127.0.0.1:1/x': it is both"), "\(itself)")
    #expect(nowhere.code == 66 && nowhere.errors.contains("there is no such file"), "\(nowhere)")
  }

  @Test func `a hub on SQLite that was restored from a backup receives the lost events again`() throws {
    let hub = try Hub(.sqlite)
    let leaf = try LeafDatabase(hub.home)
    try leaf.walk(10)
    #expect(try hub.sync(leaf).count("sent", "steps") == 11)
    let backup = hub.home.folder.file("backup.sqlite")
    #expect(try hub.home.waymark("database", "backup", backup).code == 0)
    try leaf.walk(5)
    #expect(try hub.sync(leaf).code == 0)
    try hub.home.stop()
    try hub.home.serve(["--database", backup])

    let answer = try hub.sync(leaf)
    let again = try hub.sync(leaf)

    #expect(answer.code == 0 && (5...6).contains(answer.count("sent", "steps") ?? 0), "\(answer)")
    #expect(again.object["messages"] as? Int == 1, "\(again)")
  }
}
