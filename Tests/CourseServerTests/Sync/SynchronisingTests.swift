import Foundation
import GRDB
import TerminalHarness
import TestSupport
import Testing

/// Databases that synchronise through a server, with the built command line.
struct SynchronisingTests {
  /// A server, a leaf with its own token, and a relay between them.
  private func pair(_ learner: String = "ada") throws -> (home: ServerFixture, leaf: LeafDatabase, relay: TCPRelay) {
    let home = try ServerFixture()
    let token = try home.token(learner)
    try home.serve()
    let leaf = try LeafDatabase(home)
    let relay = try TCPRelay(to: home.port)
    // Tokens are stored by address, and this one belongs to the address of the relay.
    #expect(try leaf.sync("--dry-run", "--token", port: relay.port, input: token + "\n").code == 0)
    _ = relay.takeBytes()
    return (home, leaf, relay)
  }

  @Test func `missing data is transferred once, and a second sync transfers almost nothing`() throws {
    let (home, leaf, relay) = try pair()
    try leaf.walk(300)
    try leaf.waymark("bookmarks", "add", "english-for-business/meetings")

    let first = try leaf.sync("--join", port: relay.port)
    let bytes = relay.takeBytes()
    let second = try leaf.sync(port: relay.port)
    let again = relay.takeBytes()
    try leaf.walk(1)
    let third = try leaf.sync(port: relay.port)
    let more = relay.takeBytes()

    #expect(first.code == 0 && first.count("sent", "steps") == 301 && first.count("sent", "facts") == 1, "\(first)")
    #expect(second.count("sent", "steps") == 0 && second.count("sent", "facts") == 0)
    #expect(second.count("received", "steps") == 0 && second.count("received", "facts") == 0)
    #expect(third.count("sent", "steps") == 1)
    // An event takes some hundred bytes, and a comparison a few thousand.
    #expect(bytes < 301 * 700 + 10_000)
    #expect(again < 8_000)
    #expect(more < 12_000)
    #expect(try home.waymark("history", "list", "--format", "jsonl").output.split(separator: "\n").count == 302)
    #expect(
      try home.waymark("bookmarks", "--format", "json").output == leaf.waymark("bookmarks", "--format", "json").output)
    for database in [home.database, leaf.database] {
      #expect(try home.waymark("database", "check", "--database", database).code == 0)
    }
  }

  @Test func `a sync that is interrupted anywhere can be continued`() throws {
    let (home, leaf, relay) = try pair()
    try leaf.walk(Tier.count(1_500, long: 6_000))
    #expect(try home.waymark("nav", "open", "english-for-business").code == 0)
    var cuts = 0

    while true {
      relay.cut(behind: cuts)
      let answer = try leaf.sync("--join", port: relay.port)
      if answer.code == 0 { break }
      #expect(answer.code == 69 && answer.errors.contains("saved in this database"), "\(answer)")
      cuts += 1
    }

    #expect(cuts >= 6)
    relay.cut(behind: .max)
    let last = try leaf.sync(port: relay.port)
    #expect(last.count("sent", "steps") == 0 && last.count("received", "steps") == 0)
    let rows = try [home.database, leaf.database].map {
      Set(
        try home.waymark("history", "list", "--format", "jsonl", "--database", $0).output.split(separator: "\n")
          .map { $0.firstMatch(of: /"uuid":"([^"]+)"/).map { String($0.1) } ?? "" })
    }
    #expect(rows[0] == rows[1] && rows[0].count > 1_500)
    for database in [home.database, leaf.database] {
      #expect(try home.waymark("database", "check", "--database", database).code == 0)
    }
  }

  @Test func `learners with different identities are joined only on request`() throws {
    let (home, leaf, relay) = try pair()
    try leaf.walk(3)
    #expect(try home.waymark("nav", "open", "english-for-business").code == 0)
    let before = try leaf.everything()

    let refused = try leaf.sync(port: relay.port)
    let dry = try leaf.sync("--dry-run", "--join", port: relay.port)

    #expect(
      refused
        == .init(
          code: 1, output: "",
          errors:
            "Could not synchronise 'ada' (here, 4 steps) with 'ada' (on the server, 2 steps): it is not known whether "
            + "they are the same person. Use --join if they are, or choose the correct --learner.\n"))
    #expect(dry.count("sent", "steps") == 4 && dry.count("received", "steps") == 2)
    #expect(try leaf.everything() == before)
    #expect(try leaf.sync("--join", port: relay.port).count("received", "steps") == 2)
    #expect(try leaf.sync(port: relay.port, learner: "ben").errors.contains("--token"))
  }

  @Test func `the status reports the missing data on both sides`() throws {
    let (home, leaf, relay) = try pair()
    func status() throws -> ServerFixture.Answer {
      try home.run(
        ServerFixture.path("waymark"), ["sync", "status", "http://127.0.0.1:\(relay.port)"],
        variables: ["WAYMARK_DATABASE": leaf.database])
    }
    #expect(try leaf.sync(port: relay.port).code == 0)
    #expect(try status() == .init(code: 0, output: "Everything is synchronised.\n"))
    try leaf.walk(2)
    #expect(try home.waymark("bookmarks", "add", "english-for-business").code == 0)

    let unlike = try status()
    let dry = try home.run(
      ServerFixture.path("waymark"), ["sync", "http://127.0.0.1:\(relay.port)", "--dry-run"],
      variables: ["WAYMARK_DATABASE": leaf.database])

    #expect(
      unlike == .init(code: 1, output: "To send: 3 steps. To receive: 1 other record.\n"))
    #expect(dry == .init(code: 0, output: "Would send 3 steps and receive 1 other record. Nothing was changed.\n"))
    #expect(try home.waymark("history", "list", "--format", "jsonl").output == "")
  }

  @Test func `if a copied database continues a session, the server keeps both continuations`() throws {
    let (home, leaf, relay) = try pair()
    try leaf.walk(4)
    let copy = try leaf.copied(to: "copy.sqlite")
    try leaf.waymark("nav", "open", "english-for-business/meetings/opening")
    try copy.waymark("nav", "open", "english-for-business/negotiating/opening-offers")

    #expect(try leaf.sync("--join", port: relay.port).code == 0)
    let parted = try copy.sync("--join", port: relay.port)
    #expect(try leaf.sync(port: relay.port).code == 0)

    #expect(parted.code == 0 && parted.object["parted"] as? Int == 1, "\(parted)")
    for database in [home.database, leaf.database, copy.database] {
      let rows = try home.waymark("history", "list", "--format", "jsonl", "--database", database).output
      #expect(rows.contains("meetings/opening\"") && rows.contains("negotiating/opening-offers\""))
      #expect(try home.waymark("database", "check", "--database", database).code == 0)
    }
  }

  @Test func `a learner erased on the server is not restored by a leaf database`() throws {
    let (home, leaf, relay) = try pair()
    try leaf.walk(4)
    #expect(try leaf.sync("--join", port: relay.port).code == 0)
    let other = try leaf.copied(to: "other.sqlite")
    #expect(try home.waymark("learners", "erase", "ada", "--yes").code == 0)
    let token = try home.token("ada")

    let answer = try other.sync("--token", port: relay.port, input: token)

    #expect(answer.code == 1 && answer.errors.hasPrefix("Could not synchronise 'ada'"), "\(answer)")
    #expect(try home.waymark("history", "list", "--format", "jsonl").output == "")
  }

  @Test func `a token file is private, and nothing is sent without a token`() throws {
    let (home, leaf, relay) = try pair()
    let folder = home.folder.file(".config/waymark/tokens")
    let file = "\(folder)/ada@127%2E0%2E0%2E1%3A\(relay.port)"
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)

    let without = try leaf.sync(learner: "ben")
    let empty = try leaf.sync("--token", input: "\n", learner: "ben")
    let wrong = try leaf.sync("--token", input: "waymark_wrong\n", learner: "ben")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    let exposed = try leaf.sync(port: relay.port)

    #expect(without.code == 66 && without.errors.contains("there is no token for it at '\(folder)/ben@"))
    #expect(empty.code == 1 && empty.errors.hasPrefix("Could not store the token: the text is not a token."))
    #expect(wrong.code == 77 && wrong.errors.contains("the token is invalid, expired or revoked"))
    #expect(exposed.code == 77 && exposed.errors.hasSuffix("Run: chmod 600 \(file)\n"))
  }

  @Test(arguments: [
    ("http://school.example", 1, "without TLS, others on the network could read the token"),
    ("ftp://127.0.0.1", 1, "it does not begin with https:// or http://"),
    ("school", 1, "it is not the URL of a server"),
    ("https://a:b@school.example", 1, "it contains more than the address of a server"),
    ("http://127.0.0.1:1", 69, "Your changes are saved in this database."),
  ])
  func `an unusable address is reported with a reason`(url: String, code: Int, reason: String) throws {
    let home = try ServerFixture()

    let answer = try home.run(
      ServerFixture.path("waymark"), ["sync", url, "--token"], input: "waymark_0123\n")

    #expect(answer.code == code && answer.errors.contains(reason), "\(answer)")
    #expect(try home.waymark("history", "list", "--format", "jsonl").output == "")
  }

  @Test func `a refusal by the server is reported with its reason`() throws {
    let (home, token) = try ServerFixture.serving()

    let answer = try home.run(
      ServerFixture.path("waymark"), ["sync", "http://127.0.0.1:\(home.port)/elsewhere", "--token"], input: token)

    #expect(
      answer.code == 1 && answer.errors.contains("The server answered: Could not answer: there is no such route."))
  }

  @Test(arguments: Tier.seeds([1, 2], long: 1..<41))
  func `a malformed message never stops the server or damages the database`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()
    #expect(try home.waymark("nav", "open", "english-for-business/meetings").code == 0)
    let messages = try MalformedMessage.examples(home, token)

    for _ in 0..<Tier.count(150, long: 1_000) {
      var message = messages[random.below(messages.count)]
      for _ in 0...random.below(3) { message = MalformedMessage.spoil(message, using: &random) }
      let body = String(
        decoding: try JSONSerialization.data(withJSONObject: message, options: [.fragmentsAllowed]), as: UTF8.self)
      let answer = try connection.ask("POST", "/v1/sync", token: token, body: body)
      #expect(answer.status < 500, "\(answer.status) \(body)")
      guard answer.status < 500 else { break }
    }

    #expect(try connection.ask("GET", "/v1/where", token: token).status == 200)
    #expect(try connection.ask("GET", "/v1/me", token: token).status == 200)
    #expect(try home.waymark("database", "check").code == 0)
  }

  #if os(Linux)
  @Test func `libcurl is loaded only when a request is sent`() throws {
    let home = try ServerFixture()
    // Source: ld.so(8), LD_DEBUG: lists the libraries that are looked up.
    let looked = { (arguments: [String]) in
      try home.run(
        ServerFixture.path("waymark"), arguments, input: "waymark_token\n",
        variables: ["WAYMARK_DATABASE": home.database, "LD_DEBUG": "libs"]
      ).errors
    }

    for arguments in [
      ["--version"], ["courses"], ["sync", "--help"], ["sync", "https://school.example", "--ca", "/none"],
    ] {
      let libraries = try looked(arguments)
      #expect(libraries.contains("find library=libc.so.6"), "\(arguments)")
      #expect(!libraries.contains("libcurl"), "\(arguments)")
    }
    // No server listens at port 1.
    #expect(try looked(["sync", "http://127.0.0.1:1", "--token"]).contains("find library=libcurl.so.4"))
  }
  #endif
}

