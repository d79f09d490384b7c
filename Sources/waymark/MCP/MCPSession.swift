import Answers
import Foundation
import JSONCoding
import LearningModel

/// The messages of one client of the Model Context Protocol.
///
/// The session does not transport messages: it converts each message to reactions, which the transport performs. A
/// client either begins with `initialize` (revisions up to 2025-11-25), or sends its revision with every request
/// (2026-07-28).
///
/// Source: JSON-RPC 2.0; Model Context Protocol, revisions 2024-11-05 to 2026-07-28.
struct MCPSession {
  /// A tool call that passed the checks of the protocol.
  struct Call {
    let id: RequestID
    let tool: CommandTool
    /// The arguments of the command line, without the program, the database and the learner.
    let arguments: [String]
    /// Whether the request contained its own revision.
    let isSelfDescribing: Bool
  }

  enum RequestID: Hashable {
    case integer(Int64)
    case text(String)

    init?(_ value: OutputValue?) {
      switch value {
      case .integer(let number)?: self = .integer(number)
      case .text(let text)?: self = .text(text)
      default: return nil
      }
    }

    var value: OutputValue {
      switch self {
      case .integer(let number): .integer(number)
      case .text(let text): .text(text)
      }
    }
  }

  /// A response to a message.
  enum Reaction {
    case answer(OutputValue)
    case call(Call)
    /// Stops the call of this request. The request then gets no answer.
    case cancel(RequestID)
  }

  /// The revision of the protocol in which each request contains its revision.
  private static let selfDescribing = "2026-07-28"
  /// The revisions of the protocol in which a client begins with `initialize`, newest first.
  private static let negotiated = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
  /// The only revision of the protocol that has batches.
  private static let batching = "2025-03-26"

  private static let prefix = "io.modelcontextprotocol/"
  private static let methods = ["initialize", "ping", "server/discover", "tools/list", "tools/call"]

  /// Whether the session offers tools that change data.
  let allowsWriting: Bool
  /// The revision that was agreed with the client in `initialize`, or `nil` before `initialize`.
  private var revision: String?

  init(allowsWriting: Bool) { self.allowsWriting = allowsWriting }

  /// The definitions of the tools. They are created lazily, because this takes 0.1 s in a debug build.
  private lazy var tools = OutputValue.array(
    CommandTool.all.filter { allowsWriting || !$0.writes }.map(\.definition))

  // MARK: - Messages

  /// Returns the reactions to one line of input.
  mutating func receive(_ line: [UInt8]) -> [Reaction] {
    guard let message = ReceivedJSON(line)?.value else {
      return [.answer(Self.failure(nil, MCPError(.parse, "The line is not JSON in UTF-8.")))]
    }
    if case .array(let members) = message, !members.isEmpty, revision == Self.batching {
      return members.flatMap { reactions(to: $0) }
    }
    return reactions(to: message)
  }

  /// Returns the answer to a line that is too long to be read.
  static func answer(toLineLongerThan bytes: Int) -> OutputValue {
    failure(nil, MCPError(.invalidRequest, "The line is longer than \(bytes) bytes."))
  }

  private mutating func reactions(to message: OutputValue) -> [Reaction] {
    let id = RequestID(message["id"])
    do throws(MCPError) {
      guard case .object = message, message["jsonrpc"]?.string == "2.0" else {
        throw MCPError(.invalidRequest, "The message is not an object of JSON-RPC 2.0.")
      }
      guard let method = message["method"]?.string else {
        // This server sends no requests, so the message answers none and is ignored.
        if message["result"] != nil || message["error"] != nil { return [] }
        throw MCPError(.invalidRequest, "The message has no method.")
      }
      guard message["id"] != nil else { return notification(method, message["params"]) }
      guard let id else { throw MCPError(.invalidRequest, "The id is neither a whole number nor a text.") }
      return [try request(id, method, message["params"] ?? [:])]
    } catch {
      return [.answer(Self.failure(id, error))]
    }
  }

  private func notification(_ method: String, _ params: OutputValue?) -> [Reaction] {
    guard method == "notifications/cancelled", let id = RequestID(params?["requestId"]) else { return [] }
    return [.cancel(id)]
  }

