import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The outermost screen: the tabs with their pages, and below them the next step and the keys.
@MainActor final class BrowserScreen: Screen, CommandResponder {
  /// What a transition has behind it, 0…1; the last two rows change half way.
  private static let way: LayerKey = "way"

  let tabs: TabScreen
  var look: Appearance { didSet { drawnFooters = [:] } }
  private let hintLayer = Layer()
  private let keysLayer = Layer()
  private let noticeLayer = NoticeLayer()
  private let waitLayer = Layer()
  /// What stands beside the page where there is room for it.
  let aside = AsideLayer()
  /// The margin left of all text, where a hand takes hold of the page.
  private let edgeLayer = Layer()
  private var footer = Footer()
  private var oldFooter: Footer?
  private var noticeEnd: ScheduledCall?
  /// The number of the event that is being answered, and of the one that brought the notice.
  private var answered: Int?
  private var noticed: Int?
  private var events = 0
  private var metrics = PageMetrics(size: CellSize(columns: 80, rows: 24)) {
    didSet {
      drawnFooters = [:]
      if metrics.size.columns != oldValue.size.columns { keyPlaces = [:] }
    }
  }
  /// The last two rows as they are drawn: a transition asks for them in each of its frames.
  private var drawnFooters: [Footer: (hint: Surface, keys: Surface)] = [:]
  /// Where keys stand in the last row, or stood before it said others, in columns from the text's edge.
  private var keyPlaces: [Command: Range<Int>] = [:]

  init(tabs: TabScreen, appearance: Appearance) {
    self.tabs = tabs
    look = appearance
    super.init(title: "Waymark")
    addChild(tabs)
    tabs.didMove(to: self)
  }

  override var focusedChild: Screen? { tabs }

  /// The overlay that receives keys; `nil` if there is none or it is closing.
  var overlay: OverlayScreen? {
    guard let overlay = presented as? OverlayScreen, !overlay.isBeingDismissed else { return nil }
    return overlay
  }

  var bindings = KeyBindings()
  /// Performs a command that no page performed, and returns whether it did.
  var onCommand: ((Command) -> Bool)?

  func perform(_ command: Command) -> Bool { onCommand?(command) ?? false }

  override func didLoad() {
    for row in [hintLayer, keysLayer] { row.drawing = { [weak self] in self?.draw(row, $0) } }
    for part in [tabs.layer, aside, keysLayer, hintLayer, noticeLayer, edgeLayer, waitLayer] { layer.add(part) }
  }

  /// Told when the terminal has another size.
  var onResize: (() -> Void)?

  override func layOut(in size: Size) {
    let old = metrics.size
    defer { if metrics.size != old { onResize?() } }
    metrics = PageMetrics(size: CellSize(columns: Int(size.width), rows: Int(size.height)))
    tabs.layer.frame = Rect(x: 0, y: 0, width: size.width, height: size.height)
    // Without a row of its own the next step gives way; a notice is said over the keys.
    place(hintLayer, row: metrics.hintRow ?? metrics.keysRow)
    placeNotice()
    aside.key = bindings.row(of: .otherPane)?.keys.first?.label(look.symbols)
    aside.layOut(metrics, look: look)
    place(keysLayer, row: metrics.keysRow)
    keysLayer.frame.width = Double(FooterRow.width(metrics))
    edgeLayer.frame = Rect(x: 0, y: 0, width: Double(max(1, metrics.textLeft - 1)), height: Double(metrics.bodyEnd))
    for part in [tabs.layer, hintLayer, keysLayer, edgeLayer] { part.isHidden = !metrics.fits }
    waitLayer.isHidden = metrics.fits
    waitLayer.frame = Rect(origin: .zero, size: size)
    waitLayer.content = tooSmall
  }

  private func place(_ row: Layer, row number: Int) {
    row.frame = Rect(
      x: Double(metrics.textLeft), y: Double(number), width: Double(metrics.textWidth), height: 1)
    row.setNeedsDisplay()
  }

  /// Answers an event; what the rows say on account of it takes the place of a notice that was there before.
  func answering(_ body: () -> Void) {
    events += 1
    answered = events
    body()
    answered = nil
  }

  // MARK: - What the rows say

