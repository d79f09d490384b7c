import CoursePages
import LearningModel
import NavigationService

extension ReadingScreen {
  /// Whether all of it is seen at once.
  var isShort: Bool { lastScroll == 0 }

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
        ? shell.appearance.symbols.done + " " + percent
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
