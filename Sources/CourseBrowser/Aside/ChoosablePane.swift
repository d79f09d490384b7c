import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// Something beside a page, or below its list, whose rows lead to places: with keys as with the mouse.
@MainActor protocol ChoosablePane: Layer {
  /// What it shows.
  var aside: Aside? { get }
  /// The rows that lead to places, from its first.
  var places: [Int: NodeID] { get }
  /// The row that the keys have chosen; `nil` where they are the page's.
  var chosenRow: Int? { get set }
}

extension ChoosablePane {
  /// Whether there is anything to choose in it, and it is seen.
  var isChoosable: Bool { !isHidden && !places.isEmpty }

  /// The place of the chosen row.
  var chosenPlace: NodeID? { chosenRow.flatMap { places[$0] } }

  /// What the chosen row is called.
  var chosenTitle: String? {
    guard let chosenPlace, case .outline(let rows, _) = aside?.content else { return nil }
    return rows.first { $0.card.node == chosenPlace }?.card.title
  }

  /// Chooses another row, so many further; as far as there are any.
  func choose(by step: Int) {
    let rows = places.keys.sorted()
    guard let last = rows.indices.last, let index = rows.firstIndex(where: { $0 >= chosenRow ?? 0 }) else { return }
    chosenRow = rows[chosenRow == nil ? 0 : max(0, min(last, index + max(-rows.count, min(rows.count, step))))]
  }

  /// Marks the chosen row on what is drawn: all of it in one colour, from its first column to its last.
  func markChosen(on surface: inout Surface, in style: Style) {
    guard let chosenRow else { return }
    let row = CellRect(column: 0, row: chosenRow, columns: surface.columns, rows: 1)
    let words = surface.part(row)
    surface.fill(row, with: .blank)
    surface.overlay(words, at: CellPoint(column: 0, row: chosenRow))
    surface.mapStyles(in: row) { _ in style.with(.reverse) }
  }
}
