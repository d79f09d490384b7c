import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Shows beside the page, and below a list, what is in what is chosen.
@MainActor final class AsidePresenter: BrowserComponent {
  private let reader: PageReader
  /// Returns the direction of the running transition; `nil` if none runs.
  private let movement: () -> TransitionDirection?
  /// Goes to a place that a pane lists.
  private let onOpen: (Place, NavigationCause) -> Void
  /// The pending update.
  private var call: ScheduledCall?
  private var hasShown = false

  init(
    _ openPages: OpenPages, reader: PageReader,
    movement: @escaping () -> TransitionDirection?, onOpen: @escaping (Place, NavigationCause) -> Void
  ) {
    (self.reader, self.movement, self.onOpen) = (reader, movement, onOpen)
    super.init(openPages)
  }
}

extension AsidePresenter: CommandResponder {
  /// Performs the commands that give the focus to a pane, if there is one.
  func perform(_ command: Command) -> Bool { [.otherPane, .nextTab].contains(command) && focusNextPane() }
}

/// What stands beside a page, or below its list, takes the keys, and gives them back.
extension AsidePresenter {
  /// The panes that have something to choose: the one beside the page first.
  private var panes: [any ChoosablePane] {
    let panes: [(any ChoosablePane)?] = [screen.aside, previewingPage?.preview]
    return panes.compactMap { $0 }.filter(\.isChoosable)
  }

  /// The pane that has the keys.
  var focusedPane: (any ChoosablePane)? { panes.first { $0.chosenRow != nil } }

  /// Whether a pane can take the keys.
  var hasPanes: Bool { !panes.isEmpty }

  /// Gives the keys to the next pane, and behind the last one to the page again.
  ///
  /// - Returns: Whether there is any pane.
  func focusNextPane() -> Bool {
    let panes = panes
    guard !panes.isEmpty else { return false }
    let next = panes.firstIndex { $0.chosenRow != nil }.map { $0 + 1 } ?? 0
    leavePanes()
    if panes.indices.contains(next) { panes[next].choose(by: 0) }
    context.showFooter()
    return true
  }

  private func leavePanes() {
    for pane in panes { pane.chosenRow = nil }
  }

  /// Answers a command for the pane that has the keys; what it does not answer is the page's, which has them then.
  func performOnPane(_ command: Command) -> Bool {
    guard let pane = focusedPane else { return false }
    switch command {
    case .chooseNext: pane.choose(by: 1)
    case .choosePrevious: pane.choose(by: -1)
    case .chooseFirst: pane.choose(by: -.max)
    case .chooseLast: pane.choose(by: .max)
    case .pageDown, .halfPageDown: pane.choose(by: 8)
    case .pageBack, .halfPageUp: pane.choose(by: -8)
    case .otherPane, .nextTab: return focusNextPane()
    case .previousTab, .up: leavePanes()
    case .open, .readOn:
      guard let place = pane.chosenPlace else { return true }
      leavePanes()
      onOpen(.node(place), .key)
    default:
      leavePanes()
      context.showFooter()
      return false
    }
    context.showFooter()
    return true
  }

  /// What the last two rows say while a pane has the keys.
  var paneFooter: (hint: Footer.Hint, keys: [KeyHint])? {
    guard let pane = focusedPane, let title = pane.chosenTitle else { return nil }
    let symbols = appearance.symbols
    let back = label(of: .otherPane).map { [KeyHint($0, "back to the page")] } ?? []
    return (
      Footer.Hint(key: symbols.enter, text: "Go to " + symbols.quotes.around(title), detail: ""),
      [KeyHint(symbols.enter, "go there"), KeyHint(symbols.upDown, "choose")] + back
    )
  }
}

/// What stands beside the page in a very wide terminal, and below a short list in a high one.
///
/// On a list it is what the chosen card would open, in Find and in the history what is in the frame; beside an activity
/// it is what that is one of. So nothing there has to be opened to be looked into. Where there is room for both, a text
/// stands beside the page, and below its list what is in the chosen place, or around it.
extension AsidePresenter {
  /// Seconds for which a choice has to stay before what it leads to is read: somebody who runs through a list waits for
  /// nothing.
  static let asideDelay = 0.06
  /// Above what is chosen in the page.
  private static let openingWords = "What would open"

  /// Shows it again; along with a transition where there is one.
  ///
  /// - Parameter page: The page that will be seen; under a hand it may not be the one where the learner is.
  func show(of page: PageScreen? = nil, alongside coordinator: (any TransitionCoordinator)? = nil) {
    call?.cancel()
    let metrics = PageMetrics(size: size)
    if metrics.previewsBelow { showPreview(alongside: coordinator) }
    guard metrics.asideWidth > 0 else { return screen.show(aside: nil) }
    guard coordinator == nil, hasShown else {
      return screen.show(
        aside: aside(of: page ?? self.page), alongside: coordinator,
        dissolve: coordinator == nil ? nil : dissolve(along: movement()))
    }
    lookIntoChoiceSoon()
  }

