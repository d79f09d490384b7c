import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// An activity that consists of steps, such as the questions of a quiz. A step is a text that can scroll, or is drawn
/// by a subclass.
@MainActor class StepScreen: ActivityScreen, TextWithMatches, TextWithImages {
  let pane = TextPane()
  private(set) var text = ReadingText()
  private(set) var scroll = 0
  var chosenLink: Int?
  var copiedCode: Int?
  var searchMatches: SearchMatches?
  var matchContext: String { "this text" }

  override func didLoad() {
    super.didLoad()
    body.add(pane.layer)
    pane.decorate = { [weak self] surface, first in
      self?.drawImages(on: &surface, from: first)
      self?.highlightLookupMatches(on: &surface, from: first)
      self?.highlightChosenLink(on: &surface, from: first)
    }
  }

  override var escapeTargets: Set<EscapeTarget> {
    var targets = super.escapeTargets
    if chosenLink != nil { targets.insert(.link) }
    if searchMatches != nil { targets.insert(.matches) }
    return targets
  }

  override func leave(_ target: EscapeTarget) -> Bool {
    guard target == .link || target == .matches else { return super.leave(target) }
    leaveInText(target)
    return true
  }

  /// The text of the current step.
  var stepText: ReadingText { ReadingText() }

  var visibleLines: Range<Int> { pane.visible }
  var textTop: Int { bodyRows.lowerBound + paneFrame.row }
  var textLeft: Int { paneFrame.column }

  /// The frame of the step's text in the body.
  var paneFrame: CellRect {
    CellRect(
      column: metrics.textColumn, row: spacingRows, columns: metrics.textWidth,
      rows: max(0, bodyRows.count - spacingRows - metrics.spacingBelowText))
  }

  /// The number of blank rows between the rule and the step.
  var spacingRows: Int { metrics.isSmall ? 0 : 1 }

  var readingLayout: ReadingLayout {
    ReadingLayout(
      width: metrics.textWidth, theme: context.appearance.theme, symbols: context.appearance.symbols,
      imageStyle: context.appearance.imageStyle(rows: paneFrame.rows))
  }

  // MARK: - Results

  /// Whether the current result, such as a verdict or the back of a card, has been drawn. If `false`, keys do not
  /// continue: a key that was pressed earlier was meant for what was visible before the result.
  private(set) var isResultDrawn = true

  /// Records that the next frame shows a result.
  func resultWillAppear() { isResultDrawn = false }

  override func ruleWasDrawn() { isResultDrawn = true }

  /// Shows the current step from its beginning.
  func beginStep() {
    scroll = 0
    (chosenLink, searchMatches) = (nil, nil)
    pane.finishGlide()
    guard isLayerLoaded else { return }
    layOutPage()
    host.observer.pageChanged(self)
  }

  override func layOutPage() {
    let oldLines = text.lines
    text = stepText
    if let searchMatches, searchMatches.isUnvisited || text.lines != oldLines { updateMatches() }
    super.layOutPage()
    scroll = min(scroll, max(0, text.lines.count - paneFrame.rows))
    pane.show(text.lines, in: paneFrame, from: scroll)
    requestImages()
    showFirstMatch()
  }

  // MARK: - Images

  final var showsImages = false
  final var imagesCall: ScheduledCall?
  final var isAtRest: Bool { !body.isMovingInside }
  var imageRows: Range<Int> { textTop..<textTop + visibleLines.count }
  func redrawText() { pane.redraw() }

  override func didAppear(animated: Bool) {
    super.didAppear(animated: animated)
    updateImages()
  }

  override func willDisappear(animated: Bool) {
    super.willDisappear(animated: animated)
    updateImages()
  }

  // MARK: - Search matches

  /// Shows a text with the matches of a query in place of the current step. The learner can continue the step
  /// afterwards. If there are no matches, the page is unchanged.
  func show(matches query: String) {}

  /// Highlights the matches of a query in the current text of the step.
  final func showText(with query: String) {
    scroll = 0
    (chosenLink, searchMatches) = (nil, SearchMatches(query))
    pane.finishGlide()
    // A page that has never been visible is laid out when it appears.
    if pane.size != .zero { layOutPage() }
  }