  private mutating func request(_ id: RequestID, _ method: String, _ params: OutputValue) throws(MCPError) -> Reaction {
    guard Self.methods.contains(method) else { throw MCPError(.unknownMethod, "There is no method \(quoted: method).") }
    guard case .object = params else { throw MCPError(.invalidParams, "The params are not an object.") }
    if method == "initialize" { return .answer(Self.success(id, try initialize(params))) }

    let isSelfDescribing = try checkRevision(of: params, in: method)
    switch (method, isSelfDescribing) {
    case ("ping", false): return .answer(Self.success(id, []))
    case ("server/discover", true):
      return .answer(Self.success(id, discovered, isSelfDescribing: true, isCacheable: true))
    case ("tools/list", _):
      guard params["cursor"] == nil || params["cursor"] == .null else {
        throw MCPError(.invalidParams, "The list of tools has one page. Omit the cursor.")
      }
      return .answer(
        Self.success(
          id, [("tools", tools)], isSelfDescribing: isSelfDescribing, isCacheable: true))
    case ("tools/call", _): return try call(id, params, isSelfDescribing: isSelfDescribing)
    default: throw MCPError(.unknownMethod, "There is no method \(quoted: method) in this revision of the protocol.")
    }
  }

  /// Checks whether the client may send a request in the current state.
  ///
  /// - Returns: `true` if the request contains its own revision.
  private func checkRevision(of params: OutputValue, in method: String) throws(MCPError) -> Bool {
    let meta = params["_meta"]
    guard let requested = meta?[Self.prefix + "protocolVersion"] else {
      guard revision != nil || method == "ping" else {
        throw MCPError(
          .invalidParams,
          "The request has no '\(Self.prefix)protocolVersion' in _meta, and there was no 'initialize' before it.")
      }
      return false
    }
    guard let version = requested.string, case .object? = meta?[Self.prefix + "clientCapabilities"] else {
      throw MCPError(
        .invalidParams,
        "In _meta, '\(Self.prefix)protocolVersion' must be a text and '\(Self.prefix)clientCapabilities' an object.")
    }
    guard version == Self.selfDescribing else {
      throw MCPError(
        .unsupportedVersion, "Unsupported protocol version",
        data: ["supported": Self.supported, "requested": requested])
    }
    return true
  }

  private static let supported = OutputValue.array(([selfDescribing] + negotiated).map(OutputValue.text))

  // MARK: - Methods

  private mutating func initialize(_ params: OutputValue) throws(MCPError) -> [(key: String, value: OutputValue)] {
    guard let requested = params["protocolVersion"]?.string else {
      throw MCPError(.invalidParams, "The protocolVersion is missing, or not a text.")
    }
    let agreed = Self.negotiated.contains(requested) ? requested : Self.negotiated[0]
    revision = agreed
    return [
      ("protocolVersion", .text(agreed)), ("capabilities", Self.capabilities), ("serverInfo", Self.serverInfo),
      ("instructions", .text(instructions)),
    ]
  }

  private var discovered: [(key: String, value: OutputValue)] {
    [
      ("supportedVersions", Self.supported), ("capabilities", Self.capabilities),
      ("instructions", .text(instructions)),
    ]
  }

  private func call(_ id: RequestID, _ params: OutputValue, isSelfDescribing: Bool) throws(MCPError) -> Reaction {
    guard let name = params["name"]?.string else {
      throw MCPError(.invalidParams, "The name of the tool is missing, or not a text.")
    }
    guard let tool = CommandTool.all.first(where: { $0.name == name }) else {
      throw MCPError(
        .invalidParams, "Could not call \(quoted: name): there is no such tool. List the tools with tools/list.")
    }
    guard allowsWriting || !tool.writes else {
      throw MCPError(
        .invalidParams,
        "Could not call \(quoted: name): it changes data, and this server is read-only. Start it with 'waymark mcp --write'."
      )
    }
    var values: [(key: String, value: OutputValue)] = []
    switch params["arguments"] {
    case .object(let members)?: values = members
    case nil, .null?: break
    default: throw MCPError(.invalidParams, "The arguments are not an object.")
    }
    do throws(ToolInputError) {
      let arguments = try tool.commandLine(values)
      return .call(Call(id: id, tool: tool, arguments: arguments, isSelfDescribing: isSelfDescribing))
    } catch {
      let text = "Could not call \(quoted: name): \(error)"
      return .answer(Self.result(of: id, [text], isError: true, isSelfDescribing: isSelfDescribing))
    }
  }

  private static let capabilities: OutputValue = ["tools": [:]]
  private static let serverInfo: OutputValue = [
    "name": "waymark", "title": "Waymark", "version": .text(ProgramVersion.current),
  ]

