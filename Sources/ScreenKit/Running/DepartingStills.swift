import TextCanvas

/// Pictures of the layers that leave a container because their transition is interrupted. The screens themselves have
/// left when the next transition begins, as their calls say; their pictures move to where they were going, and leave
/// with that transition.
@MainActor struct DepartingStills {
  private struct Departure {
    let layer: Layer
    let still: Layer
  }

  /// All layers of the container, from back to front.
  private let order: [Layer]
  private let departures: [Departure]

  /// - Parameters:
  ///   - layers: What leaves.
  ///   - container: Where it is.
  ///   - group: The animations that go back to their beginning; all others have their ends for a model.
  init(of layers: [Layer], in container: Layer, takenBackBy group: AnimationGroup? = nil) {
    order = container.sublayers
    departures = layers.compactMap { layer in
      guard !layer.isHidden, layer.presentation.opacity > 0 else { return nil }
      return Departure(layer: layer, still: layer.still(takenBackBy: group))
    }
  }

  /// Puts the pictures of those that have left where they stood among the others.
  ///
  /// - Parameters:
  ///   - container: Where they were.
  ///   - continued: Layers that another one continues.
  /// - Returns: The pictures, each with what it is of.
  func insert(
    into container: Layer, besides continued: Set<ObjectIdentifier>
  ) -> [(still: Layer, original: Layer)] {
    var inserted: [(still: Layer, original: Layer)] = []
    for departure in departures {
      let layer = departure.layer
      guard layer.superlayer !== container, !continued.contains(ObjectIdentifier(layer)) else { continue }
      insert(departure, into: container, after: inserted)
      inserted.append((departure.still, layer))
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
      container.add(departure.still, above: lower)
    } else if let upper = order[place...].lazy.compactMap(stands).first {
      container.add(departure.still, below: upper)
    } else {
      container.add(departure.still)
    }
  }
}

extension Layer {
  /// A picture of the layer that is shown over everything in another one; nil where it is on no stage.
  func stillOnStage() -> Layer? {
    guard stage != nil else { return nil }
    let still = plainStill()
    still.zPosition = .greatestFiniteMagnitude
    return still
  }

  /// A picture of the layer as it is seen, whose model is where the layer is going. It fades on the way: what is in it
  /// stands still, and may lie open when the rest has arrived.
  fileprivate func still(takenBackBy group: AnimationGroup?) -> Layer {
    let still = plainStill()
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

  private func plainStill() -> Layer {
    let still = snapshot()
    still.clipsToBounds = clipsToBounds
    still.isUserInteractionEnabled = false
    return still
  }
}
