import Foundation

/// Words of scripts that are written without blanks between them: Chinese, Japanese, and Korean, where what belongs to a
/// word is written onto it.
///
/// Nobody can say where such a word ends without knowing the language, so the index has each letter with the one behind
/// it: what was typed is found wherever its pairs stand one after the other, inside whatever run of letters. The last
/// letter of a run stands alone, so that each letter begins one entry.
///
/// The pairs are written into the text itself, in a way that can be taken back: `交渉の` becomes `交渉⸱渉の⸱の`, where `⸱` is
/// ``takingBack``. What parts a run from other letters beside it is ``parting``.
///
/// Source: the n-gram indexing of texts without word boundaries; Nie, Gao, Zhang and Zhou, "On the use of words and
/// n-grams for Chinese information retrieval", 2000: pairs find as well as words from a dictionary do.
enum LetterPairs {
  /// Stands behind a pair, and takes itself and the letter before it back.
  private static let takingBack: Unicode.Scalar = "\u{1F}"
  /// Stands between a run and other letters, and takes only itself back.
  private static let parting: Unicode.Scalar = "\u{1E}"

  /// Whether a letter is of a script that is written without blanks.
  ///
  /// Source: Unicode 15, the letters among the blocks of Han, Hiragana, Katakana, Bopomofo and Hangul syllables.
  static func contains(_ letter: Unicode.Scalar) -> Bool {
    switch letter.value {
    case ..<0x3005: false
    case 0x3005...0x3007, 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF: true
    case 0x3105...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF: true
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
    case 0xF900...0xFA6D, 0xFA70...0xFAD9, 0xFF66...0xFF9F: true
    case 0x20000...0x2FFFD, 0x30000...0x3FFFD: true
    default: false
    }
  }

  /// Whether a text has such letters.
  static func areNeeded(for text: String) -> Bool {
    // All such letters begin with one of these bytes in UTF-8, and most texts have none of them.
    text.utf8.contains { $0 >= 0xE3 || $0 == 0xE1 } && text.composed.unicodeScalars.contains(where: contains)
  }

  /// Returns a text with pairs in place of its runs; what has none as it is.
  static func paired(_ text: String) -> String {
    guard areNeeded(for: text) else { return text }
    return runs(of: text).map { $0.isPaired ? pairs(of: $0.text, isOpen: false) : $0.text }
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
      text += run.isPaired ? pairs(of: run.text, isOpen: index == last) : run.text
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
  /// - Parameter isOpen: Whether the run may go on behind its last letter, so that this one does not stand alone.
  private static func pairs(of run: String, isOpen: Bool) -> String {
    let letters = run.unicodeScalars
    var pairs = String.UnicodeScalarView()
    for (letter, following) in zip(letters, letters.dropFirst()) {
      pairs.append(letter)
      pairs.append(following)
      pairs.append(takingBack)
    }
    if isOpen, letters.count > 1 { pairs.removeLast() } else { pairs.append(contentsOf: letters.suffix(1)) }
    return String(pairs)
  }

  /// Returns the text of which ``paired(_:)`` made this.
  static func text(of paired: String) -> String {
    guard paired.utf8.contains(where: isSign) else { return paired }
    var text = String.UnicodeScalarView()
    for letter in paired.unicodeScalars {
      if letter == takingBack { _ = text.popLast() } else if letter != parting { text.append(letter) }
    }
    return String(text)
  }

  /// Whether a byte is a character that means something in texts with pairs, so that no other text may have it.
  static func isSign(_ byte: UInt8) -> Bool { byte == takingBack.value || byte == parting.value }

  /// The same of a character.
  static func isSign(_ character: Unicode.Scalar) -> Bool { character == takingBack || character == parting }
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
