import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

extension ReadingScreen {
  /// How long the rest takes in whole minutes; 0 where nothing is known.
  private var minutesLeft: Int {
    page.seconds == 0 ? 0 : max(1, Int((Double(page.seconds) * (1 - told.share) / 60).rounded(.up)))
  }

  /// The headings of the text, for which its author has written no summary; as many as any terminal has room for.
  private var sections: String? {
    let titles = text.headings.lazy.map(\.title).filter { [page] in $0 != page.header.title }.prefix(12)
    return titles.isEmpty ? nil : String(titles.joined(separator: ", ").prefix(400))
  }

  /// How far it is read and how long the rest takes, in as many words as there is room for.
  var readingHeader: PageModel.Header {
    var header = page.header
    if !header.isSummaryGiven, let sections { header.summary = sections }
    let share = min(told.share, 0.99)
    header.fraction = isDone ? 1 : share
    let isBegun = share > 0
    let percent = Words.percent(isDone ? fractionSeen : share)
    let state = isDone ? doneWord : isBegun ? percent + " read" : ""
    let isRead = isDone || told.isRead
    let time = minutesLeft == 0 || isRead ? "" : Words.about(minutes: minutesLeft) + (isBegun ? " left" : "")
    if metrics.isNarrow {
      header.topRight = isDone ? doneWord : isBegun ? percent : time
    } else if isScrolled {
      let place = isDone ? "at " + percent : time
      // At its end the sign says it all.
      header.topRight =
        isDone && fractionSeen == 1
        ? context.appearance.symbols.done + " " + percent
        : [state, place].filter { !$0.isEmpty }.joined(separator: ", ")
      // A scrolled page has one row for its header; as it closes the summary comes back, and says no time a second time.
      header.bottomRight = ""
    } else {
      (header.topRight, header.bottomRight) = (state, time)
    }
    return header
  }

  /// The keys that read, follow and copy.
  var readingKeys: [KeyHint] {
    let space = !endIsInView ? "page" : isDone || !isDoneWhenRead || !told.isRead ? onward : "done, " + onward
    let copies = text.codes.contains { $0.lines.overlaps(visibleLines) }
    let back = found != nil && readerBeforeSearch != nil ? keys(of: .back, does: "back") : nil
    return [KeyHint("Space", space)] + [back].compactMap { $0 } + (found == nil ? linkKeys : [])
      + (copies ? [KeyHint("y", "copy")] : [])
  }

  /// What else is done with a text.
  var otherReadingKeys: [KeyHint] {
    [
      keys(of: .pageBack, does: "back a page"), keys(of: .halfPageDown, .halfPageUp, does: "half a page"),
      keys(of: .chooseFirst, .chooseLast, does: "top, end"), keys(of: .find, does: "search here"),
      keys(of: .previousBlock, .nextBlock, does: "choose a block"), keys(of: .copy, does: "copy"),
      keys(of: .note, does: "note"), keys(of: .highlight, does: "highlight"), keys(of: .notes, does: "your notes"),
      text.codes.isEmpty ? nil : keys(of: .wrap, does: "wrap"),
    ].compactMap { $0 }
  }
}

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

/// What a row of a header said before it says something else, as far as that has not given way yet.
@MainActor final class RowWords {
  private weak var going: Layer?

  /// Lets what a row has said give way to what it says now. Where others do so already, and are still what is seen, they
  /// stay; what has just begun to be seen in their place turns round.
  ///
  /// - Parameters:
  ///   - old: What it has said.
  ///   - seconds: How long that takes.
  func giveWay(on row: Layer, from old: Surface?, within seconds: Double) {
    guard old != row.content else { return }
    let part = going?.superlayer === row ? going?.presentation.dissolved ?? 1 : 1
    if part < 0.5 { return }
    stop()
    let words = Layer(frame: row.bounds, content: old)
    words.dissolve = Dissolve(share: 1)
    // As bright while it leaves as while it comes.
    words.dissolved = 1 - part
    row.add(words)
    going = words
    words.giveWay(within: seconds * part)
  }

  /// Shows at once what the row says now.
  func stop() { going?.removeFromSuperlayer() }

  /// What still gives way, how far it has, and the seconds in which it will have; `nil` where nothing does.
  var now: (surface: Surface, dissolved: Double, left: Double)? {
    guard let going, going.superlayer != nil, let surface = going.content, let left = going.timeToGiveWay else {
      return nil
    }
    return (surface, going.presentation.dissolved, left)
  }
}
