import TextCanvas

/// Where the layers of both screens begin and end, in the container.
struct TransitionFrames: Hashable {
  var fromInitial: Rect
  var fromFinal: Rect
  var toInitial: Rect
  var toFinal: Rect

  /// Both screens fill a place; the new one comes in from a side while the old one leaves to the other.
  ///
  /// - Parameters:
  ///   - place: The frame of a screen at rest.
  ///   - columns: What separates the new screen from its place at the beginning, and the old one at the end, turned
  ///     around.
  static func sideways(in place: Rect, columns: Double) -> TransitionFrames {
    TransitionFrames(
      fromInitial: place, fromFinal: place.moved(columns: -columns), toInitial: place.moved(columns: columns),
      toFinal: place)
  }

  /// A screen comes from below the bounds to its place, over another one that stays.
  @MainActor static func arriving(_ screen: Screen, over presenter: Screen, in bounds: Rect) -> TransitionFrames {
    let (place, other) = (screen.place(in: bounds), presenter.place(in: bounds))
    return TransitionFrames(
      fromInitial: other, fromFinal: other, toInitial: place.moved(rows: bounds.height - place.y), toFinal: place)
  }

  /// The way back.
  var reversed: TransitionFrames {
    TransitionFrames(fromInitial: toFinal, fromFinal: toInitial, toInitial: fromFinal, toFinal: fromInitial)
  }

  /// Both screens stay in place.
  static func still(in place: Rect) -> TransitionFrames {
    TransitionFrames(fromInitial: place, fromFinal: place, toInitial: place, toFinal: place)
  }
}

extension Rect {
  func moved(columns: Double = 0, rows: Double = 0) -> Rect {
    Rect(x: x + columns, y: y + rows, width: width, height: height)
  }
}

/// What a container wants done: everything about a transition that only the container knows.
@MainActor struct TransitionPlan {
  var operation: TransitionOperation
  /// The container, or the screen that presents.
  var host: Screen
  /// The layer both screens' layers are in while it runs.
  var container: Layer
  var from: Screen
  var to: Screen
  var isAnimated: Bool
  /// Where both screens begin and end; asked again when the container was laid out.
  var arrange: () -> TransitionFrames
  var style = PresentationStyle.custom
  /// Whether it is a presentation or a dismissal, which may run beside the host's other transitions.
  var isPresentation = false
  /// Whether the new screen's layer belongs under the old one's.
  var goesBelow = false
  /// Whether the old screen's layer stays when it is complete.
  var keepsFromLayer = false
  /// Whether the old screen's appearance changes.
  var fromDisappears = true
  /// Whether the new screen's appearance changes.
  var toAppears = true
  /// Whether the new screen hears that it appeared before the old one hears that it disappeared.
  var appearsFirst = false
  /// Whether the layers' looks and places are put right at the end.
  var restoresLayers = true
  /// Asks the provider; nil leaves the animator to the container.
  var vend: () -> Controllers? = { nil }
  var defaultAnimator: () -> any AnimatedTransitioning
  /// Called when it is known whether a hand will drive.
  var decided: (_ isInteractive: Bool) -> Void = { _ in }
  /// Called when something that ran by itself is turned around by a hand, or back: who is shown, as far as input goes.
  var heads: (_ towardsNew: Bool) -> Void = { _ in }
  var willShow: () -> Void = {}
  var didShow: (_ completed: Bool) -> Void = { _ in }
  /// Changes structure that must be in place before any call tells how it ended.
  var beforeCallbacks: (_ completed: Bool) -> Void = { _ in }
  /// Brings the structure to its end.
  var settle: (_ completed: Bool) -> Void
  /// Does the same without a call, because the stage is gone.
  var settleUntold: (_ completed: Bool) -> Void = { _ in }

  struct Controllers {
    var animator: any AnimatedTransitioning
    var interaction: (any InteractiveTransitioning)?
  }
}

extension TransitionPlan {
  /// What orders the transitions that share a place with this one.
  var queue: OperationQueue { isPresentation ? host.outermostPresenter.operations : host.operations }

  /// Lets the container's provider choose the controllers, and hear which screen will be shown and which one is.
  mutating func askProvider() {
    vend = { [unowned host, operation, from, to] in
      TransitionPlan.asking(host.askedProvider(), for: operation, from: from, to: to)
    }
    willShow = { [unowned host, to] in
      host.transitions?.willShow(to, in: host, animated: host.run?.isAnimated ?? false)
    }
    didShow = { [unowned host, from, to, isAnimated] completed in
      host.transitions?.didShow(completed ? to : from, in: host, animated: isAnimated)
    }
  }

  /// Asks a provider, the interaction controller only where there is an animation controller.
  static func asking(
    _ provider: (any TransitionProvider)?, for operation: TransitionOperation, from: Screen, to: Screen
  ) -> Controllers? {
    guard let provider, let animator = provider.animationController(for: operation, from: from, to: to) else {
      return nil
    }
    return Controllers(animator: animator, interaction: provider.interactionController(for: animator))
  }
}
