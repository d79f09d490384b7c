import TextCanvas

/// Sends frames to a terminal without waiting for it and without queuing frames.
///
/// A frame is sent in slices, and ``FlowControl`` limits the number of bytes in transit. A new frame replaces the
/// waiting frame and the rest of the frame that is being sent, because the encoder knows the contents of the terminal
/// after each slice.
struct OutputQueue {
  /// Writes bytes and returns the outcome.
  typealias Write = (UnsafeRawBufferPointer) -> TerminalDevice.Outcome

  /// The next notification that the queue needs.
  struct WaitCondition: Equatable {
    /// Whether the queue must be notified when the terminal can be written.
    var writable = false
    /// The time at which the queue must be called again, or `nil`.
    var deadline: Double?
  }

  /// Encodes frames as slices.
  let encoder: FrameEncoder
  /// Limits the number of bytes in transit.
  var flow = FlowControl()
  private var pendingFrame: Frame?
  /// Output that is sent between two slices and is not part of a frame.
  private var messages: [[UInt8]] = []
  /// The images, which are sent when there is nothing else to send.
  private(set) var images = ImageQueue()
  /// The number of times that images were removed.
  private(set) var imageRemovalCount = 0
  /// The rest of a slice that could not be written yet.
  private var remainder: [UInt8] = []
  /// Whether a query is at the end of the remainder.
  private var remainderHasQuery = false
  /// Whether the terminal was disconnected, so that nothing is written.
  private(set) var isDisconnected = false

  init(encoder: FrameEncoder) {
    self.encoder = encoder
  }

  /// Presents a frame, which replaces a waiting one.
  mutating func present(_ frame: Frame, now: Double, write: Write) -> WaitCondition {
    if affectsImages(frame) { removeImages() }
    pendingFrame = pendingFrame.map { frame.following($0) } ?? frame
    return advance(now: now, write: write)
  }

  /// Sends output that changes neither the screen nor the pen, such as text for the clipboard. It is not sent in the
  /// middle of a slice.
  mutating func send(_ message: [UInt8], now: Double, write: Write) -> WaitCondition {
    messages.append(message)
    return advance(now: now, write: write)
  }

  /// Shows an image over the text after all other output was sent.
  mutating func show(_ image: TerminalImage, now: Double, write: Write) -> WaitCondition {
    images.add(image)
    return advance(now: now, write: write)
  }

  /// Removes all images, including the one that is being sent, and shows the text below them.
  mutating func hideImages(now: Double, write: Write) -> WaitCondition {
    guard !images.all.isEmpty else { return WaitCondition(deadline: isBusy ? deadline : nil) }
    let (hadText, frame) = (images.all.contains(where: \.coversText), pendingFrame ?? encoder.lastFrame)
    removeImages()
    if hadText, pendingFrame == nil { pendingFrame = frame }
    return advance(now: now, write: write)
  }

  /// Returns whether a frame changes cells below an image, or moves cells.
  private func affectsImages(_ frame: Frame) -> Bool {
    guard !images.all.isEmpty else { return false }
    guard frame.shifts.isEmpty, let before = pendingFrame ?? encoder.lastFrame,
      before.surface.size == frame.surface.size
    else { return true }
    return images.all.contains { frame.surface.cropped($0.cells) != before.surface.cropped($0.cells) }
  }

  private mutating func removeImages() {
    let (bytes, cells) = images.removeAll()
    imageRemovalCount += 1
    if !bytes.isEmpty { messages.insert(bytes, at: 0) }
    for cells in cells { encoder.invalidate(cells) }
  }

  /// The number of bytes that the connection accepts per second, as far as is known.
  var rate: Double { Double(flow.window) / FlowControl.timeBudget }

  /// Shows the newest frame again after its contents were lost. Has no effect if there is no frame of the current size.
  mutating func repaint(now: Double, write: Write) -> WaitCondition {
    if pendingFrame == nil, let frame = encoder.lastFrame { pendingFrame = frame }
    return advance(now: now, write: write)
  }

  /// Records that the terminal has replied to a query.
  mutating func replyArrived(now: Double, write: Write) -> WaitCondition {
    flow.replyArrived(now: now)
    return advance(now: now, write: write)
  }

  /// Sends as much as possible. Called after a reply, when the terminal can be written again, and at the requested
  /// time.
  mutating func advance(now: Double, write: Write) -> WaitCondition {
    flow.giveUp(now: now)
    while !isDisconnected {
      guard flush(write) else { return WaitCondition(writable: true, deadline: deadline) }
      // Nothing may be sent between the chunks of an image.
      if images.isInside, !messages.isEmpty || pendingFrame != nil || encoder.hasSlices { removeImages() }
      if let message = messages.first {
        guard flow.canSend(for: message.count) else { break }
        messages.removeFirst()
        let asks = flow.mustQuery(after: message.count, isLast: !encoder.hasSlices && pendingFrame == nil)
        flow.sent(message.count, asking: asks, now: now)
        remainderHasQuery = asks
        enqueue(message + (asks ? Self.statusQuery : []), write)
        continue
      }
      // A new frame replaces the unsent rest of the old one.
      if let frame = pendingFrame {
        guard flow.canSend(for: flow.sliceLimit) else { break }
        pendingFrame = nil
        encoder.sliceLimit = flow.sliceLimit
        encoder.begin(frame)
      }
      if !encoder.hasSlices, pendingFrame == nil, let chunk = images.next(now: now, rate: rate) {
        encoder.invalidateCursor()
        enqueue(chunk, write)
        continue
      }
      guard let slice = encoder.nextSlice, flow.canSend(for: slice.count) else { break }
      send(slice, now: now, write)
    }
    let next = images.isSending && !isBusy ? images.nextSendTime : nil
    return WaitCondition(deadline: next ?? (isBusy ? deadline : nil))
  }

