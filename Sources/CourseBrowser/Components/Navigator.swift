import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Navigates: computes and records each step, and then presents it.
@MainActor final class Navigator: BrowserComponent {
  private let steps: StepPresenter
  private let reader: PageReader
  private let recorder: ActivityRecorder
  private let writes: PendingWrites
  /// The cause that is recorded for steps. It is `mouse` while a command is performed by a click on the label of its
  /// key.
  var inputCause = NavigationCause.key
  /// Called to show the time, the sessions, the scores and the path of a lesson or goal that the learner has left.
  /// Called to show the end of a course, with a notice about its last activity.
  var onEndOfCourse: ((NodeID, _ notice: String?) throws -> Void)?

  init(
    _ openPages: OpenPages, steps: StepPresenter, reader: PageReader, recorder: ActivityRecorder,
    writes: PendingWrites
  ) {
    (self.steps, self.reader, self.recorder, self.writes) = (steps, reader, recorder, writes)
    super.init(openPages)
  }
}

extension Navigator: CommandResponder {
  func offer(_ command: Command) -> Offer? {
    let count = tabs.screens.count
    switch command {
    case .tab(0) where tabs.selectedIndex == 0 && page.map { $0.place != .root } == true:
      return Offer { [self] in navigate(.popToRoot, cause: .key) }
    case .tab(let index): return index == tabs.selectedIndex ? .unused : Offer { [self] in steps.selectTab(index) }
    case .nextTab: return Offer { [self] in steps.selectTab((tabs.selectedIndex + 1) % count) }
    case .previousTab: return Offer { [self] in steps.selectTab((tabs.selectedIndex + count - 1) % count) }
    case .back where openPages.isSourceOfReview: return Offer { [self] in steps.selectTab(3) }
    case .back: return Offer { [self] in navigate(.back, cause: .key) }
    case .forward: return Offer { [self] in navigate(.forward, cause: .key) }
    case .copy: return page == nil ? nil : Offer("copy", rank: Offer.helpRank) { [self] in copyPath() }
    case .showBookmarks: return Offer { [self] in showBookmarks() }
    default: return tabs.selectedIndex == 0 ? page.flatMap { offer(command, on: $0) } : nil
    }
  }

  /// Returns what a command does on a page of a course.
  private func offer(_ command: Command, on page: PageScreen) -> Offer? {
    let (kind, isRoot, isList) = (page.page.kind, page.place == .root, page is ListScreen)
    switch command {
    case .find:
      let label = !isList || isRoot && !openPages.hasSelectedCourse ? "" : "find"
      return Offer(label, rank: kind == .lesson ? 2 : 1) { [self] in steps.selectTab(1) }
    case .up, .leave:
      // The list of courses shows a notice.
      let label = isRoot ? nil : command == .up && page.escapeTarget == .page ? EscapeTarget.page.label : ""
      return Offer(label) { [self] in navigate(steps.parentRequest, cause: .key) }
    case .next, .previous:
      guard !isRoot else { return nil }
      let label = [.goal, .lesson].contains(kind) ? page.page.levels.noun(for: kind).singular : ""
      return Offer(label, rank: 1) { [self] in navigate(command == .next ? .next : .previous, cause: .key) }
    case .continueCourse:
      let hasNext = page.page.nextStep.map { $0.reason != .allDone } ?? false
      guard hasNext || page is ActivityScreen else { return nil }
      let label = isList && !isRoot ? "continue" : ""
      return Offer(label, rank: kind == .course ? 1 : 2) { [self] in continueCourse() }
    default: return nil
    }
  }

  private func continueCourse() {
    guard let page else { return }
    trying {
      if let next = try navigation.continuation(from: .place(page.place)) {
        navigate(.open(.place(next.summary.place.place)), cause: .key)
      } else if page is ActivityScreen {
        // After the last activity of a course, the end of the course is shown.
        navigate(.next, cause: .key)
      }
    }
  }

  /// Copies the path of the selected place, or of the page if nothing is selected.
  func copyPath() {
    guard let page else { return }
    let tab = openPages.tab
    let selected = tab == nil ? (page as? ListScreen)?.chosenCard?.node.map(Place.node) : tab?.framedPlace?.place
    trying {
      let place = try navigation.places.named(.place(selected ?? page.place))
      let quotes = appearance.symbols.quotes
      let name = selected == nil ? "this place" : quotes.around(place.title)
      context.copy(place.path.description, named: "the path of " + name)
    }
  }
}

extension Navigator: PageNavigator {
  func target(of destination: String, on page: any CoursePage) -> LinkTarget? {
    guard destination.hasPrefix(CourseLink.scheme), let course = openPages.course(of: page) else { return nil }
    // If the lookup fails, the link has no target.
    guard let (node, anchor) = try? library.target(of: destination, inCourse: course),
      let card = try? navigation.places.summary(of: .place(.node(node.id)))
    else { return nil }
    let detail = CourseLink.leadsToOtherCourse(destination) ? "in another course" : CardModel.describe(card)
    return LinkTarget(node: node.id, anchor: anchor, title: node.title, detail: detail)
  }

