import Foundation
import TextCanvas

/// The lines of a text as a search compares them: without case, without the marks over letters, wide, bold and
/// raised letters as plain ones, and every run of blanks, a line's end among them, as one blank.
///
/// So words that a line breaks between are found as they are found within one. What the search over all courses takes
/// for the same letter is the same letter here.
struct FoldedText {
  /// The letters, in UTF-8.
  private(set) var bytes: [UInt8] = []
  /// Where each line begins in them.
  private(set) var lineStarts: [Int] = []
  private var folding = LetterFolding()

  /// Folds the lines of a text.
  init(_ lines: [StyledLine] = []) {
    bytes.reserveCapacity(lines.count * 64)
    lineStarts.reserveCapacity(lines.count)
    for line in lines {
      lineStarts.append(bytes.count)
      append(line)
    }
  }

  /// Folds what somebody looks for: a blank before it means nothing, one behind it does.
  init(query: String) {
    append(query)
  }

  /// The line that a byte belongs to.
  func line(of byte: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while low < high {
      let middle = (low + high) / 2
      if lineStarts[middle] <= byte { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  /// Where a line begins in the bytes; behind the last line, where they end.
  func start(ofLine line: Int) -> Int { lineStarts.indices.contains(line) ? lineStarts[line] : bytes.count }

  /// The columns of the letters that each byte of a line stands for.
  ///
  /// - Parameters:
  ///   - line: The line, as it was given.
  ///   - number: Which of them it is.
  func columns(of line: StyledLine, number: Int) -> [Range<Int>] {
    var copy = FoldedText()
    // Whether a blank at its beginning counts hangs on what stands before.
    let start = start(ofLine: number)
    if start > 0 { copy.bytes.append(bytes[start - 1]) }
    let before = copy.bytes.count
    var columns: [Range<Int>] = []
    copy.endLine()
    columns += repeatElement(line.indent..<line.indent, count: copy.bytes.count - before)
    var (column, isMargin) = (line.indent, true)
    for run in line.runs {
      for character in run.text {
        let width = String(character).displayWidth
        let count = copy.bytes.count
        for scalar in character.unicodeScalars { copy.append(scalar, &isMargin) }
        columns += repeatElement(column..<column + width, count: copy.bytes.count - count)
        column += width
      }
    }
    return columns
  }

  private mutating func append(_ line: StyledLine) {
    endLine()
    var isMargin = true
    for run in line.runs {
      var text = run.text
      let isPlain =
        text.utf8.withContiguousStorageIfAvailable { letters in
          guard letters.allSatisfy({ $0 < 0x80 }) else { return false }
          for letter in letters { append(ascii: letter, &isMargin) }
          return true
        } ?? false
      if isPlain { continue }
      text.makeContiguousUTF8()
      for scalar in text.unicodeScalars { append(scalar, &isMargin) }
    }
  }

  private mutating func append(_ query: String) {
    var isMargin = false
    for scalar in query.unicodeScalars { append(scalar, &isMargin) }
  }

  /// Between two lines is a blank.
  private mutating func endLine() { appendBlank() }

  private mutating func appendBlank() {
    if let last = bytes.last, last != Self.blank { bytes.append(Self.blank) }
  }

  private static let blank = UInt8(ascii: " ")

  private mutating func append(ascii letter: UInt8, _ isMargin: inout Bool) {
    switch letter {
    case 0x41...0x5A: bytes.append(letter | 0x20)
    case ...0x20, 0x7F: return appendBlank()
    default: bytes.append(letter)
    }
    isMargin = false
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ isMargin: inout Bool) {
    if scalar.isASCII { return append(ascii: UInt8(scalar.value), &isMargin) }
    // The bars of quotations and the sign of a line that continues stand before the words, and are none of them.
    if isMargin, (0x2500...0x259F).contains(scalar.value) || scalar.value == 0x21AA { return appendBlank() }
    switch folding[scalar] {
    case .blank: appendBlank()
    case .letters(let letters):
      guard !letters.isEmpty else { return }
      bytes += letters
      isMargin = false
    }
  }
}

extension String {
  /// As a search compares it: without case and marks over letters, every run of blanks as one.
  package var folded: String { String(decoding: FoldedText(query: self).bytes, as: UTF8.self) }
}

/// What single letters are folded to, remembered once they were asked for.
private struct LetterFolding {
  enum Folded {
    case blank
    case letters([UInt8])
  }

  private var known: [UInt32: Folded] = [:]

  subscript(scalar: Unicode.Scalar) -> Folded {
    mutating get {
      if let folded = known[scalar.value] { return folded }
      let folded = Self.fold(scalar)
      known[scalar.value] = folded
      return folded
    }
  }

  /// Source: Unicode 15, compatibility decomposition (`𝐮` is `u`, `²` is `2`, `ﬁ` is `fi`) where it has no blank, and
  /// lower case, without marks (Mn) and invisible signs (Cf).
  private static func fold(_ scalar: Unicode.Scalar) -> Folded {
    if scalar.properties.isWhitespace { return .blank }
    let compatible = String(scalar).decomposedStringWithCompatibilityMapping
    let plain = compatible.contains(where: \.isWhitespace) ? String(scalar) : compatible
    let letters = plain.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars.filter {
      ![.nonspacingMark, .format].contains($0.properties.generalCategory)
    }
    return .letters(Array(String(String.UnicodeScalarView(letters)).utf8))
  }
}
