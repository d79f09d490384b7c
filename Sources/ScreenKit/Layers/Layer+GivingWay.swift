package import TextCanvas

/// What is left of something that was cut short, or that has changed at once: a picture of it gives way to what is there now.
extension Layer {
  /// Seconds in which what is left of something fades that was cut short.
  package static let afterimageTime = 0.12

  /// Gives way to what lies below it as its ``dissolve`` says, whatever is done with the page meanwhile, and is gone then.
  package func giveWay(within seconds: Double) {
    apartFromTransitions {
      animate(duration: seconds, curve: .linear) {
        dissolved = 1
      } completion: { [weak self] _ in
        self?.removeFromSuperlayer()
      }
    }
  }

  /// Seconds until it has given way; `nil` where it does not.
  package var timeToGiveWay: Double? {
    let speed = velocity(of: .dissolved)
    return speed > 0 ? max(0, (1 - presentation.dissolved) / speed) : nil
  }

  /// Continues to give way as a picture in another layer, for as long as it still does so here.
  package func goOnGivingWay(in other: Layer) {
    guard superlayer != nil, let left = timeToGiveWay else { return }
    let copy = snapshot()
    other.add(copy)
    copy.giveWay(within: left)
  }

  /// A picture of how the layer is seen now, to be put over what takes its place there: its corner is the layer's own.
  package func pictureToGiveWay(_ dissolve: Dissolve?) -> Layer {
    let picture = snapshot()
    (picture.frame, picture.opacity, picture.transform) = (Rect(origin: .zero, size: frame.size), 1, .identity)
    picture.isUserInteractionEnabled = false
    picture.dissolve = dissolve
    return picture
  }

  /// Returns a picture of everything visible in the layer, blank elsewhere, to be put over the layer with
  /// ``cover(with:within:)``. It dissolves row by row, or as a whole if reduced motion is preferred.
  ///
  /// - Parameter opacity: The opacity of the picture, 0…1; 1 if the picture is put into the layer itself, which has its
  ///   own opacity.
  package func pictureOfPlace(opacity: Double = 1) -> Layer {
    let picture = pictureToGiveWay(nil)
    picture.opacity = opacity
    return Layer.dissolvingSnapshot(of: [picture], in: frame.size, motion: stage?.motion)
  }

  /// Returns a picture of everything visible in the layer and in the snapshots that dissolve over it in its superlayer.
  ///
  /// - Parameter opacity: The opacity of the layer's own picture, 0…1.
  package func pictureOfPlaceWithDissolvingSnapshots(opacity: Double) -> Layer {
    let dissolving = superlayer?.sublayers.filter { $0.isDissolvingSnapshot && !$0.isHidden } ?? []
    guard !dissolving.isEmpty else { return pictureOfPlace(opacity: opacity) }
    let place = Rect(origin: frame.origin, size: frame.size)
    let picture = Layer.snapshot(of: [self] + dissolving, in: place)
    picture.frame.origin = .zero
    return Layer.dissolvingSnapshot(of: [picture], in: frame.size, motion: stage?.motion)
  }

  private static func dissolvingSnapshot(of pictures: [Layer], in size: Size, motion: MotionPreference?) -> Layer {
    let curtain = Layer(frame: Rect(origin: .zero, size: size))
    curtain.isUserInteractionEnabled = false
    curtain.isDissolvingSnapshot = true
    for picture in pictures { curtain.add(picture) }
    curtain.dissolve = Dissolve(share: motion == .full ? Dissolve().share : 1)
    return curtain
  }

  /// Puts a picture of everything visible in the layer over it, and dissolves the picture.
  ///
  /// The picture shows earlier ones too, so they are removed: there is at most one.
  package func cover(with picture: Layer, within seconds: Double = Layer.afterimageTime) {
    removeDissolvingSnapshots()
    add(picture)
    picture.giveWay(within: seconds)
  }

  /// Removes the snapshots that dissolve directly in the layer, and their animations.
  package func removeDissolvingSnapshots() {
    for old in sublayers where old.isDissolvingSnapshot {
      old.removeFromSuperlayer()
      old.removeAllAnimations()
    }
  }

  /// Whether anything in it moves.
  package var isMovingInside: Bool { sublayers.contains { !$0.isHidden && ($0.isAnimating || $0.isMovingInside) } }
}
