import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// An activity with a text, which scrolls. Records what was read.
@MainActor class ReadingScreen: ActivityScreen, TextWithMatches, TextWithImages {
  let blocks: [Block]
  private(set) var text = ReadingText()
  /// The first visible line.
  private(set) var scroll = 0
  /// The reading position, independent of the width. It does not change if the terminal is shrunk and enlarged again.
  private(set) var reader = ReadingText.Point()
  /// Credits the visible text.
  let creditTracker: ReadingCreditTracker
  /// The progress that the header shows. It is updated when the learner scrolls and when all visible text has been
  /// credited, but not while the page is being left.
  var shownProgress = (share: 0.0, isRead: false)
  /// The index of the selected link, or `nil` if no link is selected.
  var chosenLink: Int?
  var copiedCode: Int?
  /// The index of the selected paragraph, table or code block, or `nil` if none is selected.
  var chosenBlock: Int?
  /// The sections, tabs and footnotes of the text that the reader has opened.
  var opened = ExpandedSections()
  var searchMatches: SearchMatches?
  /// The search in this text, or `nil` if there is none.
  var search: PageSearch?
  /// The notes in the text.
  var notes: [Note] = []
  /// The locations of the notes in the current layout.
  var notePositions = NotePositions()
  /// The text as a sequence of passages to which notes are anchored.
  private(set) lazy var anchoredText = AnchoredText(blocks)
  /// The position before a search that has ended at a match, or `nil`.
  var readerBeforeSearch: ReadingText.Point?
  var matchContext: String { "this text" }
  /// The position before a lookup, such as a jump to a search match. `nil` once the reader continues from the new
  /// position.
  private(set) var readerBefore: ReadingText.Point?

  let pane = TextPane()
  private let titleCrossFade = RowCrossFade()
  private let summaryCrossFade = RowCrossFade()
  /// The earlier header, whose summary stays visible until the rule covers it.
  private var oldHeader: PageModel.Header?
  private var layoutKey: LayoutKey?
  private var pageTurns = PageTurns()
  /// Whether the learner has marked the text as not done. If `true`, the text is not marked as done automatically.
  var isMarkedNotDone = false

  /// The parameters of the layout, except the text.
  private struct LayoutKey: Equatable {
    var width: Int
    var measure: Int
    var colourDepth: ColourDepth
    var pageAppearance: PageAppearance
    var done: String
    var opened: ExpandedSections
    var imageStyle: ImageStyle
  }

  init(place: Place, page: PageModel, blocks: [Block], host: PageContext) {
    self.blocks = Self.textForLayout(blocks)
    creditTracker = ReadingCreditTracker(ReadingProgressTracker(self.blocks))
    super.init(place: place, page: page, host: host)
  }

  private static func textForLayout(_ blocks: [Block]) -> [Block] {
    blocks.isEmpty ? [.paragraph([.emphasis([.text("There is nothing to read here.")])])] : blocks.withFootnoteLinks
  }

  /// Returns whether the page shows the given stored blocks.
  func shows(_ blocks: [Block]) -> Bool { self.blocks == Self.textForLayout(blocks) }

  /// Takes over the position from the page of another edition of the text. The opened sections are also taken over if
  /// the new edition has the same ones.
  func continuePosition(of other: ReadingScreen) {
    reader = other.reader.followed(from: other.blocks, to: blocks)
    // Opened sections are identified by number, so they are kept only if both editions have the same sections.
    let (before, now) = (other.blocks.sectionsToExpand { _ in true }, blocks.sectionsToExpand { _ in true })
    if before == now { opened = other.opened }
  }

  override func didLoad() {
    super.didLoad()
    body.add(pane.layer)
    pane.decorate = { [weak self] surface, first in
      self?.drawImages(on: &surface, from: first)
      self?.drawHighlights(on: &surface, from: first)
      self?.highlightLookupMatches(on: &surface, from: first)
      self?.highlightMatches(on: &surface, from: first)
      self?.highlightChosenLink(on: &surface, from: first)
    }
    pane.decorateMargin = { [weak self] in self?.drawMargin(on: &$0, from: $1) }
  }

  /// Whether the activity is marked as done when its text has been read. An exercise is done when a check is passed.
  var completesWhenRead: Bool { page.exercise == nil }

  override var shareText: String {
    completesWhenRead ? DisplayFormat.percent(min(account.share, 0.99)) + " read" : ""
  }

  // MARK: - Position

