import LearningModel

/// Makes the summary of a text whose author wrote no summary.
enum FirstSentence {
  /// The maximum length in characters. A longer sentence is cut after a complete word.
  static let maximumLength = 160

  /// Returns the first sentence of the first paragraph, or an empty text if the first six blocks contain no paragraph
  /// with letters.
  static func summary(of blocks: [Block]) -> String {
    for block in blocks.prefix(6) {
      guard case .paragraph(let line) = block else { continue }
      let words = line.withoutImages.plainText.withoutNoteMarks.onOneLine
      guard words.contains(where: \.isLetter) else { continue }
      return cut(words)
    }
    return ""
  }

  private static func cut(_ words: String) -> String {
    let head = words.prefix(maximumLength + 1)
    if let end = sentenceEnd(in: head) { return String(head[..<end]) }
    guard head.count > maximumLength else { return words }
    let complete = head.lastIndex(of: " ").map { head[..<$0] } ?? head.dropLast()
    return complete.trimmingBlanks + "…"
  }

  /// Returns the end of the first sentence, or `nil` if the text does not contain a complete sentence.
  private static func sentenceEnd(in text: Substring) -> Substring.Index? {
    var index = text.startIndex
    while index < text.endIndex {
      let mark = text[index]
      var next = text.index(after: index)
      if "。！？".contains(mark) { return next }
      if ".!?…".contains(mark) {
        while next < text.endIndex, "\"'”’)]»".contains(text[next]) { next = text.index(after: next) }
        if next < text.endIndex, text[next] == " ", begins(text[next...].dropFirst()),
          mark != "." || !isAbbreviated(text[..<index])
        {
          return next
        }
      }
      index = text.index(after: index)
    }
    return nil
  }

  /// Returns whether a text can be the beginning of a sentence.
  private static func begins(_ text: Substring) -> Bool {
    guard let first = text.first(where: { !"\"'“‘([«¿¡".contains($0) }) else { return false }
    return first.isUppercase || first.isNumber || first.isLetter && !first.isLowercase
  }

  /// Returns whether a text ends in an abbreviation or in an initial, so that a full stop after it does not end the
  /// sentence.
  private static func isAbbreviated(_ text: Substring) -> Bool {
    let word = text.reversed().prefix { !$0.isWhitespace && $0 != "(" }.reversed()
    return word.count == 1 && word.first?.isLetter == true || abbreviations.contains(String(word).lowercased())
  }

  private static let abbreviations: Set<String> = [
    "e.g", "i.e", "cf", "vs", "mr", "mrs", "ms", "dr", "prof", "st", "no", "fig", "eq", "sec", "ch", "vol", "p", "pp",
    "ca", "approx", "etc", "al", "z.b", "d.h", "bzw", "nr", "usw",
  ]
}

extension String {
  /// The text without footnote references, such as `[1]`.
  fileprivate var withoutNoteMarks: String {
    guard contains("[") else { return self }
    return replacing(#/\[(?:\d{1,4}|[*†‡§]{1,3})\]/#, with: "")
  }
}

extension [Inline] {
  /// The elements without images, at every depth.
  fileprivate var withoutImages: [Inline] {
    filter { if case .image = $0 { false } else { true } }.map { $0.mapChildren(\.withoutImages) }
  }
}
