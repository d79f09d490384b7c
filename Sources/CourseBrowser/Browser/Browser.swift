package import CourseLibrary
package import CoursePages
import Foundation
package import LearningModel
package import NavigationService
package import ScreenKit
package import TextCanvas

/// The browser without a terminal: it puts its parts together, and hands them what comes in.
///
/// A step goes one way: a page asks, the service computes and records it, and only then does anything move.
@MainActor package final class Browser {
  // The parts come first, and so go first: what is in flight ends when the stage goes, and then finds none of them.
  private(set) lazy var steps = StepPresenter(of: self)
  private(set) lazy var recorder = ActivityRecorder(of: self)
  private(set) lazy var footer = FooterPresenter(of: self)
  private(set) lazy var asides = AsidePresenter(of: self)
  private(set) lazy var overlays = OverlayPresenter(of: self)
  private(set) lazy var commands = CommandHandler(of: self)
  private(set) lazy var shell = BrowserShell(of: self)

  let navigation: NavigationService
  let library: CourseLibrary
  let stack: StackScreen
  let tabs: TabScreen
  let screen: BrowserScreen
  /// Where everything is seen.
  package let stage: Stage
  /// Whether the learner has asked to leave.
  package private(set) var isFinished = false

  /// What is still to be written, since another program has the database.
  private(set) lazy var waiting = WaitingWrites(screen: screen, stage: stage)
  /// The pictures of texts, as they are drawn.
  private(set) lazy var pictures = DrawnPictures { [library] in try? library.picture($0) }

  private(set) var appearance: Appearance { didSet { footer.lookHasChanged() } }
  /// The layout of lists that was asked for; `nil` lets the room decide.
  var layout: ListGeometry.Layout?
  /// What can be changed while it runs; `nil` where nothing can.
  package var settings: SettingsKeeper?
  /// Where courses to add are looked for.
  var folders = FolderListing()
  /// Does what takes longer than a frame.
  var inBackground = BackgroundWork.atOnce
  private let clock: () -> Timestamp
  /// Whether somebody is here: what a picture shows is done by nobody.
  var isAttended: Bool { hasBegun && performance == nil }
  private(set) var hasBegun = false
  /// Whether the terminal has the keyboard, as far as it tells.
  private(set) var hasFocus = true { didSet { if hasFocus != oldValue { recorder.attentionHasChanged() } } }
  /// The learner's last step before this sitting began.
  private var stepBefore: HistoryRow?
  /// When the learner was here before, and how long, as the list of courses says it; `nil` where nobody is here.
  private(set) lazy var lastSitting: String? = hasBegun ? words(aboutSittingOf: stepBefore) : nil
  /// What the learner watches; it takes the keys.
  var performance: (any Performance)? { didSet { recorder.attentionHasChanged() } }

  /// Puts a text on the clipboard of the terminal, and says whether it could; `nil` where there is no terminal.
  package var onCopy: ((String) -> Bool)?
  /// Shows an address or a file outside of the terminal; `false`, or no such function, where nobody would see it.
  package var onOpen: ((String) -> Bool)?
  /// Writes the history into files; `nil` where nothing does.
  package var export: HistoryExport?
  /// Writes courses into files; `nil` where nothing does.
  package var courseExport: CourseExport?
  /// Lets a text be written in the learner's own editor, and tells what it is then, or why it stays as it was. `nil`
  /// where there is no editor.
  var onEdit: ((_ text: String, _ done: @escaping (Result<String, TextEditor.Failure>) -> Void) -> Void)?
  /// Called when something has changed that no input asked for, so that a frame is due.
  package var onChange: (() -> Void)?
  /// Called where other options count from now on.
  var onSettings: ((BrowserOptions) -> Void)?

  /// Makes a browser that shows nothing yet.
  ///
  /// - Parameters:
  ///   - navigation: The service of the learner's session.
  ///   - library: The courses.
  ///   - appearance: Colours and signs.
  ///   - size: Of the terminal, in cells.
  ///   - options: What was asked for.
  ///   - now: Tells the time, for words such as "yesterday".
  package init(
    navigation: NavigationService, library: CourseLibrary, appearance: Appearance, size: CellSize,
    options: BrowserOptions = BrowserOptions(), now: @escaping () -> Timestamp = { Timestamp(date: Date()) }
  ) {
    self.navigation = navigation
    self.library = library
    self.appearance = appearance
    clock = now
    layout = options.layout
    stack = StackScreen(root: Screen(), title: "Learn")
    let (find, history) = (FindScreen(), HistoryScreen())
    tabs = TabScreen([stack, find, history])
    screen = BrowserScreen(tabs: tabs, appearance: appearance)
    stage = Stage(size: size)
    stage.motion = options.motion
    stack.transitions = steps.transitions
    tabs.transitions = steps.tabTransitions
    (find.shell, history.shell) = (shell, shell)
    stage.rootScreen = screen
    screen.bindings = options.keys
    screen.onCommand = { [weak self] in self?.commands.perform($0) ?? false }
    screen.onDeadKey = { [weak self] in self?.commands.sayItDoesNothing($0) }
    screen.onResize = { [weak self] in self?.asides.show() }
    screen.onMouse = { [weak self] in self?.commands.handle($0) ?? false }
    screen.add(edge: steps.gestures.edge(), sideways: steps.gestures.sideways())
  }

  /// Begins the learner's session, where they left off or at a place.
  ///
  /// - Throws: What the services throw.
  package func begin(at place: PlaceName? = nil) throws {
    stepBefore = try navigation.lastStep()
    var step = try navigation.perform(.resume, cause: .system, animated: false)
    if let place {
      let opened = try navigation.perform(.open(place), cause: .shell, animated: false)
      if opened.isPerformed { step = opened }
    }
    hasBegun = true
    try steps.show(step, animated: false)
    steps.chooseWhereFrom()
    if let message = step.message, step.note != .noHistory { screen.notify(message) }
    reportUnrecordedSteps()
    steps.lookForChanges()
  }

  /// Whether the screen has shown that steps are not recorded.
  private var hasReportedUnrecordedSteps = false

  /// Shows a notice once if steps are not recorded any more.
  private func reportUnrecordedSteps() {
    guard !hasReportedUnrecordedSteps, let notice = navigation.unrecordedNotice else { return }
    hasReportedUnrecordedSteps = true
    screen.notify(notice, standing: 8)
  }

  /// What was done as the program ended, and what was written and is not kept: lines to be said once the terminal is the
  /// shell's again.
  private(set) var lastWords: [String] = []

  /// Puts everything away before the program ends.
  package func close() {
    recorder.keepPosition()
    let removal = commands.removeNow()
    let lost = waiting.finish()
    lastWords = ([removal] + overlays.wordsOfDrafts + [lost, navigation.unrecordedNotice]).compactMap { $0 }
    // The process ends either way; a session that could not be closed is closed by the next process.
    try? navigation.endSession(waitingAtMost: 500)
  }

  /// Shows everything in other colours or signs.
  package func show(_ appearance: Appearance) {
    self.appearance = appearance
    screen.look = appearance
    for case let page as PageScreen in stack.screens where page.isLayerLoaded { page.layOutPage() }
    for case let tab as TabPage in tabs.screens { tab.lookHasChanged() }
    screen.layer.setNeedsLayout()
    overlays.overlay?.lookHasChanged()
    footer.show()
  }

  /// The time that words such as "yesterday" go by.
  var now: Timestamp { clock() }
  var dayNames: DayNames { DayNames(timeZone: navigation.timeZone, now: now) }

  /// Hands an event to the part that it is for.
  ///
  /// - Parameter time: Of the stage, in seconds.
  package func handle(_ event: InputEvent, at time: Double) {
    // A page that just comes was read just now, and its first frame waits for nothing else.
    defer {
      reportUnrecordedSteps()
      if steps.flight == nil { steps.lookForChanges() }
    }
    if case .focus(let hasFocus) = event { stage.perform(at: time) { self.hasFocus = hasFocus } }
    if stage.perform(at: time, { performance?.handle(event) ?? false }) { return }
    if case .key(let key) = event, key.phase != .release { steps.interruptHand() }
    screen.answering { stage.handle(event, at: time) }
  }

  /// Notes that the learner did something: now and then that is written, beside what they see, since it may wait for a disk.
  package func noteInput() {
    guard let save = navigation.noteInput() else { return }
    inBackground {
      try? save()
      return {}
    }
  }

  /// Ends the program, when what is being answered has been.
  func quit() { isFinished = true }

  private func words(aboutSittingOf step: HistoryRow?) -> String {
    guard let step else { return "Choose a course, and open it with Enter." }
    let day = dayNames.on(step.leftAt ?? step.at)
    let active = try? navigation.activeMilliseconds(inSession: step.session)
    let time =
      active.map { time in
        time.milliseconds < 60_000
          ? "" : (time.isComplete ? ", for " : ", for over ") + Words.duration(milliseconds: time.milliseconds)
      } ?? ""
    return "You were here \(day == "today" ? "earlier today" : day)\(time)."
  }

  /// Does something that no input asked for, such as showing how far a piece of work is, and sees that it is drawn.
  func besideInput(_ body: () -> Void) {
    stage.perform(at: stage.clock?() ?? stage.now, body)
    onChange?()
  }

  /// Does something with the services, and says in the next step's row what went wrong.
  func trying(_ body: () throws -> Void) {
    do { try body() } catch { screen.notify(String(describing: error)) }
  }
}

