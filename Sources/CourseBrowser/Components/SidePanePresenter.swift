import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Shows the contents of the selected place in the side pane and in the preview below a list.
@MainActor final class SidePanePresenter: BrowserComponent {
  private let reader: PageReader
  /// Opens a place that a pane lists.
  private let onOpen: (Place, NavigationCause) -> Void
  /// The scheduled update of the panes, or `nil`.
  private var call: ScheduledCall?
  private var hasShown = false

  init(
    _ openPages: OpenPages, reader: PageReader,
    onOpen: @escaping (Place, NavigationCause) -> Void
  ) {
    (self.reader, self.onOpen) = (reader, onOpen)
    super.init(openPages)
  }
}

extension SidePanePresenter: CommandResponder {
  var keyContexts: [KeyContext] { focusedPane == nil ? [.everywhere] : [.pane, .page, .everywhere] }

  func offer(_ command: Command) -> Offer? {
    if command == .switchPane {
      return hasPanes ? Offer("pane", rank: Offer.helpRank) { [self] in focusNextPane() } : nil
    }
    guard let pane = focusedPane else { return nil }
    if let index = pane.target(of: command) {
      return Offer(command.isSingleStep ? "select" : "") { [self] in
        pane.choose(index)
        context.showFooter()
      }
    }
    switch command {
    case .leavePane, .up: return Offer { [self] in leavePanes() }
    case .leave: return Offer(EscapeTarget.pane.label) { [self] in leavePanes() }
    case .openFromPane:
      return pane.chosenPlace.map { place in
        Offer("open") { [self] in
          leavePanes()
          onOpen(.node(place), .key)
        }
      } ?? .unused
    default: return nil
    }
  }

  /// The hint while a pane has the focus. `nil` if no pane has the focus.
  var paneHint: Footer.Hint? {
    focusedPane?.chosenTitle.map {
      Footer.Hint(.openFromPane, text: "Open " + appearance.symbols.quotes.around($0), detail: "")
    }
  }
}

/// The focus of the panes.
extension SidePanePresenter {
  /// The visible panes with selectable rows. The side pane comes first.
  private var panes: [any ChoosablePane] {
    let panes: [(any ChoosablePane)?] = [screen.sidePane, previewingPage?.preview]
    return panes.compactMap { $0 }.filter(\.isChoosable)
  }

  /// The pane that has the focus.
  var focusedPane: (any ChoosablePane)? { panes.first { $0.chosenRow != nil } }

  /// Whether any pane can receive the focus.
  var hasPanes: Bool { !panes.isEmpty }

  /// Moves the focus from the page to the first pane, from a pane to the next one, or from the last pane back to the
  /// page.
  private func focusNextPane() {
    let panes = panes
    let next = panes.firstIndex { $0.chosenRow != nil }.map { $0 + 1 } ?? 0
    leavePanes()
    if panes.indices.contains(next) { panes[next].choose(0) }
    context.showFooter()
  }

  /// Moves the focus back to the page.
  func leavePanes() {
    guard focusedPane != nil else { return }
    for pane in panes { pane.chosenRow = nil }
    context.showFooter()
  }
}

/// The contents of the side pane (in a very wide terminal) and of the preview below a short list (in a tall one).
///
/// On a list, they show the place that the selected card would open. In Find and History, they show the place that the
/// selected entry would open. On an activity, the side pane shows the lessons of the goal with the position of the
/// activity. If there is space for both panes, the side pane shows a text, and the preview shows the contents of the
/// selected place or, for an activity, an outline of the places around it.
extension SidePanePresenter {
  /// The number of seconds for which a selection must stay unchanged before its contents are read. Nothing is read
  /// while the learner moves through a list quickly.
  static let paneDelay = 0.06
  /// The label above the contents of the selected place.
  private static let previewTitle = "Preview"

  /// Updates the side pane and the preview. If a transition is given, they change alongside it.
  ///
  /// - Parameters:
  ///   - page: The page that becomes visible. During an interactive transition, this page can differ from the current
  ///     page.
  ///   - isInterrupting: Whether the transition has interrupted another one.
  func show(
    of page: PageScreen? = nil, alongside coordinator: (any TransitionCoordinator)? = nil, isInterrupting: Bool = false
  ) {
    call?.cancel()
    let metrics = PageMetrics(size: size)
    if metrics.showsPreviewBelow {
      showPreview(of: page ?? self.page, alongside: coordinator, isInterrupting: isInterrupting)
    }
    guard metrics.sidePaneWidth > 0 else { return screen.show(sidePane: nil) }
    guard coordinator == nil, hasShown else {
      return screen.show(sidePane: pane(of: page ?? self.page), alongside: coordinator)
    }
    schedulePreview()
  }

