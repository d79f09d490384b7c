import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

/// A page that lists what a place contains: courses, goals, lessons or activities. One of them has the frame.
@MainActor final class ListScreen: PageScreen {
  /// Seconds that the frame takes from one card to another.
  static let frameGlide = 0.09
  /// Seconds in which the frame appears after a page has opened.
  static let frameFade = 0.06
  /// Seconds in which all cards go from their places in one layout to those in another.
  static let layoutTime = 0.26
  /// 1 where a card is drawn as one, 0 where it is drawn as a row of a list.
  static let asCard: LayerKey = "asCard"

  private(set) var chosen = 0
  /// Whether the row below the courses is chosen instead, which adds one.
  var choosesHowToAdd = false
  var geometry = ListGeometry(layout: .cards, count: 0, chosen: 0, height: 1)
  /// The layout that the learner asked for; `nil` lets the room decide.
  private(set) var askedLayout: ListGeometry.Layout?

  let frameLayer = Layer()
  let moreLayer = Layer()
  let addLayer = Layer()
  /// What is in what is chosen.
  let preview = PreviewLayer()
  /// The cards that are seen, or moving out of sight, by their numbers.
  var cardLayers: [Int: Layer] = [:]
  /// The titles in those cards that have no summary.
  var contentsOfCards: [NodeID: String] = [:]
  /// The widest amount of cards that were seen before.
  var columnsBefore = CardWindow.Columns.none

  override func didLoad() {
    super.didLoad()
    sheet.add(frameLayer)
    body.add(moreLayer)
    body.add(addLayer)
    body.add(preview)
    frameLayer.drawing = { [weak self] state in self?.drawFrame(state.cells.size) }
  }

  override func show(_ page: PageModel) {
    let target = chosenCard?.target
    if page != self.page { contentsOfCards = [:] }
    super.show(page)
    if let target, let index = cards.knownIndex(where: { $0.target == target }) {
      if index != chosen { choose(index, animated: false) }
    } else if chosen >= cards.count, !cards.isEmpty {
      // What was chosen is gone, and was the last: the one above it is next.
      chosen = cards.count - 1
      if isLayerLoaded { choose(chosen, animated: false) }
    }
  }

  var cards: CardWindow { page.cards }
  override var header: PageModel.Header {
    var header = super.header
    header.above = cards.isEmpty || !isLayerLoaded ? 0 : geometry.visible.lowerBound
    return header
  }

  // MARK: - Choosing

  /// Chooses the card that the page was asked around: what there is to do.
  func chooseWhatIsNext() {
    chosen = cards.focus ?? 0
  }

  /// Chooses the card of a node, so that it is where the eye will look for it when the learner comes back.
  func choose(_ node: NodeID, animated: Bool = false) {
    // Whoever opens a card has chosen it, and it is seen so.
    if chosenCard?.node == node, isLayerLoaded, geometry.chosen == chosen { return }
    if cards.knownIndex(where: { $0.node == node }) == nil, let others = shell.cards(of: place, around: .node(node)) {
      take(others)
    }
    guard let index = cards.knownIndex(where: { $0.node == node }) else { return }
    // What was never seen is laid out when it is.
    guard isLayerLoaded else { return chosen = index }
    choose(index, animated: animated)
  }

  func choose(_ index: Int, animated: Bool) {
    guard !cards.isEmpty else { return }
    let next = max(0, min(index, cards.count - 1))
    if choosesHowToAdd { chooseHowToAdd(false) }
    guard next != chosen || !animated else { return }
    let scroll = geometry.scroll
    chosen = next
    // Cards that move from layout to layout turn to where they are then.
    if animated, isChangingLayout, shell.motion == .full { return moveToLayout(cut: true) }
    layOutGeometry()
    showCards()
    // Where the list itself moved, the frame stays on its card instead of chasing it; so it does among rows, which make
    // room for it at once: while it moves it would stand on their words.
    if animated, scroll == geometry.scroll, geometry.layout == .cards, shell.motion == .full {
      animate(duration: Self.frameGlide, curve: .easeOut) { placeFrame() }
    } else {
      frameLayer.removeAllAnimations()
      placeFrame()
    }
    frameLayer.setNeedsDisplay()
    shell.pageChanged(self)
  }

  private func chooseHowToAdd(_ isChosen: Bool) {
    choosesHowToAdd = isChosen
    showHowToAdd()
    frameLayer.removeAllAnimations()
    placeFrame()
    shell.pageChanged(self)
  }

