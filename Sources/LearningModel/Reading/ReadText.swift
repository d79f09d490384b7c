/// How much of a text a learner has read: for each of its passages the characters that were paid.
///
/// ```swift
/// var text = ReadText(TextPassage.passages(of: blocks))
/// text.pay(rowsInView, for: 2.5)
/// print(text.share)
/// ```
package struct ReadText: Hashable, Sendable {
  /// A row of a page: which characters of which passage stand in it.
  package struct Row: Hashable, Sendable {
    /// The passage, from 0.
    package let passage: Int
    /// Its characters, from 0.
    package let characters: Range<Int>
    /// Cells of the row that are not blank.
    package let ink: Int

    /// Makes a row.
    package init(passage: Int, characters: Range<Int>, ink: Int) {
      self.passage = passage
      self.characters = characters
      self.ink = ink
    }

    /// What one of its characters costs, in words. Where signs are narrower than cells, they are what is counted.
    fileprivate var price: Double {
      ReadingCredit.price(ofRowWith: max(ink, characters.count)) / Double(characters.count)
    }
  }

  /// The passages, in order.
  package let passages: [TextPassage]
  private var read: [RangeSet<Int>]
  private let length: Int
  private var lengthRead: Int

  /// Takes up a text.
  ///
  /// - Parameters:
  ///   - passages: Of the text as it is now.
  ///   - read: By their digests, what was read of passages. What the text does not have any more counts for nothing here.
  package init(_ passages: [TextPassage], read: [String: RangeSet<Int>] = [:]) {
    self.passages = passages
    self.read = passages.map { passage in
      read[passage.digest].map { $0.intersection(RangeSet(0..<passage.length)) } ?? RangeSet()
    }
    length = passages.reduce(0) { $0 + $1.length }
    lengthRead = self.read.reduce(0) { $0 + $1.count }
  }

  /// The share of its characters that was read, 0…1. Of a text without words there is nothing left to read.
  package var share: Double { length == 0 ? 1 : Double(lengthRead) / Double(length) }

  /// Whether its last words were read.
  package var isEndRead: Bool {
    guard let last = passages.lastIndex(where: { $0.length > 0 }) else { return true }
    return read[last].contains(passages[last].length - 1)
  }

  /// What was read, by the digests of the passages; those of which nothing was read are left out.
  package var ranges: [String: RangeSet<Int>] {
    zip(passages, read).reduce(into: [:]) { if !$1.1.isEmpty { $0[$1.0.digest] = $1.1 } }
  }

  /// Pays rows for the time that they were in view, from the first on; what is left over is lost.
  ///
  /// Law: `share` never falls. Law: paid for 0 seconds, nothing changes.
  ///
  /// - Parameters:
  ///   - rows: In the order in which they are read.
  ///   - seconds: For which they were in view, at rest. Negative values count as 0.
  /// - Returns: Whether anything was paid.
  @discardableResult
  package mutating func pay(_ rows: some Sequence<Row>, for seconds: Double) -> Bool {
    var credit = ReadingCredit.credit(for: seconds)
    let before = lengthRead
    for row in rows {
      guard credit > 0 else { break }
      let unread = unread(of: row)
      guard !unread.isEmpty else { continue }
      let count = unread.count
      let affordable = Int(min(Double(count), credit / row.price))
      var left = affordable
      for range in unread.ranges where left > 0 {
        read[row.passage].insert(contentsOf: range.prefix(left))
        left -= min(left, range.count)
      }
      lengthRead += affordable
      credit = affordable < count ? 0 : credit - Double(count) * row.price
    }
    return lengthRead > before
  }

  /// Returns for how many seconds rows must be in view until all of them are paid.
  package func secondsToPay(_ rows: some Sequence<Row>) -> Double {
    rows.reduce(0) { sum, row in
      let unread = unread(of: row)
      return unread.isEmpty ? sum : sum + Double(unread.count) * row.price
    } / ReadingCredit.wordsPerSecond
  }

  private func unread(of row: Row) -> RangeSet<Int> {
    guard read.indices.contains(row.passage), !row.characters.isEmpty else { return RangeSet() }
    let read = read[row.passage]
    return read.isEmpty ? RangeSet(row.characters) : RangeSet(row.characters).subtracting(read)
  }
}

