import CoursePages
import Motion
import ScreenKit
import TextCanvas

extension Layer {
  /// Seconds in which what is left of something fades that was cut short.
  static let afterimageTime = 0.12

  /// Gives way to what lies below it as its ``dissolve`` says, whatever is done with the page meanwhile, and is gone then.
  func giveWay(within seconds: Double) {
    apartFromTransitions {
      animate(duration: seconds, curve: .linear) {
        dissolved = 1
      } completion: { [weak self] _ in
        self?.removeFromSuperlayer()
      }
    }
  }

  /// Seconds until it has given way; `nil` where it does not.
  var timeToGiveWay: Double? {
    let speed = velocity(of: .dissolved)
    return speed > 0 ? max(0, (1 - presentation.dissolved) / speed) : nil
  }

  /// Goes on giving way as a picture in another layer, for as long as it still does so here.
  func goOnGivingWay(in other: Layer) {
    guard superlayer != nil, let left = timeToGiveWay else { return }
    let copy = snapshot()
    other.add(copy)
    copy.giveWay(within: left)
  }

  /// A picture of how the layer is seen now, to be put over what takes its place there: its corner is the layer's own.
  func pictureToGiveWay(_ dissolve: Dissolve?) -> Layer {
    let picture = snapshot()
    (picture.frame, picture.opacity, picture.transform) = (Rect(origin: .zero, size: frame.size), 1, .identity)
    picture.isUserInteractionEnabled = false
    picture.dissolve = dissolve
    return picture
  }

  /// Whether anything in it is on its way.
  var isMovingInside: Bool { sublayers.contains { !$0.isHidden && ($0.isAnimating || $0.isMovingInside) } }
}
