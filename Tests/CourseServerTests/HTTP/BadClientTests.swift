import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Clients that are broken, slow or hostile. They must not affect other clients.
struct BadClientTests {
  @Test func `a body whose length exceeds the limit is refused before it is read`() throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()

    try connection.send(
      "POST /v1/steps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
        + "Content-Length: 32769\r\n\r\n")

    // No byte of the body has been sent.
    let answer = try connection.answer()
    #expect(answer.status == 413)
    #expect(answer.headers["connection"] == "close")
    #expect(connection.isClosed())
  }

  @Test(arguments: [
    "GARBAGE\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}",
    "GET /v1/me HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n", "GET /v1/me HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    "POST /v1/steps HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    "POST /v1/steps HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "GET /v1/me HTTP/1.1\r\nHost: x\r\nA: \(String(repeating: "a", count: 20_000))\r\n\r\n",
    "GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nHost: x\r\n\r\n",
  ])
  func `malformed bytes end only their own connection`(bytes: String) throws {
    let home = try ServerFixture()
    let token = try home.token()
    try home.serve("--patience", "2")
    let (bad, good) = (try home.connect(), try home.connect())

    try? bad.send(bytes)
    bad.closeOutput()

    #expect(bad.isClosed())
    #expect(try good.ask("GET", "/v1/courses", token: token).status == 200)
    #expect(try home.stop().code == 0)
  }

  @Test(arguments: [
    "", "GET /v1/cour",
    "POST /v1/steps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\nContent-Length: 100\r\n\r\n{",
  ])
  func `a client that sends an incomplete request is disconnected`(bytes: String) throws {
    let home = try ServerFixture()
    let token = try home.token()
    try home.serve("--patience", "1")
    let slow = try home.connect()

    try slow.send(bytes.replacing("TOKEN", with: token))

    #expect(slow.isClosed())
  }

  @Test func `a client that sends one byte at a time is disconnected`() throws {
    let home = try ServerFixture()
    try home.serve("--patience", "1")
    let slow = try home.connect()
    var isLetGo = false

    // The client sends each byte after the previous one was accepted, and never completes the head.
    for letter in "GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Slow: " + String(repeating: "a", count: 1_000_000) {
      do { try slow.send(String(letter)) } catch {
        isLetGo = true
        break
      }
      usleep(2_000)
    }

    #expect(isLetGo)
  }

  @Test func `pipelined requests are answered in order`() throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()
    let paths = (0..<200).map { $0.isMultiple(of: 3) ? "/v1/courses" : $0.isMultiple(of: 2) ? "/v1/nothing" : "/live" }

    for path in paths { try connection.send("GET", path, token: token) }
    let statuses = try paths.map { _ in try connection.answer().status }

    #expect(statuses == paths.map { $0 == "/v1/nothing" ? 404 : 200 })
  }

  @Test func `a client that closes its sending side still gets the response`() throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()

    try connection.send("POST", "/v1/steps", token: token, body: step("open", "english-for-business"))
    connection.closeOutput()

    #expect(try connection.answer().status == 200)
  }

  @Test func `a thousand bad clients delay a good client only briefly`() throws {
    let home = try ServerFixture()
    let token = try home.token()
    try home.serve("--patience", "5")
    let good = try home.connect()
    var open: [HTTPConnection] = []

    for number in 0..<Tier.count(1_000, long: 10_000) {
      guard let bad = try? home.connect() else { continue }
      switch number % 4 {
      case 0: try? bad.send("GET /v1/courses HT")
      case 1: try? bad.send("\u{0}\u{1}\u{2}\r\n\r\n")
      case 2: try? bad.send("POST /v1/steps HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nabc")
      default: bad.closeOutput()
      }
      open.append(bad)
      if open.count > 500 { open.removeFirst(250) }
      // Clients that send nothing for five seconds are disconnected.
      guard number % 100 == 99 else { continue }
      #expect(try good.ask("GET", "/v1/courses", token: token).status == 200)
    }

    open = []
    #expect(try home.stop().code == 0)
  }
}
