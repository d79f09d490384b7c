import CoursePages
import LearningModel
import NavigationKit
import ScreenKit

/// Reading progress: visible text is credited for the time it is visible, the header shows the share, and a text that
/// is completely read is marked as done.
extension ReadingScreen {
  /// Credits the visible text up to now.
  func payForView() {
    if let stage { watch.pay(at: stage.now) }
  }

  /// Updates the progress that the header shows.
  func tell() { told = (account.share, account.isRead) }

  /// Handles the moment at which all visible text has been credited. If this completes the text, shows a notice with
  /// the key that undoes it, because the learner has not pressed any key.
  func viewIsPaid() {
    let wasDone = isDone
    let words = settled()
    tell()
    layOutPage()
    positionChanged()
    keysMayHaveChanged()
    guard isDone, !wasDone else { return }
    context.notify(
      (words.map { "All read. " + $0 } ?? "All read: done.")
        + (context.label(of: .toggleDone).map { " \($0) takes it back." } ?? ""))
  }

  /// Credits the visible text, and marks the text as done if it is read.
  ///
  /// - Returns: The message about the lesson that this completes, or `nil` if it completes none.
  func settled() -> String? {
    payForView()
    // If the learner marked the text as not done in an earlier session, it is marked as done again only after more of
    // it was read.
    guard watch.hasReadMore, account.isRead, isDoneWhenRead, !isDone, !isTakenBack else { return nil }
    return host.recorder.record(.seenToEnd, in: place, on: self)
  }

  /// Opens the next activity after the end of the text. If the text was read, it is marked as done.
  func readOn() {
    payForView()
    if isDoneWhenRead, !isDone, account.isRead { host.recorder.record(.seenToEnd, in: place, on: self) }
    host.navigator.navigate(.next, cause: .key)
  }
}

/// Credits text for the time during which it is visible. Schedules a single call for the moment at which all visible
/// text is credited.
@MainActor final class ReadingWatch {
  /// What was read of the text, in this session and before.
  private(set) var account: ReadingAccount
  /// The lines of the text with their reading times.
  var rows: [ReadText.Row] = []
  /// Whether anything has been credited in this session.
  private(set) var hasReadMore = false
  /// The time at which a scrolling page comes to rest.
  private var restsAt = 0.0
  /// The scheduled call for the moment at which all visible text is credited.
  private var payday: ScheduledCall?

  init(_ account: ReadingAccount) { self.account = account }

  /// Restores what was read before.
  func take(_ read: [String: RangeSet<Int>], of blocks: [Block]) { account = ReadingAccount(blocks, read: read) }

  /// Credits the visible text up to a time.
  func pay(at moment: Double) {
    if account.settle(at: moment) { hasReadMore = true }
  }

  /// Delays crediting because the page is moving until the given time.
  func move(until moment: Double) { restsAt = moment }

  /// Sets the visible lines. Before, the earlier lines are credited up to now. The new lines are credited from now on
  /// or, if the page is moving, from when it comes to rest.
  ///
  /// - Parameters:
  ///   - lines: The visible lines.
  ///   - isEnd: Whether they contain the end of the text.
  ///   - isAttended: Whether the learner is looking at them.
  ///   - whenPaid: Called when all of them are credited, unless other lines are set before.
  func watch(
    _ lines: Range<Int>, isEnd: Bool, isAttended: Bool, on stage: Stage, whenPaid: @escaping @MainActor () -> Void
  ) {
    pay(at: stage.now)
    account.show(
      lines.upperBound <= rows.count ? rows[lines] : [], isEnd: isEnd,
      since: isAttended ? max(stage.now, restsAt) : nil)
    payday?.cancel()
    // The call is slightly later than computed, so that rounding errors do not leave a remainder.
    payday = account.paidAt.map { stage.schedule(after: $0 + 0.01 - stage.now, whenPaid) }
  }

  /// Returns what was read since the last call.
  func takeUnkept() -> [String: RangeSet<Int>] { account.takeUnkept() }
}