  func lookUp(line: Int, gliding: Bool) { scroll(to: line - paneFrame.rows / 3, gliding: gliding) }

  /// Returns the indices of the texts that best match a query: those that contain all of its words or, if there are
  /// none, those that contain the most words.
  final func numbers(of texts: [String], with query: String) -> [Int] {
    let all = texts.joined(separator: "\n")
    var matchedWords: [Int: Set<String>] = [:]
    var (number, end) = (0, texts.first?.utf8.count ?? 0)
    let bytes = Array(all.utf8)
    for range in context.matches(of: query, in: all).places {
      while range.lowerBound >= end, number + 1 < texts.count {
        number += 1
        end += 1 + texts[number].utf8.count
      }
      matchedWords[number, default: []].insert(MatchGroups.word(at: range, in: bytes))
    }
    let maximum = matchedWords.values.map(\.count).max() ?? 0
    return matchedWords.filter { $0.value.count == maximum }.map(\.key).sorted()
  }

  // MARK: - Scrolling

  /// Whether the step continues below the visible rows.
  var hasMoreBelow: Bool { scroll < pane.lastScroll }

  func scroll(to line: Int, gliding: Bool) {
    let next = max(0, min(line, pane.lastScroll))
    guard next != scroll else { return }
    let presentedScroll = pane.presentedScroll
    let isAnimated = gliding && context.motion == .full && !pane.isGliding
    scroll = next
    if let chosenLink, !(next..<next + paneFrame.rows).contains(text.links[chosenLink].line) { self.chosenLink = nil }
    pane.finishGlide()
    layOutPage()
    if isAnimated { pane.glide(from: presentedScroll) }
    keysMayHaveChanged()
  }

  /// Scrolls so that a range of lines is visible. If the range does not fit, its first line becomes visible.
  func scroll(toShow range: Range<Int>) {
    if range.upperBound > scroll + paneFrame.rows {
      scroll(to: range.upperBound - paneFrame.rows, gliding: false)
    }
    if range.lowerBound < scroll { scroll(to: range.lowerBound, gliding: false) }
  }

  var pageRows: Int { pageRows(of: paneFrame.rows) }

  func scrollOn() {
    let rows = paneFrame.rows
    scroll(to: text.nextPage(from: scroll, visible: rows, overlap: rows - pageRows, rows: rows), gliding: true)
  }

  override func offer(_ command: Command) -> Offer? {
    if let offer = offerOnLinks(command) { return offer }
    switch command {
    case .readOn where hasMoreBelow: return Offer("more") { [self] in scrollOn() }
    case .pageDown: return Offer(hasMoreBelow ? "" : nil) { [self] in scrollOn() }
    default:
      guard let line = command.target(from: scroll, visible: paneFrame.rows, page: pageRows) else {
        return super.offer(command)
      }
      let isGliding = !command.isSingleStep && command != .chooseFirst && command != .chooseLast
      return Offer(pane.lastScroll == 0 ? nil : "") { [self] in scroll(to: line, gliding: isGliding) }
    }
  }

  override func handle(_ event: InputEvent) -> Bool { handleOnText(event) }

  override var bodyFragments: [PageFragments.Fragment] {
    [PageFragments.Fragment(surface: pane.snapshot, rect: paneFrame.offset(rows: bodyRows.lowerBound), node: nil)]
  }

  /// Includes a running animation, such as a turning card or a verdict, as a snapshot that fades out during the
  /// transition.
  override var fragments: PageFragments {
    var fragments = super.fragments
    guard body.isMovingInside else { return fragments }
    var fragment = PageFragments.Fragment(surface: Surface(columns: 0, rows: 0), rect: body.frame.cells)
    fragment.continueAnimations = { [body] layer in
      let snapshot = body.dissolvingSnapshot(Dissolve(rowShare: 1))
      layer.add(snapshot)
      snapshot.dissolveAndRemove(within: Layer.dissolveDuration)
    }
    fragments.body.append(fragment)
    return fragments
  }
}