  func follow(_ destination: String, from page: any CoursePage, cause: NavigationCause) {
    if let target = target(of: destination, on: page) {
      let showAnchor = { [self] in
        if let anchor = target.anchor { (self.page as? ActivityScreen)?.show(anchor: anchor) }
      }
      guard page.place != .node(target.node) else { return showAnchor() }
      navigate(.open(.place(.node(target.node))), cause: cause, then: showAnchor)
    } else if destination.hasPrefix(CourseLink.scheme) {
      notify(DisplayFormat.missingLink(linkTo: destination))
    } else if let address = WebAddress(destination) {
      if context.onOpen?(address.text) == true {
        notify("Opened \(address.text)")
      } else {
        context.copy(address.text, named: "the address")
      }
    } else {
      notify("Could not open this link, because it is not a web address: \(destination)", .warn)
    }
  }

  func navigate(_ request: NavigationRequest, cause: NavigationCause) {
    navigate(request, cause: cause) {}
  }

  func navigate(_ request: NavigationRequest, cause: NavigationCause, notice: String) {
    navigate(request, cause: cause, notice: notice, then: {})
  }

  /// Computes and records a navigation, shows it with the notices about it, and then calls `then`.
  ///
  /// - Parameter unfinished: A notice about an activity that is left without being done.
  func navigate(
    _ request: NavigationRequest, cause: NavigationCause, notice unfinished: String? = nil,
    then: @escaping () -> Void
  ) {
    steps.interruptGesture()
    recorder.savePosition()
    // The learner has left the source of a card for another place.
    for case let review as ReviewScreen in tabs.screens { review.source = nil }
    let cause = cause == .key ? inputCause : cause
    let ancestors = page is ActivityScreen ? Array(pages.dropLast()) : []
    writes.write("open \(self.name(of: request))", isStep: true) { [self] timeout in
      let step = try navigation.perform(request, cause: cause, animated: motion != .none, waitingAtMost: timeout)
      if step.isPerformed { try steps.show(step, animated: true) }
      if case .nothingToDo(.lastOfCourse) = step.outcome, let course = step.endedCourse?.place.node {
        try onEndOfCourse?(course, unfinished)
        return then()
      }
      let left = step.operation == .next ? try placeLeft(among: ancestors) : nil
      let notices = [unfinished, try notice(about: step, leaving: left)].compactMap { $0 }
      if !notices.isEmpty { notify(notices.joined(separator: " ")) }
      then()
    }
  }

  /// The title of the place to which a request leads, in quotation marks.
  private func name(of request: NavigationRequest) -> String {
    (try? navigation.predict(request)).map { appearance.symbols.quotes.around($0.to.title) } ?? "the place"
  }

  /// Returns the notice about a step, or `nil`.
  private func notice(about step: NavigationStep, leaving left: PlaceSummary?) throws -> String? {
    if case .nothingToDo(.lastOfCourse) = step.outcome { return "This is the last course." }
    return try step.message ?? left.map(endText)
  }

  /// Returns the notice about the end of a lesson or goal, with the cards of a lesson that come back tomorrow.
  private func endText(_ card: PlaceSummary) throws -> String {
    let end = DisplayFormat.end(
      of: card, try PathTaken(in: card.place, from: navigation), symbols: appearance.symbols,
      width: PageMetrics(size: size).textWidth)
    guard card.place.kind == .lesson else { return end }
    let cards = try navigation.reviews.cardsComingBack(in: .place(card.place.place))
    let text = ReviewText.comingBack(today: cards.today, tomorrow: cards.tomorrow)
    return [end, text].compactMap { $0 }.joined(separator: " ")
  }

  /// Returns the outermost lesson or goal that a step has left, or `nil` if the step has left none.
  private func placeLeft(among ancestors: [PageScreen]) throws -> PlaceSummary? {
    guard let exitedPage = ancestors.first(where: { page in !pages.contains { $0 === page } }),
      exitedPage.page.kind != .course, exitedPage.place.node != nil
    else { return nil }
    return try navigation.places.summary(of: .place(exitedPage.place))
  }

  func open(_ card: CardModel, cause: NavigationCause) {
    switch card.target {
    case .node(let node):
      let inner = reader.innermost(of: node)
      navigate(inner == node ? .push(.place(.node(node))) : .open(.place(.node(inner))), cause: cause)
    case .bundledCourse: addBundledCourse()
    case .addCourse: context.perform(.add)
    case .tour: context.perform(.tour)
    case .unknown: break
    }
  }

  private func addBundledCourse() {
    guard let page else { return }
    trying {
      _ = try library.importBundled()
      let model = try reader.model(of: page)
      page.show(model)
      if let node = model.cards.loadedCards.first?.node { navigate(.push(.place(.node(node))), cause: .key) }
    }
  }

