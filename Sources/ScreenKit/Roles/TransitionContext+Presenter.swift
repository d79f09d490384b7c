extension TransitionContext {
  /// Whether the old screen's layer is the animator's to move. Not so where it stays under what it presents: a presenter
  /// in the custom style is seen all the time, and stands where it stood.
  public var movesFromLayer: Bool { !(presentationStyle == .custom && operation == .present) }

  /// Whether the new screen's layer is the animator's to move. Not so where it stayed under what it had presented.
  public var movesToLayer: Bool { !(presentationStyle == .custom && operation == .dismiss) }

  /// First the old screen leaves, then the new one comes, each in half of the time; one that moves alone has all of it.
  func halves(
    leaving: @escaping @MainActor () -> Void, coming: @escaping @MainActor () -> Void
  ) -> [Keyframe] {
    if !movesFromLayer { return [Keyframe(start: 0, duration: 1, changes: coming)] }
    if !movesToLayer { return [Keyframe(start: 0, duration: 1, changes: leaving)] }
    return [
      Keyframe(start: 0, duration: 0.5, changes: leaving), Keyframe(start: 0.5, duration: 0.5, changes: coming),
    ]
  }
}
