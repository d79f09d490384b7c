import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

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
      let direction = steps.tabTransitions.isOpening ? .down : steps.flight?.direction
      return screen.show(
        aside: aside(of: page ?? self.page), alongside: coordinator,
        dissolve: coordinator == nil ? nil : dissolve(along: direction))
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
    guard browser.hasBegun else { return lookIntoChoice(dissolve: nil) }
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
    let tab = tabs.selectedScreen as? TabPage
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
    if let tab = tabs.selectedScreen as? TabPage {
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
    let inner = steps.innermost(of: node)
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
    commands.go(to: .node(node), cause: .mouse)
    return true
  }
}