  var isScrolled: Bool { scroll > 0 && metrics.headerCloses }
  override var titleRow: Int { isScrolled ? metrics.scrolledTitleRow : metrics.titleRow }
  override var ruleRow: Int { isScrolled ? metrics.scrolledRuleRow : metrics.ruleRow }

  override func restore(_ history: ActivityHistory) {
    creditTracker.restore(history.passages, of: blocks)
    notes = history.notes
    updateShownProgress()
    guard let position = history.position else { return }
    // A text that has been read and is done opens at its beginning, unless the learner navigates back to it.
    if history.isReturn || !(account.isRead && isDone) {
      reader = ReadingText.Point(block: position.block, offset: position.blockOffset)
    }
  }

  override func position(at time: Timestamp) -> ReadingPosition? {
    // A lookup from the beginning of the text leaves no position to keep.
    let before = readerBefore.flatMap { text.line(of: $0) > 0 ? $0 : nil }
    let (point, firstLine) = (before ?? reader, before.map(text.line) ?? scroll)
    return ReadingPosition(
      block: point.block, blockOffset: point.offset, fraction: account.shareToStore,
      heading: account.share > 0 ? text.heading(at: firstLine + visibleRows / 2)?.title : nil, savedAt: time)
  }

  override func takeUnsavedPassages() -> [String: RangeSet<Int>] { creditTracker.takeUnsaved() }

  // MARK: - Scrolling

  /// Scrolls to a line, or as far as possible.
  ///
  /// - Parameter gliding: Whether the motion may be animated.
  func scroll(to line: Int, gliding: Bool) { scroll(to: line, gliding: gliding, isLookingUp: false) }

  /// Scrolls to a line. If `isLookingUp` is `true`, the stored reading position does not change.
  func scroll(to line: Int, gliding: Bool, isLookingUp: Bool) {
    let next = max(0, min(line, lastScroll))
    guard next != scroll else { return }
    creditVisibleText()
    readerBefore = isLookingUp ? readerBefore ?? reader : nil
    let (oldTop, presentedScroll, distance) = (textTop, pane.presentedScroll, abs(next - scroll))
    // If an animation is running, scrolling by a line changes the target of that animation. A second page in quick
    // succession is not animated.
    let (oldTitle, oldRule, wasMoving) = (titleRow, ruleRow, titleLayer.isAnimating || pane.isGliding)
    let oldFrames = (body.frame, pane.layer.frame)
    let (oldTitleSurface, oldSummary, oldHeader) = (titleLayer.content, summaryLayer.content, header)
    updateShownProgress()
    let isNear = distance <= visibleRows
    let startsGlide = gliding && !pane.isGliding
    scroll = next
    // The header shrinks or grows in the same animation in which the text moves.
    let (headerShrinks, headerGrows) = (titleRow < oldTitle, titleRow > oldTitle)
    let isAnimated =
      context.motion == .full && isNear && (startsGlide || headerShrinks || headerGrows || wasMoving && !gliding)
    reader = text.point(at: next)
    if let chosenLink, !visibleLines.contains(text.links[chosenLink].line) { self.chosenLink = nil }
    // A selected block that is no longer visible is deselected.
    if let chosenBlock, !text.selectableBlocks[chosenBlock].lines.overlaps(visibleLines) { self.chosenBlock = nil }
    pane.finishGlide()
    self.oldHeader = !isAnimated || headerGrows ? nil : headerShrinks ? oldHeader : self.oldHeader
    layOutPage()
    let offset = (title: Double(oldTitle - titleRow), rule: Double(oldRule - ruleRow))
    // If the header grows, the window of the text shrinks and moves down together with it.
    if isAnimated {
      pane.glide(from: headerGrows ? presentedScroll : presentedScroll + Double(textTop - oldTop))
      creditTracker.delayCredit(until: (stage?.now ?? 0) + TextPane.glideTime)
      beginReading()
    }
    if !isAnimated {
      for sublayer in [titleLayer, summaryLayer, ruleLayer, body, pane.layer] { sublayer.removeAllAnimations() }
    }
    if isAnimated, headerShrinks { glideHeader(title: offset.title, rule: offset.rule) }
    if isAnimated, headerGrows { glideHeaderBack(title: offset.title, rule: offset.rule, from: oldFrames) }
    for (crossFade, row, old) in [
      (titleCrossFade, titleLayer, oldTitleSurface), (summaryCrossFade, summaryLayer, oldSummary),
    ] {
      if isAnimated { crossFade.crossFade(on: row, from: old, within: TextPane.glideTime) } else { crossFade.stop() }
    }
    if isAnimated { glideProgress(from: oldHeader.fraction) }
    positionChanged()
    if !keysMayHaveChanged() { host.observer.pageMoved() }
  }

