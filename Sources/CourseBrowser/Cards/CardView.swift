import CoursePages
import ScreenKit
import TextCanvas

/// A card on a page of flashcards or in a review: draws both sides, turns the card, scrolls the visible side, and moves
/// the card away after it was graded.
@MainActor final class CardView {
  /// The duration, in seconds, of the motion in which a card leaves.
  private static let leavingTime = 0.2
  /// The maximum number of cards that leave at the same time. If another card leaves, the first one is removed.
  private static let maximumLeaving = 3

  /// Contains the card and the cards that leave. It covers the body of the page.
  let layer = Layer()
  private let card = CardLayer()
  private var leaving: [Layer] = []
  private var drawing: CardDrawing?
  private var sides = CardSides()
  private var isBack = false

  /// The cells of the card, and those that are available for its text.
  private(set) var frame = CellRect.zero
  private(set) var inside = CellRect.zero
  /// The number of blank rows above the text of both sides.
  private(set) var spacing = 0
  /// The number of lines of the visible side that are scrolled out.
  var scroll = 0

  init() {
    layer.add(card)
  }

  // MARK: - Layout and drawing

  /// The values from which a card is laid out.
  struct Model {
    let drawing: PageDrawing
    /// The number of rows of the body that the card may use.
    let rows: Int
    /// How images are drawn on a card with a number of rows for text.
    let imageStyle: (_ rows: Int) -> ImageStyle
    /// Whether the card may be as wide as the page.
    var usesFullWidth = false
    let isBack: Bool
    /// Lays out the texts of both sides.
    let sides: (CardDrawing) -> CardSides
  }

  /// Lays out a card. Its height is that of its longest side.
  ///
  /// - Parameter tallest: Returns the number of rows of the longest side of all cards that have the same height.
  func layOut(_ model: Model, tallest: ((CardDrawing) -> Int)? = nil) {
    let geometry = CardGeometry(
      metrics: model.drawing.metrics, bodyRows: model.rows, usesFullWidth: model.usesFullWidth)
    let imageStyle = model.imageStyle(geometry.maximumTextRows)
    func drawing(_ size: CellSize) -> CardDrawing {
      let inside = CardDrawing.inside(size, hasFrame: geometry.hasFrame)
      return CardDrawing(
        layout: ReadingLayout(
          width: inside.columns, theme: model.drawing.theme, symbols: model.drawing.symbols,
          imageStyle: imageStyle.limited(rows: inside.rows - CardGeometry.rowsBesideImage)),
        lines: model.drawing.lines, size: size, hasFrame: geometry.hasFrame)
    }
    frame = geometry.frame { columns in
      let drawing = drawing(CellSize(columns: columns + 4, rows: model.rows))
      return tallest?(drawing) ?? model.sides(drawing).rows
    }
    let cardDrawing = drawing(frame.size)
    self.drawing = cardDrawing
    inside = cardDrawing.inside.offset(columns: frame.column, rows: frame.row)
    (sides, isBack) = (model.sides(cardDrawing), model.isBack)
    spacing = max(0, (inside.rows - sides.rows) / 2)
    scroll(by: 0)
    card.frame = Rect(frame)
  }

  /// The text of the visible side.
  var text: ReadingText { isBack ? sides.back : sides.front }

  /// Draws both sides. Only the visible side includes images.
  ///
  /// - Parameter link: The cells of the selected link, with rows counted as lines of the text.
  func draw(on page: any ScreenWithImages, highlighting link: [CellRect] = []) {
    guard let drawing else { return }
    var visible = visibleSide
    let text = CellPoint(column: drawing.inside.column, row: drawing.inside.row + spacing - scroll)
    if page.showsImages, page.isAtRest {
      for image in self.text.images.placed(column: text.column, row: text.row) {
        guard let surface = page.imageSurface(image.digest, image.cells.size) else { continue }
        visible.text.copy(surface, at: image.cells.origin, clippedTo: drawing.inside)
      }
    }
    for cells in link {
      let cells = cells.offset(columns: text.column, rows: text.row).intersection(drawing.inside)
      visible.text.mapStyles(in: cells) { $0.with(.reverse) }
    }
    let hidden = drawing.side(isBack ? sides.front : sides.back, below: spacing, scroll: 0)
    (card.front, card.back) = isBack ? (hidden, visible) : (visible, hidden)
  }

  /// The visible side without images.
  var visibleSide: CardDrawing.Side {
    drawing?.side(text, below: spacing, scroll: scroll) ?? CardDrawing.Side()
  }

