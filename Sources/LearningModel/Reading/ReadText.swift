import WholeNumbers

/// The reading progress in a text: for each block, the characters that were read.
///
/// ```swift
/// var text = ReadText(TextPassage.passages(of: blocks))
/// text.credit(visibleRows, for: 2.5)
/// print(text.readFraction)
/// ```
package struct ReadText: Hashable, Sendable {
  /// A row of a page, with the characters of a passage that it contains.
  package struct Row: Hashable, Sendable {
    /// The index of the passage.
    package let passage: Int
    /// The range of characters in the passage.
    package let characters: Range<Int>
    /// The number of cells in the row that are not blank.
    package let visibleCells: Int

    package init(passage: Int, characters: Range<Int>, visibleCells: Int) {
      self.passage = passage
      self.characters = characters
      self.visibleCells = visibleCells
    }

    /// The number of words that reading one of the characters counts as. The row counts as a number of cells: the
    /// visible cells or, if there are more, the characters.
    fileprivate var cost: Double {
      ReadingCredit.price(ofRowWith: max(visibleCells, characters.count)) / Double(characters.count)
    }
  }

  package let passages: [TextPassage]
  private var read: [RangeSet<Int>]
  private let length: Int
  private var lengthRead: Int

  /// Creates the progress in a text.
  ///
  /// - Parameters:
  ///   - passages: The passages of the current text.
  ///   - read: The characters that were read, by the digest of their passage. Passages that the text does not contain
  ///     are ignored.
  package init(_ passages: [TextPassage], read: [String: RangeSet<Int>] = [:]) {
    self.passages = passages
    self.read = passages.map { passage in
      read[passage.digest].map { $0.intersection(RangeSet(0..<passage.length)) } ?? RangeSet()
    }
    length = passages.reduce(0) { $0 + $1.length }
    lengthRead = self.read.reduce(0) { $0 + $1.count }
  }

  /// The share of the characters that were read, 0…1. 1 for a text without characters.
  package var readFraction: Double { length == 0 ? 1 : Double(lengthRead) / Double(length) }

  /// Whether the last character of the text was read.
  package var isEndRead: Bool {
    guard let last = passages.lastIndex(where: { $0.length > 0 }) else { return true }
    return read[last].contains(passages[last].length - 1)
  }

  /// The characters that were read, by the digest of their passage. Passages of which nothing was read are omitted.
  package var ranges: [String: RangeSet<Int>] {
    zip(passages, read).reduce(into: [:]) { if !$1.1.isEmpty { $0[$1.0.digest] = $1.1 } }
  }

  /// Marks rows as read, in order, as far as the time for which they were visible suffices. Remaining time is
  /// discarded.
  ///
  /// Law: `readFraction` never decreases. Law: after 0 seconds, nothing changes.
  ///
  /// - Parameters:
  ///   - rows: The visible rows in reading order.
  ///   - seconds: How long the rows were visible without scrolling. Negative values count as 0.
  /// - Returns: Whether any character was marked as read.
  @discardableResult
  package mutating func credit(_ rows: some Sequence<Row>, for seconds: Double) -> Bool {
    var credit = ReadingCredit.credit(for: seconds)
    let before = lengthRead
    for row in rows {
      guard credit > 0 else { break }
      let unread = unread(of: row)
      guard !unread.isEmpty else { continue }
      let count = unread.count
      let affordable = Int(clamping: min(Double(count), credit / row.cost))
      var remaining = affordable
      for range in unread.ranges where remaining > 0 {
        read[row.passage].insert(contentsOf: range.prefix(remaining))
        remaining -= min(remaining, range.count)
      }
      lengthRead += affordable
      credit = affordable < count ? 0 : credit - Double(count) * row.cost
    }
    return lengthRead > before
  }

  /// Returns how many seconds rows must be visible until all of them are read.
  package func secondsUntilCredited(_ rows: some Sequence<Row>) -> Double {
    rows.reduce(0) { sum, row in
      let unread = unread(of: row)
      return unread.isEmpty ? sum : sum + Double(unread.count) * row.cost
    } / ReadingCredit.wordsPerSecond
  }

  private func unread(of row: Row) -> RangeSet<Int> {
    guard read.indices.contains(row.passage), !row.characters.isEmpty else { return RangeSet() }
    let read = read[row.passage]
    return read.isEmpty ? RangeSet(row.characters) : RangeSet(row.characters).subtracting(read)
  }
}