  /// Continues from the visible position, which becomes the reading position.
  func stayHere() {
    readerBefore = nil
    positionChanged()
  }

  /// Restores a position, and the position before the lookup that led to it.
  func goBack(to point: ReadingText.Point, before: ReadingText.Point?) {
    scroll(to: text.line(of: point), gliding: false, isLookingUp: true)
    (reader, readerBefore) = (point, before)
  }

  /// Opens sections and tabs of the text.
  func open(_ sections: ExpandedSections) {
    let before = opened
    opened.details.formUnion(sections.details)
    opened.tabs.merge(sections.tabs) { $1 }
    if opened != before { layOutPage() }
  }

  /// Whether a query is being typed.
  var isWriting: Bool { search?.isTyping == true }

  /// Stores the current position, so that *back* returns to it after a search.
  func rememberReader() { readerBeforeSearch = readerBefore ?? reader }

  /// Highlights the matches of a query. If there are none, the text is shown without highlights.
  func show(matches query: String) {
    search = nil
    searchMatches = SearchMatches(query)
    // Closed sections that contain a match are opened.
    let sections = blocks.sectionsToExpand { [context] in !context.matches(of: query, in: $0).places.isEmpty }
    opened.details.formUnion(sections.details)
    opened.tabs.merge(sections.tabs) { $1 }
    guard !text.lines.isEmpty else { return }
    if layoutKey?.opened == opened {
      updateMatches()
      showFirstMatch()
    } else {
      layOutPage()
    }
  }

  func lookUp(line: Int, gliding: Bool) { scroll(to: line - visibleRows / 3, gliding: gliding, isLookingUp: true) }

  func toggle(_ destination: String) -> Bool {
    let referenceNumber = text.links[...(chosenLink ?? 0)].count { $0.destination == destination }
    guard opened.toggle(destination) else { return false }
    layOutPage()
    // A footnote can be referenced several times. The reference that the learner used stays selected.
    let links = text.links.indices.filter { text.links[$0].destination == destination }
    chosenLink = links.dropFirst(max(0, referenceNumber - 1)).first
    pane.redraw()
    host.observer.pageChanged(self)
    return true
  }

  /// Scrolls a heading or another target to the top.
  override func show(anchor: String) {
    guard let line = text.line(ofAnchor: anchor) else { return }
    scroll(to: line, gliding: true)
  }

  override func offer(_ command: Command) -> Offer? {
    offerInSearch(command) ?? offerOnMatches(command) ?? offerOnBlocks(command) ?? offerOnNotes(command)
      ?? offerOnLinks(command, copyRank: copyRank) ?? offerToScroll(command) ?? super.offer(command)
  }

  /// Returns what the commands for scrolling do.
  private func offerToScroll(_ command: Command) -> Offer? {
    func scroll(_ label: String = "", gliding: Bool = true, to line: @escaping @MainActor () -> Int) -> Offer {
      Offer(lastScroll == 0 ? nil : label, rank: Offer.helpRank) { [self] in
        self.scroll(to: line(), gliding: gliding)
      }
    }
    // During a search, its own keys come first.
    let rank = search == nil ? 0 : 2
    switch command {
    case .chooseNext: return scroll(gliding: false) { [self] in self.scroll + 1 }
    case .choosePrevious: return scroll(gliding: false) { [self] in self.scroll - 1 }
    case .chooseFirst: return scroll("top, end", gliding: false) { 0 }
    case .chooseLast: return scroll("top, end", gliding: false) { [self] in lastScroll }
    case .pageBack:
      return scroll("previous page") { [self] in
        pageTurns.popTurn(from: self.scroll) ?? self.scroll - pageRows(of: visibleRows)
      }
    case .halfPageDown: return scroll("half a page") { [self] in self.scroll + max(1, visibleRows / 2) }
    case .halfPageUp: return scroll("half a page") { [self] in self.scroll - max(1, visibleRows / 2) }
    case .readOn where endIsInView: return nil
    case .pageDown where endIsInView, .nextPage where endIsInView: return .unused
    case .readOn: return Offer("more", rank: rank, order: rank) { [self] in turnPage() }
    case .pageDown, .nextPage: return Offer { [self] in turnPage() }
    case .openNext where endIsInView: return Offer(onward, rank: rank, order: rank) { [self] in continueReading() }
    default: return nil
    }
  }

