import CourseLibrary
import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

extension Browser {
  func navigate(_ request: NavigationRequest, cause: NavigationCause) {
    navigate(request, cause: cause) {}
  }

  /// Goes somewhere, and then does something there.
  func navigate(_ request: NavigationRequest, cause: NavigationCause, then: @escaping () -> Void) {
    interruptHand()
    keepPosition()
    let cause = cause == .key ? inputCause : cause
    let above = page is ActivityScreen ? Array(pages.dropLast()) : []
    waiting.write { [self] milliseconds in
      let step = try navigation.perform(request, cause: cause, animated: motion != .none, waitingAtMost: milliseconds)
      if step.isPerformed { try show(step, animated: true) }
      if let message = try words(about: step, leaving: above) { screen.notify(message) }
      then()
    }
  }

  /// What a step has to say; behind the last activity the end of the course is shown instead.
  private func words(about step: Step, leaving above: [PageScreen]) throws -> String? {
    if case .nothingToDo(.lastOfCourse) = step.outcome, let page {
      guard page.page.kind != .course, let course = course(of: page) else { return "This is the last course." }
      try showEnd(of: course)
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
      let inner = innermost(of: node)
      navigate(inner == node ? .push(.place(.node(node))) : .open(.place(.node(inner))), cause: cause)
    case .bundledCourse: addBundledCourse()
    case .ownCourse: showAddCourse()
    case .tour: showAround()
    case .unknown: break
    }
  }

  /// What a card opens.
  func innermost(of node: NodeID) -> NodeID {
    (try? navigation.innermost(of: node)) ?? node
  }

  /// What leads up from where the learner is: past the lists that a card does not open.
  var wayUp: NavigationRequest {
    let lists = pages.dropLast().dropFirst().reversed()
    let passed = lists.prefix { page in
      page.page.cards.count == 1 && page.page.cards[0].title == page.page.header.title
    }
    guard !passed.isEmpty else { return .pop }
    return .popTo(.place(pages[pages.count - 2 - passed.count].place))
  }

  private func addBundledCourse() {
    guard let page else { return }
    trying {
      _ = try library.importBundled()
      let model = try model(of: page)
      page.show(model)
      if let node = model.cards.known.first?.node { navigate(.push(.place(.node(node))), cause: .key) }
    }
  }

  func pageMoved() { retakePictures() }

  func pageChanged(_ page: any CoursePage) {
    // What is found is shown on a page before the tab is seen that it is on.
    if page === self.page, tabs.selectedIndex == 0 { showFooter() }
    retakePictures()
  }
}

// MARK: - Showing a step

extension Browser {
  /// Shows the pages of a step's stack; those that are there already stay.
  @discardableResult
  func show(_ step: Step, animated: Bool) throws -> Transition? {
    let old = self.pages
    // A page that has not left yet comes back as it is.
    let leaving = pagesLeaving
    let isReturn = [.back, .forward].contains(step.operation)
    var pages: [PageScreen] = []
    for (index, place) in step.stack.map(\.place).enumerated() {
      let kept = [old, leaving].first { known in
        index < known.count && known[index].place == place && pages.elementsEqual(known.prefix(index), by: ===)
      }
      pages.append(try kept?[index] ?? makePage(of: place, isReturn: isReturn))
    }
    let afterimage = animated ? afterimage(before: step, to: pages) : nil
    let pageLeaving = animated ? pictureOfLeavingTab() : nil
    for (index, page) in pages.enumerated() { try refresh(page, at: index, of: pages, after: old) }
    transitions.choice = step.transition?.choice
    let others = transitions.chain?.links.filter { $0.node != step.transition?.choice.node } ?? []
    defer { transitions.forgetStep() }
    let transition = try stack.setScreens(pages, animated: animated)
    if let pageLeaving { stack.layer.add(pageLeaving) }
    for picture in [afterimage, pageLeaving] { fade(picture) }
    if let transition, transition.isRunning {
      let flight = Flight(step, transition, before: old, after: pages, beside: others)
      self.flight = flight
      transition.whenEnded { [weak self, weak flight] _ in if self?.flight === flight { self?.flight = nil } }
    }
    // A page that goes back under a hand is on the stack until the hand lets go.
    // Beside another tab nothing of it is seen.
    if tabs.selectedIndex == 0 { showFooter(of: pages[pages.count - 1], alongside: stack.transitionCoordinator) }
    return transition
  }

