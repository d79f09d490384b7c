public import CourseLibrary
public import Foundation
public import LearningModel
public import NavigationService
public import ScreenKit
public import TextCanvas

/// The browser without a terminal: its stage, its pages, and the steps that they ask for.
///
/// A step goes one way: a page asks, the service computes and records it, and only then does anything move.
@MainActor public final class Browser: PageShell {
  let navigation: NavigationService
  let library: CourseLibrary
  let transitions = BrowserTransitions()
  private let bindings = KeyBindings()
  private let stack: StackScreen
  private let screen: BrowserScreen
  /// Where everything is seen.
  public let stage: Stage
  /// Whether the learner has asked to leave.
  public private(set) var isFinished = false

  private(set) var appearance: Appearance
  var size: CellSize { stage.size }
  var motion: MotionPreference { stage.motion }
  let layout: ListGeometry.Layout?
  private let now: () -> Timestamp

  /// Opens the browser where the learner left off.
  ///
  /// - Parameters:
  ///   - navigation: The service of the learner's session.
  ///   - library: The courses.
  ///   - appearance: Colours and signs.
  ///   - size: Of the terminal, in cells.
  ///   - options: What was asked for.
  ///   - first: A place to open at once; `nil` for where the learner left off.
  ///   - now: Tells the time, for words such as "yesterday".
  /// - Throws: What the services throw.
  public init(
    navigation: NavigationService, library: CourseLibrary, appearance: Appearance, size: CellSize,
    options: BrowserOptions = BrowserOptions(), opening first: PlaceName? = nil,
    now: @escaping () -> Timestamp = { Timestamp(date: Date()) }
  ) throws {
    self.navigation = navigation
    self.library = library
    self.appearance = appearance
    self.now = now
    let placeholder = Screen()
    stack = StackScreen(root: placeholder, title: "Learn")
    screen = BrowserScreen(tabs: TabScreen([stack]), appearance: appearance)
    stage = Stage(size: size)
    stage.motion = options.motion
    layout = options.layout
    stack.transitions = transitions
    stage.rootScreen = screen
    screen.onCommand = { [weak self] in self?.perform($0) ?? false }
    screen.bindings = bindings
    transitions.onShown = { ($0 as? ListScreen)?.fadeFrameIn() }
    var step = try navigation.perform(.resume, cause: .system, animated: false)
    if let first {
      let opened = try navigation.perform(.open(first), cause: .shell, animated: false)
      if opened.isPerformed { step = opened }
    }
    try show(step, animated: false)
  }

  /// Shows everything in other colours or signs.
  func show(_ appearance: Appearance) {
    self.appearance = appearance
    screen.look = appearance
    for case let page as PageScreen in stack.screens where page.isLayerLoaded { page.layOutPage() }
    screen.layer.setNeedsLayout()
  }

  /// Puts everything away before the program ends.
  func close() {
    keepPosition()
    try? navigation.endSession()
  }

  /// Keeps how far the text on screen was read.
  private func keepPosition() {
    guard let page = stack.top as? ReadingScreen else { return }
    try? navigation.save(page.position(at: now()), in: page.place, waitingAtMost: 2000)
  }

  // MARK: - Steps

  func navigate(_ request: NavigationRequest, cause: NavigationCause) {
    keepPosition()
    do {
      let step = try navigation.perform(request, cause: cause, animated: motion != .none, waitingAtMost: 2000)
      if step.isPerformed { try show(step, animated: true) }
      if let message = step.message { screen.notify(message) }
    } catch {
      screen.notify(String(describing: error))
    }
  }

  /// Shows the pages of a step's stack; those that are there already stay.
  private func show(_ step: Step, animated: Bool) throws {
    let old = stack.screens.compactMap { $0 as? PageScreen }
    var pages: [PageScreen] = []
    for place in step.stack.map(\.place) {
      if pages.count < old.count, old[pages.count].place == place,
        pages.count == 0 || pages[pages.count - 1] === old[pages.count - 1]
      {
        pages.append(old[pages.count])
      } else {
        pages.append(try makePage(of: place))
      }
    }
    try refresh(pages, unless: old)
    transitions.choice = step.transition?.choice
    defer { transitions.choice = nil }
    try stack.setScreens(pages, animated: animated)
    showFooter(alongside: stack.transitionCoordinator)
  }

  /// Brings the pages up to date, and lets each list choose the card that leads to the page below it.
  private func refresh(_ pages: [PageScreen], unless new: [PageScreen]) throws {
    for (index, page) in pages.enumerated() {
      if new.contains(where: { $0 === page }) { page.show(try model(of: page.place)) }
      let below = index + 1 < pages.count ? pages[index + 1].place.node : leftNode(below: page, in: new)
      if let list = page as? ListScreen, let below { list.choose(below) }
    }
  }

