import Foundation
import GRDB
import TerminalHarness
import TestSupport
import Testing

/// The access that tokens give, and their life cycle.
struct TokenTests {
  @Test func `wrong, expired and revoked tokens get the same response`() throws {
    let home = try ServerFixture()
    let revoked = try home.token("ben")
    let expired = try home.token("ben", "--expires", "1")
    #expect(try home.tokens("revoke", "1").code == 0)
    try DatabaseQueue(path: home.database).write {
      try $0.execute(sql: "UPDATE accessToken SET expiresAt = 1 WHERE id = 2")
    }
    try home.serve()
    let connection = try home.connect()

    let answers = try [revoked, expired, "waymark_wrong", String(expired.dropLast()), ""].map { token in
      var answer = try connection.ask("GET", "/v1/courses", token: token)
      for name in ["x-request-id", "date"] { answer.headers[name] = nil }
      return answer
    }

    #expect(answers.allSatisfy { $0 == answers[0] })
    #expect(answers[0].status == 401)
    #expect(answers[0].headers["www-authenticate"] == "Bearer realm=\"waymark\"")
    #expect(answers[0].object["type"] as? String == "urn:waymark:problem:unauthorized")
  }

  @Test func `a learner without events can read and erase the own data`() throws {
    let home = try ServerFixture()
    let (ada, adam, admin) = (try home.token("ada"), try home.token("adam"), try home.token("root", "--scope", "admin"))
    let zoe = try home.token("zoe")
    try home.serve()
    _ = try home.ask("POST", "/v1/steps", token: ada, body: step("open", "english-for-business"))

    let data = try home.ask("GET", "/v1/me", token: adam)
    let printed = try home.waymark("learners", "export", "adam")
    try data.body.write(toFile: home.folder.file("adam.json"), atomically: true, encoding: .utf8)
    let imported = try home.run(
      ServerFixture.path("waymark"), ["learners", "import", home.folder.file("adam.json")],
      variables: ["WAYMARK_DATABASE": home.folder.file("other.sqlite")])
    let erasure = try home.ask("DELETE", "/v1/me", token: adam, headers: ["Waymark-Confirm": "erase"])
    let other = try home.ask("DELETE", "/v1/learners/zoe", token: admin)

    #expect(data.status == 200 && data.object["name"] as? String == "adam", "\(data)")
    #expect(printed.code == 66, "The command fails until the first event.")
    #expect(imported.code == 0, "\(imported)")
    for (answer, name, token) in [(erasure, "adam", adam), (other, "zoe", zoe)] {
      #expect(answer.status == 200 && answer.object["learner"] as? String == name, "\(answer)")
      #expect(answer.object["steps"] as? Int == 0)
      #expect(try home.ask("GET", "/v1/courses", token: token).status == 401)
    }
    #expect(try home.ask("DELETE", "/v1/learners/zoe", token: admin).status == 404)
    let learners = try home.waymark("learners", "list", "--format", "jsonl").output
    #expect(learners.split(separator: "\n").count == 1 && learners.contains(#""name":"ada""#), "\(learners)")
  }

  @Test func `a token that is revoked while the server runs becomes invalid at once`() throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()
    #expect(try connection.ask("GET", "/v1/where", token: token).status == 200)

    #expect(try home.tokens("revoke", "1") == .init(code: 0, output: "Revoked token 1.\n"))

