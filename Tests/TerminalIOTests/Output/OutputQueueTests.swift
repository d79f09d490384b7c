import TextCanvas
import TerminalHarness
import Testing

@testable import TerminalIO

@Suite struct OutputQueueTests {
  /// The frames of an animation in which each cell has another colour. Each frame takes 200 kB.
  private static let loud: [Surface] = (0..<8).map { step in
    var surface = Surface(columns: 120, rows: 40, filledWith: .blank)
    for row in 0..<40 {
      for column in 0..<120 {
        let shade = UInt8(truncatingIfNeeded: column * 3 + row * 7 + step * 31)
        surface[column, row] = Cell(Glyph("x"), style: Style(foreground: .rgb(shade, 9, 255 &- shade)))
      }
    }
    return surface
  }

  /// Presents sixty frames per second over a slow connection for a number of seconds. Returns, for each frame, the
  /// seconds from its presentation to the arrival of its first byte. The value is `nil` if the frame was replaced
  /// before it was sent.
  private func run(_ line: SlowLine, seconds: Double, frames: [Surface] = loud) -> [Double?] {
    var queue = OutputQueue(encoder: FrameEncoder(size: frames[0].size, features: OutputFeatures()))
    // The queries of the start have about 300 bytes.
    if line.answers { queue.flow.recordRoundTrip(2 * line.delay + 300 / line.rate) }
    var latencies: [Double?] = []
    var presented = 0.0
    var firstByte: Int?
    var hasRemainder = false
    var condition = OutputQueue.WaitCondition()
    let tick = 0.001
    for step in 0..<Int(seconds / tick) {
      let now = Double(step) * tick
      let write: OutputQueue.Write = { bytes in
        if firstByte == nil, !hasRemainder { firstByte = line.written.count }
        let outcome = line.write(bytes, at: now)
        if case .count(let count) = outcome { hasRemainder = count < bytes.count } else { hasRemainder = true }
        return outcome
      }
      while let answer = line.takeAnswer(by: now) { condition = queue.replyArrived(now: answer, write: write) }
      if condition.writable || condition.deadline.map({ $0 <= now }) ?? false {
        condition = queue.advance(now: now, write: write)
      }
      if step % 16 == 0 {
        if step > 0 { latencies.append(firstByte.map { line.arrivals[$0] - presented }) }
        firstByte = nil
        presented = now
        let frame = Frame(surface: frames[step / 16 % frames.count])
        condition = queue.present(frame, now: now, write: write)
      }
    }
    return latencies
  }

  /// Returns the longest time from the presentation of a frame to the arrival of its first byte, or infinity if no
  /// frame was sent.
  private func worst(_ latencies: [Double?]) -> Double { latencies.compactMap { $0 }.max() ?? .infinity }

  @Test func `a frame's first byte arrives within 100 ms at 64 kB per second`() {
    let latencies = run(SlowLine(rate: 64_000), seconds: 8)

    #expect(worst(latencies) < 0.1)
    #expect(latencies.compactMap { $0 }.count > 60, "frames go on being begun")
  }

  @Test func `a fast connection with a long delay gets a large window`() {
    let line = SlowLine(rate: 4_000_000, delay: 0.05)

    let latencies = run(line, seconds: 4)

    #expect(worst(latencies) < 0.25)
    #expect(line.written.count > 1_000_000, "a window of 4 kB would bring 40 kB a second")
  }

  @Test func `a terminal that never replies gets output at a limited rate`() {
    let line = SlowLine(rate: 1_000_000, answers: false)

    let latencies = run(line, seconds: 4)

    #expect(worst(latencies) < 0.1)
    #expect((200_000...300_000).contains(line.written.count))
  }

  @Test func `a terminal that leaves a frame's query unanswered is awaited only once`() {
    var flow = FlowControl()
    flow.recordRoundTrip(0.2)
    flow.sent(3000, asking: true, now: 1)
    flow.giveUp(now: 1 + FlowControl.replyTimeout)
    let isKnown = flow.responds
    // The terminal still replies to other queries.
    flow.recordRoundTrip(0.2)
    flow.sent(3000, asking: true, now: 10)

    #expect(!isKnown && !flow.responds && flow.deadline == 10 + FlowControl.timeBudget)
    // After a late reply, the terminal counts as replying again.
    flow.replyArrived(now: 11)
    flow.sent(3000, asking: true, now: 12)
    flow.giveUp(now: 12 + FlowControl.replyTimeout)
    #expect(flow.responds)
  }

  @Test func `a very slow connection gets no more bytes than it can transmit`() {
    let latencies = run(SlowLine(rate: 2_000), seconds: 20)

    // At first 4 kB are sent, which take two seconds. After that, the window fits the connection.
    #expect(worst(Array(latencies.suffix(600))) < 0.8)
  }

