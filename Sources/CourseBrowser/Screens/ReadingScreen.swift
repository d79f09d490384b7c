import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// An activity that is read: its text, scrolled, and what of it has been read.
@MainActor class ReadingScreen: ActivityScreen, FoundText, PicturedText {
  let blocks: [Block]
  private(set) var text = ReadingText()
  /// The first line that is seen.
  private(set) var scroll = 0
  /// Where the reader has scrolled to, whatever the width: a terminal that shrinks and grows again changes nothing.
  private(set) var reader = ReadingText.Point()
  /// What of it is read.
  let watch: ReadingWatch
  /// What is said of that: it changes as pages are turned and when a page is paid, not in the moment in which it is left.
  var told = (share: 0.0, isRead: false)
  /// The chosen link, by its number in the text.
  var chosenLink: Int?
  var copiedCode: Int?
  /// The chosen paragraph, table or piece of code, by its number in the text.
  var chosenPiece: Int?
  /// What of the text the reader has opened.
  var opened = OpenedParts()
  var found: FoundWords?
  /// What is searched for in this text; `nil` where nothing is.
  var search: PageSearch?
  /// What the learner wrote beside it.
  var notes: [Note] = []
  /// Where that stands in the text as it is set.
  var marks = NoteMarks()
  /// The text as notes hold on to it.
  private(set) lazy var anchored = AnchoredText(blocks)
  /// Where the reader was before a search at whose place they stayed.
  var readerBeforeSearch: ReadingText.Point?
  var foundWhere: String { "this text" }
  /// Where the reader was before they looked something up here, until they read on from there.
  private(set) var readerBefore: ReadingText.Point?

  let pane = TextPane()
  private let titleWords = RowWords()
  private let summaryWords = RowWords()
  /// What the header has said, whose summary is carried away until the rule has come over it.
  private var headerLeaving: PageModel.Header?
  private var setFor: Setting?
  private var turned = TurnedPages()
  /// The learner has taken a "done" back: it is not said again behind their back.
  var isTakenBack = false

  /// What the lines depend on beside the text.
  private struct Setting: Equatable {
    var width: Int
    var measure: Int
    var depth: ColourDepth
    var tone: PageTone
    var done: String
    var opened: OpenedParts
    var pictures: PictureStyle
  }

  init(place: Place, page: PageModel, blocks: [Block], host: PageContext) {
    self.blocks = Self.prepared(blocks)
    watch = ReadingWatch(ReadingAccount(self.blocks))
    super.init(place: place, page: page, host: host)
  }

  private static func prepared(_ blocks: [Block]) -> [Block] {
    blocks.isEmpty ? [.paragraph([.emphasis([.text("There is nothing to read here.")])])] : blocks.withNoteLinks
  }

  /// Whether it shows these blocks, as they are kept.
  func shows(_ blocks: [Block]) -> Bool { self.blocks == Self.prepared(blocks) }

  /// Begins where the reader is in another edition of the text, with the same solutions open.
  func takePlace(of other: ReadingScreen) {
    reader = other.reader.followed(from: other.blocks, to: blocks)
    // They are known by their numbers.
    let (before, now) = (other.blocks.parts { _ in true }, blocks.parts { _ in true })
    if before == now { opened = other.opened }
  }

  override func didLoad() {
    super.didLoad()
    body.add(pane.layer)
    pane.decorate = { [weak self] surface, first in
      self?.drawPictures(on: &surface, from: first)
      self?.markHighlights(on: &surface, from: first)
      self?.markFound(on: &surface, from: first)
      self?.markMatches(on: &surface, from: first)
      self?.markChosenLink(on: &surface, from: first)
      self?.markChosenPiece(on: &surface, from: first)
    }
    pane.decorateMargin = { [weak self] in self?.drawMargin(on: &$0, from: $1) }
  }

  /// Whether reading it makes it done.
  var isDoneWhenRead: Bool { true }

  // MARK: - Where the reader is

  var isScrolled: Bool { scroll > 0 && metrics.headerCloses }
  override var titleRow: Int { isScrolled ? metrics.scrolledTitleRow : metrics.titleRow }
  override var ruleRow: Int { isScrolled ? metrics.scrolledRuleRow : metrics.ruleRow }

  override func take(_ past: ActivityPast) {
    watch.take(past.passages, of: blocks)
    notes = past.notes
    tell()
    guard let position = past.position else { return }
    // Who opens a text that they have read begins it anew; who was elsewhere for a moment reads on.
    if past.isReturn || !(account.isRead && isDone) {
      reader = ReadingText.Point(block: position.block, offset: position.blockOffset)
    }
  }

