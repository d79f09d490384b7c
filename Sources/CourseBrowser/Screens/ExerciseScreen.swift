import Answers
import CoursePages
import Exercises
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The learner's work on an exercise since the program started. It is kept when the page is left.
@MainActor final class ExerciseWork {
  /// The last check that came to a result.
  struct LastCheck {
    let text: String
    let isPassed: Bool
    /// Whether the check came to no result, or passed without an edited file.
    let isNeutral: Bool
    let seconds: Int
    let output: String
  }

  var hints = RevealedHints()
  /// The number of checks that were started.
  var checks = 0
  var lastCheck: LastCheck?
  /// The exercise whose files are observed, and their digest at the last check. `nil` until its commands may run.
  var checked: (exercise: CourseExercise, state: String)?
}

/// An exercise: its task, and the output and the result of its check in a panel.
@MainActor final class ExerciseScreen: ReadingScreen {
  /// A check that runs.
  struct Running {
    let found: CourseExercise
    let check: RunningCheck
    let state: CourseExercise.FileState
    let start: Double
    /// The end of the output.
    var output: [UInt8] = []
    var shownSeconds = 0
    var isCancelled = false
    /// Whether a file was saved after the check began, so that another check starts when this one has ended.
    var isOutdated = false
  }

  /// The number of seconds between two looks at a running check.
  static let pollInterval = 0.05
  /// The number of seconds after a check in which Ctrl-C does not quit, because it may have been meant for the check.
  private static let interruptPause = 2.0
  /// The number of bytes of the output that are shown while the check runs.
  private static let shownBytes = 16 << 10

  private let exercise: Exercise
  private let panel = CheckPanel()
  private(set) var running: Running?
  /// Whether a check is being started.
  private var isStarting = false
  private var pollCall: ScheduledCall?
  private var watch: SaveWatch?
  private var watchCall: ScheduledCall?
  /// Whether the keys scroll the output in place of the task.
  private var isOutputFocused = false
  private var lastEnd: Double?
  /// Whether the exercise is passed, but the files on this machine are the author's.
  private var hasOtherFiles = false

  init(place: Place, page: PageModel, exercise: Exercise, host: PageContext) {
    self.exercise = exercise
    super.init(place: place, page: page, blocks: ActivityContent.exercise(exercise).readBlocks, host: host)
  }

  private var work: ExerciseWork { context.work(on: place) }
  private var isPassed: Bool { page.exercise == .passed }

  /// Returns the exercise as it is stored now, or `nil` if the place is no exercise any more.
  private func found() throws -> CourseExercise? {
    let path = try context.navigation.places.named(.place(place)).path
    return try CourseExercise(at: path, in: context.library, root: context.workRoot)
  }

  /// Performs work on the exercise as it is stored now. Shows an error as a notice.
  private func withExercise(_ body: (CourseExercise) throws -> Void) {
    context.trying {
      guard let found = try found() else { return context.notify("This is no exercise any more.", .warn) }
      try body(found)
    }
  }

  // MARK: - Appearance

  override func didLoad() {
    super.didLoad()
    bodySheet.add(panel.layer)
    guard work.lastCheck != nil else { return }
    panel.slide(in: true, motion: nil)
    showResult(motion: nil)
  }

  override func didAppear(animated: Bool) {
    super.didAppear(animated: animated)
    context.endCheck = { [weak self] in self?.endCheck() ?? false }
    watch = (work.checked?.state).map { SaveWatch(checked: $0) }
    scheduleWatch()
    guard watch == nil, !exercise.commands(for: .check).isEmpty, let found = try? found() else { return }
    let isUnprotectedAllowed = context.isUnprotectedAllowed
    context.runInBackground {
      let permission = try? found.permission(isUnprotectedAllowed: isUnprotectedAllowed)
      let state = try? found.folder.state(of: found.exercise)
      let isEdited = (try? found.isEdited) ?? true
      return { [weak self] in
        guard let self, let state, appearance == .appeared, watch == nil else { return }
        hasOtherFiles = isPassed && !isEdited && !exercise.passesUnchanged
        if hasOtherFiles { host.observer.pageChanged(self) }
        if permission == .given { observe(found, state.digest) }
      }
    }
  }

  /// Checks the files when they are saved from now on.
  private func observe(_ found: CourseExercise, _ state: String) {
    work.checked = (found, state)
    watch = SaveWatch(checked: state)
    scheduleWatch()
  }

