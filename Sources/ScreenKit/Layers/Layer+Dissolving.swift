package import TextCanvas

/// Snapshots of content that was interrupted or replaced. They dissolve into the new content.
extension Layer {
  /// Seconds in which the snapshot of an interrupted transition or of replaced content dissolves.
  package static let dissolveDuration = 0.12

  /// Dissolves the layer into the content below it, according to its ``dissolve``, and then removes it. Not affected by
  /// transitions that are paused or cancelled.
  ///
  /// - Parameter seconds: The duration.
  package func dissolveAndRemove(within seconds: Double) {
    apartFromTransitions {
      animate(duration: seconds, curve: .linear) {
        dissolved = 1
      } completion: { [weak self] _ in
        self?.removeFromSuperlayer()
      }
    }
  }

  /// Seconds until the layer has dissolved, or `nil` if it is not dissolving.
  package var remainingDissolveTime: Double? {
    let speed = velocity(of: .dissolved)
    return speed > 0 ? max(0, (1 - presentation.dissolved) / speed) : nil
  }

  /// Adds a snapshot of this layer to another layer. The snapshot dissolves in the remaining time. Has no effect unless
  /// the layer is dissolving.
  package func continueDissolve(in other: Layer) {
    guard superlayer != nil, let remaining = remainingDissolveTime else { return }
    let copy = snapshot()
    other.add(copy)
    copy.dissolveAndRemove(within: remaining)
  }

  /// Returns a snapshot that can be added to the layer itself and dissolved there. The origin of the snapshot is 0, 0.
  ///
  /// - Parameter dissolve: How the snapshot dissolves into the new content, or `nil` if it does not.
  package func dissolvingSnapshot(_ dissolve: Dissolve?) -> Layer {
    let snapshot = snapshot()
    (snapshot.frame, snapshot.opacity, snapshot.transform) = (Rect(origin: .zero, size: frame.size), 1, .identity)
    snapshot.isUserInteractionEnabled = false
    snapshot.dissolve = dissolve
    return snapshot
  }

  /// Returns a snapshot of everything visible in the layer, blank elsewhere, for ``cover(with:within:)``. It dissolves
  /// row by row, or as a whole if reduced motion is preferred.
  ///
  /// - Parameter opacity: The opacity of the snapshot, 0…1. Use 1 if the snapshot is added to the layer itself, which
  ///   has its own opacity.
  package func visibleSnapshot(opacity: Double = 1) -> Layer {
    let snapshot = dissolvingSnapshot(nil)
    snapshot.opacity = opacity
    return Layer.dissolvingSnapshot(of: [snapshot], in: frame.size, motion: stage?.motion)
  }

  /// Returns a snapshot of everything visible in the layer and in the snapshots that dissolve over it in its
  /// superlayer.
  ///
  /// - Parameter opacity: The opacity of the layer's own snapshot, 0…1.
  package func visibleSnapshotWithDissolvingSnapshots(opacity: Double) -> Layer {
    let dissolving = superlayer?.sublayers.filter { $0.isDissolvingSnapshot && !$0.isHidden } ?? []
    guard !dissolving.isEmpty else { return visibleSnapshot(opacity: opacity) }
    let bounds = Rect(origin: frame.origin, size: frame.size)
    let snapshot = Layer.snapshot(of: [self] + dissolving, in: bounds)
    snapshot.frame.origin = .zero
    return Layer.dissolvingSnapshot(of: [snapshot], in: frame.size, motion: stage?.motion)
  }

  private static func dissolvingSnapshot(of snapshots: [Layer], in size: Size, motion: MotionPreference?) -> Layer {
    let container = Layer(frame: Rect(origin: .zero, size: size))
    container.isUserInteractionEnabled = false
    container.isDissolvingSnapshot = true
    for snapshot in snapshots { container.add(snapshot) }
    container.dissolve = Dissolve(rowShare: motion == .full ? Dissolve().rowShare : 1)
    return container
  }

  /// Adds a snapshot of everything visible in the layer to the layer, and dissolves it.
  ///
  /// Removes earlier dissolving snapshots, because the new one also shows their content. A layer thus has at most one.
  package func cover(with snapshot: Layer, within seconds: Double = Layer.dissolveDuration) {
    removeDissolvingSnapshots()
    add(snapshot)
    snapshot.dissolveAndRemove(within: seconds)
  }

  /// Removes the snapshots that dissolve directly in the layer, and their animations.
  package func removeDissolvingSnapshots() {
    for old in sublayers where old.isDissolvingSnapshot {
      old.removeFromSuperlayer()
      old.removeAllAnimations()
    }
  }

  /// Whether a visible sublayer at any depth is animated.
  package var isMovingInside: Bool { sublayers.contains { !$0.isHidden && ($0.isAnimating || $0.isMovingInside) } }
}
