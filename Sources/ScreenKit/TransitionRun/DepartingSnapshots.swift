import TextCanvas

/// Snapshots of the layers that leave a container because their transition is interrupted. The screens themselves have
/// left when the next transition begins. Their snapshots move to the ends of the interrupted animations, and are
/// removed with the next transition.
///
/// The number of snapshots is bounded, however many transitions were interrupted: beyond ``maximumSnapshots``, the rearmost
/// ones become a single snapshot. It fades out in place, behind the snapshots that still move.
@MainActor struct DepartingSnapshots {
  /// The maximum number of snapshots that move separately.
  static let maximumSnapshots = 6

  private struct Departure {
    let layer: Layer
    let snapshot: Layer
  }

  /// All layers of the container, from back to front.
  private let order: [Layer]
  private let departures: [Departure]
  /// The snapshot that combines the rearmost ones, or `nil` if there are no more than ``maximumSnapshots``.
  let merged: Layer?

  /// - Parameters:
  ///   - layers: The layers that leave.
  ///   - container: The layer that contains them.
  ///   - group: The animations that return to their start. All other animations end at the model values.
  init(of layers: [Layer], in container: Layer, reversedBy group: AnimationGroup? = nil) {
    order = container.sublayers
    let leaving = order.filter { layer in
      !layer.isHidden && !layer.isDissolvingSnapshot && layer.presentation.opacity > 0
        && layers.contains { $0 === layer }
    }
    let old = leaving.filter { $0.snapshotTree != nil }
    let rear = old.prefix(max(0, old.count - Self.maximumSnapshots))
    var merged: Layer?
    if rear.count > 1 {
      merged = Layer.snapshot(of: Array(rear), in: container.bounds)
      merged?.model.opacity = 0
    }
    self.merged = merged
    departures = leaving.compactMap { layer in
      guard let merged, rear.contains(where: { $0 === layer }) else {
        return Departure(layer: layer, snapshot: layer.departingSnapshot(reversedBy: group))
      }
      return layer === rear.last ? Departure(layer: layer, snapshot: merged) : nil
    }
  }

  /// Inserts the snapshots of the layers that have left at the positions of these layers in the container's order.
  ///
  /// - Parameters:
  ///   - container: The layer that contained them.
  ///   - continued: Layers whose motion continues in other layers. They get no snapshot.
  /// - Returns: The inserted snapshots and the layers that they show.
  func insert(
    into container: Layer, besides continued: Set<ObjectIdentifier>
  ) -> [(still: Layer, original: Layer)] {
    var inserted: [(still: Layer, original: Layer)] = []
    for departure in departures {
      let layer = departure.layer
      let isContinued = departure.snapshot !== merged && continued.contains(ObjectIdentifier(layer))
      guard layer.superlayer !== container, !isContinued else { continue }
      insert(departure, into: container, after: inserted)
      inserted.append((departure.snapshot, layer))
    }
    return inserted
  }

  private func insert(_ departure: Departure, into container: Layer, after inserted: [(still: Layer, original: Layer)])
  {
    let place = order.firstIndex { $0 === departure.layer } ?? 0
    func stands(for layer: Layer) -> Layer? {
      layer.superlayer === container ? layer : inserted.first { $0.original === layer }?.still
    }
    if let lower = order[..<place].reversed().lazy.compactMap(stands).first {
      container.add(departure.snapshot, above: lower)
    } else if let upper = order[place...].lazy.compactMap(stands).first {
      container.add(departure.snapshot, below: upper)
    } else {
      container.add(departure.snapshot)
    }
  }
}

extension Layer {
  /// Returns a snapshot that is shown in front of everything in another layer, or `nil` if the layer is on no stage.
  func stageSnapshot() -> Layer? {
    guard stage != nil else { return nil }
    let still = staticSnapshot()
    still.zPosition = .greatestFiniteMagnitude
    return still
  }

  /// Returns a snapshot of the layer whose model is the end of the layer's animations. The snapshot fades out, because
  /// its content does not change and may not fit its surroundings at the end.
  fileprivate func departingSnapshot(reversedBy group: AnimationGroup?) -> Layer {
    let still = staticSnapshot()
    still.identity = identity
    still.zPosition = zPosition
    still.model = model
    if let group {
      for animation in animations where animation.animator.group === group {
        still.model[animation.property] += animation.change
      }
    }
    still.model.opacity = 0
    return still
  }

  private func staticSnapshot() -> Layer {
    let still = snapshot()
    still.clipsToBounds = clipsToBounds
    still.isUserInteractionEnabled = false
    return still
  }
}
