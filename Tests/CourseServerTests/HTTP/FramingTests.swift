import Foundation
import TestSupport
import Testing

/// Requests that violate the rules of HTTP, and interim responses.
struct FramingTests {
  private static let start = "POST /v1/steps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\n"

  /// Requests with the expected status and problem name.
  private static let malformed: [(bytes: String, status: Int, name: String)] = [
    ("GARBAGE\r\n\r\n", 400, "unreadable"), ("GET\r\n\r\n", 400, "unreadable"),
    ("\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n", 400, "unreadable"), ("GET / HTTP/9.9\r\n\r\n", 400, "unreadable"),
    ("GET /live HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n", 400, "unreadable"),
    ("GET /live HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400, "unreadable"),
    (start + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "unreadable"),
    (start + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400, "unreadable"),
    (start + "Content-Length: 100\r\n\r\n{", 400, "unreadable"),
    (start + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501, "not-implemented"),
    ("GET /live HTTP/1.1\r\n\r\n", 400, "unreadable"),
    ("GET /live HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", 400, "unreadable"),
    ("GET /live HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n", 400, "unreadable"),
    ("GET /live HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n", 400, "unreadable"),
    ("GET /live HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "unreadable"),
    ("GET /live HTTP/1.1\r\nHost: x/y\r\n\r\n", 400, "unreadable"),
    ("GET /live HTTP/1.1\r\nHost: user@x\r\n\r\n", 400, "unreadable"),
    ("GET /live HTTP/1.1\r\nHost: x:port\r\n\r\n", 400, "unreadable"),
    ("GET /live HTTP/1.1\r\nHost: [zz]\r\n\r\n", 400, "unreadable"),
    ("GET /live HTTP/1.1\r\nHost: [1.2.3.4]\r\n\r\n", 400, "unreadable"),
    ("GET /live HTTP/1.1\r\nHost: [::1\r\n\r\n", 400, "unreadable"),
    ("GET /live HTTP/1.1\r\nHost: [::1]x\r\n\r\n", 400, "unreadable"),
    ("GET /live HTTP/1.1\r\nHost: %zz\r\n\r\n", 400, "unreadable"),
    ("GET /live HTTP/1.1\r\nHost: \u{e9}\r\n\r\n", 400, "unreadable"),
    ("GET ftp://x/live HTTP/1.1\r\nHost: x\r\n\r\n", 400, "unreadable"),
    ("GET http:///live HTTP/1.1\r\nHost: x\r\n\r\n", 400, "unreadable"),
    ("GET http://:80/live HTTP/1.1\r\nHost: x\r\n\r\n", 400, "unreadable"),
    ("GET http://ada@x/live HTTP/1.1\r\nHost: x\r\n\r\n", 400, "unreadable"),
    ("POST /v1/steps HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", 400, "unreadable"),
    ("POST /v1/steps HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "unreadable"),
    ("BREW /live HTTP/1.1\r\nHost: x\r\n\r\n", 501, "not-implemented"),
    ("GET /live HTTP/1.1\r\nHost: x\r\nA: \(String(repeating: "a", count: 20_000))\r\n\r\n", 431, "too-large"),
    (
      "GET /live HTTP/1.1\r\nHost: x\r\n" + (0..<101).map { "A\($0): a\r\n" }.joined() + "\r\n", 431,
      "too-large"
    ),
    ("GET /v1/courses/\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\nHost: x\r\n\r\n", 414, "too-long"),
    ("GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nHost: x\r\n\r\n", 414, "too-long"),
  ]

  @Test(arguments: malformed)
  func `a framing error produces a problem document and no error in the log`(
    bytes: String, status: Int, name: String
  ) throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()

    // The server may close the connection before everything has been sent.
    try? connection.send(bytes.replacing("TOKEN", with: token))
    connection.closeOutput()
    let answer = try connection.answer()

    #expect(answer.status == status, "\(answer)")
    #expect(answer.object["type"] as? String == "urn:waymark:problem:\(name)", "\(answer)")
    #expect(answer.headers["connection"] == "close")
    #expect(connection.isClosed())
    #expect(try !home.stop().errors.contains(" error "))
  }

  @Test(arguments: [
    "x", "", "127.0.0.1:8080", "[::1]:8080", "[::1]", "school.example", "school.example:", "a_b", "%C3%A9",
  ])
  func `a host with or without a port is accepted`(host: String) throws {
    let (home, _) = try ServerFixture.serving()
    let connection = try home.connect()

    try connection.send("GET /live HTTP/1.1\r\nHost: \(host)\r\n\r\n")

    #expect(try connection.answer().status == 200)
  }

  @Test(arguments: ["http://x", "HTTP://x:80", "https://[::1]"])
  func `the address of a request may contain a host`(host: String) throws {
    let (home, _) = try ServerFixture.serving()
    let connection = try home.connect()

    try connection.send("GET \(host)/live HTTP/1.1\r\nHost: x\r\n\r\n")

    #expect(try connection.answer().status == 200)
  }

  @Test(arguments: ["", "Host: x\r\n", "Connection: keep-alive\r\n", "Expect: 100-continue\r\n"])
  func `a request of HTTP 1.0 needs no host, and its connection is closed after the response`(fields: String) throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()
    let body = step("open", "english-for-business")

    try connection.send(
      "POST /v1/steps HTTP/1.0\r\nAuthorization: Bearer \(token)\r\nContent-Length: \(body.utf8.count)\r\n"
        + "\(fields)\r\n\(body)")
    let answer = try connection.answer()

    #expect(answer.status == 200 && answer.headers["connection"] == "close", "\(answer)")
    #expect(connection.isClosed())
  }

  @Test func `a response to HTTP 1.0 is not chunked`() throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()

    try connection.send("GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
    try connection.send("GET /v1/events HTTP/1.0\r\nAuthorization: Bearer \(token)\r\n\r\n")
    let first = try connection.answer()
    let stream = try connection.head()

    #expect(first.status == 200 && first.headers["connection"] == nil)
    #expect(stream.status == 200 && stream.headers["transfer-encoding"] == nil, "\(stream)")
    #expect(try connection.bytes(13) == Array("retry: 1000\n\n".utf8))
  }

  @Test func `a client that asks for it gets a closed connection`() throws {
    let (home, _) = try ServerFixture.serving()
    let connection = try home.connect()

    try connection.send("GET /live HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n\r\n")

    #expect(try connection.answer().headers["connection"] == "close")
    #expect(connection.isClosed())
  }

  @Test(arguments: [
    #"{"operation": "resume", "operation": "next"}"#, #"{"operation":"resume","oper\u0061tion" : "next"}"#,
    #"{"operation": "resume", "operation": "resume"}"#,
  ])
  func `a body with a repeated name is refused`(body: String) throws {
    let (home, token) = try ServerFixture.serving()

    let answer = try home.ask("POST", "/v1/steps", token: token, body: body)

    #expect(answer.status == 400)
    #expect(
      answer.object["detail"] as? String
        == "Could not read the request: 'operation' occurs twice in one object of its body. Send it once.")
    #expect(try home.waymark("history", "list", "--format", "jsonl").output == "")
  }

