import Foundation

/// Converts text of scripts that are written without spaces between words (Chinese, Japanese, Thai, Lao, Khmer and
/// Burmese) or with suffixes attached to words (Korean) for the full-text index.
///
/// Word boundaries in these scripts cannot be determined without a dictionary, so the index contains each letter
/// together with the following one. A query is found wherever its pairs follow each other, at any place in a run of
/// letters. The last letter of a run is an entry of its own, so that each letter begins one entry.
///
/// The pairs are written into the text itself, in a reversible form: `交渉の` becomes `交渉⸱渉の⸱の`, where `⸱` is
/// ``pairMarker``. The character ``runSeparator`` separates a run from other letters next to it. The vowels and tones
/// of Thai and related scripts are marks, which the index would treat as separators, so each is replaced by a
/// private-use character.
///
/// Texts in these scripts often contain Latin letters and digits in full-width forms. These are replaced by the ASCII
/// characters between two ``widthMarker`` characters, so that they are found by ASCII queries.
///
/// Source: the n-gram indexing of texts without word boundaries; Nie, Gao, Zhang and Zhou, "On the use of words and
/// n-grams for Chinese information retrieval", 2000: searching with pairs is as effective as searching with words from
/// a dictionary.
enum LetterPairs {
  /// Follows a pair. Decoding removes this character and the letter before it.
  private static let pairMarker: Unicode.Scalar = "\u{1F}"
  /// Separates a run from other letters. Decoding removes only this character.
  private static let runSeparator: Unicode.Scalar = "\u{1E}"
  /// Encloses ASCII characters that were full-width. Decoding removes only this character.
  private static let widthMarker: Unicode.Scalar = "\u{1D}"

  /// Returns whether a letter belongs to a script whose letters are indexed in pairs.
  ///
  /// Source: Unicode 15, the letters in the blocks of Han, Hiragana, Katakana, Bopomofo and Hangul syllables, and the
  /// letters, vowels and tones of Thai, Lao, Myanmar and Khmer.
  static func contains(_ letter: Unicode.Scalar) -> Bool {
    switch letter.value {
    case ..<0x0E01: false
    case 0x0E01...0x0E3A, 0x0E40...0x0E4E, 0x0E81...0x0EBD, 0x0EC0...0x0ECE, 0x0EDC...0x0EDF: true
    case 0x1000...0x103F, 0x1050...0x108F, 0x1780...0x17D3: true
    case ..<0x3005: false
    case 0x3005...0x3007, 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF: true
    case 0x3105...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF: true
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
    case 0xF900...0xFA6D, 0xFA70...0xFAD9, 0xFF66...0xFF9F: true
    case 0x20000...0x2FFFD, 0x30000...0x3FFFD: true
    default: false
    }
  }

  /// Returns whether a text contains letters that are indexed in pairs, or full-width ASCII characters.
  static func areNeeded(for text: String) -> Bool {
    // In UTF-8, all these letters begin with one of these bytes, and most texts contain none of them. 0xE2 is excluded
    // because common quotation marks and dashes begin with it.
    text.utf8.contains { $0 >= 0xE0 && $0 != 0xE2 }
      && text.composed.unicodeScalars.contains { contains($0) || plain($0) != nil }
  }

  /// Returns the ASCII letter or digit for a full-width one, or `nil` for all other characters.
  ///
  /// Source: Unicode 15, the block of halfwidth and fullwidth forms.
  static func plain(_ letter: Unicode.Scalar) -> Unicode.Scalar? {
    switch letter.value {
    case 0xFF10...0xFF19, 0xFF21...0xFF3A, 0xFF41...0xFF5A: Unicode.Scalar(letter.value - 0xFEE0)
    default: nil
    }
  }

