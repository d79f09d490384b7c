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
  static let firstTryTimeout = Duration.milliseconds(20)
  /// The number of seconds between two attempts.
  static let interval = 0.03
  /// The number of seconds of waiting after which a notice is shown, and the number after which the write is abandoned.
  static let messageDelay = 0.5
  static let maximumWait = 10.0
  /// The time that is available for all pending writes when the program ends.
  static let maximumClosingWait = Duration.seconds(2)
  static let failureMessage =
    "Could not record the last steps: another program was writing to the database. Repeat them if needed."

  private var writes: [Write] = []
  private var waitedSeconds = 0.0
  private var hasReported = false
  private var next: ScheduledCall?
  private let screen: BrowserScreen
  private let stage: Stage

  init(screen: BrowserScreen, stage: Stage) { (self.screen, self.stage) = (screen, stage) }

  /// Performs a write at once, or after all pending writes if the database is busy.
  func write(_ body: @escaping Write) {
    guard writes.isEmpty else { return writes.append(body) }
    do {
      try body(Self.firstTryTimeout)
    } catch NavigationError.busy {
      writes.append(body)
      waitedSeconds = 0
      scheduleRetry()
    } catch {
      screen.notify(CommandWords.text(error))
    }
  }

  /// Performs the pending writes before the program ends, waiting at most ``maximumClosingWait`` in total.
  ///
  /// - Returns: A message about changes that could not be written, or `nil`.
  func finish() -> String? {
    next?.cancel()
    let end = ContinuousClock.now + Self.maximumClosingWait
    defer { writes = [] }
    for write in writes {
      do {
        try write(max(.zero, ContinuousClock.now.duration(to: end)))
      } catch NavigationError.busy {
        return Self.failureMessage
      } catch {
        return CommandWords.text(error)
      }
    }
    return nil
  }

  private func scheduleRetry() {
    next = stage.schedule(after: Self.interval) { [weak self] in self?.retry() }
  }

  private func retry() {
    waitedSeconds += Self.interval
    while let write = writes.first {
      do {
        try write(.zero)
      } catch NavigationError.busy where waitedSeconds < Self.maximumWait {
        if waitedSeconds >= Self.messageDelay, !hasReported {
          hasReported = true
          screen.notify(CommandWords.databaseWait)
        }
        return scheduleRetry()
      } catch {
        // Later writes may depend on this one, so they are discarded too.
        writes = []
        hasReported = false
        return screen.notify(CommandWords.text(error))
      }
      writes.removeFirst()
      waitedSeconds = 0
    }
    if hasReported { screen.endNotice(of: CommandWords.databaseWait) }
    hasReported = false
  }
}
