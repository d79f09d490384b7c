import CoursePages
import Motion
import ScreenKit
import TextCanvas

/// What changes on the page that opens or closes while it moves, and comes to its place as on a page that stands.
extension OpeningLayer {
  /// Rows that title and rule still are below their places, since the text that opens is scrolled while it opens.
  static let titleLag: LayerKey = "titleLag"
  static let ruleLag: LayerKey = "ruleLag"
  /// Rows that what stands below the rule still is below its place.
  static let bodyLag: LayerKey = "bodyLag"
  /// The share by which the rule of the page below shows more than is done there.
  static let doneLag: LayerKey = "doneLag"
  /// Rows that the frame of the page below still is beside the card that was chosen meanwhile.
  static let choiceLag: LayerKey = "choiceLag"

  /// Rows that the card's frame still is below the card, since that has just been chosen.
  static let frameLag: LayerKey = "frameLag"
  /// How much the card's frame still lacks to be there, 0…1, where the page that the card is on shows none.
  static let unframed: LayerKey = "unframed"

  /// Lets what moves on the page below be as far from its place as it is there.
  func goOnWithPage() {
    let seen = presentation.values
    func lag(_ key: LayerKey, _ value: Double) -> Double { value - (seen[key] ?? 0) }
    come(
      from: PagePicture.Lag(
        title: lag(Self.titleLag, lower.lag.title), rule: lag(Self.ruleLag, lower.lag.rule),
        body: lag(Self.bodyLag, lower.lag.body), done: lag(Self.doneLag, lower.lag.done)))
  }

  /// Lets what moves on both pages, as the card begins to move, come to its place.
  func goOn() {
    apartFromTransitions {
      come(from: lower.lag)
      glide(Self.choiceLag, from: lower.choiceLag)
      if upper.choice?.rect == frameOfCard { glide(Self.frameLag, from: upper.choiceLag) }
    }
  }

  /// Lets the card's frame appear as the frame around a choice does: on a page that opens itself there is none yet.
  func fadeFrameIn() {
    withoutAnimation { values[Self.unframed] = 1 }
    apartFromTransitions { animate(duration: ListScreen.frameFade, curve: .linear) { values[Self.unframed] = 0 } }
  }

  private func come(from lag: PagePicture.Lag) {
    guard lag != PagePicture.Lag() else { return }
    let parts = [
      (Self.titleLag, lag.title), (Self.ruleLag, lag.rule), (Self.bodyLag, lag.body), (Self.doneLag, lag.done),
    ]
    withoutAnimation { for (key, value) in parts { values[key, default: 0] += value } }
    let home = Keyframe(start: 0, duration: 0.5) { [self] in for (key, _) in parts { values[key] = 0 } }
    animateKeyframes(duration: TextPane.glideTime, curve: .easeOut, [home])
  }

  /// Lets the frame glide from card to card as it does on a page that stands; where rows make room for it, it does not.
  func glideChoice(from old: PagePicture) {
    guard let (start, end) = old.choice.flatMap({ old in lower.choice.map { (old.rect, $0.rect) } }), start != end,
      old.body.map(\.rect) == lower.body.map(\.rect)
    else { return }
    glide(Self.choiceLag, from: Double(start.row - end.row))
  }

  private func glide(_ key: LayerKey, from rows: Double) {
    guard rows != 0 else { return }
    withoutAnimation { values[key, default: 0] += rows }
    animate(duration: ListScreen.frameGlide, curve: .easeOut) { values[key] = 0 }
  }
}
