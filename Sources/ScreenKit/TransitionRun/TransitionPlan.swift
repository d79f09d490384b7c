import TextCanvas

/// The initial and final frames of both screens, in the container's coordinates.
struct TransitionFrames: Hashable {
  var fromInitial: Rect
  var fromFinal: Rect
  var toInitial: Rect
  var toFinal: Rect

  /// Returns frames for two screens that fill the same area. The new screen enters from one side while the old one
  /// leaves to the other.
  ///
  /// - Parameters:
  ///   - bounds: The frame of a screen at rest.
  ///   - columns: The initial distance of the new screen from this area. The final distance of the old screen is its
  ///     negative.
  static func sideways(in bounds: Rect, columns: Double) -> TransitionFrames {
    TransitionFrames(
      fromInitial: bounds, fromFinal: bounds.moved(columns: -columns), toInitial: bounds.moved(columns: columns),
      toFinal: bounds)
  }

  /// The frames of the opposite transition.
  var reversed: TransitionFrames {
    TransitionFrames(fromInitial: toFinal, fromFinal: toInitial, toInitial: fromFinal, toFinal: fromInitial)
  }

  /// Returns frames for two screens that stay in place.
  static func stationary(in bounds: Rect) -> TransitionFrames {
    TransitionFrames(fromInitial: bounds, fromFinal: bounds, toInitial: bounds, toFinal: bounds)
  }
}

extension Rect {
  func moved(columns: Double = 0, rows: Double = 0) -> Rect {
    Rect(x: x + columns, y: y + rows, width: width, height: height)
  }
}

/// A transition as a container plans it: everything that only the container knows.
@MainActor struct TransitionPlan {
  var operation: TransitionOperation
  /// The container, or the presenter.
  var host: Screen
  /// The layer that contains the layers of both screens during the transition.
  var container: Layer
  var from: Screen
  var to: Screen
  var isAnimated: Bool
  /// Returns the initial and final frames. Called again after a layout of the container.
  var arrange: () -> TransitionFrames
  var style = PresentationStyle.custom
  /// Whether the transition presents or dismisses a screen. Such a transition can run concurrently with another one of
  /// the host.
  var isPresentation = false
  /// Whether the new screen's layer is inserted below the old one's.
  var insertsBelow = false
  /// Whether the old screen's layer stays in the container after the transition.
  var keepsFromLayer = false
  /// Whether the old screen's appearance changes.
  var fromDisappears = true
  /// Whether the new screen's appearance changes.
  var toAppears = true
  /// Whether the new screen's `didAppear` is called before the old screen's `didDisappear`.
  var appearsFirst = false
  /// Whether the frames and appearance of the layers are restored at the end.
  var restoresLayers = true
  /// Asks the provider for controllers. If it returns `nil`, the container's default animator is used.
  var vend: () -> Controllers? = { nil }
  var defaultAnimator: () -> any AnimatedTransitioning
  /// Called when it is known whether a gesture drives the transition from its start.
  var decided: (_ isInteractive: Bool) -> Void = { _ in }
  /// Called when a gesture reverses a transition that started without a gesture, or reverses it again. Determines which
  /// screen receives input.
  var directionDidChange: (_ towardsNew: Bool) -> Void = { _ in }
  var willShow: () -> Void = {}
  var didShow: (_ completed: Bool) -> Void = { _ in }
  /// Changes the structure as required before any callback reports the end of the transition.
  var beforeCallbacks: (_ completed: Bool) -> Void = { _ in }
  /// Sets the final structure and makes the calls that belong to it.
  var complete: (_ completed: Bool) -> Void
  /// Sets the final structure without notifying the screens, because the stage was deallocated.
  var completeWithoutCallbacks: (_ completed: Bool) -> Void = { _ in }

  struct Controllers {
    var animator: any AnimatedTransitioning
    var interaction: (any InteractiveTransitioning)?
  }
}

extension TransitionPlan {
  /// The queue of the operations that share a container or a chain of presented screens with this one.
  var queue: OperationQueue { isPresentation ? host.outermostPresenter.operations : host.operations }

  /// Lets the container's provider choose the controllers, and notifies it before and after a screen is shown.
  mutating func askProvider() {
    vend = { [unowned host, operation, from, to] in
      TransitionPlan.asking(host.liveProvider(), for: operation, from: from, to: to)
    }
    willShow = { [unowned host, to] in
      host.transitions?.willShow(to, in: host, animated: host.run?.isAnimated ?? false)
    }
    didShow = { [unowned host, from, to, isAnimated] completed in
      host.transitions?.didShow(completed ? to : from, in: host, animated: isAnimated)
    }
  }

  /// Asks a provider for controllers. Asks for an interaction controller only if there is an animation controller.
  static func asking(
    _ provider: (any TransitionProvider)?, for operation: TransitionOperation, from: Screen, to: Screen
  ) -> Controllers? {
    guard let provider, let animator = provider.animationController(for: operation, from: from, to: to) else {
      return nil
    }
    return Controllers(animator: animator, interaction: provider.interactionController(for: animator))
  }
}
