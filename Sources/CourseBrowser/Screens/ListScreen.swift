import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// A page that lists the children of a place: courses, goals, lessons or activities. The selected child has a frame.
@MainActor final class ListScreen: PageScreen, SelectionScreen {
  /// Duration of the frame's motion from one card to another, in seconds.
  static let frameGlide = 0.09
  /// Duration in which the frame fades in after a page has opened, in seconds.
  static let frameFade = 0.06
  /// Duration of the motion between two layouts, in seconds.
  static let layoutTime = 0.26
  /// The key of the layer value for a card's form: 1 for a card, 0 for a row of a list.
  static let asCard: LayerKey = "asCard"

  private unowned let reader: any CardSource
  private(set) var list = SelectionList()
  private(set) var layout = CardListLayout.cards
  /// Whether the row that adds a course is selected instead of a card. This row is below the list of courses.
  var choosesHowToAdd = false
  /// The layout that the learner has selected, or `nil` for the default.
  private(set) var chosenLayout: CardListLayout?

  let frameLayer = Layer()
  let moreLayer = Layer()
  let addLayer = Layer()
  /// The preview of the selected place.
  let preview = PreviewLayer()
  /// The layers of the cards that are visible or moving out of view, by index.
  var cardLayers: [Int: Layer] = [:]
  /// Generated summaries of places whose author wrote none.
  private var contentsOfCards: [NodeID: String] = [:]
  /// What is next in the courses.
  private var nextInCourses: [NodeID: String] = [:]
  /// The maximum column widths of the cards that have been loaded before.
  private var columnsBefore = CardWindow.Columns.none

  init(place: Place, page: PageModel, host: PageContext, reader: any CardSource) {
    self.reader = reader
    super.init(place: place, page: page, host: host)
  }

  override func didLoad() {
    super.didLoad()
    bodySheet.add(frameLayer)
    body.add(moreLayer)
    body.add(addLayer)
    body.add(preview)
    frameLayer.drawing = { [weak self] state in self?.drawFrame(state.cells.size) }
  }

  override func show(_ page: PageModel) {
    let (target, oldIndex) = (chosenCard?.target, chosen)
    if page != self.page { (contentsOfCards, nextInCourses) = ([:], [:]) }
    super.show(page)
    if let target, let index = cards.loadedIndex(where: { $0.target == target }) {
      if index != chosen { choose(index, animated: false) }
    } else if oldIndex >= cards.count, !cards.isEmpty {
      // The selected card was the last one of the list, and was removed.
      list.chosen = cards.count - 1
      if isLayerLoaded { choose(chosen, animated: false) }
    }
  }

  var cards: CardWindow { page.cards }
  override var header: PageModel.Header {
    var header = super.header
    header.hiddenEntriesAbove = cards.isEmpty || !isLayerLoaded ? 0 : list.visible.lowerBound
    return header
  }

  // MARK: - Selection

  /// Selects the card around which the page was read, which is the next step.
  func chooseWhatIsNext() {
    list.chosen = cards.focus ?? 0
  }

  /// Selects the card of a node, so that it is visible when the learner returns.
  func choose(_ node: NodeID, animated: Bool = false) {
    // If the card is selected and visible already, nothing changes. This is usual after it was opened.
    if chosenCard?.node == node, isLayerLoaded, list.count == cards.count { return }
    if cards.loadedIndex(where: { $0.node == node }) == nil, let window = reader.cards(of: place, around: .node(node)) {
      update(window)
    }
    guard let index = cards.loadedIndex(where: { $0.node == node }) else { return }
    // A page that has never been visible is laid out when it appears.
    guard isLayerLoaded else { return list.chosen = index }
    choose(index, animated: animated)
  }

  func choose(_ index: Int) { choose(index, animated: true) }

  func scroll(by rows: Int) { choose(chosen + rows, animated: false) }

  func openChosen() {
    if choosesHowToAdd { chooseHowToAdd(false) }
    openChosen(cause: .mouse)
  }

  func choose(_ index: Int, animated: Bool) {
    guard !cards.isEmpty else { return }
    let next = max(0, min(index, cards.count - 1))
    if choosesHowToAdd { chooseHowToAdd(false) }
    guard next != chosen || !animated else { return }
    let old = list
    list.chosen = next
    // If cards are moving between two layouts, they continue to their new frames.
    if animated, isChangingLayout, context.motion == .full { return moveToLayout(from: old) }
    layOutList()
    showCards()
    // If the list scrolls, the frame stays on its card instead of moving across the list. In a list of rows, the frame
    // is not animated either, because it would cross the texts.
    if animated, old.scroll == list.scroll, layout == .cards, context.motion == .full {
      animate(duration: Self.frameGlide, curve: .easeOut) { placeFrame() }
    } else {
      frameLayer.removeAllAnimations()
      placeFrame()
    }
    frameLayer.setNeedsDisplay()
    host.observer.pageChanged(self)
  }

