import Foundation
import TestSupport
import Testing

/// The audit of erasures, changes of tokens, and reads by commands, for each kind of hub.
struct AuditTests {
  private static let program = ServerFixture.path("waymark-server")

  /// The lines of the audit without their times, newest first. The user who ran a command and the UUID of a learner are
  /// replaced by constants.
  private func audit(_ hub: Hub) throws -> [String] {
    let answer = try hub.home.run(Self.program, ["audit"] + hub.store)
    guard answer.code == 0 else { throw ServerFixture.Unexpected(answer: answer) }
    return answer.output.split(separator: "\n").map { line in
      line.split(separator: "  ").dropFirst().map { word in
        if word == NSUserName() { return "USER" }
        return UUID(uuidString: String(word)) == nil ? String(word) : "UUID"
      }.joined(separator: " | ")
    }
  }

  @Test(arguments: Engine.allCases)
  func `the audit lists tokens, reports and erasures, but not the names of erased learners`(engine: Engine) throws {
    let hub = try Hub(engine)
    let leaf = try LeafDatabase(hub.home)
    try leaf.walk(2)
    #expect(try hub.sync(leaf).code == 0)
    func run(_ arguments: String...) throws -> ServerFixture.Answer {
      try hub.home.run(Self.program, arguments + hub.store)
    }
    let list = try run("tokens", "list", "--format", "json").output
    _ = try hub.anotherToken()
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]])
    let id = try #require(rows.first?["id"] as? Int)

    _ = try run("tokens", "add", "ben")
    _ = try run("report", "stuck")
    _ = try run("report", "not-begun")
    _ = try run("report", "left")
    _ = try run("report", "retention")
    _ = try run("class", "list")
    let before = try audit(hub)
    let erasure = try hub.home.ask("DELETE", "/v1/me", token: hub.token, headers: ["Waymark-Confirm": "erase"])
    let after = try audit(hub)

    #expect(erasure.status == 200, "\(erasure)")
    #expect(
      before.prefix(8) == [
        "command | USER | class list | everyone", "command | USER | report retention | everyone",
        "command | USER | report left | everyone", "command | USER | report not-begun | everyone",
        "command | USER | report stuck | everyone", "command | USER | tokens add | ben",
        "command | USER | tokens add | ada", "command | USER | tokens add | ada",
      ], "\(before)")
    #expect(after.first == "token \(id) | UUID | DELETE /v1/me | UUID", "\(after)")
    #expect(!after.contains { $0.contains("ada") } && after.contains("command | USER | tokens add | ben"), "\(after)")
  }

  @Test(arguments: Engine.allCases)
  func `a revocation is audited only once, even if it is repeated`(engine: Engine) throws {
    let hub = try Hub(engine)
    let list = try hub.home.run(Self.program, ["tokens", "list", "--format", "json"] + hub.store).output
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]])
    let id = try #require(rows.first?["id"] as? Int)

    for _ in 0..<2 { _ = try hub.home.run(Self.program, ["tokens", "revoke", "\(id)"] + hub.store) }

    let lines = try audit(hub)
    #expect(lines == ["command | USER | tokens revoke \(id) | ada", "command | USER | tokens add | ada"])
  }

  @Test func `erasures by an administrator remain in the audit after the administrator is erased`() throws {
    let hub = try Hub(.sqlite)
    let admin = try hub.home.token("head", "--scope", "admin")
    for token in [hub.token, admin] {
      _ = try hub.home.ask("POST", "/v1/steps", token: token, body: step("open", "english-for-business"))
    }

    let other = try hub.home.ask("DELETE", "/v1/learners/ada", token: admin)
    let named = try audit(hub).first
    let ownErasure = try hub.home.ask("DELETE", "/v1/me", token: admin, headers: ["Waymark-Confirm": "erase"])

    #expect(other.status == 200 && ownErasure.status == 200)
    #expect(named == "token 2 | head | DELETE /v1/learners/{name} | UUID")
    #expect(
      try audit(hub).prefix(2) == [
        "token 2 | UUID | DELETE /v1/me | UUID", "token 2 | UUID | DELETE /v1/learners/{name} | UUID",
      ])
  }

  @Test func `erasures by the command line are audited`() throws {
    let hub = try Hub(.sqlite)
    _ = try hub.home.ask("POST", "/v1/steps", token: hub.token, body: step("open", "english-for-business"))

    let history = try hub.home.waymark("history", "erase", "--since", "1h", "--yes")
    let lines = try audit(hub)
    let all = try hub.home.waymark("learners", "erase", "ada", "--yes")

    #expect(history.code == 0 && all.code == 0, "\(history) \(all)")
    #expect(lines.first == "command | USER | history erase | ada")
    #expect(try audit(hub).first == "command | USER | learners erase | UUID")
  }

  @Test func `reads of other learners by commands are audited once a token exists`() throws {
    let home = try ServerFixture()
    let ben = [["history", "list", "--learner", "ben"], ["bookmarks", "--learner", "ben"]]
    let (ownHistory, allProgress) = (["history", "list", "--learner", "ada"], ["progress", "list", "--by", "learner"])
    for learner in ["ada", "ben"] { _ = try home.waymark("nav", "open", "english-for-business", learner: learner) }

    for arguments in ben + [ownHistory, allProgress] { #expect(try home.waymark(arguments).code == 0) }
    _ = try home.token("ada")
    for arguments in ben + [
      ["history", "list"], ownHistory, allProgress, ["learners", "export", "ben"], ["learners", "export", "ada"],
    ] {
      let answer = try home.waymark(arguments)
      #expect(answer.code == 0 && answer.output != "", "\(arguments): \(answer)")
    }

    let lines = try home.run(Self.program, ["audit"]).output.split(separator: "\n")
    #expect(
      lines.map { $0.split(separator: "  ").dropFirst(3).joined(separator: " | ") } == [
        "learners export | ben", "progress list | everyone", "bookmarks | ben", "history list | ben",
        "tokens add | ada",
      ])
  }
}