  /// Instructions for the language model that uses the tools.
  private var instructions: String {
    "Waymark contains courses, which consist of goals, lessons and activities, and the history of a learner. A place "
      + "is identified by its path, such as english-for-business/negotiating. "
      + "'tree' lists places, 'search' finds them, "
      + "'show' prints the text of an activity, and 'where' reports the current place and the next activity. Each "
      + "tool is the 'waymark' command of the same name. A list can be long: set 'limit'."
      + (allowsWriting ? " Tools that change data run one after another." : " This server is read-only.")
  }

  // MARK: - Answers

  /// Returns the answer to a tool call.
  static func result(of id: RequestID, _ texts: [String], isError: Bool, isSelfDescribing: Bool) -> OutputValue {
    let content: [OutputValue] = texts.map { ["type": "text", "text": .text($0)] }
    return success(
      id, [("content", .array(content)), ("isError", .bool(isError))], isSelfDescribing: isSelfDescribing)
  }

  /// - Parameter isCacheable: Whether the protocol requires a caching time in the result.
  private static func success(
    _ id: RequestID, _ members: [(key: String, value: OutputValue)], isSelfDescribing: Bool = false,
    isCacheable: Bool = false
  ) -> OutputValue {
    var result = members
    if isSelfDescribing {
      result.insert(("resultType", .text("complete")), at: 0)
      // The caching time is 0: after a restart, the server may offer other tools, and the answer is cheap to compute.
      if isCacheable { result += [("ttlMs", .integer(0)), ("cacheScope", .text("private"))] }
      result.append(("_meta", [prefix + "serverInfo": serverInfo]))
    }
    return ["jsonrpc": "2.0", "id": id.value, "result": .object(result)]
  }

  /// - Parameter id: The ID of the request, or `nil` if the ID could not be read.
  private static func failure(_ id: RequestID?, _ error: MCPError) -> OutputValue {
    var members: [(key: String, value: OutputValue)] = [
      ("code", .integer(error.code.rawValue)), ("message", .text(error.message)),
    ]
    if let data = error.data { members.append(("data", data)) }
    return ["jsonrpc": "2.0", "id": id?.value ?? .null, "error": .object(members)]
  }

  /// Returns the answer to a request whose ID is already used by an unanswered request.
  static func answer(toRepeated id: RequestID) -> OutputValue {
    failure(id, MCPError(.invalidRequest, "A request with this id is still being answered."))
  }
}

/// An error of the protocol.
///
/// Source: JSON-RPC 2.0, section 5.1; Model Context Protocol 2026-07-28, "Error Codes".
private struct MCPError: Error {
  enum Code: Int64 {
    case parse = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParams = -32602
    case unsupportedVersion = -32022
  }

  let code: Code
  let message: String
  let data: OutputValue?

  init(_ code: Code, _ message: String, data: OutputValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }
}

/// A JSON text from another program.
struct ReceivedJSON {
  let value: OutputValue

  /// Parses UTF-8 text. Returns `nil` if it is not JSON or has more than 512 nesting levels.
  init?(_ bytes: [UInt8]) {
    var scanner = JSONScanner(bytes, deepest: 512, dialect: .standard)
    guard String(validating: bytes, as: UTF8.self) != nil, let value = try? Self.value(&scanner), scanner.peek() == nil
    else { return nil }
    self.value = value
  }

  private static func value(_ scanner: inout JSONScanner) throws -> OutputValue {
    switch scanner.peek() {
    case UInt8(ascii: "{"):
      var members: [(key: String, value: OutputValue)] = []
      try scanner.object { members.append(($1, try value(&$0))) }
      return .object(members)
    case UInt8(ascii: "["):
      var values: [OutputValue] = []
      try scanner.array { values.append(try value(&$0)) }
      return .array(values)
    case UInt8(ascii: "\""): return .text(try scanner.string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try scanner.skipped() == "true")
    case UInt8(ascii: "n"):
      try scanner.skip()
      return .null
    default:
      let text = try scanner.number()
      if let number = Int64(text) { return .integer(number) }
      guard let number = Double(text), number.isFinite else { throw scanner.malformed("a number is too large", "") }
      return Int64(exactly: number).map(OutputValue.integer) ?? .number(number)
    }
  }
}

extension OutputValue {
  /// Returns a member of an object, or `nil` if the value is not an object or has no such member.
  subscript(_ key: String) -> OutputValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  /// The string, or `nil` if the value is not a string.
  var string: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }
}