  private func chooseHowToAdd(_ isChosen: Bool) {
    choosesHowToAdd = isChosen
    layOutList()
    showCards()
    frameLayer.removeAllAnimations()
    placeFrame()
    host.observer.pageChanged(self)
  }

  override var chosenNode: NodeID? { chosenCard?.node }

  /// The selected card, or `nil` if the row that adds a course is selected.
  var chosenCard: CardModel? {
    guard !choosesHowToAdd, cards.isLoaded(chosen..<chosen + 1), chosen < cards.count else { return nil }
    return cards[chosen]
  }

  override func offer(_ command: Command) -> Offer? {
    // A list with one entry that is not followed by the row that adds a course has nothing to select.
    let isSelectable = cards.count > 1 || showsCourses && !cards.isEmpty
    let isRoot = place == .root
    let label = isRoot && !cards.isEmpty ? "select" : ""
    switch command {
    case .chooseNext where choosesHowToAdd: return Offer(isSelectable ? label : nil) {}
    case .chooseNext where chosen == cards.count - 1 && showsCourses && !cards.isEmpty:
      return Offer(label) { [self] in chooseHowToAdd(true) }
    case .choosePrevious where choosesHowToAdd: return Offer(label) { [self] in chooseHowToAdd(false) }
    case .open where choosesHowToAdd: return Offer("add a course") { [self] in context.perform(.add) }
    case .readOn where choosesHowToAdd: return Offer { [self] in context.perform(.add) }
    case .readOn: return cards.isEmpty ? nil : Offer { [self] in continueReading() }
    case .open: return cards.isEmpty ? nil : Offer("open") { [self] in openChosen(cause: .key) }
    case .layout: return Offer("layout", rank: Offer.helpRank) { [self] in toggleLayout() }
    case .toggleDone:
      guard let card = chosenCard, card.node != nil else { return nil }
      let label = card.kind == .activity ? card.progressState == .done ? "not done" : "done" : nil
      return Offer(label) { [self] in toggleDone(card) }
    default: return offerToChoose(command, isSelectable ? label : nil, ends: isRoot ? "" : "first, last")
    }
  }

  /// Scrolls by a page. If all cards are visible, opens the selected card. The learner can therefore read through a
  /// course with a single key.
  private func continueReading() {
    guard !list.showsAll else { return openChosen(cause: .key) }
    guard chosen == cards.count - 1 else { return choose(list.target(of: .pageDown) ?? chosen) }
    context.notify(
      "This is the end of the list." + (context.label(of: .open).map { " \($0) opens the selection." } ?? ""))
  }

  /// Marks an activity as done or not done without opening it.
  private func toggleDone(_ card: CardModel) {
    guard card.kind == .activity, let node = card.node else {
      return context.notify(
        "A \(page.levels.noun(for: card.kind).singular) is done when all of its \(page.levels.noun(for: .activity).plural) are done."
          + (context.label(of: .open).map { " \($0) opens the selection." } ?? "")
      )
    }
    host.recorder.mark(.node(node), asDone: card.progressState != .done, on: self)
  }

  func openChosen(cause: NavigationCause) {
    guard let card = chosenCard else { return }
    host.navigator.open(card, cause: cause)
  }

  private func toggleLayout() {
    guard !metrics.isSmall else {
      return context.notify(
        "The card layout needs \(PageMetrics.minimumSizeForFrames.columns) columns and \(PageMetrics.minimumSizeForFrames.rows) rows."
      )
    }
    chosenLayout = layout == .cards ? .list : .cards
    switch context.motion {
    case .none: layOutPage()
    case .reduced: fadeToLayout()
    case .full: moveToLayout()
    }
  }

  override func handle(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event else { return false }
    // Cards that move between two layouts can be clicked too.
    if mouse.action == .press(.left),
      let moving = cardLayers.first(where: {
        $0.value.isAnimating && $0.value.presentedFrame().cells.contains(mouse.position)
      })
    {
      click(moving.key)
      return true
    }
    return handle(mouse, below: bodyRows.lowerBound)
  }

  // MARK: - Layout

  override func layOutPage() {
    super.layOutPage()
    layOutList()
    showCards()
    frameLayer.removeAllAnimations()
    placeFrame()
    frameLayer.setNeedsDisplay()
  }

  // MARK: - Fragments

  override var bodyFragments: [PageFragments.Fragment] { cardFragments + overflowFragments }

  /// The frame of a card has become this page, so the frame around the page's own selection fades in.
  override func didEndTargetAnimation(for id: TransitionID) { fadeFrameIn() }

