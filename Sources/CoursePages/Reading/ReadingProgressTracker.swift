package import LearningModel

/// Tracks how much of a text was read. Rows are credited for the time during which they are visible and the text does
/// not scroll.
package struct ReadingProgressTracker {
  package private(set) var text: ReadText
  /// Whether the end of the text has been visible in this session.
  package private(set) var wasEndVisible = false
  private var rows: ArraySlice<ReadText.Row> = []
  /// The time since when the visible rows are credited, in seconds of the caller's clock. `nil` while nothing is
  /// credited.
  private var visibleSince: Double?
  private var stored: [String: RangeSet<Int>]

  /// Begins to track a text.
  ///
  /// - Parameter read: The character ranges that were read before, by the digest of the passage.
  package init(_ blocks: [Block], read: [String: RangeSet<Int>] = [:]) {
    text = ReadText(TextPassage.passages(of: blocks), read: read)
    stored = text.ranges
  }

  /// The share of the text that was read, 0…1.
  package var share: Double { text.readFraction }

  /// Whether the text counts as read. See ``ReadingCredit``.
  package var isRead: Bool { share >= ReadingCredit.completionShare && (wasEndVisible || text.isEndRead) }

  /// Credits the visible rows for the time since the last call.
  ///
  /// - Returns: Whether further characters now count as read.
  package mutating func creditUntil(at now: Double) -> Bool {
    guard let visibleSince, now > visibleSince else { return false }
    self.visibleSince = now
    return text.credit(rows, for: now - visibleSince)
  }

  /// Replaces the visible rows. Call ``creditUntil(at:)`` before, to credit the previous rows.
  ///
  /// - Parameter time: The time from which the rows are credited, or `nil` if they are not read now, for example
  ///   while scrolling.
  package mutating func show(_ rows: ArraySlice<ReadText.Row>, isEnd: Bool, since time: Double?) {
    self.rows = rows
    visibleSince = time
    if time != nil, isEnd { wasEndVisible = true }
  }

  /// The time at which the visible rows will be fully credited, or `nil` if they are fully credited already or not
  /// being read.
  package var fullyCreditedAt: Double? {
    guard let visibleSince else { return nil }
    let seconds = text.secondsUntilCredited(rows)
    return seconds > 0 ? visibleSince + seconds : nil
  }

  /// Returns the ranges that changed since the last call, for the caller to store.
  package mutating func takeUnsavedRanges() -> [String: RangeSet<Int>] {
    let (all, before) = (text.ranges, stored)
    stored = all
    return all.filter { before[$0.key] != $0.value }
  }
}
