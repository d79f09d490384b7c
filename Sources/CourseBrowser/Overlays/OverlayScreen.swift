import CoursePages
import ScreenKit
import TextCanvas

/// An overlay on top of the page. The page below is dimmed and receives no input.
///
/// Overlays have the form of an opened card: a frame with the title in the first row, a rule, and the body below it. In
/// a small terminal, an overlay has no frame and fills all rows except the last.
@MainActor class OverlayScreen: Screen, CommandResponder {
  unowned let context: ScreenContext
  /// Dismisses the overlay. Set when it is presented.
  var onClose: (() -> Void)?
  private let growth: OverlayTransitions

  private(set) var metrics = PageMetrics(size: CellSize(columns: 80, rows: 24))
  /// The layer that contains all other layers of the overlay. It covers the page below.
  let panel = Layer()
  let titleLayer = Layer()
  private let ruleLayer = Layer()
  let frameLayer = Layer()
  private let boxLayer = Layer()
  /// The content, clipped to the available rows.
  let body = Layer()
  /// The content that the first row of the panel covers when the panel begins to grow. It fades out during the motion.
  let coveredRowLayer = Layer()

  /// Creates an overlay.
  ///
  /// - Parameter source: Returns the rectangle on the stage from which the overlay grows. It is called again when the
  ///   overlay closes.
  init(title: String, context: ScreenContext, source: @escaping () -> CellRect) {
    self.context = context
    growth = OverlayTransitions(source: source)
    super.init(title: title)
    presentationStyle = .custom
    transitions = growth
  }

  var drawing: PageDrawing {
    PageDrawing(theme: context.appearance.theme, symbols: context.appearance.symbols, metrics: metrics)
  }

  override func didLoad() {
    panel.clipsToBounds = true
    panel.fill = .default
    // The frame is above the content and clips it while the panel grows. Frame and clipping are both aligned to whole
    // cells, so that no content is visible outside the frame.
    panel.presentedLayout = { [weak self, boxLayer] _, state in
      var frame = Rect(state.cells)
      frame.x -= state.frame.x
      frame.y -= state.frame.y
      boxLayer.frame = frame
      self?.alignTitle(state)
    }
    frameLayer.add(boxLayer)
    boxLayer.drawing = { [weak self] state in self?.drawFrame(state.cells.size) }
    body.clipsToBounds = true
    coveredRowLayer.dissolve = Dissolve(rowShare: 1)
    coveredRowLayer.zPosition = 1
    coveredRowLayer.isHidden = true
    for sublayer in [ruleLayer, body, titleLayer, frameLayer, coveredRowLayer] { panel.add(sublayer) }
    layer.add(panel)
    // These identities allow an overlay that is opened again while it is closing to continue from its current position
    // and velocity.
    for (number, sublayer) in [layer, panel, ruleLayer, body, titleLayer, frameLayer, coveredRowLayer].enumerated() {
      sublayer.identity = TransitionID(OverlayIdentity(subject: subject, element: number))
    }
  }

  // MARK: - Parts

  /// Identifies the overlay among other overlays.
  var subject: String { String(describing: type(of: self)) }

  var role: Role { .accent }
  /// The text at the right end of the title row.
  var topRight: String { "" }
  /// The title row with the text at its right end. Subclasses may add a second row.
  var titleRows: Surface {
    drawing.lines.row(
      StyledText(title, style: drawing.theme.bold(role)), StyledText(topRight, style: drawing.theme[.quiet]),
      width: metrics.textWidth)
  }
  /// The preferred number of rows of the body.
  var bodyHeight: Int { 0 }
  /// The preferred first row of the panel. If `nil`, the panel is placed as far down as possible.
  var preferredTop: Int? { nil }
  /// The completed fraction, 0…1. The rule is bold from its start up to this fraction.
  var fraction: Double { 0 }
  /// Whether the source has a frame that becomes the panel's frame. If `false`, the panel's frame fades in.
  var growsFromFrame: Bool { true }
  /// Whether the source shows the title. If `true`, the title stays visible while the panel grows.
  var keepsTitle: Bool { false }

  /// The number of rows of the body, or 0 if there is no space.
  var bodyRows: Int { nearestCell(body.bounds.height) }

