import CourseLibrary
import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// Does what the learner asks for, with a key, the mouse, a link or the palette.
@MainActor final class CommandHandler: BrowserPart {
  /// What made the command that is being done.
  var inputCause = NavigationCause.key
  /// What was done last, where that can be taken back.
  var undoable: Undoable?
  /// A thing done that can be taken back, until the next one is.
  enum Undoable {
    /// A course goes when its time is over, which the call counts down.
    case removal(NamedPlace, ScheduledCall)
    /// A course was imported again: as it was before.
    case edition(FormerCourse)
    /// A place got a name: the one that it had.
    case name(NamedPlace, before: String)
    /// Notes were taken away, one after the other.
    case notes([PlacedNote])
  }

  /// The keys that were said to do nothing, by the kinds of screens on which that was said.
  private var deadKeys: Set<DeadKey> = []

  /// Does what a key, or a word of the palette, asks for.
  func perform(_ command: Command) -> Bool {
    if asides.performOnPane(command) { return true }
    let shown = tabs.selectedScreen
    let afterimage = command == .layout && !steps.openings.isEmpty && motion == .full ? steps.picture() : nil
    defer { steps.fade(afterimage) }
    if shown === stack, let page, page.perform(command) { return true }
    if let history = shown as? HistoryScreen, history.perform(command) { return true }
    return performAnywhere(command)
  }

