import TextCanvas

/// Sends frames to a terminal without ever waiting for it, and without letting frames wait behind each other.
///
/// A frame goes out in slices. Behind a slice stands a question that every terminal answers when it has read that far
/// (`CSI 5 n`); so many bytes may be unanswered at a time, and more only when the answers come quickly. A frame that
/// arrives meanwhile takes the place of the one that waits, and of what is left of the one that is being sent. A
/// terminal that does not answer is given time instead.
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

  /// The bytes that may be unanswered on a line of which nothing is known. A line of 64 kB a second reads them in 64 ms.
  static let smallestWindow = FrameEncoder.sliceLimit
  /// The bytes that may be unanswered on the quickest line.
  static let largestWindow = 64 * 1024
  /// Bytes that may go without a question behind them.
  static let questionAfter = 1024
  /// Seconds that a slice is given on a terminal that does not answer.
  static let timeBudget = 0.064
  /// Seconds after which an answer is not waited for any more.
  static let patience = 1.0

  /// A question on its way.
  private struct Question {
    var bytes: Int
    var sent: Double
  }

  private(set) var encoder: FrameEncoder
  /// Whether the terminal has ever answered anything.
  var answers = false
  private var waiting: Frame?
  /// What could not be written of a slice that is begun.
  private var remainder: [UInt8] = []
  private var questions: [Question] = []
  /// Bytes since the last question.
  private var unasked = 0
  private var window = smallestWindow
  private var quickestAnswer = Double.infinity
  private var budgetEnds: Double?
  /// Whether the terminal is gone, and nothing is written any more.
  private(set) var isGone = false

  init(encoder: FrameEncoder) {
    self.encoder = encoder
  }

  // MARK: What happens

  /// Takes a frame, in place of one that waits.
  mutating func present(_ frame: Frame, now: Double, write: Write) -> Wish {
    if isBusy {
      waiting = waiting.map { frame.following($0) } ?? frame
    } else {
      encoder.begin(frame)
    }
    return advance(now: now, write: write)
  }

  /// The terminal has answered a question.
  mutating func answered(now: Double, write: Write) -> Wish {
    answers = true
    if !questions.isEmpty {
      let question = questions.removeFirst()
      adapt(to: now - question.sent, bytes: question.bytes)
    }
    return advance(now: now, write: write)
  }

  /// The terminal can be written again, or the moment has come that was wished for.
  mutating func advance(now: Double, write: Write) -> Wish {
    giveUpWaiting(now)
    while !isGone {
      guard flush(write) else { return wish(now) }
      if let frame = waiting, hasRoom {
        waiting = nil
        encoder.begin(frame)
      }
      guard let slice = encoder.nextSlice, hasRoom else { return wish(now) }
      send(slice, now: now, write)
    }
    return Wish()
  }

  /// Whether a frame given now would wait.
  var isBusy: Bool { encoder.hasSlices || waiting != nil || !remainder.isEmpty || !hasRoom }

  /// How many questions the terminal still has to answer.
  var openQuestions: Int { questions.count }

  /// Drops everything that is not yet written. Says whether the last piece was cut in the middle.
  mutating func abandon() -> Bool {
    defer {
      remainder.removeAll()
      waiting = nil
      questions.removeAll()
      unasked = 0
      budgetEnds = nil
    }
    return !remainder.isEmpty
  }

  // MARK: Writing

  private mutating func send(_ slice: UnsafeRawBufferPointer, now: Double, _ write: Write) {
    var bytes = slice
    let total = unasked + slice.count
    let asks = total >= Self.questionAfter || !encoder.isLastSlice
    var copy: [UInt8] = []
    if asks {
      copy.reserveCapacity(slice.count + 4)
      copy.append(contentsOf: slice)
      // DSR, "report status". Source: ECMA-48, 8.3.35.
      copy.append(contentsOf: "\u{1B}[5n".utf8)
    }
    copy.withUnsafeBytes { whole in
      if asks { bytes = whole }
      switch write(bytes) {
      case .count(let count): if count < bytes.count { remainder = Array(bytes[count...]) }
      case .wouldBlock: remainder = Array(bytes)
      case .gone: isGone = true
      }
    }
    encoder.commitSlice()
    if asks {
      questions.append(Question(bytes: total, sent: now))
      unasked = 0
      if !answers { budgetEnds = now + Self.timeBudget }
    } else {
      unasked = total
    }
  }

  /// Writes what is left of a slice; false when the terminal takes no more.
  private mutating func flush(_ write: Write) -> Bool {
    while !remainder.isEmpty {
      let outcome = remainder.withUnsafeBytes { write($0) }
      switch outcome {
      case .count(let count): remainder.removeFirst(count)
      case .wouldBlock: return false
      case .gone:
        isGone = true
        return false
      }
    }
    return true
  }

  // MARK: Pace

  private var unanswered: Int { questions.reduce(0) { $0 + $1.bytes } }

  private var hasRoom: Bool {
    if questions.isEmpty { return true }
    return unanswered + unasked < window
  }

  /// Lets more bytes go unanswered when answers come as quickly as ever, and fewer when they lag.
  private mutating func adapt(to delay: Double, bytes: Int) {
    quickestAnswer = min(quickestAnswer, delay)
    let queueing = delay - quickestAnswer
    if delay < 0.03 || queueing < 0.01 && quickestAnswer < 0.3 && bytes >= Self.questionAfter {
      window = min(Self.largestWindow, window * 2)
    } else if queueing > 0.04 {
      window = max(Self.smallestWindow, window / 2)
    }
  }

  /// Counts questions as answered when the time for them is over.
  private mutating func giveUpWaiting(_ now: Double) {
    if !answers, let ends = budgetEnds, now >= ends {
      budgetEnds = nil
      questions.removeAll()
    }
    if let first = questions.first, now - first.sent >= Self.patience {
      // It answered before and does so no more: perhaps another program reads what it says.
      questions.removeAll()
      answers = false
      window = Self.smallestWindow
    }
  }

  private func wish(_ now: Double) -> Wish {
    var wish = Wish(writable: !remainder.isEmpty)
    if let first = questions.first {
      wish.moment = answers ? first.sent + Self.patience : budgetEnds ?? now + Self.timeBudget
      // An answer that nothing waits for needs no clock.
      if !encoder.hasSlices && waiting == nil && remainder.isEmpty { wish.moment = nil }
    }
    return wish
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
