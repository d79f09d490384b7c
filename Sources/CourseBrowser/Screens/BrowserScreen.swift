import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The outermost screen: the tabs with their pages, and below them the row of the next step and the row of keys.
@MainActor final class BrowserScreen: Screen {
  /// The key of the layer value that holds a transition's progress, 0…1. The last two rows change at 0.5.
  private static let transitionProgress: LayerKey = "way"

  let tabs: TabScreen
  var look: Appearance { didSet { drawnFooters = [:] } }
  private let hintLayer = Layer()
  private let keysLayer = Layer()
  private let noticeLayer = NoticeLayer()
  private let waitLayer = Layer()
  /// The side pane next to the page.
  let sidePane = SidePaneLayer()
  /// The margin to the left of all texts. A drag that opens the parent page begins there.
  private let edgeLayer = Layer()
  private var footer = Footer()
  private var oldFooter: Footer?
  private var noticeEnd: ScheduledCall?
  /// The number of the event that is being handled, and the number of the event that showed the notice.
  private var currentEvent: Int?
  private var noticeEvent: Int?
  private var events = 0
  private var metrics = PageMetrics(size: CellSize(columns: 80, rows: 24)) {
    didSet {
      drawnFooters = [:]
      if metrics.size.columns != oldValue.size.columns { keyPlaces = [:] }
    }
  }
  /// The cached drawings of the last two rows, which a transition needs in each of its frames.
  private var drawnFooters: [Footer: (hint: Surface, keys: Surface)] = [:]
  /// The columns of keys in the last row, relative to the text's left edge. The columns of keys that are no longer
  /// shown are kept.
  private var keyPlaces: [Command: Range<Int>] = [:]

  init(tabs: TabScreen, appearance: Appearance) {
    self.tabs = tabs
    look = appearance
    super.init(title: "Waymark")
    addChild(tabs)
    tabs.didMove(to: self)
  }

  override var focusedChild: Screen? { tabs }

  /// The overlay that receives input, or `nil` if no overlay is open or the overlay is closing.
  var overlay: OverlayScreen? {
    guard let overlay = presented as? OverlayScreen, !overlay.isBeingDismissed else { return nil }
    return overlay
  }

  var bindings = KeyBindings()
  override func didLoad() {
    for row in [hintLayer, keysLayer] { row.drawing = { [weak self] in self?.draw(row, $0) } }
    for sublayer in [tabs.layer, sidePane, keysLayer, hintLayer, noticeLayer, edgeLayer, waitLayer] {
      layer.add(sublayer)
    }
  }

  /// Called after the terminal was resized.
  var onResize: (() -> Void)?

  override func layOut(in size: Size) {
    let old = metrics.size
    defer { if metrics.size != old { onResize?() } }
    metrics = PageMetrics(size: size.cells)
    tabs.layer.frame = Rect(x: 0, y: 0, width: size.width, height: size.height)
    // If the next step has no row of its own, it is not shown.
    place(hintLayer, row: metrics.hintRow ?? metrics.keysRow)
    placeNotice()
    sidePane.key = bindings.row(of: .switchPane)?.keys.first?.label(look.symbols)
    sidePane.layOut(metrics, appearance: look)
    place(keysLayer, row: metrics.keysRow)
    keysLayer.frame.width = Double(FooterRow.width(metrics))
    edgeLayer.frame = Rect(x: 0, y: 0, width: Double(max(1, metrics.textColumn - 1)), height: Double(metrics.bodyEnd))
    for sublayer in [tabs.layer, hintLayer, keysLayer, edgeLayer] { sublayer.isHidden = !metrics.isSupported }
    waitLayer.isHidden = metrics.isSupported
    waitLayer.frame = Rect(origin: .zero, size: size)
    waitLayer.content = tooSmall
  }

  private func place(_ row: Layer, row number: Int) {
    row.frame = Rect(
      x: Double(metrics.textColumn), y: Double(number), width: Double(metrics.textWidth), height: 1)
    row.setNeedsDisplay()
  }

  /// Runs the handler of an event. If the next step has changed afterwards, an earlier notice is removed.
  func handling(_ body: () -> Void) {
    events += 1
    currentEvent = events
    body()
    currentEvent = nil
  }

  // MARK: - The last two rows

  /// Replaces the content of the last two rows. If a coordinator is given, they change in the middle of its transition.
  func show(_ footer: Footer, alongside coordinator: (any TransitionCoordinator)? = nil) {
    guard footer != self.footer else { return }
    // After navigation, the next step is more useful than an older notice.
    if let currentEvent, currentEvent != noticeEvent,
      footer.hint != self.footer.hint || footer.place != self.footer.place
    {
      endNotice()
    }
    // While a transition is running, the rows keep their visible content until the middle of the transition.
    let isBeforeMiddle = oldFooter != nil && (keysLayer.presentation.values[Self.transitionProgress] ?? 1) < 0.5
    oldFooter = isBeforeMiddle ? oldFooter : self.footer
    self.footer = footer
    guard let coordinator else { return settle() }
    for row in [hintLayer, keysLayer] { withoutAnimation { row.values[Self.transitionProgress] = 0 } }
    let isAnimated = coordinator.animate(
      alongside: { [hintLayer, keysLayer] _ in
        for row in [hintLayer, keysLayer] { row.values[Self.transitionProgress] = 1 }
      },
      completion: { [weak self] _ in self?.settle() })
    if !isAnimated { settle() }
  }

