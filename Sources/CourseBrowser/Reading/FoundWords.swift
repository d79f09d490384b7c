import LearningModel
import TextCanvas

/// What a text was found for, as it stands in its lines.
struct FoundWords: Hashable {
  /// What was searched for.
  let query: String
  /// The cells of each place: one rectangle a line, rows counted as lines of the text.
  private(set) var places: [[CellRect]] = []
  /// The chosen place.
  var chosen = 0
  /// Whether nothing of it was shown yet: a page that nobody has seen is not set in lines.
  var isNew = true

  /// Makes what was searched for; where it stands is not known yet.
  init(_ query: String) { self.query = query }

  /// The line on which the chosen place begins, from 0; `nil` where there is none.
  var line: Int? { places.indices.contains(chosen) ? places[chosen].first?.row : nil }

  /// Takes the places of a text that was set.
  ///
  /// - Parameters:
  ///   - matches: The places in the lines' words, one line below the other.
  ///   - lines: The lines.
  mutating func take(_ matches: TextMatches, in lines: [StyledLine]) {
    places = []
    var (row, start) = (0, 0)
    for place in matches.places {
      while row < lines.count, start + lines[row].text.utf8.count < place.lowerBound {
        start += lines[row].text.utf8.count + 1
        row += 1
      }
      places.append(Self.cells(of: place, in: lines, from: row, startingAt: start))
    }
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

extension ReadingScreen {
  /// Shows in the text what it was found for, in a third of what is seen; a text that has nothing of it is shown as ever.
  func show(found query: String) {
    found = FoundWords(query)
    guard !text.lines.isEmpty else { return }
    lookForFound()
    showFirstFound()
  }

  /// Looks for it in the lines as they are set now.
  func lookForFound() {
    guard let query = found?.query else { return }
    let matches = shell.matches(of: query, in: text.lines.map(\.text).joined(separator: "\n"))
    found?.take(matches, in: text.lines)
    if found?.isNew == true { found?.chosen = matches.best }
    if matches.places.isEmpty { found = nil }
  }

  /// Shows it for the first time, once the text is set.
  func showFirstFound() {
    guard found?.isNew == true else { return }
    found?.isNew = false
    showChosenPlace(gliding: false)
  }

  /// Answers the keys that go from place to place; behind the last one they are the links' again.
  func performOnFound(_ command: Command) -> Bool {
    guard let found, command == .nextTab || command == .previousTab else { return false }
    let next = found.chosen + (command == .nextTab ? 1 : -1)
    if found.places.indices.contains(next) { self.found?.chosen = next } else { self.found = nil }
    showChosenPlace(gliding: true)
    return true
  }

  private func showChosenPlace(gliding: Bool) {
    if let line = found?.line, !visibleLines.contains(line) {
      scroll(to: line - visibleRows / 3, gliding: gliding, isLookingUp: true)
    }
    pane.redraw()
    shell.pageChanged(self)
  }

  func markFound(on surface: inout Surface, from first: Int) {
    guard let found else { return }
    let style = shell.appearance.theme.hit(bold: true)
    for (index, cells) in found.places.enumerated() {
      for cells in cells {
        surface.mapStyles(in: cells.offset(rows: -first)) { old in
          var new = index == found.chosen ? style.with(.reverse) : style
          new.link = old.link
          return new
        }
      }
    }
  }

  /// What the next step's row says while it is shown: which of the places this is, and the key for the next.
  var foundHint: BrowserScreen.Hint? {
    guard let found else { return nil }
    let (quotes, isLast) = (shell.appearance.symbols.quotes, found.chosen == found.places.count - 1)
    // Marks of quotation that were typed are not said within others.
    let words = quotes.open + found.query.filter { !"\"“”".contains($0) } + quotes.close
    let number = "\(found.chosen + 1) of \(found.places.count)"
    return BrowserScreen.Hint(
      key: "Tab", text: isLast ? "Let \(words) go" : "Next \(words)", detail: number + " in this text", brief: number)
  }
}
