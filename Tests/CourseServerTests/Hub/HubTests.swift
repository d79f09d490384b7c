import Foundation
import GRDB
import TestSupport
import Testing

/// The storage of a hub. Most tests of this suite run with each kind.
enum Engine: String, CaseIterable {
  case sqlite, postgres
  /// A PostgreSQL proxy that forwards to two shards.
  case shards

  /// PL/Proxy is only installed for long runs.
  static let allCases: [Engine] = [.sqlite, .postgres] + (Tier.isLong ? [.shards] : [])
}

/// A hub with a token for Ada, and leaf databases that synchronise with it. Uses the built programs.
struct Hub {
  let home: ServerFixture
  /// The options that select the store for the server's commands.
  let store: [String]
  let token: String

  init(_ engine: Engine) throws {
    home = try ServerFixture()
    store =
      switch engine {
      case .sqlite: []
      case .postgres: ["--hub", try PostgresServer.shared.get().database(in: home)]
      case .shards: ["--hub", try PostgresServer.shared.get().proxy(in: home)]
      }
    token = try Self.token(home, store)
    try home.serve(store)
  }

  /// Creates another token for Ada.
  func anotherToken() throws -> String { try Self.token(home, store) }

  private static func token(_ home: ServerFixture, _ store: [String]) throws -> String {
    let answer = try home.run(ServerFixture.path("waymark-server"), ["tokens", "add", "ada"] + store)
    guard answer.code == 0 else { throw ServerFixture.Unexpected(answer: answer) }
    return answer.output.trimmingCharacters(in: .newlines)
  }

  /// Synchronises a leaf.
  func sync(_ leaf: LeafDatabase) throws -> ServerFixture.Answer {
    try leaf.sync("--join", "--token", input: token + "\n")
  }
}

extension LeafDatabase {
  /// The learner's history, bookmarks and progress, without the numbers that differ between databases.
  fileprivate func known() throws -> [String] {
    let uuids = try waymark("history", "list", "--format", "jsonl", "--limit", "10000").output.split(separator: "\n")
      .map { $0.firstMatch(of: /"uuid":"([^"]+)"/).map { String($0.1) } ?? "" }
    return uuids.sorted() + [
      try waymark("bookmarks", "--format", "json").output, try waymark("progress", "--format", "json").output,
    ]
  }
}

