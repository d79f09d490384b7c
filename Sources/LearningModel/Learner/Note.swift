/// A note on a passage of a text, or a highlighted passage.
public struct Note: Hashable, Sendable, Identifiable {
  /// The note's UUID in lower case, which is the same in all databases.
  public let id: String
  /// The text of the note. Empty for a highlight.
  public var text: String
  /// The passage that the note is about.
  public var anchor: NoteAnchor
  /// The time at which the note was created.
  public var createdAt: Timestamp
  /// The time at which the note was last changed.
  public var changedAt: Timestamp
  /// The answer of a card that the learner has made of the passage. The card is listed with the notes: ``id`` is its key, and
  /// ``text`` its question. `nil` for a note or a highlight.
  public var answer: String?

  /// The maximum number of characters of a note's text.
  public static let maximumTextLength = 4_000

  /// Creates a note.
  public init(
    id: String, text: String, anchor: NoteAnchor, createdAt: Timestamp, changedAt: Timestamp, answer: String? = nil
  ) {
    self.id = id
    self.text = text
    self.anchor = anchor
    self.createdAt = createdAt
    self.changedAt = changedAt
    self.answer = answer
  }

  /// Whether the note is a highlight without text.
  public var isHighlight: Bool { text.isEmpty }
  /// Whether this is a card that the learner has made, and no note.
  public var isCard: Bool { answer != nil }
}

/// A passage of a text, described so that it is found again after the text was edited.
public struct NoteAnchor: Hashable, Sendable {
  /// The anchor of the last heading before the passage. Empty before the first heading.
  public let heading: String
  /// The digest of the block that contains the passage: ``TextPassage/digest``.
  public let digest: String
  /// The range of the passage in the block, in characters as counted by ``TextPassage/length``.
  public let characters: Range<Int>
  /// The text of the passage, with white space replaced by single spaces; at most ``maximumQuoteLength`` characters.
  public let quote: String

  /// The maximum number of characters of ``quote``.
  public static let maximumQuoteLength = 400

  /// Creates an anchor.
  public init(heading: String, digest: String, characters: Range<Int>, quote: String) {
    self.heading = heading
    self.digest = digest
    self.characters = characters
    self.quote = quote
  }
}

/// Finds the passages of notes in a text, and creates anchors for passages of the text.
///
/// ```swift
/// let text = AnchoredText(blocks)
/// let anchor = text.anchor(ofBlock: 3)
/// AnchoredText(editedBlocks).place(of: anchor)  // the current location of the block
/// ```
public struct AnchoredText: Sendable {
  /// The location of a passage in a text.
  public struct Place: Hashable, Sendable {
    /// The index of the block.
    public let block: Int
    /// The range in the block, in characters as counted by ``TextPassage/length``.
    public let characters: Range<Int>

    /// Creates a location.
    public init(block: Int, characters: Range<Int>) {
      self.block = block
      self.characters = characters
    }
  }

  /// The digest and length of each block.
  public let passages: [TextPassage]
  private let blockTexts: [String]
  private let letters: [[Unicode.Scalar]]
  private let headings: [String]
  private let headingBlocks: Set<Int>

  /// The minimum number of characters of a part of a quotation for which to search.
  private static let minimumMatchLength = 12

  /// Prepares a text.
  public init(_ blocks: [Block]) {
    passages = TextPassage.passages(of: blocks)
    blockTexts = blocks.map(TextPassage.text)
    letters = blockTexts.map { $0.letters }
    var heading = ""
    headingBlocks = Set(blocks.indices.filter { if case .heading = blocks[$0] { true } else { false } })
    headings = blocks.map { block in
      if case .heading(_, _, let anchor) = block { heading = anchor }
      return heading
    }
  }

  /// Returns the anchor of a whole block.
  ///
  /// - Parameter block: The index of the block.
  /// - Returns: The anchor, or `nil` if the block does not exist or has no text.
  public func anchor(ofBlock block: Int) -> NoteAnchor? {
    passages.indices.contains(block) ? anchor(ofBlock: block, characters: 0..<letters[block].count) : nil
  }

  /// Returns the anchor of the first occurrence of words in a block, or `nil` if the block does not contain them.
  public func anchor(ofBlock block: Int, text: String) -> NoteAnchor? {
    guard passages.indices.contains(block) else { return nil }
    let range = letters[block].range(of: text.letters, in: 0..<letters[block].count)
    return range.flatMap { anchor(ofBlock: block, characters: $0) }
  }