    #expect(try connection.ask("GET", "/v1/where", token: token).status == 401)
    let again = try home.tokens("revoke", "1")
    #expect(
      again
        == .init(
          code: 66, output: "",
          errors: "Could not revoke token 1: there is no such token, or it is already revoked. "
            + "List the tokens with 'waymark-server tokens list'.\n"))
  }

  @Test func `random requests never reveal another learner's data`() throws {
    var random = SplitMix64(seed: 7)
    let home = try ServerFixture()
    let names = ["ada", "ben", "cleo", "dora"]
    var tokens: [String: String] = [:]
    for name in names { tokens[name] = try home.token(name) }
    try home.serve()
    let connection = try home.connect()
    for name in names {
      for place in ["english-for-business", "english-for-business/negotiating"] {
        _ = try connection.ask("POST", "/v1/steps", token: tokens[name], body: step("open", place))
      }
    }
    var reached: [String] = []

    for _ in 0..<Tier.count(2_000, long: 10_000) {
      let (reader, other) = (names[random.below(4)], names[random.below(4)])
      let path = [
        "/v1/history?learner=\(other)", "/v1/history?learner=all", "/v1/statistics?by=learner",
        "/v1/statistics?by=place&learner=\(other)", "/v1/progress?by=learner", "/v1/progress?learner=all",
        "/v1/progress?learner=\(other)", "/v1/learners", "/v1/learners/\(other)",
        "/v1/history?session=\(1 + random.below(6))",
        "/v1/me?learner=\(other)", "/v1/where?learner=\(other)", "/v1/history?learner=%61ll", "/v1/history?LEARNER=all",
        "/v1/history?learner=ada&learner=\(other)", "/v1/me/\(other)", "/v1/bookmarks?learner=\(other)",
      ][random.below(17)]
      let method = ["GET", "GET", "HEAD", "DELETE", "PUT", "POST"][random.below(6)]
      // Learners may erase their own data.
      if method == "DELETE", path == "/v1/me" { continue }
      let answer = try connection.ask(method, path, token: tokens[reader])
      let isOthers = names.contains { $0 != reader && answer.body.contains("\"learner\": \"\($0)\"") }
      if isOthers || answer.status == 200 && path.contains("all") || answer.status == 204 {
        reached.append("\(reader) \(method) \(path) \(answer.status)")
      }
      if path.contains("learner=\(other)"), !path.contains("&"), reader != other { #expect(answer.status >= 400) }
    }

    #expect(reached == [])
    for name in names { #expect(try connection.ask("GET", "/v1/where", token: tokens[name]).status == 200) }
  }

  @Test func `random and slightly changed tokens are all refused`() throws {
    var random = SplitMix64(seed: 8)
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()
    var statuses: [Int: Int] = [:]

    for number in 0..<Tier.count(2_000, long: 10_000) {
      let digits = Array("0123456789abcdef")
      var secret = Array(token)
      // Half of the tokens are the valid token with one or two digits changed.
      let places = number.isMultiple(of: 2) ? 64 : 1 + random.below(2)
      for _ in 0..<places { secret[8 + random.below(64)] = digits[random.below(16)] }
      if String(secret) == token { continue }
      statuses[try connection.ask("GET", "/v1/me", token: String(secret)).status, default: 0] += 1
    }

    #expect(Set(statuses.keys) == [401, 429])
    // The valid token is not limited by the attempts with invalid ones.
    #expect(try connection.ask("GET", "/v1/courses", token: token).status == 200)
  }

  @Test func `requests with wrong tokens are limited for each client address`() throws {
    let home = try ServerFixture()
    try home.serve("--behind-proxy")
    let connection = try home.connect()

    func status(_ address: String) throws -> Int {
      try connection.ask("GET", "/v1/me", token: "wrong", headers: ["X-Forwarded-For": "10.0.0.1, \(address)"]).status
    }
    let first = try (0..<21).map { _ in try status("192.0.2.1") }
    let other = try status("192.0.2.2")
    let limited = try connection.ask("GET", "/v1/me", token: "wrong", headers: ["X-Forwarded-For": "192.0.2.1"])

    #expect(first == Array(repeating: 401, count: 20) + [429])
    #expect(try connection.ask("GET", "/v1/me", headers: ["X-Forwarded-For": "192.0.2.1"]).status == 401)
    #expect(other == 401)
    #expect(limited.headers["retry-after"].flatMap { Int($0) } ?? 0 >= 1)
  }

  @Test func `requests beyond the rate of a token get 429 with Retry-After`() throws {
    let home = try ServerFixture()
    let token = try home.token()
    try home.serve("--requests-per-second", "1", limited: true)
    let connection = try home.connect()

    let answers = try (0..<8).map { _ in try connection.ask("GET", "/v1/courses", token: token) }

    #expect(answers.prefix(4).allSatisfy { $0.status == 200 })
    #expect(answers.last?.status == 429)
    #expect(answers.last?.headers["retry-after"] != nil)
  }

  @Test func `no token appears in files, processes, lists or logs`() throws {
    let home = try ServerFixture()
    let (token, teacher) = (try home.token(), try home.token("teacher", "--scope", "teacher"))
    try home.serve("--log-level", "trace")
    let connection = try home.connect()
    _ = try connection.ask("POST", "/v1/steps", token: token, headers: ["Idempotency-Key": "k"], body: step("resume"))
    _ = try connection.ask("GET", "/v1/history?learner=all", token: teacher)
    _ = try connection.ask("GET", "/v1/me", token: token + "x")
    let processes = try home.run("/bin/ps", ["axww", "-o", "args", "e"]).output
    let list = try home.tokens("list", "--format", "json").output
    let log = try home.stop()

    var bytes = Data()
    for name in try home.folder.names { bytes += (try? home.folder.bytes(of: name)) ?? Data() }
    for secret in [token, teacher].map({ String($0.dropFirst("waymark_".count)) }) {
      #expect(bytes.range(of: Data(secret.utf8)) == nil)
      #expect(!processes.contains(secret))
      #expect(!list.contains(secret))
      #expect(!log.errors.contains(secret))
    }
    #expect(log.errors.contains("answered"))
  }

  @Test func `reads of other learners by a teacher are audited, but own reads are not`() throws {
    let home = try ServerFixture()
    let token = try home.token("mrs-t", "--scope", "teacher")
    try home.serve()
    let connection = try home.connect()
    let ada = try home.token("ada")
    _ = try connection.ask("POST", "/v1/steps", token: ada, body: step("open", "english-for-business"))

    for path in [
      "/v1/history", "/v1/history?learner=mrs-t", "/v1/history?learner=ada", "/v1/statistics?by=learner",
      "/v1/learners",
    ] { _ = try connection.ask("GET", path, token: token) }

    let lines = try home.run(ServerFixture.path("waymark-server"), ["audit"]).output.split(separator: "\n")
    #expect(
      lines.prefix(3).map {
        $0.split(separator: " ", omittingEmptySubsequences: true).dropFirst().joined(separator: " ")
      } == [
        "token 1 mrs-t GET /v1/learners everyone", "token 1 mrs-t GET /v1/statistics everyone",
        "token 1 mrs-t GET /v1/history ada",
      ])
  }

  @Test func `learners can erase themselves and their tokens only with a confirmation`() throws {
    let home = try ServerFixture()
    let (ada, ben) = (try home.token("ada"), try home.token("ben"))
    try home.serve()
    let connection = try home.connect()
    for token in [ada, ben] {
      _ = try connection.ask(
        "POST", "/v1/steps", token: token, headers: ["Idempotency-Key": "a-key"],
        body: step("open", "english-for-business"))
    }

    let unconfirmed = try ["yes", "Erase", ""].map { value in
      try connection.ask("DELETE", "/v1/me", token: ada, headers: ["Waymark-Confirm": value])
    }
    let plain = try connection.ask("DELETE", "/v1/me", token: ada)
    let beforeErasure = try connection.ask("GET", "/v1/me", token: ada)
    let erased = try connection.ask("DELETE", "/v1/me", token: ada, headers: ["Waymark-Confirm": "erase"])

    for answer in unconfirmed + [plain] {
      #expect(
        answer.status == 428 && answer.object["type"] as? String == "urn:waymark:problem:unconfirmed", "\(answer)")
      #expect((answer.object["detail"] as? String)?.hasSuffix("Send it with 'Waymark-Confirm: erase'.") == true)
    }
    #expect(beforeErasure.status == 200 && beforeErasure.body.contains("english-for-business"))
    #expect(erased.status == 200)
    #expect(erased.object["swept"] as? Bool == false)
    #expect(erased.object["logCleared"] as? Bool == true)
    #expect(erased.object["steps"] as? Int == 2)
    #expect(try connection.ask("GET", "/v1/where", token: ada).status == 401)
    #expect(try connection.ask("GET", "/v1/me", token: ben).status == 200)
    #expect(try home.waymark("learners", "list", "--format", "jsonl").output == "{\"name\":\"ben\"}\n")
    #expect(try home.waymark("database", "check").code == 0)
  }

  @Test func `after the response, the write-ahead log contains nothing of an erased learner`() throws {
    let home = try ServerFixture()
    let name = "Zacharias Quuxbury"
    let (token, admin) = (try home.token(name), try home.token("root", "--scope", "admin"))
    try home.serve()
    let connection = try home.connect()
    for place in ["english-for-business", "english-for-business/meetings"] {
      _ = try connection.ask("POST", "/v1/steps", token: token, body: step("open", place))
    }
    func log() throws -> Data { try home.folder.bytes(of: "waymark.sqlite-wal") }
    let before = try log()

    let erased = try connection.ask("DELETE", "/v1/learners/Zacharias%20Quuxbury", token: admin)

    #expect(erased.status == 200 && erased.object["logCleared"] as? Bool == true, "\(erased)")
    #expect(before.range(of: Data(name.utf8)) != nil)
    #expect(try log().range(of: Data(name.utf8)) == nil)
  }

  @Test func `a token expires after a year by default`() throws {
    let home = try ServerFixture()
    func days(_ arguments: String...) throws -> (lifetime: Double?, message: String) {
      let answer = try home.run(ServerFixture.path("waymark-server"), ["tokens", "add", "ada"] + arguments)
      let token = try DatabaseQueue(path: home.database).read { database in
        try Row.fetchOne(database, sql: "SELECT expiresAt - createdAt FROM accessToken ORDER BY id DESC LIMIT 1")
      }
      let lifetime: Int64? = token?[0]
      return (lifetime.map { (Double($0) / 86_400_000).rounded() }, answer.errors)
    }

    let (usual, short, never) = (try days(), try days("--expires", "2"), try days("--expires", "never"))
    let wrong = try ["0", "36501", "soon", ""].map { try home.tokens("add", "ada", "--expires", $0) }

    #expect(usual.lifetime == 365 && short.lifetime == 2 && never.lifetime == nil)
    #expect(usual.message.wholeMatch(of: /Token 1 of ada, learner, until \d{4}-.*Z\. It is not shown again:\n/) != nil)
    #expect(never.message == "Token 3 of ada, learner, without expiry. It is not shown again:\n")
    #expect(
      wrong.allSatisfy {
        $0.code == 64 && $0.errors.contains("--expires must be a number of days from 1 to 36500 or never, not '")
      }, "\(wrong)")
  }

  @Test func `only an administrator can erase other learners`() throws {
    let home = try ServerFixture()
    let ada = try home.token("ada")
    let teacher = try home.token("mrs-t", "--scope", "teacher")
    let admin = try home.token("root", "--scope", "admin")
    try home.serve()
    let connection = try home.connect()
    _ = try connection.ask("POST", "/v1/steps", token: ada, body: step("resume"))

    #expect(try connection.ask("DELETE", "/v1/learners/ada", token: ada).status == 403)
    #expect(try connection.ask("DELETE", "/v1/learners/ada", token: teacher).status == 403)
    #expect(try connection.ask("DELETE", "/v1/learners/ada", token: admin).status == 200)
    #expect(try connection.ask("DELETE", "/v1/learners/ada", token: admin).status == 404)
  }
}
