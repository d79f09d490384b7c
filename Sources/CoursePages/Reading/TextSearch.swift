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
