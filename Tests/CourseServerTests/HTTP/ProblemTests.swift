import Foundation
import TestSupport
import Testing

/// Problem documents for requests that cannot be performed.
struct ProblemTests {
  @Test func `every refused request gets a problem document and changes nothing`() throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()
    _ = try connection.ask("POST", "/v1/steps", token: token, body: step("open", "english-for-business"))
    let before = try connection.ask("GET", "/v1/me", token: token)
    let quiz = "english-for-business/negotiating/opening-offers/anchors-and-ranges"

    let cases: [(String, String, String?, Int, String)] = [
      ("GET", "/v1/nothing", nil, 404, "no-such-route"), ("GET", "/", nil, 404, "no-such-route"),
      ("PATCH", "/v1/me", nil, 405, "method-not-allowed"), ("GET", "/v1/steps", nil, 405, "method-not-allowed"),
      ("GET", "/v1/courses/nope", nil, 404, "not-found"), ("GET", "/v1/courses/%FF", nil, 400, "unreadable"),
      ("GET", "/v1/pages/english-for-business", nil, 409, "refused"),
      ("GET", "/v1/history?since=whenever", nil, 400, "unreadable"),
      ("GET", "/v1/history?timeZone=Mars/Base", nil, 400, "unreadable"),
      ("GET", "/v1/history?session=nope", nil, 404, "not-found"),
      ("GET", "/v1/statistics", nil, 400, "unreadable"), ("GET", "/v1/where?device=never", nil, 404, "not-found"),
      ("GET", "/v1/learners", nil, 403, "forbidden"), ("DELETE", "/v1/learners/ada", nil, 403, "forbidden"),
      ("GET", "/v1/positions/\(quiz)", nil, 404, "not-found"),
      ("PUT", "/v1/bookmarks/nope", nil, 404, "not-found"), ("PUT", "/v1/bookmarks/%2F", nil, 409, "refused"),
      ("POST", "/v1/steps", "", 400, "unreadable"), ("POST", "/v1/steps", "[]", 400, "unreadable"),
      ("POST", "/v1/steps", "{", 400, "unreadable"), ("POST", "/v1/steps", "{}", 400, "unreadable"),
      ("POST", "/v1/steps", step("fly"), 400, "unreadable"), ("POST", "/v1/steps", step("push"), 400, "unreadable"),
      ("POST", "/v1/steps", step("repair"), 400, "unreadable"),
      ("POST", "/v1/steps", #"{"operation": 3}"#, 400, "unreadable"),
      ("POST", "/v1/steps", #"{"operation": "next", "more": 1}"#, 400, "unreadable"),
      ("POST", "/v1/steps", #"{"operation": "next", "dryRun": 1}"#, 400, "unreadable"),
      ("POST", "/v1/steps", step("open", "nope"), 404, "not-found"),
      ("POST", "/v1/steps", step("push", "english-for-business"), 200, ""),
      ("POST", "/v1/steps", step("push", quiz), 409, "refused"),
      ("POST", "/v1/acts", #"{"act": "markedDone", "place": "english-for-business"}"#, 409, "refused"),
      ("POST", "/v1/acts", #"{"act": "slept", "place": "\#(quiz)"}"#, 400, "unreadable"),
      (
        "POST", "/v1/acts", #"{"act": "cardGraded", "place": "\#(quiz)", "card": 9999, "known": true}"#, 422,
        "senseless"
      ),
      ("POST", "/v1/acts", #"{"act": "quizChecked", "place": "\#(quiz)", "answers": [[0]]}"#, 422, "senseless"),
      ("POST", "/v1/acts", #"{"act": "quizChecked", "place": "\#(quiz)", "answers": [[true]]}"#, 400, "unreadable"),
      ("PUT", "/v1/positions/\(quiz)", #"{"fraction": 2}"#, 400, "unreadable"),
      ("PUT", "/v1/positions/\(quiz)", #"{"fraction": true}"#, 400, "unreadable"),
      ("PUT", "/v1/positions/\(quiz)", #"{"fraction": 0.5, "block": 1.5}"#, 400, "unreadable"),
      ("PUT", "/v1/positions/english-for-business", #"{"fraction": 0.5}"#, 409, "refused"),
    ]
    for (method, path, body, status, name) in cases {
      let answer = try connection.ask(method, path, token: token, body: body)
      #expect(answer.status == status, "\(method) \(path) \(body ?? ""): \(answer)")
      guard status >= 400 else { continue }
      #expect(answer.headers["content-type"] == "application/problem+json")
      #expect(answer.object["type"] as? String == "urn:waymark:problem:\(name)", "\(method) \(path) \(body ?? "")")
      #expect(answer.object["status"] as? Int == status)
      let detail = answer.object["detail"] as? String ?? ""
      #expect(detail.hasPrefix("Could not ") && detail.hasSuffix(".") || detail.hasSuffix("?"), "\(detail)")
      // The text mentions neither commands nor paths of the machine.
      #expect(!detail.contains("waymark ") && !detail.contains("--") && !detail.contains(home.folder.path))
    }

    #expect(try connection.ask("GET", "/v1/me", token: token).body == before.body)
  }

  @Test func `a body with another media type than JSON is refused`() throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()

    try connection.send(
      "POST /v1/steps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\nContent-Type: text/plain\r\n"
        + "Content-Length: 2\r\n\r\n{}")

    #expect(try connection.answer().status == 415)
  }

  @Test func `a client that has the current answer gets 304`() throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()
    let first = try connection.ask("GET", "/v1/courses", token: token)
    let tag = try #require(first.headers["etag"])

    let same = try connection.ask("GET", "/v1/courses", token: token, headers: ["If-None-Match": "\"other\", W/\(tag)"])
    let head = try connection.ask("HEAD", "/v1/courses", token: token)
    _ = try connection.ask(
      "POST", "/v1/acts", token: token,
      body: #"{"act": "markedDone", "place": "english-for-business/meetings/opening/why-are-we-here"}"#)
    let changed = try connection.ask("GET", "/v1/courses", token: token, headers: ["If-None-Match": tag])

    #expect(same.status == 304 && same.body == "" && same.headers["etag"] == tag)
    #expect(
      head.status == 200 && head.headers["etag"] == tag
        && head.headers["content-length"] == first.headers["content-length"])
    #expect(changed.status == 200 && changed.headers["etag"] != tag)
  }
}
