import Foundation
package import LearningModel
package import TextCanvas

/// What a text was found for, as it stands in its lines.
package struct FoundWords: Hashable {
  /// What was searched for.
  package let query: String
  /// The cells of each place: one rectangle a line, rows counted as lines of the text.
  package private(set) var places: [[CellRect]] = []
  /// The places that are gone to, each together with those that stand by it: of several words, where all of them stand
  /// together, if they do anywhere; else every place by itself.
  package private(set) var stops: [Range<Int>] = []
  /// The chosen one of the stops.
  package var chosen = 0
  /// Whether nothing of it was shown yet: a page that was never seen is not set in lines.
  package var isNew = true

  /// Makes what was searched for; where it stands is not known yet.
  package init(_ query: String) { self.query = query }

  /// The line on which the chosen stop begins, from 0; `nil` where there is none.
  package var line: Int? { stops.indices.contains(chosen) ? places[stops[chosen].lowerBound].first?.row : nil }

  /// Whether a place belongs to the chosen stop.
  package func isChosen(_ place: Int) -> Bool { stops.indices.contains(chosen) && stops[chosen].contains(place) }

  /// Takes the places of a text that was set.
  ///
  /// - Parameters:
  ///   - matches: The places in the lines' words, one line below the other.
  ///   - lines: The lines.
  package mutating func take(_ matches: TextMatches, in lines: [StyledLine]) {
    places = []
    var (row, start) = (0, 0)
    for place in matches.places {
      while row < lines.count, start + lines[row].text.utf8.count < place.lowerBound {
        start += lines[row].text.utf8.count + 1
        row += 1
      }
      places.append(Self.cells(of: place, in: lines, from: row, startingAt: start))
    }
    let together = WordsTogether(matches, in: lines.map(\.text).joined(separator: "\n"))
    stops = together.stops
    if isNew { chosen = together.nearest }
  }

  /// The cells of a place that begins on a line.
  private static func cells(of place: Range<Int>, in lines: [StyledLine], from row: Int, startingAt start: Int)
    -> [CellRect]
  {
    var (row, start, cells): (Int, Int, [CellRect]) = (row, start, [])
    while row < lines.count, start < place.upperBound {
      let text = lines[row].text
      let words = max(0, place.lowerBound - start)..<min(text.utf8.count, place.upperBound - start)
      if !words.isEmpty {
        let index = { text.utf8.index(text.startIndex, offsetBy: $0) }
        let (first, end) = (index(words.lowerBound), index(words.upperBound))
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

/// Of the places of several words, which stand together: who looks for "first offer" looks for the two of them.
package struct WordsTogether {
  /// Bytes of a text in which words stand together: those of a sentence or two.
  private static let reach = 200

  /// The places as they are gone to, by their numbers, from the first to the last.
  package let stops: [Range<Int>]
  /// The stop whose words stand nearest together, the first of those; 0 where there is none.
  package let nearest: Int

  /// - Parameters:
  ///   - matches: Where the words stand.
  ///   - text: The text.
  package init(_ matches: TextMatches, in text: String) {
    let windows = Self.windows(of: matches.places, in: text).sorted {
      (Self.bytes(of: $0, in: matches.places), $0.lowerBound) < (Self.bytes(of: $1, in: matches.places), $1.lowerBound)
    }
    var isTaken = [Bool](repeating: false, count: matches.places.count)
    var stops: [Range<Int>] = []
    for window in windows where !isTaken[window].contains(true) {
      for place in window { isTaken[place] = true }
      stops.append(window)
    }
    guard let shortest = stops.first else {
      self.stops = matches.places.indices.map { $0..<$0 + 1 }
      nearest = matches.best
      return
    }
    self.stops = stops.sorted { $0.lowerBound < $1.lowerBound }
    nearest = self.stops.firstIndex(of: shortest) ?? 0
  }

  /// Returns the word at a place, in a form that is the same wherever the word is.
  package static func word(at place: Range<Int>, in bytes: [UInt8]) -> String {
    String(decoding: bytes[place.clamped(to: bytes.indices)], as: UTF8.self)
      .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  private static func bytes(of window: Range<Int>, in places: [Range<Int>]) -> Int {
    places[window.upperBound - 1].upperBound - places[window.lowerBound].lowerBound
  }

  /// The places, one after another, in which each of the words is; none where there is only one word.
  private static func windows(of places: [Range<Int>], in text: String) -> [Range<Int>] {
    let bytes = Array(text.utf8)
    let words = places.map { word(at: $0, in: bytes) }
    let count = Set(words).count
    guard count > 1 else { return [] }
    var last: [String: Int] = [:]
    return words.indices.compactMap { place in
      last[words[place]] = place
      guard last.count == count, let first = last.values.min() else { return nil }
      let window = first..<place + 1
      return Self.bytes(of: window, in: places) <= reach ? window : nil
    }
  }
}
