import LearningModel

/// How long a text is to a reader.
enum WordCount {
  /// Words between white space; each character of a script that is written without spaces is a word.
  static func words(in text: String) -> Int {
    var count = 0
    var isInside = false
    for scalar in text.unicodeScalars {
      if isWrittenWithoutSpaces(scalar) {
        count += 1
        isInside = false
      } else if scalar.properties.isWhitespace {
        isInside = false
      } else if !isInside {
        count += 1
        isInside = true
      }
    }
    return count
  }

  /// Kana and Chinese characters. Source: Unicode's blocks of them.
  private static func isWrittenWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF: true
    default: false
    }
  }
}

extension Block {
  /// How many words are in it.
  var words: Int { WordCount.words(in: plainText) }
}