  /// How what stands beside a page, or below its list, gives way to something else; `nil` where nothing moves.
  ///
  /// While a page opens or closes it fades out, and then the other in. Where only the choice is another one it comes row after
  /// row, and most rows at once: half seen for a frame, each row would be written twice, and a letter in Find would be a third
  /// more bytes.
  ///
  /// - Parameter direction: Where a page is on its way to. Of one that opens or closes, no words stand beside it too.
  private func dissolve(along direction: TransitionDirection? = nil) -> Dissolve? {
    guard motion != .none else { return nil }
    return switch direction {
    case .down: Dissolve(share: 1, turn: OpeningGeometry.firstWords)
    case .up: Dissolve(share: 1, turn: 1 - OpeningGeometry.firstWords)
    default: Dissolve(share: motion == .reduced ? 1 : 0.1)
    }
  }

  /// Shows below the list that is seen what is in what is chosen there; where a page still moves in, once it is there.
  private func showPreview(alongside coordinator: (any TransitionCoordinator)?) {
    // What a picture shows is there at once.
    guard context.hasBegun else { return lookIntoChoice(dissolve: nil) }
    let waits = coordinator?.animate(alongside: { _ in }, completion: { [weak self] _ in self?.lookIntoChoiceSoon() })
    if waits != true { lookIntoChoiceSoon() }
  }

  private func lookIntoChoiceSoon() {
    call?.cancel()
    call = stage.schedule(after: Self.asideDelay) { [weak self] in
      guard let self else { return }
      if PageMetrics(size: size).asideWidth > 0 { screen.show(aside: aside(of: page), dissolve: dissolve()) }
      lookIntoChoice(dissolve: dissolve())
    }
  }

  private func lookIntoChoice(dissolve: Dissolve?) {
    guard let shown = previewingPage, shown.isLayerLoaded, !shown.preview.isHidden else { return }
    var preview: Aside?
    trying { preview = try readPreview() }
    shown.preview.show(preview, dissolve: dissolve)
  }

  /// Whether there is room both beside the page and below its list.
  private var hasBoth: Bool {
    let metrics = PageMetrics(size: size)
    return metrics.previewsBelow && metrics.asideWidth > 0
  }

  /// What stands below the list that is seen: beside one that has something beside it too, what is in the chosen place.
  /// Of an activity the text stands there already, and below the list what it belongs to.
  private func readPreview() throws -> Aside? {
    guard hasBoth else { return try readAside(of: page) }
    let tab = openPages.tab
    guard let node = tab.map({ $0.frame?.place.place.node }) ?? (page as? ListScreen)?.chosenCard?.node else {
      return nil
    }
    guard let opened = try whatOpens(of: .node(node)) else { return nil }
    guard opened.kind == .activity else { return try outline(of: .node(opened.node)) }
    guard tab == nil else { return try surroundings(of: .node(node), standing: .chosen) }
    return try (page?.place).flatMap { try surroundings(of: $0, standing: .here) }
  }

  /// What a place is one of, with that place among the others; `nil` for a course and above, and for one that is alone.
  private func surroundings(of place: Place, standing: Aside.Row.Standing) throws -> Aside? {
    let above = try navigation.page(of: .place(place), with: .some(0, around: .index(0))).trail
    guard above.count > 1, let parent = above.last else { return nil }
    let aside = try outline(of: parent.place, to: place, standing: standing)
    guard case .outline(let rows, _) = aside.content, rows.count > 1 else { return nil }
    return aside
  }

  var previewingPage: (any PreviewingPage)? {
    tabs.selectedScreen as? TabPage ?? page as? ListScreen
  }

  private func aside(of page: PageScreen?) -> Aside? {
    hasShown = true
    var aside: Aside?
    trying { aside = try readAside(of: page) }
    return aside
  }

  private func readAside(of page: PageScreen?) throws -> Aside? {
    // Where what is in it stands below.
    let preview = hasBoth ? reading(in:) : preview(of:)
    if let tab = openPages.tab {
      return try tab.frame.flatMap { try preview($0.place.place)?.labelled(label(of: $0.place.kind)) }
    }
    guard let page else { return nil }
    if let list = page as? ListScreen, let card = list.chosenCard {
      return try card.node.map { try preview(.node($0))?.labelled(label(of: card.kind)) } ?? welcome
    }
    if page is ListScreen { return nil }
    // An activity is one of a lesson, and that one of several.
    let above = try navigation.page(of: .place(page.place), with: .some(0, around: .index(0))).trail.map(\.place)
    guard above.count > 2 else { return nil }
    return try outline(of: above[above.count - 2], to: page.place, by: Set(above)).labelled("Where you are")
  }

  /// What stands beside the page is of a place that is chosen in it.
  private func label(of kind: PlaceKind) -> String {
    kind == .activity || !hasBoth ? Self.openingWords : "What comes first there"
  }

  private func preview(of place: Place) throws -> Aside? {
    guard let opened = try whatOpens(of: place) else { return nil }
    return try opened.kind == .activity ? preview(ofActivity: opened.node) : outline(of: .node(opened.node))
  }

