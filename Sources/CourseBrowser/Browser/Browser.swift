package import CourseKit
package import CoursePages
import Foundation
package import LearningModel
package import NavigationKit
package import ScreenKit
package import TextCanvas

/// The full-screen browser, independent of a terminal.
///
/// Creates the components below and connects them. A navigation request is computed and committed by
/// `NavigationService` before any animation starts.
@MainActor package final class Browser {
  // Declared before `context`, which owns the stage, so that these components are released first. Transitions that end
  // during teardown must not reach them.
  private(set) lazy var reader: PageReader = .init(openPages) { [unowned self] in previousSession }
  private(set) lazy var recorder: ActivityRecorder = .init(openPages, reader: reader, writes: pendingWrites)
  private(set) lazy var sidePanes: SidePanePresenter = .init(
    openPages, reader: reader, onOpen: { [unowned self] in navigator.go(to: $0, cause: $1) })
  /// The components are in order of precedence.
  private(set) lazy var commands: CommandPath = .init(openPages, sidePanes: sidePanes) { [unowned self] in
    [
      sidePanes, overlays, navigator, recorder, reading, settingsCommands, palette, courses, undo, playback,
      dispatcher,
    ]
  }
  private(set) lazy var footer: FooterPresenter = .init(openPages, sidePanes: sidePanes, commands: commands)
  private(set) lazy var steps: StepPresenter = .init(
    openPages, reader: reader, recorder: recorder, footer: footer
  ) { [unowned self] in
    PageContext(screen: context, navigator: navigator, recorder: recorder, overlays: reading, observer: steps)
  }
  private(set) lazy var navigator: Navigator = .init(
    openPages, steps: steps, reader: reader, recorder: recorder, writes: pendingWrites)
  private(set) lazy var overlays: OverlayPresenter = .init(
    openPages, steps: steps, footer: footer, navigator: navigator)
  private(set) lazy var reading: ReadingOverlays = .init(
    openPages, overlays: overlays, recorder: recorder, navigator: navigator)
  private(set) lazy var settingsCommands: SettingsCommands = .init(openPages, overlays: overlays)
  private(set) lazy var palette: PaletteCommands = .init(
    openPages, overlays: overlays, navigator: navigator, settings: settingsCommands
  ) { [unowned self] in commands.entriesOfPage }
  private(set) lazy var courses: CourseCommands = .init(
    openPages, overlays: overlays, reader: reader, navigator: navigator)
  private(set) lazy var undo: UndoCommands = .init(
    openPages, recorder: recorder, reader: reader, writes: pendingWrites)
  private(set) lazy var playback: PlaybackController = .init(
    openPages, steps: steps, reader: reader, recorder: recorder, writes: pendingWrites)
  private(set) lazy var dispatcher: InputDispatcher = .init(
    openPages, commands: commands, steps: steps, navigator: navigator,
    clickInPane: { [unowned self] in sidePanes.clickInPane($0) }, quit: { [unowned self] in isFinished = true })

  /// The writes that are pending because another program is writing to the database.
  private(set) lazy var pendingWrites: PendingWrites = .init(context, screen: openPages.root)
  let openPages: OpenPages
  let context: ScreenContext
  package var stage: Stage { context.stage }
  /// Whether the learner has quit.
  package private(set) var isFinished = false
  /// The mistakes of the settings file, or `nil`.
  private let settingsMistake: SettingsError?
  /// The learner's last step before this session, or `nil` if there is none.
  private var stepBefore: HistoryRow?
  /// The time and the duration of the previous session, formatted for the list of courses. `nil` before `begin()`.
  private lazy var previousSession: String? = context.hasBegun ? sessionText(ofSessionWith: stepBefore) : nil

  /// Creates a browser that has no page yet.
  ///
  /// - Parameters:
  ///   - navigation: The service of the learner's session.
  ///   - library: The courses.
  ///   - appearance: The theme and the symbols.
  ///   - size: The size of the terminal, in cells.
  ///   - options: The settings at the start.
  ///   - now: Returns the current time, for texts such as "yesterday".
  package init(
    navigation: NavigationService, library: CourseLibrary, appearance: Appearance, size: CellSize,
    options: Settings = Settings(), now: @escaping () -> Timestamp = { Timestamp(date: Date()) }
  ) {
    context = ScreenContext(
      navigation: navigation, library: library, stage: Stage(size: size), appearance: appearance, options: options,
      now: now)
    let stack = StackScreen(root: Screen(), title: "Learn")
    let tabs = [FindScreen(context: context), HistoryScreen(context: context), ReviewScreen(context: context)]
    let root = BrowserScreen(tabs: TabScreen([stack] + tabs), appearance: appearance)
    openPages = OpenPages(context, root: root, stack: stack)
    settingsMistake = options.mistake
    context.onCommand = { [unowned self] in commands.perform($0) }
    context.onNotice = { [weak root] in root?.notify($0, $1) }
    context.onDeferredKey = { [weak self] key in
      guard let self else { return }
      handle(.key(key), at: stage.clock?() ?? stage.now)
      context.onChange?()
    }
    navigation.limitWaits(to: PendingWrites.directTimeout)
    context.stage.motion = options.motion
    root.bindings = options.keyBindings
    stack.transitions = steps.transitions
    root.tabs.transitions = steps.tabTransitions
    for tab in tabs {
      tab.navigator = navigator
      tab.onListChange = { [weak self] in self?.sidePanes.show() }
    }
    context.stage.rootScreen = root
    root.onResize = { [weak self] in self?.sidePanes.show() }
    root.add(edge: steps.gestures.edgePanRecogniser(), sideways: steps.gestures.horizontalPanRecogniser())
    _ = dispatcher
  }

  /// Begins the learner's session at the place where the last one ended, or at a given place.
  ///
  /// - Parameter review: The review to show instead of the place, or `nil`.
  /// - Throws: Errors of the services.
  package func begin(
    at place: PlaceName? = nil, matching query: String? = nil, reviewing review: ReviewRequest? = nil
  ) throws {
    stepBefore = try navigation.history.lastStep()
    // After a day or more, the list of courses shows where the learner was and what is due.
    let comesBack = place == nil && review == nil && isBackAfterDays
    var step = try navigation.perform(comesBack ? .popToRoot : .resume, cause: .system, animated: false)
    if let place {
      let opened = try navigation.perform(.open(place), cause: .shell, animated: false)
      if opened.isPerformed { step = opened }
    }
    context.hasBegun = true
    try steps.show(step, animated: false)
    if let query { (openPages.page as? any TextWithMatches)?.show(matches: query) }
    steps.chooseWhereFrom()
    if let message = step.message, step.note != .noHistory { screen.notify(message) }
    reportUnrecordedSteps()
    steps.checkForChanges()
    if let review { try show(review) }
    if let settingsMistake { screen.notify(settingsMistake.startNotice, .warn, minimumSeconds: Self.secondsOfMistake) }
  }

  /// Whether the learner left a page below the list of courses at least a day ago.
  private var isBackAfterDays: Bool {
    guard let stepBefore, stepBefore.to.kind != .root else { return false }
    return context.now.milliseconds - (stepBefore.leftAt ?? stepBefore.at).milliseconds >= 86_400_000
  }

  /// The minimum number of seconds for which mistakes of the settings file are shown.
  private static let secondsOfMistake = 12.0

  /// Selects the Review tab, limited to the place of a request.
  private func show(_ request: ReviewRequest) throws {
    guard let review = openPages.tabs.screens.lazy.compactMap({ $0 as? ReviewScreen }).first,
      let index = openPages.tabs.screens.firstIndex(where: { $0 === review })
    else { return }
    let place = try request.place.map { try navigation.places.named($0) }
    review.show(only: place?.kind == .root ? nil : place, tag: request.place?.tag)
    _ = try openPages.tabs.select(index, animated: false)
    footer.show()
    if request.mode != .due { review.begin(in: review.placeName, mode: request.mode) }
  }

  /// Whether the notice about unrecorded steps has been shown.
  private var hasReportedUnrecordedSteps = false

  /// Shows a notice when steps can no longer be recorded. The notice is shown only once.
  private func reportUnrecordedSteps() {
    guard !hasReportedUnrecordedSteps, let notice = navigation.unrecordedNotice else { return }
    hasReportedUnrecordedSteps = true
    screen.notify(notice, .warn, minimumSeconds: 8)
  }

  /// Lines to print after the terminal is restored: about the last changes, and about changes that could not be saved.
  private(set) var closingMessages: [String] = []

  /// Finishes pending work before the program ends.
  package func close() {
    // The overlay keeps its text as it does when Esc closes it.
    screen.overlay?.close()
    recorder.savePosition()
    let removal = courses.removeNow()
    let lost = pendingWrites.finish()
    closingMessages = ([removal] + reading.saveDrafts() + [lost, navigation.unrecordedNotice]).compactMap { $0 }
    // The program ends in any case. If the session cannot be closed now, the next process closes it.
    try? navigation.endSession(waitingAtMost: .milliseconds(500))
  }

  /// Applies a new theme and new symbols to everything on screen.
  package func show(_ appearance: Appearance) {
    context.appearance = appearance
    screen.look = appearance
    for case let page as PageScreen in openPages.stack.screens where page.isLayerLoaded { page.layOutPage() }
    for case let tab as TabPage in openPages.tabs.screens { tab.appearanceDidChange() }
    screen.layer.setNeedsLayout()
    screen.overlay?.appearanceDidChange()
    footer.show()
  }

  private var navigation: NavigationService { context.navigation }
  private var screen: BrowserScreen { openPages.root }

  /// Passes an event to a running tour or replay, and then to the screens if the tour or replay has not handled it.
  ///
  /// - Parameter time: The time of the event, in seconds of the stage's clock.
  package func handle(_ event: InputEvent, at time: Double) {
    // Looks for changes by other programs after the event. This is unnecessary before the first frame of a new page,
    // because the page was just read.
    defer {
      reportUnrecordedSteps()
      if steps.runningStep == nil { steps.checkForChanges() }
    }
    if case .focus(let hasFocus) = event { stage.perform(at: time) { context.hasFocus = hasFocus } }
    if stage.perform(at: time, { context.playback?.handle(event) ?? false }) { return }
    if pendingWrites.takes(event) { return }
    if case .key(let key) = event, key.phase != .release { steps.interruptGesture() }
    screen.handling { dispatcher.dispatch(event, at: time) }
  }

  /// Records that the learner is active. The write to disk happens in the background. The time in a review, in another
  /// tab and in the settings does not count for the open page.
  package func noteInput() {
    let isSettings = screen.overlay is SettingsScreen || screen.overlay is KeySettingsScreen
    let isElsewhere = openPages.tabs.selectedIndex != 0 || isSettings
    guard let save = navigation.prepareInputRecord(leaving: isElsewhere) else { return }
    context.runInBackground {
      try? save()
      return {}
    }
  }

  private func sessionText(ofSessionWith step: HistoryRow?) -> String {
    guard let step else { return "Select a course and press Enter." }
    let day = context.dayNames.on(step.leftAt ?? step.at)
    let active = try? navigation.history.activeTime(inSession: step.session)
    let time =
      active.map { time in
        time.time < .seconds(60)
          ? ""
          : (time.isComplete ? ", for " : ", for over ") + DisplayFormat.duration(milliseconds: time.time.milliseconds)
      } ?? ""
    return "Last session: \(day == "today" ? "earlier today" : day)\(time)."
  }
}

extension Browser {
  /// Returns a callback for the events of background synchronisation. The callback may be called on any thread.
  func syncHandler() -> @Sendable (SyncEvent) -> Void {
    { [weak self] news in
      BackgroundWork.onMainActor { [weak self] in self?.show(news) }
    }
  }

  /// Shows the changes that synchronisation received, or the reason why it failed.
  func show(_ event: SyncEvent) {
    context.performWithoutInput {
      switch event {
      case .received: steps.followSync()
      case .failed(let message): screen.notify(message, .bad)
      }
    }
  }
}