  /// Changes the last two rows; along with a transition, half way.
  func show(_ footer: Footer, alongside coordinator: (any TransitionCoordinator)? = nil) {
    guard footer != self.footer else { return }
    // Whoever goes on to something else wants to see where that leads.
    if let answered, answered != noticed, footer.hint != self.footer.hint || footer.place != self.footer.place {
      endNotice()
    }
    // Where they change already, they keep saying what is seen now.
    let isOnItsWay = oldFooter != nil && (keysLayer.presentation.values[Self.way] ?? 1) < 0.5
    oldFooter = isOnItsWay ? oldFooter : self.footer
    self.footer = footer
    guard let coordinator else { return settle() }
    for row in [hintLayer, keysLayer] { withoutAnimation { row.values[Self.way] = 0 } }
    let runs = coordinator.animate(
      alongside: { [hintLayer, keysLayer] _ in
        for row in [hintLayer, keysLayer] { row.values[Self.way] = 1 }
      },
      completion: { [weak self] _ in self?.settle() })
    if !runs { settle() }
  }

  private func settle() {
    oldFooter = nil
    drawnFooters = drawnFooters.filter { $0.key == footer }
    for row in [hintLayer, keysLayer] { row.setNeedsDisplay() }
  }

  /// Says something in place of the next step, for a while.
  ///
  /// - Parameters:
  ///   - role: How much it asks to be looked at.
  ///   - least: Seconds that it stands at least, where it is not given way to.
  func notify(_ words: String, _ role: Role = .warn, standing least: Double = 0) {
    (noticeLayer.notice, noticeLayer.role) = (words, role)
    noticed = answered
    placeNotice()
    noticeEnd?.cancel()
    noticeEnd = stage?.schedule(after: max(least, noticeLayer.seconds)) { [weak self] in self?.endNotice() }
  }

  /// Takes the notice away before its time.
  func endNotice() {
    noticeEnd?.cancel()
    noticeEnd = nil
    guard noticeLayer.notice != nil else { return }
    noticeLayer.notice = nil
    placeNotice()
  }

  /// Takes a notice away where it is still seen.
  func endNotice(of words: String) {
    if noticeLayer.notice == words { endNotice() }
  }

  private func placeNotice() {
    hintLayer.isHidden = noticeLayer.notice != nil || !metrics.fits
    noticeLayer.layOut(metrics, look: look)
  }

  private func draw(_ row: Layer, _ state: LayerState) -> Surface? {
    let shown = oldFooter != nil && (state.values[Self.way] ?? 1) < 0.5 ? oldFooter! : footer
    let drawn = drawnFooters[shown] ?? (drawHint(shown.hint, isQuiet: shown.followsText), self.row(shown).surface)
    drawnFooters[shown] = drawn
    guard row === hintLayer else { return metrics.hintRow == nil && shown.isPrompt ? drawn.hint : drawn.keys }
    return metrics.hintRow == nil ? nil : drawn.hint
  }

  private var lines: LineDrawing { LineDrawing(theme: look.theme, symbols: look.symbols) }

  private func drawHint(_ hint: Footer.Hint, isQuiet: Bool) -> Surface {
    let theme = look.theme
    var left = StyledText(hint.key, style: theme.bold(.accent))
    if !hint.key.isEmpty { left.append("  ") }
    func room(beside detail: String) -> Int {
      metrics.textWidth - left.displayWidth - (detail.isEmpty ? 0 : detail.displayWidth + 2)
    }
    var detail = metrics.isNarrow ? hint.brief : hint.detail
    if !metrics.isNarrow, !hint.shortDetail.isEmpty, hint.text.displayWidth > room(beside: detail) {
      detail = hint.shortDetail
    }
    // Where a title in quotation marks has to be cut, the mark behind it stays.
    let room = room(beside: detail)
    let close = look.symbols.quotes.close
    let text = hint.text.displayWidth > room && !hint.shortText.isEmpty ? hint.shortText : hint.text
    let isCut = text.hasSuffix(close) && text.displayWidth > room && room > 8
    let words = isCut ? String(text.dropLast(close.count)).truncated(to: room - close.displayWidth) + close : text
    left.append(words, style: theme[isQuiet ? .quiet : .ink])
    return lines.row(left, StyledText(detail, style: theme[.quiet]), width: metrics.textWidth)
  }

  /// The last row with its keys and tabs; a key that the row above names is not named again.
  private func row(_ footer: Footer) -> FooterRow {
    var footer = footer
    if metrics.hintRow != nil, !footer.isCovered { footer.keys.removeAll { $0.key == footer.hint.key } }
    return FooterRow(footer, metrics: metrics, look: look)
  }

  /// Shows something beside the page; what was there gives way, along with a transition where there is one.
  func show(aside: Aside?, alongside coordinator: (any TransitionCoordinator)? = nil, dissolve: Dissolve? = nil) {
    self.aside.show(aside, alongside: coordinator, dissolve: dissolve)
  }

  /// The place whose row beside the page stands at a cell.
  func asidePlace(at point: CellPoint) -> NodeID? { aside.place(at: point) }

  // MARK: - The mouse

