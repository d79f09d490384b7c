public import TextCanvas

/// A screen from which an element moves to its match on another screen. See ``MatchedTransition``.
///
/// Elements are known by identity, never by layer or place: they are looked up when the transition begins, so the right
/// one is found after scrolling, resizing or reloading.
@MainActor public protocol TransitionSource: Screen {
  /// The element that leaves this screen with the next transition; nil where none does.
  var sourceID: TransitionID? { get }
  /// All elements this screen has now; tells when two have one identity.
  var sourceIDs: [TransitionID] { get }
  /// A layer that looks like the element, in no other layer; nil where the element is not to be seen.
  func sourceLayer(for id: TransitionID) -> Layer?
  /// Where the element is, in this screen's layer; nil where it is not to be seen.
  func sourceFrame(for id: TransitionID) -> Rect?
  /// Before the animation: hide the original, give the moving layer its first look.
  func prepareAnimation(of moving: Layer, from source: Screen, to target: Screen)
  /// Within the animation: give the moving layer its last look.
  func finalizeAnimation(of moving: Layer, from source: Screen, to target: Screen)
  /// Seconds; nil takes the animator's.
  var transitionDuration: Double? { get }
  /// The animation is about to begin; everything has been looked up.
  func willStartSourceAnimation()
  /// The animation is over, whichever way: show the original again.
  func didEndSourceAnimation()
}

extension TransitionSource {
  /// The element that leaves.
  public var sourceIDs: [TransitionID] { sourceID.map { [$0] } ?? [] }
  /// Nothing more.
  public func prepareAnimation(of moving: Layer, from source: Screen, to target: Screen) {}
  /// Nothing more.
  public func finalizeAnimation(of moving: Layer, from source: Screen, to target: Screen) {}
  /// The animator's.
  public var transitionDuration: Double? { nil }
  /// Does nothing.
  public func willStartSourceAnimation() {}
  /// Does nothing.
  public func didEndSourceAnimation() {}
}

/// A screen that has a match for an element of another screen. See ``MatchedTransition``.
@MainActor public protocol TransitionTarget: Screen {
  /// All elements that can be matched here.
  var targetIDs: [TransitionID] { get }
  /// Where an element is, in this screen's layer; nil where it is not to be seen.
  func targetFrame(for id: TransitionID) -> Rect?
  /// The animation is about to begin; everything has been looked up.
  func willStartTargetAnimation()
  /// The animation is over, whichever way.
  func didEndTargetAnimation()
}

extension TransitionTarget {
  /// Does nothing.
  public func willStartTargetAnimation() {}
  /// Does nothing.
  public func didEndTargetAnimation() {}
}

/// The source that an element leaves with a screen: that screen, or of a container what it shows; nil where neither is one.
@MainActor public func transitionSource(in screen: Screen) -> (any TransitionSource)? {
  screen as? any TransitionSource ?? screen.focusedChild.flatMap(transitionSource(in:))
}

/// The target that an element comes to with a screen: that screen, or of a container what it shows; nil where neither is
/// one.
@MainActor public func transitionTarget(in screen: Screen) -> (any TransitionTarget)? {
  screen as? any TransitionTarget ?? screen.focusedChild.flatMap(transitionTarget(in:))
}

/// What tells the element that moves from one screen to another: the same value at both ends.
public struct TransitionID: Hashable, Sendable, CustomStringConvertible {
  private let value: any Hashable & Sendable

  /// Makes an identity of a value.
  public init(_ value: some Hashable & Sendable) {
    self.value = value
  }

  /// Whether both are of equal values; those of different types are as equal as `AnyHashable` says.
  public static func == (one: TransitionID, other: TransitionID) -> Bool {
    AnyHashable(one.value) == AnyHashable(other.value)
  }

  /// Feeds the value to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(AnyHashable(value))
  }

  /// The value, as text.
  public var description: String { String(describing: value) }
}
