import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// What a learner did in an activity before.
struct ActivityPast {
  /// How far it was read, or turned.
  var position: ReadingPosition?
  /// What was read of its passages, by their digests.
  var passages: [String: RangeSet<Int>] = [:]
  /// What they wrote beside its text.
  var notes: [Note] = []
  /// The quiz's attempts, the newest first.
  var attempts: [QuizAttempt] = []
  /// The quiz as it was left in the middle.
  var run: QuizRun?
  /// By the numbers of the cards, whether each was known the last time.
  var grades: [Int: Bool] = [:]
  /// Says when that was.
  var days: DayNames?
  /// Whether the learner goes back to where they were, and does not begin anew.
  var isReturn = false
}

/// A page on which something is done: read, turned over, answered, followed.
@MainActor class ActivityScreen: PageScreen, ActivityPage {
  /// Seconds of stillness after which the position is kept: not while somebody turns pages, and soon enough that nothing
  /// is lost where the program is killed.
  private static let stillness = 1.0
  /// Seconds after which it is kept at the latest, also of somebody who never stands still.
  private static let keepingInterval = 30.0

  private var keeping: ScheduledCall?
  /// When the first change was made that is not kept yet.
  private var changedAt: Double?

  var isDone: Bool { page.isDone }

  /// Takes up where the learner stopped.
  func take(_ past: ActivityPast) {}

  /// What to keep of how far the learner has come; `nil` where there is nothing to keep.
  func position(at moment: Timestamp) -> ReadingPosition? { nil }

  /// What was read of its passages since that was asked for the last time.
  func takeUnkeptPassages() -> [String: RangeSet<Int>] { [:] }

  /// The learner looks at it from now on, or no longer, or at something else of it.
  func attend() {}

  /// Works out what has been done until now, such as before it is left.
  func settle() {}

  /// Shows a heading of its text at the top, where it has one of that name.
  func show(anchor: String) {}

  private var toldKeys: [KeyHint] = []
  private var toldHint: Footer.Hint?

  /// Tells of its keys where they are others now; scrolling asks at every line.
  ///
  /// - Returns: Whether they are.
  @discardableResult func keysMayHaveChanged() -> Bool {
    let (keys, hint) = (keys, hint)
    guard keys != toldKeys || hint != toldHint else { return false }
    (toldKeys, toldHint) = (keys, hint)
    host.observer.pageChanged(self)
    return true
  }

  /// The learner has moved on in it: the position is kept soon, and not too often.
  func positionChanged() {
    guard let stage else { return }
    let changedAt = self.changedAt ?? stage.now
    self.changedAt = changedAt
    keeping?.cancel()
    let latest = max(0, changedAt + Self.keepingInterval - stage.now)
    keeping = stage.schedule(after: min(Self.stillness, latest)) { [weak self] in
      guard let self else { return }
      isKept()
      host.recorder.keepPosition(of: self)
    }
  }

  /// The position was kept just now.
  func isKept() {
    keeping?.cancel()
    keeping = nil
    changedAt = nil
  }

  override func perform(_ command: Command) -> Bool {
    guard command == .toggleDone else { return super.perform(command) }
    let wasDone = isDone
    let words = host.recorder.record(wasDone ? .markedNotDone : .markedDone, in: place, on: self)
    guard isDone != wasDone else { return true }
    let again = context.label(of: .toggleDone).map { " \($0) takes it back." } ?? ""
    context.notify(wasDone ? "Not done any more." : (words.map { "Done. " + $0 } ?? "Done.") + again)
    return true
  }

  /// The keys of every activity, behind its own.
  override var keys: [KeyHint] {
    let hasChosenLink = (self as? any LinkedText)?.chosenLink != nil
    let up = hasChosenLink ? KeyHint("Esc", "let go") : KeyHint(context.appearance.symbols.arrows[2], "up")
    return ownKeys + [up, KeyHint("x", isDone ? "to do" : "done", rank: 1)]
  }

  /// What can be pressed here and in no list.
  var ownKeys: [KeyHint] { [] }

  /// How far a page moves: some lines stay in sight for the eye to hold on to, where there is room for them.
  func pageRows(of visible: Int) -> Int {
    switch visible {
    case ...2: max(1, visible)
    case 3...6: visible - 1
    default: visible - 2
    }
  }

  /// What the key that leads on leads to: the next activity, or the end of the course.
  var onward: String { page.nextStep?.reason == .next ? "next" : "end" }

  /// How a thing done is said, with its sign.
  var doneWord: String { context.appearance.symbols.done + " done" }
}