  /// The final frame of the panel.
  var panelFrame: CellRect {
    let availableRows = metrics.keysRow
    guard !metrics.isSmall else {
      return CellRect(column: 0, row: 0, columns: metrics.size.columns, rows: availableRows)
    }
    let rows = min(bodyHeight + titleRows.rows + 3, availableRows - 1)
    // The breadcrumb remains visible, unless the source is directly below it.
    let top = max(min(1, preferredTop ?? 1), min(preferredTop ?? availableRows, availableRows - rows))
    return CellRect(column: metrics.frameColumn, row: top, columns: metrics.frameWidth, rows: rows)
  }

  override func layOut(in size: Size) {
    metrics = PageMetrics(size: size.cells)
    layOutPanel()
    // The available keys can depend on the size.
    if appearance == .appeared, !isBeingDismissed, presenting?.presented === self { context.showFooter() }
  }

  /// Lays out the panel and its layers. Subclasses override it to fill ``body``.
  func layOutPanel() {
    let frame = panelFrame
    panel.frame = Rect(frame)
    boxLayer.setNeedsDisplay()
    let leftColumn = metrics.textColumn - frame.column
    let (topBorder, bottomBorder) = metrics.isSmall ? (0, 0) : (1, 1)
    let title = titleRows
    titleLayer.show(title, column: leftColumn, row: topBorder)
    ruleLayer.isHidden = !metrics.isSmall && growsFromFrame
    let rule = drawing.lines.rule(width: metrics.ruleWidth, fraction: fraction, role: role)
    ruleLayer.show(rule, column: metrics.ruleColumn - frame.column, row: topBorder + title.rows)
    body.frame = Rect(
      x: Double(leftColumn), y: Double(topBorder + title.rows + 1), width: Double(metrics.textWidth),
      height: Double(max(0, frame.rows - topBorder - bottomBorder - title.rows - 1)))
  }

  /// Keeps the title, the rule and the body in their final columns while the panel grows, if the source shows the
  /// title.
  private func alignTitle(_ state: LayerState) {
    guard keepsTitle else { return }
    for sublayer in [titleLayer, body] { sublayer.frame.x = Double(metrics.textColumn) - state.frame.x }
    ruleLayer.frame.x = Double(metrics.ruleColumn) - state.frame.x
  }

  /// Returns the last row of a list that does not fit: the number of rows below or, at the end of the list, a hint to
  /// scroll back up.
  ///
  /// - Parameter isCounted: Whether `below` includes all remaining rows. If `false`, the number is not shown.
  func overflowRow(_ below: Int, isCounted: Bool = true) -> Surface {
    let arrows = context.appearance.symbols.arrows
    let more = arrows[1] + (isCounted ? " \(below) more" : " more")
    return drawing.lines.row(
      StyledText(below > 0 ? more : arrows[0] + " top", style: drawing.theme[.quiet]), width: metrics.textWidth)
  }

  /// Returns whether a number of lines does not fit. If it does not, the last row shows how many lines follow.
  func isTruncated(_ count: Int) -> Bool { count > bodyRows && bodyRows > 1 }

  /// Returns the number of rows for a number of lines.
  func visibleRows(of count: Int) -> Int { isTruncated(count) ? bodyRows - 1 : bodyRows }

  /// Shows lines that scroll, in a layer that fills the body.
  func show(_ lines: [StyledLine], in layer: Layer, _ list: inout SelectionList) {
    list.layOut(SelectionList.Form(), count: lines.count, height: visibleRows(of: lines.count))
    var surface = Surface(columns: metrics.textWidth, rows: bodyRows)
    for index in list.visible {
      let line = lines[index].truncated(to: metrics.textWidth, ellipsis: drawing.symbols.ellipsis)
      surface.draw(line, at: CellPoint(column: 0, row: list.text(of: index).lowerBound))
    }
    if isTruncated(lines.count) { surface.copy(overflowRow(list.more), at: CellPoint(column: 0, row: list.height)) }
    layer.show(surface)
  }

  /// Lays out again after a change of theme or symbols.
  func appearanceDidChange() { layer.setNeedsLayout() }

  private func drawFrame(_ size: CellSize) -> Surface? {
    guard !metrics.isSmall else { return nil }
    return drawing.lines.box(size, fraction: fraction, role: role, innerRule: titleRows.rows + 1)
  }

  // MARK: - Input

  var keyContexts: [KeyContext] { [.sheet, .page, .everywhere] }
  var fieldKeys: [KeyHint]? { nil }

  func offer(_ command: Command) -> Offer? {
    switch command {
    case .leave: Offer(EscapeTarget.overlay.label) { [self] in close() }
    case .up, .close: Offer { [self] in close() }
    default: nil
    }
  }

