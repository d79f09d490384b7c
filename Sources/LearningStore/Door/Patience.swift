import Synchronization

/// How long a write waits while somebody else has the database, and how often it asks.
///
/// SQLite's own waiting sleeps for up to a tenth of a second, and lets whoever asks at the right moment go first. Here
/// whoever has waited for long asks more often than whoever has just come, so that nearly always the longest waiting one
/// is next; and it is seen that somebody waits, so that long works in small pieces let others in between.
final class Patience: Sendable {
  /// What is waited where the caller sets no limit of its own, in milliseconds: long enough for a large import.
  static let usual = 10_000

  private struct Waiting {
    var deadline: ContinuousClock.Instant?
    var isPolite = false
    var since: ContinuousClock.Instant?
  }

  private let waiting = Mutex(Waiting())
  private let sign: WaitingSign

  /// Makes the patience of one writer.
  ///
  /// - Parameter path: The database that it waits for.
  init(for path: String) {
    sign = WaitingSign(for: path)
  }

  /// Lets the writer wait until then.
  ///
  /// - Parameters:
  ///   - deadline: `nil` for the usual time.
  ///   - politely: Whether everybody else goes first for a while.
  func begin(until deadline: ContinuousClock.Instant? = nil, politely: Bool = false) {
    waiting.withLock { $0 = Waiting(deadline: deadline, isPolite: politely) }
  }

  /// The writer has its turn, or has given up.
  func end() {
    let hasWaited = waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting.since != nil
    }
    if hasWaited { sign.lower() }
  }

  /// What SQLite asks when the database is busy: whether to try once more.
  ///
  /// - Parameter tries: How often it has asked before in a row.
  func tryAgain(after tries: Int) -> Bool {
    let now = ContinuousClock.now
    let (waited, isPolite, isOver) = waiting.withLock { waiting in
      if tries == 0 { waiting.since = now }
      let waited = (waiting.since ?? now).duration(to: now)
      let isOver = waiting.deadline.map { now >= $0 } ?? (waited >= .milliseconds(Self.usual))
      return (waited, waiting.isPolite, isOver)
    }
    guard !isOver else { return false }
    if !isPolite { sign.raise() }
    pause(microseconds: Self.interval(after: waited, politely: isPolite))
    return true
  }

  /// How long to sleep before asking again, in microseconds.
  static func interval(after waited: Duration, politely: Bool) -> UInt32 {
    switch waited {
    case ..<(politely ? .milliseconds(100) : .milliseconds(4)): 1_000
    case ..<(politely ? .milliseconds(200) : .milliseconds(12)): 500
    case ..<(.seconds(1)): 150
    // Somebody keeps it for long; being first matters less than being quiet.
    default: 1_000
    }
  }

  /// Lets those who wait go first, between two pieces of a long work: at most for twice as long as the last piece kept
  /// them waiting, and for ten milliseconds.
  ///
  /// - Parameter time: How long it kept them waiting.
  func giveWay(after time: Duration) {
    let deadline = ContinuousClock.now + max(.milliseconds(10), time * 2)
    while sign.isRaisedBySomebodyElse, ContinuousClock.now < deadline { pause(microseconds: 500) }
  }
}