  /// The images of the visible side, in cells of the body. They can be scrolled out.
  var images: [PlacedImage] { text.images.placed(column: inside.column, row: inside.row + spacing - scroll) }

  var isHidden: Bool {
    get { card.isHidden }
    set { card.isHidden = newValue }
  }

  // MARK: - Scrolling and clicking

  /// The largest number of lines that can be scrolled out.
  var lastScroll: Int { max(0, text.lines.count - (inside.rows - spacing)) }

  /// Whether the visible side continues below the visible lines.
  var hasMoreBelow: Bool { scroll < lastScroll }

  func scroll(by amount: Int) { scroll = max(0, min(lastScroll, scroll + amount)) }

  private var choices: [Range<Int>] { isBack ? sides.choices.back : sides.choices.front }

  /// Scrolls so that a choice is visible.
  func scroll(toChoice index: Int) {
    guard choices.indices.contains(index) else { return }
    scroll = max(choices[index].upperBound - max(1, frame.rows - 2), min(scroll, choices[index].lowerBound))
  }

  /// The number of lines that a page key scrolls.
  var pageRows: Int { max(1, frame.rows - 4) }

  /// Returns the index of the choice at a cell of the body, or `nil` outside of the choices.
  func choice(at point: CellPoint) -> Int? {
    guard frame.contains(point) else { return nil }
    return choices.firstIndex { $0.contains(point.row - inside.row - spacing + scroll) }
  }

  // MARK: - Motion

  /// Whether the card is turning.
  var isTurning: Bool { card.isAnimating }

  func hurry() { card.hurry() }

  /// Shows one side of the card, turning it if `motion` permits.
  func show(back isBack: Bool, motion: MotionPreference?) { card.show(back: isBack, motion: motion) }

  fileprivate var snapshot: Layer { card.snapshot() }

  /// Moves a snapshot of a card away: up if it was known, otherwise down. With reduced motion, it fades out and the next
  /// card fades in.
  ///
  /// - Parameter text: The text after the last card, which fades in only when that card has left. `nil` if the next card
  ///   is already visible below the card that leaves.
  fileprivate func animate(
    leaving old: Layer, wasKnown isKnown: Bool, motion: MotionPreference, revealing text: Layer?
  ) {
    let leavingCard = Layer(frame: old.frame)
    withoutAnimation { old.frame.origin = .zero }
    leavingCard.fill = .default
    leavingCard.add(old)
    leaving.removeAll { $0.superlayer == nil }
    if leaving.count == Self.maximumLeaving {
      let first = leaving.removeFirst()
      first.removeAllAnimations()
      first.removeFromSuperlayer()
    }
    leaving.append(leavingCard)
    layer.add(leavingCard)
    let distance = layer.frame.height * (isKnown ? -1 : 1)
    let isFull = motion == .full
    let arriving = text ?? (isFull ? nil : card)
    withoutAnimation { arriving?.opacity = 0 }
    let leave = Keyframe(start: 0, duration: arriving == nil ? 1 : 0.5) {
      if isFull { leavingCard.offset.y = distance } else { leavingCard.opacity = 0 }
    }
    let arrive = Keyframe(start: 0.5, duration: 0.5) { arriving?.opacity = 1 }
    animateKeyframes(
      duration: isFull ? Self.leavingTime : CardLayer.fadeTime,
      curve: isFull && arriving == nil ? .easeIn : .linear,
      [leave, arrive]
    ) { _ in leavingCard.removeFromSuperlayer() }
  }
}

/// A page with a card.
@MainActor protocol CardPage: ScreenWithImages {
  var cardView: CardView { get }
}

extension CardPage {
  /// A snapshot of the card that leaves, or `nil` without motion. It contains frames instead of images, because they
  /// require fewer bytes to be sent.
  var leavingCard: Layer? {
    guard context.motion != .none else { return nil }
    let shows = showsImages
    showsImages = false
    redrawText()
    defer { showsImages = shows }
    return cardView.snapshot
  }

  /// Moves a snapshot of a graded card away, and shows what comes after it.
  ///
  /// - Parameter text: The text after the last card.
  func animate(leaving card: Layer?, wasKnown isKnown: Bool, revealing text: Layer? = nil) {
    if let card { cardView.animate(leaving: card, wasKnown: isKnown, motion: context.motion, revealing: text) }
    redrawText()
    if !isAtRest { redrawImagesAtRest() }
  }
}
