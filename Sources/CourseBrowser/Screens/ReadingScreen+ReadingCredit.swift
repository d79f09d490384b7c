import CoursePages
import LearningModel
import NavigationKit
import ScreenKit

/// Reading progress: visible text is credited for the time during which it is visible, the header shows the share that
/// was read, and a text that was read completely is marked as done.
extension ReadingScreen {
  /// Credits the visible text up to now.
  func creditVisibleText() {
    if let stage { creditTracker.credit(at: stage.now) }
  }

  /// Credits the visible page, because the learner leaves it with Space.
  func creditPage() {
    if let stage { creditTracker.turnPage(at: stage.now) }
  }

  /// At the end of a text that will not be done when the learner leaves it with Space: how much is missing, and why.
  var missing: (text: String, reason: String)? {
    guard endIsInView, completesWhenRead, !isDone, !isMarkedNotDone else { return nil }
    let share = account.shareAfterPage
    guard share < ReadingCredit.completionShare else { return nil }
    return (
      "\(DisplayFormat.percent(1 - share)) not read",
      "on the screen for less than a second, or left without " + (context.label(of: .readOn) ?? "Space")
    )
  }

  /// Updates the progress that the header shows.
  func updateShownProgress() { shownProgress = (account.share, account.isRead) }

  /// Handles the moment at which all visible text has been credited. If this completes the text, shows a notice with
  /// the key that undoes it, because the learner has not pressed any key.
  func visibleTextWasCredited() {
    let wasDone = isDone
    let message = recordCompletion()
    updateShownProgress()
    layOutPage()
    positionChanged()
    keysMayHaveChanged()
    guard isDone, !wasDone else { return }
    context.notify(
      (message.map { "Text read. " + $0 } ?? "Text read: marked as done.")
        + (context.label(of: .toggleDone).map { " \($0) undoes it." } ?? ""))
  }

  /// Credits the visible text, and marks the text as done if it is read.
  ///
  /// - Returns: The message about the lesson that this completes, or `nil` if it completes none.
  func recordCompletion() -> String? {
    creditVisibleText()
    // If the learner marked the text as not done in an earlier session, it is marked as done again only after more of
    // it was read.
    guard creditTracker.hasNewProgress, account.isRead, completesWhenRead, !isDone, !isMarkedNotDone else { return nil }
    return host.recorder.record(.seenToEnd, in: place, on: self)
  }

  /// Opens the next activity after the end of the text. If the text was read, it is marked as done, unless the learner
  /// has marked it as not done.
  func continueReading() {
    creditPage()
    if completesWhenRead, !isDone, !isMarkedNotDone, account.isRead {
      host.recorder.record(.seenToEnd, in: place, on: self)
    }
    openNext()
  }
}

/// Credits text for the time during which it is visible. Schedules a single call for the moment at which all visible
/// text is credited.
@MainActor final class ReadingCreditTracker {
  /// The reading progress of the text, in this session and earlier ones.
  private(set) var account: ReadingProgressTracker
  /// The lines of the text with their reading times.
  var rows: [ReadText.Row] = []
  /// Whether anything has been credited in this session.
  private(set) var hasNewProgress = false
  /// The time at which a scrolling page comes to rest.
  private var settleTime = 0.0
  /// The scheduled call for the moment at which all visible text is credited.
  private var creditCall: ScheduledCall?

  init(_ account: ReadingProgressTracker) { self.account = account }

  /// Restores the ranges that were read before.
  func restore(_ read: [String: RangeSet<Int>], of blocks: [Block]) {
    account = ReadingProgressTracker(blocks, read: read)
  }

  /// Credits the visible text up to a time.
  func credit(at time: Double) {
    if account.creditUntil(at: time) { hasNewProgress = true }
  }

  /// Credits the visible page up to a time at which the learner leaves it with Space.
  func turnPage(at time: Double) {
    if account.turnPage(at: time) { hasNewProgress = true }
  }

  /// Delays crediting because the page is moving until the given time.
  func delayCredit(until time: Double) { settleTime = time }

  /// Sets the visible lines. The lines that were visible before are credited up to now. The new lines are credited from
  /// now on or, if the page is moving, from when it comes to rest.
  ///
  /// - Parameters:
  ///   - lines: The visible lines.
  ///   - isEnd: Whether the lines contain the end of the text.
  ///   - isAttended: Whether the learner is looking at the lines.
  ///   - whenPaid: Called when all visible lines are credited, unless other lines are set first.
  func track(
    _ lines: Range<Int>, isEnd: Bool, isAttended: Bool, on stage: Stage, whenPaid: @escaping @MainActor () -> Void
  ) {
    credit(at: stage.now)
    account.show(
      lines.upperBound <= rows.count ? rows[lines] : [], isEnd: isEnd,
      since: isAttended ? max(stage.now, settleTime) : nil)
    creditCall?.cancel()
    // The call is slightly later than computed, so that rounding errors do not leave a remainder.
    creditCall = account.fullyCreditedAt.map { stage.schedule(after: $0 + 0.01 - stage.now, whenPaid) }
  }

  /// Returns the ranges that were read since the last call, by the digests of their passages.
  func takeUnsaved() -> [String: RangeSet<Int>] { account.takeUnsavedRanges() }
}
