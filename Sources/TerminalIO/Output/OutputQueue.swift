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
