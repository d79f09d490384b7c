import Synchronization

/// How long a write waits while somebody else has the database.
///
/// Whoever waits stands in the ``WritersLine``. SQLite itself is asked again and again only where that does not help: by
/// whoever comes to the turn while a program writes that does not know the line, where files cannot be locked, and where
/// nobody moves in the line, since somebody at its head was stopped.
final class Patience: Sendable {
  /// What is waited where the caller sets no limit of its own, in milliseconds: long enough for a large import.
  static let usual = 10_000

  /// How long to stand in a line, at most, before asking SQLite out of turn. Where it moves, a turn comes sooner.
  static let longestLine = Duration.milliseconds(100)

  private struct Waiting {
    var deadline: ContinuousClock.Instant?
    var since: ContinuousClock.Instant?
  }

  private let waiting = Mutex(Waiting())
  private let line: WritersLine

  /// Makes the patience of one writer.
  ///
  /// - Parameter path: The database that it waits for.
  init(for path: String) {
    line = WritersLine(for: path)
  }

  /// Waits in line for the writer's turn, and lets it ask SQLite until the deadline.
  ///
  /// - Parameter deadline: `nil` for the usual time.
  func begin(until deadline: ContinuousClock.Instant? = nil) {
    let now = ContinuousClock.now
    let deadline = deadline ?? now + .milliseconds(Self.usual)
    line.wait(until: min(deadline, now + Self.longestLine))
    waiting.withLock { $0 = Waiting(deadline: deadline) }
  }

  /// SQLite has given the writer its lock: what else is waited for has the usual time.
  func begun() {
    waiting.withLock { $0 = Waiting() }
  }

  /// The writer has done, or has given up: the next one has its turn.
  func end() {
    begun()
    line.leave()
  }

  /// What SQLite asks when the database is busy: whether to try once more.
  ///
  /// - Parameter tries: How often it has asked before in a row.
  func tryAgain(after tries: Int) -> Bool {
    let now = ContinuousClock.now
    let (waited, isOver) = waiting.withLock { waiting in
      if tries == 0 { waiting.since = now }
      let waited = (waiting.since ?? now).duration(to: now)
      return (waited, waiting.deadline.map { now >= $0 } ?? (waited >= .milliseconds(Self.usual)))
    }
    guard !isOver else { return false }
    pause(microseconds: Self.interval(after: waited))
    return true
  }

  /// How long to sleep before asking again, in microseconds.
  static func interval(after waited: Duration) -> UInt32 {
    // Somebody who keeps it for long; being first matters less than being quiet.
    waited < .seconds(1) ? 150 : 1_000
  }

  /// Lets those who wait go first, between two pieces of a long work: at most for twice as long as the last piece kept
  /// them waiting, and for ten milliseconds. After that it is at the end of the line in any case.
  ///
  /// - Parameter time: How long it kept them waiting.
  func giveWay(after time: Duration) {
    let deadline = ContinuousClock.now + max(.milliseconds(10), time * 2)
    while line.isSomebodyWaiting, ContinuousClock.now < deadline { pause(microseconds: 500) }
  }
}