  /// Returns a text in which full-width letters and digits are replaced by ASCII.
  static func plain(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { plain($0) ?? $0 }))
  }

  /// Returns a text in which full-width letters and digits are replaced by ASCII in a reversible form.
  private static func narrowed(_ text: String) -> String {
    var letters = String.UnicodeScalarView()
    var isWide = false
    for letter in text.unicodeScalars {
      let narrow = plain(letter)
      if (narrow != nil) != isWide {
        letters.append(widthMarker)
        isWide.toggle()
      }
      letters.append(narrow ?? letter)
    }
    if isWide { letters.append(widthMarker) }
    return String(letters)
  }

  /// Returns a text with its runs converted to pairs. A text that needs no conversion is returned unchanged.
  static func paired(_ text: String) -> String {
    guard areNeeded(for: text) else { return text }
    return runs(of: text).map { $0.isPaired ? pairs(of: $0.text, isOpen: false) : narrowed($0.text) }
      .joined(separator: String(runSeparator))
  }

  /// Returns the words of a phrase of a query in the form that texts with pairs have.
  ///
  /// - Parameter isBeginning: Whether the last word of the phrase is a prefix.
  /// - Returns: The converted words, and whether the last one is a prefix in the index. A phrase that ends in a run of
  ///   at least two letters is not a prefix, because it matches inside longer runs anyway. If the run is a single
  ///   letter, it is the prefix of a pair. `nil` if the phrase contains nothing to convert.
  static func phrase(_ phrase: String, isBeginning: Bool) -> (text: String, isBeginning: Bool)? {
    guard areNeeded(for: phrase) else { return nil }
    let runs = runs(of: phrase)
    let last = runs.lastIndex { run in run.text.contains { $0.isLetter || $0.isNumber } } ?? 0
    var text = ""
    for (index, run) in runs.enumerated() {
      if index > 0 { text.unicodeScalars.append(runSeparator) }
      text += run.isPaired ? pairs(of: run.text, isOpen: index == last) : plain(run.text)
    }
    return (text, runs[last].isPaired ? runs[last].text.unicodeScalars.count == 1 : isBeginning)
  }

  /// Splits a text into runs of letters of these scripts and the text between them.
  static func runs(of text: String) -> [(text: String, isPaired: Bool)] {
    let letters = text.composed.unicodeScalars
    var runs: [(text: String, isPaired: Bool)] = []
    var start = letters.startIndex
    while start < letters.endIndex {
      let isPaired = contains(letters[start])
      let end = letters[start...].firstIndex { contains($0) != isPaired } ?? letters.endIndex
      runs.append((String(letters[start..<end]), isPaired))
      start = end
    }
    return runs
  }

  /// Returns a run of letters as pairs.
  ///
  /// - Parameter isOpen: Whether the run may continue after its last letter, which then gets no entry of its own.
  private static func pairs(of run: String, isOpen: Bool) -> String {
    let letters = run.unicodeScalars.map(spelt)
    var pairs = String.UnicodeScalarView()
    for (letter, following) in zip(letters, letters.dropFirst()) {
      pairs.append(letter)
      pairs.append(following)
      pairs.append(pairMarker)
    }
    if isOpen, letters.count > 1 { pairs.removeLast() } else { pairs.append(contentsOf: letters.suffix(1)) }
    return String(pairs)
  }

  /// The distance between a mark and the character that replaces it, in a private-use plane. The index treats
  /// private-use characters as letters.
  private static let markerOffset: UInt32 = 0xF0000
  /// The range of the characters that replace marks.
  private static let spellings: ClosedRange<UInt32> = 0xF0E00...0xF17FF

  /// Returns the character for a letter in a pair: a private-use character for a mark, otherwise the letter itself.
  private static func spelt(_ letter: Unicode.Scalar) -> Unicode.Scalar {
    guard letter.value < 0x2000 else { return letter }
    switch letter.properties.generalCategory {
    case .nonspacingMark, .spacingMark: return Unicode.Scalar(letter.value + markerOffset) ?? letter
    default: return letter
    }
  }

  /// Returns the original text for the result of ``paired(_:)``.
  static func text(of paired: String) -> String {
    guard paired.utf8.contains(where: isSign) else { return paired }
    var text = String.UnicodeScalarView()
    var isWide = false
    for letter in paired.unicodeScalars {
      switch letter {
      case pairMarker: _ = text.popLast()
      case runSeparator: break
      case widthMarker: isWide.toggle()
      case _ where isWide: text.append(Unicode.Scalar(letter.value + 0xFEE0) ?? letter)
      case _ where spellings.contains(letter.value): text.append(Unicode.Scalar(letter.value - markerOffset) ?? letter)
      default: text.append(letter)
      }
    }
    return String(text)
  }

  /// Returns whether a byte may belong to a character that has a meaning in texts with pairs.
  static func isSign(_ byte: UInt8) -> Bool {
    // 0xF3 is the first byte of the characters that replace marks.
    (widthMarker.value...pairMarker.value).contains(UInt32(byte)) || byte == 0xF3
  }

  /// Returns whether a character has a meaning in texts with pairs, so that it must not occur in other texts.
  static func isSign(_ character: Unicode.Scalar) -> Bool {
    (widthMarker...pairMarker).contains(character) || spellings.contains(character.value)
  }
}

extension String {
  /// The text with composed letters of these scripts. macOS uses decomposed Korean syllables, and writes `が` as `か`
  /// with a combining mark.
  fileprivate var composed: String {
    let hasParts = unicodeScalars.contains {
      (0x1100...0x11FF).contains($0.value) || (0x3099...0x309A).contains($0.value)
    }
    return hasParts ? precomposedStringWithCanonicalMapping : self
  }
}
