import Motion
import ScreenKit
import TextCanvas

/// What changes on the page that opens or closes while it is on its way, and comes to its place as on a page that stands.
extension OpeningLayer {
  /// Rows that title and rule still are below their places, since the text that opens is scrolled on its way.
  static let titleLag: LayerKey = "titleLag"
  static let ruleLag: LayerKey = "ruleLag"
  /// Rows that the frame of the page below still is beside the card that was chosen meanwhile.
  static let choiceLag: LayerKey = "choiceLag"

  /// Lets title and rule come to their places as they do on a page that stands.
  func glideHeader(title: Double, rule: Double) {
    guard title != 0 || rule != 0 else { return }
    withoutAnimation {
      values[Self.titleLag, default: 0] += title
      values[Self.ruleLag, default: 0] += rule
    }
    let up = Keyframe(start: 0, duration: 0.5) { [self] in (values[Self.titleLag], values[Self.ruleLag]) = (0, 0) }
    animateKeyframes(duration: TextPane.glideTime, curve: .easeOut, [up])
  }

  /// Lets the frame glide from card to card as it does on a page that stands; where rows make room for it, it does not.
  func glideChoice(from old: PagePicture) {
    guard let (start, end) = old.choice.flatMap({ old in lower.choice.map { (old.rect, $0.rect) } }), start != end,
      old.body.map(\.rect) == lower.body.map(\.rect)
    else { return }
    withoutAnimation { values[Self.choiceLag, default: 0] += Double(start.row - end.row) }
    animate(duration: ListScreen.frameGlide, curve: .easeOut) { values[Self.choiceLag] = 0 }
  }
}
