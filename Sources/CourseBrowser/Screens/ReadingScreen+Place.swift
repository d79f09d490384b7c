import CoursePages

/// Which lines of a text are seen, and in which rows.
extension ReadingScreen {
  /// What of it was read, in this sitting or before.
  var account: ReadingAccount { watch.account }

  /// One row of air stands between the rule and the text's first line.
  var airRows: Int { isScrolled || metrics.isSmall ? 0 : 1 }
  /// The row of the terminal that the text begins in.
  var textTop: Int { bodyRows.lowerBound + airRows }
  /// Rows of text that there are; the first page ends where a page should end.
  var textRows: Int {
    let rows = max(0, bodyRows.count - airRows - metrics.airBelowText)
    return scroll > 0 || lastScroll == 0 ? rows : text.pageEnd(from: 0, rows: rows)
  }
  /// Rows of text once it is scrolled: the header has given it some of its own.
  var rowsOnceScrolled: Int {
    if metrics.isSmall { return metrics.bodyRows }
    return metrics.bodyEnd - metrics.airBelowText
      - (metrics.headerCloses ? metrics.scrolledBodyTop : metrics.bodyTop + 1)
  }
  /// Rows of text that are seen.
  var visibleRows: Int { max(1, textRows) }
  var visibleLines: Range<Int> { scroll..<max(scroll, min(scroll + visibleRows, text.lines.count)) }

  var lastScroll: Int {
    guard !metrics.isSmall else { return max(0, text.lines.count - rowsOnceScrolled) }
    return text.lines.count <= metrics.bodyRows - 1 - metrics.airBelowText
      ? 0 : max(1, text.lines.count - rowsOnceScrolled)
  }

  /// Whether the text's last line is seen.
  var endIsInView: Bool { scroll >= lastScroll }

  var fractionSeen: Double {
    text.lines.isEmpty ? 1 : min(1, Double(scroll + visibleRows) / Double(text.lines.count))
  }
}
