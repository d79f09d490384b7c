import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas
import WholeNumbers

extension ReadingScreen {
  /// The remaining reading time in whole minutes, or 0 if it is unknown.
  private var remainingMinutes: Int {
    page.seconds == 0 ? 0 : max(1, Int(clamping: (Double(page.seconds) * (1 - shownProgress.share) / 60).rounded(.up)))
  }

  /// The headings of the text, which replace a missing summary. At most as many as a terminal can show.
  private var sections: String? {
    let titles = text.headings.lazy.map(\.title).filter { [page] in $0 != page.header.title }.prefix(12)
    return titles.isEmpty ? nil : String(titles.joined(separator: ", ").prefix(400))
  }

  /// The header with the reading progress and the remaining time, shortened to the available width.
  var readingHeader: PageModel.Header {
    var header = page.header
    if !header.hasAuthoredSummary, let sections { header.summary = sections }
    let fraction = min(shownProgress.share, 0.99)
    // The rule shows the position in the text. The share that counts as read is shown as the remaining time, or as a
    // percentage if the time is unknown: next to the rule, a percentage looks like a second position.
    header.fraction = positionFraction
    let isBegun = fraction > 0
    let percent = DisplayFormat.percent(fraction)
    let state =
      page.exercise.map { isDone ? context.appearance.symbols.done + " " + $0.text : $0.text }
      ?? (isDone ? doneWord : isBegun && page.seconds == 0 ? percent + " read" : "")
    let isRead = isDone || shownProgress.isRead
    let time =
      remainingMinutes == 0 || isRead ? "" : DisplayFormat.about(minutes: remainingMinutes) + (isBegun ? " left" : "")
    if metrics.isNarrow {
      header.topRight = isDone || page.exercise != nil ? state : time.isEmpty && isBegun ? percent : time
    } else if isScrolled {
      header.topRight = [state, time].filter { !$0.isEmpty }.joined(separator: ", ")
      // A scrolled page has a single header row, which includes the time. While the header grows back, the summary
      // appears without the time, so that the time is not shown twice.
      header.bottomRight = ""
    } else {
      (header.topRight, header.bottomRight) = (state, time)
    }
    return header
  }
}

/// The changes of the header: while the text scrolls down, the header shrinks to make space for the text; at the top of
/// the text, it grows back.
extension ReadingScreen {
  /// Animates the title and the rule up to their final rows, starting some rows below them. They move ahead of the
  /// text. The summary moves with the title until the rule covers it.
  func glideHeader(title: Double, rule: Double) {
    withoutAnimation { place(title: title, rule: rule) }
    let up = Keyframe(start: 0, duration: 0.5) { [weak self] in self?.place(title: 0, rule: 0) }
    animateKeyframes(duration: TextPane.glideTime, curve: .easeOut, [up]) { [weak self] _ in
      guard let self, !titleLayer.isAnimating else { return }
      hideSummary()
    }
  }

  /// Animates the title, the rule and the window of the text down to their final rows. The summary becomes visible when
  /// the rule has left the row of the summary.
  ///
  /// - Parameter old: The previous frames of the body and the pane.
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

  /// Offsets the rows of the header from their final positions.
  private func place(title: Double, rule: Double) {
    (titleLayer.offset.y, summaryLayer.offset.y, ruleLayer.offset.y) = (title, title, rule)
  }

  /// Animates the end of the bold part of the rule to the current position.
  func glideProgress(from old: Double) {
    withoutAnimation { ruleLayer.values[Self.done] = old }
    animate(duration: TextPane.glideTime, curve: .easeOut) { ruleLayer.values[Self.done] = header.fraction }
  }
}

/// The earlier content of a header row while it fades out.
@MainActor final class RowCrossFade {
  private weak var fadingLayer: Layer?

  /// Fades from the earlier content of a row to the current content. If an older content is still fading out and mostly
  /// visible, its fade continues instead. Otherwise, the new fade starts at the opacity that the earlier content has
  /// reached.
  ///
  /// - Parameters:
  ///   - old: The earlier content.
  ///   - seconds: The duration of a complete fade.
  func crossFade(on row: Layer, from old: Surface?, within seconds: Double) {
    guard old != row.content else { return }
    let progress = fadingLayer?.superlayer === row ? fadingLayer?.presentation.dissolved ?? 1 : 1
    if progress < 0.5 { return }
    stop()
    let oldLayer = Layer(frame: row.bounds, content: old)
    oldLayer.dissolve = Dissolve(rowShare: 1)
    // The fade starts with the opacity that is currently visible.
    oldLayer.dissolved = 1 - progress
    row.add(oldLayer)
    fadingLayer = oldLayer
    oldLayer.dissolveAndRemove(within: seconds * progress)
  }

  /// Ends the fade.
  func stop() { fadingLayer?.removeFromSuperlayer() }

  /// The content that is fading out, its progress, and the remaining seconds. `nil` if there is none.
  var currentOpacity: (surface: Surface, dissolved: Double, left: Double)? {
    guard let fadingLayer, fadingLayer.superlayer != nil, let surface = fadingLayer.content,
      let remaining = fadingLayer.remainingDissolveTime
    else {
      return nil
    }
    return (surface, fadingLayer.presentation.dissolved, remaining)
  }
}