  /// Opens the Find tab with a query.
  func find(_ query: String) {
    steps.selectTab(1)
    _ = tabs.selectedScreen.handle(.key(KeyEvent(.end)))
    _ = tabs.selectedScreen.handle(.key(KeyEvent(.character("u"), modifiers: .control)))
    _ = tabs.selectedScreen.handle(.paste(query))
  }

  func widenSearch(_ query: String) {
    steps.selectTab(1)
    (tabs.selectedScreen as? FindScreen)?.widen(query)
  }

  /// Records a step to a search result, shows its page in the first tab, and highlights the matches of the query.
  func openSearchResult(
    _ place: Place, for query: String?, cause: NavigationCause, then: @escaping () -> Void
  ) {
    recorder.savePosition()
    let isAlreadyOpen = page?.place == place
    writes.write("open \(self.name(of: .open(.place(place))))", isStep: true) { [self] timeout in
      let step = try navigation.perform(
        .open(.place(place)), cause: cause, animated: motion != .none, waitingAtMost: timeout)
      let snapshot = steps.snapshotOfMovingTabs()
      if step.isPerformed { try steps.show(step, animated: false) }
      if isAlreadyOpen, query != nil { (page as? ReadingScreen)?.rememberReader() }
      if let query, let text = page as? any TextWithMatches, text.place == place { text.show(matches: query) }
      steps.tabTransitions.opening = place.node
      defer { steps.tabTransitions.opening = nil }
      steps.selectTab(0)
      steps.dissolve(snapshot)
      then()
    }
  }

  func openLastAttempt(at quiz: Place, question: Int?) {
    let show = { [self] in
      guard let page = page as? QuizScreen, page.place == quiz else { return }
      page.showLastAttempt(question: question)
    }
    if tabs.selectedIndex != 0 {
      openSearchResult(quiz, for: nil, cause: .key, then: show)
    } else if page?.place == quiz {
      show()
    } else {
      navigate(.open(.place(quiz)), cause: .key, then: show)
    }
  }

  /// Opens a place from any tab.
  func go(to place: Place, cause: NavigationCause = .key) {
    if tabs.selectedIndex == 0 {
      navigate(.open(.place(place)), cause: cause)
    } else {
      openSearchResult(place, for: nil, cause: cause) {}
    }
  }
}

/// Navigation to found places, bookmarks and notes.
extension Navigator: PlaceNavigator {
  var currentPage: (any CoursePage)? { page }
  var currentCourse: Place? { openPages.course }

  /// Opens the Find tab, which shows the bookmarks and the number of notes until a query is typed.
  func showBookmarks() {
    trying {
      let notes = try navigation.notes.all().count
      guard try navigation.notes.bookmarks().contains(where: { !$0.isRemoved }) else {
        let bookmarkHint = label(of: .toggleBookmark).map { " \($0) bookmarks the selection." } ?? ""
        let key = notes == 0 ? nil : label(of: .notes)
        return notify(
          "No bookmarks yet." + bookmarkHint + (key.map { " \(DisplayFormat.count(notes, "note")): \($0)" } ?? ""))
      }
      steps.selectTab(1)
      (tabs.selectedScreen as? FindScreen)?.showBookmarks(notes: notes)
    }
  }

  func open(_ card: ReviewCard, then: @escaping () -> Void) {
    let place = card.id.place
    let own = card.item == nil ? try? navigation.cards.own(in: place).first { $0.note.id == card.id.key } : nil
    openSearchResult(place, for: nil, cause: .key) { [self] in
      switch page {
      case let deck as FlashcardsScreen: card.item.map(deck.show(card:))
      case let quiz as QuizScreen: quiz.show(matches: card.faces.question.plainText)
      case let text as ReadingScreen: own.map { text.show(note: $0.note.id) }
      default: break
      }
      then()
    }
  }

  func go(to placedNote: PlacedNote) {
    let show = { [self] in
      let readingPage = page as? ReadingScreen
      readingPage?.show(note: placedNote.note.id)
      guard let readingPage, !readingPage.notePositions.positions.contains(where: { $0.note.id == placedNote.note.id })
      else {
        return
      }
      let (quotes, ellipsis) = (appearance.symbols.quotes, appearance.symbols.ellipsis)
      let quote = placedNote.note.anchor.quote
      let shortQuote = quote.count > 40 ? quote.prefix(38) + ellipsis : quote[...]
      notify("The passage of this note was removed: \(quotes.around(shortQuote)).", .warn)
    }
    guard tabs.selectedIndex != 0 || page?.place != placedNote.place.place else { return show() }
    if tabs.selectedIndex == 0 {
      navigate(.open(.place(placedNote.place.place)), cause: .bookmark, then: show)
    } else {
      openSearchResult(placedNote.place.place, for: nil, cause: .bookmark, then: show)
    }
  }
}