  /// Returns whether a block is a heading.
  public func isHeading(_ block: Int) -> Bool { headingBlocks.contains(block) }

  /// Returns the anchor of a range of characters in a block, or `nil` if the block does not contain any of them.
  public func anchor(ofBlock block: Int, characters: Range<Int>) -> NoteAnchor? {
    guard passages.indices.contains(block) else { return nil }
    let characters = characters.clamped(to: 0..<letters[block].count)
    guard !characters.isEmpty else { return nil }
    return NoteAnchor(
      heading: headings[block], digest: passages[block].digest, characters: characters,
      quote: String(blockTexts[block].text(ofLetters: characters).prefix(NoteAnchor.maximumQuoteLength)))
  }

  /// Returns the current location of a passage, or `nil` if it is not found.
  ///
  /// The passage is searched in this order:
  ///
  /// 1. By the digest of its block and its range in the block.
  /// 2. If the block was edited, by its text: first below the same heading, then in the whole text.
  /// 3. If the passage was edited too, by each half of its text. The location is then the whole block.
  public func place(of anchor: NoteAnchor) -> Place? {
    if let block = passages.firstIndex(where: { $0.digest == anchor.digest }) {
      let characters = anchor.characters.clamped(to: 0..<letters[block].count)
      if !characters.isEmpty { return Place(block: block, characters: characters) }
    }
    let quote = anchor.quote.letters
    guard !quote.isEmpty else { return nil }
    if let match = place(of: quote, below: anchor.heading) {
      // The quotation contains only the beginning of a long passage.
      let end = min(match.characters.lowerBound + anchor.characters.count, letters[match.block].count)
      return Place(block: match.block, characters: match.characters.lowerBound..<max(match.characters.upperBound, end))
    }
    let half = quote.count / 2
    guard half >= Self.minimumMatchLength else { return nil }
    for quoteHalf in [quote[..<half], quote[half...]] {
      guard let match = place(of: Array(quoteHalf), below: anchor.heading, isOnly: true) else { continue }
      return Place(block: match.block, characters: 0..<letters[match.block].count)
    }
    return nil
  }

  /// Returns the first location of a text.
  ///
  /// - Parameter isOnly: Whether to return `nil` if several blocks contain the text.
  private func place(of quote: [Unicode.Scalar], below heading: String, isOnly: Bool = false) -> Place? {
    let candidates = headings.indices.filter { headings[$0] == heading }
    for blocks in [candidates, Array(headings.indices)] {
      var places = blocks.lazy.compactMap { block in
        letters[block].range(of: quote, in: 0..<letters[block].count).map { Place(block: block, characters: $0) }
      }.makeIterator()
      guard let first = places.next() else { continue }
      return isOnly && places.next() != nil ? nil : first
    }
    return nil
  }

  /// Returns the characters of a block without white space.
  package func letters(ofBlock block: Int) -> [Unicode.Scalar] { letters.indices.contains(block) ? letters[block] : [] }

  /// Returns the text at a location, with white space replaced by single spaces.
  public func text(at place: Place) -> String {
    blockTexts.indices.contains(place.block) ? blockTexts[place.block].text(ofLetters: place.characters) : ""
  }
}

extension String {
  /// The characters that are not white space, as counted by ``TextPassage/length``.
  fileprivate var letters: [Unicode.Scalar] { unicodeScalars.filter(\.isLetterOfPassage) }

  /// Returns the text of a range of ``letters``, with white space replaced by single spaces.
  fileprivate func text(ofLetters range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    var (number, isBlank) = (0, false)
    for scalar in unicodeScalars {
      guard scalar.isLetterOfPassage else {
        isBlank = true
        continue
      }
      if range.contains(number) {
        if isBlank, !text.isEmpty { text.append(" ") }
        text.append(scalar)
      }
      (number, isBlank) = (number + 1, false)
      if number >= range.upperBound { break }
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  fileprivate var isLetterOfPassage: Bool { value > 0x20 }
}

extension [Unicode.Scalar] {
  /// Returns the range of the first occurrence of a sequence of characters within `bounds`, or `nil` if it does not
  /// occur.
  fileprivate func range(of other: [Unicode.Scalar], in bounds: Range<Int>) -> Range<Int>? {
    guard let first = other.first, other.count <= bounds.count else { return nil }
    var start = bounds.lowerBound
    let last = bounds.upperBound - other.count
    while start <= last {
      if self[start] == first, self[start..<start + other.count].elementsEqual(other) {
        return start..<start + other.count
      }
      start += 1
    }
    return nil
  }
}
