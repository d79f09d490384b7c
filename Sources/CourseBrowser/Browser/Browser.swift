package import CourseLibrary
package import CoursePages
import Foundation
package import LearningModel
import Motion
package import NavigationService
package import ScreenKit
package import TextCanvas

/// The browser without a terminal: its stage, its pages, and the steps that they ask for.
///
/// A step goes one way: a page asks, the service computes and records it, and only then does anything move.
@MainActor package final class Browser {
  let navigation: NavigationService
  let library: CourseLibrary
  let transitions = BrowserTransitions()
  let stack: StackScreen
  let tabs: TabScreen
  let screen: BrowserScreen
  let tabTransitions = TabTransitions()
  /// Where everything is seen.
  package let stage: Stage
  /// Whether the learner has asked to leave.
  package private(set) var isFinished = false

  private(set) var appearance: Appearance { didSet { knownLabels = [:] } }
  /// What is bound where a page speaks of a key: the bindings stay as long as the program runs.
  var knownLabels: [String: String?] = [:]
  var layout: ListGeometry.Layout?
  /// The course that goes when its notice ends, and the call that takes it.
  var removal: (course: NamedPlace, call: ScheduledCall)?
  /// The place that was renamed last, with the name that it had, while its notice offers that.
  var renaming: (place: NamedPlace, before: String, call: ScheduledCall)?
  /// What can be changed while it runs; `nil` where nothing can.
  package var settings: SettingsKeeper?
  /// Called where other options count from now on.
  var onSettings: ((BrowserOptions) -> Void)?
  /// Where courses to add are looked for.
  var folders = FolderListing()
  /// The step that a hand makes, or has caught, until it has arrived.
  var hand: HandStep?
  /// The step that is on its way to be seen.
  var flight: Flight? { didSet { if flight == nil, hasNews { followImport() } } }
  /// Whether a course was imported while a step was on its way to be seen.
  private var hasNews = false
  /// The change of tabs that is on its way to be seen.
  var tabFlight: Transition?
  private(set) lazy var gestures = HandGestures(browser: self)
  /// Quizzes that were left in the middle, in this sitting.
  var quizzesLeft: [NodeID: QuizRun] = [:]
  /// What is still to be written, since another program has the database.
  private(set) lazy var waiting = WaitingWrites(browser: self)
  /// The pictures of texts, as they are drawn.
  private(set) lazy var pictures = DrawnPictures { [library] in try? library.picture($0) }
  /// Does what takes longer than a frame.
  var inBackground = BackgroundWork.atOnce
  /// What made the command that is being done.
  var inputCause = NavigationCause.key
  private let clock: () -> Timestamp
  /// The keys that were said to do nothing, by the kinds of screens on which that was said.
  private var deadKeys: Set<DeadKey> = []
  /// What says that another process has changed the database.
  private var dataVersion: Int?
  /// Whether somebody is here: what a picture shows is done by nobody.
  var isAttended: Bool { hasBegun && performance == nil }
  private(set) var hasBegun = false
  /// Whether the terminal has the keyboard, as far as it tells.
  private(set) var hasFocus = true { didSet { if hasFocus != oldValue { attentionHasChanged() } } }
  /// The learner's last step before this sitting began.
  private var stepBefore: HistoryRow?
  /// When the learner was here before, and how long, as the list of courses says it; `nil` where nobody is here.
  private(set) lazy var lastSitting: String? = hasBegun ? words(aboutSittingOf: stepBefore) : nil
  /// What will be shown beside the page.
  var asideCall: ScheduledCall?
  var hasShownAside = false
  /// What the learner watches; it takes the keys.
  var performance: (any Performance)? { didSet { attentionHasChanged() } }
  /// Puts a text on the clipboard of the terminal, and says whether it could; `nil` where there is no terminal.
  package var onCopy: ((String) -> Bool)?
  /// Shows an address or a file outside of the terminal; `false`, or no such function, where nobody would see it.
  package var onOpen: ((String) -> Bool)?

  /// Writes the history into files; `nil` where nothing does.
  package var export: HistoryExport?
  /// Writes courses into files; `nil` where nothing does.
  package var courseExport: CourseExport?
  /// Lets a text be written in the learner's own editor, and tells what it is then; `nil` to that where it stays as it
  /// was. `nil` where there is no editor.
  package var onEdit: ((_ text: String, _ done: @escaping (String?) -> Void) -> Void)?

  /// Called when something has changed that no input asked for, so that a frame is due.
  package var onChange: (() -> Void)?

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
    let find = FindScreen()
    let history = HistoryScreen()
    tabs = TabScreen([stack, find, history])
    screen = BrowserScreen(tabs: tabs, appearance: appearance)
    stage = Stage(size: size)
    stage.motion = options.motion
    stack.transitions = transitions
    tabs.transitions = tabTransitions
    find.shell = self
    history.shell = self
    stage.rootScreen = screen
    screen.bindings = options.keys
    screen.onCommand = { [weak self] in self?.perform($0) ?? false }
    screen.onDeadKey = { [weak self] in self?.sayItDoesNothing($0) }
    screen.onResize = { [weak self] in self?.showAside() }
    screen.onMouse = { [weak self] in self?.handle($0) ?? false }
    screen.add(edge: gestures.edge(), sideways: gestures.sideways())
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
    try show(step, animated: false)
    chooseWhereFrom()
    if let message = step.message, step.note != .noHistory { screen.notify(message) }
    dataVersion = try? navigation.dataVersion()
  }

  /// Chooses on a list the card that the learner has come from, as if the program had never been left.
  private func chooseWhereFrom() {
    guard let list = page as? ListScreen else { return }
    trying {
      if let node = try navigation.childLeft(under: list.place)?.node { list.choose(node) }
    }
  }

  /// Puts everything away before the program ends.
  package func close() {
    keepPosition()
    removeNow()
    waiting.finish()
    // The process ends either way; a session that could not be closed is closed by whoever comes next.
    try? navigation.endSession()
  }

  /// Shows everything in other colours or signs.
  package func show(_ appearance: Appearance) {
    self.appearance = appearance
    screen.look = appearance
    for case let page as PageScreen in stack.screens where page.isLayerLoaded { page.layOutPage() }
    for case let tab as TabPage in tabs.screens { tab.lookHasChanged() }
    screen.layer.setNeedsLayout()
    overlay?.lookHasChanged()
    showFooter()
  }

  /// The pages from the list of courses to the one where the learner is, by the log.
  var pages: [PageScreen] { hand?.pages ?? stack.screens.compactMap { $0 as? PageScreen } }
  /// The page that commands are for: the one where the learner is, also while it is still on its way.
  var page: PageScreen? { pages.last }

  /// The time that words such as "yesterday" go by.
  var now: Timestamp { clock() }
  var dayNames: DayNames { DayNames(timeZone: navigation.timeZone, now: now) }

  // MARK: - Input

  /// Hands an event to whoever it is for.
  ///
  /// - Parameter time: Of the stage, in seconds.
  package func handle(_ event: InputEvent, at time: Double) {
    // A page that just comes was read just now, and its first frame waits for nothing else.
    defer { if flight == nil { lookForChanges() } }
    if case .focus(let hasFocus) = event { stage.perform(at: time) { self.hasFocus = hasFocus } }
    if stage.perform(at: time, { performance?.handle(event) ?? false }) { return }
    if case .key(let key) = event, key.phase != .release { interruptHand() }
    screen.answering { stage.handle(event, at: time) }
  }

  /// Notes that the learner did something: now and then that is written, beside what they see: it may wait for a disk, and
  /// what is found for a letter would wait with it.
  package func noteInput() {
    guard let save = navigation.noteInput() else { return }
    inBackground {
      try? save()
      return {}
    }
  }

  /// Does what a key, or a word of the palette, asks for.
  func perform(_ command: Command) -> Bool {
    if performOnPane(command) { return true }
    let shown = tabs.selectedScreen
    let afterimage = command == .layout && !openings.isEmpty && motion == .full ? picture() : nil
    defer { fade(afterimage) }
    if shown === stack, let page, page.perform(command) { return true }
    if let history = shown as? HistoryScreen, history.perform(command) { return true }
    return performAnywhere(command)
  }

  /// What can be done on every page.
  private func performAnywhere(_ command: Command) -> Bool {
    switch command {
    case .find: selectTab(1)
    case .tab(let index): selectTab(index)
    case .otherPane: return focusNextPane()
    // What stands beside the page is next where no link waits.
    case .nextTab where focusNextPane(): break
    case .nextTab: selectTab((tabs.selectedIndex + 1) % tabs.screens.count)
    case .previousTab: selectTab((tabs.selectedIndex + tabs.screens.count - 1) % tabs.screens.count)
    case .up: navigate(wayUp, cause: .key)
    case .next: navigate(.next, cause: .key)
    case .previous: navigate(.previous, cause: .key)
    case .back: navigate(.back, cause: .key)
    case .forward: navigate(.forward, cause: .key)
    case .goOn: goOn()
    case .copy: copyPath()
    case .add: showAddCourse()
    case .mark: toggleMark()
    case .marks: showMarks()
    case .notes: showNotes()
    case .goTo: showPalette()
    case .info: showInfo()
    case .help: showHelp()
    case .tour: showAround()
    case .settings: showSettings()
    case .rename: askForName()
    case .remove: askToRemove()
    case .export: showCourseExport()
    case .importAgain: importAgain()
    case .undo: return undo()
    case .quit: isFinished = true
    default: return false
    }
    return true
  }

  /// A key that does nothing here, and the kind of screen that is here.
  private struct DeadKey: Hashable {
    var key: Key
    var modifiers: KeyModifiers
    var screen: ObjectIdentifier
  }

  /// Says of a key that does nothing here that it does, once.
  private func sayItDoesNothing(_ key: KeyEvent) {
    let shown: Screen = tabs.selectedIndex == 0 ? page ?? stack : tabs.selectedScreen
    let dead = DeadKey(key: key.key, modifiers: key.modifiers, screen: ObjectIdentifier(type(of: shown)))
    let label = key.label(appearance.symbols)
    guard hasBegun, !label.isEmpty, deadKeys.insert(dead).inserted else { return }
    let help = self.label(of: .help).map { " \($0) shows the keys." } ?? ""
    screen.notify("\(label) does nothing here." + help, .quiet)
  }

  private func goOn() {
    guard let page, let next = page.page.nextStep else {
      // Behind the last activity there is the end of the course.
      return page is ActivityScreen ? navigate(.next, cause: .key) : ()
    }
    trying {
      let place = try isBehind(next) ? toDo(besides: page) ?? next.card.place.place : next.card.place.place
      navigate(.open(.place(place)), cause: .key)
    }
  }

  /// Whether what follows in reading order is done: it is the next to read, and not the next to do.
  private func isBehind(_ next: NextStep) -> Bool { next.reason == .next && next.card.state == .done }

  /// What there is to do in the lesson of an activity, or else in its course, beside itself; `nil` where there is nothing.
  private func toDo(besides page: PageScreen) throws -> Place? {
    guard let above = pages.dropLast().last else { return nil }
    let next = try navigation.page(of: .place(above.place), with: .some(0, around: .index(0))).nextStep
    guard let next, next.reason != .allDone, next.card.place.place != page.place else { return nil }
    return next.card.place.place
  }

  private func words(aboutSittingOf step: HistoryRow?) -> String {
    guard let step else { return "Choose a course, and open it with Enter." }
    let day = dayNames.on(step.leftAt ?? step.at)
    let active = try? navigation.activeMilliseconds(inSession: step.session)
    let time = active.map { $0 < 60_000 ? "" : ", for " + Words.duration(milliseconds: $0) } ?? ""
    return "You were here \(day == "today" ? "earlier today" : day)\(time)."
  }

  /// Another process may have imported a course, or marked something: what is shown is read again.
  private func lookForChanges() {
    guard let version = try? navigation.dataVersion(), version != dataVersion else { return }
    defer { dataVersion = version }
    guard dataVersion != nil else { return }
    trying { try showEdition() }
    showNotesOfPage()
    readAgain()
  }

  /// Shows what is new, as somebody has imported or removed a course.
  func followImport() {
    hasNews = flight != nil
    guard !hasNews else { return }
    lookForChanges()
    onChange?()
  }

  /// Shows what is known of the page now.
  func readAgain() {
    guard let page else { return }
    trying { page.show(try model(of: page)) }
    showFooter()
  }

  /// Does something with the services, and says in the next step's row what went wrong.
  func trying(_ body: () throws -> Void) {
    do { try body() } catch { screen.notify(String(describing: error)) }
  }
}
