import Foundation
package import LearningModel
package import TextCanvas

/// The matches of a search query in the lines of a text.
package struct SearchMatches: Hashable {
  package let query: String
  /// The rectangles of cells that each match covers, one per line. The row of a rectangle is the index of the line in
  /// the text.
  package private(set) var places: [[CellRect]] = []
  /// The groups of matches between which the command *next match* moves, in order. Each group is a range of indices in
  /// ``places``.
  ///
  /// If the query has several words that occur close together, such matches form a group. Otherwise, each match is a
  /// group of its own.
  package private(set) var groups: [Range<Int>] = []
  /// The index of the current group.
  package var chosen = 0
  /// Whether no match has been shown yet. The matches can be computed only when the text has been laid out.
  package var isUnvisited = true

  /// Creates a search without matches.
  package init(_ query: String) { self.query = query }

  /// The index of the line on which the current group begins, or `nil` without matches.
  package var line: Int? { groups.indices.contains(chosen) ? places[groups[chosen].lowerBound].first?.row : nil }

  /// Returns whether a match belongs to the current group.
  package func isChosen(_ index: Int) -> Bool { groups.indices.contains(chosen) && groups[chosen].contains(index) }

  /// Computes the matches in the lines of a text.
  ///
  /// - Parameters:
  ///   - matches: The byte ranges of the matches in the lines, which are joined with line feeds.
  ///   - lines: The lines of the text.
  package mutating func update(_ matches: TextMatches, in lines: [StyledLine]) {
    places = []
    var (row, start) = (0, 0)
    for range in matches.places {
      while row < lines.count, start + lines[row].text.utf8.count < range.lowerBound {
        start += lines[row].text.utf8.count + 1
        row += 1
      }
      places.append(Self.cells(of: range, in: lines, from: row, startingAt: start))
    }
    let matchGroups = MatchGroups(matches, in: lines.map(\.text).joined(separator: "\n"))
    groups = matchGroups.groups
    if isUnvisited { chosen = matchGroups.nearest }
  }

  /// Returns the cells of a match.
  private static func cells(of range: Range<Int>, in lines: [StyledLine], from row: Int, startingAt start: Int)
    -> [CellRect]
  {
    var (row, start, cells): (Int, Int, [CellRect]) = (row, start, [])
    while row < lines.count, start < range.upperBound {
      let text = lines[row].text
      let byteRange = max(0, range.lowerBound - start)..<min(text.utf8.count, range.upperBound - start)
      if !byteRange.isEmpty {
        let index = { text.utf8.index(text.startIndex, offsetBy: $0) }
        let (first, end) = (index(byteRange.lowerBound), index(byteRange.upperBound))
        cells.append(
          CellRect(
            column: lines[row].indent + text[..<first].displayWidth, row: row,
            columns: text[first..<end].displayWidth, rows: 1))
      }
      start += text.utf8.count + 1
      row += 1
    }
    return cells
  }
}

/// Groups the matches of a query with several words, so that "first offer" finds both words close to each other.
package struct MatchGroups {
  /// The maximum length of a group in bytes, about one or two sentences.
  private static let maximumDistance = 200

  /// The groups in order, each as a range of indices of matches.
  package let groups: [Range<Int>]
  /// The index of the shortest group, or of the first one if several are equally short. 0 if there are no matches.
  package let nearest: Int

  /// - Parameters:
  ///   - matches: The matches of the words.
  ///   - text: The text that was searched.
  package init(_ matches: TextMatches, in text: String) {
    let windows = Self.windows(of: matches.places, in: text).sorted {
      (Self.bytes(of: $0, in: matches.places), $0.lowerBound) < (Self.bytes(of: $1, in: matches.places), $1.lowerBound)
    }
    var isUsed = [Bool](repeating: false, count: matches.places.count)
    var stops: [Range<Int>] = []
    for window in windows where !isUsed[window].contains(true) {
      for index in window { isUsed[index] = true }
      stops.append(window)
    }
    guard let shortest = stops.first else {
      self.groups = matches.places.indices.map { $0..<$0 + 1 }
      nearest = matches.best
      return
    }
    self.groups = stops.sorted { $0.lowerBound < $1.lowerBound }
    nearest = self.groups.firstIndex(of: shortest) ?? 0
  }

  /// Returns the matched word, folded so that all occurrences are equal.
  package static func word(at range: Range<Int>, in bytes: [UInt8]) -> String {
    String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self)
      .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  private static func bytes(of window: Range<Int>, in places: [Range<Int>]) -> Int {
    places[window.upperBound - 1].upperBound - places[window.lowerBound].lowerBound
  }

  /// Returns the ranges of consecutive matches that contain every word of the query and are at most ``maximumDistance``
  /// bytes long. Empty if the query has one word.
  private static func windows(of places: [Range<Int>], in text: String) -> [Range<Int>] {
    let bytes = Array(text.utf8)
    let words = places.map { word(at: $0, in: bytes) }
    let count = Set(words).count
    guard count > 1 else { return [] }
    var last: [String: Int] = [:]
    return words.indices.compactMap { index in
      last[words[index]] = index
      guard last.count == count, let first = last.values.min() else { return nil }
      let window = first..<index + 1
      return Self.bytes(of: window, in: places) <= maximumDistance ? window : nil
    }
  }
}
