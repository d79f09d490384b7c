import Foundation
import HTTPTypes
import Hummingbird
import LearningModel
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// If the decoder cannot parse the head of a request, passes a request with the method
/// ``HTTPTypes/HTTPRequest/Method/unreadable`` to the responder.
///
/// The client gets a problem document, after the responses to the previous requests on the connection. An error in a
/// body is passed on unchanged, to the code that reads the body.
final class FramingErrors: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private let requestLine = RequestLine()
  private var isInMessage = false
  private var hasFailed = false

  func handlerAdded(context: ChannelHandlerContext) {
    // This handler comes before the decoder, because the decoder reports a long address and a long header field with
    // the same error.
    let pipeline = context.pipeline.syncOperations
    try? pipeline.addHandler(requestLine, position: .first)
    if let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) {
      try? pipeline.addHandler(VersionRules(), position: .after(decoder))
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: isInMessage = true
    case .body: break
    case .end:
      isInMessage = false
      requestLine.restart()
    }
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // After its first error, the decoder reports an error for all further input.
    guard !hasFailed else { return }
    guard !isInMessage, let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
    hasFailed = true
    let failure: FramingFailure =
      switch error {
      case .headerOverflow: requestLine.length > ServerSettings.maximumHeadBytes ? .longAddress : .longFields
      case .invalidMethod where requestLine.beginsWithMethod: .unknownMethod
      default: .malformed
      }
    let request = HTTPRequest(
      method: .unreadable, scheme: "http", authority: nil, path: "/" + failure.rawValue,
      headerFields: [.connection: "close"])
    context.fireChannelRead(wrapInboundOut(.head(request)))
    context.fireChannelRead(wrapInboundOut(.end(nil)))
    // After the end of a message, the decoder does not send this notification.
    context.fireChannelReadComplete()
  }
}

/// The reason why a head cannot be parsed.
enum FramingFailure: String {
  case malformed, unknownMethod, longAddress, longFields, host
}

/// Applies the rules for the field `Host` and for HTTP/1.0. Later handlers receive neither the version of a request nor a
/// repeated `Host`.
private final class VersionRules: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// Whether the requests that are not answered yet have a version before HTTP/1.1.
  private var areOld: [Bool] = []

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    let isOld = (head.version.major, head.version.minor) < (1, 1)
    areOld.append(isOld)
    var failure: FramingFailure?
    // Source: RFC 9112, section 3.2.
    let hosts = head.headers["Host"]
    if hosts.count > 1 || hosts.isEmpty && !isOld || !hosts.allSatisfy({ Self.isHost($0[...]) }) { failure = .host }
    // Source: RFC 9112, section 3.2.2.
    if head.uri.first != "/", let mark = head.uri.firstRange(of: "://") {
      let host = head.uri[mark.upperBound...].prefix { !"/?#".contains($0) }
      let isWeb = ["http", "https"].contains(head.uri[..<mark.lowerBound].lowercased())
      if !isWeb || host.isEmpty || host.first == ":" || !Self.isHost(host) { failure = .malformed }
    }
    if isOld {
      // Sources: RFC 9112, section 6.1; RFC 9110, section 10.1.1.
      if head.headers.contains(name: "Transfer-Encoding") { failure = .malformed }
      head.headers.remove(name: "Expect")
    }
    if let failure {
      (head.method, head.uri) = (.RAW(value: HTTPRequest.Method.unreadable.rawValue), "/\(failure.rawValue)")
    }
    // Other handlers compare the whole field.
    if failure != nil || isOld || !head.isKeepAlive {
      head.headers.replaceOrAdd(name: "Connection", value: "close")
    }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    // A client of HTTP/1.0 does not know the chunked coding, which the encoder uses for HTTP/1.1. Source: RFC 9112,
    // section 6.1.
    if case .head(var head) = unwrapOutboundIn(data), head.status.code >= 200, !areOld.isEmpty,
      areOld.removeFirst()
    {
      head.version = .http1_0
      return context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
    context.write(data, promise: promise)
  }

  /// Returns whether a text is a host with an optional port. It may be empty.
  ///
  /// Source: RFC 9110, section 7.2; RFC 3986, section 3.2.2.
  private static func isHost(_ text: Substring) -> Bool {
    // A regular expression takes 0.1 ms, which is half of the time of a short request.
    let literal = text.first == "[" ? text.dropFirst().prefix { $0 != "]" } : nil
    let host = literal.map { text.prefix($0.count + 2) } ?? text.prefix { $0 != ":" }
    let port = text[host.endIndex...]
    guard port.isEmpty || port.first == ":" && port.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }) else {
      return false
    }
    guard let literal else {
      return host.utf8.allSatisfy(hostBytes.contains) && String(host).removingPercentEncoding != nil
    }
    return host.last == "]" && (try? SocketAddress(ipAddress: String(literal), port: 0))?.protocol == .inet6
  }

  private static let hostBytes = Set((Query.unreserved + "!$&'()*+,;=%").utf8)
}

extension HTTPRequest.Method {
  /// The method of a request that could not be parsed. The path of the request contains the raw value of a
  /// ``FramingFailure``.
  ///
  /// No client can send this method, since the decoder rejects unknown methods.
  static let unreadable = Self("UNREADABLE")!
}

