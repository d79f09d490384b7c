import Foundation
package import TextCanvas

/// A search in the lines of one text: all matches and the current one.
///
/// ```swift
/// var search = TextSearch(in: text.lines)
/// search.search(for: "far", from: 12)
/// search.count       // 3
/// search.line        // the first match at or below line 12
/// search.move(by: 1)
/// ```
package struct TextSearch {
  package private(set) var query = ""
  /// The index of the current match, or `nil` without matches.
  package private(set) var current: Int?

  private var lines: [StyledLine]
  private var text: FoldedText
  /// The start of each match in the folded text. All matches have the same length.
  private var starts: [Int] = []
  private var length = 0

  /// Creates a search without a query.
  package init(in lines: [StyledLine]) {
    self.lines = lines
    text = FoldedText(lines)
  }

  /// The number of matches.
  package var count: Int { starts.count }

  /// The index of the line on which the current match begins, or `nil` without matches.
  package var line: Int? { current.map { text.line(of: starts[$0]) } }

  /// Searches for a query.
  ///
  /// - Parameters:
  ///   - query: The text that the learner typed. Blank queries have no matches.
  ///   - line: The line at or after which the first match becomes current. If all matches are before this line, the
  ///     first match of the text becomes current.
  package mutating func search(for query: String, from line: Int) {
    self.query = query
    let needle = FoldedText(query: query).bytes
    (starts, length) = (Self.places(of: needle, in: text.bytes), needle.count)
    let first = text.start(ofLine: line)
    current = starts.isEmpty ? nil : starts.firstIndex { $0 >= first } ?? 0
  }

  /// Moves the current match by a number of matches, continuing at the other end of the text.
  package mutating func move(by step: Int) {
    guard let current else { return }
    self.current = ((current + step) % count + count) % count
  }

  /// Continues the search after the same text was laid out again.
  package mutating func update(_ lines: [StyledLine]) {
    guard lines != self.lines else { return }
    let number = current
    self = TextSearch(in: lines, lookingFor: query)
    current = starts.isEmpty ? nil : min(number ?? 0, count - 1)
  }

  private init(in lines: [StyledLine], lookingFor query: String) {
    self.init(in: lines)
    search(for: query, from: 0)
  }

  /// Returns the cells of the matches in a range of lines, with rows counted as lines of the text.
  package func cells(in range: Range<Int>) -> [(cells: CellRect, isChosen: Bool)] {
    guard length > 0 else { return [] }
    return range.clamped(to: lines.indices).flatMap { number in
      let (start, end) = (text.start(ofLine: number), text.start(ofLine: number + 1))
      // The first match that ends after the beginning of the line.
      var index = starts.partitioningIndex { $0 + length > start }
      guard index < count, starts[index] < end else { return [(cells: CellRect, isChosen: Bool)]() }
      let columns = text.columns(of: lines[number], number: number)
      var results: [(cells: CellRect, isChosen: Bool)] = []
      while index < count, starts[index] < end {
        let bytes = (starts[index] - start..<starts[index] + length - start).clamped(to: columns.indices)
        let letters = columns[bytes].filter { !$0.isEmpty }
        if let first = letters.first?.lowerBound, let end = letters.last?.upperBound, first < end {
          results.append(
            (CellRect(column: first, row: number, columns: end - first, rows: 1), isChosen: index == current))
        }
        index += 1
      }
      return results
    }
  }

  /// Returns the offsets at which a text contains `needle`, without matches that overlap the preceding one.
  private static func places(of needle: [UInt8], in text: [UInt8]) -> [Int] {
    guard needle.contains(where: { $0 != UInt8(ascii: " ") }), needle.count <= text.count else { return [] }
    var places: [Int] = []
    text.withUnsafeBufferPointer { text in
      needle.withUnsafeBufferPointer { needle in
        let (first, length, last) = (needle[0], needle.count, text.count - needle.count)
        var offset = 0
        while offset <= last {
          guard text[offset] == first else {
            offset += 1
            continue
          }
          var matchLength = 1
          while matchLength < length, text[offset + matchLength] == needle[matchLength] { matchLength += 1 }
          if matchLength == length {
            places.append(offset)
            offset += length
          } else {
            offset += 1
          }
        }
      }
    }
    return places
  }
}

extension [Int] {
  /// Returns the first index whose element satisfies a predicate. If an element satisfies it, all following elements
  /// must satisfy it too.
  fileprivate func partitioningIndex(where passes: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if passes(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The lines of a text in the form that searches compare.
///
/// Case and diacritics are removed. Compatibility characters such as fullwidth, bold and raised letters become plain
/// letters. Every run of white space, including line ends, becomes one space, so queries match across line breaks. The
/// search in all courses folds letters in the same way.
struct FoldedText {
  /// The folded text in UTF-8.
  private(set) var bytes: [UInt8] = []
  /// The offset of each line in ``bytes``.
  private(set) var lineStarts: [Int] = []
  private var folding = LetterFolding()

  init(_ lines: [StyledLine] = []) {
    bytes.reserveCapacity(lines.count * 64)
    lineStarts.reserveCapacity(lines.count)
    for line in lines {
      lineStarts.append(bytes.count)
      append(line)
    }
  }

  /// Folds a query. Blanks at its start are removed; blanks at its end are kept and searched for.
  init(query: String) {
    append(query)
  }

  /// Returns the line that contains a byte.
  func line(of byte: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while low < high {
      let middle = (low + high) / 2
      if lineStarts[middle] <= byte { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  /// Returns the offset of a line, or the length of the text after the last line.
  func start(ofLine line: Int) -> Int { lineStarts.indices.contains(line) ? lineStarts[line] : bytes.count }

  /// Returns, for each byte of a folded line, the columns of the character from which it was folded.
  ///
  /// - Parameters:
  ///   - line: The line that was folded.
  ///   - number: The index of the line.
  func columns(of line: StyledLine, number: Int) -> [Range<Int>] {
    var copy = FoldedText()
    // The preceding byte determines whether a blank at the beginning of the line is removed.
    let start = start(ofLine: number)
    if start > 0 { copy.bytes.append(bytes[start - 1]) }
    let initialCount = copy.bytes.count
    var columns: [Range<Int>] = []
    copy.endLine()
    columns += repeatElement(line.indent..<line.indent, count: copy.bytes.count - initialCount)
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

  /// Appends the space to which a line break is folded.
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
    // Ignores the bars of quotations and the continuation symbol in the margin.
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
  /// The text in the form that searches compare: without case and diacritics, and with single spaces.
  package var folded: String { String(decoding: FoldedText(query: self).bytes, as: UTF8.self) }
}

/// A cache of folded characters.
private struct LetterFolding {
  enum Folded {
    case blank
    case letters([UInt8])
  }

  private var cache: [UInt32: Folded] = [:]

  subscript(scalar: Unicode.Scalar) -> Folded {
    mutating get {
      if let folded = cache[scalar.value] { return folded }
      let folded = Self.fold(scalar)
      cache[scalar.value] = folded
      return folded
    }
  }

  /// Returns the folded form of a character.
  ///
  /// Source: Unicode 15, compatibility decomposition (`𝐮` is `u`, `²` is `2`, `ﬁ` is `fi`) unless it contains white
  /// space, then lower case without nonspacing marks (Mn) and format characters (Cf).
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
