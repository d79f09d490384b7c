import CoursePages
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas
import WholeNumbers

/// Replays a recorded session: each step with its transition, at a pace that can be followed.
///
/// The replay can be paused, stepped through and scrubbed. Nothing is recorded until the learner leaves the replay at
/// the visible place.
@MainActor final class Replay: Playback {
  private unowned let controller: PlaybackController
  private let steps: [HistoryRow]
  private var next: ScheduledCall?
  /// The index of the visible step.
  private(set) var position = 0
  private(set) var isPaused = false

  init(_ steps: [HistoryRow], for controller: PlaybackController) {
    self.controller = controller
    self.steps = steps
  }

  /// Starts with the first step.
  func begin() {
    controller.begin(self)
    controller.trying {
      try controller.steps.show(
        controller.navigation.step(from: "/", to: .place(existingPlace(0).place)), animated: false)
    }
    controller.steps.selectTab(0)
    scheduleNext()
  }

  // MARK: - Timing

  private var isAtEnd: Bool { position >= steps.count - 1 }

  private func scheduleNext() {
    next?.cancel()
    guard !isPaused, !isAtEnd else { return }
    next = controller.stage.schedule(after: steps[position].secondsInReplay) { [weak self] in
      guard let self else { return }
      show(position + 1)
      scheduleNext()
    }
  }

  // MARK: - Showing a step

  /// The place of a step. If the place was removed, its nearest ancestor that still exists.
  private func existingPlace(_ number: Int) -> NamedPlace { existingStack(number).last ?? .root }

  private func existingStack(_ number: Int) -> [NamedPlace] { Array(steps[number].stack.prefix { !$0.isRemoved }) }

  /// Shows a step. The step after the visible one is shown with its recorded transition. Any other step is shown with
  /// the transition between the visible place and its own.
  private func show(_ number: Int, animated: Bool = true) {
    let target = max(0, min(number, steps.count - 1))
    let (from, to) = (existingPlace(position), existingPlace(target))
    let isNext = target == position + 1
    guard target != position else { return controller.context.showFooter() }
    position = target
    controller.trying {
      let directStep = try controller.navigation.step(from: .place(from.place), to: .place(to.place))
      let transition = isNext && !steps[target].to.isRemoved ? steps[target].transition : directStep.transition
      let step = NavigationStep(
        operation: steps[target].operation, outcome: .predicted, from: from, to: to,
        transition: transition, stack: existingStack(target))
      try controller.steps.show(step, animated: animated && controller.motion != .none)
    }
    controller.context.showFooter(alongside: controller.stack.transitionCoordinator)
  }

  // MARK: - Playback

  var path: [HistoryRow]? { nil }

  var hint: Footer.Hint {
    let step = steps[position]
    let symbols = controller.appearance.symbols
    let title = symbols.quotes.around(step.to.title)
    let removalText = step.to.isRemoved ? ", now removed:" : ""
    return Footer.Hint(
      key: controller.dayNames.time(step.at), text: "\(step.operation.phrase)\(removalText) \(title)",
      detail: "\(timeline) \(position + 1) of \(steps.count)", brief: "\(position + 1) of \(steps.count)")
  }

  var keyContexts: [KeyContext] { [.replay] }

  func offer(_ command: Command) -> Offer? {
    switch command {
    case .pause: Offer(isAtEnd ? "play again" : isPaused ? "play" : "pause") { [self] in togglePause() }
    case .nextStep: Offer("step") { [self] in step(to: position + 1) }
    case .previousStep: Offer("step") { [self] in step(to: position - 1) }
    case .firstStep: Offer { [self] in step(to: 0) }
    case .lastStep: Offer { [self] in step(to: steps.count - 1) }
    case .seek(let tenth): Offer { [self] in step(to: tenth * (steps.count - 1) / 9) }
    case .continueHere: Offer("continue here") { [self] in controller.continueFromHere() }
    case .endReplay: Offer("end") { [self] in controller.end(inTab: 2) }
    default: nil
    }
  }

  func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .key(let key) where key.phase != .release:
      if key.isInterrupt { controller.end() }
      return false
    case .mouse(let mouse): handle(mouse)
    case .resize: return false
    default: break
    }
    return true
  }

  private func togglePause() {
    if isAtEnd {
      isPaused = false
      show(0)
    } else {
      isPaused.toggle()
    }
    scheduleNext()
    controller.context.showFooter()
  }

  /// Shows a step and pauses.
  private func step(to number: Int) {
    isPaused = true
    next?.cancel()
    show(number)
  }

  func stop() { next?.cancel() }

  // MARK: - Scrubbing

  /// The number of columns of the timeline.
  private static let timelineColumns = 12

  private var timeline: String {
    let symbols = controller.appearance.symbols
    let column = steps.count < 2 ? 0 : position * (Self.timelineColumns - 1) / (steps.count - 1)
    return String(repeating: symbols.heavy, count: column) + symbols.place
      + String(repeating: symbols.horizontal, count: Self.timelineColumns - 1 - column)
  }

  /// Handles the mouse: a press or a drag on the timeline shows that part of the session, and scrolling moves from step
  /// to step.
  private func handle(_ mouse: MouseEvent) {
    switch mouse.action {
    case .press(.left), .drag(.left): scrub(to: mouse.position)
    case .scroll(let columns, let rows): step(to: position + (columns + rows).signum())
    default: break
    }
  }

  private func scrub(to point: CellPoint) {
    let metrics = PageMetrics(size: controller.size)
    let end = metrics.textColumn + metrics.textWidth - " \(position + 1) of \(steps.count)".count
    let column = point.column - (end - Self.timelineColumns)
    guard point.row == metrics.hintRow, !metrics.isNarrow, (0..<Self.timelineColumns).contains(column) else { return }
    isPaused = true
    next?.cancel()
    show((column * (steps.count - 1) + (Self.timelineColumns - 1) / 2) / (Self.timelineColumns - 1), animated: false)
  }
}

extension NavigationOperation {
  /// The description of an operation as a part of a sentence.
  fileprivate var phrase: String {
    switch self {
    case .push, .open: "You opened"
    case .pop, .popTo, .popToRoot: "You went up to"
    case .select: "You selected"
    case .next: "You continued to"
    case .previous: "You went to the previous place"
    case .back: "You went back to"
    case .forward: "You went forward to"
    case .resume: "You resumed at"
    case .repair: "The course changed, and you were moved to"
    case .other: "You came to"
    }
  }
}

extension HistoryRow {
  /// The number of seconds for which a replay shows the step, 1.4…3. A longer visit is shown longer.
  var secondsInReplay: Double {
    let minutes = Double(activeTime?.milliseconds ?? 0) / 60_000
    return 1.4 + min(1.6, 0.4 * log2(1 + max(0, minutes)))
  }
}

extension [HistoryRow] {
  /// The duration of a replay as text, such as `9 steps, about 20 seconds`.
  var durationOfReplay: String {
    let seconds = Int(clamping: reduce(0) { $0 + $1.secondsInReplay }.rounded(.up))
    let time =
      seconds < 10
      ? "\(seconds) seconds"
      : seconds < 100
        ? "about \((seconds + 2) / 5 * 5) seconds"
        : "about \((seconds + 30) / 60) min"
    return DisplayFormat.count(count, "step") + ", " + time
  }
}