  /// Leaving the page ends a check and the observation of the files.
  override func didDisappear(animated: Bool) {
    super.didDisappear(animated: animated)
    watchCall?.cancel()
    (watch, isOutputFocused, panel.isTall, context.endCheck) = (nil, false, false, nil)
    guard let running else { return }
    running.check.cancel()
    end()
    if work.lastCheck == nil { panel.slide(in: false, motion: nil) } else { showResult(motion: nil) }
    context.notify("The check was ended.")
  }

  override func layOutPage() {
    panel.layOut(drawing, in: metrics.bodyTop..<metrics.bodyEnd)
    super.layOutPage()
  }

  override var reserved: CellSize { panel.reserved }
  override var isReservedCovered: Bool { !panel.isSliding }

  override var bodyFragments: [PageFragments.Fragment] {
    super.bodyFragments + [panel.fragment].compactMap { $0 }
  }

  /// Lets the panel enter or leave. The task gets the remaining space.
  private func slidePanel(in isEntering: Bool) {
    guard panel.isShown != isEntering, isLayerLoaded else { return }
    let old = panel.isBeside && context.motion != .none ? body.visibleSnapshot() : nil
    panel.slide(in: isEntering, motion: context.motion) { [weak self] in self?.layOutPage() }
    layOutPage()
    if let old { body.cover(with: old) }
  }

  // MARK: - Checking

  /// Starts a check, or asks whether the commands of the course may run.
  ///
  /// - Parameter isAutomatic: Whether a file was saved. The learner is not asked then.
  private func check(isAutomatic: Bool = false) {
    guard running == nil, !isStarting else { return }
    withExercise { found in
      isStarting = true
      let (isUnprotectedAllowed, columns) = (context.isUnprotectedAllowed, panel.textColumns)
      context.runInBackground {
        let result = Result {
          let permission = try found.permission(isUnprotectedAllowed: isUnprotectedAllowed)
          return (
            permission,
            permission == .given
              ? try found.startCheck(isUnprotectedAllowed: isUnprotectedAllowed, columns: columns) : nil
          )
        }
        return { [weak self] in
          self?.isStarting = false
          guard let self, appearance == .appeared else { return (try? result.get().1?.check.cancel()) ?? () }
          context.performWithoutInput { self.begin(found, result, isAutomatic: isAutomatic) }
        }
      }
    }
  }

  private func begin(
    _ found: CourseExercise,
    _ result: Result<(CheckPermission, (check: RunningCheck, state: CourseExercise.FileState)?), any Error>,
    isAutomatic: Bool
  ) {
    context.trying {
      switch try result.get() {
      case (.unprotected, _): context.notify(CommandWords.unprotectedChecks)
      case (.needed(let protection), _):
        guard !isAutomatic else { return }
        try host.overlays.askForPermission(found, under: protection) { [weak self] in self?.check() }
      case (.given, let started?):
        running = Running(
          found: found, check: started.check, state: started.state, start: stage?.now ?? 0)
        work.checks += 1
        hasOtherFiles = false
        observe(found, started.state.digest)
        showRunning()
        slidePanel(in: true)
        schedulePoll()
        host.observer.pageChanged(self)
      case (.given, nil): break
      }
    }
  }

  private func schedulePoll() {
    pollCall = stage?.schedule(after: Self.pollInterval) { [weak self] in self?.poll() }
  }

  /// Shows the new output, or the result.
  private func poll() {
    guard var running else { return }
    let result = running.check.result
    let output = running.check.takeOutput()
    if let result { return finish(running, result) }
    schedulePoll()
    running.output = (running.output + output).suffix(Self.shownBytes)
    let seconds = Int((stage?.now ?? 0) - running.start)
    let isChanged = !output.isEmpty || seconds != running.shownSeconds
    running.shownSeconds = seconds
    self.running = running
    if isChanged { showRunning() }
  }

  private func showRunning() {
    guard let running else { return }
    panel.show(
      CheckPanel.Content(
        output: styled(String(decoding: running.output, as: UTF8.self)),
        status: "\(running.shownSeconds) s" + (running.isCancelled ? "" : ", Ctrl-C ends the check")),
      motion: context.motion)
  }

  private func styled(_ output: String) -> StyledText {
    let theme = context.appearance.theme
    return StyledText(output: output, style: theme[.foreground], depth: theme.colourDepth)
  }

