import CoursePages
import ScreenKit
import TextCanvas

/// Something that lies on top of the page and was asked for: what is below stays, dimmed, and waits.
///
/// It has the shape of everything that opens: a frame, the title in its first row, a rule, and below that what it is
/// about. In a small terminal it takes all rows but the last, and has no frame.
@MainActor class OverlayScreen: Screen, CommandResponder {
  unowned let context: ScreenContext
  /// Dismisses the overlay. Set when it is presented.
  var onClose: (() -> Void)?
  private let growth: OverlayTransitions

  private(set) var metrics = PageMetrics(size: CellSize(columns: 80, rows: 24))
  /// The frame with everything in it; it covers what is below.
  let panel = Layer()
  let titleLayer = Layer()
  private let ruleLayer = Layer()
  let frameLayer = Layer()
  private let boxLayer = Layer()
  /// What it is about; cut off at the rows that it has.
  let body = Layer()
  /// What is seen in the panel's first row where that begins to cover it; it gives way as the panel grows.
  let lid = Layer()

  /// - Parameter source: Where it grows from, on the stage; looked up when it grows, and again when it shrinks.
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
    // The frame stands before what it surrounds: while the panel grows, it cuts through the rows.
    // It stands on whole cells, as the panel's edges are cut: nothing is seen beside it.
    panel.presentedLayout = { [weak self, boxLayer] _, state in
      var frame = Rect(state.cells)
      frame.x -= state.frame.x
      frame.y -= state.frame.y
      boxLayer.frame = frame
      self?.keepTitleInItsColumn(state)
    }
    frameLayer.add(boxLayer)
    boxLayer.drawing = { [weak self] state in self?.drawFrame(state.cells.size) }
    body.clipsToBounds = true
    lid.dissolve = Dissolve(share: 1)
    lid.zPosition = 1
    lid.isHidden = true
    for part in [ruleLayer, body, titleLayer, frameLayer, lid] { panel.add(part) }
    layer.add(panel)
    // Asked for again while it closes, it comes back from where it is, as fast as it was.
    for (number, part) in [layer, panel, ruleLayer, body, titleLayer, frameLayer, lid].enumerated() {
      part.identity = TransitionID(OverlayIdentity(subject: subject, part: number))
    }
  }

  // MARK: - Parts

  /// What tells it from other overlays.
  var subject: String { String(describing: type(of: self)) }

  /// The role that colours the frame and the title.
  var role: Role { .accent }
  /// What stands at the right end of the title's row.
  var topRight: String { "" }
  /// The title's row, with something at its right end; a second row below it where the frame has room for one.
  var titleRows: Surface {
    drawing.lines.row(
      StyledText(title, style: drawing.theme.bold(role)), StyledText(topRight, style: drawing.theme[.quiet]),
      width: metrics.textWidth)
  }
  /// How many rows the body would like.
  var bodyHeight: Int { 0 }
  /// Where the panel's first row would best be; as low as there is room where `nil`.
  var preferredTop: Int? { nil }
  /// The keys that the last row shows.
  var keys: [KeyHint] { [KeyHint("Esc", "close")] }
  /// What is done of it, 0…1: the heavy part of its rule.
  var fraction: Double { 0 }
  /// Whether what it grows from has a frame, which becomes its own; where not, that comes on the way, over the rule.
  var growsFromFrame: Bool { true }
  /// Whether the title is seen on what it grows from, and so stays in sight.
  var keepsTitle: Bool { false }

  /// The rows of the body; 0 where there is no room.
  var bodyRows: Int { Int(body.bounds.height) }

  /// Where the panel stands.
  var panelFrame: CellRect {
    let room = metrics.keysRow
    guard !metrics.isSmall else { return CellRect(column: 0, row: 0, columns: metrics.size.columns, rows: room) }
    let rows = min(bodyHeight + titleRows.rows + 3, room - 1)
    // The trail stays in sight, unless what it grows from stands right below it.
    let top = max(min(1, preferredTop ?? 1), min(preferredTop ?? room, room - rows))
    return CellRect(column: metrics.frameLeft, row: top, columns: metrics.frameWidth, rows: rows)
  }

  override func layOut(in size: Size) {
    metrics = PageMetrics(size: CellSize(columns: Int(size.width), rows: Int(size.height)))
    layOutPanel()
    // In another size other keys may be of use.
    if appearance == .appeared, !isBeingDismissed, presenting?.presented === self { context.showFooter() }
  }

  /// Places everything; for subclasses, to fill ``body``.
  func layOutPanel() {
    let frame = panelFrame
    panel.frame = Rect(frame)
    boxLayer.setNeedsDisplay()
    let left = Double(metrics.textLeft - frame.column)
    let (edge, foot) = metrics.isSmall ? (0, 0) : (1, 1)
    let title = titleRows
    titleLayer.content = title
    titleLayer.frame = Rect(x: left, y: Double(edge), width: Double(metrics.textWidth), height: Double(title.rows))
    ruleLayer.isHidden = !metrics.isSmall && growsFromFrame
    ruleLayer.content = drawing.lines.rule(width: metrics.ruleWidth, fraction: fraction, role: role)
    ruleLayer.frame = Rect(
      x: Double(metrics.ruleLeft - frame.column), y: Double(edge + title.rows), width: Double(metrics.ruleWidth),
      height: 1)
    body.frame = Rect(
      x: left, y: Double(edge + title.rows + 1), width: Double(metrics.textWidth),
      height: Double(max(0, frame.rows - edge - foot - title.rows - 1)))
  }

  /// A title that is seen on what the panel grows from stays where it is, and what is below it keeps to that.
  private func keepTitleInItsColumn(_ state: LayerState) {
    guard keepsTitle else { return }
    for part in [titleLayer, body] { part.frame.x = Double(metrics.textLeft) - state.frame.x }
    ruleLayer.frame.x = Double(metrics.ruleLeft) - state.frame.x
  }

  /// The last row of what does not all fit: how much follows below, or that there is no more.
  ///
  /// - Parameter isCounted: Whether nothing follows that is not counted.
  func rest(_ below: Int, isCounted: Bool = true) -> Surface {
    let arrows = context.appearance.symbols.arrows
    let more = arrows[1] + (isCounted ? " \(below) more" : " more")
    return drawing.lines.row(
      StyledText(below > 0 ? more : arrows[0] + " back up", style: drawing.theme[.quiet]), width: metrics.textWidth)
  }

  /// Colours or signs are others now.
  func lookHasChanged() { layer.setNeedsLayout() }

  private func drawFrame(_ size: CellSize) -> Surface? {
    guard !metrics.isSmall else { return nil }
    return drawing.lines.box(size, fraction: fraction, role: role, innerRule: titleRows.rows + 1)
  }

  // MARK: - Input

  /// Performs a command; *up* and *quit* close the overlay unless it performs them itself.
  func perform(_ command: Command) -> Bool {
    guard command == .up || command == .quit else { return false }
    close()
    return true
  }

  /// Answers a key before it is looked up as a command, such as one that writes.
  func take(_ key: KeyEvent) -> Bool { false }

  override func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .key(let key) where key.phase != .release: return take(key)
    case .mouse(let mouse): handle(mouse)
    default: break
    }
    return true
  }

  /// Answers the mouse; a click beside the panel closes it.
  func handle(_ mouse: MouseEvent) {
    if case .press = mouse.action, !panel.presentedFrame().cells.contains(mouse.position) { close() }
  }

  func close() { onClose?() }
}