  override func position(at moment: Timestamp) -> ReadingPosition? {
    let (kept, first) = (readerBefore ?? reader, readerBefore.map(text.line) ?? scroll)
    return ReadingPosition(
      block: kept.block, blockOffset: kept.offset, fraction: account.share,
      heading: account.share > 0 ? text.heading(at: first + visibleRows / 2)?.title : nil, savedAt: moment)
  }

  override func takeUnkeptPassages() -> [String: RangeSet<Int>] { watch.takeUnkept() }

  // MARK: - Scrolling

  /// Scrolls as far as there is text.
  ///
  /// - Parameter gliding: Whether the text may be seen moving, for the eye to keep its line.
  func scroll(to line: Int, gliding: Bool) { scroll(to: line, gliding: gliding, isLookingUp: false) }

  /// The same; who only looks something up keeps their place.
  func scroll(to line: Int, gliding: Bool, isLookingUp: Bool) {
    let next = max(0, min(line, lastScroll))
    guard next != scroll else { return }
    payForView()
    readerBefore = isLookingUp ? readerBefore ?? reader : nil
    let (oldTop, seen, distance) = (textTop, pane.presentedScroll, abs(next - scroll))
    // A line more or less bends a page's way; page after page jumps.
    let (oldTitle, oldRule, wasOnItsWay) = (titleRow, ruleRow, titleLayer.isAnimating || pane.isGliding)
    let oldFrames = (body.frame, pane.layer.frame)
    let (oldWords, oldSummary, oldHeader) = (titleLayer.content, summaryLayer.content, header)
    tell()
    let isNear = distance <= visibleRows
    let pages = gliding && !pane.isGliding
    scroll = next
    // The header gives its rows to the text as that begins to move: both do so together.
    let (gives, takes) = (titleRow < oldTitle, titleRow > oldTitle)
    let glides = context.motion == .full && isNear && (pages || gives || takes || wasOnItsWay && !gliding)
    reader = text.point(at: next)
    if let chosenLink, !visibleLines.contains(text.links[chosenLink].line) { self.chosenLink = nil }
    // What is chosen is what is seen.
    if let chosenPiece, !text.pieces[chosenPiece].lines.overlaps(visibleLines) { self.chosenPiece = nil }
    pane.arrive()
    headerLeaving = !glides || takes ? nil : gives ? oldHeader : headerLeaving
    layOutPage()
    let lag = (title: Double(oldTitle - titleRow), rule: Double(oldRule - ruleRow))
    // Where the header takes its rows back, the window of the words grows smaller with it, and carries them down.
    if glides {
      pane.glide(from: takes ? seen : seen + Double(textTop - oldTop))
      watch.move(until: (stage?.now ?? 0) + TextPane.glideTime)
      attend()
    }
    if !glides { for part in [titleLayer, summaryLayer, ruleLayer, body, pane.layer] { part.removeAllAnimations() } }
    if glides, gives { glideHeader(title: lag.title, rule: lag.rule) }
    if glides, takes { glideHeaderBack(title: lag.title, rule: lag.rule, from: oldFrames) }
    for (words, row, old) in [(titleWords, titleLayer, oldWords), (summaryWords, summaryLayer, oldSummary)] {
      if glides { words.giveWay(on: row, from: old, within: TextPane.glideTime) } else { words.stop() }
    }
    if glides { glideProgress(from: oldHeader.fraction) }
    positionChanged()
    if !keysMayHaveChanged() { host.observer.pageMoved() }
  }

  /// Goes back to a point as it was left: nothing was looked up there, or still is.
  func goBack(to point: ReadingText.Point, before: ReadingText.Point?) {
    scroll(to: text.line(of: point), gliding: false, isLookingUp: true)
    (reader, readerBefore) = (point, before)
  }

  /// Opens what is closed.
  func open(_ parts: OpenedParts) {
    let before = opened
    opened.details.formUnion(parts.details)
    opened.tabs.merge(parts.tabs) { $1 }
    if opened != before { layOutPage() }
  }

  override var isWriting: Bool { search?.isTyping == true }
  override var takesDigits: Bool { isWriting }

  /// The way back of a search leads to where the reader is now.
  func rememberReader() { readerBeforeSearch = readerBefore ?? reader }

  /// A text that has nothing of what was found is shown as ever.
  func show(found query: String) {
    search = nil
    found = FoundWords(query)
    // What is closed is opened where it has something of it.
    let wanted = blocks.parts { [context] in !context.matches(of: query, in: $0).places.isEmpty }
    opened.details.formUnion(wanted.details)
    opened.tabs.merge(wanted.tabs) { $1 }
    guard !text.lines.isEmpty else { return }
    if setFor?.opened == opened {
      lookForFound()
      showFirstFound()
    } else {
      layOutPage()
    }
  }