  /// Lets recognisers see what the mouse does at the left edge, and over the pages.
  func add(edge: PanRecogniser, sideways: PanRecogniser) {
    edgeLayer.add(edge)
    tabs.layer.add(sideways)
  }

  /// What can be clicked in the last two rows.
  enum Target: Hashable {
    case hint(Footer.Hint)
    case part(FooterRow.Part)
  }

  func isEdge(_ point: CellPoint) -> Bool { edgeLayer.frame.cells.contains(point) }

  /// What stands at a cell of the last two rows; `nil` where nothing does.
  func target(at point: CellPoint) -> Target? {
    if point.row == metrics.keysRow {
      return row(footer).part(at: point.column - metrics.textLeft).map(Target.part)
    }
    return point.row == metrics.hintRow && noticeLayer.notice == nil && !footer.hint.key.isEmpty
      ? .hint(footer.hint) : nil
  }

  /// Where something grows from that a key asks for: right above the key in the last row; above its beginning where the
  /// key is not shown there.
  func place(ofKeyFor command: Command) -> CellRect {
    let label = bindings.row(of: command)?.keys.first?.label(look.symbols)
    let shown = row(footer).parts.first { if case .key(let hint) = $0.part { hint.key == label } else { false } }
    if let columns = shown?.columns { keyPlaces[command] = columns }
    // What has grown from a key says its own keys there, and goes back to where that key was.
    let place = keyPlaces[command] ?? 0..<8
    return CellRect(
      column: metrics.textLeft + place.lowerBound, row: metrics.keysRow, columns: place.count, rows: 0)
  }

  /// Returns a picture of the pages as they look now, dimmed or not, with any picture that still covers them.
  func pictureOfPages() -> Layer {
    tabs.layer.pictureOfPlaceWithDissolvingSnapshots(opacity: tabs.layer.presentation.opacity)
  }

  /// Covers the pages with a picture of them, in place of one that was there before.
  func cover(with picture: Layer) {
    layer.removeDissolvingSnapshots()
    picture.isUserInteractionEnabled = false
    layer.add(picture, above: tabs.layer)
  }

  /// Lets what is below an overlay step back, or come forward again; the keys are the overlay's, and stay.
  func dim(_ isDimmed: Bool) {
    for part in [tabs.layer, aside, hintLayer] { part.opacity = isDimmed ? 0.3 : 1 }
  }

  private var tooSmall: Surface {
    let (size, needs) = (metrics.size, PageMetrics.smallest)
    let words = "Larger, please: \(size.columns) x \(size.rows), needs \(needs.columns) x \(needs.rows)"
    // Whoever cannot make it larger is told what needs no room.
    let paragraphs = [words, "", "Or q, and begin with --linear."]
    var surface = Surface(size)
    for (row, line) in paragraphs.flatMap({ $0.wrapped(to: max(1, size.columns)) }).prefix(size.rows).enumerated() {
      surface.draw(line, at: CellPoint(column: 0, row: row))
    }
    return surface
  }
}

/// A notice, over the next step and as many rows above it as it needs.
@MainActor final class NoticeLayer: Layer {
  /// Seconds that a notice takes the place of the next step; each row beyond the first has some more.
  private static let secondsOfFirstRow = 4.0
  private static let secondsOfRow = 2.0

  /// What it says; `nil` where there is none.
  var notice: String?
  var role = Role.warn
  private var lineCount = 1

  /// Seconds that it is shown.
  var seconds: Double { Self.secondsOfFirstRow + Self.secondsOfRow * Double(lineCount - 1) }

  /// Sets it in as many rows as it needs, at most half of what there is.
  func layOut(_ metrics: PageMetrics, look: Appearance) {
    isHidden = notice == nil || !metrics.fits
    lineCount = 1
    guard let notice else { return }
    var lines = StyledText(notice, style: look.theme[role]).wrapped(to: metrics.textWidth)
    let most = max(1, metrics.size.rows / 2)
    if lines.count > most {
      lines[most - 1] = StyledLine(
        lines[(most - 1)...].flatMap { $0.runs + [StyledRun(" ", style: look.theme[role])] }
      )
      .truncated(to: metrics.textWidth, ellipsis: look.symbols.ellipsis)
      lines.removeSubrange(most...)
    }
    lineCount = lines.count
    // Whatever it lies on is covered from edge to edge, so that no frame shows beside its words.
    var surface = Surface(CellSize(columns: metrics.size.columns, rows: lines.count), filledWith: .blank)
    for (row, line) in lines.enumerated() { surface.draw(line, at: CellPoint(column: metrics.textLeft, row: row)) }
    content = surface
    frame = Rect(
      x: 0, y: Double((metrics.hintRow ?? metrics.keysRow) + 1 - lines.count), width: Double(surface.columns),
      height: Double(surface.rows))
  }
}