  /// The number of replies that are still expected. A query that was not written completely gets none.
  var pendingReplies: Int { flow.openQueries - (remainderHasQuery && !remainder.isEmpty ? 1 : 0) }

  /// Whether a frame that is presented now would have to wait.
  var isBusy: Bool {
    encoder.hasSlices || !messages.isEmpty || pendingFrame != nil || !remainder.isEmpty
      || !flow.canSend(for: flow.sliceLimit)
  }

  /// Drops all output that was not written yet. Returns whether a sequence was cut in the middle.
  mutating func abandon() -> Bool {
    let wasCut = !remainder.isEmpty || images.isInside
    images = ImageQueue()
    remainder.removeAll()
    messages.removeAll()
    pendingFrame = nil
    flow.reset()
    return wasCut
  }

  private var deadline: Double? { flow.deadline }

  private mutating func send(_ slice: UnsafeRawBufferPointer, now: Double, _ write: Write) {
    let asks = flow.mustQuery(after: slice.count, isLast: encoder.isLastSlice)
    flow.sent(slice.count, asking: asks, now: now)
    remainderHasQuery = asks
    if asks {
      enqueue(Array(slice) + Self.statusQuery, write)
    } else {
      enqueue(slice, write)
    }
    encoder.commitSlice()
  }

  /// The query that follows a slice: DSR, "report status". Source: ECMA-48, 8.3.35.
  static let statusQuery = Array("\u{1B}[5n".utf8)

  private mutating func enqueue(_ bytes: [UInt8], _ write: Write) {
    bytes.withUnsafeBytes { enqueue($0, write) }
  }

  private mutating func enqueue(_ bytes: UnsafeRawBufferPointer, _ write: Write) {
    switch write(bytes) {
    case .count(let count): if count < bytes.count { remainder = Array(bytes[count...]) }
    case .wouldBlock: remainder = Array(bytes)
    case .disconnected: isDisconnected = true
    }
  }

  /// Writes the rest of a slice. Returns `false` if the terminal accepts no more bytes.
  private mutating func flush(_ write: Write) -> Bool {
    while !remainder.isEmpty, !isDisconnected {
      switch remainder.withUnsafeBytes({ write($0) }) {
      case .count(let count): remainder.removeFirst(count)
      case .wouldBlock: return false
      case .disconnected: isDisconnected = true
      }
    }
    return true
  }
}

extension Frame {
  /// Returns this frame with the additional shifts of the skipped frame before it. Together they describe the changes
  /// since the last frame that was shown.
  func following(_ skipped: Frame) -> Frame {
    guard !skipped.shifts.isEmpty else { return self }
    var result = self
    for shift in skipped.shifts {
      if let index = result.shifts.firstIndex(where: { $0.rect == shift.rect }) {
        result.shifts[index].columns += shift.columns
        result.shifts[index].rows += shift.rows
      } else {
        result.shifts.append(shift)
      }
    }
    return result
  }
}

/// Limits the number of bytes in transit to a terminal: bytes that were sent but are not known to have been read.
///
/// A pseudo-terminal buffers 17 kB and an SSH connection much more. Buffered bytes delay the response to each key.
/// Therefore a query follows the bytes (`CSI 5 n`), and the time until the reply determines the window: the number of
/// bytes that the terminal reads within an imperceptible time. Initially it is the number that a connection of 64 kB
/// per second transmits in 64 milliseconds. It grows while replies are nearly as fast as the delay of the connection
/// allows, and shrinks if they are late.
///
/// Some terminals answer the queries of the start but not those after frames. If such a terminal was fast at the start
/// and accepts all bytes that are written, it gets a window in each frame.
struct FlowControl {
  /// The initial window.
  static let firstWindow = 4096
  /// The minimum window.
  static let smallestWindow = 512
  /// The maximum window.
  static let largestWindow = 64 * 1024
  /// The number of bytes that may be sent without a query after them.
  static let queryThreshold = 1024
  /// Seconds that a terminal without replies gets for each window.
  static let timeBudget = 0.064
  /// Seconds to wait for a reply of a terminal that has replied before.
  static let replyTimeout = 2.5
  /// A terminal is fast if its first reply to any query arrives within this time, in seconds.
  static let fastReply = 0.1
  /// Seconds to wait for the first reply of a fast terminal to a query after a frame. A connection on which the queries
  /// of the start are answered within ``fastReply`` transmits a slice of the first window in less time.
  static let firstReplyTimeout = 0.75
  /// Seconds that a fast terminal gets for each window if it does not reply to queries after frames: less than the
  /// interval of 60 frames per second, so that its frames are sent evenly.
  static let frameBudget = 0.012
  /// The waiting time in seconds below which the window grows.
  private static let quick = 0.02
  /// The waiting time in seconds above which the window shrinks.
  private static let slow = 0.07

