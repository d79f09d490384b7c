import Answers
import CoursePages
import NavigationKit
import ScreenKit

/// Writes that are pending because another process, usually an import, is writing to the database.
///
/// They are retried in order after a short interval. Frames are drawn between the attempts.
@MainActor final class PendingWrites {
  /// Performs one write. Waits for other writers up to the given time, and then throws ``NavigationError/busy``.
  typealias Write = (_ timeout: Duration) throws -> Void

  /// The time for which the first attempt waits. It is short enough not to delay a frame.
  static let firstTry = Duration.milliseconds(20)
  /// The number of seconds between two attempts.
  static let interval = 0.03
  /// The number of seconds of waiting after which a notice is shown, and the number after which the write is abandoned.
  static let silence = 0.5
  static let longest = 10.0
  /// The time that is available for all pending writes when the program ends.
  static let longestEnd = Duration.seconds(2)
  static let lost = "Could not record the last steps: another program was writing into the database."
  static let words = "Waiting: another program is writing into the database, an import perhaps."

  private var writes: [Write] = []
  private var waited = 0.0
  private var hasSaid = false
  private var next: ScheduledCall?
  private let screen: BrowserScreen
  private let stage: Stage

  init(screen: BrowserScreen, stage: Stage) { (self.screen, self.stage) = (screen, stage) }

  /// Performs a write at once, or after all pending writes if the database is busy.
  func write(_ body: @escaping Write) {
    guard writes.isEmpty else { return writes.append(body) }
    do {
      try body(Self.firstTry)
    } catch NavigationError.busy {
      writes.append(body)
      waited = 0
      tryLater()
    } catch {
      screen.notify(CommandWords.text(error))
    }
  }

  /// Performs the pending writes before the program ends, waiting at most ``longestEnd`` in total.
  ///
  /// - Returns: A message about changes that could not be written, or `nil`.
  func finish() -> String? {
    next?.cancel()
    let end = ContinuousClock.now + Self.longestEnd
    defer { writes = [] }
    for write in writes {
      do {
        try write(max(.zero, ContinuousClock.now.duration(to: end)))
      } catch NavigationError.busy {
        return Self.lost
      } catch {
        return CommandWords.text(error)
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
        try write(.zero)
      } catch NavigationError.busy where waited < Self.longest {
        if waited >= Self.silence, !hasSaid {
          hasSaid = true
          screen.notify(Self.words)
        }
        return tryLater()
      } catch {
        // Later writes may depend on this one, so they are discarded too.
        writes = []
        hasSaid = false
        return screen.notify(CommandWords.text(error))
      }
      writes.removeFirst()
      waited = 0
    }
    if hasSaid { screen.endNotice(of: Self.words) }
    hasSaid = false
  }
}