/// Tells a part of an overlay from the parts of others, and from that of the same overlay that is made anew.
private struct OverlayIdentity: Hashable {
  let subject: String
  let part: Int
}

/// Lets an overlay grow from what asked for it, and shrink back there.
@MainActor final class OverlayTransitions: TransitionProvider {
  private let source: () -> CellRect

  /// - Parameter source: Where it grows from, on the stage.
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
  /// Where the panel is before it grows from a place. Without a frame it has the terminal's whole width all the way: its
  /// words would stand beside those of the page, and nothing between them.
  fileprivate func closed(at place: CellRect) -> CellRect {
    metrics.isSmall ? CellRect(column: 0, row: place.row, columns: metrics.size.columns, rows: 0) : place
  }
}

/// An overlay's panel grows from a place to its own; what is in it appears on the way. Where less motion was asked for,
/// it fades in where it stands.
@MainActor final class GrowTransition: AnimatedTransitioning {
  /// Seconds.
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

  /// The panel's own place and what it grows from may both be elsewhere.
  func containerDidResize(using context: any TransitionContext) {
    guard grows else { return }
    let (away, there) = (Rect(overlay.closed(at: source())), Rect(overlay.panelFrame))
    if context.operation == .present {
      overlay.panel.redirectFrame(from: away, to: there)
    } else {
      overlay.panel.redirectFrame(from: there, to: away)
    }
  }

  func animateTransition(using context: any TransitionContext) {
    let isComing = context.operation == .present
    if isComing { context.addToLayer() }
    let panel = overlay.panel
    let inside =
      [overlay.body] + (overlay.keepsTitle ? [] : [overlay.titleLayer])
      + (overlay.growsFromFrame ? [] : [overlay.frameLayer])
    let away: @MainActor () -> Void = { [grows, source, overlay] in
      guard grows else { return panel.opacity = 0 }
      panel.frame = Rect(overlay.closed(at: source()))
      for part in inside { part.opacity = 0 }
      overlay.lid.dissolved = 0
    }
    // The terminal may have another size when it is there.
    let there: @MainActor () -> Void = { [overlay] in
      panel.frame = Rect(overlay.panelFrame)
      for part in [panel] + inside { part.opacity = 1 }
      overlay.lid.dissolved = 1
    }
    withoutAnimation(isComing ? away : there)
    animate(duration: transitionDuration(using: context), curve: grows ? .easeOut : .linear) {
      if isComing { there() } else { away() }
    } completion: { _ in
      withoutAnimation(there)
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}
