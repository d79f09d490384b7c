import Foundation

/// Words of scripts that are written without blanks between them: Chinese, Japanese, Thai, Lao, Khmer and Burmese, and
/// Korean, where what belongs to a word is written onto it.
///
/// Where such a word ends cannot be told without knowing the language, so the index has each letter with the one behind
/// it: what was typed is found wherever its pairs stand one after the other, inside whatever run of letters. The last
/// letter of a run stands alone, so that each letter begins one entry.
///
/// The pairs are written into the text itself, in a way that can be taken back: `交渉の` becomes `交渉⸱渉の⸱の`, where `⸱` is
/// ``takingBack``. What parts a run from other letters beside it is ``parting``. The vowels and tones of Thai and its
/// neighbours are marks, which the index takes for blanks, so each stands there as a letter that has no other use.
///
/// Beside these scripts Latin letters and digits are often written as wide as theirs. They are found by the plain ones,
/// which stand in their place, between two of ``widening``.
///
/// Source: the n-gram indexing of texts without word boundaries; Nie, Gao, Zhang and Zhou, "On the use of words and
/// n-grams for Chinese information retrieval", 2000: pairs find as well as words from a dictionary do.
enum LetterPairs {
  /// Stands behind a pair, and takes itself and the letter before it back.
  private static let takingBack: Unicode.Scalar = "\u{1F}"
  /// Stands between a run and other letters, and takes only itself back.
  private static let parting: Unicode.Scalar = "\u{1E}"
  /// Stands before and behind plain letters that are wide ones, and takes only itself back.
  private static let widening: Unicode.Scalar = "\u{1D}"

  /// Whether a letter is of a script that is written without blanks.
  ///
  /// Source: Unicode 15, the letters among the blocks of Han, Hiragana, Katakana, Bopomofo and Hangul syllables, and the
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

  /// Whether a text has such letters, or wide ones.
  static func areNeeded(for text: String) -> Bool {
    // All such letters begin with one of these bytes in UTF-8, and most texts have none of them: with the one between
    // begin the quotation marks and dashes that many have.
    text.utf8.contains { $0 >= 0xE0 && $0 != 0xE2 }
      && text.composed.unicodeScalars.contains { contains($0) || plain($0) != nil }
  }

  /// The plain letter or digit that a wide one stands for; `nil` for all others.
  ///
  /// Source: Unicode 15, the block of halfwidth and fullwidth forms.
  static func plain(_ letter: Unicode.Scalar) -> Unicode.Scalar? {
    switch letter.value {
    case 0xFF10...0xFF19, 0xFF21...0xFF3A, 0xFF41...0xFF5A: Unicode.Scalar(letter.value - 0xFEE0)
    default: nil
    }
  }

  /// Returns a text with plain letters in place of wide ones.
  static func plain(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { plain($0) ?? $0 }))
  }

  /// Returns a text with plain letters in place of wide ones, in a way that can be taken back.
  private static func narrowed(_ text: String) -> String {
    var letters = String.UnicodeScalarView()
    var isWide = false
    for letter in text.unicodeScalars {
      let narrow = plain(letter)
      if (narrow != nil) != isWide {
        letters.append(widening)
        isWide.toggle()
      }
      letters.append(narrow ?? letter)
    }
    if isWide { letters.append(widening) }
    return String(letters)
  }

  /// Returns a text with pairs in place of its runs; what has none as it is.
  static func paired(_ text: String) -> String {
    guard areNeeded(for: text) else { return text }
    return runs(of: text).map { $0.isPaired ? pairs(of: $0.text, isOpen: false) : narrowed($0.text) }
      .joined(separator: String(parting))
  }

  /// Returns the words of a query that shall stand beside each other, as they stand in texts with pairs.
  ///
  /// - Parameter isBeginning: Whether the last word is the beginning of what is found.
  /// - Returns: The words, and whether the last one is a beginning in the index: where a run ends them, it is found in the
  ///   middle of others anyway, and one letter begins a pair. `nil` where there is nothing to pair.
  static func phrase(_ words: String, isBeginning: Bool) -> (text: String, isBeginning: Bool)? {
    guard areNeeded(for: words) else { return nil }
    let runs = runs(of: words)
    let last = runs.lastIndex { run in run.text.contains { $0.isLetter || $0.isNumber } } ?? 0
    var text = ""
    for (index, run) in runs.enumerated() {
      if index > 0 { text.unicodeScalars.append(parting) }
      text += run.isPaired ? pairs(of: run.text, isOpen: index == last) : plain(run.text)
    }
    return (text, runs[last].isPaired ? runs[last].text.unicodeScalars.count == 1 : isBeginning)
  }

  /// The pieces of a text: letters of these scripts, and what is between them.
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
  /// - Parameter isOpen: Whether the run may continue behind its last letter, so that this one does not stand alone.
  private static func pairs(of run: String, isOpen: Bool) -> String {
    let letters = run.unicodeScalars.map(spelt)
    var pairs = String.UnicodeScalarView()
    for (letter, following) in zip(letters, letters.dropFirst()) {
      pairs.append(letter)
      pairs.append(following)
      pairs.append(takingBack)
    }
    if isOpen, letters.count > 1 { pairs.removeLast() } else { pairs.append(contentsOf: letters.suffix(1)) }
    return String(pairs)
  }

  /// How far from a mark the letter is that stands for it: among those for private use, which the index
  /// takes for letters.
  private static let fromMark: UInt32 = 0xF0000
  /// Where those letters are.
  private static let spellings: ClosedRange<UInt32> = 0xF0E00...0xF17FF

  /// The letter as it stands in a pair.
  private static func spelt(_ letter: Unicode.Scalar) -> Unicode.Scalar {
    guard letter.value < 0x2000 else { return letter }
    switch letter.properties.generalCategory {
    case .nonspacingMark, .spacingMark: return Unicode.Scalar(letter.value + fromMark) ?? letter
    default: return letter
    }
  }

  /// Returns the text of which ``paired(_:)`` made this.
  static func text(of paired: String) -> String {
    guard paired.utf8.contains(where: isSign) else { return paired }
    var text = String.UnicodeScalarView()
    var isWide = false
    for letter in paired.unicodeScalars {
      switch letter {
      case takingBack: _ = text.popLast()
      case parting: break
      case widening: isWide.toggle()
      case _ where isWide: text.append(Unicode.Scalar(letter.value + 0xFEE0) ?? letter)
      case _ where spellings.contains(letter.value): text.append(Unicode.Scalar(letter.value - fromMark) ?? letter)
      default: text.append(letter)
      }
    }
    return String(text)
  }

  /// Whether a byte may be of a character that means something in texts with pairs.
  static func isSign(_ byte: UInt8) -> Bool {
    // The last is what the letters that stand for marks begin with.
    (widening.value...takingBack.value).contains(UInt32(byte)) || byte == 0xF3
  }

  /// Whether a character means something in texts with pairs, so that no other text may have it.
  static func isSign(_ character: Unicode.Scalar) -> Bool {
    (widening...takingBack).contains(character) || spellings.contains(character.value)
  }
}

extension String {
  /// The same with each letter of these scripts as one: from a Mac come syllables of Korean in parts, and `が` as `か` with
  /// a mark.
  fileprivate var composed: String {
    let hasParts = unicodeScalars.contains {
      (0x1100...0x11FF).contains($0.value) || (0x3099...0x309A).contains($0.value)
    }
    return hasParts ? precomposedStringWithCanonicalMapping : self
  }
}