  /// Shows the next page.
  private func turnPage() {
    creditPage()
    let previousScroll = scroll
    let next = text.nextPage(
      from: scroll, visible: visibleRows, overlap: visibleRows - pageRows(of: visibleRows), rows: rowsOnceScrolled)
    scroll(to: next, gliding: true)
    pageTurns.append(from: previousScroll, to: scroll)
  }

  override func handle(_ event: InputEvent) -> Bool { handleInSearch(event) || handleOnText(event) }

  /// Removes the summary after the rule has covered it.
  func hideSummary() {
    oldHeader = nil
    summaryLayer.isHidden = ruleRow - titleRow <= 1
  }

  // MARK: - Reading progress

  override func didAppear(animated: Bool) {
    super.didAppear(animated: animated)
    beginReading()
    updateImages()
  }

  override func willDisappear(animated: Bool) {
    super.willDisappear(animated: animated)
    (search, readerBeforeSearch) = (nil, nil)
    pane.redraw()
    beginReading()
    updateImages()
  }

  override func show(_ page: PageModel) {
    isMarkedNotDone = isMarkedNotDone || isDone && !page.isDone
    super.show(page)
  }

  var showsImages = false
  var imagesCall: ScheduledCall?
  var isAtRest: Bool { !pane.isGliding }
  var textLeft: Int { metrics.textColumn }
  /// The number of columns for the text, which blocks that are wider than the measure can use.
  private var textColumns: Int { max(1, metrics.textWidth - reserved.columns) }
  /// The columns at the right and the rows at the bottom that the text leaves to other content.
  var reserved: CellSize { .zero }
  /// Whether the reserved rows show no text. `false` while the other content moves over the text.
  var isReservedCovered: Bool { true }
  var imageRows: Range<Int> { textTop..<textTop + visibleLines.count }
  func redrawText() { pane.redraw() }

  /// Credits the visible text from now on or, if it is moving, from when it comes to rest. Nothing is credited while
  /// the learner is not looking at the text.
  override func beginReading() {
    guard let stage else { return }
    creditTracker.track(
      visibleLines, isEnd: endIsInView,
      isAttended: completesWhenRead && appearance == .appeared && host.recorder.isReading,
      on: stage
    ) { [weak self] in self?.visibleTextWasCredited() }
  }

  /// Marks the text as done if it has been read.
  override func updateCompletion() { _ = recordCompletion() }

  // MARK: - Layout

  override func layOut(in size: Size) {
    catchUp()
    super.layOut(in: size)
  }

  override func layOutPage() {
    creditVisibleText()
    setText()
    super.layOutPage()
    if let oldHeader { (summaryLayer.content, summaryLayer.isHidden) = (drawing.summary(oldHeader), false) }
    pane.show(
      text.lines,
      in: CellRect(
        column: textLeft, row: spacingRows, columns: textColumns,
        rows: textRows + (isReservedCovered ? 0 : reserved.rows)),
      from: scroll)
    beginReading()
    requestImages()
    showFirstMatch()
  }

  private func setText() {
    let theme = context.appearance.theme
    let newLayoutKey = LayoutKey(
      width: textColumns, measure: context.appearance.measure, colourDepth: theme.colourDepth,
      pageAppearance: theme.pageAppearance,
      done: context.appearance.symbols.done,
      opened: opened, imageStyle: context.appearance.imageStyle(rows: rowsOnceScrolled))
    if newLayoutKey != layoutKey {
      let symbols = context.appearance.symbols
      text = ReadingLayout(
        width: newLayoutKey.width, measure: newLayoutKey.measure, theme: theme, symbols: symbols,
        imageStyle: newLayoutKey.imageStyle
      )
      .text(blocks.showing(newLayoutKey.opened, symbols: symbols), expanded: newLayoutKey.opened)
      creditTracker.rows = text.rows(of: account.text.passages)
      layoutKey = newLayoutKey
      pageTurns = PageTurns()
      updateMatches()
      search?.matches.update(text.lines)
      placeNotes()
      pane.finishGlide()
    }
    scroll = min(text.line(of: reader), lastScroll)
  }

  override var header: PageModel.Header { readingHeader }
  override var escapeTargets: Set<EscapeTarget> {
    var targets = super.escapeTargets
    if let search { targets.insert(search.isTyping ? .typing : .search) }
    if chosenBlock != nil { targets.insert(.block) }
    if chosenLink != nil { targets.insert(.link) }
    if searchMatches != nil { targets.insert(.matches) }
    return targets
  }

