@testable import TerminalIO

/// A simulated connection that transmits a fixed number of bytes per second, with a buffer before it. The terminal at
/// its end replies to queries if `answers` is `true`, and never replies otherwise. All times are simulated.
final class SlowLine {
  let rate: Double
  let delay: Double
  let answers: Bool
  /// The number of bytes that a pseudo-terminal accepts before it blocks.
  let capacity = 17_000
  /// The time at which each written byte reaches the terminal.
  private(set) var arrivals: [Double] = []
  private(set) var written: [UInt8] = []
  /// The times at which replies arrive, in order.
  private(set) var answerTimes: [Double] = []

  init(rate: Double, delay: Double = 0, answers: Bool = true) {
    self.rate = rate
    self.delay = delay
    self.answers = answers
  }

  func write(_ bytes: UnsafeRawBufferPointer, at now: Double) -> TerminalDevice.Outcome {
    let queued = arrivals.reversed().prefix { $0 - delay > now }.count
    let availableBytes = capacity - queued
    guard availableBytes > 0 else { return .wouldBlock }
    for byte in bytes.prefix(availableBytes) {
      let start = max(now, (arrivals.last ?? 0) - delay)
      arrivals.append(start + 1 / rate + delay)
      written.append(byte)
      if answers, byte == UInt8(ascii: "n"), written.suffix(4).elementsEqual("\u{1B}[5n".utf8) {
        answerTimes.append(arrivals[arrivals.count - 1] + delay)
      }
    }
    return .count(min(availableBytes, bytes.count))
  }

  func takeAnswer(by time: Double) -> Double? {
    guard let first = answerTimes.first, first <= time else { return nil }
    return answerTimes.removeFirst()
  }
}
