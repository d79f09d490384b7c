import Answers
import Testing

@testable import waymark

struct MCPSessionTests {
  private static let initialize =
    #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#

  /// Returns a session whose client has sent `initialize`.
  private static func initialized(allowsWriting: Bool = false) -> MCPSession {
    var session = MCPSession(allowsWriting: allowsWriting)
    _ = session.receive(Array(initialize.utf8))
    return session
  }

  /// Returns the answers to a line.
  private static func answers(_ session: inout MCPSession, to line: String) -> [OutputValue] {
    session.receive(Array(line.utf8)).compactMap { reaction in
      guard case .answer(let answer) = reaction else { return nil }
      return answer
    }
  }

  // MARK: - JSON-RPC

  @Test(arguments: [
    ("nonsense", -32700, OutputValue.null),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping""#, -32700, .null),
    (#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#, -32700, .null),
    ("[]", -32600, .null), ("3", -32600, .null), ("null", -32600, .null),
    (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, .null),
    (#"{"id":1,"method":"ping"}"#, -32600, .integer(1)),
    (#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, -32600, .text("a")),
    (#"{"jsonrpc":"2.0","id":1}"#, -32600, .integer(1)),
    (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600, .integer(1)),
    (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, .null),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, .null),
    (#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, -32600, .null),
    (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32601, .integer(1)),
    (#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#, -32601, .integer(1)),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602, .integer(1)),
    (#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#, -32602, .integer(1)),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#, -32602, .integer(1)),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602, .integer(1)),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}"#, -32602, .integer(1)),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"courses","arguments":[]}}"#, -32602, .integer(1)
    ),
  ])
  func `an invalid message gets a JSON-RPC error`(line: String, code: Int64, id: OutputValue) {
    var session = Self.initialized()

    let answers = Self.answers(&session, to: line)

    #expect(answers.map { $0["error"]?["code"] } == [.integer(code)])
    #expect(answers.map { $0["id"] } == [id])
  }

  @Test func `an array with 100 000 levels is rejected`() {
    var session = Self.initialized()

    let answers = Self.answers(&session, to: String(repeating: "[", count: 100_000))

    #expect(answers.map { $0["error"]?["code"] } == [.integer(-32700)])
  }

  @Test func `invalid UTF-8 is rejected`() {
    var session = Self.initialized()

    let results = session.receive(
      Array(#"{"jsonrpc":"2.0","id":"\#("x")"#.utf8) + [0xFF] + Array(#"","method":"ping"}"#.utf8))

    guard case .answer(let answer)? = results.first, results.count == 1 else { return #expect(Bool(false)) }
    #expect(
      answer.json
        == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"The line is not JSON in UTF-8."}}"#)
  }

  @Test(arguments: [
    #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, #"{"jsonrpc":"2.0","method":"no/such/method"}"#,
    #"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
    #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{}}"#, #"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#,
  ])
  func `notifications and answers are not answered`(line: String) {
    var session = Self.initialized()

    #expect(session.receive(Array(line.utf8)).isEmpty)
  }

  @Test func `a cancellation contains the ID of its request`() {
    var session = Self.initialized()

    let results = session.receive(
      Array(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#.utf8))

    guard case .cancel(.text("a"))? = results.first else { return #expect(Bool(false), "\(results)") }
    #expect(results.count == 1)
  }

  // MARK: - Revisions

  @Test(arguments: [
    ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
    ("2025-11-25", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("1.0", "2025-11-25"),
  ])
  func `initialize agrees on the requested revision, or on the newest`(requested: String, agreed: String) {
    var session = MCPSession(allowsWriting: false)

    let answers = Self.answers(
      &session,
      to: #"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"\#(requested)"}}"#)

    #expect(answers.map { $0["result"]?["protocolVersion"] } == [.text(agreed)])
    #expect(answers.map { $0["result"]?["capabilities"]?.json } == [#"{"tools":{}}"#])
    #expect(answers.map { $0["result"]?["serverInfo"]?["name"] } == [.text("waymark")])
  }

  @Test func `only ping is answered before initialize`() {
    var session = MCPSession(allowsWriting: false)

    let ping = Self.answers(&session, to: #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
    let list = Self.answers(&session, to: #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#)
    let discover = Self.answers(&session, to: #"{"jsonrpc":"2.0","id":3,"method":"server/discover","params":{}}"#)

    #expect(ping.map(\.json) == [#"{"jsonrpc":"2.0","id":1,"result":{}}"#])
    #expect((list + discover).map { $0["error"]?["code"] } == [.integer(-32602), .integer(-32602)])
  }

  @Test func `only the revision 2025-03-26 has batches`() {
    let batch = #"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2}]"#
    var session = MCPSession(allowsWriting: false)
    _ = Self.answers(
      &session, to: #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}"#)

    let answers = Self.answers(&session, to: batch)

    #expect(answers.map { $0["id"] } == [.integer(1), .integer(2)])
    #expect(answers.map { $0["error"]?["code"] } == [nil, .integer(-32600)])
  }

  /// Returns a request that contains its own revision.
  private static func selfDescribing(_ method: String, revision: String = "2026-07-28") -> String {
    """
    {"jsonrpc":"2.0","id":1,"method":"\(method)","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":\
    "\(revision)","io.modelcontextprotocol/clientCapabilities":{}}}}
    """
  }

  @Test func `a request with the newest revision needs no initialize`() throws {
    var session = MCPSession(allowsWriting: false)

    let discovered = try #require(Self.answers(&session, to: Self.selfDescribing("server/discover")).first?["result"])
    let list = try #require(Self.answers(&session, to: Self.selfDescribing("tools/list")).first?["result"])
    let ping = Self.answers(&session, to: Self.selfDescribing("ping"))

    #expect(
      discovered["supportedVersions"]?.json
        == #"["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]"#)
    for result in [discovered, list] {
      #expect(result["resultType"] == .text("complete"))
      #expect(result["ttlMs"] == .integer(0) && result["cacheScope"] == .text("private"))
      #expect(result["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == .text("waymark"))
    }
    #expect(ping.map { $0["error"]?["code"] } == [.integer(-32601)])
  }

  @Test func `an unknown revision is rejected with the supported ones`() {
    var session = MCPSession(allowsWriting: false)

    let answers = Self.answers(&session, to: Self.selfDescribing("tools/list", revision: "2030-01-01"))

    #expect(
      answers.map { $0["error"]?.json } == [
        #"{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28","2025-11-25","#
          + #""2025-06-18","2025-03-26","2024-11-05"],"requested":"2030-01-01"}}"#
      ])
  }

  @Test func `a request with a revision but without capabilities is rejected`() {
    var session = Self.initialized()

    let answers = Self.answers(
      &session,
      to:
        #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#
    )

    #expect(answers.map { $0["error"]?["code"] } == [.integer(-32602)])
  }

  // MARK: - Tools

  @Test func `tools that change data need permission`() throws {
    let call = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nav_next"}}"#
    let list = #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#
    var (reading, writing) = (Self.initialized(), Self.initialized(allowsWriting: true))

    let refused = Self.answers(&reading, to: call)
    let accepted = writing.receive(Array(call.utf8))
    let lists = [Self.answers(&reading, to: list), Self.answers(&writing, to: list)].map { answers in
      answers.map { $0.json.matches(of: /"readOnlyHint":(true|false)/).map { $0.output.1 } }
    }

    #expect(
      refused.map { $0["error"]?["message"] } == [
        .text(
          "Could not call 'nav_next': it changes data, and this server is read-only. "
            + "Start it with 'waymark mcp --write'.")
      ])
    guard case .call(let accepted)? = accepted.first else { return #expect(Bool(false), "\(accepted)") }
    #expect(accepted.arguments == ["nav", "next", "--format=json"])
    #expect(Set(lists[0].joined()) == ["true"])
    #expect(Set(lists[1].joined()) == ["true", "false"])
    #expect(lists[1].joined().count == CommandTool.all.count)
  }

  @Test func `arguments that a command line cannot contain are a tool error`() {
    var session = Self.initialized()

    let answers = Self.answers(
      &session,
      to: #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"courses","arguments":{"limit":"\u0000"}}}"#)

    #expect(
      answers.map(\.json) == [
        #"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Could not call 'courses': the value of "#
          + #"'limit' contains a NUL character. Remove it."}],"isError":true}}"#
      ])
  }
}
