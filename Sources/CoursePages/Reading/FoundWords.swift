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