/// Measures the first line of a request before it is decoded.
///
/// If a single read contains the end of one request and the start of the next, the first line of the next request is
/// not measured. If its address is too long, the error is then reported as long header fields.
private final class RequestLine: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// The number of bytes of the line that have arrived.
  private(set) var length = 0
  /// The first bytes of the line, at most 64.
  private var beginning: [UInt8] = []
  private var isComplete = false

  /// Resets the measurement for the next request.
  func restart() {
    length = 0
    beginning = []
    isComplete = false
  }

  /// Whether the line starts with a token and a space. The first bytes of other protocols, such as TLS, are different.
  ///
  /// Source: RFC 9110, sections 5.6.2 and 9.1.
  var beginsWithMethod: Bool {
    let method = beginning.prefix { $0 != UInt8(ascii: " ") }
    return method.count < beginning.count && HTTPField.Name(String(decoding: method, as: UTF8.self)) != nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if !isComplete {
      let bytes = unwrapInboundIn(data).readableBytesView
      let line = bytes.firstIndex(of: UInt8(ascii: "\n")).map { bytes[..<$0] } ?? bytes
      isComplete = line.count < bytes.count
      length += line.count
      beginning += line.prefix(64 - min(64, beginning.count))
    }
    context.fireChannelRead(data)
  }
}

// Rules of HTTP that do not depend on the route: unreadable heads, transfer and content codings, and expectations.

extension Request {
  /// Rejects a request whose head could not be parsed, or whose `Transfer-Encoding` or `Expect` is not supported.
  ///
  /// - Throws: ``Problem``.
  func checkFraming() throws(Problem) {
    if method == .unreadable { throw (FramingFailure(rawValue: String(uri.path.dropFirst())) ?? .malformed).problem }
    // Source: RFC 9112, section 6.1.
    if let coding = headers[values: .transferEncoding].first(where: { $0.lowercased() != "chunked" }) {
      throw .unknownTransferCoding(coding)
    }
    // Source: RFC 9110, section 10.1.1.
    if let expectation = headers[.expect], !expectsContinue { throw .unknownExpectation(expectation) }
  }

  /// Whether a body follows the head.
  ///
  /// Source: RFC 9112, section 6.3.
  var hasBody: Bool { headers[.transferEncoding] != nil || ![nil, "0"].contains(headers[.contentLength]) }

  /// Whether the client waits for the interim response 100 before it sends the body.
  var expectsContinue: Bool { headers[.expect]?.lowercased() == "100-continue" }

  /// Checks that the body is not compressed.
  ///
  /// Source: RFC 9110, section 8.4.
  ///
  /// - Throws: ``Problem``.
  func checkContentCoding() throws(Problem) {
    let codings = headers[.contentEncoding]?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
    if let coding = codings.first(where: { $0.lowercased() != "identity" }) { throw .unknownContentCoding(coding) }
  }

  /// Sends the interim response 100 if the client waits for it.
  func askForBody(on channel: any Channel) async throws {
    guard expectsContinue else { return }
    try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
  }
}

extension FramingFailure {
  /// The problem that is reported to the client. The connection is closed, because the request asks for it.
  fileprivate var problem: Problem {
    switch self {
    case .malformed:
      .unreadable(
        "Could not read the request: it is not valid HTTP/1.1. "
          + "Send a request line, header fields and a body as RFC 9112 describes.")
    case .unknownMethod:
      Problem(
        status: .notImplemented, name: "not-implemented",
        detail: "Could not answer: this server does not know the method of the request. Use GET, POST, PUT or DELETE.")
    case .host:
      .unreadable(
        "Could not read the request: its field 'Host' is missing, repeated or malformed. "
          + "Send the host of the address, and the port if there is one.")
    case .longAddress: .longAddress(ServerSettings.maximumHeadBytes, "bytes")
    case .longFields:
      Problem(
        status: .requestHeaderFieldsTooLarge, name: "too-large",
        detail:
          "Could not read the request: it has more than \(ServerSettings.maximumHeadBytes) bytes of header fields, or "
          + "more than \(ServerSettings.maximumFields) fields. Send fewer.")
    }
  }
}

extension Problem {
  /// The address of the request is too long.
  static func longAddress(_ limit: Int, _ unit: String) -> Problem {
    Problem(
      status: .uriTooLong, name: "too-long",
      detail: "Could not read the request: its address is longer than \(limit) \(unit). Shorten it.")
  }

  /// The body is incomplete, or its chunks are malformed.
  static let unreadableBody = unreadable(
    "Could not read the request: its body is incomplete or malformed. Send it again.", headers: [.connection: "close"])

  fileprivate static func unknownTransferCoding(_ coding: String) -> Problem {
    Problem(
      status: .notImplemented, name: "not-implemented",
      detail:
        "Could not read the request: its transfer coding is \(quoted: coding). Send it as 'chunked', or with a "
        + "Content-Length.", headers: [.connection: "close"])
  }

  fileprivate static func unknownExpectation(_ expectation: String) -> Problem {
    Problem(
      status: .expectationFailed, name: "unknown-expectation",
      detail:
        "Could not perform the request: it expects \(quoted: expectation), and this server supports only "
        + "'100-continue'. Omit the Expect field.", headers: [.connection: "close"])
  }

  fileprivate static func unknownContentCoding(_ coding: String) -> Problem {
    Problem(
      status: .unsupportedMediaType, name: "unsupported-content-coding",
      detail: "Could not read the request: the content coding of its body is \(quoted: coding). "
        + "Send it without Content-Encoding.", headers: [.acceptEncoding: "identity", .connection: "close"])
  }
}
