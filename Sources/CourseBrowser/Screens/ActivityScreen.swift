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

  /// The progress of an activity that is not done, such as `62 % read`, for a notice. Empty if nothing was done.
  var shareText: String { "" }

  /// Whether Space opens the next place, so that the hint and the keys name it.
  var continuesWithSpace: Bool { false }

  /// Opens the next place. If the activity is not done, a notice on the next page reports this, with the key that returns
  /// to it.
  final func openNext() {
    guard !isDone else { return host.navigator.navigate(.next, cause: .key) }
    host.navigator.navigate(.next, cause: .key, notice: unfinishedNotice)
  }

  /// A notice of one row: the activity is not done, and the keys for it. Parts are omitted if there is too little space.
  private var unfinishedNotice: String {
    let (symbols, width) = (context.appearance.symbols, metrics.textWidth)
    let state = shareText.isEmpty ? "" : ": " + shareText
    let key = context.label(of: .previous).map { " \($0) returns to it." } ?? ""
    let endings = [" is not done\(state)." + key, " is not done\(state).", " is not done."]
    let title = page.header.title
    let ending = endings.first { symbols.quotes.around(title).displayWidth + $0.displayWidth <= width } ?? endings[2]
    let availableColumns = width - symbols.quotes.around("").displayWidth - ending.displayWidth
    return symbols.quotes.around(title.truncated(to: max(4, availableColumns), ellipsis: symbols.ellipsis)) + ending
  }

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

  private var shownLabels: [String?] = []
  private var shownHint: Footer.Hint?

  /// Notifies the observer if the offered commands or the hint have changed since the last call. Scrolling calls this for
  /// every line.
  ///
  /// - Returns: Whether they have changed.
  @discardableResult func keysMayHaveChanged() -> Bool {
    let labels = keyContexts.flatMap(context.bindings.rows(in:)).map { offer($0.command)?.label }
    let hint = hint
    guard labels != shownLabels || hint != shownHint else { return false }
    (shownLabels, shownHint) = (labels, hint)
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

  /// The rank of *done*.
  var doneRank: Int { 1 }

  override var keyContexts: [KeyContext] { [.page, .text, .card, .quiz, .everywhere] }

  override func offer(_ command: Command) -> Offer? {
    let target = escapeTarget
    switch command {
    // Matches and results are not a selection: the key for up goes up, and only Esc clears them.
    case .leave where target != .page, .up where ![.page, .matches, .result].contains(target):
      return Offer(command == .leave ? target.label : "") { [self] in
        _ = leaveInnermost()
      }
    case .toggleDone:
      return Offer(isDone ? "not done" : "done", rank: doneRank) { [self] in
        host.recorder.mark(place, asDone: !isDone, on: self)
      }
    case .openNext where continuesWithSpace: return Offer(onward) { [self] in openNext() }
    default: return nil
    }
  }

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
