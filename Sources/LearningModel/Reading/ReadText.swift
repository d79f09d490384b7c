/// How much of a text a learner has read: for each of its passages the characters that were paid.
///
/// ```swift
/// var text = ReadText(TextPassage.passages(of: blocks))
/// text.pay(rowsInView, for: 2.5)
/// print(text.share)
/// ```
public struct ReadText: Hashable, Sendable {
  /// A row of a page: which characters of which passage stand in it.
  public struct Row: Hashable, Sendable {
    /// The passage, from 0.
    public let passage: Int
    /// Its characters, from 0.
    public let characters: Range<Int>
    /// Cells of the row that are not blank.
    public let ink: Int

    /// Makes a row.
    public init(passage: Int, characters: Range<Int>, ink: Int) {
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
  public let passages: [TextPassage]
  private var read: [RangeSet<Int>]
  private let length: Int
  private var lengthRead: Int

  /// Takes up a text.
  ///
  /// - Parameters:
  ///   - passages: Of the text as it is now.
  ///   - read: By their digests, what was read of passages. What the text does not have any more counts for nothing here.
  public init(_ passages: [TextPassage], read: [String: RangeSet<Int>] = [:]) {
    self.passages = passages
    self.read = passages.map { passage in
      read[passage.digest].map { $0.intersection(RangeSet(0..<passage.length)) } ?? RangeSet()
    }
    length = passages.reduce(0) { $0 + $1.length }
    lengthRead = self.read.reduce(0) { $0 + $1.count }
  }

  /// The share of its characters that was read, 0…1. Of a text without words there is nothing left to read.
  public var share: Double { length == 0 ? 1 : Double(lengthRead) / Double(length) }

  /// Whether its last words were read.
  public var isEndRead: Bool {
    guard let last = passages.lastIndex(where: { $0.length > 0 }) else { return true }
    return read[last].contains(passages[last].length - 1)
  }

  /// What was read, by the digests of the passages; those of which nothing was read are left out.
  public var ranges: [String: RangeSet<Int>] {
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
  public mutating func pay(_ rows: some Sequence<Row>, for seconds: Double) -> Bool {
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
  public func secondsToPay(_ rows: some Sequence<Row>) -> Double {
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
  public var count: Int { ranges.reduce(0) { $0 + $1.count } }
}