extension RangeSet<Int> {
  /// How many numbers are in it.
  package var count: Int { ranges.reduce(0) { $0 + $1.count } }
}

/// A block of a text as a learner reads it: what tells it from other blocks, and how many characters it has.
///
/// Both depend on its words alone, so a block keeps them when the text around it is edited, when it is marked up
/// otherwise, and in every width.
public struct TextPassage: Hashable, Sendable {
  /// Sixteen hexadecimal digits; of two blocks of one text that say the same, each has its own.
  public let digest: String
  /// Its characters that are not blank, as Unicode scalars. Of what is closed until it is asked for
  /// only the summary counts, of tabs the first.
  public let length: Int

  /// Returns the passages of a text, one a block. One without words has the length 0.
  package static func passages(of blocks: [Block]) -> [TextPassage] {
    var seen: [UInt64: UInt64] = [:]
    return blocks.map { block in
      var text = words(of: block)
      let (hash, length) = text.withUTF8(measure)
      let before = seen[hash, default: 0]
      seen[hash] = before + 1
      let digits = String(before == 0 ? hash : fold(hash, before), radix: 16)
      return TextPassage(digest: String(repeating: "0", count: 16 - digits.count) + digits, length: length)
    }
  }

  /// Returns the words of a block as a passage has them: of what is closed until it is asked for the summary alone.
  package static func words(of block: Block) -> String { block.closed.plainText }

  /// Source: Fowler, Noll and Vo, FNV-1a with 64 bits.
  private static func measure(_ bytes: UnsafeBufferPointer<UInt8>) -> (hash: UInt64, length: Int) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    var length = 0
    for byte in bytes {
      hash = fold(hash, UInt64(byte))
      // Neither a blank nor the rest of a character that has begun.
      if byte > 0x20, byte & 0xC0 != 0x80 { length += 1 }
    }
    return (hash, length)
  }

  private static func fold(_ hash: UInt64, _ byte: UInt64) -> UInt64 { (hash ^ byte) &* 0x100_0000_01b3 }
}

extension Block {
  /// This block with the summaries alone of what is closed until it is asked for, and of tabs with the first.
  fileprivate var closed: Block {
    switch self {
    case .details(let summary, _): .paragraph(summary)
    case .tabs(let all):
      .quote(
        [.paragraph(all.map(\.label).reduce([]) { $0 + [.text(" ")] + $1 })]
          + (all.first?.blocks ?? []).map(\.closed))
    default: mapParts(line: { $0 }, blocks: { $0.map(\.closed) })
    }
  }
}

/// The law of credit: time in front of a text is paid out to its rows, so that what counts as read was in view for as long
/// as a very fast reader needs.
///
/// The unit is the word, reckoned as six cells of ink. Law: in any time, whatever keys are pressed, at most
/// `credit(for: seconds)` words are paid.
///
/// Source: `Documentation/progress.md`.
package enum ReadingCredit {
  /// Words that a second pays: three times the pace of somebody who reads 300 words a minute.
  package static let wordsPerSecond = 15.0
  /// Cells of ink that make a word.
  package static let cellsPerWord = 6.0
  /// The share of a text that must be read for it to be done, 0…1, once its end was in view.
  package static let shareOfDone = 0.95

  /// Returns how many words a time pays.
  ///
  /// - Parameter seconds: For which a page was in view and at rest. Negative values count as 0.
  package static func credit(for seconds: Double) -> Double { wordsPerSecond * max(0, seconds) }

  /// Returns what a row costs, in words: at least one.
  ///
  /// - Parameter ink: Its cells that are not blank, from 0.
  package static func price(ofRowWith ink: Int) -> Double { max(1, Double(ink) / cellsPerWord) }
}
