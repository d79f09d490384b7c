import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The possible answers below the card of a review, with the intervals after which they show the card again.
@MainActor final class AnswersLayer: Layer {
  private var buttons: [(rating: CardRating, cells: CellRect)] = []

  /// Returns the number of rows for the answers below a card. 0 if the terminal is too low for them.
  static func rows(in bodyRows: Int) -> Int {
    bodyRows >= 12 ? 3 : bodyRows >= 5 ? 2 : 0
  }

  /// Draws the answers in the last two of a number of rows below the card.
  ///
  /// - Parameter key: Returns the label of the key that gives an answer.
  func draw(
    _ answers: [ReviewSession.Answer], below card: CellRect, rows: Int, theme: Theme, key: (CardRating) -> String
  ) {
    buttons = []
    isHidden = rows == 0
    guard rows > 0 else { return }
    let width = min(16, card.columns / max(1, answers.count))
    var surface = Surface(columns: width * answers.count, rows: 2)
    let cells = CellRect(
      column: card.column + (card.columns - surface.columns) / 2, row: card.endRow + rows - 2,
      columns: surface.columns, rows: 2)
    for (index, answer) in answers.enumerated() {
      let key = key(answer.rating)
      var name = StyledText(key.isEmpty ? "" : key + " ", style: theme[.key])
      name.append(answer.name, style: theme[.strong])
      let interval = StyledText(answer.interval.map(ReviewText.shortInterval) ?? "", style: theme[.quiet])
      for (row, text) in [name, interval].enumerated() {
        let column = index * width + max(0, (width - text.displayWidth) / 2)
        surface.draw(StyledLine(text.runs), at: CellPoint(column: column, row: row))
      }
      buttons.append(
        (answer.rating, CellRect(column: cells.column + index * width, row: cells.row, columns: width, rows: 2)))
    }
    show(surface, column: cells.column, row: cells.row)
  }

  /// Returns the rating whose button contains a cell of the superlayer, or `nil` outside of the buttons.
  func answer(at point: CellPoint) -> CardRating? {
    isHidden ? nil : buttons.first { $0.cells.contains(point) }?.rating
  }
}