  override var fragments: PageFragments {
    var fragments = super.fragments
    if let frame = frame(of: chosen), let surface = drawFrame(frame.size) {
      fragments.chosenFrame = PageFragments.Fragment(surface: surface, rect: frame)
      fragments.choiceOffset = frameLayer.presentation.frame.y - frameLayer.frame.y
    }
    for index in list.visible {
      guard let node = cards[index].node else { continue }
      fragments.cards[node] = cards[index]
      fragments.frames[node] = frame(of: index) ?? placeOfFrame(of: index)
    }
    return fragments
  }
}

extension ListScreen: FramedPage {
  var framedCells: CellRect? { frame(of: chosen) }
}

/// The visible cards, and the frame around the selected one.
extension ListScreen {
  func layOutList() {
    let height = bodyRows.count
    layout =
      metrics.isSmall
      ? .rows
      : chosenLayout ?? context.layout
        ?? (prefersList || !CardListLayout.fitsCards(count: cards.count, height: height) ? .list : .cards)
    var form = layout.form
    form.rowsBelow = showsCourses && !cards.isEmpty ? 1 : 0
    list.layOut(form, count: cards.count, height: height)
    if choosesHowToAdd { list.scroll(by: list.lastScroll) }
    loadVisibleCards()
  }

  /// Reads the visible cards, and enough cards around them for the next commands.
  private func loadVisibleCards() {
    guard !cards.isLoaded(list.visible), let window = reader.cards(of: place, around: .index(chosen)) else {
      return
    }
    columnsBefore = columns
    update(window)
  }

  /// Whether the page uses the list layout by default. The list of courses does, because what is next in each is more
  /// important than what it is about, and a lesson does, because its activities are numerous and small.
  private var prefersList: Bool {
    showsCourses || page.kind == .lesson && cards.loadedCards.allSatisfy { $0.kind == .activity }
  }

  /// Whether the list shows courses. Before the first course is imported, the list of courses shows how to begin.
  private var showsCourses: Bool { place == .root && cards.loadedCards.allSatisfy { $0.node != nil } }

  func showCards() {
    dropUnseenCards()
    for index in list.visible {
      let layer = cardLayers[index] ?? addCard(index)
      layer.frame = place(of: index, in: list)
      layer.opacity = 1
      layer.values[Self.asCard] = layout == .cards ? 1 : 0
      layer.setNeedsDisplay()
    }
    showOverflow()
  }

  /// The column widths of the list, according to the cards that have been loaded.
  private var columns: CardWindow.Columns { columnsBefore.union(cards.columns) }

  func surface(of index: Int, in layout: CardListLayout? = nil) -> Surface {
    switch layout ?? self.layout {
    case .cards: drawing.card(describedCard(index), isChosen: index == chosen, columns)
    case .list where showsCourses:
      drawing.courseRow(describedCard(index), next: nextText(index), isChosen: index == chosen, columns)
    case .list:
      drawing.listRow(index == chosen ? describedCard(index) : cards[index], isChosen: index == chosen, columns)
    case .rows: drawing.smallRow(cards[index], isChosen: index == chosen, columns)
    }
  }

  /// Returns a card. If its place has no summary, the summary is generated from the contents of the place.
  private func describedCard(_ index: Int) -> CardModel {
    var card = cards[index]
    guard card.summary.isEmpty, let node = card.node else { return card }
    card.summary = contentsOfCards[node] ?? reader.contents(of: card)
    contentsOfCards[node] = card.summary
    return card
  }

  /// Returns what is next in a course, which is read once.
  private func nextText(_ index: Int) -> String {
    guard let node = cards[index].node else { return "" }
    let text = nextInCourses[node] ?? reader.next(in: cards[index])
    nextInCourses[node] = text
    return text
  }

  // MARK: - The frame

  func placeFrame() {
    guard !choosesHowToAdd, let frame = frame(of: chosen) else {
      frameLayer.isHidden = true
      return
    }
    frameLayer.isHidden = false
    frameLayer.frame = Rect(frame)
  }

  func frame(of index: Int) -> CellRect? {
    cards.indices.contains(index) ? frame(of: index, in: list) : nil
  }

  private func frame(of index: Int, in list: SelectionList) -> CellRect? {
    list.frame(of: index).map { rows in
      CellRect(
        column: metrics.frameColumn, row: bodyRows.lowerBound + rows.lowerBound, columns: metrics.frameWidth,
        rows: rows.count)
    }
  }

  /// Returns the cells of a card's text.
  private func textCells(of index: Int) -> CellRect {
    let rows = list.text(of: index)
    return CellRect(
      column: metrics.textColumn, row: bodyRows.lowerBound + rows.lowerBound, columns: metrics.textWidth,
      rows: rows.count)
  }

