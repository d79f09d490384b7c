import CoursePages
import LearningModel
import NavigationKit
import ScreenKit

/// What reading it comes to: what is in view is paid, what is paid is told, and what is read is done.
extension ReadingScreen {
  /// Pays what is in view for the time until now.
  func payForView() {
    if let stage { watch.pay(at: stage.now) }
  }

  /// What was paid until now is said from now on.
  func tell() { told = (account.share, account.isRead) }

  /// Nobody pressed a key for this: where the text is done by it, that is said, and how it is taken back.
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

  /// - Returns: What is said of the lesson that is done with it.
  func settled() -> String? {
    payForView()
    // What was taken back in a sitting before is not done again without anything read.
    guard watch.hasReadMore, account.isRead, isDoneWhenRead, !isDone, !isTakenBack else { return nil }
    return host.recorder.record(.seenToEnd, in: place, on: self)
  }

  /// On from the end of the text, which is done where it was read.
  func readOn() {
    payForView()
    if isDoneWhenRead, !isDone, account.isRead { host.recorder.record(.seenToEnd, in: place, on: self) }
    host.navigator.navigate(.next, cause: .key)
  }
}

/// Watches what of a text is in view: pays it for the time that it is, and wakes once, when all of it is paid.
@MainActor final class ReadingWatch {
  /// What of the text was read, in this sitting or before.
  private(set) var account: ReadingAccount
  /// The lines of the text, as they are paid.
  var rows: [ReadText.Row] = []
  /// Whether something of it was read in this sitting.
  private(set) var hasReadMore = false
  /// When a page that glides is at rest.
  private var restsAt = 0.0
  /// When what is in view will be paid.
  private var payday: ScheduledCall?

  init(_ account: ReadingAccount) { self.account = account }

  /// Takes up what was read before.
  func take(_ read: [String: RangeSet<Int>], of blocks: [Block]) { account = ReadingAccount(blocks, read: read) }

  /// Pays what is in view for the time until now.
  func pay(at moment: Double) {
    if account.settle(at: moment) { hasReadMore = true }
  }

  /// The page moves until a moment; nothing is read before.
  func move(until moment: Double) { restsAt = moment }

  /// Other lines are in view from now on, or from when they are at rest; what was in view before is paid first.
  ///
  /// - Parameters:
  ///   - lines: Those in view.
  ///   - isEnd: Whether the last of the text is one of them.
  ///   - isAttended: Whether the learner looks at them.
  ///   - whenPaid: Called when all of them are paid, unless something else comes before.
  func watch(
    _ lines: Range<Int>, isEnd: Bool, isAttended: Bool, on stage: Stage, whenPaid: @escaping @MainActor () -> Void
  ) {
    pay(at: stage.now)
    account.show(
      lines.upperBound <= rows.count ? rows[lines] : [], isEnd: isEnd,
      since: isAttended ? max(stage.now, restsAt) : nil)
    payday?.cancel()
    // A moment later, so that nothing is left over for the rounding.
    payday = account.paidAt.map { stage.schedule(after: $0 + 0.01 - stage.now, whenPaid) }
  }

  /// What was read and is not kept yet; it counts as kept then.
  func takeUnkept() -> [String: RangeSet<Int>] { account.takeUnkept() }
}