  /// The card that has the frame; `nil` where the row below the courses is chosen.
  var chosenCard: CardModel? {
    guard !choosesHowToAdd, cards.knows(chosen..<chosen + 1), chosen < cards.count else { return nil }
    return cards[chosen]
  }

  override func perform(_ command: Command) -> Bool {
    switch command {
    case .chooseNext where choosesHowToAdd: break
    case .chooseNext where chosen == cards.count - 1 && !addLayer.isHidden: chooseHowToAdd(true)
    case .choosePrevious where choosesHowToAdd: chooseHowToAdd(false)
    case .open where choosesHowToAdd, .readOn where choosesHowToAdd: shell.addCourse()
    case .chooseNext: choose(chosen + 1, animated: true)
    case .choosePrevious: choose(chosen - 1, animated: true)
    case .chooseFirst: choose(0, animated: true)
    case .chooseLast: choose(cards.count - 1, animated: true)
    case .readOn: readOn()
    case .pageDown: choose(chosen + pageStep, animated: true)
    case .pageBack: choose(chosen - pageStep, animated: true)
    case .halfPageDown: choose(chosen + max(1, pageStep / 2), animated: true)
    case .halfPageUp: choose(chosen - max(1, pageStep / 2), animated: true)
    case .open: openChosen(cause: .key)
    case .layout: toggleLayout()
    case .toggleDone: return toggleDone()
    default: return false
    }
    return true
  }

  private var pageStep: Int { max(1, geometry.visible.count - 1) }

  /// A page on; where all of the list is in view, on into what is chosen: one key reads a course.
  private func readOn() {
    guard !geometry.showsAll else { return openChosen(cause: .key) }
    guard chosen == cards.count - 1 else { return choose(chosen + pageStep, animated: true) }
    shell.notify("This is the end of the list." + (shell.label(of: .open).map { " \($0) opens what is chosen." } ?? ""))
  }

  /// An activity can be done without being opened, as when it was done elsewhere.
  private func toggleDone() -> Bool {
    guard let card = chosenCard, let node = card.node else { return false }
    guard card.kind == .activity else {
      shell.notify(
        "A \(card.kind.rawValue) is done when all in it is." + (shell.label(of: .open).map { " \($0) opens it." } ?? "")
      )
      return true
    }
    shell.record(card.mark == .done ? .markedNotDone : .markedDone, in: .node(node), on: self)
    return true
  }

  override var keys: [KeyHint] {
    guard let card = chosenCard, card.kind == .activity else { return super.keys }
    return [KeyHint("x", card.mark == .done ? "to do" : "done")] + super.keys
  }

  override var otherKeys: [KeyHint] {
    [keys(of: .layout, does: "layout"), keys(of: .copy, does: "copy")].compactMap { $0 }
      + (place == .root ? [] : [keys(of: .chooseFirst, .chooseLast, does: "first, last")].compactMap { $0 })
  }

  func openChosen(cause: NavigationCause) {
    guard let card = chosenCard else { return }
    shell.open(card, cause: cause)
  }

  private func toggleLayout() {
    guard !metrics.isSmall else {
      return shell.notify(
        "Cards need \(PageMetrics.leastOfFrames.columns) columns and \(PageMetrics.leastOfFrames.rows) rows.")
    }
    askedLayout = geometry.layout == .cards ? .list : .cards
    switch shell.motion {
    case .none: layOutPage()
    case .reduced: fadeToLayout()
    case .full: moveToLayout()
    }
  }

  override func handle(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event else { return false }
    return answer(mouse)
  }

  // MARK: - Layout

  override func layOutPage() {
    super.layOutPage()
    layOutGeometry()
    showCards()
    frameLayer.removeAllAnimations()
    placeFrame()
    frameLayer.setNeedsDisplay()
  }

  // MARK: - The page taken apart

  override var bodyParts: [PagePicture.Part] { cardParts + restParts }

  /// A card's frame has become the page; another one appears around the page's own choice.
  override func didEndTargetAnimation() { fadeFrameIn() }

  override var picture: PagePicture {
    var picture = super.picture
    if let frame = frame(of: chosen), let surface = drawFrame(frame.size) {
      picture.choice = PagePicture.Part(surface: surface, rect: frame)
      picture.choiceLag = frameLayer.presentation.frame.y - frameLayer.frame.y
    }
    for index in geometry.visible {
      guard let node = cards[index].node else { continue }
      picture.cards[node] = cards[index]
      picture.frames[node] = frame(of: index) ?? placeOfFrame(of: index)
    }
    return picture
  }
}

extension ListScreen: FramedPage {
  var framedCells: CellRect? { frame(of: chosen) }
}
