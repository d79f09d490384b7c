import TextCanvas

/// Sends frames to a terminal without ever waiting for it, and without letting frames wait behind each other.
///
/// A frame goes out in slices, as many at a time as ``FlowControl`` allows. A frame that arrives meanwhile takes the
/// place of the one that waits, and of what is left of the one that is being sent: the encoder knows what the terminal
/// shows after each slice.
struct OutputQueue {
  /// Where bytes go, and what came of it.
  typealias Write = (UnsafeRawBufferPointer) -> TerminalDevice.Outcome

  /// What the queue wants to be told of next.
  struct Wish: Equatable {
    /// That the terminal can be written.
    var writable = false
    /// That this moment has come.
    var moment: Double?
  }

  /// Turns frames into slices.
  let encoder: FrameEncoder
  /// How much may go.
  var flow = FlowControl()
  private var waiting: Frame?
  /// What goes out beside frames, between two slices.
  private var messages: [[UInt8]] = []
  /// Pictures, which go when nothing else is to go.
  private(set) var pictures = PictureQueue()
  /// How often pictures were taken away.
  private(set) var pictureRemovals = 0
  /// What could not be written of a slice that is begun.
  private var remainder: [UInt8] = []
  /// Whether a question stands at the end of the remainder.
  private var remainderAsks = false
  /// Whether the terminal is gone, and nothing is written any more.
  private(set) var isGone = false

  init(encoder: FrameEncoder) {
    self.encoder = encoder
  }

  /// Takes a frame, in place of one that waits.
  mutating func present(_ frame: Frame, now: Double, write: Write) -> Wish {
    if touchesPictures(frame) { removePictures() }
    waiting = waiting.map { frame.following($0) } ?? frame
    return advance(now: now, write: write)
  }

  /// Sends something that changes neither the picture nor the pen, such as a text for the clipboard, as soon as no slice
  /// is cut by it.
  mutating func send(_ message: [UInt8], now: Double, write: Write) -> Wish {
    messages.append(message)
    return advance(now: now, write: write)
  }

  /// Shows a picture over the text as soon as nothing else is to be sent.
  mutating func show(_ picture: TerminalPicture, now: Double, write: Write) -> Wish {
    pictures.add(picture)
    return advance(now: now, write: write)
  }

  /// Takes all pictures away, also the one that is being sent, and shows the text below them.
  mutating func hidePictures(now: Double, write: Write) -> Wish {
    guard !pictures.all.isEmpty else { return Wish(moment: isBusy ? moment : nil) }
    let (hadText, frame) = (pictures.all.contains(where: \.coversText), waiting ?? encoder.lastFrame)
    removePictures()
    if hadText, waiting == nil { waiting = frame }
    return advance(now: now, write: write)
  }

  /// Whether a frame changes something under a picture, or moves it.
  private func touchesPictures(_ frame: Frame) -> Bool {
    guard !pictures.all.isEmpty else { return false }
    guard frame.shifts.isEmpty, let before = waiting ?? encoder.lastFrame, before.surface.size == frame.surface.size
    else { return true }
    return pictures.all.contains { frame.surface.part($0.cells) != before.surface.part($0.cells) }
  }

  private mutating func removePictures() {
    let (bytes, cells) = pictures.removeAll()
    pictureRemovals += 1
    if !bytes.isEmpty { messages.insert(bytes, at: 0) }
    for cells in cells { encoder.forget(cells) }
  }

  /// The bytes that the line takes in a second, as far as is known.
  var rate: Double { Double(flow.window) / FlowControl.timeBudget }

  /// Shows the newest frame again on a terminal that has lost it; nothing where there was none of its size.
  mutating func repaint(now: Double, write: Write) -> Wish {
    if waiting == nil, let frame = encoder.lastFrame { waiting = frame }
    return advance(now: now, write: write)
  }

  /// The terminal has answered a question.
  mutating func answered(now: Double, write: Write) -> Wish {
    flow.answered(now: now)
    return advance(now: now, write: write)
  }

