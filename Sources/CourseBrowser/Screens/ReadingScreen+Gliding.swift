import CoursePages
import Motion
import ScreenKit
import TextCanvas

/// The header gives its rows to the text, or takes them back, as the text moves.
extension ReadingScreen {
  /// Lets title and rule come to their places from some rows below, ahead of the text. The summary goes up below the
  /// title, until the rule lies over it.
  func glideHeader(title: Double, rule: Double) {
    withoutAnimation { place(title: title, rule: rule) }
    let up = Keyframe(start: 0, duration: 0.5) { [weak self] in self?.place(title: 0, rule: 0) }
    animateKeyframes(duration: TextPane.glideTime, curve: .easeOut, [up]) { [weak self] _ in
      guard let self, !titleLayer.isAnimating else { return }
      forgetSummary()
    }
  }

  /// Lets title and rule go down to their places from some rows above, and with them the words' window, which has frames
  /// in the page and in the body; the summary is seen as soon as the rule has left its row.
  func glideHeaderBack(title: Double, rule: Double, from old: (body: Rect, pane: Rect)) {
    let new = (body: body.frame, pane: pane.layer.frame)
    withoutAnimation {
      place(title: title, rule: rule)
      (body.frame, pane.layer.frame) = old
    }
    let down = Keyframe(start: 0, duration: 1) { [weak self, body, pane] in
      self?.place(title: 0, rule: 0)
      (body.frame, pane.layer.frame) = new
    }
    animateKeyframes(duration: TextPane.glideTime, curve: .easeOut, [down])
  }

  /// Places the header's rows beside where they belong.
  private func place(title: Double, rule: Double) {
    (titleLayer.offset.y, summaryLayer.offset.y, ruleLayer.offset.y) = (title, title, rule)
  }

  /// Lets the rule's heavy part grow to where the text is, along with that.
  func glideProgress(from old: Double) {
    withoutAnimation { ruleLayer.values[Self.done] = old }
    animate(duration: TextPane.glideTime, curve: .easeOut) { ruleLayer.values[Self.done] = header.fraction }
  }
}