  private struct Query {
    var bytes: Int
    var sent: Double
  }

  /// Whether the terminal is known to reply.
  private(set) var responds = false
  /// The maximum number of unconfirmed bytes.
  private(set) var window = firstWindow
  private var queries: [Query] = []
  private var unqueriedBytes = 0
  /// The number of queries that were given up. Their replies may still arrive, and must not be mistaken for those of
  /// later queries.
  private var abandonedQueries = 0
  private var disappointments = 0
  /// Whether the terminal has ever replied to this query. Some terminals reply only to other queries. The output waits
  /// for such a terminal only once.
  private(set) var hasReplied = false
  private var budgetEnds: Double?
  /// The delay of the connection: the shortest time until a reply.
  private var delay: Double?
  /// The seconds until the first reply to any query, or `nil` before it.
  private var firstDelay: Double?
  private var isFast: Bool { firstDelay.map { $0 <= Self.fastReply } ?? false }
  /// Seconds to wait for a reply.
  private var timeout: Double { isFast && !hasReplied ? Self.firstReplyTimeout : Self.replyTimeout }

  /// The maximum number of bytes of the next slice: half a window, so that one slice is read while the next one is
  /// sent.
  var sliceLimit: Int { max(256, min(FrameEncoder.sliceLimit, window / 2)) }

  /// The number of queries without a reply.
  var openQueries: Int { queries.count }

  /// Returns whether a number of bytes may be sent now.
  func canSend(for bytes: Int) -> Bool {
    queries.isEmpty || queries.reduce(unqueriedBytes) { $0 + $1.bytes } + bytes <= window
  }

  /// Returns whether a query must follow a number of bytes: if there are many, or if more will follow.
  func mustQuery(after bytes: Int, isLast: Bool) -> Bool { unqueriedBytes + bytes >= Self.queryThreshold || !isLast }

  /// Records that bytes were sent, with or without a query after them.
  mutating func sent(_ bytes: Int, asking: Bool, now: Double) {
    unqueriedBytes += bytes
    guard asking else { return }
    queries.append(Query(bytes: unqueriedBytes, sent: now))
    unqueriedBytes = 0
    if !responds { budgetEnds = now + (isFast ? Self.frameBudget : Self.timeBudget) }
  }

  /// Records the time until a reply to a query that was sent while no other bytes were unread.
  mutating func recordRoundTrip(_ seconds: Double) {
    if hasReplied || disappointments == 0 { responds = true }
    delay = min(delay ?? .infinity, max(0, seconds))
    firstDelay = firstDelay ?? delay
  }

  /// Records a reply to the oldest query.
  mutating func replyArrived(now: Double) {
    (responds, hasReplied) = (true, true)
    disappointments = 0
    if abandonedQueries > 0 {
      abandonedQueries -= 1
      return
    }
    guard !queries.isEmpty else { return }
    let inFlight = queries.reduce(0) { $0 + $1.bytes }
    let question = queries.removeFirst()
    let seconds = now - question.sent
    let waited = seconds - min(delay ?? 0, seconds)
    if waited > Self.slow {
      window = max(Self.smallestWindow, window / 2)
    } else if waited < Self.quick, inFlight * 2 >= window {
      window = min(Self.largestWindow, window * 2)
    }
    if question.bytes < Self.queryThreshold * 2 { delay = min(delay ?? .infinity, seconds) }
  }

  /// Stops waiting for overdue replies.
  mutating func giveUp(now: Double) {
    guard let first = queries.first else { return }
    if !responds {
      guard let ends = budgetEnds, now >= ends else { return }
      removeQueries()
    } else if now - first.sent >= timeout {
      // The connection has become very slow, or another program reads the replies. A fast terminal that has never
      // replied to such a query ignores it.
      if hasReplied || !isFast { window = max(Self.smallestWindow, window / 2) }
      disappointments += 1
      if disappointments > 1 || !hasReplied { responds = false }
      removeQueries()
    }
  }

  /// The time at which ``giveUp(now:)`` would stop waiting, or `nil` if no reply is expected.
  var deadline: Double? {
    guard let first = queries.first else { return nil }
    return responds ? first.sent + timeout : budgetEnds
  }

  /// Forgets all bytes in transit.
  mutating func reset() {
    queries.removeAll()
    unqueriedBytes = 0
    abandonedQueries = 0
    budgetEnds = nil
  }

  private mutating func removeQueries() {
    if disappointments > 0 { abandonedQueries += queries.count }
    queries.removeAll()
    budgetEnds = nil
  }
}