  /// Sends what can be sent: something was answered, the terminal can be written again, or the moment has come that was
  /// wished for.
  mutating func advance(now: Double, write: Write) -> Wish {
    flow.giveUp(now: now)
    while !isGone {
      guard flush(write) else { return Wish(writable: true, moment: moment) }
      // Nothing goes between the pieces of a picture.
      if pictures.isInside, !messages.isEmpty || waiting != nil || encoder.hasSlices { removePictures() }
      if let message = messages.first {
        guard flow.hasRoom(for: message.count) else { break }
        messages.removeFirst()
        let asks = flow.mustAsk(after: message.count, isLast: !encoder.hasSlices && waiting == nil)
        flow.sent(message.count, asking: asks, now: now)
        remainderAsks = asks
        put(message + (asks ? Self.question : []), write)
        continue
      }
      // A new frame replaces what is left of the old one, of which nothing more goes out.
      if let frame = waiting {
        guard flow.hasRoom(for: flow.sliceLimit) else { break }
        waiting = nil
        encoder.sliceLimit = flow.sliceLimit
        encoder.begin(frame)
      }
      if !encoder.hasSlices, waiting == nil, let piece = pictures.next(now: now, rate: rate) {
        encoder.forgetCursor()
        put(piece, write)
        continue
      }
      guard let slice = encoder.nextSlice, flow.hasRoom(for: slice.count) else { break }
      send(slice, now: now, write)
    }
    let next = pictures.isSending && !isBusy ? pictures.moment : nil
    return Wish(moment: next ?? (isBusy ? moment : nil))
  }

  /// How many answers the terminal owes: a question that is not written to its end gets none.
  var owedAnswers: Int { flow.openQuestions - (remainderAsks && !remainder.isEmpty ? 1 : 0) }

  /// Whether a frame given now would wait.
  var isBusy: Bool {
    encoder.hasSlices || !messages.isEmpty || waiting != nil || !remainder.isEmpty
      || !flow.hasRoom(for: flow.sliceLimit)
  }

  /// Drops everything that is not yet written. Says whether the last piece was cut in the middle.
  mutating func abandon() -> Bool {
    let wasCut = !remainder.isEmpty || pictures.isInside
    pictures = PictureQueue()
    remainder.removeAll()
    messages.removeAll()
    waiting = nil
    flow.reset()
    return wasCut
  }

  private var moment: Double? { flow.deadline }

  private mutating func send(_ slice: UnsafeRawBufferPointer, now: Double, _ write: Write) {
    let asks = flow.mustAsk(after: slice.count, isLast: encoder.isLastSlice)
    flow.sent(slice.count, asking: asks, now: now)
    remainderAsks = asks
    if asks {
      put(Array(slice) + Self.question, write)
    } else {
      put(slice, write)
    }
    encoder.commitSlice()
  }

  /// DSR, "report status". Source: ECMA-48, 8.3.35.
  static let question = Array("\u{1B}[5n".utf8)

  private mutating func put(_ bytes: [UInt8], _ write: Write) {
    bytes.withUnsafeBytes { put($0, write) }
  }

  private mutating func put(_ bytes: UnsafeRawBufferPointer, _ write: Write) {
    switch write(bytes) {
    case .count(let count): if count < bytes.count { remainder = Array(bytes[count...]) }
    case .wouldBlock: remainder = Array(bytes)
    case .gone: isGone = true
    }
  }

  /// Writes what is left of a slice; false when the terminal takes no more.
  private mutating func flush(_ write: Write) -> Bool {
    while !remainder.isEmpty, !isGone {
      switch remainder.withUnsafeBytes({ write($0) }) {
      case .count(let count): remainder.removeFirst(count)
      case .wouldBlock: return false
      case .gone: isGone = true
      }
    }
    return true
  }
}

extension Frame {
  /// This frame with the shifts of the one before it added, which was never shown: together they say how it came from
  /// the last one that was.
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

/// How many bytes may be under way to a terminal that has not yet said that it has read them.
///
/// A pseudo-terminal swallows 17 kB at once and an SSH connection much more; what lies there makes every answer to a
/// key late. So a question follows the bytes (`CSI 5 n`), and from the time its answer takes comes the number of bytes
/// that a line reads within a moment that nobody notices: the window. It begins at what a line of 64 kB a second reads
/// in 64 milliseconds, grows while answers come as quickly as the line's own delay allows, and shrinks when they lag.
struct FlowControl {
  /// The window on a line of which nothing is known.
  static let firstWindow = 4096
  /// The window on the slowest line.
  static let smallestWindow = 512
  /// The window on the quickest line.
  static let largestWindow = 64 * 1024
  /// Bytes that may go without a question behind them.
  static let questionAfter = 1024
  /// Seconds that a window is given on a terminal that does not answer.
  static let timeBudget = 0.064
  /// Seconds after which an answer of a terminal that did answer is not waited for any more.
  static let patience = 2.5
  /// Seconds of waiting in line, below which the window grows.
  private static let quick = 0.02
  /// Seconds of waiting in line, above which it shrinks.
  private static let slow = 0.07