extension RangeSet<Int> {
  /// The number of integers in the set.
  package var count: Int { ranges.reduce(0) { $0 + $1.count } }
}

/// The identity and length of a block of a text.
///
/// Both depend on the characters of the block only, not on other blocks, the markup or the width of the screen.
public struct TextPassage: Hashable, Sendable {
  /// A hash of 16 hexadecimal digits. Blocks with equal text in one document have different digests.
  public let digest: String
  /// The number of Unicode scalars that are not white space. Only the summary of a collapsed section and the first of
  /// several tabs are counted.
  public let length: Int

  /// Returns the passages of a text, one per block. Blocks without text have the length 0.
  package static func passages(of blocks: [Block]) -> [TextPassage] {
    var counts: [UInt64: UInt64] = [:]
    return blocks.map { block in
      var text = Self.text(of: block)
      let (hash, length) = text.withUTF8(measure)
      let before = counts[hash, default: 0]
      counts[hash] = before + 1
      let digits = String(before == 0 ? hash : fold(hash, before), radix: 16)
      return TextPassage(digest: String(repeating: "0", count: 16 - digits.count) + digits, length: length)
    }
  }

  /// Returns the text of a block without markup, with only the summaries of collapsed sections and the first of several
  /// tabs.
  package static func text(of block: Block) -> String { block.collapsed.plainText }

  /// Returns the hash and length of a text.
  ///
  /// Source: Fowler, Noll and Vo, FNV-1a with 64 bits.
  private static func measure(_ bytes: UnsafeBufferPointer<UInt8>) -> (hash: UInt64, length: Int) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    var length = 0
    for byte in bytes {
      hash = fold(hash, UInt64(byte))
      // Count neither white space nor the continuation bytes of a UTF-8 sequence.
      if byte > 0x20, byte & 0xC0 != 0x80 { length += 1 }
    }
    return (hash, length)
  }

  private static func fold(_ hash: UInt64, _ byte: UInt64) -> UInt64 { (hash ^ byte) &* 0x100_0000_01b3 }
}

extension Block {
  /// The block with only the summaries of collapsed sections and the first of several tabs.
  fileprivate var collapsed: Block {
    switch self {
    case .details(let summary, _): .paragraph(summary)
    case .tabs(let all):
      .quote(
        [.paragraph(all.map(\.label).reduce([]) { $0 + [.text(" ")] + $1 })]
          + (all.first?.blocks ?? []).map(\.collapsed))
    default: mapChildren(line: { $0 }, blocks: { $0.map(\.collapsed) })
    }
  }
}

/// The rule by which reading progress is counted: a page counts as read if it was visible for ``secondsPerPage`` and the
/// learner leaves it with Space. Otherwise, the time for which the page is visible is distributed over its rows. A row
/// then counts as read only after the time that a very fast reader needs for it.
///
/// The unit is the word, which is six cells that are not blank. Law: in any period without Space, whatever other keys are
/// pressed, at most `credit(for: seconds)` words are marked as read.
///
/// Source: `Documentation/progress.md`.
package enum ReadingCredit {
  /// The number of seconds for which a page must be visible before it counts as read when it is left with Space.
  package static let secondsPerPage = 1.0
  /// The number of words per second: three times the speed of a person who reads 300 words per minute.
  package static let wordsPerSecond = 15.0
  /// The number of cells per word.
  package static let cellsPerWord = 6.0
  /// The share of a text that must be read before it counts as done, 0…1. Its end must have been visible too.
  package static let completionShare = 0.95

  /// Returns how many words can be read in a time.
  ///
  /// - Parameter seconds: How long a page was visible without scrolling. Negative values count as 0.
  package static func credit(for seconds: Double) -> Double { wordsPerSecond * max(0, seconds) }

  /// Returns how many words a row counts as, at least 1.
  ///
  /// - Parameter cellCount: The number of cells that are not blank.
  package static func price(ofRowWith cellCount: Int) -> Double { max(1, Double(cellCount) / cellsPerWord) }
}
