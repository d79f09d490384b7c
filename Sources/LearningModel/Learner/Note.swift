/// Words that a learner wrote beside a text, or words of it that they highlighted.
public struct Note: Hashable, Sendable, Identifiable {
  /// Its name everywhere: a UUID in lower case.
  public let id: String
  /// What was written; empty for a highlight.
  public var text: String
  /// Which words of the text it is about.
  public var anchor: NoteAnchor
  /// When it was first written.
  public var createdAt: Timestamp
  /// When it was last changed.
  public var changedAt: Timestamp

  /// The largest number of characters of a note's text. A longer text is refused.
  public static let longestText = 4_000

  /// Makes a note.
  public init(id: String, text: String, anchor: NoteAnchor, createdAt: Timestamp, changedAt: Timestamp) {
    self.id = id
    self.text = text
    self.anchor = anchor
    self.createdAt = createdAt
    self.changedAt = changedAt
  }

  /// Whether it is a highlight without words.
  public var isHighlight: Bool { text.isEmpty }
}

/// Which words of a text a note is about, told so that they are found again in an edited text.
public struct NoteAnchor: Hashable, Sendable {
  /// The anchor of the nearest heading above them; empty before the first.
  public let heading: String
  /// The digest of their passage, as ``TextPassage/digest``.
  public let digest: String
  /// Their characters in the passage, as ``TextPassage/length`` counts them.
  public let characters: Range<Int>
  /// The words themselves, blanks as single spaces; at most ``longestQuote`` characters.
  public let quote: String

  /// How many characters of the words are kept.
  public static let longestQuote = 400

  /// Makes an anchor.
  public init(heading: String, digest: String, characters: Range<Int>, quote: String) {
    self.heading = heading
    self.digest = digest
    self.characters = characters
    self.quote = quote
  }
}

/// Finds the words of notes in a text, and makes anchors for words of it.
///
/// ```swift
/// let text = AnchoredText(blocks)
/// let anchor = text.anchor(ofBlock: 3)
/// AnchoredText(editedBlocks).place(of: anchor)  // where those words stand now
/// ```
public struct AnchoredText: Sendable {
  /// Where the words of a note stand in a text.
  public struct Place: Hashable, Sendable {
    /// The block, from 0.
    public let block: Int
    /// Their characters in its passage.
    public let characters: Range<Int>

    /// Makes a place.
    public init(block: Int, characters: Range<Int>) {
      self.block = block
      self.characters = characters
    }
  }

  /// The passages of the text, one a block.
  public let passages: [TextPassage]
  private let words: [String]
  private let letters: [[Unicode.Scalar]]
  private let headings: [String]
  private let headingBlocks: Set<Int>

  /// The shortest part of a quotation that is looked for alone, in characters.
  private static let leastPart = 12

  /// Takes up a text.
  public init(_ blocks: [Block]) {
    passages = TextPassage.passages(of: blocks)
    words = blocks.map(TextPassage.words)
    letters = words.map { $0.letters }
    var heading = ""
    headingBlocks = Set(blocks.indices.filter { if case .heading = blocks[$0] { true } else { false } })
    headings = blocks.map { block in
      if case .heading(_, _, let anchor) = block { heading = anchor }
      return heading
    }
  }

  /// Returns the anchor of all words of a block.
  ///
  /// - Parameter block: The block, from 0.
  /// - Returns: `nil` where there is no such block, or it has no words.
  public func anchor(ofBlock block: Int) -> NoteAnchor? {
    passages.indices.contains(block) ? anchor(ofBlock: block, characters: 0..<letters[block].count) : nil
  }

  /// Returns the anchor of some words of a block; `nil` where it does not have them.
  public func anchor(ofBlock block: Int, words: String) -> NoteAnchor? {
    guard passages.indices.contains(block) else { return nil }
    let range = letters[block].range(of: words.letters, in: 0..<letters[block].count)
    return range.flatMap { anchor(ofBlock: block, characters: $0) }
  }

  /// Whether a block is a heading.
  public func isHeading(_ block: Int) -> Bool { headingBlocks.contains(block) }

  /// Returns the anchor of some characters of a block; `nil` where it does not have them.
  public func anchor(ofBlock block: Int, characters: Range<Int>) -> NoteAnchor? {
    guard passages.indices.contains(block) else { return nil }
    let characters = characters.clamped(to: 0..<letters[block].count)
    guard !characters.isEmpty else { return nil }
    return NoteAnchor(
      heading: headings[block], digest: passages[block].digest, characters: characters,
      quote: String(words[block].words(ofLetters: characters).prefix(NoteAnchor.longestQuote)))
  }

  /// Returns where words stand now; `nil` where their place is gone.
  ///
  /// By their passage and their characters in it; where it was edited by the words themselves, below their heading before
  /// anywhere else; where these were edited too by one half of them, which then means the whole of its block.
  public func place(of anchor: NoteAnchor) -> Place? {
    if let block = passages.firstIndex(where: { $0.digest == anchor.digest }) {
      let characters = anchor.characters.clamped(to: 0..<letters[block].count)
      if !characters.isEmpty { return Place(block: block, characters: characters) }
    }
    let quote = anchor.quote.letters
    guard !quote.isEmpty else { return nil }
    if let found = place(of: quote, below: anchor.heading) {
      // Of a long one the quotation is only the beginning.
      let end = min(found.characters.lowerBound + anchor.characters.count, letters[found.block].count)
      return Place(block: found.block, characters: found.characters.lowerBound..<max(found.characters.upperBound, end))
    }
    let half = quote.count / 2
    guard half >= Self.leastPart else { return nil }
    for part in [quote[..<half], quote[half...]] {
      guard let found = place(of: Array(part), below: anchor.heading, isOnly: true) else { continue }
      return Place(block: found.block, characters: 0..<letters[found.block].count)
    }
    return nil
  }

  /// - Parameter isOnly: Whether letters that stand in several blocks are not found at all.
  private func place(of quote: [Unicode.Scalar], below heading: String, isOnly: Bool = false) -> Place? {
    let near = headings.indices.filter { headings[$0] == heading }
    for blocks in [near, Array(headings.indices)] {
      var places = blocks.lazy.compactMap { block in
        letters[block].range(of: quote, in: 0..<letters[block].count).map { Place(block: block, characters: $0) }
      }.makeIterator()
      guard let first = places.next() else { continue }
      return isOnly && places.next() != nil ? nil : first
    }
    return nil
  }

  /// Returns the characters of a block's passage.
  package func letters(ofBlock block: Int) -> [Unicode.Scalar] { letters.indices.contains(block) ? letters[block] : [] }

  /// Returns the words of a place, blanks as single spaces.
  public func words(at place: Place) -> String {
    words.indices.contains(place.block) ? words[place.block].words(ofLetters: place.characters) : ""
  }
}

extension String {
  /// Its characters that are not blank, as passages count them.
  fileprivate var letters: [Unicode.Scalar] { unicodeScalars.filter(\.isLetterOfPassage) }

  /// What stands from one such character to another, runs of blanks as one.
  fileprivate func words(ofLetters range: Range<Int>) -> String {
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
  /// Where others stand in it for the first time.
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
