import Answers
import CoursePages
import NavigationKit
import ScreenKit
import TextCanvas

/// Writes that are pending because another process, usually an import, is writing to the database.
///
/// They are retried in order after a short interval. Frames are drawn between the attempts.
///
/// While a step waits, the visible page is not the one on which the next keys should act. Keys of the first half second,
/// in which nothing shows the wait, are handled after the step if it ends in that time. Later, a notice is shown, and all
/// keys and clicks during the wait are ignored and counted.
@MainActor final class PendingWrites {
  /// Performs one write. Waits for other writers up to the given time, and then throws ``NavigationError/busy``.
  typealias Write = (_ timeout: Duration) throws -> Void

  /// A write that waits.
  private struct Pending {
    /// Names the write in a message about its failure, as a verb and an object. `nil` for a change that the learner did
    /// not request.
    let action: () -> String?
    let isStep: Bool
    let perform: Write
    let onFailure: () -> Void
  }

  /// The time for which the first attempt waits. It is short enough not to delay a frame.
  static let firstTryTimeout = Duration.milliseconds(20)
  /// The time for which a write waits that is not retried. No frame is drawn during that time.
  static let directTimeout = Duration.milliseconds(500)
  /// The number of seconds between two attempts.
  static let interval = 0.03
  /// The number of seconds of waiting after which a notice is shown, and the number after which the write is abandoned.
  static let messageDelay = 0.5
  static let maximumWait = 10.0
  /// The time that is available for all pending writes when the program ends.
  static let maximumClosingWait = Duration.seconds(2)

  private var writes: [Pending] = []
  private var waitingSince = 0.0
  private var next: ScheduledCall?
  /// The notice about the wait, or `nil` before ``messageDelay``.
  private var notice: String?
  private var heldKeys: [KeyEvent] = []
  private var ignoredCount = 0
  private let context: ScreenContext
  private let screen: BrowserScreen

  init(_ context: ScreenContext, screen: BrowserScreen) { (self.context, self.screen) = (context, screen) }

  /// Performs a write at once, or after all pending writes if the database is busy.
  ///
  /// - Parameters:
  ///   - action: What failed if the write fails, such as `save the note`. `nil` for a change that the learner did not
  ///     request.
  ///   - isStep: Whether the write shows another page.
  ///   - onFailure: Called if the write fails or is abandoned.
  func write(
    _ action: @escaping @autoclosure () -> String?, isStep: Bool = false, onFailure: @escaping () -> Void = {},
    _ body: @escaping Write
  ) {
    let pending = Pending(action: action, isStep: isStep, perform: body, onFailure: onFailure)
    guard writes.isEmpty else { return writes.append(pending) }
    do {
      try body(Self.firstTryTimeout)
    } catch NavigationError.busy {
      writes.append(pending)
      waitingSince = context.stage.now
      scheduleRetry()
    } catch {
      onFailure()
      screen.notify(CommandWords.text(error))
    }
  }

  /// Takes an input if a step waits. Ctrl-C is never taken.
  func takes(_ event: InputEvent) -> Bool {
    guard writes.contains(where: \.isStep), event.isIntended else { return false }
    if case .key(let key) = event {
      if key.isInterrupt { return false }
      heldKeys.append(key)
      if notice == nil { return true }
    } else {
      ignoredCount += 1
    }
    showNotice()
    return true
  }

  /// Performs the pending writes before the program ends, waiting at most ``maximumClosingWait`` in total.
  ///
  /// - Returns: A message about changes that could not be written, or `nil`.
  func finish() -> String? {
    next?.cancel()
    let end = ContinuousClock.now + Self.maximumClosingWait
    do {
      try performAll { max(.zero, ContinuousClock.now.duration(to: end)) }
      return nil
    } catch {
      return abandon(because: error)
    }
  }

  private func performAll(_ timeout: () -> Duration) throws {
    while let write = writes.first {
      try write.perform(timeout())
      writes.removeFirst()
      waitingSince = context.stage.now
    }
  }

  private func scheduleRetry() {
    next = context.stage.schedule(after: Self.interval) { [weak self] in self?.retry() }
  }

  private func retry() {
    do {
      try performAll { .zero }
      end()
    } catch NavigationError.busy where waited < Self.maximumWait {
      // A notice about something else is shown for its time.
      if waited >= Self.messageDelay, notice == nil || screen.notice == nil { showNotice() }
      scheduleRetry()
    } catch {
      let message = abandon(because: error)
      screen.notify(message)
    }
  }

  private var waited: Double { context.stage.now - waitingSince }

  /// Shows the notice about the wait until ``end()``.
  private func showNotice() {
    ignoredCount += heldKeys.count
    heldKeys = []
    let text = CommandWords.databaseWait + (ignoredCount == 0 ? "" : " Ignored \(ignoredInputs).")
    notice = text
    screen.notify(text, minimumSeconds: Self.maximumWait)
  }

  private var ignoredInputs: String { DisplayFormat.count(ignoredCount, "input") }

  /// Ends the wait, and handles the keys that were typed before it was visible.
  private func end() {
    if notice != nil, screen.notice == notice { screen.endNotice() }
    if ignoredCount > 0 {
      screen.notify("Ignored \(ignoredInputs) while another program was using the database.", .warn)
    }
    let keys = heldKeys
    (notice, ignoredCount, heldKeys) = (nil, 0, [])
    for key in keys { context.onDeferredKey?(key) }
  }

  /// Discards all writes, because later writes may depend on the one that failed.
  ///
  /// - Returns: The message about them.
  private func abandon(because error: any Error) -> String {
    ignoredCount += heldKeys.count
    let actions = writes.compactMap { $0.action() }
    var message =
      if case NavigationError.busy = error, !actions.isEmpty {
        "Could not \(actions.joined(separator: " or ")): another program is keeping the database busy. "
          + "Try again when it has finished."
      } else { CommandWords.text(error) }
    if ignoredCount > 0 { message += " Ignored \(ignoredInputs)." }
    let failed = writes
    (writes, notice, ignoredCount, heldKeys) = ([], nil, 0, [])
    for write in failed { write.onFailure() }
    return message
  }
}
