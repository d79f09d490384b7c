import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Draws the card of a review with the possible answers below it, turns it, and moves it away.
@MainActor final class ReviewCardView {
  /// Everything that the view draws. It covers the body of the page.
  let layer = Layer()
  private let card = CardLayer()
  private let answersLayer = Layer()
  private let leavingCards = LeavingCards()
  /// The number of lines of the visible side that are scrolled out, and the largest such number.
  private(set) var scroll = 0
  private(set) var lastScroll = 0
  private var choiceLines: [Range<Int>] = []
  private var spacing = 0
  private var cardFrame = CellRect.zero
  private var answers: [(rating: CardRating, cells: CellRect)] = []
  /// The images of the visible side, in cells of the body. They can be scrolled out.
  private(set) var images: [PlacedImage] = []
  /// The rows of the body in which text and images of the card are visible.
  private(set) var textRows = 0..<0

  init() {
    layer.add(card)
    layer.add(answersLayer)
  }

  /// The values from which the view is drawn.
  struct Model {
    let session: ReviewSession
    let run: QuizRun?
    let typed: ReviewCardSides.Typed?
    let drawing: PageDrawing
    let rows: Int
    /// Returns the label of the key that gives an answer.
    let key: (CardRating) -> String
    /// How images are drawn on a card with a number of rows for text.
    let imageStyle: (_ rows: Int) -> ImageStyle
    /// Returns an image in a size. Returns `nil` if it is not decoded, or if a frame is drawn instead.
    let image: (_ digest: String, _ size: CellSize) -> Surface?
  }

  /// The rows below the card for the answers and their intervals. 0 if the terminal is too low for them.
  private static func answerRows(_ model: Model) -> Int {
    model.rows >= 12 ? 3 : model.session.hasFourAnswers && model.rows >= 5 ? 2 : 0
  }

  // MARK: - Drawing

  /// Draws both sides and, if the card is turned over, the answers.
  func draw(_ model: Model) {
    let isShown = model.session.card != nil
    (card.isHidden, answersLayer.isHidden) = (!isShown, !isShown || !model.session.isTurnedOver)
    guard let reviewed = model.session.card else { return images = [] }
    let metrics = model.drawing.metrics
    let answerRows = Self.answerRows(model)
    let geometry = CardGeometry(
      metrics: metrics, bodyRows: model.rows - answerRows, usesFullWidth: model.run != nil)
    let imageStyle = model.imageStyle(geometry.maximumTextRows)
    func drawing(_ size: CellSize) -> CardDrawing {
      let inside = CardDrawing.inside(size, hasFrame: geometry.hasFrame)
      return CardDrawing(
        layout: ReadingLayout(
          width: inside.columns, theme: model.drawing.theme, symbols: model.drawing.symbols,
          imageStyle: imageStyle.limited(rows: inside.rows - CardGeometry.rowsBesideImage)),
        lines: model.drawing.lines, size: size, hasFrame: geometry.hasFrame)
    }
    func sides(_ drawing: CardDrawing) -> ReviewCardSides {
      ReviewCardSides(reviewed, run: model.run, typed: model.typed, drawing)
    }
    cardFrame = geometry.frame { columns in
      let sides = sides(drawing(CellSize(columns: columns + 4, rows: model.rows)))
      return max(sides.front.lines.count, sides.back.lines.count)
    }
    let cardDrawing = drawing(cardFrame.size)
    let sides = sides(cardDrawing)
    let isBack = model.session.isTurnedOver
    let (shown, hidden) = isBack ? (sides.back, sides.front) : (sides.front, sides.back)
    spacing = cardDrawing.spacingRows(above: sides.front, sides.back)
    let inside = CardDrawing.inside(cardFrame.size, hasFrame: geometry.hasFrame)
    lastScroll = max(0, shown.lines.count - (inside.rows - spacing))
    scroll = min(scroll, lastScroll)
    choiceLines = isBack ? sides.choices.back : sides.choices.front
    card.frame = Rect(cardFrame)
    var shownSide = cardDrawing.side(shown, below: spacing, scroll: scroll)
    shownSide.draw(
      shown.images.placed(column: inside.column, row: inside.row + spacing - scroll), inside: inside, model.image)
    let textFrame = inside.offset(columns: cardFrame.column, rows: cardFrame.row)
    textRows = textFrame.row..<textFrame.endRow
    images = shown.images.placed(column: textFrame.column, row: textFrame.row + spacing - scroll)
    let hiddenSide = cardDrawing.side(hidden, below: spacing, scroll: 0)
    (card.front, card.back) = isBack ? (hiddenSide, shownSide) : (shownSide, hiddenSide)
    drawAnswers(model, rows: answerRows)
  }

