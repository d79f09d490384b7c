@testable import waymark_server
import Foundation
import GRDB
import LearningModel
import NavigationKit
import TerminalHarness
import TestSupport
import Testing

/// The SQLite database from which the reports on a hub on PostgreSQL are computed.
struct ReplicaTests {
  /// Returns the classes, the learners with their memberships, and all reports.
  private func content(of store: EmbeddedStore, at now: Timestamp) throws -> [String] {
    let accounts = try store.accounts(after: nil, limit: 100).map { account in
      "\(account.uuid) \(account.name) \(account.createdAt) \(account.classes)"
    }
    return try accounts + store.classes().map { "\($0)" } + store.reports(at: now)
  }

  /// Returns the content of a new SQLite hub without courses to which a hub was moved.
  private func expectedContent(_ hub: ClockedHub, of store: any HubStore) throws -> [String] {
    let target = try hub.emptyHub("\(RandomIdentifier.make()).sqlite")
    _ = try HubMove(from: store, to: target, at: hub.clock.now).run()
    return try content(of: target, at: hub.clock.now)
  }

  private func replicatedContent(_ hub: ClockedHub, of store: any HubStore) throws -> [String] {
    try hub.replica(of: store).report { try content(of: $0, at: hub.clock.now) }
  }

  /// Creates a hub on PostgreSQL with three learners and two classes.
  private func filledHub() throws -> (hub: ClockedHub, leaves: [NavigationService], tokens: [String]) {
    let hub = try ClockedHub(.postgres)
    let names = ["ada", "ben", "cleo"]
    let (tokens, leaves) = (try names.map { try hub.admit($0) }, try names.map { try hub.leaf("\($0).sqlite", $0) })
    for (name, members) in [("7b", names), ("8a", ["ada"])] {
      #expect(try hub.store.addClass(name, at: hub.clock.now))
      _ = try hub.store.join(members, toClass: name, at: hub.clock.now)
    }
    for (leaf, token) in zip(leaves, tokens) {
      for place in Activities.all {
        try leaf.visit(place, done: place == Activities.first)
        hub.clock.pass(minutes: 10)
      }
      let anchor = NoteAnchor(heading: "", digest: "0123456789abcdef", characters: 0..<4, quote: "When")
      try leaf.notes.write("Written by \(leaf.learner).", at: anchor, in: .text(Activities.first))
      try hub.sync(leaf, token)
    }
    hub.clock.pass(days: 2)
    return (hub, leaves, tokens)
  }

  @Test func `a replica follows removals, new names and a restored backup of its hub`() throws {
    let (hub, leaves, tokens) = try filledHub()
    let (renamed, backup) = (try hub.postgresHub(), try hub.postgresHub())
    let accounts = try hub.store.accounts(after: nil, limit: 10)
    let first = try replicatedContent(hub, of: hub.store)
    let firstExpected = try expectedContent(hub, of: hub.store)
    _ = try HubMove(from: hub.store, to: backup, at: hub.clock.now).run()
    for (number, account) in accounts.enumerated() {
      let name = accounts[(number + 1) % accounts.count].name
      _ = try renamed.add(LearnerAccount(uuid: account.uuid, name: name, createdAt: account.createdAt))
    }
    _ = try HubMove(from: hub.store, to: renamed, at: hub.clock.now).run()

    try hub.store.leave(["ben"], fromClass: "7b")
    try hub.store.removeClass("8a")
    let cleo = try #require(accounts.first { $0.name == "cleo" })
    _ = try hub.store.eraseLearner(cleo.uuid, by: .test, at: hub.clock.now)
    _ = try hub.admit("cleo")
    try leaves[0].learners.eraseHistory(since: #require(Timestamp("2026-09-07T08:25:00Z")).date)
    hub.clock.pass(days: 1)
    try leaves[0].visit(Activities.all[5], done: true)
    try leaves[1].visit(Activities.all[4], done: true)
    for number in 0...1 { try hub.sync(leaves[number], tokens[number]) }

    #expect(first == firstExpected && first.count > 20)
    for store in [hub.store, renamed, backup, hub.store] as [any HubStore] {
      #expect(try replicatedContent(hub, of: store) == expectedContent(hub, of: store))
    }
    let data = try hub.home.folder.bytes(of: "replica/replica.sqlite")
    func isStored(_ text: String) -> Bool { data.range(of: Data(text.utf8)) != nil }
    #expect(isStored("Written by ben.") && !isStored("Written by cleo."))
    #expect(accounts.flatMap(\.tokens).filter { isStored($0.digest) } == [])
    #expect(
      try hub.home.waymark("database", "check", "--database", hub.home.folder.file("replica/replica.sqlite")).code == 0)
  }