  /// Updates the preview of the visible list. If a transition is running, the preview of the new page is read at once, so
  /// that it is visible during the transition, and updated after it. A preview that is visible because the page is still
  /// moving is updated only after the transition.
  private func showPreview(
    of page: PageScreen?, alongside coordinator: (any TransitionCoordinator)?, isInterrupting: Bool
  ) {
    guard tabs.selectedIndex > 0 || page is ListScreen else { return }
    let isVisible = isInterrupting && (page as? ListScreen)?.preview.pane != nil
    if coordinator != nil && !isVisible || !context.hasBegun { updatePreview(of: page) }
    // A rendered snapshot shows no later changes.
    guard context.hasBegun else { return }
    let isScheduled = coordinator?.animate(
      alongside: { _ in }, completion: { [weak self] _ in self?.schedulePreview() })
    if isScheduled != true { schedulePreview() }
  }

  private func schedulePreview() {
    call?.cancel()
    call = stage.schedule(after: Self.paneDelay) { [weak self] in
      guard let self else { return }
      if PageMetrics(size: size).sidePaneWidth > 0 { screen.show(sidePane: pane(of: page)) }
      updatePreview(of: page)
    }
  }

  private func updatePreview(of page: PageScreen?) {
    guard let previewPage = tabs.selectedScreen as? any PreviewingPage ?? page as? ListScreen,
      previewPage.isLayerLoaded, !previewPage.preview.isHidden
    else { return }
    var preview: SidePane?
    trying { preview = try readPreview(of: page) }
    previewPage.preview.show(preview)
  }

  /// Whether there is space for both the side pane and the preview.
  private var showsBothPanes: Bool {
    let metrics = PageMetrics(size: size)
    return metrics.showsPreviewBelow && metrics.sidePaneWidth > 0
  }

  /// Returns the contents of the preview. If the side pane is visible too, the preview shows the contents of the
  /// selected place. For an activity, the side pane already shows its text, so the preview shows the lesson that
  /// contains the activity.
  private func readPreview(of page: PageScreen?) throws -> SidePane? {
    guard showsBothPanes else { return try readPane(of: page) }
    let tab = openPages.tab
    guard let node = tab.map({ $0.framedPlace?.place.node }) ?? (page as? ListScreen)?.chosenCard?.node else {
      return nil
    }
    guard let target = try previewContent(of: .node(node)) else { return nil }
    guard target.kind == .activity else { return try outline(of: .node(target.node)) }
    guard tab == nil else { return try outlineAround(of: .node(node), placement: .selected) }
    return try (page?.place).flatMap { try outlineAround(of: $0, placement: .current) }
  }

  /// Returns an outline of the parent of a place, in which the place is marked. Returns `nil` for the list of courses,
  /// for a course, and for a place without siblings.
  private func outlineAround(of place: Place, placement: SidePane.Row.Placement) throws -> SidePane? {
    let ancestors = try navigation.places.page(of: .place(place), with: .some(0, around: .index(0))).ancestors
    guard ancestors.count > 1, let parent = ancestors.last else { return nil }
    let pane = try outline(of: parent.place, to: place, placement: placement)
    guard case .outline(let rows, _) = pane.content, rows.count > 1 else { return nil }
    return pane
  }

  var previewingPage: (any PreviewingPage)? {
    tabs.selectedScreen as? TabPage ?? page as? ListScreen
  }

  private func pane(of page: PageScreen?) -> SidePane? {
    hasShown = true
    var pane: SidePane?
    trying { pane = try readPane(of: page) }
    return pane
  }

  private func readPane(of page: PageScreen?) throws -> SidePane? {
    // If the preview is visible, it shows the contents, and the side pane shows a text.
    let preview = showsBothPanes ? reading(in:) : preview(of:)
    if let review = openPages.review { return review.past }
    if let tab = openPages.tab {
      return try tab.framedPlace.flatMap { try preview($0.place)?.labelled(label(of: $0.kind)) }
    }
    guard let page else { return nil }
    if let list = page as? ListScreen, let card = list.chosenCard {
      return try card.node.map { try preview(.node($0))?.labelled(label(of: card.kind)) } ?? welcome
    }
    if page is ListScreen { return nil }
    // The side pane of an activity shows the lessons of its goal. It needs at least three ancestors.
    let ancestors = try navigation.places.page(of: .place(page.place), with: .some(0, around: .index(0))).ancestors.map(
      \.place)
    guard ancestors.count > 2 else { return nil }
    return try outline(of: ancestors[ancestors.count - 2], to: page.place, by: Set(ancestors)).labelled("You are here")
  }

  /// The label of the side pane for a selected place.
  private func label(of kind: PlaceKind) -> String {
    kind == .activity || !showsBothPanes ? Self.previewTitle : "Starts with"
  }

  private func preview(of place: Place) throws -> SidePane? {
    guard let target = try previewContent(of: place) else { return nil }
    return try target.kind == .activity ? preview(ofActivity: target.node) : outline(of: .node(target.node))
  }

  /// Returns the place that opens when the learner opens `place`. It can be a descendant of `place`.
  private func previewContent(of place: Place) throws -> (node: NodeID, kind: PlaceKind)? {
    guard let node = place.node, let card = try navigation.places.summaries(of: [place])[place] else { return nil }
    let innerNode = reader.innermost(of: node)
    return (innerNode, innerNode == node ? card.place.kind : try navigation.places.named(.place(.node(innerNode))).kind)
  }