  /// Handles a key before its command is looked up, for example a letter in a text field. Returns `false` if the key
  /// was not handled.
  func handleKey(_ key: KeyEvent) -> Bool { false }

  /// Handles Ctrl-C, which otherwise quits. Returns `false` if it was not handled.
  func handleInterrupt() -> Bool { false }

  override func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .key(let key) where key.phase != .release: return handleKey(key)
    case .mouse(let mouse): handle(mouse)
    default: break
    }
    return true
  }

  /// Handles a mouse event. A click outside the panel closes the overlay.
  func handle(_ mouse: MouseEvent) {
    if case .press = mouse.action, !panel.presentedFrame().cells.contains(mouse.position) { close() }
  }

  func close() { onClose?() }
}

/// Identifies a layer of an overlay. The layers of another instance of the same overlay have equal identities.
private struct OverlayIdentity: Hashable {
  let subject: String
  let element: Int
}

/// Provides the transitions of an overlay, which grows from its source and shrinks back to it.
@MainActor final class OverlayTransitions: TransitionProvider {
  private let source: () -> CellRect

  /// Creates a provider.
  ///
  /// - Parameter source: Returns the rectangle on the stage from which the overlay grows.
  init(source: @escaping () -> CellRect) {
    self.source = source
  }

  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? {
    let overlay = (operation == .present ? to : from) as? OverlayScreen
    return overlay.map { GrowTransition($0, grows: $0.context.motion == .full, source: source) }
  }
}

extension OverlayScreen {
  /// Returns the frame of the closed panel. In a small terminal, this frame has the full width, because the panel has
  /// no edges that would separate its text from the text of the page.
  fileprivate func closed(at sourceFrame: CellRect) -> CellRect {
    metrics.isSmall ? CellRect(column: 0, row: sourceFrame.row, columns: metrics.size.columns, rows: 0) : sourceFrame
  }
}

/// Grows an overlay's panel from a rectangle to its frame while its content fades in. With reduced motion, the panel
/// fades in at its final position.
@MainActor final class GrowTransition: AnimatedTransitioning {
  /// The duration in seconds.
  static let duration = 0.16
  static let fadeDuration = 0.12

  private let overlay: OverlayScreen
  private let grows: Bool
  private let source: () -> CellRect

  init(_ overlay: OverlayScreen, grows: Bool, source: @escaping () -> CellRect) {
    self.overlay = overlay
    self.grows = grows
    self.source = source
  }

  var hasMotion: Bool { grows }

  func transitionDuration(using context: (any TransitionContext)?) -> Double {
    grows ? Self.duration : Self.fadeDuration
  }

  /// Adjusts the animation to a new size. A resize can change both the panel's frame and the source.
  func containerDidResize(using context: any TransitionContext) {
    guard grows else { return }
    let (closedFrame, openFrame) = (Rect(overlay.closed(at: source())), Rect(overlay.panelFrame))
    if context.operation == .present {
      overlay.panel.redirectFrame(from: closedFrame, to: openFrame)
    } else {
      overlay.panel.redirectFrame(from: openFrame, to: closedFrame)
    }
  }

  func animateTransition(using context: any TransitionContext) {
    let isPresenting = context.operation == .present
    if isPresenting { context.addToLayer() }
    let panel = overlay.panel
    let contentLayers =
      [overlay.body] + (overlay.keepsTitle ? [] : [overlay.titleLayer])
      + (overlay.growsFromFrame ? [] : [overlay.frameLayer])
    let showClosed: @MainActor () -> Void = { [grows, source, overlay] in
      guard grows else { return panel.opacity = 0 }
      panel.frame = Rect(overlay.closed(at: source()))
      for layer in contentLayers { layer.opacity = 0 }
      overlay.coveredRowLayer.dissolved = 0
    }
    // The terminal can be resized before the panel is open, so the frame is read only when it is used.
    let showOpen: @MainActor () -> Void = { [overlay] in
      panel.frame = Rect(overlay.panelFrame)
      for layer in [panel] + contentLayers { layer.opacity = 1 }
      overlay.coveredRowLayer.dissolved = 1
    }
    withoutAnimation(isPresenting ? showClosed : showOpen)
    animate(duration: transitionDuration(using: context), curve: grows ? .easeOut : .linear) {
      if isPresenting { showOpen() } else { showClosed() }
    } completion: { _ in
      withoutAnimation(showOpen)
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}