  /// The node below a page that is being gone back to.
  private func leftNode(below page: PageScreen, in old: [PageScreen]) -> NodeID? {
    guard let index = old.firstIndex(where: { $0 === page }), index + 1 < old.count else { return nil }
    return old[index + 1].place.node
  }

  private func makePage(of place: Place) throws -> PageScreen {
    let model = try model(of: place)
    guard model.kind == .activity, let node = place.node else {
      return ListScreen(place: place, page: model, shell: self)
    }
    let content = try library.content(of: node) ?? .reading([])
    let page = ReadingScreen(place: place, page: model, content: content, shell: self)
    if let position = try navigation.readingPosition(in: place) { page.resume(at: position) }
    return page
  }

  private func model(of place: Place) throws -> PageModel {
    PageModel(try navigation.page(of: .place(place)), clock: DayNames(timeZone: navigation.timeZone, now: now()))
  }

  // MARK: - What pages ask for

  func open(_ card: CardModel, on page: ListScreen, cause: NavigationCause) {
    switch card.target {
    case .node(let node): navigate(.push(.place(.node(node))), cause: cause)
    case .bundledCourse, .addCourse, .tour: break
    }
  }

  func readOn(from page: ReadingScreen) {
    record(.seenToEnd, in: page)
    navigate(.next, cause: .key)
  }

  func pageChanged(_ page: PageScreen) {
    if page === stack.top { showFooter() }
  }

  private func record(_ act: LearningAct, in page: PageScreen) {
    do {
      try navigation.record(act, in: .place(page.place))
      page.show(try model(of: page.place))
      showFooter()
    } catch {
      screen.notify(String(describing: error))
    }
  }

  // MARK: - Input

  /// Hands an event to whoever it is for.
  ///
  /// - Parameter time: Of the stage, in seconds.
  public func handle(_ event: InputEvent, at time: Double) {
    stage.handle(event, at: time)
  }

  private func perform(_ command: Command) -> Bool {
    if let page = stack.top as? PageScreen, page.perform(command) { return true }
    switch command {
    case .up: navigate(.pop, cause: .key)
    case .next: navigate(.next, cause: .key)
    case .previous: navigate(.previous, cause: .key)
    case .back: navigate(.back, cause: .key)
    case .forward: navigate(.forward, cause: .key)
    case .goOn: goOn()
    case .toggleDone: toggleDone()
    case .quit: isFinished = true
    default: return false
    }
    return true
  }

  private func goOn() {
    guard let page = stack.top as? PageScreen else { return }
    do {
      guard let next = try navigation.page(of: .place(page.place)).nextStep else { return }
      navigate(.open(.place(next.card.place.place)), cause: .key)
    } catch {
      screen.notify(String(describing: error))
    }
  }

  private func toggleDone() {
    guard let page = stack.top as? ReadingScreen else { return }
    record(page.header.fraction >= 1 && page.page.header.topRight == "done" ? .markedNotDone : .markedDone, in: page)
  }

  // MARK: - The last two rows

  private func showFooter(alongside coordinator: (any TransitionCoordinator)? = nil) {
    guard let page = stack.top as? PageScreen else { return }
    var footer = BrowserScreen.Footer()
    footer.keys = keys(of: page)
    if let next = (try? navigation.page(of: .place(page.place)))?.nextStep {
      footer.hint = BrowserScreen.Hint(
        next, symbols: appearance.symbols, clock: DayNames(timeZone: navigation.timeZone, now: now()))
    }
    screen.show(footer, alongside: coordinator)
  }

  private func keys(of page: PageScreen) -> [KeyHint] {
    let symbols = appearance.symbols
    let isRoot = page.place == .root
    let isText = page is ReadingScreen
    var keys: [KeyHint] = isText ? [KeyHint("Space", "page")] : [KeyHint(symbols.enter, "open")]
    if !isRoot { keys.append(KeyHint(symbols.arrows[2], "up")) }
    if isRoot { keys.append(KeyHint(symbols.arrows[0] + symbols.arrows[1], "choose")) }
    keys += page.keys
    keys += [KeyHint("/", "find"), KeyHint("?", "help")]
    if isRoot { keys.append(KeyHint("q", "quit")) }
    return keys
  }
}

extension BrowserScreen.Hint {
  init(_ next: NextStep, symbols: Symbols, clock: DayNames) {
    let title = symbols.quotes.open + next.card.place.title + symbols.quotes.close
    switch next.reason {
    case .goOn:
      self.init(
        key: ".", text: "Go on with " + title,
        detail: [CardModel.activityState(next.card), next.leftAt.map { "left " + clock.at($0) } ?? ""]
          .filter { !$0.isEmpty }.joined(separator: ", "))
    case .next:
      self.init(key: "n", text: "Next: " + next.card.place.title, detail: CardModel.describe(next.card))
    case .firstUnfinished:
      self.init(key: ".", text: "Begin with " + title, detail: CardModel.describe(next.card))
    case .allDone:
      self.init(key: "", text: "Everything here is done.", detail: "")
    }
  }
}