  /// What can be done on every page.
  private func performAnywhere(_ command: Command) -> Bool {
    switch command {
    case .find: steps.selectTab(1)
    case .tab(let index): steps.selectTab(index)
    case .otherPane: return asides.focusNextPane()
    // What stands beside the page is next where no link waits.
    case .nextTab where asides.focusNextPane(): break
    case .nextTab: steps.selectTab((tabs.selectedIndex + 1) % tabs.screens.count)
    case .previousTab: steps.selectTab((tabs.selectedIndex + tabs.screens.count - 1) % tabs.screens.count)
    case .up: navigate(steps.wayUp, cause: .key)
    case .next: navigate(.next, cause: .key)
    case .previous: navigate(.previous, cause: .key)
    case .back: navigate(.back, cause: .key)
    case .forward: navigate(.forward, cause: .key)
    case .goOn: goOn()
    case .copy: copyPath()
    case .add: overlays.showAddCourse()
    case .mark: toggleMark()
    case .marks: showMarks()
    case .notes: overlays.showNotes()
    case .goTo: overlays.showPalette()
    case .headings:
      guard tabs.selectedIndex == 0, (page as? ReadingScreen)?.text.headings.isEmpty == false else { return false }
      overlays.showPalette(writing: PaletteScreen.headingsSign)
    case .info: overlays.showInfo()
    case .help: overlays.showHelp()
    case .tour: showAround()
    case .settings: overlays.showSettings()
    case .wider: overlays.changeWidth(by: OverlayPresenter.columnsAtOnce)
    case .narrower: overlays.changeWidth(by: -OverlayPresenter.columnsAtOnce)
    case .rename: askForName()
    case .remove: askToRemove()
    case .export: overlays.showCourseExport()
    case .importAgain: importAgain()
    case .wrongAnswers: overlays.showWrongAnswers()
    case .undo: return undo()
    case .quit: browser.quit()
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
  func sayItDoesNothing(_ key: KeyEvent) {
    let shown: Screen = tabs.selectedIndex == 0 ? page ?? stack : tabs.selectedScreen
    let dead = DeadKey(key: key.key, modifiers: key.modifiers, screen: ObjectIdentifier(type(of: shown)))
    let label = key.label(appearance.symbols)
    guard browser.hasBegun, !label.isEmpty, deadKeys.insert(dead).inserted else { return }
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
}

/// Where the learner asks to go.
extension CommandHandler {
  func navigate(_ request: NavigationRequest, cause: NavigationCause) {
    navigate(request, cause: cause) {}
  }

  /// Goes somewhere, and then does something there.
  func navigate(_ request: NavigationRequest, cause: NavigationCause, then: @escaping () -> Void) {
    steps.interruptHand()
    recorder.keepPosition()
    let cause = cause == .key ? inputCause : cause
    let above = page is ActivityScreen ? Array(pages.dropLast()) : []
    waiting.write { [self] milliseconds in
      let step = try navigation.perform(request, cause: cause, animated: motion != .none, waitingAtMost: milliseconds)
      if step.isPerformed { try steps.show(step, animated: true) }
      if let message = try words(about: step, leaving: above) { screen.notify(message) }
      then()
    }
  }

  /// What a step has to say; behind the last activity the end of the course is shown instead.
  private func words(about step: Step, leaving above: [PageScreen]) throws -> String? {
    if case .nothingToDo(.lastOfCourse) = step.outcome, let page {
      guard page.page.kind != .course, let course = course(of: page) else { return "This is the last course." }
      try overlays.showEnd(of: course)
      return nil
    }
    return try step.message ?? (step.operation == .next ? words(atEndOf: above) : nil)
  }

  /// What a step out of a lesson, or of a goal, has to say of what was left; `nil` where none was.
  private func words(atEndOf above: [PageScreen]) throws -> String? {
    guard let left = above.first(where: { page in !pages.contains { $0 === page } }), left.page.kind != .course,
      let node = left.place.node
    else { return nil }
    let card = try navigation.card(of: .place(.node(node)))
    return Words.end(of: card, symbols: appearance.symbols, width: PageMetrics(size: size).textWidth)
  }

  func open(_ card: CardModel, cause: NavigationCause) {
    switch card.target {
    case .node(let node):
      let inner = steps.innermost(of: node)
      navigate(inner == node ? .push(.place(.node(node))) : .open(.place(.node(inner))), cause: cause)
    case .bundledCourse: addBundledCourse()
    case .ownCourse: overlays.showAddCourse()
    case .tour: showAround()
    case .unknown: break
    }
  }

  private func addBundledCourse() {
    guard let page else { return }
    trying {
      _ = try library.importBundled()
      let model = try steps.model(of: page)
      page.show(model)
      if let node = model.cards.known.first?.node { navigate(.push(.place(.node(node))), cause: .key) }
    }
  }

  /// Looks for words in everything.
  func find(_ words: String) {
    steps.selectTab(1)
    // What was looked for before goes.
    _ = tabs.selectedScreen.handle(.key(KeyEvent(.end)))
    _ = tabs.selectedScreen.handle(.key(KeyEvent(.character("u"), modifiers: .control)))
    _ = tabs.selectedScreen.handle(.paste(words))
  }

  /// Looks for words that were looked for in one text in its course, and from there in everything.
  func widenSearch(_ words: String) {
    steps.selectTab(1)
    (tabs.selectedScreen as? FindScreen)?.widen(words)
  }

  /// Opens a place that was found: the page is there when the tab is, and a text shows what it was found for.
  func openFound(
    _ place: Place, for query: String? = nil, cause: NavigationCause = .search, then: @escaping () -> Void = {}
  ) {
    recorder.keepPosition()
    let isHere = page?.place == place
    waiting.write { [self] milliseconds in
      let step = try navigation.perform(
        .open(.place(place)), cause: cause, animated: motion != .none, waitingAtMost: milliseconds)
      if step.isPerformed { try steps.show(step, animated: false) }
      if isHere, query != nil { (page as? ReadingScreen)?.rememberReader() }
      if let query, let text = page as? any FoundText, text.place == place { text.show(found: query) }
      steps.tabTransitions.opening = place.node
      defer { steps.tabTransitions.opening = nil }
      steps.selectTab(0)
      then()
    }
  }

  /// Goes to a quiz, and shows how it went the last time.
  ///
  /// - Parameter question: The question that is looked at; `nil` for the list of all.
  func openLastAttempt(at quiz: Place, question: Int? = nil) {
    let show = { [self] in
      guard let page = page as? QuizScreen, page.place == quiz else { return }
      trying { page.take(attempts: try navigation.quizAttempts(at: quiz)) }
      if !page.show(attempt: 0, question: question) { notify("Its questions have changed since.") }
    }
    if tabs.selectedIndex != 0 {
      openFound(quiz, cause: .key, then: show)
    } else if page?.place == quiz {
      show()
    } else {
      navigate(.open(.place(quiz)), cause: .key, then: show)
    }
  }

  /// Goes to a place from wherever the learner is, also from another tab.
  func go(to place: Place, cause: NavigationCause = .key) {
    if tabs.selectedIndex == 0 {
      commands.navigate(.open(.place(place)), cause: cause)
    } else {
      commands.openFound(place, cause: cause)
    }
  }
}

/// Marks: the places that the learner wants to find again.
extension CommandHandler {
  /// The place that keys such as `m` and `i` are about: the chosen card's, or the history's chosen step's, else the
  /// page's own.
  var placeInMind: Place? {
    if let history = tabs.selectedScreen as? HistoryScreen {
      return history.chosenPlace == .root ? nil : history.chosenPlace
    }
    if let list = page as? ListScreen, let card = list.chosenCard { return card.node.map(Place.node) }
    return page?.place == .root ? nil : page?.place
  }

  /// Marks the place in mind, or takes its mark away.
  func toggleMark() {
    guard let place = placeInMind else { return notify("There is nothing to mark here.") }
    waiting.write { [self] milliseconds in
      let card = try navigation.card(of: .place(place))
      try navigation.setBookmark(!card.isBookmarked, at: .place(place), waitingAtMost: milliseconds)
      steps.readAgain()
      let (quotes, key) = (appearance.symbols.quotes, label(of: .marks))
      let title = quotes.around(card.place.title)
      notify(
        card.isBookmarked
          ? "\(title) is not marked any more." : "Marked \(title)." + (key.map { " \($0) shows all marks." } ?? ""))
    }
  }

  /// Shows the marks: Find, before anything is typed, begins with them. Says how many notes there are, which are listed
  /// elsewhere.
  func showMarks() {
    trying {
      let notes = try navigation.notes().count
      guard try navigation.bookmarks().contains(where: { !$0.isRemoved }) else {
        let mark = label(of: .mark).map { " \($0) marks what is chosen." } ?? ""
        let key = notes == 0 ? nil : label(of: .notes)
        return notify("Nothing is marked." + mark + (key.map { " \(Words.count(notes, "note")): \($0)" } ?? ""))
      }
      steps.selectTab(1)
      (tabs.selectedScreen as? FindScreen)?.showMarks(notes: notes)
    }
  }

  /// Goes to a note's words, or to its text where their place is gone.
  func go(to placed: PlacedNote) {
    let show = { [self] in
      let reading = page as? ReadingScreen
      reading?.show(note: placed.note.id)
      guard let reading, !reading.marks.marks.contains(where: { $0.note.id == placed.note.id }) else { return }
      let (quotes, ellipsis) = (appearance.symbols.quotes, appearance.symbols.ellipsis)
      let quote = placed.note.anchor.quote
      let words = quote.count > 40 ? quote.prefix(38) + ellipsis : quote[...]
      notify("Its place is gone: \(quotes.around(words)).")
    }
    guard tabs.selectedIndex != 0 || page?.place != placed.place.place else { return show() }
    if tabs.selectedIndex == 0 {
      navigate(.open(.place(placed.place.place)), cause: .bookmark, then: show)
    } else {
      openFound(placed.place.place, cause: .bookmark, then: show)
    }
  }

  /// Answers what no page did: the trail, the last two rows, the thumb's buttons, and the wheel sideways.
  func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.action {
    case .press(.back): navigate(.back, cause: .mouse)
    case .press(.forward): navigate(.forward, cause: .mouse)
    case .press(.left): return click(mouse.position)
    case .scroll(let columns, rows: 0) where columns != 0: steps.gestures.turnWheel(columns)
    // The left edge lies before the page, and takes nothing of it but drags.
    case .scroll where screen.isEdge(mouse.position):
      return ((tabs.selectedIndex == 0 ? page : tabs.selectedScreen) ?? tabs).handle(.mouse(mouse))
    default: return false
    }
    return true
  }

  private func click(_ point: CellPoint) -> Bool {
    if asides.clickBeside(point) { return true }
    if let page, tabs.selectedIndex == 0, let crumb = page.crumb(at: point), stack.screens.indices.contains(crumb),
      let above = stack.screens[crumb] as? PageScreen
    {
      navigate(.popTo(.place(above.place)), cause: .mouse)
      return true
    }
    if tabs.selectedIndex == 0, let list = page as? ListScreen, list.isHowToAdd(point) { return perform(.add) }
    switch screen.target(at: point) {
    case .part(.tab(let index)): steps.selectTab(index)
    case .part(.key(let hint)): return perform(key: hint.key)
    case .hint(let hint): return perform(key: hint.key)
    case nil: return clickInFlight(point)
    }
    return true
  }

  /// While a card opens or closes, what is clicked is what is seen of the page that the learner is on.
  private func clickInFlight(_ point: CellPoint) -> Bool {
    guard tabs.selectedIndex == 0, !screen.isEdge(point), let opening = steps.openings.first,
      let list = page as? ListScreen,
      let node = opening.node(at: point)
    else { return false }
    return list.click(node)
  }

  /// Does what a key does, for a click on where it is shown.
  private func perform(key label: String) -> Bool {
    let arrows = appearance.symbols.arrows
    if let history = tabs.selectedScreen as? HistoryScreen, [arrows[2], arrows[3]].contains(label) {
      history.showWeek(by: label == arrows[2] ? -1 : 1)
      return true
    }
    let row = screen.bindings.rows.first { $0.keys.contains { $0.label(appearance.symbols) == label } }
    guard let row else { return false }
    inputCause = .mouse
    defer { inputCause = .key }
    return perform(row.command)
  }
}

extension PageScreen {
  /// The ancestor whose crumb stands at a cell, counted from the list of courses; `nil` where there is none.
  func crumb(at point: CellPoint) -> Int? {
    guard point.row == metrics.trailRow, place != .root else { return nil }
    return drawing.crumb(at: point.column - metrics.textLeft, of: page.trail)
  }
}
