import Foundation
package import TextCanvas

/// A search in the lines of one text: every place where letters stand, and the one that is gone to.
///
/// ```swift
/// var search = TextSearch(in: text.lines)
/// search.look(for: "far", from: 12)
/// search.count       // 3
/// search.line        // the first of them at or below line 12
/// search.go(by: 1)
/// ```
package struct TextSearch {
  /// What is looked for.
  package private(set) var query = ""
  /// Which of the places is gone to, from 0; `nil` where there is none.
  package private(set) var chosen: Int?

  private var lines: [StyledLine]
  private var text: FoldedText
  /// Where each place begins in the folded text, and how long it is.
  private var starts: [Int] = []
  private var length = 0

  /// Makes a search that looks for nothing yet.
  package init(in lines: [StyledLine]) {
    self.lines = lines
    text = FoldedText(lines)
  }

  /// How many places there are.
  package var count: Int { starts.count }

  /// The line on which the chosen place begins, from 0; `nil` where there is none.
  package var line: Int? { chosen.map { text.line(of: starts[$0]) } }

  /// Looks for letters.
  ///
  /// - Parameters:
  ///   - query: What somebody typed. Of nothing, and of blanks alone, there is no place.
  ///   - line: The line from which on the first place is chosen; behind the last one the first of all.
  package mutating func look(for query: String, from line: Int) {
    self.query = query
    let needle = FoldedText(query: query).bytes
    (starts, length) = (Self.places(of: needle, in: text.bytes), needle.count)
    let first = text.start(ofLine: line)
    chosen = starts.isEmpty ? nil : starts.firstIndex { $0 >= first } ?? 0
  }

  /// Moves on by so many places; behind the last one comes the first.
  package mutating func go(by step: Int) {
    guard let chosen else { return }
    self.chosen = ((chosen + step) % count + count) % count
  }

  /// Continues in the same text, set in other lines.
  package mutating func take(_ lines: [StyledLine]) {
    guard lines != self.lines else { return }
    let number = chosen
    self = TextSearch(in: lines, lookingFor: query)
    chosen = starts.isEmpty ? nil : min(number ?? 0, count - 1)
  }

  private init(in lines: [StyledLine], lookingFor query: String) {
    self.init(in: lines)
    look(for: query, from: 0)
  }

  /// The cells of the places in some of the lines, rows counted as lines of the text.
  package func cells(in range: Range<Int>) -> [(cells: CellRect, isChosen: Bool)] {
    guard length > 0 else { return [] }
    return range.clamped(to: lines.indices).flatMap { number in
      let (start, end) = (text.start(ofLine: number), text.start(ofLine: number + 1))
      // The first place that ends behind the line's beginning.
      var index = starts.partitioningIndex { $0 + length > start }
      guard index < count, starts[index] < end else { return [(cells: CellRect, isChosen: Bool)]() }
      let columns = text.columns(of: lines[number], number: number)
      var found: [(cells: CellRect, isChosen: Bool)] = []
      while index < count, starts[index] < end {
        let bytes = (starts[index] - start..<starts[index] + length - start).clamped(to: columns.indices)
        let letters = columns[bytes].filter { !$0.isEmpty }
        if let first = letters.first?.lowerBound, let end = letters.last?.upperBound, first < end {
          found.append(
            (CellRect(column: first, row: number, columns: end - first, rows: 1), isChosen: index == chosen))
        }
        index += 1
      }
      return found
    }
  }

  /// Where letters stand in a text, without those that begin inside another place.
  private static func places(of needle: [UInt8], in text: [UInt8]) -> [Int] {
    guard needle.contains(where: { $0 != UInt8(ascii: " ") }), needle.count <= text.count else { return [] }
    var places: [Int] = []
    text.withUnsafeBufferPointer { text in
      needle.withUnsafeBufferPointer { needle in
        let (first, length, last) = (needle[0], needle.count, text.count - needle.count)
        var place = 0
        while place <= last {
          guard text[place] == first else {
            place += 1
            continue
          }
          var same = 1
          while same < length, text[place + same] == needle[same] { same += 1 }
          if same == length {
            places.append(place)
            place += length
          } else {
            place += 1
          }
        }
      }
    }
    return places
  }
}

extension [Int] {
  /// The first index whose element passes, in an array in which all those behind one that passes do so too.
  fileprivate func partitioningIndex(where passes: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if passes(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

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