  /// Returns a preview of the activity to open first in a place: the next step if it is inside the place, otherwise the
  /// first activity.
  private func reading(in place: Place) throws -> SidePane? {
    let page = try navigation.places.page(of: .place(place), with: .some(0, around: .index(0)))
    var activity = page.place
    if activity.kind != .activity, let next = page.nextStep?.summary.place, next.kind == .activity,
      next.path.slugs.starts(with: activity.path.slugs)
    {
      activity = next
    }
    while activity.kind != .activity {
      let children = try navigation.places.childSummaries(of: activity.place, .some(1, around: .index(0)))
      guard let first = children.summaries.first else { return try preview(of: place) }
      activity = first.place
    }
    return try activity.place.node.map { try preview(ofActivity: $0) }
  }

  /// Opens the place whose row of the side pane or the preview was clicked.
  ///
  /// - Returns: `false` if the cell does not belong to such a row.
  func clickInPane(_ point: CellPoint) -> Bool {
    guard let node = screen.placeInSidePane(at: point) ?? previewingPage?.previewPlace(at: point) else { return false }
    onOpen(.node(node), .mouse)
    return true
  }
}

// Reading from the services.
extension SidePanePresenter {
  /// The maximum number of places whose children are listed too.
  private static let maximumOpenedRows = 12
  /// The maximum number of rows to read, which is larger than the number of rows of any terminal.
  private static let maximumRows = 200

  /// Returns an outline of a place: its children and grandchildren.
  ///
  /// - Parameters:
  ///   - place: The parent.
  ///   - target: The descendant that is on screen or selected, or `nil` if the outline is a preview.
  ///   - ancestors: The ancestors of `target`. If `target` is given, grandchildren are listed only below these places.
  ///   - placement: How the row of `target` is marked.
  func outline(
    of place: Place, to target: Place? = nil, by ancestors: Set<Place> = [],
    placement: SidePane.Row.Placement = .current
  ) throws -> SidePane {
    let page = try navigation.places.page(of: .place(place), with: .some(0, around: .index(0)))
    // A preview shows only the first places, and the number of the others.
    let limit = target == nil ? size.rows : Self.maximumRows
    let cards = try cards(in: place, around: ancestors.union(target.map { [$0] } ?? []), upTo: limit)
    var rows: [SidePane.Row] = []
    var remaining = cards.unloadedBelow
    for card in cards.loadedCards {
      guard let node = card.node else { continue }
      let isOpened = target == nil ? cards.count <= Self.maximumOpenedRows : ancestors.contains(.node(node))
      let children =
        isOpened && card.kind != .activity
        ? try self.cards(in: .node(node), around: ancestors, upTo: max(1, limit - rows.count))
        : CardWindow([])
      // A place whose only child has the same title is replaced by that child, because opening the place opens the
      // child.
      let isReplaced = children.count == 1 && children.loadedCards.first?.title == card.title
      let visibleCards = isReplaced ? children.loadedCards : [card] + children.loadedCards
      remaining += children.unloadedBelow
      rows += visibleCards.enumerated().map { number, each in
        SidePane.Row(
          card: each, level: min(1, number),
          placement: target != nil && each.node == target?.node ? placement : .neighbour)
      }
    }
    return SidePane(
      header: header(of: page), kind: page.place.kind,
      content: .outline(rows, rest: remaining))
  }

  private func cards(
    in place: Place, around places: Set<Place>, upTo limit: Int
  ) throws -> CardWindow {
    let first = CardWindow(try navigation.places.childSummaries(of: place, .some(limit, around: .index(0))))
    guard first.count > limit,
      let focus = places.lazy.compactMap(\.node).first(where: { node in
        (try? navigation.places.childSummaries(of: place, .some(1, around: .node(node))).focus) != nil
      })
    else { return first }
    return CardWindow(try navigation.places.childSummaries(of: place, .some(limit, around: .node(focus))))
  }

  /// The introduction to the keys, shown if there is no course yet.
  var welcome: SidePane {
    let commands: [Command] = [
      .chooseNext, .choosePrevious, .open, .up, .readOn, .next, .continueCourse, .find, .toggleBookmark, .showPalette,
      .help,
    ]
    return SidePane(
      header: PageModel.Header(
        title: "Keys", summary: "A few keys are enough. The last row shows them.",
        topRight: "", bottomRight: "", fraction: 0),
      kind: .root, content: .keys(commands.compactMap(context.bindings.row(of:))))
  }

  /// Returns a preview of an activity: its text, its questions or its cards.
  func preview(ofActivity node: NodeID) throws -> SidePane {
    let page = try navigation.places.page(of: .place(.node(node)), with: .some(0, around: .index(0)))
    let content = try library.content(of: node)
    let text = content?.text ?? []
    return SidePane(
      header: header(of: page), kind: .activity,
      content: content?.itemLines.map { .list($0, after: text) } ?? .text(text))
  }

  private func header(of page: PlacePage) -> PageModel.Header {
    PageModel(page, clock: dayNames, learner: navigation.learner).header
  }
}
