import CoursePages
import NavigationKit
import ScreenKit

/// What the learner did that is still to be written, since another program has the database: an import, as a rule.
///
/// Each is tried again a little later, in the order in which it was done, and frames are drawn meanwhile.
@MainActor final class WaitingWrites {
  /// Writes one thing, waiting so many milliseconds at most; throws ``NavigationError/busy`` where that was not enough.
  typealias Write = (_ milliseconds: Int) throws -> Void

  /// Milliseconds that the first try waits: no frame is late for it.
  static let firstTry = 20
  /// Seconds between two tries.
  static let interval = 0.03
  /// Seconds after which the screen says what is waited for, and after which nothing is waited for any more.
  static let silence = 0.5
  static let longest = 10.0
  /// Milliseconds for all writes at the end of the program.
  static let longestEnd = 2_000
  static let lost = "Could not record the last steps: another program was writing into the database."
  static let words = "Waiting: another program is writing into the database, an import perhaps."

  private var writes: [Write] = []
  private var waited = 0.0
  private var hasSaid = false
  private var next: ScheduledCall?
  private let screen: BrowserScreen
  private let stage: Stage

  init(screen: BrowserScreen, stage: Stage) { (self.screen, self.stage) = (screen, stage) }

  /// Writes something now, or else when the database is free and what came before it is written.
  func write(_ body: @escaping Write) {
    guard writes.isEmpty else { return writes.append(body) }
    do {
      try body(Self.firstTry)
    } catch NavigationError.busy {
      writes.append(body)
      waited = 0
      tryLater()
    } catch {
      screen.notify(String(describing: error))
    }
  }

  /// Writes the waiting changes before the program ends. A user who leaves waits for at most ``longestEnd`` in all.
  ///
  /// - Returns: A sentence about changes that could not be written; `nil` if there are none.
  func finish() -> String? {
    next?.cancel()
    let end = ContinuousClock.now + .milliseconds(Self.longestEnd)
    defer { writes = [] }
    for write in writes {
      do {
        try write(max(0, Int(ContinuousClock.now.duration(to: end) / .milliseconds(1))))
      } catch NavigationError.busy {
        return Self.lost
      } catch {
        return String(describing: error)
      }
    }
    return nil
  }

  private func tryLater() {
    next = stage.schedule(after: Self.interval) { [weak self] in self?.tryAgain() }
  }

  private func tryAgain() {
    waited += Self.interval
    while let write = writes.first {
      do {
        try write(0)
      } catch NavigationError.busy where waited < Self.longest {
        if waited >= Self.silence, !hasSaid {
          hasSaid = true
          screen.notify(Self.words)
        }
        return tryLater()
      } catch {
        // What follows was done in the belief that this had been.
        writes = []
        hasSaid = false
        return screen.notify(String(describing: error))
      }
      writes.removeFirst()
      waited = 0
    }
    if hasSaid { screen.endNotice(of: Self.words) }
    hasSaid = false
  }
}