  func lookUp(line: Int, gliding: Bool) { scroll(to: line - visibleRows / 3, gliding: gliding, isLookingUp: true) }

  func toggle(_ destination: String) -> Bool {
    let same = text.links[...(chosenLink ?? 0)].count { $0.destination == destination }
    guard opened.toggle(destination) else { return false }
    layOutPage()
    // A note may be named several times; where it was opened, its link stays chosen.
    let links = text.links.indices.filter { text.links[$0].destination == destination }
    chosenLink = links.dropFirst(max(0, same - 1)).first
    pane.redraw()
    host.observer.pageChanged(self)
    return true
  }

  /// Shows a heading at the top.
  override func show(anchor: String) {
    guard let heading = text.headings.first(where: { $0.anchor == anchor }) else { return }
    scroll(to: heading.line, gliding: true)
  }

  override func perform(_ command: Command) -> Bool {
    if performInSearch(command) { return true }
    let page = pageRows(of: visibleRows)
    switch command {
    case .chooseNext: scroll(to: scroll + 1, gliding: false)
    case .choosePrevious: scroll(to: scroll - 1, gliding: false)
    case .chooseFirst: scroll(to: 0, gliding: false)
    case .chooseLast: scroll(to: lastScroll, gliding: false)
    case .pageBack: scroll(to: turned.turnBack(from: scroll) ?? scroll - page, gliding: true)
    case .halfPageDown: scroll(to: scroll + max(1, visibleRows / 2), gliding: true)
    case .halfPageUp: scroll(to: scroll - max(1, visibleRows / 2), gliding: true)
    case .pageDown where endIsInView: break
    case .readOn where endIsInView: readOn()
    // less's key for a page; there is nothing to filter in a text.
    case .filter where endIsInView: break
    case .readOn, .pageDown, .filter:
      let before = scroll
      let next = text.nextPage(
        from: scroll, seen: visibleRows, overlap: visibleRows - page, rows: rowsOnceScrolled)
      scroll(to: next, gliding: true)
      turned.turn(from: before, to: scroll)
    default:
      return performOnFound(command) || performOnPieces(command) || performOnNotes(command)
        || performOnLinks(command) || super.perform(command)
    }
    return true
  }

  override func handle(_ event: InputEvent) -> Bool { handleInSearch(event) || handleOnText(event) }

  /// The rule has come over the summary, which there is no room for any more.
  func forgetSummary() {
    headerLeaving = nil
    summaryLayer.isHidden = ruleRow - titleRow <= 1
  }

  // MARK: - Reading

  override func didAppear(animated: Bool) {
    super.didAppear(animated: animated)
    attend()
    lookAtPictures()
  }

  override func willDisappear(animated: Bool) {
    super.willDisappear(animated: animated)
    (search, readerBeforeSearch) = (nil, nil)
    pane.redraw()
    attend()
    lookAtPictures()
  }

  override func show(_ page: PageModel) {
    isTakenBack = isTakenBack || isDone && !page.isDone
    super.show(page)
  }

  var showsPictures = false
  var picturesCall: ScheduledCall?
  var isAtRest: Bool { !pane.isGliding }
  /// Columns from where the header begins to where the text does.
  private var inset: Int { metrics.textInset(measure: context.appearance.measure) }
  var textLeft: Int { metrics.textLeft + inset }
  /// Columns of the text, with what is wider than its running words.
  private var textColumns: Int { metrics.textWidth - inset }
  var pictureRows: Range<Int> { textTop..<textTop + visibleLines.count }
  func redrawText() { pane.redraw() }

  /// What is in view is read from now on, or from when it is at rest; while it is not looked at, it is not.
  override func attend() {
    guard let stage else { return }
    watch.watch(
      visibleLines, isEnd: endIsInView,
      isAttended: isDoneWhenRead && appearance == .appeared && host.recorder.isAttending,
      on: stage
    ) { [weak self] in self?.viewIsPaid() }
  }

  /// Is done where it has been read.
  override func settle() { _ = settled() }

  // MARK: - Layout

  override func layOut(in size: Size) {
    catchUp()
    super.layOut(in: size)
  }

  override func layOutPage() {
    payForView()
    setText()
    super.layOutPage()
    if let headerLeaving { (summaryLayer.content, summaryLayer.isHidden) = (drawing.summary(headerLeaving), false) }
    pane.show(
      text.lines,
      in: CellRect(
        column: textLeft, row: airRows, columns: textColumns, rows: textRows),
      from: scroll)
    attend()
    wantPictures()
    showFirstFound()
  }