  private func settle() {
    oldFooter = nil
    drawnFooters = drawnFooters.filter { $0.key == footer }
    for row in [hintLayer, keysLayer] { row.setNeedsDisplay() }
  }

  /// Shows a notice above the last two rows for some seconds.
  ///
  /// - Parameters:
  ///   - role: The style of the text: what the notice means.
  ///   - minimum: The minimum number of seconds for which the notice is shown. Another notice can replace it earlier.
  func notify(_ text: String, _ role: Role = .strong, minimumSeconds minimum: Double = 0) {
    (noticeLayer.notice, noticeLayer.role) = (text, role)
    noticeEvent = currentEvent
    placeNotice()
    noticeEnd?.cancel()
    noticeEnd = stage?.schedule(after: max(minimum, noticeLayer.seconds)) { [weak self] in self?.endNotice() }
  }

  /// Removes the notice.
  func endNotice() {
    noticeEnd?.cancel()
    noticeEnd = nil
    guard noticeLayer.notice != nil else { return }
    noticeLayer.notice = nil
    placeNotice()
  }

  /// The text of the visible notice, or `nil`.
  var notice: String? { noticeLayer.notice }

  private func placeNotice() {
    noticeLayer.layOut(metrics, appearance: look)
  }

  private func draw(_ row: Layer, _ state: LayerState) -> Surface? {
    let visibleFooter = oldFooter != nil && (state.values[Self.transitionProgress] ?? 1) < 0.5 ? oldFooter! : footer
    let surfaces =
      drawnFooters[visibleFooter] ?? (
        drawHint(visibleFooter.hint, isQuiet: visibleFooter.followsText), self.row(visibleFooter).surface
      )
    drawnFooters[visibleFooter] = surfaces
    guard row === hintLayer else {
      return metrics.hintRow == nil && visibleFooter.isPrompt ? surfaces.hint : surfaces.keys
    }
    return metrics.hintRow == nil ? nil : surfaces.hint
  }

  private var lines: LineDrawing { LineDrawing(theme: look.theme, symbols: look.symbols) }

  private func drawHint(_ hint: Footer.Hint, isQuiet: Bool) -> Surface {
    let theme = look.theme
    var leftText = StyledText(hint.key, style: theme.bold(.key))
    if !hint.key.isEmpty { leftText.append("  ") }
    func columns(beside detail: String) -> Int {
      metrics.textWidth - leftText.displayWidth - (detail.isEmpty ? 0 : detail.displayWidth + 2)
    }
    var detail = metrics.isNarrow ? hint.brief : hint.detail
    if !metrics.isNarrow, !hint.shortDetail.isEmpty, hint.text.displayWidth > columns(beside: detail) {
      detail = hint.shortDetail
    }
    // If a title in quotation marks is truncated, its closing quotation mark is kept.
    let availableColumns = columns(beside: detail)
    let close = look.symbols.quotes.close
    let text = hint.text.displayWidth > availableColumns && !hint.shortText.isEmpty ? hint.shortText : hint.text
    let isCut = text.hasSuffix(close) && text.displayWidth > availableColumns && availableColumns > 8
    let shownText =
      isCut ? String(text.dropLast(close.count)).truncated(to: availableColumns - close.displayWidth) + close : text
    leftText.append(shownText, style: theme[isQuiet ? .quiet : .foreground])
    return lines.row(leftText, StyledText(detail, style: theme[.quiet]), width: metrics.textWidth)
  }

  /// Returns the last row with keys and tabs. A key that the row above already contains is omitted, unless it is the only
  /// one.
  private func row(_ footer: Footer) -> FooterRow {
    var footer = footer
    if metrics.hintRow != nil, !footer.isCovered, footer.keys.count > 1 {
      footer.keys.removeAll { $0.key == footer.hint.key }
    }
    return FooterRow(footer, metrics: metrics, appearance: look)
  }

  /// Shows content in the side pane. If a given transition is cancelled, the pane shows its earlier content again.
  func show(sidePane: SidePane?, alongside coordinator: (any TransitionCoordinator)? = nil) {
    self.sidePane.show(sidePane, alongside: coordinator)
  }

  /// Returns the place whose row of the side pane contains a cell, or `nil` if the cell is not in such a row.
  func placeInSidePane(at point: CellPoint) -> NodeID? { sidePane.place(at: point) }

  // MARK: - Mouse