  @Test func `learners with the same name get numbers, and records that SQLite refuses are reported`() throws {
    let hub = try ClockedHub(.postgres)
    for (number, name) in ["student", "student", "ada", "ben"].enumerated() {
      let uuid = "\(number)0000000-0000-4000-8000-000000000000"
      _ = try hub.store.add(LearnerAccount(uuid: uuid, name: name, createdAt: hub.clock.now))
    }
    let names = try hub.report { try $0.learnersNotBegun(ReportScope(), limit: 10).map(\.learner) }
    let leaf = try hub.leaf("ada.sqlite", "ada")
    try leaf.visit(Activities.first)
    for name in ["ada", "ben"] { try hub.sync(leaf, hub.admit(name)) }

    #expect(names == ["ada", "ben", "student", "student 2"])
    var refusals: [ReportingReplica.Event] = []
    let stuck = try hub.replica {
      if case .refused = $0 { refusals.append($0) }
    }.report { try $0.stuckLearners(ReportScope(), since: hub.clock.now, limit: 10).map(\.learner) }
    #expect(stuck == ["ada"])
    #expect(
      refusals == [.refused(learner: "ben", reason: .contradictory(detail: "learner 'ada' has the same session"))])
    let report = try hub.home.run(
      ServerFixture.path("waymark-server"), ["report", "retention", "--hub", #require(hub.address)])
    #expect(report.code == 0 && report.errors.hasPrefix("The report lacks records of 'ben'. Could not "), "\(report)")
  }

  @Test func `a report on a hub writes nothing to it but one audit entry, and nothing secret to the replica`() throws {
    let (hub, _, _) = try filledHub()
    let before = try hub.store.rows(at: hub.clock.now)
    let audited = try hub.store.audit().count
    let address = try #require(hub.address).replacing("waymark@", with: "waymark:secret@")
    func report() throws -> ServerFixture.Answer {
      try hub.home.run(
        ServerFixture.path("waymark-server"), ["report", "not-begun", "--hub", address, "--format", "csv"],
        variables: ["XDG_CACHE_HOME": hub.home.folder.file("cache")])
    }

    let answers = try [report(), report()]

    let none = ServerFixture.Answer(code: 0, output: "learner,uuid,since\n")
    #expect(answers == [none, none])
    #expect(try hub.store.rows(at: hub.clock.now) == before)
    #expect(try hub.store.audit().prefix(2).map(\.request) == ["report not-begun", "report not-begun"])
    #expect(try hub.store.audit().count == audited + 2)
    let reports = hub.home.folder.file("cache/waymark/reports")
    let names = try FileManager.default.subpathsOfDirectory(atPath: reports).sorted()
    #expect(names.count == 5 && names[1].hasSuffix("/hub") && names[2].hasSuffix("/replica.sqlite"), "\(names)")
    #expect(
      try names.map { try hub.home.folder.permissions(of: "cache/waymark/reports/\($0)") } == [
        0o700, 0o600, 0o600, 0o700, 0o600,
      ])
    let content = try String(contentsOfFile: "\(reports)/\(names[1])", encoding: .utf8)
    #expect(content.hasPrefix("reporting replica of tenant main of /") && !(content + names[0]).contains("secret"))
  }

