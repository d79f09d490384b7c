import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The stored history of an activity.
struct ActivityHistory {
  /// The reading position, or the position of the current flashcard.
  var position: ReadingPosition?
  /// The read ranges of passages, by digest.
  var passages: [String: RangeSet<Int>] = [:]
  /// The notes in the text.
  var notes: [Note] = []
  /// The attempts at a quiz, newest first.
  var attempts: [QuizAttempt] = []
  /// The unfinished run of a quiz.
  var run: QuizRun?
  /// Whether each flashcard was known the last time, by card number.
  var grades: [Int: Bool] = [:]
  /// Formats dates of the history.
  var days: RelativeDateFormat?
  /// Whether the learner came to the activity with *back* or *forward*. If `true`, the activity continues where it was
  /// left.
  var isReturn = false
}

/// The page of an activity: a text, flashcards, a quiz or a link.
@MainActor class ActivityScreen: PageScreen, ActivityPage {
  /// The number of seconds without changes after which the position is stored. Long enough to avoid a write for every
  /// page, short enough to lose little if the process is killed.
  private static let saveDelay = 1.0
  /// The maximum number of seconds between a change and the write. Relevant while changes are continuous.
  private static let saveInterval = 30.0

  private var saveCall: ScheduledCall?
  /// The time of the first change that is not stored.
  private var changedAt: Double?

  var isDone: Bool { page.isDone }

  /// Restores the state in which the learner left the activity.
  func restore(_ history: ActivityHistory) {}

  /// Returns the position to store, or `nil` if there is none.
  func position(at time: Timestamp) -> ReadingPosition? { nil }

  /// Returns the passages that were read since the last call.
  func takeUnsavedPassages() -> [String: RangeSet<Int>] { [:] }

  /// Called when the learner starts or stops looking at the page, or when the visible part changes.
  func beginReading() {}

  /// Completes pending work, for example before the page is left.
  func updateCompletion() {}

  /// Scrolls the heading with an anchor to the top. Does nothing if the text has no such heading.
  func show(anchor: String) {}

  private var shownKeys: [KeyHint] = []
  private var shownHint: Footer.Hint?

  /// Notifies the observer if the keys or the hint have changed since the last call. Scrolling calls this for every
  /// line.
  ///
  /// - Returns: Whether they have changed.
  @discardableResult func keysMayHaveChanged() -> Bool {
    let (keys, hint) = (keys, hint)
    guard keys != shownKeys || hint != shownHint else { return false }
    (shownKeys, shownHint) = (keys, hint)
    host.observer.pageChanged(self)
    return true
  }

  /// Schedules storing the position.
  func positionChanged() {
    guard let stage else { return }
    let changedAt = self.changedAt ?? stage.now
    self.changedAt = changedAt
    saveCall?.cancel()
    let latest = max(0, changedAt + Self.saveInterval - stage.now)
    saveCall = stage.schedule(after: min(Self.saveDelay, latest)) { [weak self] in
      guard let self else { return }
      positionWasSaved()
      host.recorder.savePosition(of: self)
    }
  }

  /// Cancels the scheduled write, because the position has been stored.
  func positionWasSaved() {
    saveCall?.cancel()
    saveCall = nil
    changedAt = nil
  }

  override func perform(_ command: Command) -> Bool {
    guard command == .toggleDone else { return super.perform(command) }
    let wasDone = isDone
    let message = host.recorder.record(wasDone ? .markedNotDone : .markedDone, in: place, on: self)
    guard isDone != wasDone else { return true }
    let undoHint = context.label(of: .toggleDone).map { " \($0) undoes it." } ?? ""
    context.notify(wasDone ? "Marked as not done." : (message.map { "Done. " + $0 } ?? "Done.") + undoHint)
    return true
  }

  /// The keys of this page, followed by those of every activity.
  override var keys: [KeyHint] {
    let hasChosenLink = (self as? any LinkedText)?.chosenLink != nil
    let up = hasChosenLink ? KeyHint("Esc", "deselect") : KeyHint(context.appearance.symbols.arrows[2], "up")
    return ownKeys + [up] + noteKeys + [KeyHint("x", isDone ? "not done" : "done", rank: 1)]
  }

  /// The keys for notes and highlights, in texts.
  var noteKeys: [KeyHint] { [] }

  /// The keys of this kind of activity. The first one is the key of the primary action; it is the same in all states.
  var ownKeys: [KeyHint] { [] }

  /// Returns the number of rows by which a page scrolls. If there is enough space, some lines remain visible for
  /// orientation.
  func pageRows(of visible: Int) -> Int {
    switch visible {
    case ...2: max(1, visible)
    case 3...6: visible - 1
    default: visible - 2
    }
  }

  /// The label of the key that continues to the next activity or to the end of the course.
  var onward: String { page.nextStep?.reason == .next ? "next" : "end" }

  /// The label of a finished activity, with its symbol.
  var doneWord: String { context.appearance.symbols.done + " done" }
}