  private func finish(_ running: Running, _ result: Result<CheckResult, any Error>) {
    end()
    defer { host.observer.pageChanged(self) }
    context.trying {
      guard let result = try? result.get() else {
        slidePanel(in: false)
        _ = try result.get()
        return
      }
      if running.isOutdated, result.outcome == .cancelled { return check(isAutomatic: true) }
      let isPassed = running.found.counts(result, running.state)
      let done = result.outcome == .passed && !isPassed ? context.label(of: .toggleDone) : nil
      work.lastCheck = ExerciseWork.LastCheck(
        text: running.found.text(of: result, running.state) + (done.map { " \($0) marks it as done." } ?? ""),
        isPassed: isPassed, isNeutral: !isPassed && [.passed, .cancelled].contains(result.outcome),
        seconds: Int((stage?.now ?? 0) - running.start), output: result.output.text)
      let event = try running.found.event(result, of: running.state)
      if let event { host.recorder.record(event, in: place, on: self) }
      showResult(motion: context.motion)
      slidePanel(in: true)
      if running.isOutdated { check(isAutomatic: true) }
    }
  }

  private func end() {
    pollCall?.cancel()
    (running, lastEnd) = (nil, stage?.now)
  }

  /// Ends the check, and returns `false` if none is running or has just ended. Its processes end shortly afterwards, and its output
  /// stays.
  @discardableResult private func endCheck() -> Bool {
    guard let running else { return lastEnd.map { (stage?.now ?? 0) - $0 < Self.interruptPause } ?? false }
    guard !running.isCancelled else { return true }
    running.check.cancel()
    self.running?.isCancelled = true
    showRunning()
    host.observer.pageChanged(self)
    return true
  }

  private func showResult(motion: MotionPreference?) {
    guard let last = work.lastCheck else { return }
    let (theme, symbols) = (context.appearance.theme, context.appearance.symbols)
    let role: Role = last.isPassed ? .good : last.isNeutral ? .accent : .bad
    let symbol = last.isPassed ? symbols.right + " " : last.isNeutral ? "" : symbols.wrong + " "
    var summary = [StyledText(symbol + last.text, style: theme.bold(role))]
    if last.isPassed {
      summary.append(
        StyledText(
          "After \(DisplayFormat.count(work.checks, "check")).", style: theme[.foreground]))
      if let next = page.nextStep?.summary.place.title {
        summary.append(StyledText("Next: " + next, style: theme[.quiet]))
      }
    }
    panel.show(
      CheckPanel.Content(
        summary: summary, output: styled(last.output), status: "\(last.seconds) s", isPassed: last.isPassed,
        role: role),
      motion: motion)
  }

  // MARK: - Saved files

  private func scheduleWatch() {
    watchCall?.cancel()
    guard watch != nil else { return }
    watchCall = stage?.schedule(after: SaveWatch.interval / .seconds(1)) { [weak self] in self?.readSavedFiles() }
  }

  /// Reads the state of the files, and checks them if they were saved.
  private func readSavedFiles() {
    scheduleWatch()
    guard !isStarting, let exercise = work.checked?.exercise else { return }
    context.runInBackground {
      let state = try? exercise.folder.state(of: exercise.exercise)
      return { [weak self] in
        guard let self, let state, let now = stage?.now else { return }
        // The author's files are written when the editor opens.
        guard state.isChanged || work.checks > 0 else {
          return watch = watch.map { _ in SaveWatch(checked: state.digest) } ?? nil
        }
        let time = Self.clockStart.advanced(by: .seconds(now))
        guard !isStarting, watch?.shouldCheck(state.digest, at: time) == true else { return }
        guard let running else { return context.performWithoutInput { self.check(isAutomatic: true) } }
        running.check.cancel()
        self.running?.isOutdated = true
      }
    }
  }

  /// The instant of time 0 of the stage. Only differences are used.
  private static let clockStart = ContinuousClock.now

  // MARK: - Files and hints

  private func edit() {
    withExercise { found in
      let changed = try found.update().changedByAuthor
      context.openEditor(found.exercise.files(.edit).map(\.path), in: found.folder.path)
      guard !changed.isEmpty else { return }
      context.notify("The author has changed \(changed.joined(separator: ", ")). Your file is kept.", .warn)
    }
  }

  private func copyPath() {
    withExercise { found in
      _ = try found.update()
      let files = found.exercise.files(.edit)
      context.copy(files.count == 1 ? found.folder.path + "/" + files[0].path : found.folder.path, named: "the path")
    }
  }

