/// The lookup tables that the engine derives from a grammar.
final class Lexicon: Sendable {
  enum Kind: UInt8, Sendable { case other, blank, newline, word, digit, sign }

  let grammar: Grammar
  let wordTable: WordTable
  let kinds: [Kind]
  /// Whether a byte can be part of a word.
  let isWord: [Bool]
  /// Whether a span or fixed sign begins with a byte.
  let opens: [Bool]
  /// Whether the language's own code is tried at a byte.
  let isSpecial: [Bool]
  /// The spans and fixed signs that begin with a byte, the longest first.
  let openings: [[Opening]]
  let separatorBytes: [UInt8]
  let digitSeparators: [UInt8]
  let suffixes: [UInt8]

  enum Opening: Sendable {
    case span(Int)
    case fixedSign(Int)
  }

  init(_ grammar: Grammar) {
    self.grammar = grammar
    wordTable = WordTable(grammar.wordLists, ignoresCase: grammar.ignoresCase)
    separatorBytes = Array(grammar.separatorBytes.utf8)
    suffixes = Array(grammar.suffixes.utf8)
    digitSeparators = Array(grammar.digitSeparators.utf8)

    var kinds = (0...255).map { byte -> Kind in
      let byte = UInt8(byte)
      return byte.isNewline ? .newline : byte.isBlank ? .blank : byte.isLetter ? .word : byte.isDigit ? .digit : .other
    }
    var isWord = kinds.map { $0 == .word || $0 == .digit }
    for byte in grammar.operators.utf8 { kinds[Int(byte)] = .sign }
    for byte in grammar.wordBytes.utf8 {
      kinds[Int(byte)] = .word
      isWord[Int(byte)] = true
    }
    self.kinds = kinds
    self.isWord = isWord

    var openings = Array(repeating: [(count: Int, opening: Opening)](), count: 256)
    for (index, span) in grammar.spans.enumerated() where !span.isRegularExpression {
      openings[Int(span.open[0])].append((span.open.count, .span(index)))
    }
    for (index, sign) in grammar.fixedSigns.enumerated() {
      openings[Int(sign.bytes[0])].append((sign.bytes.count, .fixedSign(index)))
    }
    self.openings = openings.map { candidates in candidates.sorted { $0.count > $1.count }.map(\.opening) }
    opens = openings.map { !$0.isEmpty }
    let special = Array((grammar.special?.bytes ?? "").utf8)
    isSpecial = (0...255).map { special.contains(UInt8($0)) }
  }
}

/// A hash table of a language's words with open addressing. Lookups compare bytes, so they create no `String`.
struct WordTable: Sendable {
  struct Entry: Sendable {
    var tokenClass: TokenClass
    var announcedClass: TokenClass?
    var place: WordList.Place
    var isPartOfDeclaration: Bool
    fileprivate var bytes: [UInt8]
  }

  /// The initial hash value of FNV-1a.
  static let seed: UInt32 = 2_166_136_261

  /// Returns the hash with one more byte. The hash function is FNV-1a.
  @inline(__always) static func hash(_ hash: UInt32, _ byte: UInt8) -> UInt32 { (hash ^ UInt32(byte)) &* 16_777_619 }

  private var entries: [Entry] = []
  /// Each element is an index in `entries` plus 1, or 0 for a free slot.
  private var slots: [UInt16]
  private let mask: Int

  /// Creates the table. If a word is in several groups, the last one takes precedence.
  init(_ groups: [WordList], ignoresCase: Bool) {
    let newEntries = groups.flatMap { group in
      group.words.split { $0.isWhitespace }.map { word in
        Entry(
          tokenClass: group.tokenClass, announcedClass: group.announcedClass, place: group.place,
          isPartOfDeclaration: group.isPartOfDeclaration,
          bytes: Array((ignoresCase ? word.lowercased() : String(word)).utf8))
      }
    }
    var size = 16
    while size < newEntries.count * 4 { size *= 2 }
    mask = size - 1
    slots = Array(repeating: 0, count: size)
    for entry in newEntries.reversed() { insert(entry) }
  }

  private mutating func insert(_ entry: Entry) {
    var slot = Int(entry.bytes.reduce(Self.seed, Self.hash)) & mask
    while slots[slot] != 0 {
      if entries[Int(slots[slot]) - 1].bytes == entry.bytes { return }
      slot = (slot + 1) & mask
    }
    entries.append(entry)
    slots[slot] = UInt16(entries.count)
  }

  /// Returns the index of a word's entry, or `nil` if the table does not contain the word.
  ///
  /// - Parameters:
  ///   - word: The bytes of the word.
  ///   - hash: The hash of the bytes, in lower case if `ignoresCase` is set.
  ///   - ignoresCase: Whether the language ignores the case of words.
  @inline(__always)
  func index(of word: UnsafeBufferPointer<UInt8>.SubSequence, hash: UInt32, ignoresCase: Bool) -> Int? {
    var slot = Int(hash) & mask
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if matches(entries[index].bytes, word, ignoresCase) { return index }
      slot = (slot + 1) & mask
    }
    return nil
  }

  subscript(index: Int) -> Entry { entries[index] }

  private func matches(_ bytes: [UInt8], _ word: UnsafeBufferPointer<UInt8>.SubSequence, _ ignoresCase: Bool) -> Bool {
    guard bytes.count == word.count else { return false }
    var offset = word.startIndex
    for byte in bytes {
      if byte != (ignoresCase ? word[offset].asLowercase : word[offset]) { return false }
      offset += 1
    }
    return true
  }
}

extension UInt8 {
  /// The lowercase letter if the byte is an ASCII letter, otherwise the byte itself.
  @inline(__always) var asLowercase: UInt8 { 0x41 <= self && self <= 0x5A ? self | 0x20 : self }
  @inline(__always) var isDigit: Bool { 0x30 <= self && self <= 0x39 }
  @inline(__always) var isHexDigit: Bool { isDigit || (0x61 <= asLowercase && asLowercase <= 0x66) }
  @inline(__always) var isUppercase: Bool { 0x41 <= self && self <= 0x5A }
  /// Whether the byte is an ASCII letter, `_`, or a byte of a non-ASCII character.
  @inline(__always) var isLetter: Bool { (0x61 <= asLowercase && asLowercase <= 0x7A) || self == 0x5F || self >= 0x80 }
  @inline(__always) var isWord: Bool { isLetter || isDigit }
  /// Whether the byte is white space other than a line feed.
  @inline(__always) var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0C || self == 0x0B }
  @inline(__always) var isNewline: Bool { self == 0x0A }
}
