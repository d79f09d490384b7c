import TextCanvas

/// Snapshots of the layers that leave a container because their transition is interrupted. The screens themselves have
/// left when the next transition begins. Their snapshots move to the ends of the interrupted animations, and are
/// removed with the next transition.
///
/// The number of snapshots is bounded, however many transitions were interrupted: beyond ``maximumSnapshots``, the
/// rearmost ones become a single snapshot. It fades out in place, behind the snapshots that still move.
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
  ) -> [(snapshot: Layer, original: Layer)] {
    var inserted: [(snapshot: Layer, original: Layer)] = []
    for departure in departures {
      let layer = departure.layer
      let isContinued = departure.snapshot !== merged && continued.contains(ObjectIdentifier(layer))
      guard layer.superlayer !== container, !isContinued else { continue }
      insert(departure, into: container, after: inserted)
      inserted.append((departure.snapshot, layer))
    }
    return inserted
  }

  private func insert(
    _ departure: Departure, into container: Layer, after inserted: [(snapshot: Layer, original: Layer)]
  ) {
    let index = order.firstIndex { $0 === departure.layer } ?? 0
    func layerOrSnapshot(for layer: Layer) -> Layer? {
      layer.superlayer === container ? layer : inserted.first { $0.original === layer }?.snapshot
    }
    if let lower = order[..<index].reversed().lazy.compactMap(layerOrSnapshot).first {
      container.add(departure.snapshot, above: lower)
    } else if let upper = order[index...].lazy.compactMap(layerOrSnapshot).first {
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
    let snapshot = staticSnapshot()
    snapshot.zPosition = .greatestFiniteMagnitude
    return snapshot
  }

  /// Returns a snapshot of the layer whose model is the end of the layer's animations. The snapshot fades out, because
  /// its content does not change and may not fit its surroundings at the end.
  fileprivate func departingSnapshot(reversedBy group: AnimationGroup?) -> Layer {
    let snapshot = staticSnapshot()
    snapshot.identity = identity
    snapshot.zPosition = zPosition
    snapshot.model = model
    if let group {
      for animation in animations where animation.animator.group === group {
        snapshot.model[animation.property] += animation.change
      }
    }
    snapshot.model.opacity = 0
    return snapshot
  }

  private func staticSnapshot() -> Layer {
    let copy = snapshot()
    copy.clipsToBounds = clipsToBounds
    copy.isUserInteractionEnabled = false
    return copy
  }
}
