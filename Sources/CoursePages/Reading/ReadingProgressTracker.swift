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
  /// The time since when the same rows are visible.
  private var shownSince: Double?
  /// Whether the learner has only glanced at the text: no page was turned, and less than half of the first one was
  /// credited. A glance does not begin a text, so nothing of it is stored.
  private var isGlance: Bool
  private let storedShare: Double
  private var stored: [String: RangeSet<Int>]

  /// Begins to track a text.
  ///
  /// - Parameter read: The character ranges that were read before, by the digest of the passage.
  package init(_ blocks: [Block], read: [String: RangeSet<Int>] = [:]) {
    text = ReadText(TextPassage.passages(of: blocks), read: read)
    stored = text.ranges
    (isGlance, storedShare) = (stored.isEmpty, text.readFraction)
  }

  /// The share of the text that was read, 0…1.
  package var share: Double { text.readFraction }

  /// The share to store: ``share``, or the share before a glance.
  package var shareToStore: Double { isGlance ? storedShare : share }

  /// The share of the text that will have been read when the learner leaves the visible page with Space, 0…1.
  package var shareAfterPage: Double {
    var text = text
    text.credit(rows, for: .infinity)
    return text.readFraction
  }

  /// Whether the text counts as read. See ``ReadingCredit``.
  package var isRead: Bool { share >= ReadingCredit.completionShare && (wasEndVisible || text.isEndRead) }

  /// Credits the visible rows for the time since the last call.
  ///
  /// - Returns: Whether further characters now count as read.
  package mutating func creditUntil(at now: Double) -> Bool {
    guard let visibleSince, now > visibleSince else { return false }
    self.visibleSince = now
    defer {
      isGlance = isGlance && 2 * text.secondsUntilCredited(rows) > ReadText(text.passages).secondsUntilCredited(rows)
    }
    return text.credit(rows, for: now - visibleSince)
  }

  /// Credits the visible page, which the learner leaves with Space, if it was visible for
  /// ``ReadingCredit/secondsPerPage``.
  ///
  /// - Returns: Whether further characters now count as read.
  package mutating func turnPage(at now: Double) -> Bool {
    isGlance = false
    guard let shownSince, now - shownSince >= ReadingCredit.secondsPerPage else { return creditUntil(at: now) }
    return text.credit(rows, for: .infinity)
  }

  /// Replaces the visible rows. Call ``creditUntil(at:)`` before, to credit the previous rows.
  ///
  /// - Parameter time: The time from which the rows are credited, or `nil` if they are not read now, for example
  ///   while scrolling.
  package mutating func show(_ rows: ArraySlice<ReadText.Row>, isEnd: Bool, since time: Double?) {
    if time == nil || self.rows != rows { shownSince = nil }
    shownSince = shownSince ?? time
    isGlance = isGlance && (self.rows.isEmpty || self.rows.startIndex == rows.startIndex)
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
    guard !isGlance else { return [:] }
    let (all, before) = (text.ranges, stored)
    stored = all
    return all.filter { before[$0.key] != $0.value }
  }
}