  /// Brings a page up to date, and lets a list choose the card that leads to the page that is, or was, below it.
  private func refresh(_ page: PageScreen, at index: Int, of pages: [PageScreen], after old: [PageScreen]) throws {
    let wasThere = index < old.count && old[index] === page
    // Those below the last are brought up to date when they are seen again.
    if wasThere || page.isLayerLoaded, index + 1 == pages.count { page.show(try model(of: page)) }
    let below = index + 1 < pages.count ? pages[index + 1] : wasThere && index + 1 < old.count ? old[index + 1] : nil
    if let node = below?.place.node { (page as? ListScreen)?.choose(node) }
  }

  /// - Parameter isReturn: Whether the learner goes back to where they were.
  private func makePage(of place: Place, isReturn: Bool) throws -> PageScreen {
    let model = try model(of: place, around: .nextToDo)
    guard model.kind == .activity, let node = place.node else {
      let page = ListScreen(place: place, page: model, shell: self)
      page.chooseWhatIsNext()
      return page
    }
    let page = ActivityScreens.screen(
      of: place, content: try library.content(of: node) ?? .reading([]), page: model, shell: self)
    var past = try past(of: page)
    past.isReturn = isReturn
    page.take(past)
    return page
  }

  /// Where the text on show was edited since it was opened, shows it anew, with the same words at the top.
  func showEdition() throws {
    guard hand == nil, let old = page as? ReadingScreen, let node = old.place.node,
      case .reading(let blocks) = try library.content(of: node), !old.shows(blocks)
    else { return }
    keepPosition()
    guard let page = try makePage(of: old.place, isReturn: true) as? ReadingScreen else { return }
    page.takePlace(of: old)
    try stack.setScreens(pages.dropLast() + [page], animated: false)
  }

  /// What there is to say of a page now, with the cards around the one that is chosen.
  func model(of page: any CoursePage) throws -> PageModel {
    let chosen = (page as? ListScreen)?.chosenCard?.node
    return try model(of: page.place, around: chosen.map(ChildCards.Focus.node) ?? .nextToDo)
  }

  private func model(of place: Place, around focus: ChildCards.Focus) throws -> PageModel {
    let page = try navigation.page(of: .place(place), with: .some(cardsInView, around: focus))
    let learner = navigation.learner
    return page.place.kind == .root && page.childCards.count == 0
      ? .welcome(learner)
      : PageModel(page, clock: dayNames, learner: learner, lastSitting: place == .root ? lastSitting : nil)
  }

  func cards(of place: Place, around focus: ChildCards.Focus) -> CardWindow? {
    var cards: CardWindow?
    trying { cards = CardWindow(try navigation.childCards(of: place, .some(cardsAround, around: focus))) }
    return cards
  }

  func contents(of card: CardModel) -> String {
    guard let node = card.node else { return "" }
    let inner = innermost(of: node)
    var text = ""
    trying {
      let cards = try navigation.childCards(of: .node(inner), .some(8, around: .index(0))).cards
      // What stands above already is not said again.
      text = cards.map(\.place.title).filter { $0 != card.title }.joined(separator: ", ")
      if cards.isEmpty { text = try library.content(of: inner)?.beginning ?? "" }
    }
    return text
  }

  /// How many cards of a long list are read before a step is seen: wherever in its view the middle one stands, all that
  /// are seen with it. Each of them costs the step some microseconds.
  private var cardsInView: Int { max(16, 2 * PageMetrics(size: size).bodyRows + 2) }
  /// How many are read where somebody goes through the list: what is seen, and as much before and after.
  private var cardsAround: Int { max(64, 3 * size.rows) }
}

extension ActivityContent {
  /// The first words of its text; empty where it begins with something else.
  fileprivate var beginning: String {
    let blocks =
      switch self {
      case .reading(let blocks), .link(_, let blocks), .flashcards(let blocks, _), .quiz(let blocks, _, _): blocks
      }
    guard case .paragraph(let words) = blocks.first else { return "" }
    // No terminal has room for more.
    return String(words.plainText.prefix(400))
  }
}