  @Test(arguments: [
    (#"[{"a": {"b": 1, "c": ["}"], "b": 2}}]"#, "'b' occurs twice in one object of its body. Send it once."),
    (
      #"{"greet": {}, "version": 2,}"#,
      "in line 1 of its body, the JSON is invalid: a name in quotes is missing before '}'. "
        + "Correct the line, or the one above it."
    ),
  ])
  func `a message of a synchronisation that is not plain JSON is refused`(body: String, problem: String) throws {
    let (home, token) = try ServerFixture.serving()

    let answer = try home.ask("POST", "/v1/sync", token: token, body: body)

    #expect(answer.status == 400)
    #expect(answer.object["detail"] as? String == "Could not read the request: " + problem)
  }

  @Test(arguments: ["1", "1.5", "3", "99999999999999999999"])
  func `another version of the synchronisation is refused as such`(version: String) throws {
    let (home, token) = try ServerFixture.serving()

    let answer = try home.ask("POST", "/v1/sync", token: token, body: #"{"greet":{},"version":\#(version)}"#)

    #expect(answer.status == 400 && answer.object["type"] as? String == "urn:waymark:problem:newer", "\(answer)")
  }

  @Test(arguments: [
    #"{"operation": "open", "place": "operation"}"#, #"{"operation": "open", "place": "a\"operation\": {"}"#,
    #"{"operation": "open", "place": "}{\\"}"#,
  ])
  func `a name that occurs again in a text is not repeated`(body: String) throws {
    let (home, token) = try ServerFixture.serving()

    #expect(try home.ask("POST", "/v1/steps", token: token, body: body).status == 404)
  }

  @Test func `a framing error is logged at debug level after earlier requests are answered`() throws {
    let home = try ServerFixture()
    try home.serve("--log-level", "debug")
    let connection = try home.connect()

    try connection.send("GET", "/live")
    try connection.send("GET", "/nothing")
    try connection.send("GARBAGE\r\n\r\n")
    let statuses = try (0..<3).map { _ in try connection.answer().status }
    let lines = try home.stop().errors.split(separator: "\n").filter { $0.contains("answered") }

    #expect(statuses == [200, 404, 400])
    #expect(lines.filter { $0.contains(" debug ") && $0.contains("status=400") }.count == 1, "\(lines)")
    #expect(lines.filter { $0.contains(" info ") }.count == 2, "\(lines)")
  }

  @Test func `a client that expects 100 Continue gets it before it sends the body`() throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()
    let body = step("open", "english-for-business")

    try connection.send(
      "POST /v1/steps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
        + "Expect: 100-continue\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
    let interim = try connection.answer(hasBody: false)
    try connection.send(body)
    let answer = try connection.answer()

    #expect(interim == .init(status: 100, headers: [:], body: ""))
    #expect(answer.status == 200 && answer.headers["connection"] == nil)
    #expect(try connection.ask("GET", "/live").status == 200)
  }

  @Test(arguments: [
    ("Authorization: Bearer wrong\r\nContent-Length: 5\r\nExpect: 100-continue\r\n", 401),
    ("Authorization: Bearer TOKEN\r\nContent-Length: 1048577\r\nExpect: 100-continue\r\n", 413),
    ("Authorization: Bearer TOKEN\r\nContent-Length: 5\r\nExpect: 200-ok\r\n", 417),
    ("Authorization: Bearer TOKEN\r\nContent-Length: 5\r\nExpect: 100-continue\r\nContent-Encoding: br\r\n", 415),
  ])
  func `a refused request gets no 100 Continue, and its connection is closed`(fields: String, status: Int) throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()

    try connection.send("POST /v1/steps HTTP/1.1\r\nHost: x\r\n" + fields.replacing("TOKEN", with: token) + "\r\n")
    let answer = try connection.answer()

    #expect(answer.status == status && answer.headers["connection"] == "close", "\(answer)")
    #expect(connection.isClosed())
  }

  @Test(arguments: [("gzip", 415), ("identity, br", 415), ("identity", 200), ("IDENTITY", 200)])
  func `a compressed body is refused with an Accept-Encoding header field`(coding: String, status: Int) throws {
    let (home, token) = try ServerFixture.serving()

    let answer = try home.ask(
      "POST", "/v1/steps", token: token, headers: ["Content-Encoding": coding], body: step("resume"))

    #expect(answer.status == status, "\(answer)")
    #expect(answer.headers["accept-encoding"] == (status == 415 ? "identity" : nil))
  }

  @Test(arguments: [(1_000, 404), (1_001, 414)])
  func `a path is limited to 1000 characters`(length: Int, status: Int) throws {
    let (home, token) = try ServerFixture.serving()

    let answer = try home.ask("GET", "/v1/courses/" + String(repeating: "%C3%A9", count: length), token: token)

    #expect(answer.status == status, "\(answer)")
  }
}