struct HubTests {
  @Test(arguments: Engine.allCases)
  func `two leaf databases exchange all their data only once`(engine: Engine) throws {
    let hub = try Hub(engine)
    let (desk, laptop) = (try LeafDatabase(hub.home, "desk.sqlite"), try LeafDatabase(hub.home, "laptop.sqlite"))
    try desk.walk(300)
    try desk.waymark("bookmarks", "add", "english-for-business/meetings")
    try desk.waymark("progress", "mark", "english-for-business/meetings/opening", "done")
    try laptop.walk(7)

    let first = try hub.sync(desk)
    let other = try hub.sync(laptop)
    let back = try hub.sync(desk)
    let again = try [hub.sync(desk), hub.sync(laptop)]

    #expect(first.count("sent", "steps") == 301 && first.count("sent", "facts") == 1, "\(first)")
    #expect(other.count("sent", "steps") == 8 && other.count("received", "steps") == 301, "\(other)")
    #expect(back.count("received", "steps") == 8 && back.count("sent", "steps") == 0, "\(back)")
    for answer in again {
      #expect(answer.code == 0 && answer.object["messages"] as? Int == 1, "\(answer)")
    }
    #expect(try desk.known() == laptop.known())
    for leaf in [desk, laptop] { #expect(try leaf.waymark("database", "check").code == 0) }
  }

  @Test(arguments: Engine.allCases)
  func `a continued session sends only its new events`(engine: Engine) throws {
    let hub = try Hub(engine)
    let (desk, laptop) = (try LeafDatabase(hub.home, "desk.sqlite"), try LeafDatabase(hub.home, "laptop.sqlite"))
    try desk.waymark("nav", "open", "english-for-business")
    _ = try hub.sync(desk)
    _ = try hub.sync(laptop)
    try desk.waymark("nav", "open", "english-for-business/meetings")

    let sent = try hub.sync(desk)
    let received = try hub.sync(laptop)

    #expect(sent.count("sent", "steps") == 1 && received.count("received", "steps") == 1, "\(sent) \(received)")
    #expect(try desk.known() == laptop.known())
  }

  @Test(arguments: Engine.allCases)
  func `if a copied database continues a session, both continuations are kept`(engine: Engine) throws {
    let hub = try Hub(engine)
    let desk = try LeafDatabase(hub.home, "desk.sqlite")
    try desk.walk(4)
    let copy = try desk.copied(to: "copy.sqlite")
    try desk.waymark("nav", "open", "english-for-business/meetings/opening")
    try copy.waymark("nav", "open", "english-for-business/negotiating/opening-offers")

    _ = try hub.sync(desk)
    let parted = try hub.sync(copy)
    _ = try hub.sync(desk)

    #expect(parted.code == 0 && parted.object["parted"] as? Int == 1, "\(parted)")
    #expect(try desk.known() == copy.known())
    let rows = try desk.waymark("history", "list", "--format", "jsonl").output
    #expect(rows.contains("meetings/opening\"") && rows.contains("negotiating/opening-offers\""))
  }

  @Test(arguments: Engine.allCases)
  func `data erased in one leaf database is not restored by another`(engine: Engine) throws {
    let hub = try Hub(engine)
    let (desk, laptop) = (try LeafDatabase(hub.home, "desk.sqlite"), try LeafDatabase(hub.home, "laptop.sqlite"))
    try desk.walk(4)
    try desk.waymark("bookmarks", "add", "english-for-business/meetings")
    _ = try hub.sync(desk)
    _ = try hub.sync(laptop)
    let erased = try desk.waymark("history", "erase", "--since", "1h", "--yes")
    _ = try desk.waymark("bookmarks", "remove", "english-for-business/meetings")

    let answers = try [hub.sync(desk), hub.sync(laptop), hub.sync(desk)]

    #expect(erased.code == 0 && answers.allSatisfy { $0.code == 0 }, "\(erased) \(answers)")
    #expect(answers.last?.object["messages"] as? Int == 1)
    #expect(try laptop.waymark("history", "list", "--format", "jsonl").output == "")
    #expect(try laptop.waymark("bookmarks", "--format", "json").output == "[]\n")
  }

  @Test func `data erased by a leaf database is also removed from the hub's write-ahead log`() throws {
    let hub = try Hub(.sqlite)
    let desk = try LeafDatabase(hub.home, "desk.sqlite")
    try desk.walk(4)
    _ = try hub.sync(desk)
    let rows = try desk.waymark("history", "list", "--format", "jsonl").output
    let uuids = rows.matches(of: /"uuid":"([^"]+)"/).map { Data($0.1.utf8) }
    func inLog() throws -> Int {
      let log = try hub.home.folder.bytes(of: "waymark.sqlite-wal")
      return uuids.count { log.range(of: $0) != nil }
    }
    let before = try inLog()

    let erased = try desk.waymark("history", "erase", "--since", "1h", "--yes")
    let answer = try hub.sync(desk)

    #expect(erased.code == 0 && answer.code == 0, "\(erased) \(answer)")
    #expect(uuids.count == 5 && before == 5)
    #expect(try inLog() == 0)
  }

  @Test(arguments: Engine.allCases)
  func `a learner erased on the hub is not restored by a leaf database`(engine: Engine) throws {
    let hub = try Hub(engine)
    let desk = try LeafDatabase(hub.home, "desk.sqlite")
    try desk.walk(4)
    #expect(try hub.sync(desk).code == 0)

    let erasure = try hub.home.ask("DELETE", "/v1/me", token: hub.token, headers: ["Waymark-Confirm": "erase"])
    let old = try hub.sync(desk)
    let new = try desk.sync("--token", input: hub.anotherToken() + "\n")

    #expect(erasure.status == 200 && erasure.object["steps"] as? Int == 5, "\(erasure)")
    #expect(old.code == 77 && old.errors.contains("the token is invalid, expired or revoked"), "\(old)")
    #expect(new.code == 1 && new.errors.hasPrefix("Could not synchronise 'ada'"), "\(new)")
  }

