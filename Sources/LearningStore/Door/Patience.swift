import Synchronization

/// How long a write waits while somebody else has the database.
///
/// SQLite's own waiting sleeps for up to a tenth of a second; this one asks again every millisecond, so that many
/// processes take turns quickly.
final class Patience: Sendable {
  /// What is waited where the caller sets no limit of its own, in milliseconds: long enough for a large import.
  static let usual = 10_000

  private let deadline = Mutex<ContinuousClock.Instant?>(nil)

  /// Lets the writer wait until then; `nil` for the usual time.
  func set(_ deadline: ContinuousClock.Instant?) {
    self.deadline.withLock { $0 = deadline }
  }

  /// What SQLite asks when the database is busy: whether to try once more.
  ///
  /// - Parameter tries: How often it has asked before in a row.
  func tryAgain(after tries: Int) -> Bool {
    let deadline = deadline.withLock { $0 }
    if let deadline, ContinuousClock.now >= deadline { return false }
    guard tries < Self.usual else { return false }
    pause(milliseconds: 1)
    return true
  }
}