  private func drawAnswers(_ model: Model, rows: Int) {
    answers = []
    guard rows > 0, model.session.isTurnedOver else { return answersLayer.isHidden = true }
    let choices = model.session.answers
    let theme = model.drawing.theme
    let width = min(16, cardFrame.columns / max(1, choices.count))
    var surface = Surface(columns: width * choices.count, rows: 2)
    let origin = CellPoint(
      column: cardFrame.column + (cardFrame.columns - surface.columns) / 2, row: cardFrame.endRow + rows - 2)
    for (index, answer) in choices.enumerated() {
      let key = model.key(answer.rating)
      var name = StyledText(key.isEmpty ? "" : key + " ", style: theme[.key])
      name.append(answer.name, style: theme[.strong])
      let interval = StyledText(ReviewText.shortInterval(answer.interval), style: theme[.quiet])
      for (row, text) in [name, interval].enumerated() {
        let column = index * width + max(0, (width - text.displayWidth) / 2)
        surface.draw(StyledLine(text.runs), at: CellPoint(column: column, row: row))
      }
      answers.append(
        (answer.rating, CellRect(column: origin.column + index * width, row: origin.row, columns: width, rows: 2)))
    }
    answersLayer.content = surface
    answersLayer.frame = Rect(
      CellRect(column: origin.column, row: origin.row, columns: surface.columns, rows: surface.rows))
  }

  // MARK: - Scrolling and clicking

  /// Whether the visible side continues below the visible lines.
  var hasMoreBelow: Bool { scroll < lastScroll }

  func scroll(by amount: Int) { scroll = max(0, min(lastScroll, scroll + amount)) }

  /// Shows the visible side from its beginning.
  func scrollToStart() { scroll = 0 }

  /// Scrolls so that a choice is visible.
  func scroll(toChoice index: Int) {
    guard choiceLines.indices.contains(index) else { return }
    let rows = max(1, cardFrame.rows - 2)
    scroll = max(choiceLines[index].upperBound - rows, min(scroll, choiceLines[index].lowerBound))
  }

  /// The number of lines that a page key scrolls.
  var pageRows: Int { max(1, cardFrame.rows - 4) }

  /// Returns the rating whose button contains a cell of the body, or `nil` outside of the buttons.
  func answer(at point: CellPoint) -> CardRating? { answers.first { $0.cells.contains(point) }?.rating }

  /// Returns the index of the choice at a cell of the body, or `nil` outside of the choices.
  func choice(at point: CellPoint) -> Int? {
    guard cardFrame.contains(point) else { return nil }
    let line = point.row - cardFrame.row - (cardFrame.rows > 2 ? 1 : 0) - spacing + scroll
    return choiceLines.firstIndex { $0.contains(line) }
  }

  func isCard(_ point: CellPoint) -> Bool { cardFrame.contains(point) }

  // MARK: - Motion

  /// Whether the card is turning.
  var isTurning: Bool { card.isAnimating }

  func hurry() { card.hurry() }

  /// Shows one side of the card, turning it if `motion` permits.
  func show(back isBack: Bool, motion: MotionPreference?) { card.show(back: isBack, motion: motion) }

  /// A snapshot of the card.
  var snapshot: Layer { card.snapshot() }

  /// Moves a snapshot of an answered card away.
  func animateLeaving(_ old: Layer, wasKnown isKnown: Bool, motion: MotionPreference) {
    leavingCards.animate(old, wasKnown: isKnown, in: layer, motion: motion, next: .card(card))
  }
}
