package import LearningModel

/// Keeps account of what of a text is read: what is in view, at rest, is paid for the time that it is there.
package struct ReadingAccount {
  package private(set) var text: ReadText
  /// Whether the end of the text was in view, in this sitting.
  package private(set) var wasEndSeen = false
  private var rows: ArraySlice<ReadText.Row> = []
  /// Since when they are in view, in seconds of whatever clock; `nil` while nothing is read.
  private var since: Double?
  private var kept: [String: RangeSet<Int>]

  /// Takes up a text.
  ///
  /// - Parameter read: What was read of it before, by the digests of its passages.
  package init(_ blocks: [Block], read: [String: RangeSet<Int>] = [:]) {
    text = ReadText(TextPassage.passages(of: blocks), read: read)
    kept = text.ranges
  }

  /// The share of the text that was read, 0…1.
  package var share: Double { text.share }

  /// Whether it is read, by the law of credit.
  package var isRead: Bool { share >= ReadingCredit.shareOfDone && (wasEndSeen || text.isEndRead) }

  /// Pays what is in view for the time until now.
  ///
  /// - Returns: Whether anything was paid.
  package mutating func settle(at now: Double) -> Bool {
    guard let since, now > since else { return false }
    self.since = now
    return text.pay(rows, for: now - since)
  }

  /// Other rows are in view from now on; what was in view before is settled first.
  ///
  /// - Parameter moment: When they are at rest; `nil` while they are not read.
  package mutating func show(_ rows: ArraySlice<ReadText.Row>, isEnd: Bool, since moment: Double?) {
    self.rows = rows
    since = moment
    if moment != nil, isEnd { wasEndSeen = true }
  }

  /// When what is in view will be paid; `nil` where it is, or is not read.
  package var paidAt: Double? {
    guard let since else { return nil }
    let seconds = text.secondsToPay(rows)
    return seconds > 0 ? since + seconds : nil
  }

  /// What was read and is not kept yet; it counts as kept then.
  package mutating func takeUnkept() -> [String: RangeSet<Int>] {
    let (all, before) = (text.ranges, kept)
    kept = all
    return all.filter { before[$0.key] != $0.value }
  }
}