  @Test(arguments: Engine.allCases)
  func `unknown values and records of later versions are stored and passed on unchanged`(
    engine: Engine
  ) throws {
    let hub = try Hub(engine)
    let (desk, laptop) = (try LeafDatabase(hub.home, "desk.sqlite"), try LeafDatabase(hub.home, "laptop.sqlite"))
    try desk.waymark("nav", "open", "english-for-business/meetings")
    try desk.waymark("progress", "mark", "english-for-business/negotiating/opening-offers/make-the-first-offer", "done")
    // Writes the data that a later version would write.
    try DatabaseQueue(path: desk.database).write { database in
      let rules = try String.fetchAll(
        database,
        sql: "SELECT sql FROM sqlite_master WHERE name IN ('navigationEventStays', 'activityEventStays') ORDER BY name")
      try database.execute(
        sql: """
          DROP TRIGGER navigationEventStays;
          DROP TRIGGER activityEventStays;
          UPDATE navigationEvent
          SET cause = 'voice', operation = 'leap', direction = 'inwards', reason = 'habit', transition = 'lessonFold'
          WHERE operation = 'open';
          UPDATE navigationEvent SET toKind = 'studio' WHERE operation = 'leap';
          UPDATE activityEvent SET kind = 'sketched', detail = '{"lines":[1,2]}';
          INSERT INTO otherFact SELECT learner, 'pace', node, 'words', '{"perMinute":180}', at FROM activityEvent;
          INSERT INTO contentNode (course, parent, key, kind, position, slug, title, removedInRevision, toldKind)
          SELECT course, id, 'u1', 'lesson', 0, 'unit', 'Unit', 1, 'unit' FROM contentNode WHERE slug = 'meetings';
          INSERT INTO otherFact SELECT learner, 'map', contentNode.id, '', 'seen', at FROM contentNode, activityEvent
          WHERE toldKind = 'unit';
          INSERT INTO factChange SELECT learner, kind, node, name, savedAt * 65536, 'desk' FROM otherFact;
          """)
      for rule in rules { try database.execute(sql: rule) }
    }

    let sent = try hub.sync(desk)
    let received = try hub.sync(laptop)
    let again = try hub.sync(laptop)
    let details = try DatabaseQueue(path: laptop.database).read { database in
      try String.fetchAll(database, sql: "SELECT kind || ' ' || detail FROM activityEvent WHERE detail IS NOT NULL")
    }

    #expect(
      sent.code == 0 && received.code == 0 && again.object["messages"] as? Int == 1, "\(sent) \(received) \(again)")
    let rows = try laptop.waymark("history", "list", "--format", "jsonl").output
    #expect(rows.contains(#""operation":"leap""#) && rows.contains(#""cause":"voice""#), "\(rows)")
    for word in [#""direction":"inwards""#, #""reason":"habit""#, #""kind":"lessonFold""#, #""kind":"studio""#] {
      #expect(rows.contains(word), "\(word) in \(rows)")
    }
    #expect(details == [#"sketched {"lines":[1,2]}"#])
    // The unknown facts survive export, also from the laptop that received them.
    for record in [try desk.everything(), try laptop.everything()] {
      #expect(record.contains(#"{"kind":"pace","name":"words","node":4,"savedAt":""#), "\(record)")
      #expect(record.contains(#"","value":"{\"perMinute\":180}"}"#), "\(record)")
      #expect(record.contains(#""kind":"unit","parent":"#), "\(record)")
    }
    // A removed fact is transferred without its value. A fact whose time is in an erased span is transferred too.
    try DatabaseQueue(path: laptop.database).write { database in
      try database.execute(
        sql: """
          DELETE FROM otherFact;
          UPDATE factChange SET stamp = stamp + 1, replica = 'laptop' WHERE kind = 'pace';
          INSERT INTO otherFact SELECT learner, 'mood', 0, '', 'calm', 1000 FROM factChange WHERE kind = 'pace';
          INSERT INTO factChange SELECT learner, 'mood', 0, '', stamp, 'laptop' FROM factChange WHERE kind = 'pace';
          """)
    }
    _ = try hub.sync(laptop)
    let third = try LeafDatabase(hub.home, "third.sqlite")
    _ = try (hub.sync(desk), hub.sync(third))
    for leaf in [desk, third] {
      let record = try leaf.everything()
      #expect(record.contains(#"{"kind":"mood","savedAt":"1970-01-01T00:00:01.000Z","value":"calm"}"#), "\(record)")
      #expect(!record.contains("perMinute") && record.contains(#""kind":"pace","name":"words""#), "\(record)")
    }
    #expect(try laptop.waymark("database", "check").code == 0)
  }

  @Test(arguments: Engine.allCases)
  func `a token is valid until it is revoked`(engine: Engine) throws {
    let hub = try Hub(engine)
    let program = ServerFixture.path("waymark-server")
    func greeting(_ token: String) throws -> Int {
      try hub.home.ask("POST", "/v1/sync", token: token, body: #"{"greet":{},"version":2}"#).status
    }
    let list = try hub.home.run(program, ["tokens", "list", "--format", "json"] + hub.store).output
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]])
    let id = try #require(rows.first?["id"] as? Int)

    let statuses = try [greeting(hub.token), greeting(String(hub.token.dropLast()) + "0"), greeting("waymark_x")]
    let revoked = try hub.home.run(program, ["tokens", "revoke", String(id)] + hub.store)
    let twice = try hub.home.run(program, ["tokens", "revoke", String(id)] + hub.store)

    #expect(rows.count == 1 && rows[0]["learner"] as? String == "ada" && !list.contains(hub.token.prefix(40)))
    #expect(statuses.first == 200 && statuses.dropFirst().allSatisfy { $0 == 401 } || hub.token.hasSuffix("0"))
    #expect(revoked.code == 0 && twice.code == 66)
    #expect(try greeting(hub.token) == 401)
  }

  @Test(arguments: Engine.allCases)
  func `tokens and classes cannot create learners with unusable or similar names`(
    engine: Engine
  ) throws {
    let hub = try Hub(engine)
    func server(_ arguments: String...) throws -> ServerFixture.Answer {
      try hub.home.run(ServerFixture.path("waymark-server"), arguments + hub.store)
    }
    #expect(try server("class", "add", "7b").code == 0 && server("class", "join", "7b", "Ben").code == 0)

    let similar = try [
      server("tokens", "add", "ADA"), server("class", "join", "7b", "a da"), server("tokens", "add", "ben"),
    ]
    let unusable = try [
      server("tokens", "add", "all"), server("class", "join", "7b", "a\nb"), server("class", "add", ""),
    ]
    let results = try [server("tokens", "add", "Ben"), server("class", "join", "7b", "ada")]

    for (answer, name) in [(similar[0], "ada"), (similar[2], "Ben")] {
      #expect(answer.code == 1 && answer.errors.contains("that of learner '\(name)' only"), "\(answer)")
    }
    #expect(similar[1].code == 1 && similar[1].errors.contains("similar ones: 'ada'."), "\(similar[1])")
    for answer in unusable {
      #expect(answer.code == 64 && answer.errors.hasPrefix("Could not use '"), "\(answer)")
    }
    #expect(unusable[2].errors == "Could not use '' as a name: the name contains only spaces. Choose another name.\n")
    #expect(results.allSatisfy { $0.code == 0 })
    let classes = try server("class", "list", "--format", "jsonl").output
    #expect(classes.contains(#""members":["Ben","ada"]"#), "\(classes)")
  }
}