  /// What is looked into where a place is chosen: what opens.
  private func whatOpens(of place: Place) throws -> (node: NodeID, kind: PlaceKind)? {
    guard let node = place.node, let card = try navigation.cards(of: [place])[place] else { return nil }
    let inner = reader.innermost(of: node)
    return (inner, inner == node ? card.place.kind : try navigation.place(named: .place(.node(inner))).kind)
  }

  /// What would be read in a place: the next thing that is to be done in it, else its first.
  private func reading(in place: Place) throws -> Aside? {
    let page = try navigation.page(of: .place(place), with: .some(0, around: .index(0)))
    var activity = page.place
    if activity.kind != .activity, let next = page.nextStep?.card.place, next.kind == .activity,
      next.path.slugs.starts(with: activity.path.slugs)
    {
      activity = next
    }
    while activity.kind != .activity {
      let children = try navigation.childCards(of: activity.place, .some(1, around: .index(0)))
      guard let first = children.cards.first else { return try preview(of: place) }
      activity = first.place
    }
    return try activity.place.node.map { try preview(ofActivity: $0) }
  }

  /// Goes where a row beside the page leads, or one below its list.
  ///
  /// - Returns: Whether one stands at the cell.
  func clickBeside(_ point: CellPoint) -> Bool {
    guard let node = screen.asidePlace(at: point) ?? previewingPage?.previewPlace(at: point) else { return false }
    onOpen(.node(node), .mouse)
    return true
  }
}

// What there is to read for an aside.
extension AsidePresenter {
  /// So many places are shown with what is in them; more are shown alone.
  private static let mostOpened = 12
  /// More places than any terminal has rows.
  private static let most = 200

  /// What a place holds, and what is in that.
  ///
  /// - Parameters:
  ///   - place: Which.
  ///   - here: The place in it that is on the screen, or that is chosen; `nil` where it is looked into from elsewhere.
  ///   - above: The places above that one: what is in them is shown, and in no others.
  ///   - standing: What that one is.
  func outline(
    of place: Place, to here: Place? = nil, by above: Set<Place> = [], standing: Aside.Row.Standing = .here
  ) throws -> Aside {
    let page = try navigation.page(of: .place(place), with: .some(0, around: .index(0)))
    // Of what is looked into from elsewhere the beginning is seen, and the rest is only counted.
    let enough = here == nil ? size.rows : Self.most
    let cards = try cards(in: place, around: above.union(here.map { [$0] } ?? []), upTo: enough)
    var rows: [Aside.Row] = []
    var rest = cards.unreadBelow
    for card in cards.known {
      guard let node = card.node else { continue }
      let isOpened = here == nil ? cards.count <= Self.mostOpened : above.contains(.node(node))
      let inside =
        isOpened && card.kind != .activity
        ? try self.cards(in: .node(node), around: above, upTo: max(1, enough - rows.count))
        : CardWindow([])
      // Of a place that holds one thing of its own title, that thing is shown: it is what opens.
      let isOne = inside.count == 1 && inside.known.first?.title == card.title
      let shown = isOne ? inside.known : [card] + inside.known
      rest += inside.unreadBelow
      rows += shown.enumerated().map { number, each in
        Aside.Row(
          card: each, depth: min(1, number),
          standing: here != nil && each.node == here?.node ? standing : .beside)
      }
    }
    return Aside(
      header: header(of: page), kind: page.place.kind,
      content: .outline(rows, rest: rest))
  }

  private func cards(
    in place: Place, around places: Set<Place>, upTo most: Int
  ) throws -> CardWindow {
    let first = CardWindow(try navigation.childCards(of: place, .some(most, around: .index(0))))
    guard first.count > most,
      let focus = places.lazy.compactMap(\.node).first(where: { node in
        (try? navigation.childCards(of: place, .some(1, around: .node(node))).focus) != nil
      })
    else { return first }
    return CardWindow(try navigation.childCards(of: place, .some(most, around: .node(focus))))
  }

  /// How to get around, for somebody who has no course yet.
  var welcome: Aside {
    let first: [Command] = [
      .chooseNext, .choosePrevious, .open, .up, .readOn, .next, .goOn, .find, .mark, .goTo, .help,
    ]
    return Aside(
      header: PageModel.Header(
        title: "How to get around", summary: "A handful of keys is enough, and the last row always shows them.",
        topRight: "", bottomRight: "", fraction: 0),
      kind: .root, content: .keys(first.compactMap(context.bindings.row)))
  }

  /// What an activity is made of.
  func preview(ofActivity node: NodeID) throws -> Aside {
    let page = try navigation.page(of: .place(.node(node)), with: .some(0, around: .index(0)))
    let content: Aside.Content =
      switch try library.content(of: node) {
      case .reading(let blocks), .link(_, let blocks): .text(blocks)
      case .flashcards(let introduction, let cards): .list(cards.map(\.front), after: introduction)
      case .quiz(let introduction, let questions, _): .list(questions.map(\.question), after: introduction)
      case nil: .text([])
      }
    return Aside(header: header(of: page), kind: .activity, content: content)
  }

  private func header(of page: Page) -> PageModel.Header {
    PageModel(page, clock: dayNames, learner: navigation.learner).header
  }
}
