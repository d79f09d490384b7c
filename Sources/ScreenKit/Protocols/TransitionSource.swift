public import TextCanvas

/// A screen at one end of a matched transition: the common part of ``TransitionSource`` and ``TransitionTarget``.
@MainActor public protocol TransitionEndpoint: Screen {
  /// Returns the layer that shows an element on this screen.
  ///
  /// ``MatchedTransition`` hides this layer while the element moves, and shows it again when the transition ends:
  /// finished, cancelled or interrupted. A layer that is hidden already is left unchanged. The method is called when the
  /// animation begins, after the start callbacks, and after each resize.
  ///
  /// A screen that draws the element as a part of a larger layer returns `nil`, and omits the element from its drawing
  /// between the start and end callbacks.
  ///
  /// If the layer has `id` as its ``Layer/identity``, it continues the motion of the element when another transition
  /// interrupts this one.
  func originalLayer(for id: TransitionID) -> Layer?
}

extension TransitionEndpoint {
  /// Returns `nil`.
  public func originalLayer(for id: TransitionID) -> Layer? { nil }
}

/// A screen from which an element moves to its match on another screen. See ``MatchedTransition``.
///
/// Elements are addressed by identifier, not by layer or position. They are looked up when the transition begins, so that
/// the right one is found after scrolling, resizing or reloading.
@MainActor public protocol TransitionSource: TransitionEndpoint {
  /// The element that moves to another screen with the next transition, or `nil` if there is none.
  var sourceID: TransitionID? { get }
  /// All elements that this screen currently shows. ``MatchedTransition`` uses them to find duplicate identifiers.
  var sourceIDs: [TransitionID] { get }
  /// Returns a layer without a superlayer that looks like the element, or `nil` if the element is not visible.
  func sourceLayer(for id: TransitionID) -> Layer?
  /// Returns the frame of the element in the coordinates of this screen's layer, or `nil` if the element is not
  /// visible.
  func sourceFrame(for id: TransitionID) -> Rect?
  /// Called before the animation, while the originals are hidden: sets the initial look of the moving layer.
  ///
  /// - Parameters:
  ///   - moving: The layer that ``sourceLayer(for:)`` returned. The transition sets its frame.
  ///   - id: The element.
  ///   - source: The `from` screen of the transition: this screen, or a container that shows it.
  ///   - target: The `to` screen of the transition.
  func prepareAnimation(of moving: Layer, for id: TransitionID, from source: Screen, to target: Screen)
  /// Called within the animation: sets the final look of the moving layer, which is animated.
  ///
  /// - Parameters:
  ///   - moving: The layer that ``sourceLayer(for:)`` returned. The transition sets its frame, and also its opacity if
  ///     the target has a ``TransitionTarget/targetLayer(for:)``.
  ///   - id: The element.
  ///   - source: The `from` screen of the transition: this screen, or a container that shows it.
  ///   - target: The `to` screen of the transition.
  func finalizeAnimation(of moving: Layer, for id: TransitionID, from source: Screen, to target: Screen)
  /// The duration in seconds, or `nil` to use the duration of the animator.
  var transitionDuration: Double? { get }
  /// Called before the animation begins, after layers and frames were looked up and before the originals are hidden.
  func willStartSourceAnimation(for id: TransitionID)
  /// Called once after the animation, whether it was finished, cancelled or interrupted. The originals are visible
  /// again.
  func didEndSourceAnimation(for id: TransitionID)
}

extension TransitionSource {
  /// The element of ``sourceID``, or none.
  public var sourceIDs: [TransitionID] { sourceID.map { [$0] } ?? [] }
  /// Does nothing.
  public func prepareAnimation(of moving: Layer, for id: TransitionID, from source: Screen, to target: Screen) {}
  /// Does nothing.
  public func finalizeAnimation(of moving: Layer, for id: TransitionID, from source: Screen, to target: Screen) {}
  /// `nil`.
  public var transitionDuration: Double? { nil }
  /// Does nothing.
  public func willStartSourceAnimation(for id: TransitionID) {}
  /// Does nothing.
  public func didEndSourceAnimation(for id: TransitionID) {}
}

/// A screen that has a match for an element of another screen. See ``MatchedTransition``.
@MainActor public protocol TransitionTarget: TransitionEndpoint {
  /// All elements that can be matched on this screen.
  var targetIDs: [TransitionID] { get }
  /// Returns the frame of an element in the coordinates of this screen's layer, or `nil` if the element is not visible.
  func targetFrame(for id: TransitionID) -> Rect?
  /// Returns a layer without a superlayer that shows the element as it looks on this screen. During the transition, the
  /// look on the source fades into this one. `nil` if the look does not change.
  func targetLayer(for id: TransitionID) -> Layer?
  /// Called before the animation begins, after layers and frames were looked up and before the originals are hidden.
  func willStartTargetAnimation(for id: TransitionID)
  /// Called once after the animation, whether it was finished, cancelled or interrupted. The originals are visible
  /// again.
  func didEndTargetAnimation(for id: TransitionID)
}

extension TransitionTarget {
  /// Returns `nil`.
  public func targetLayer(for id: TransitionID) -> Layer? { nil }
  /// Does nothing.
  public func willStartTargetAnimation(for id: TransitionID) {}
  /// Does nothing.
  public func didEndTargetAnimation(for id: TransitionID) {}
}

/// Returns the source of a matched transition that leaves a screen: the screen itself, or the source in its focused
/// child. Returns `nil` if there is none.
@MainActor public func transitionSource(in screen: Screen) -> (any TransitionSource)? {
  screen as? any TransitionSource ?? screen.focusedChild.flatMap(transitionSource(in:))
}

/// Returns the target of a matched transition that leads to a screen: the screen itself, or the target in its focused
/// child. Returns `nil` if there is none.
@MainActor public func transitionTarget(in screen: Screen) -> (any TransitionTarget)? {
  screen as? any TransitionTarget ?? screen.focusedChild.flatMap(transitionTarget(in:))
}

/// The identifier of an element that moves from one screen to another: the same value at both ends.
public struct TransitionID: Hashable, Sendable, CustomStringConvertible {
  private let value: any Hashable & Sendable

  /// Creates an identifier from a value.
  public init(_ value: some Hashable & Sendable) {
    self.value = value
  }

  /// Returns whether both have equal values, compared as `AnyHashable`.
  public static func == (one: TransitionID, other: TransitionID) -> Bool {
    AnyHashable(one.value) == AnyHashable(other.value)
  }

  /// Feeds the value to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(AnyHashable(value))
  }

  /// The value as text.
  public var description: String { String(describing: value) }
}