  private struct Question {
    var bytes: Int
    var sent: Double
  }

  /// Whether the terminal is known to answer.
  private(set) var answers = false
  /// The bytes that may be unanswered.
  private(set) var window = firstWindow
  private var questions: [Question] = []
  private var unasked = 0
  /// Questions that were given up; their answers may still come, and must not be taken for others'.
  private var lost = 0
  private var disappointments = 0
  /// Whether one of these questions was ever answered. There are terminals that answer others, and not this one: they are
  /// waited for once.
  private(set) var hasAnswered = false
  private var budgetEnds: Double?
  /// The line's own delay: the shortest time that any answer took.
  private var delay: Double?

  /// The most bytes of the next slice: half a window, so that one is read while the next is sent.
  var sliceLimit: Int { max(256, min(FrameEncoder.sliceLimit, window / 2)) }

  /// How many questions have no answer yet.
  var openQuestions: Int { questions.count }

  /// Whether so many bytes may go now.
  func hasRoom(for bytes: Int) -> Bool {
    questions.isEmpty || questions.reduce(unasked) { $0 + $1.bytes } + bytes <= window
  }

  /// Whether a question has to follow so many bytes: when they are many, or when more are to come.
  func mustAsk(after bytes: Int, isLast: Bool) -> Bool { unasked + bytes >= Self.questionAfter || !isLast }

  /// Bytes went out, with or without a question behind them.
  mutating func sent(_ bytes: Int, asking: Bool, now: Double) {
    unasked += bytes
    guard asking else { return }
    questions.append(Question(bytes: unasked, sent: now))
    unasked = 0
    if !answers { budgetEnds = now + Self.timeBudget }
  }

  /// The terminal answered something that was asked when nothing else was unread, so long after.
  mutating func noteRoundTrip(_ seconds: Double) {
    if hasAnswered || disappointments == 0 { answers = true }
    delay = min(delay ?? .infinity, max(0, seconds))
  }

  /// The terminal answered the oldest question.
  mutating func answered(now: Double) {
    (answers, hasAnswered) = (true, true)
    disappointments = 0
    if lost > 0 {
      lost -= 1
      return
    }
    guard !questions.isEmpty else { return }
    let inFlight = questions.reduce(0) { $0 + $1.bytes }
    let question = questions.removeFirst()
    let seconds = now - question.sent
    let waited = seconds - min(delay ?? 0, seconds)
    if waited > Self.slow {
      window = max(Self.smallestWindow, window / 2)
    } else if waited < Self.quick, inFlight * 2 >= window {
      window = min(Self.largestWindow, window * 2)
    }
    if question.bytes < Self.questionAfter * 2 { delay = min(delay ?? .infinity, seconds) }
  }

  /// Stops waiting for answers whose time is over.
  mutating func giveUp(now: Double) {
    guard let first = questions.first else { return }
    if !answers {
      guard let ends = budgetEnds, now >= ends else { return }
      forgetQuestions()
    } else if now - first.sent >= Self.patience {
      // The line has become very slow, or another program reads what the terminal says.
      window = max(Self.smallestWindow, window / 2)
      disappointments += 1
      if disappointments > 1 || !hasAnswered { answers = false }
      forgetQuestions()
    }
  }

  /// When ``giveUp(now:)`` would stop waiting, if an answer is waited for.
  var deadline: Double? {
    guard let first = questions.first else { return nil }
    return answers ? first.sent + Self.patience : budgetEnds
  }

  /// Nothing is unread any more.
  mutating func reset() {
    questions.removeAll()
    unasked = 0
    lost = 0
    budgetEnds = nil
  }

  private mutating func forgetQuestions() {
    if disappointments > 0 { lost += questions.count }
    questions.removeAll()
    budgetEnds = nil
  }
}