  override func leave(_ target: EscapeTarget) -> Bool {
    switch target {
    case .typing: cancelSearch()
    case .search: endSearch()
    case .block: deselectBlock()
    case .link, .matches: leaveInText(target)
    default: return super.leave(target)
    }
    return true
  }

  override var continuesWithSpace: Bool { endIsInView }
  override var hint: Footer.Hint? { searchHint ?? noteHint ?? blockHint ?? linkHint ?? matchHint }
  override var keyContexts: [KeyContext] { isWriting ? [] : super.keyContexts }
  override var fieldKeys: [KeyHint]? { searchFieldKeys }
  private var copyRank: Int { search == nil ? 0 : Offer.helpRank }
  override var doneRank: Int { search == nil ? super.doneRank : Offer.helpRank }

  override var bodyFragments: [PageFragments.Fragment] {
    var fragment = PageFragments.Fragment(
      surface: pane.snapshot,
      rect: CellRect(
        column: textLeft - pane.margin, row: textTop, columns: textColumns + pane.margin, rows: textRows))
    if pane.isGliding { fragment.continueAnimations = { [pane] in pane.continueGlide(in: $0) } }
    return [fragment]
  }

  override var fragments: PageFragments {
    var fragments = super.fragments
    fragments.offsets = PageFragments.Offsets(
      title: titleLayer.presentation.transform.translation.y, rule: ruleLayer.presentation.transform.translation.y,
      body: body.rowsFromPlace + pane.layer.rowsFromPlace,
      done: (ruleLayer.presentation.values[Self.done] ?? 0) - (ruleLayer.values[Self.done] ?? 0))
    fragments.fadingTitle = titleCrossFade.currentOpacity
    if let oldHeader { fragments.header.bottomRight = oldHeader.bottomRight }
    return fragments
  }
}

extension Layer {
  /// The vertical offset of the layer's displayed position from its final position, in rows.
  fileprivate var rowsFromPlace: Double { presentation.frame.y - frame.y }
}

/// The visible lines and their rows.
extension ReadingScreen {
  /// The reading progress of the text, in this session and earlier ones.
  var account: ReadingProgressTracker { creditTracker.account }

  /// The number of blank rows between the rule and the first line.
  var spacingRows: Int { isScrolled || metrics.isSmall ? 0 : 1 }
  /// The row of the terminal in which the text begins.
  var textTop: Int { bodyRows.lowerBound + spacingRows }
  /// The number of rows for text. On the first page, it is reduced so that the page ends at a suitable line.
  var textRows: Int {
    let rows = max(0, bodyRows.count - spacingRows - metrics.spacingBelowText - reserved.rows)
    return scroll > 0 || lastScroll == 0 ? rows : text.pageEnd(from: 0, rows: rows)
  }
  /// The number of rows for text when the text is scrolled and the header has shrunk.
  var rowsOnceScrolled: Int {
    if metrics.isSmall { return max(1, metrics.bodyRows - reserved.rows) }
    return metrics.bodyEnd - metrics.spacingBelowText - reserved.rows
      - (metrics.headerCloses ? metrics.scrolledBodyTop : metrics.bodyTop + 1)
  }
  /// The number of visible rows, at least 1.
  var visibleRows: Int { max(1, textRows) }
  var visibleLines: Range<Int> { scroll..<max(scroll, min(scroll + visibleRows, text.lines.count)) }

  var lastScroll: Int {
    guard !metrics.isSmall else { return max(0, text.lines.count - rowsOnceScrolled) }
    return text.lines.count <= metrics.bodyRows - 1 - metrics.spacingBelowText - reserved.rows
      ? 0 : max(1, text.lines.count - rowsOnceScrolled)
  }

  /// Whether the last line is visible.
  var endIsInView: Bool { scroll >= lastScroll }

  /// The position in the text: 0 at the beginning, 1 at the end. 0 for a text that does not scroll.
  var positionFraction: Double { lastScroll == 0 ? 0 : min(1, Double(scroll) / Double(lastScroll)) }
}

/// The pages that the reader has turned, so that turning back shows the same pages.
struct PageTurns: Hashable {
  private struct Turn: Hashable {
    var from: Int
    var to: Int
  }

  private var turns: [Turn] = []

  /// Records that a page was turned. The arguments are the first visible lines before and after.
  mutating func append(from: Int, to: Int) { turns.append(Turn(from: from, to: to)) }

  /// Returns the first line of the previous page, or `nil` if the reader did not come to this line by turning a page.
  mutating func popTurn(from line: Int) -> Int? {
    guard turns.last?.to == line else {
      turns = []
      return nil
    }
    return turns.removeLast().from
  }
}