  @Test func `a folder with other files or another replica is refused and left unchanged`() throws {
    let (hub, _, _) = try filledHub()
    let address = try #require(hub.address)
    _ = try hub.home.waymark("import", "--bundled", "--database", hub.home.folder.file("own/replica.sqlite"))
    _ = try hub.replica(named: "tenant main of elsewhere").report { _ in }
    let host = try PostgresAddress(address).host
    func report(_ folder: String, _ options: String...) throws -> ServerFixture.Answer {
      try hub.home.run(
        ServerFixture.path("waymark-server"),
        ["report", "left", "--hub", address, "--replica", hub.home.folder.file(folder)] + options)
    }
    func message(_ folder: String, _ reason: String, _ remedy: String = "Name another folder with --replica.") -> String
    {
      "Could not use the folder '\(hub.home.folder.file(folder))' for a reporting replica: \(reason). \(remedy)\n"
    }
    let before = try hub.home.folder.bytes(of: "replica/replica.sqlite")

    let own = try report("own")
    let other = try report("replica")
    let tenant = try [report("mine"), report("mine", "--tenant", "other")]
    let file = try report("own/replica.sqlite")

    #expect(own == .init(code: 1, output: "", errors: message("own", "it contains other files")))
    let content = "reporting replica of tenant main of"
    #expect(other == .init(code: 1, output: "", errors: message("replica", "it contains the \(content) elsewhere")))
    #expect(tenant[0].code == 0)
    #expect(tenant[1] == .init(code: 1, output: "", errors: message("mine", "it contains the \(content) \(host)")))
    #expect(file.code == 73 && file.errors.hasSuffix("Name a folder that you can write with --replica.\n"), "\(file)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: hub.home.folder.file("own")).allSatisfy {
        $0.hasPrefix("replica.sqlite")
      })
    #expect(try hub.home.folder.bytes(of: "replica/replica.sqlite") == before)
  }

  @Test func `a report waits for another one on the same replica`() throws {
    let (hub, _, _) = try filledHub()
    let address = try #require(hub.address)
    let terminal = try PseudoTerminal(columns: 100, rows: 10)
    var events: [ReportingReplica.Event] = []
    let name = "tenant main of \(try PostgresAddress(address).host)"

    try hub.replica(named: name) { events.append($0) }.report { _ in
      try terminal.launch(
        ServerFixture.path("waymark-server"),
        ["report", "stuck", "--hub", address, "--days", "0", "--replica", hub.home.folder.file("replica")],
        environment: ["HOME": hub.home.folder.path, "PATH": "/usr/bin:/bin"])
      try terminal.waitFor("Waiting for another report on this hub.")
      #expect(terminal.ending == nil)
    }

    try terminal.waitFor("unfinished")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(events == [.compared(1, of: 3), .compared(2, of: 3), .compared(3, of: 3)])
  }

  @Test func `a replica that was interrupted or made by another version is completed`() throws {
    let (hub, _, _) = try filledHub()
    let address = try #require(hub.address)
    for number in 1...400 {
      let uuid = "00000000-0000-4000-8000-\(String(number + 1_000_000_000_000).dropFirst())"
      _ = try hub.store.add(LearnerAccount(uuid: uuid, name: "learner \(number)", createdAt: hub.clock.now))
    }
    let file = hub.home.folder.file("replica/replica.sqlite")
    let arguments = [
      "report", "stuck", "--hub", address, "--days", "0", "--format", "csv", "--replica",
      hub.home.folder.file("replica"),
    ]
    func hasSessions() -> Bool {
      guard FileManager.default.fileExists(atPath: file) else { return false }
      return (try? DatabaseQueue(path: file).read { try Row.fetchOne($0, sql: "SELECT * FROM session") }) != nil
    }
    let interrupted = try PipedProgram(
      ServerFixture.path("waymark-server"), arguments,
      environment: ["HOME": hub.home.folder.path, "PATH": "/usr/bin:/bin"])
    let ending = try interrupted.waitForExit { if hasSessions() { interrupted.signal(SIGKILL) } }
    #expect(ending == .signalled(Int(SIGKILL)), "\(interrupted.errors)")

    let resumed = try hub.home.run(ServerFixture.path("waymark-server"), arguments)
    try DatabaseQueue(path: file).writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 1") }
    let rebuilt = try hub.home.run(ServerFixture.path("waymark-server"), arguments)

    #expect(resumed.code == 0 && resumed.output.split(separator: "\n").count == 4, "\(resumed)")
    #expect(rebuilt == resumed)
  }
}
