import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// The event that makes ``SlowClientTimeout`` discard the further input of a connection, and close the connection when
/// the client closes its sending side.
struct InputIsDiscarded: Sendable {}

/// Closes connections of clients that are too slow in sending a request's body or in receiving a response. Also closes
/// the connection after a response with `Connection: close`.
///
/// Hummingbird's idle timeout closes connections that are idle or on which the head of a request arrives too late.
final class SlowClientTimeout: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let timeout: TimeAmount
  private var reading: Scheduled<Void>?
  private var writing: Scheduled<Void>?
  private var isLast = false
  private var isInputClosed = false
  private var isDiscarding = false

  /// - Parameter seconds: The maximum time for receiving a request's body, and the maximum time until the client has
  ///   received a chunk of a response.
  init(timeout seconds: Int) {
    timeout = .seconds(Int64(seconds))
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    reading?.cancel()
    writing?.cancel()
  }

  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard event is InputIsDiscarded else { return context.triggerUserOutboundEvent(event, promise: promise) }
    isDiscarding = true
    // Nothing else reads while earlier input is waiting, and an end that is not read is not noticed.
    if isInputClosed { context.close(promise: promise) } else { context.read() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    isInputClosed = isInputClosed || event as? ChannelEvent == .inputClosed
    if isInputClosed, isDiscarding { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if isDiscarding { context.read() }
    context.fireChannelReadComplete()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isDiscarding else { return }
    switch unwrapInboundIn(data) {
    case .head: reading = closing(context)
    case .body: break
    case .end:
      reading?.cancel()
      reading = nil
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head):
      isLast = head.headerFields[.connection]?.lowercased() == "close"
      context.write(data, promise: promise)
    case .body:
      context.write(data, promise: promise)
    case .end:
      guard isLast else { return context.write(data, promise: promise) }
      // The rest of a request's body is not read. If both directions were closed at once, the system would send a
      // reset, and the client would lose the response.
      context.writeAndFlush(data, promise: promise)
      context.close(mode: .output, promise: nil)
      reading?.cancel()
      reading = closing(context, after: .milliseconds(500))
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    writing?.cancel()
    writing = context.channel.isWritable ? nil : closing(context)
    context.fireChannelWritabilityChanged()
  }

  private func closing(_ context: ChannelHandlerContext, after time: TimeAmount? = nil) -> Scheduled<Void> {
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    return context.eventLoop.scheduleTask(in: time ?? timeout) { bound.value.close(promise: nil) }
  }
}
