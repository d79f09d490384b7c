import CoursePages
import LearningModel
import TextCanvas

/// A screen whose text shows what it was opened for.
@MainActor protocol FoundText: LinkedText {
  /// What the text was opened for; `nil` where it was opened to be read.
  var found: FoundWords? { get set }
  /// What the text is, as in `1 of 3 in this text`.
  var foundWhere: String { get }

  /// Shows what the page was opened for, where it has something of it.
  func show(found query: String)
  /// Shows a line in a third of what is seen, to somebody who looks something up and reads nothing by that.
  func lookUp(line: Int, gliding: Bool)
}

extension FoundText {
  /// Looks for it in the lines as they are set now.
  func lookForFound() {
    guard let query = found?.query else { return }
    let matches = shell.matches(of: query, in: text.lines.map(\.text).joined(separator: "\n"))
    found?.take(matches, in: text.lines)
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
    guard let found else { return false }
    let step: Int
    switch command {
    case .next, .nextTab: step = 1
    case .previousFound, .previousTab: step = -1
    default: return false
    }
    let next = found.chosen + step
    if found.stops.indices.contains(next) { self.found?.chosen = next } else { self.found = nil }
    showChosenPlace(gliding: true)
    return true
  }

  private func showChosenPlace(gliding: Bool) {
    if let line = found?.line, !visibleLines.contains(line) { lookUp(line: line, gliding: gliding) }
    pane.redraw()
    shell.pageChanged(self)
  }

  func markFound(on surface: inout Surface, from first: Int) {
    guard let found else { return }
    let style = shell.appearance.theme.hit(bold: true)
    for (index, cells) in found.places.enumerated() {
      for cells in cells {
        surface.mapStyles(in: cells.offset(rows: -first)) { old in
          var new = found.isChosen(index) ? style.with(.reverse) : style
          new.link = old.link
          return new
        }
      }
    }
  }

  /// What the next step's row says while it is shown: which of the places this is, and the key for the next.
  var foundHint: Footer.Hint? {
    guard let found else { return nil }
    let (quotes, isLast) = (shell.appearance.symbols.quotes, found.chosen == found.stops.count - 1)
    // Marks of quotation that were typed are not said within others.
    let words = quotes.around(found.query.filter { !"\"“”".contains($0) })
    let number = "\(found.chosen + 1) of \(found.stops.count)"
    return Footer.Hint(
      key: "n", text: isLast ? "Let \(words) go" : "Next \(words)", detail: "\(number) in \(foundWhere)",
      brief: number)
  }
}