  /// Returns the frame that a card would have if it were selected. In a layout without frames, returns its row.
  func placeOfFrame(of index: Int) -> CellRect? {
    var chosenList = list
    chosenList.chosen = index
    chosenList.layOut(list.form, count: list.count, height: list.height)
    if let frame = frame(of: index, in: chosenList) { return frame }
    let cells = textCells(of: index)
    return CellRect(column: metrics.firstColumn, row: cells.row, columns: metrics.width, rows: cells.rows)
  }

  func drawFrame(_ size: CellSize) -> Surface? {
    guard let card = chosenCard else { return nil }
    return drawing.lines.box(size, fraction: card.fraction, role: Role(card.kind))
  }

  /// Fades the frame in after a page has opened.
  func fadeFrameIn() {
    guard context.motion == .full, !frameLayer.isHidden else { return }
    withoutAnimation { frameLayer.opacity = OpeningGeometry.fadedOpacity }
    animate(duration: Self.frameFade, curve: .linear) { frameLayer.opacity = 1 }
  }

  // MARK: - Fragments

  var cardFragments: [PageFragments.Fragment] {
    list.visible.map { index in
      PageFragments.Fragment(
        surface: surface(of: index), rect: textCells(of: index), node: cards[index].node,
        titleColumn: layout == .cards ? 0 : PageDrawing.statusColumns)
    }
  }
}

/// The content below the cards: the number of further cards, a message about an empty list, or the row that adds a
/// course.
extension ListScreen {
  /// Updates the content below the cards.
  func showOverflow() {
    ruleLayer.setNeedsDisplay()
    guard !cards.isEmpty else { return showEmptyMessage() }
    moreLayer.isHidden = !list.hasMoreRow
    showHowToAdd()
    layOutPreview()
    guard !moreLayer.isHidden else { return }
    showQuietRow(drawing.symbols.arrows[1] + " \(list.more) more", at: bodyRows.count - 1)
  }

  /// Shows a text about the list in one of its rows.
  private func showQuietRow(_ text: String, at row: Int) {
    let surface = drawing.lines.row(StyledText(text, style: drawing.theme[.quiet]), width: metrics.textWidth)
    moreLayer.show(surface, column: metrics.textColumn, row: row)
  }

  private func showEmptyMessage() {
    moreLayer.isHidden = false
    showQuietRow("Nothing here yet. \(drawing.symbols.arrows[2]) goes up.", at: metrics.isSmall ? 0 : 1)
    addLayer.isHidden = true
    preview.hide()
  }

  /// Lays out the preview below the list, with blank rows above and below.
  private func layOutPreview() {
    let first = list.contentHeight + (addLayer.isHidden ? 1 : 2)
    preview.layOut(
      in: first..<max(first, bodyRows.count - metrics.spacingBelowText), metrics: metrics,
      appearance: context.appearance,
      key: context.label(of: .switchPane), keepsContents: true)
  }

  /// Updates the row that adds a course. It is shown below the courses if there is space.
  func showHowToAdd() {
    let row = list.contentHeight - list.scroll
    addLayer.isHidden = !showsCourses || cards.isEmpty || row >= bodyRows.count
    if !showsCourses { choosesHowToAdd = false }
    guard !addLayer.isHidden else { return }
    let theme = drawing.theme
    let key = context.label(of: choosesHowToAdd ? .open : .add) ?? ""
    let surface = drawing.lines.row(
      StyledText(
        "+ Add a course: a folder, a book, an archive", style: choosesHowToAdd ? theme.bold(.accent) : theme[.quiet]),
      StyledText(key, style: theme[.key]), width: metrics.textWidth)
    addLayer.show(surface, column: metrics.textColumn, row: row)
  }

  /// Whether a cell belongs to the row that adds a course.
  func isHowToAdd(_ point: CellPoint) -> Bool {
    !addLayer.isHidden && point.row == bodyRows.lowerBound + list.contentHeight - list.scroll
  }

  /// The content below the cards as fragments of a snapshot.
  var overflowFragments: [PageFragments.Fragment] {
    [moreLayer, addLayer].filter { !$0.isHidden }.compactMap { layer in
      layer.content.map {
        PageFragments.Fragment(surface: $0, rect: layer.frame.cells.offset(rows: bodyRows.lowerBound))
      }
    } + (preview.fragment.map { [$0.movedUp(by: bodyRows.lowerBound)] } ?? [])
  }
}

/// Clicks on cards that are moving.
extension ListScreen {
  private func click(_ index: Int) {
    if index == chosen { openChosen() } else { choose(index) }
  }

  /// Handles a click on a card that is moving and is not at its final position.
  ///
  /// - Returns: `false` if the card does not belong to this page.
  func click(_ node: NodeID) -> Bool {
    guard let index = cards.loadedIndex(where: { $0.node == node }) else { return false }
    click(index)
    return true
  }
}
