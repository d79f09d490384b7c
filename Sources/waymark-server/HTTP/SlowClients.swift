import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Lets clients go that keep the server waiting: with the body of a request, or with taking its answer. It also closes
/// the connection behind an answer that says so.
///
/// Who takes long for the head of a request, or is away between two, is let go by Hummingbird's own limit.
final class SlowClients: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let patience: TimeAmount
  private var reading: Scheduled<Void>?
  private var writing: Scheduled<Void>?
  private var isLast = false

  /// - Parameter seconds: How long a client may take for a body, and for a part of an answer.
  init(patience seconds: Int) {
    patience = .seconds(Int64(seconds))
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    reading?.cancel()
    writing?.cancel()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
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
      // What is still being sent is not read any more. Closed at once, the system would take the answer back.
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
    return context.eventLoop.scheduleTask(in: time ?? patience) { bound.value.close(promise: nil) }
  }
}
