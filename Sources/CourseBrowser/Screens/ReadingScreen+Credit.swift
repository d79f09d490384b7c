import CoursePages
import LearningModel
import NavigationService
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
    shell.notify(
      (words.map { "All read. " + $0 } ?? "All read: done.")
        + (shell.label(of: .toggleDone).map { " \($0) takes it back." } ?? ""))
  }

  /// - Returns: What is said of the lesson that is done with it.
  func settled() -> String? {
    payForView()
    // What was taken back in a sitting before is not done again without anything read.
    guard watch.hasReadMore, account.isRead, isDoneWhenRead, !isDone, !isTakenBack else { return nil }
    return shell.record(.seenToEnd, in: place, on: self)
  }

  /// On from the end of the text, which is done where it was read.
  func readOn() {
    payForView()
    if isDoneWhenRead, !isDone, account.isRead { shell.record(.seenToEnd, in: place, on: self) }
    shell.navigate(.next, cause: .key)
  }
}
