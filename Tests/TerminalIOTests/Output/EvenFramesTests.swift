import TerminalHarness
import Testing
import TextCanvas

@testable import TerminalIO

/// The times at which frames are sent, 60 per second, if the terminal does not answer the query after a frame.
@Suite struct EvenFramesTests {
  /// A terminal that accepts everything at once, and its replies.
  struct Terminal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The seconds until the first reply at the start, or `nil` if the terminal never replies.
    var firstReply: Double?
    /// The seconds until the reply to a query after a frame, or `nil` if it never replies.
    var frameReply: Double?
    /// The seconds after which the terminal accepts no bytes for a while, or `nil`.
    var blocksAt: Double?
  }

  private static let size = CellSize(columns: 120, rows: 36)

  /// Returns frames of about 2 kB each.
  private static func frame(_ number: Int) -> Frame {
    var surface = Surface(size, filledWith: .blank)
    for row in 0..<20 {
      surface.draw(
        String(repeating: "\(Character(UnicodeScalar(UInt8(97 + (number + row) % 26))))", count: 100),
        at: CellPoint(column: 2, row: row))
    }
    return Frame(surface: surface)
  }

  /// Presents frames on a grid of 60 per second for three seconds, as ``TerminalSession`` does: a frame that is due
  /// while the queue is busy is presented when the queue is no longer busy.
  ///
  /// - Returns: The times at which the first byte of a frame was sent.
  private func sendingTimes(_ terminal: Terminal) -> [Double] {
    var queue = OutputQueue(encoder: FrameEncoder(size: Self.size, features: OutputFeatures(hasLinks: false)))
    if let firstReply = terminal.firstReply { queue.flow.recordRoundTrip(firstReply) }
    var sent: [Double] = []
    var replies: [Double] = []
    var condition = OutputQueue.WaitCondition()
    var nextFrame = 0.0
    var number = 0
    for step in 0..<30_000 {
      let now = Double(step) / 10_000
      let isBlocked = terminal.blocksAt.map { ($0..<$0 + 0.2).contains(now) } ?? false
      let write: OutputQueue.Write = { bytes in
        if isBlocked { return .wouldBlock }
        if let delay = terminal.frameReply, bytes.suffix(4).elementsEqual(OutputQueue.statusQuery) {
          replies.append(now + delay)
        }
        return .count(bytes.count)
      }
      while let reply = replies.first, reply <= now {
        replies.removeFirst()
        condition = queue.replyArrived(now: now, write: write)
      }
      if condition.writable && !isBlocked || condition.deadline.map({ $0 <= now }) ?? false {
        condition = queue.advance(now: now, write: write)
      }
      guard now >= nextFrame, !queue.isBusy else { continue }
      condition = queue.present(Self.frame(number), now: now, write: write)
      number += 1
      sent.append(now)
      nextFrame = (now * 60 + 1e-6).rounded(.down) / 60 + 1.0 / 60
    }
    return sent
  }

  /// Returns the longest time between two frames that were sent after a time.
  private func longestGap(_ times: [Double], after start: Double) -> Double {
    let later = times.filter { $0 >= start }
    return zip(later, later.dropFirst()).map { $1 - $0 }.max() ?? .infinity
  }

  @Test(arguments: [
    Terminal(testDescription: "never answers after frames", firstReply: 0.02),
    Terminal(testDescription: "answers the first query after 100 ms", firstReply: 0.1),
    Terminal(testDescription: "answers within a millisecond", firstReply: 0.001, frameReply: 0.001),
    Terminal(testDescription: "answers after 15 ms", firstReply: 0.015, frameReply: 0.015),
  ])
  func `a terminal that was fast at the start gets at least 30 frames a second`(terminal: Terminal) {
    let times = sendingTimes(terminal)

    // The first query is awaited once, when the first screen has been sent.
    let start = terminal.frameReply == nil ? FlowControl.firstReplyTimeout + 0.05 : 0
    #expect(longestGap(times, after: start) <= 1.0 / 30)
    #expect(times.filter { $0 >= 2 }.count >= 55)
  }

  @Test func `a terminal that was slow at the start gets output at a limited rate`() {
    let times = sendingTimes(Terminal(testDescription: "", firstReply: 0.2))

    #expect(times.filter { $0 >= FlowControl.replyTimeout + 0.1 }.count < 20)
  }

  @Test func `nothing is sent while a fast terminal accepts no bytes`() {
    let terminal = Terminal(testDescription: "", firstReply: 0.02, blocksAt: 2)

    let times = sendingTimes(terminal)

    // One frame can wait in the queue.
    #expect(times.filter { (2.001..<2.2).contains($0) }.count <= 1)
    #expect(times.filter { $0 >= 2.3 }.count > 35)
  }

  @Test func `a late reply to an abandoned query restores the waiting for replies`() {
    var flow = FlowControl()
    flow.recordRoundTrip(0.01)
    flow.sent(2000, asking: true, now: 0)
    flow.giveUp(now: FlowControl.firstReplyTimeout)
    #expect(!flow.responds && flow.window == FlowControl.firstWindow)
    flow.sent(2000, asking: true, now: 1)
    #expect(flow.deadline == 1 + FlowControl.frameBudget)

    flow.replyArrived(now: 1.001)
    flow.replyArrived(now: 1.002)
    flow.sent(2000, asking: true, now: 2)

    #expect(flow.responds && flow.deadline == 2 + FlowControl.replyTimeout)
  }
}
