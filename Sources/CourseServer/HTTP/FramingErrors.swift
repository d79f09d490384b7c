import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Passes a head that the decoder cannot parse to the responder, as a request of the method ``HTTPTypes/HTTPRequest/Method/unreadable``.
///
/// So it is answered with a problem document, after the answers to the requests before it on the connection. An error in a body
/// stays an error: the route that reads the body reports it.
final class FramingErrors: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private let requestLine = RequestLine()
  private var isInMessage = false
  private var hasFailed = false

  func handlerAdded(context: ChannelHandlerContext) {
    // Before the decoder, whose error is the same for a long address and for a long header field.
    try? context.pipeline.syncOperations.addHandler(requestLine, position: .first)
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
    // The decoder reports everything that follows its error as further errors.
    guard !hasFailed else { return }
    guard !isInMessage, let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
    hasFailed = true
    let failure: FramingFailure =
      switch error {
      case .headerOverflow: requestLine.length > ServerSettings.longestHead ? .longAddress : .longFields
      case .invalidMethod where requestLine.beginsWithMethod: .unknownMethod
      default: .malformed
      }
    let request = HTTPRequest(
      method: .unreadable, scheme: "http", authority: nil, path: "/" + failure.rawValue,
      headerFields: [.connection: "close"])
    context.fireChannelRead(wrapInboundOut(.head(request)))
    context.fireChannelRead(wrapInboundOut(.end(nil)))
    // The end of the input is not followed by another notification.
    context.fireChannelReadComplete()
  }
}

/// The reason why a head cannot be parsed.
enum FramingFailure: String {
  case malformed, unknownMethod, longAddress, longFields
}

extension HTTPRequest.Method {
  /// The method of a request that could not be parsed; its path names a ``FramingFailure``. No client can send it: the decoder
  /// refuses methods that it does not know.
  static let unreadable = Self("UNREADABLE")!
}

/// Measures the first line of a request, before the decoder.
///
/// Where one read holds the end of a request and the beginning of the next one, the measure is that of the first; then a long
/// address is reported as long header fields.
private final class RequestLine: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Bytes of the line so far.
  private(set) var length = 0
  /// The first bytes of the line.
  private var beginning: [UInt8] = []
  private var isComplete = false

  /// Begins with the next request.
  func restart() {
    length = 0
    beginning = []
    isComplete = false
  }

  /// True if the line begins with a token and a space. A client of another protocol, such as TLS, sends something else.
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
