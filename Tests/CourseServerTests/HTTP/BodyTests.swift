import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import waymark_server

/// The bodies that requests may have.
struct BodyTests {
  @Test func `only messages of a synchronisation may be longer than 32 KiB`() {
    for endpoint in Endpoint.all {
      #expect(endpoint.shape.maximumBodyBytes == (endpoint.route == "/v1/sync" ? 1_048_576 : 32_768))
    }
  }

  @Test(arguments: [("steps", 32_768), ("sync", 1_048_576)], ["Content-Length: ", "Transfer-Encoding: chunked"])
  func `a longer body is refused with the limit`(route: (name: String, limit: Int), field: String) throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()
    let isChunked = field.hasSuffix("chunked")

    try connection.send(
      "POST /v1/\(route.name) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n"
        + "\(isChunked ? field : field + "\(route.limit + 1)")\r\n\r\n")
    if isChunked {
      let text = String(repeating: " ", count: route.limit + 1)
      // The server may close the connection before everything has been sent.
      try? connection.send("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
    }
    let answer = try connection.answer()

    #expect(answer.status == 413 && answer.headers["connection"] == "close", "\(answer)")
    #expect(
      answer.object["detail"] as? String
        == "Could not read the request: its body is longer than \(route.limit) bytes. Shorten it.")
  }

  @Test(arguments: ["", "{}", " {\n} ", "{}" + String(repeating: " ", count: 32_000)], ["Content-Length", "chunked"])
  func `a route without a body accepts an empty object`(body: String, framing: String) throws {
    let (home, token) = try ServerFixture.serving()
    for (route, status) in [("POST /v1/review/fit", 409), ("POST /v1/review/undo", 200), ("GET /v1/courses", 200)] {
      // If a fit did not end, the learner's second one would be refused with 429.
      for _ in 0..<2 {
        let connection = try home.connect()
        let size = body.utf8.count
        let framed =
          framing == "chunked"
          ? "Transfer-Encoding: chunked\r\n\r\n"
            + (size > 0 ? "\(String(size, radix: 16))\r\n\(body)\r\n" : "") + "0\r\n\r\n"
          : "Content-Length: \(size)\r\n\r\n\(body)"
        try connection.send("\(route) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\(framed)")

        #expect(try connection.answer().status == status, "\(route)")
      }
    }
  }

  @Test(arguments: ["POST /v1/review/undo", "POST /v1/review/fit", "GET /v1/events", "GET /live"])
  func `a route without a body refuses any other body and does nothing`(route: String) throws {
    let (home, token) = try ServerFixture.serving()
    let words = route.split(separator: " ").map(String.init)
    let deck = "english-for-business/writing/tone/softer-please"
    _ = try home.ask("POST", "/v1/review/add", token: token, body: "{\"place\": \"\(deck)\"}")
    let next = try home.ask("GET", "/v1/review/next", token: token).body
    let card = String(try #require(next.firstMatch(of: /"card": "([0-9a-f]{16})"/)?.1))
    let answer = "{\"place\": \"\(deck)\", \"card\": \"\(card)\", \"rating\": \"good\"}"
    #expect(try home.ask("POST", "/v1/review/answer", token: token, body: answer).status == 200)

    let member = try home.ask(words[0], words[1], token: token, body: #"{"card": "a"}"#)
    let list = try home.ask(words[0], words[1], token: token, body: "[]")
    let malformed = try home.ask(words[0], words[1], token: token, body: "{")
    let long = try home.ask(words[0], words[1], token: token, body: String(repeating: " ", count: 32_769))
    let connection = try home.connect()
    try connection.send(
      "\(route) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\nContent-Type: text/plain\r\n"
        + "Content-Length: 2\r\n\r\n{}")

    #expect(
      member.object["detail"] as? String
        == "Could not read the request: this route has no member 'card'. Send no body, or {}.")
    #expect(
      list.object["detail"] as? String
        == "Could not read the request: its body is not a JSON object. Send no body, or {}.")
    #expect([member, list, malformed, long].map(\.status) == [400, 400, 400, 413])
    #expect(try connection.answer().status == 415)
    #expect(try home.ask("POST", "/v1/review/undo", token: token).body == "{\n  \"undone\": true\n}\n")
  }

  private static func detail(_ body: String) -> String? {
    do throws(Problem) {
      _ = try JSONObject(Array(body.utf8), knowing: ["a", "b"])
      return nil
    } catch {
      return error.detail
    }
  }

  @Test func `a body is read only as far as its first unknown member`() {
    let text = #"{"a": 1, "k0": 1, "#

    #expect(Self.detail(text) == "Could not read the request: this route has no member 'k0'. Use a, b.")
  }

  @Test(arguments: [
    ("", "its body is not a JSON object. Send, for example, {\"operation\": \"resume\"}."),
    ("[]", "its body is not a JSON object. Send, for example, {\"operation\": \"resume\"}."),
    (
      #"{"a": 1,}"#,
      "in line 1 of its body, the JSON is invalid: a name in quotes is missing before '}'. "
        + "Correct the line, or the one above it."
    ),
    (
      "{\"a\": [1,\n]}",
      "in line 2 of its body, the JSON is invalid: a value is missing before ']'. Correct the line, or the one above it."
    ),
    (
      #"{"a": 1"#,
      "in line 1 of its body, the JSON is invalid: ',' or '}' is missing before the end. "
        + "Correct the line, or the one above it."
    ),
    (
      #"{"a": NaN}"#,
      "in line 1 of its body, the JSON is invalid: a value is missing before 'N'. Correct the line, or the one above it."
    ),
    (
      #"{"a": "\ud800"}"#,
      "in line 1 of its body, the JSON is invalid: the second half of a character is missing before '\"'. "
        + "Correct the line, or the one above it."
    ),
    (#"{"a": 1} 2"#, "in line 1 of its body, the JSON has ended before the body. Send one value."),
    (
      #"{"a": \#(String(repeating: "[", count: 100))"#,
      "the values of its body are nested too deeply. Send a flat object."
    ),
    (#"{"a": 1, "a": 1}"#, "'a' occurs twice in one object of its body. Send it once."),
    (#"{"a": 1, "\u0061": 1}"#, "'a' occurs twice in one object of its body. Send it once."),
  ])
  func `a body that is not JSON is refused with the cause`(body: String, problem: String) {
    #expect(Self.detail(body) == "Could not read the request: " + problem)
  }

  @Test func `a body that is not UTF-8 is refused`() {
    let bytes = Array(#"{"a": ""#.utf8) + [0xFF, 0x22, 0x7D]

    let problem = #expect(throws: Problem.self) { try JSONObject(bytes, knowing: ["a"]) }

    #expect(problem?.detail == "Could not read the request: in line 1 of its body, it is not UTF-8. Encode it.")
  }

  @Test(arguments: ["1e400", "-1e400", String(repeating: "9", count: 5_000), "1.5", "true", "\"1\""])
  func `a number outside the range of a member is refused`(number: String) throws {
    let object = try JSONObject(Array("{\"a\": \(number)}".utf8), knowing: ["a"])

    let problem = #expect(throws: Problem.self) { try object.number("a", in: 0...1) }

    #expect(problem?.detail == "Could not read the request: 'a' is not a number from 0 to 1.")
  }

  @Test(arguments: [#"{}"#, #"{"a": null}"#, #"{"a": ""}"#, #"{"a": " "}"#])
  func `a required text must not be missing or blank`(body: String) throws {
    let object = try JSONObject(Array(body.utf8), knowing: ["a"])

    let problem = #expect(throws: Problem.self) { try object.required("a") }

    #expect(problem?.detail == "Could not read the request: 'a' is missing or blank. Send it as a text.")
  }

  @Test func `values are read in every form of JSON`() throws {
    let text = #" { "a" : "\u00e9\ud83d\ude00\n\/\\" , "b" : [ [ 0 , 1.0 , 2e0 ] , [ ] ] } "#
    let object = try JSONObject(Array(text.utf8), knowing: ["a", "b", "c"])
    let other = try JSONObject(Array(#"{"b": null, "a": 5e-1, "c": false}"#.utf8), knowing: ["a", "b", "c"])

    #expect(try object.text("a") == "é😀\n/\\")
    #expect(try object.lists("b") == [[0, 1, 2], []])
    #expect(try object.text("c") == nil && other.text("b") == nil && other.lists("b") == nil)
    #expect(try other.number("a", in: 0...1) == 0.5 && other.bool("c") == false)
  }

  @Test func `the canonical text does not depend on the order of the members`() throws {
    let texts = try [#"{"a": 1, "b": "c"}"#, "{\n\"b\":\"c\",\"a\":1}", #"{"a": 1, "b": "d"}"#].map {
      try JSONObject(Array($0.utf8), knowing: ["a", "b"]).text
    }

    #expect(texts[0] == texts[1] && texts[0] != texts[2])
  }
}