  private func startAgain() {
    withExercise { found in
      guard let kept = try found.startAgain() else { return context.notify("The files are the author's.") }
      let state = try found.folder.state(of: found.exercise).digest
      if watch != nil { watch = SaveWatch(checked: state) }
      work.lastCheck = nil
      focusOutput(false)
      slidePanel(in: false)
      context.noteChange { [weak context] in
        context?.trying {
          try found.folder.restore(found.exercise, from: kept)
          context?.notify("Your files are back.")
        }
      }
      context.notify(
        "Started again."
          + (context.label(of: .undo).map { " \($0) brings your files back." } ?? " They are in \(kept)."))
    }
  }

  private func showHint() {
    withExercise { found in
      work.hints.reveal(work.hints.next(of: exercise, isPassed: isPassed))
      try host.overlays.showHints(of: found, work, isPassed: isPassed)
    }
  }

  private var hasHints: Bool {
    work.hints.count > 0 || work.hints.next(of: exercise, isPassed: isPassed) != .nothing
  }

  // MARK: - Commands

  override var escapeTargets: Set<EscapeTarget> {
    var targets = super.escapeTargets
    if running?.isCancelled == false { targets.insert(.check) }
    if isOutputFocused { targets.insert(.pane) }
    if running == nil, panel.isShown { targets.insert(.result) }
    return targets
  }

  override func leave(_ target: EscapeTarget) -> Bool {
    switch target {
    case .check: endCheck()
    case .pane: focusOutput(false)
    case .result: slidePanel(in: false)
    default: return super.leave(target)
    }
    host.observer.pageChanged(self)
    return true
  }

  private func focusOutput(_ isFocused: Bool) {
    (isOutputFocused, panel.isTall) = (isFocused, isFocused)
    layOutPage()
    host.observer.pageChanged(self)
  }

  override func offer(_ command: Command) -> Offer? {
    let isSelected = chosenLink != nil || chosenBlock != nil || search != nil
    if isOutputFocused, let line = panel.target(of: command) {
      return Offer(command.isSingleStep ? "scroll" : "") { [self] in panel.scroll(to: line) }
    }
    switch command {
    case .runCheck where !isSelected && !exercise.commands(for: .check).isEmpty:
      return Offer(running == nil ? "check" : nil, order: -1) { [self] in check() }
    case .edit where !exercise.files(.edit).isEmpty: return Offer("edit", order: -1) { [self] in edit() }
    case .hint where hasHints:
      let next = work.hints.next(of: exercise, isPassed: isPassed)
      let isSolution = [.solution, .question].contains(next) || next == .nothing && work.hints.showsSolution
      return Offer(isSolution ? "solution" : "hint", order: -1) { [self] in showHint() }
    case .restart where running == nil: return Offer("start again", rank: Offer.helpRank - 1) { [self] in startAgain() }
    // In the last row, the keys of the exercise come first.
    case .note: return super.offer(command).map { Offer($0.label, rank: max(1, $0.rank), order: $0.order, run: $0.run) }
    case .copy where !isSelected: return Offer("copy path", rank: Offer.helpRank - 1) { [self] in copyPath() }
    // Tab has both commands.
    case .nextLink where panel.isShown && chosenLink == nil: return nil
    case .switchPane where panel.isShown:
      let label = isOutputFocused ? "task" : panel.scrolls ? "output" : nil
      return Offer(label, rank: 1) { [self] in focusOutput(!isOutputFocused) }
    default: return super.offer(command)
    }
  }

  override func handle(_ event: InputEvent) -> Bool {
    if case .mouse(let mouse) = event, case .scroll(columns: 0, let rows) = mouse.action, panel.isShown,
      panel.layer.frame.cells.contains(mouse.position)
    {
      panel.scroll(to: panel.scroll + rows * 3)
      return true
    }
    return super.handle(event)
  }

  override var hint: Footer.Hint? {
    if isOutputFocused { return Footer.Hint(.leave, text: "Back to the task", detail: "") }
    if let running {
      return running.isCancelled
        ? Footer.Hint(text: "Ending the check", detail: "")
        : Footer.Hint(text: "Checking", detail: "Ctrl-C ends the check")
    }
    if hasOtherFiles {
      return Footer.Hint(text: "Passed with other files", detail: "those on this machine are the author's")
    }
    guard !isDone, endIsInView, !exercise.commands(for: .check).isEmpty, super.hint == nil else { return super.hint }
    guard context.isUnprotectedAllowed || !CourseExercise.runsAsRoot else {
      return Footer.Hint(text: "As root, checks run only with --unprotected", detail: "")
    }
    return Footer.Hint(.runCheck, text: work.checks == 0 ? "Check the exercise" : "Check again", detail: "")
  }
}