/// Synchronisation messages with random errors.
private enum MalformedMessage {
  /// Returns valid messages of each kind, about a learner with a few events.
  static func examples(_ home: ServerFixture, _ token: String) throws -> [Any] {
    let connection = try home.connect()
    func ask(_ body: String) throws -> [String: Any] {
      try connection.ask("POST", "/v1/sync", token: token, body: body).object
    }
    func object(_ text: String) throws -> Any { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
    let hello = try ask(#"{"greet":{},"version":2}"#)
    let learner = try #require((hello["greeting"] as? [String: Any])?["learner"] as? String)
    let compare =
      #"{"compare":{"learner":"\#(learner)","summary":{"sessions":[],"facts":[]},"erased":{"sessions":[],"spans":[]}},"version":2}"#
    let difference = try #require(try ask(compare)["comparison"] as? [String: Any])
    let session = try #require((difference["sessions"] as? [[String: Any]])?.first?["uuid"] as? String)
    let delta = #"{"sessions":[{"uuid":"\#(session)","steps":0,"acts":0}],"facts":[]}"#
    let pull = #"{"pull":{"learner":"\#(learner)","part":\#(delta)},"version":2}"#
    let shared = try #require((try ask(pull)["parcel"] as? [String: Any])?["record"] as? [String: Any])
    // Converted to another session of the same learner, so that it contains new events.
    let renamed = String(
      decoding: try JSONSerialization.data(withJSONObject: ["push": ["record": shared], "version": 2]), as: UTF8.self
    )
    .replacing(session, with: "0192f0c1-2222-7333-8444-555566667777")
    .replacing(/"uuid":"[0-9a-f-]{36}"/) { match in
      match.output.contains(learner) || match.output.contains("0192f0c1")
        ? String(match.output)
        : #""uuid":"\#(UUID().uuidString.lowercased())""#
    }
    return [
      try object(compare), try object(pull), try object(renamed), try object(renamed), try object(renamed),
      try object(#"{"names":{"learner":"\#(learner)","session":"\#(session)"},"version":2}"#),
    ]
  }

  private static var values: [Any] {
    [
      NSNull(), -1, 0, 1, 3, Int64.max, Int64.min, 1e300, 0.5, true, "", "x", String(repeating: "x", count: 3_000),
      "\u{0}",
      "9999-12-31T23:59:59.999Z", "-9999-01-01T00:00:00Z", [Any](), [String: Any](), ["a", 1, NSNull()] as [Any],
    ]
  }

  /// Replaces, removes or duplicates a random value.
  static func spoil(_ value: Any, using random: inout SplitMix64) -> Any {
    if let object = value as? [String: Any], !object.isEmpty, !random.oneIn(12) {
      var object = object
      let key = object.keys.sorted()[random.below(object.count)]
      if random.oneIn(10) { object[key] = nil } else { object[key] = spoil(object[key]!, using: &random) }
      return object
    }
    if let list = value as? [Any], !list.isEmpty, !random.oneIn(12) {
      var list = list
      let index = random.below(list.count)
      switch random.below(10) {
      case 0: list.remove(at: index)
      case 1: list.append(list[index])
      default: list[index] = spoil(list[index], using: &random)
      }
      return list
    }
    return values[random.below(values.count)]
  }
}
