import CoursePages
import LearningModel
import NavigationKit
import ScreenKit

/// Reading progress: visible text is credited by time, the credited share is shown, and a completely read text is done.
extension ReadingScreen {
  /// Credits the visible text up to now.
  func payForView() {
    if let stage { watch.pay(at: stage.now) }
  }

  /// Updates the progress that the header shows.
  func tell() { told = (account.share, account.isRead) }

  /// Handles the moment when all visible text is credited. If that completes the text, a notice shows how to undo it,
  /// because no key was pressed.
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
  /// - Returns: The message about the lesson that this completes, if any.
  func settled() -> String? {
    payForView()
    // If the learner removed the mark in an earlier session, it is set again only after more was read.
    guard watch.hasReadMore, account.isRead, isDoneWhenRead, !isDone, !isTakenBack else { return nil }
    return host.recorder.record(.seenToEnd, in: place, on: self)
  }

  /// Continues after the end of the text, which is done if it was read.
  func readOn() {
    payForView()
    if isDoneWhenRead, !isDone, account.isRead { host.recorder.record(.seenToEnd, in: place, on: self) }
    host.navigator.navigate(.next, cause: .key)
  }
}

/// Credits visible text for the time that it is visible, and schedules one call for when all of it is credited.
@MainActor final class ReadingWatch {
  /// The read part of the text, in this session and before.
  private(set) var account: ReadingAccount
  /// The lines of the text with their reading times.
  var rows: [ReadText.Row] = []
  /// Whether anything was read in this session.
  private(set) var hasReadMore = false
  /// The time at which a scrolling page comes to rest.
  private var restsAt = 0.0
  /// Scheduled for the time at which all visible text is credited.
  private var payday: ScheduledCall?

  init(_ account: ReadingAccount) { self.account = account }

  /// Restores what was read before.
  func take(_ read: [String: RangeSet<Int>], of blocks: [Block]) { account = ReadingAccount(blocks, read: read) }

  /// Credits the visible text up to a time.
  func pay(at moment: Double) {
    if account.settle(at: moment) { hasReadMore = true }
  }

  /// Declares that the page moves until a time. Text is not credited before.
  func move(until moment: Double) { restsAt = moment }

  /// Sets the visible lines, from now on or from when the page comes to rest. The earlier lines are credited first.
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
    // Slightly later, so that rounding leaves nothing uncredited.
    payday = account.paidAt.map { stage.schedule(after: $0 + 0.01 - stage.now, whenPaid) }
  }

  /// Returns what was read since the last call.
  func takeUnkept() -> [String: RangeSet<Int>] { account.takeUnkept() }
}
