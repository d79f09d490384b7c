import ScreenKit
import TextCanvas

/// The change to a neighbour or to another tab by key: the header stays, and the body moves by a few columns. The old
/// body disappears before the new body appears, so that two texts are never visible at the same time.
///
/// If the transition is interrupted while the old body is visible, the next ``NeighbourTransition`` continues to move
/// that body. A held key therefore does not postpone the next body, and pages that were never visible are skipped.
@MainActor final class NeighbourTransition: AnimatedTransitioning {
  /// The duration in seconds.
  static let duration = 0.16
  /// The number of columns by which each body moves.
  static let distance = 8.0
  /// The share of the duration in which the texts change.
  private static let step = 0.001
  private let direction: Double
  /// The content that leaves and the content that appears, as long as the transition is running.
  private var leaving: Content?
  private var arriving: Content?
  /// The content that was visible when this transition was interrupted.
  private(set) var visibleContent: Content?

  /// Creates the transition.
  ///
  /// - Parameter towardsRight: Whether the new body comes from the right, because it is the next one.
  init(towardsRight: Bool) {
    direction = towardsRight ? 1 : -1
  }

  func transitionDuration(using context: (any TransitionContext)?) -> Double { times(context).total }

  func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let visible = (context.interrupted as? NeighbourTransition)?.visibleContent
    let (old, new) = (Content(context.from), Content(context.to))
    let leaving = visible.flatMap { $0.screen === context.from ? nil : $0.copy } ?? old
    let returns = visible?.screen === context.to
    if !returns, leaving !== old { context.container.add(leaving.top) }
    (self.leaving, arriving) = (returns ? nil : leaving, new)
    let distance = direction * Self.distance
    withoutAnimation {
      old.show(false)
      leaving.show(!returns)
      leaving.body.transform.translation.x = visible?.offset ?? 0
      new.show(returns)
      new.body.transform.translation.x = returns ? visible?.offset ?? 0 : distance
    }
    let times = times(context)
    let start = times.leaving / times.total
    var keyframes = [Keyframe(start: start, duration: 1 - start) { new.body.transform.translation.x = 0 }]
    if !returns {
      keyframes += [
        Keyframe(start: 0, duration: start) { leaving.body.transform.translation.x = -distance },
        // The texts change in a single step. A fade would write both bodies again for each opacity.
        Keyframe(start: max(0, start - Self.step), duration: min(Self.step, start)) {
          leaving.show(false)
          new.show(true)
        },
      ]
    }
    animateKeyframes(duration: times.total, curve: .easeInOut, keyframes) { [weak self] _ in
      if leaving !== old { leaving.top.removeFromSuperlayer() }
      withoutAnimation {
        for content in [old, new] {
          content.show(true)
          content.body.transform.translation.x = 0
        }
      }
      self?.leaving = nil
      self?.arriving = nil
      context.completeTransition(!context.transitionWasCancelled)
    }
  }

  /// Returns the seconds until the old body has disappeared, and the total duration. If an interrupted transition has
  /// moved the old body already, the rest of its motion takes less time.
  private func times(_ context: (any TransitionContext)?) -> (leaving: Double, total: Double) {
    let half = Self.duration / 2
    guard let visible = (context?.interrupted as? NeighbourTransition)?.visibleContent else {
      return (half, Self.duration)
    }
    guard visible.screen !== context?.to else { return (0, half) }
    let share = 1 - min(1, abs(visible.offset) / Self.distance)
    let leaving = half * max(0.1, share)
    return (leaving, leaving + half)
  }

  func willBeInterrupted(goingBack: Bool) {
    guard let arriving else { return }
    if let leaving, leaving.body.presentation.opacity > 0 {
      visibleContent = leaving.captured(makesCopy: true)
    } else {
      visibleContent = arriving.captured(makesCopy: false)
    }
  }
}

extension NeighbourTransition {
  /// The layers of a screen, or copies of them, that the transition shows and moves.
  @MainActor final class Content {
    /// The screen whose content is shown.
    private(set) weak var screen: Screen?
    /// The layer in the container that contains all other layers.
    let top: Layer
    /// The layers that change in one step and do not move.
    let header: [Layer]
    let body: Layer
    /// The presented offset in columns when the transition was interrupted.
    private(set) var offset = 0.0
    /// A copy for the next transition.
    private(set) var copy: Content?

    /// Finds the layers of a screen. If its pages are moving, all of its content moves as one body.
    init(_ screen: Screen) {
      self.screen = screen
      top = screen.layer
      let stack = screen as? StackScreen
      let isMoving = stack.map { $0.layer.sublayers.count > 1 } ?? false
      let page = isMoving ? nil : (stack?.top ?? screen) as? any SteadyHeaderPage
      header = page?.headerLayers ?? []
      body = page?.bodySheet ?? screen.layer
    }

    private init(_ screen: Screen?, top: Layer, header: [Layer], body: Layer) {
      (self.screen, self.top, self.header, self.body) = (screen, top, header, body)
    }

    /// Shows or hides everything.
    func show(_ isVisible: Bool) {
      for layer in header + [body] { layer.opacity = isVisible ? 1 : 0 }
    }

    /// Stores the presented offset of the body.
    ///
    /// - Parameter makesCopy: Whether to create a copy whose layers continue the motion of these layers.
    func captured(makesCopy: Bool) -> Content {
      offset = body.presentation.transform.translation.x
      guard makesCopy else { return self }
      let copiedTop = Layer(frame: Rect(origin: .zero, size: top.frame.size))
      copiedTop.isUserInteractionEnabled = false
      let copiedHeader = header.map { $0.snapshot() }
      let copiedBody = body.snapshot()
      for layer in copiedHeader + [copiedBody] { copiedTop.add(layer) }
      let number = ObjectIdentifier(copiedTop)
      for (layer, copy, isBody) in [(top, copiedTop, false), (body, copiedBody, true)] where layer !== top || !isBody {
        layer.identity = TransitionID(CopyIdentity(copy: number, isBody: isBody))
        copy.identity = layer.identity
      }
      copy = Content(screen, top: copiedTop, header: copiedHeader, body: copiedBody)
      return self
    }
  }

  /// The identity that connects a copied layer with its original.
  private struct CopyIdentity: Hashable {
    let copy: ObjectIdentifier
    let isBody: Bool
  }
}

/// A page whose header stays in place while its body moves.
@MainActor protocol SteadyHeaderPage: Screen {
  /// The layers that do not move.
  var headerLayers: [Layer] { get }
  /// The layer that moves.
  var bodySheet: Layer { get }
}