  private func setText() {
    let theme = context.appearance.theme
    let setting = Setting(
      width: textColumns, measure: context.appearance.measure, depth: theme.depth, tone: theme.tone,
      done: context.appearance.symbols.done,
      opened: opened, pictures: context.appearance.pictures(rows: rowsOnceScrolled))
    if setting != setFor {
      let symbols = context.appearance.symbols
      text = ReadingLayout(
        width: setting.width, measure: setting.measure, theme: theme, symbols: symbols, pictures: setting.pictures
      )
      .text(blocks.showing(setting.opened, symbols: symbols), opened: setting.opened)
      watch.rows = text.rows(of: account.text.passages)
      setFor = setting
      turned = TurnedPages()
      lookForFound()
      search?.matches.take(text.lines)
      placeNotes()
      pane.arrive()
    }
    scroll = min(text.line(of: reader), lastScroll)
  }

  override var header: PageModel.Header { readingHeader }
  override var hint: Footer.Hint? { searchHint ?? noteHint ?? pieceHint ?? linkHint ?? foundHint }
  override var keys: [KeyHint] { searchKeys ?? super.keys }
  override var ownKeys: [KeyHint] { readingKeys }
  override var otherKeys: [KeyHint] { otherReadingKeys }

  override var bodyParts: [PagePicture.Part] {
    var part = PagePicture.Part(
      surface: pane.picture,
      rect: CellRect(
        column: textLeft - pane.margin, row: textTop, columns: textColumns + pane.margin, rows: textRows))
    if pane.isGliding { part.goOn = { [pane] in pane.goOn(in: $0) } }
    return [part]
  }

  override var picture: PagePicture {
    var picture = super.picture
    picture.lag = PagePicture.Lag(
      title: titleLayer.presentation.transform.translation.y, rule: ruleLayer.presentation.transform.translation.y,
      body: body.rowsFromPlace + pane.layer.rowsFromPlace,
      done: (ruleLayer.presentation.values[Self.done] ?? 0) - (ruleLayer.values[Self.done] ?? 0))
    picture.titleBefore = titleWords.now
    if let headerLeaving { picture.header.bottomRight = headerLeaving.bottomRight }
    return picture
  }
}

extension Layer {
  /// Rows that its frame is seen below where it will be.
  fileprivate var rowsFromPlace: Double { presentation.frame.y - frame.y }
}

/// Which lines of a text are seen, and in which rows.
extension ReadingScreen {
  /// What of it was read, in this sitting or before.
  var account: ReadingAccount { watch.account }

  /// One row of air stands between the rule and the text's first line.
  var airRows: Int { isScrolled || metrics.isSmall ? 0 : 1 }
  /// The row of the terminal that the text begins in.
  var textTop: Int { bodyRows.lowerBound + airRows }
  /// Rows of text that there are; the first page ends where a page should end.
  var textRows: Int {
    let rows = max(0, bodyRows.count - airRows - metrics.airBelowText)
    return scroll > 0 || lastScroll == 0 ? rows : text.pageEnd(from: 0, rows: rows)
  }
  /// Rows of text once it is scrolled: the header has given it some of its own.
  var rowsOnceScrolled: Int {
    if metrics.isSmall { return metrics.bodyRows }
    return metrics.bodyEnd - metrics.airBelowText
      - (metrics.headerCloses ? metrics.scrolledBodyTop : metrics.bodyTop + 1)
  }
  /// Rows of text that are seen.
  var visibleRows: Int { max(1, textRows) }
  var visibleLines: Range<Int> { scroll..<max(scroll, min(scroll + visibleRows, text.lines.count)) }

  var lastScroll: Int {
    guard !metrics.isSmall else { return max(0, text.lines.count - rowsOnceScrolled) }
    return text.lines.count <= metrics.bodyRows - 1 - metrics.airBelowText
      ? 0 : max(1, text.lines.count - rowsOnceScrolled)
  }

  /// Whether the text's last line is seen.
  var endIsInView: Bool { scroll >= lastScroll }

  var fractionSeen: Double {
    text.lines.isEmpty ? 1 : min(1, Double(scroll + visibleRows) / Double(text.lines.count))
  }
}

/// The pages of a text that somebody has turned: on the way back the same ones are seen.
struct TurnedPages: Hashable {
  private struct Turn: Hashable {
    var from: Int
    var to: Int
  }

  private var turns: [Turn] = []

  /// Keeps that the page was turned that begins with a line, to one that begins with another.
  mutating func turn(from: Int, to: Int) { turns.append(Turn(from: from, to: to)) }

  /// The line that the page before began with; `nil` where nobody has turned to this one, but scrolled.
  mutating func turnBack(from line: Int) -> Int? {
    guard turns.last?.to == line else {
      turns = []
      return nil
    }
    return turns.removeLast().from
  }
}
