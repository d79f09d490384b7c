import CoursePages
import Motion
import ScreenKit
import TextCanvas

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
    return overlay.map { GrowTransition($0, grows: $0.shell.motion == .full, source: source) }
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
