import TextCanvas

/// Layers that a transition moves as one piece, such as pages side by side, and the pictures of earlier ones that go along.
@MainActor struct MovingPiece {
  /// A picture of a layer that has left, which moves as the first layer of the piece.
  struct Rider {
    let picture: Layer
    let identity: TransitionID?
  }

  let layers: [Layer]
  var riders: [Rider] = []

}

/// What is seen of a piece in the moment in which its transition is cut short.
@MainActor struct InterruptedPiece {
  private struct Part {
    let layer: Layer
    /// The layer in the container that it is in.
    let top: Layer
    let rider: MovingPiece.Rider
    /// Where it is seen in the container.
    let place: Rect

    @MainActor func continues(in other: Layer) -> Bool {
      other === layer || other.identity != nil && other.identity == rider.identity
    }
  }

  private let parts: [Part]
  private let container: Layer

  /// - Parameter container: The transition's, in which all of it is seen.
  init(of piece: MovingPiece, in container: Layer) {
    self.container = container
    let layers = piece.layers.map { ($0, nil as MovingPiece.Rider?) } + piece.riders.map { ($0.picture, $0) }
    parts = layers.compactMap { layer, rider in
      let way = Array(sequence(first: layer, next: \.superlayer).prefix { $0 !== container })
      let isSeen = !way.contains { $0.isHidden || $0.presentation.opacity <= 0 }
      guard isSeen, let top = way.last else { return nil }
      return Part(
        layer: layer, top: top, rider: rider ?? MovingPiece.Rider(picture: layer.snapshot(), identity: layer.identity),
        place: layer.presentedFrame(in: container))
    }
  }

  /// Lets what has left go along with the piece that moves now, if that continues it.
  ///
  /// - Parameters:
  ///   - piece: The layers that move now, as they are seen.
  ///   - continued: Layers that other ones continue.
  /// - Returns: The pictures that go along with what leads them to their places, and the layers in the container that need
  ///   no other picture; `nil` if one would lie over what comes now, or there are too many.
  func ride(
    with piece: [Layer], besides continued: Set<ObjectIdentifier>
  ) -> (riders: [MovingPiece.Rider], settlings: [Settling], departed: [Layer])? {
    guard let carrier = piece.first, piece.contains(where: { layer in parts.contains { $0.continues(in: layer) } })
    else { return ([], [], []) }
    let gone = parts.filter { part in
      !continued.contains(ObjectIdentifier(part.layer)) && !piece.contains(where: part.continues)
    }
    let seen = gone.filter { !$0.place.cells.intersection(container.bounds.cells).isEmpty }
    let others = piece.dropFirst().map { $0.presentedFrame(in: container).cells }
    guard seen.count <= DepartingStills.mostStills,
      !seen.contains(where: { part in others.contains { !$0.intersection(part.place.cells).isEmpty } })
    else { return nil }
    let settlings = seen.flatMap { part in
      container.add(part.rider.picture)
      return part.rider.picture.goAlong(with: carrier, from: part.place)
    }
    return (seen.map(\.rider), settlings, gone.map(\.top))
  }
}

extension Layer {
  /// Moves as another layer does, from where it is seen.
  fileprivate func goAlong(with carrier: Layer, from place: Rect) -> [Settling] {
    removeAllAnimations()
    isUserInteractionEnabled = false
    animations = carrier.animations.filter { LayerState.placeProperties.contains($0.property) }
    for animation in animations { animation.animator.adopt(self) }
    let settlings = carrier.settlings.filter { LayerState.placeProperties.contains($0.property) }
    let own = settlings.map { $0.alike(of: self) }
    withoutAnimation {
      (frame, transform) = (place, .identity)
      let seen = presentation
      frame.x -= seen.frame.x + seen.transform.translation.x - place.x
      frame.y -= seen.frame.y + seen.transform.translation.y - place.y
    }
    return own
  }
}
