import Foundation
import TerminalHarness
import TestSupport
import Testing

/// The end of a server whose connections are in all states. Without a limit, each of them would delay the end by the 300
/// seconds for which this server waits for a client.
@Suite(.timeLimit(.minutes(3))) struct ShutdownTests {
  /// Brings a connection to a state.
  private static let states: [(name: String, bytes: String)] = [
    ("is silent", ""),
    ("has sent half a head", "GET /v1/where HTTP/1.1\r\nHo"),
    (
      "has sent half a body",
      "POST /v1/steps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\nContent-Length: 50\r\n\r\n{"
    ),
    (
      "waits before it sends its body",
      "POST /v1/steps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\nExpect: 100-continue\r\nContent-Length: 50\r\n\r\n"
    ),
    ("is idle", "GET /live HTTP/1.1\r\nHost: x\r\n\r\n"),
    ("was asked to close", "GET /live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
    ("has the old version", "GET /v1/events HTTP/1.0\r\nAuthorization: Bearer TOKEN\r\n\r\n"),
    ("reads a stream", "GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\n\r\n"),
    (
      "reads no response",
      String(
        repeating: "GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n", count: 400)
    ),
    ("is malformed", "GARBAGE\r\n\r\n"),
  ]

  @Test(arguments: states)
  func `SIGTERM ends the server although a client keeps its connection open`(state: (name: String, bytes: String))
    throws
  {
    let home = try ServerFixture()
    let token = try home.token()
    try home.serve("--patience", "300")
    let connections = try (0..<3).map { _ in
      let connection = try home.connect()
      try connection.send(state.bytes.replacing("TOKEN", with: token))
      return connection
    }
    // The server has read the bytes when it has answered a later request.
    for _ in 0..<3 { #expect(try home.ask("GET", "/live").status == 200) }

    let end = try home.stop()

    #expect(end.code == 0, "\(state.name): \(end)")
    withExtendedLifetime(connections) {}
  }
}
