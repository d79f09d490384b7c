import Foundation
import Testing

struct ReviewRouteTests {
  private let deck = "english-for-business/writing/tone/softer-please"

  @Test func `cards are added, suspended and resumed with the answers of the commands`() throws {
    let home = try ServerFixture()
    let token = try home.token("ada")
    try home.serve()
    func same(_ name: String, card: String? = nil) throws -> String {
      let member = card.map { ", \"card\": \"\($0)\"" } ?? ""
      let answer = try home.ask(
        "POST", "/v1/review/\(name)", token: token, body: "{\"place\": \"\(deck)\"\(member)}")
      let printed = try home.waymark(
        ["review", name, deck, "--learner", "ben", "--format", "json"] + (card.map { ["--card", $0] } ?? []))
      #expect(answer.status == 200 && printed.code == 0 && answer.body == printed.output, "\(name): \(answer)")
      return answer.body
    }

    #expect(try same("add") == "{\n  \"cards\": 10\n}\n")
    let next = try home.ask("GET", "/v1/review/next", token: token).body
    let card = String(try #require(next.firstMatch(of: /"card": "([0-9a-f]{16})"/)?.1))
    #expect(try same("suspend", card: card) == "{\n  \"cards\": 1\n}\n")
    #expect(try same("suspend", card: card) == "{\n  \"cards\": 0\n}\n")
    #expect(try same("suspend") == "{\n  \"cards\": 9\n}\n")
    #expect(try same("resume") == "{\n  \"cards\": 10\n}\n")
    let unknown = try home.ask(
      "POST", "/v1/review/suspend", token: token, body: "{\"place\": \"\(deck)\", \"card\": \"zzz\"}")
    #expect(unknown.status == 404)
  }

  @Test func `a fit with too few answers is refused with their number`() throws {
    let home = try ServerFixture()
    let token = try home.token("ada")
    try home.serve()

    let answer = try home.ask("POST", "/v1/review/fit?dryRun=true", token: token)

    #expect(answer.status == 409)
    #expect(answer.body.contains("the log has 0 answers that can be used, and 400 are needed."), "\(answer)")
  }
}
