import Foundation
import HTTPTypes
import NavigationKit
import TestSupport
import Testing

@testable import waymark_server

struct QueryTests {
  private let known: [Parameter] = [
    .limit, .after, .device, Parameter("q", .text, "What."), Parameter("kind", .word(["goal", "lesson"]), "Which."),
  ]

  @Test func `a query is decoded and its numbers are parsed`() throws {
    let query = try Query("q=a%20b+c%2Fd&limit=7&kind=goal&device=my-phone.2", known)

    #expect(query["q"] == "a b c/d")
    #expect(query.number(.limit) == 7)
    #expect(query["kind"] == "goal")
    #expect(query[.device] == "my-phone.2")
    #expect(query.text(after: 40) == "after=40&device=my-phone.2&kind=goal&limit=7&q=a%20b%20c%2Fd")
  }

  @Test(arguments: [
    ("nope=1", "this route has no parameter 'nope'. Use limit, after, device, q, kind."),
    ("q=", "'q' is empty. Omit it, or give a value."),
    ("q=%20", "'q' is empty. Omit it, or give a value."),
    ("q=1&q=2", "'q' occurs twice. Omit one."),
    ("q=%FF", "'q=%FF' is not percent-encoded UTF-8."),
    ("limit=0", "'limit' must be a number from 1 to 1000, not '0'."),
    ("limit=1001", "'limit' must be a number from 1 to 1000, not '1001'."),
    ("limit=+1", "'limit' must be a number from 1 to 1000, not ' 1'."),
    ("limit=01", "'limit' must be a number from 1 to 1000, not '01'."),
    ("kind=activity", "'kind' must be one of goal, lesson, not 'activity'."),
    ("device=a%2Fb", "'device' must consist of up to 64 letters, digits, dots, hyphens and underscores."),
  ])
  func `an invalid query is refused with a reason`(text: String, reason: String) {
    let problem = #expect(throws: Problem.self) { try Query(text, known) }

    #expect(problem?.status.code == 400)
    #expect(problem?.detail == "Could not read the query: " + reason)
  }

  @Test func `a missing required parameter is reported`() {
    let problem = #expect(throws: Problem.self) {
      try Query(nil, [Parameter("by", .word(["day"]), "What is counted together.", isRequired: true)])
    }

    #expect(problem?.detail == "Could not read the query: 'by' is missing. What is counted together.")
  }

  @Test func `successive pages contain each row exactly once`() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<200 {
      let (count, limit) = (random.below(40), 1 + random.below(9))
      let all = Array(0..<count)
      var rows: [Int] = []
      var after: Int? = 0
      while let begin = after {
        let page = Query.Rows(limit: limit, after: begin).page(of: all)
        rows += page.rows
        after = page.next
      }
      #expect(rows == all)
    }
    #expect(Query.Rows(limit: 5, after: 90).page(of: [1, 2]).next == nil)
  }

  @Test(
    arguments: [
      ("/v1/courses", "/v1/courses", ""), ("/v1/courses/{path}", "/v1/courses/a/b%2Fc", "a/b%2Fc"),
      ("/v1/courses/{path}", "/v1/courses/", nil), ("/v1/courses/{path}", "/v1/courses", nil),
      ("/v1/me", "/v1/me/", nil), ("/v1/me", "/v1/mean", nil),
    ] as [(String, String, String?)])
  func `a route matches only its own addresses`(route: String, path: String, parameter: String?) {
    let endpoint = Endpoint(.get, route, [], .init()) { _ in throw Problem.noRoute(of: nil) }

    #expect(endpoint.match(path).map(String.init) == parameter)
  }
}
