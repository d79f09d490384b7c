package import LearningModel

/// Tracks how much of a text was read. Visible rows are credited for the time during which they are visible and not
/// scrolling.
package struct ReadingAccount {
  package private(set) var text: ReadText
  /// Whether the end of the text was visible in this session.
  package private(set) var wasEndSeen = false
  private var rows: ArraySlice<ReadText.Row> = []
  /// The time since which the rows are visible, in seconds of the caller's clock, or `nil` while nothing is read.
  private var since: Double?
  private var kept: [String: RangeSet<Int>]

  /// Begins to track a text.
  ///
  /// - Parameter read: The ranges that were read before, by the digests of their passages.
  package init(_ blocks: [Block], read: [String: RangeSet<Int>] = [:]) {
    text = ReadText(TextPassage.passages(of: blocks), read: read)
    kept = text.ranges
  }

  /// The share of the text that was read, 0…1.
  package var share: Double { text.share }

  /// Whether the text counts as read. See ``ReadingCredit``.
  package var isRead: Bool { share >= ReadingCredit.shareOfDone && (wasEndSeen || text.isEndRead) }

  /// Credits the visible rows for the time up to now.
  ///
  /// - Returns: Whether any characters were newly credited.
  package mutating func settle(at now: Double) -> Bool {
    guard let since, now > since else { return false }
    self.since = now
    return text.pay(rows, for: now - since)
  }

  /// Replaces the visible rows. Call ``settle(at:)`` before, to credit the previous rows.
  ///
  /// - Parameter moment: The time at which the rows stopped scrolling, or `nil` while they are not read.
  package mutating func show(_ rows: ArraySlice<ReadText.Row>, isEnd: Bool, since moment: Double?) {
    self.rows = rows
    since = moment
    if moment != nil, isEnd { wasEndSeen = true }
  }

  /// The time at which the visible rows will be fully credited, or `nil` if they already are or are not read.
  package var paidAt: Double? {
    guard let since else { return nil }
    let seconds = text.secondsToPay(rows)
    return seconds > 0 ? since + seconds : nil
  }

  /// Returns the ranges that changed since they were last stored, and regards them as stored.
  package mutating func takeUnkept() -> [String: RangeSet<Int>] {
    let (all, before) = (text.ranges, kept)
    kept = all
    return all.filter { before[$0.key] != $0.value }
  }
}