  /// Adds the gesture recognisers for the left edge and for the pages.
  func add(edge: PanRecogniser, sideways: PanRecogniser) {
    edgeLayer.add(edge)
    tabs.layer.add(sideways)
  }

  /// A clickable part of the last two rows.
  enum Target: Hashable {
    case hint(Footer.Hint)
    case footer(FooterRow.ClickTarget)
  }

  func isEdge(_ point: CellPoint) -> Bool { edgeLayer.frame.cells.contains(point) }

  /// Returns the clickable part of the last two rows at a cell, or `nil` if there is no such part.
  func target(at point: CellPoint) -> Target? {
    if point.row == metrics.keysRow {
      return row(footer).clickTarget(at: point.column - metrics.textColumn).map(Target.footer)
    }
    return point.row == metrics.hintRow && !footer.hint.key.isEmpty ? .hint(footer.hint) : nil
  }

  /// Returns the rectangle from which the overlay of a command grows: directly above its key in the last row. If the
  /// key is not shown, the rectangle is above the beginning of the row.
  func place(ofKeyFor command: Command) -> CellRect {
    let target = row(footer).clickTargets.first { $0.part == .command(command) }
    if let columns = target?.columns { keyPlaces[command] = columns }
    // An open overlay shows other keys in the last row, so the former columns of the key are used to shrink the overlay
    // back.
    let columns = keyPlaces[command] ?? 0..<8
    return CellRect(
      column: metrics.textColumn + columns.lowerBound, row: metrics.keysRow, columns: columns.count, rows: 0)
  }

  /// Returns a snapshot of the visible pages. It includes dimming, and older snapshots that are still fading out.
  func snapshotOfPages() -> Layer {
    tabs.layer.visibleSnapshotWithDissolvingSnapshots(opacity: tabs.layer.presentation.opacity)
  }

  /// Covers the pages with a snapshot. Replaces an earlier one.
  func cover(with snapshot: Layer) {
    layer.removeDissolvingSnapshots()
    snapshot.isUserInteractionEnabled = false
    layer.add(snapshot, above: tabs.layer)
  }

  /// Dims everything below an overlay, or restores it. The last row is not dimmed, because it shows the keys of the
  /// overlay.
  func dim(_ isDimmed: Bool) {
    for sublayer in [tabs.layer, sidePane, hintLayer] { sublayer.opacity = isDimmed ? 0.3 : 1 }
  }

  private var tooSmall: Surface {
    let (size, minimum) = (metrics.size, PageMetrics.minimumSize)
    let message = "Too small: \(size.columns) x \(size.rows), needs \(minimum.columns) x \(minimum.rows)"
    // The message recommends linear mode, which has no minimum size.
    let paragraphs = [message, "", "Quit with q, and use --linear."]
    var surface = Surface(size)
    for (row, line) in paragraphs.flatMap({ $0.wrapped(to: max(1, size.columns)) }).prefix(size.rows).enumerated() {
      surface.draw(line, at: CellPoint(column: 0, row: row))
    }
    return surface
  }
}

/// A notice. Its last row is the one above the next step, and it covers as many rows above that as it needs.
@MainActor final class NoticeLayer: Layer {
  /// The number of seconds for which a notice of one row is shown, and the number of additional seconds per row.
  private static let secondsOfFirstRow = 4.0
  private static let secondsOfRow = 2.0

  /// The text of the notice, or `nil` if there is no notice.
  var notice: String?
  var role = Role.strong
  private var lineCount = 1

  /// The total number of seconds for which the notice is shown.
  var seconds: Double { Self.secondsOfFirstRow + Self.secondsOfRow * Double(lineCount - 1) }

  /// Lays out the notice in as many rows as it needs, at most half of the screen.
  func layOut(_ metrics: PageMetrics, appearance: Appearance) {
    isHidden = notice == nil || !metrics.isSupported
    lineCount = 1
    guard let notice else { return }
    var lines = StyledText(notice, style: appearance.theme[role]).wrapped(to: metrics.textWidth)
    let limit = max(1, metrics.size.rows / 2)
    if lines.count > limit {
      lines[limit - 1] = StyledLine(
        lines[(limit - 1)...].flatMap { $0.runs + [StyledRun(" ", style: appearance.theme[role])] }
      )
      .truncated(to: metrics.textWidth, ellipsis: appearance.symbols.ellipsis)
      lines.removeSubrange(limit...)
    }
    lineCount = lines.count
    // The notice covers the full width, so that no part of a frame remains visible next to its text.
    var surface = Surface(CellSize(columns: metrics.size.columns, rows: lines.count), filledWith: .blank)
    for (row, line) in lines.enumerated() { surface.draw(line, at: CellPoint(column: metrics.textColumn, row: row)) }
    content = surface
    frame = Rect(
      x: 0, y: Double((metrics.hintRow ?? metrics.keysRow) - lines.count), width: Double(surface.columns),
      height: Double(surface.rows))
  }
}