extension Browser {
  /// Returns what is told how synchronising in the background goes, on any thread.
  func hearing() -> @Sendable (SyncNews) -> Void {
    { [weak self] news in
      BackgroundWork.onMainActor { [weak self] in self?.show(news) }
    }
  }

  /// Shows what has come, or says why nothing goes.
  func show(_ news: SyncNews) {
    besideInput {
      switch news {
      case .received: steps.followSync()
      case .failed(let words): screen.notify(words)
      }
    }
  }
}

/// A part of the browser, with what all of them work on.
@MainActor class BrowserPart {
  unowned let browser: Browser

  init(of browser: Browser) {
    self.browser = browser
  }

  /// The pages from the list of courses to the one where the learner is, by the log.
  var pages: [PageScreen] { steps.pages }
  /// The page that commands are for: the one where the learner is, also while it still moves in.
  var page: PageScreen? { steps.page }
}

extension BrowserPart {
  var navigation: NavigationService { browser.navigation }
  var library: CourseLibrary { browser.library }
  var stage: Stage { browser.stage }
  var screen: BrowserScreen { browser.screen }
  var stack: StackScreen { browser.stack }
  var tabs: TabScreen { browser.tabs }
  var appearance: Appearance { browser.appearance }
  var size: CellSize { stage.size }
  var motion: MotionPreference { stage.motion }
  var now: Timestamp { browser.now }
  var dayNames: DayNames { browser.dayNames }
  var waiting: WaitingWrites { browser.waiting }
  var shell: BrowserShell { browser.shell }

  var steps: StepPresenter { browser.steps }
  var recorder: ActivityRecorder { browser.recorder }
  var footer: FooterPresenter { browser.footer }
  var asides: AsidePresenter { browser.asides }
  var overlays: OverlayPresenter { browser.overlays }
  var commands: CommandHandler { browser.commands }

  /// The overlay that has the keys now.
  var overlay: OverlayScreen? {
    guard let overlay = screen.presented as? OverlayScreen, !overlay.isBeingDismissed else { return nil }
    return overlay
  }

  func trying(_ body: () throws -> Void) { browser.trying(body) }
  func notify(_ words: String) { screen.notify(words) }
  /// The key of a command, as the screen shows it; `nil` where it has none.
  func label(of command: Command) -> String? {
    screen.bindings.row(of: command)?.keys.first?.label(appearance.symbols)
  }
}
