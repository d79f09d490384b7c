import Motion
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

  /// A picture of all that is seen in the layer, blank where nothing is, which is put over it to give way there: row after
  /// row, or all at once where less motion is asked for.
  ///
  /// - Parameter opacity: How much of it is seen, 0…1; 1 where the picture is put into the layer itself, which has its own.
  package func pictureOfPlace(opacity: Double = 1) -> Layer {
    let curtain = Layer(frame: Rect(origin: .zero, size: frame.size))
    curtain.isUserInteractionEnabled = false
    let picture = pictureToGiveWay(nil)
    picture.opacity = opacity
    curtain.add(picture)
    curtain.dissolve = Dissolve(share: stage?.motion == .full ? Dissolve().share : 1)
    return curtain
  }

  /// Whether anything in it moves.
  package var isMovingInside: Bool { sublayers.contains { !$0.isHidden && ($0.isAnimating || $0.isMovingInside) } }
}