  @Test func `a small frame on a fast terminal is sent immediately in one write`() {
    var writes: [Int] = []
    let size = CellSize(columns: 80, rows: 24)
    var queue = OutputQueue(encoder: FrameEncoder(size: size, features: OutputFeatures()))
    var surface = Surface(size, filledWith: .blank)
    surface.draw("hello", at: .zero)

    let condition = queue.present(Frame(surface: surface), now: 0) { bytes in
      writes.append(bytes.count)
      return .count(bytes.count)
    }

    #expect(writes == [5])
    #expect(
      condition == OutputQueue.WaitCondition(writable: false, deadline: nil), "nothing to wait for: nothing wakes")
    #expect(!queue.isBusy)
  }

  @Test func `output that the terminal does not accept is written later`() {
    let size = CellSize(columns: 30, rows: 3)
    var queue = OutputQueue(encoder: FrameEncoder(size: size, features: OutputFeatures()))
    var surface = Surface(size, filledWith: .blank)
    surface.draw("a first line of text", at: .zero, style: Style(foreground: .rgb(1, 2, 3)))
    surface.draw("a second", at: CellPoint(column: 4, row: 2))
    let judge = Emulator(columns: 30, rows: 3)
    var budget = 0
    let trickle: OutputQueue.Write = { bytes in
      guard budget > 0 else { return .wouldBlock }
      budget -= 1
      judge.feed(bytes.prefix(1))
      return .count(1)
    }

    var condition = queue.present(Frame(surface: surface), now: 0, write: trickle)
    var rounds = 0
    while condition.writable, rounds < 500 {
      budget = 1
      condition = queue.advance(now: 0.001 * Double(rounds), write: trickle)
      rounds += 1
    }

    #expect(judge.text == "a first line of text\n\n    a second")
    #expect(!queue.isBusy)
  }

  @Test func `a query that was not written completely is not awaited`() {
    let frame = Frame(surface: Self.loud[0])
    // A terminal that accepts output up to the last bytes of a query, and the rest later.
    func owed(holdingBack withheld: Int) -> [Int] {
      var queue = OutputQueue(encoder: FrameEncoder(size: frame.surface.size, features: OutputFeatures()))
      queue.flow.recordRoundTrip(0.001)
      var isFull = false
      let cut: OutputQueue.Write = { bytes in
        guard !isFull else { return .wouldBlock }
        guard bytes.suffix(OutputQueue.statusQuery.count).elementsEqual(OutputQueue.statusQuery) else {
          return .count(bytes.count)
        }
        isFull = withheld > 0
        return .count(bytes.count - withheld)
      }
      _ = queue.present(frame, now: 0, write: cut)
      let before = queue.pendingReplies
      isFull = false
      _ = queue.advance(now: 0.001) { .count($0.count) }
      return [before, queue.pendingReplies, queue.flow.openQueries]
    }

    let complete = owed(holdingBack: 0)

    #expect(complete[0] > 0)
    #expect(complete[0] == complete[1])
    #expect(owed(holdingBack: 1)[0] == 0)
    #expect(owed(holdingBack: 30)[0] == 0)
    #expect(owed(holdingBack: 1)[1] == owed(holdingBack: 1)[2])
  }

  @Test func `a terminal that lost its content gets the last frame again`() {
    let size = CellSize(columns: 20, rows: 2)
    var queue = OutputQueue(encoder: FrameEncoder(size: size, features: OutputFeatures()))
    var surface = Surface(size, filledWith: .blank)
    surface.draw("still here", at: .zero, style: Style(foreground: .rgb(200, 30, 30)))
    let judge = Emulator(columns: 20, rows: 2)
    let write: OutputQueue.Write = {
      judge.feed($0)
      return .count($0.count)
    }
    #expect(queue.repaint(now: 0, write: write) == OutputQueue.WaitCondition(), "there was none yet")
    _ = queue.present(Frame(surface: surface), now: 0, write: write)

    judge.feed("\u{1B}[m\u{1B}[H\u{1B}[2J")
    queue.encoder.terminalWasCleared()
    _ = queue.repaint(now: 1, write: write)
    #expect(judge.text == "still here\n")

    let isNew = queue.encoder.setFeatures(OutputFeatures(colourDepth: .ansi))
    _ = queue.repaint(now: 2, write: write)
    #expect(isNew && judge.cell(column: 0, row: 0).foreground == .indexed(1))
  }

  @Test func `a terminal that lost its content gets a waiting newer frame`() {
    let size = CellSize(columns: 20, rows: 2)
    var queue = OutputQueue(encoder: FrameEncoder(size: size, features: OutputFeatures()))
    let judge = Emulator(columns: 20, rows: 2)
    var takesBytes = false
    let write: OutputQueue.Write = {
      guard takesBytes else { return .wouldBlock }
      judge.feed($0)
      return .count($0.count)
    }
    for text in ["the older one", "the newer one"] {
      var surface = Surface(size, filledWith: .blank)
      surface.draw(text, at: .zero)
      _ = queue.present(Frame(surface: surface), now: 0, write: write)
    }

    takesBytes = true
    _ = queue.repaint(now: 1, write: write)

    #expect(judge.text == "the newer one\n")
    #expect(!queue.isBusy)
  }

  @Test func `the terminal shows the newest frame once the queue is empty`() {
    let line = SlowLine(rate: 64_000)
    var queue = OutputQueue(encoder: FrameEncoder(size: Self.loud[0].size, features: OutputFeatures()))
    let judge = Emulator(columns: 120, rows: 40)
    var condition = OutputQueue.WaitCondition()
    var now = 0.0
    let write: OutputQueue.Write = { line.write($0, at: now) }
    for step in 0..<20 {
      now = Double(step) / 60
      condition = queue.present(Frame(surface: Self.loud[step % 8]), now: now, write: write)
    }
    while queue.isBusy, now < 30 {
      now += 0.001
      while let answer = line.takeAnswer(by: now) { condition = queue.replyArrived(now: answer, write: write) }
      if condition.writable || condition.deadline.map({ $0 <= now }) ?? false {
        condition = queue.advance(now: now, write: write)
      }
    }

    judge.feed(line.written)
    #expect(ExpectedScreen(Self.loud[19 % 8], features: OutputFeatures()).difference(from: judge) == nil)
  }
}
