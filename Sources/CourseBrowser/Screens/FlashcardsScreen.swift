import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Flashcards that the learner turns and grades one after another.
@MainActor final class FlashcardsScreen: StepScreen {
  private(set) var session: FlashcardSession
  let card = CardLayer()
  /// The scheduled call for the moment at which the back of a turning card becomes visible. `nil` if no card is turning
  /// to its back.
  private var showsBack: ScheduledCall?
  private let leavingCards = LeavingCards()
  private var tallestSide: (columns: Int, pictures: ImageStyle, rows: Int)?

  init(
    place: Place, page: PageModel, introduction: [Block], deck: [Flashcard], host: PageContext
  ) {
    session = FlashcardSession(deck, introduction: introduction)
    super.init(place: place, page: page, host: host)
  }

  override func didLoad() {
    super.didLoad()
    body.add(card)
  }

  override func restore(_ history: ActivityHistory) { session.restore(history.grades) }

  override func position(at time: Timestamp) -> ReadingPosition? { session.position(at: time) }

  override var shareText: String { "\(session.grades.count) of \(deck.count) turned" }

  override var matchContext: String { "these cards" }

  override func show(matches query: String) {
    let cards = numbers(of: deck.map { $0.front.plainText + "\n" + $0.back.plainText }, with: query)
    guard !cards.isEmpty || !context.matches(of: query, in: session.introduction.plainText).places.isEmpty else {
      return
    }
    session.showMatches(cards)
    card.show(back: false, motion: nil)
    showText(with: query)
  }

  // MARK: - Rounds

  private var deck: [Flashcard] { session.deck }
  private var round: ReviewRound? { session.currentRound }
  private var topCard: Int? { session.topCard }

  /// Shows the top card or, between rounds, the text, without motion.
  private func showTopCard() {
    card.show(back: session.isTurnedOver, motion: nil)
    beginStep()
  }

  private func turn() {
    session.turnOver()
    card.show(back: session.isTurnedOver, motion: context.motion)
    if session.isTurnedOver { resultWillAppear() }
    updateHintWhenBackIsVisible()
    beginStep()
    if !isAtRest { redrawImagesAtRest() }
  }

  /// Schedules the update of the keys and the hint for the moment halfway through the card's flip, when the back
  /// becomes visible.
  private func updateHintWhenBackIsVisible() {
    showsBack?.cancel()
    showsBack = nil
    guard session.isTurnedOver, context.motion != .none else { return }
    let time = context.motion == .full ? CardLayer.turnTime : CardLayer.fadeTime
    showsBack = stage?.schedule(after: time / 2) { [weak self] in
      guard let self else { return }
      showsBack = nil
      host.observer.pageChanged(self)
    }
  }

  /// Whether the back of the card is visible. Only then can the card be graded.
  var isBackVisible: Bool { session.isTurnedOver && (showsBack == nil || !card.isAnimating) }

  private func grade(isKnown: Bool) {
    guard isBackVisible, isResultDrawn else { return }
    let old = context.motion == .none ? nil : leavingCardLayer
    guard let event = session.grade(isKnown: isKnown) else { return }
    card.show(back: false, motion: nil)
    host.recorder.record(event, in: place, on: self)
    beginStep()
    // The text after the last card fades in only when that card has left, so that the two do not overlap.
    if let old {
      leavingCards.animate(
        old, wasKnown: isKnown, in: body, motion: context.motion, next: topCard == nil ? .text(pane.layer) : .card(card)
      )
    }
    drawCard()
    if !isAtRest { redrawImagesAtRest() }
    positionChanged()
  }

  /// A snapshot of the card that leaves. It contains frames instead of images, because they require fewer bytes to be
  /// sent.
  private var leavingCardLayer: Layer {
    let shows = showsImages
    showsImages = false
    drawCard()
    defer { showsImages = shows }
    return card.snapshot()
  }

  // MARK: - Commands

  override func offer(_ command: Command) -> Offer? {
    topCard == nil ? offerBetweenRounds(command) : offerOnCard(command)
  }

  private func offerOnCard(_ command: Command) -> Offer? {
    let isTurnedOver = session.isTurnedOver
    // During a turn, no answer is shown.
    let isAtRest = isBackVisible == isTurnedOver
    func grade(_ label: String?, isKnown: Bool) -> Offer {
      // If the key is pressed during the turn, the turn is sped up. The card is not graded, because the learner has not
      // read the back.
      Offer(isAtRest ? label : "", order: -1) { [self] in
        if isKnown, card.isAnimating { card.hurry() } else { self.grade(isKnown: isKnown) }
      }
    }
    switch command {
    case .readOn where hasMoreBelow:
      return Offer(isAtRest ? "more" : "", order: isTurnedOver ? -1 : 0) { [self] in scrollOn() }
    case .known where isTurnedOver: return grade("knew it", isKnown: true)
    case .forgot where isTurnedOver: return grade("forgot", isKnown: false)
    case .turnBack where isTurnedOver: return Offer(isAtRest ? "turn" : "", rank: 1) { [self] in turn() }
    case .turn where !isTurnedOver: return Offer(isAtRest && !hasMoreBelow ? "turn" : "") { [self] in turn() }
    case .choice(1) where isTurnedOver: return Offer(nil) { [self] in self.grade(isKnown: false) }
    case .choice(2) where isTurnedOver: return Offer(nil) { [self] in self.grade(isKnown: true) }
    case .choice where isTurnedOver: return .unused
    case .undo where session.isInProgress: return undo
    case .restart where session.isInProgress || isTurnedOver:
      return Offer("start again", rank: Offer.helpRank) { [self] in restart() }
    // These keys scroll a long side, as in a text.
    case .pageDown where hasMoreBelow, .halfPageDown where hasMoreBelow, .chooseNext where hasMoreBelow,
      .pageBack where scroll > 0, .halfPageUp where scroll > 0, .choosePrevious where scroll > 0,
      .up, .leave, .toggleDone, .nextLink, .previousLink, .followLink, .copy:
      return super.offer(command)
    default: return nil
    }
  }

  private func offerBetweenRounds(_ command: Command) -> Offer? {
    if let offer = offerOnMatches(command) { return offer }
    let isSuspended = session.suspendedRound != nil
    let hasRound = isSuspended || round == nil && !session.nextRound.isEmpty
    switch command {
    case .begin where hasRound:
      return Offer(isSuspended ? "continue" : hasMoreBelow ? "" : "begin") { [self] in
        if !session.continueSuspended() { session.begin() }
        showTopCard()
      }
    case .open where !hasRound: return Offer(nil) { [self] in openNext() }
    case .undo where session.isInProgress: return undo
    case .restart:
      let unknown = session.unknownCards
      let label = unknown.isEmpty || !isEnd ? "retry all" : "retry \(unknown.count) forgotten"
      return Offer(session.grades.isEmpty ? "" : label) { [self] in restart() }
    default: return super.offer(command)
    }
  }

  private var undo: Offer {
    Offer(round.map { $0.position > 0 && !$0.isOver } == true ? "undo" : "", rank: 1) { [self] in undoGrade() }
  }

  private func restart() {
    session.restart()
    showTopCard()
  }

  /// Returns to the card that was graded last. It is shown again, also if the deck is left before.
  private func undoGrade() {
    session.undoGrade()
    if let topCard { host.recorder.undoGrade(ofFlashcard: topCard, in: place, on: self) }
    showTopCard()
    positionChanged()
  }

  override func handle(_ event: InputEvent) -> Bool {
    if super.handle(event) { return true }
    guard topCard != nil, case .mouse(let mouse) = event, mouse.action == .press(.left),
      cardFrame.offset(rows: bodyRows.lowerBound).contains(mouse.position)
    else { return false }
    turn()
    return true
  }

  // MARK: - Layout

  override var continuesWithSpace: Bool {
    topCard == nil && !hasMoreBelow && session.suspendedRound == nil && (round != nil || session.nextRound.isEmpty)
  }
  override var header: PageModel.Header { cardsHeader }
  override var hint: Footer.Hint? { linkHint ?? matchHint ?? cardsHint }
  override var stepText: ReadingText { sideText ?? overviewText }

  /// Returns the number of rows of the longest side of the first 200 cards.
  func tallest(columns: Int) -> Int {
    let imageStyle = cardImageStyle
    if let tallestSide, tallestSide.columns == columns, tallestSide.pictures == imageStyle { return tallestSide.rows }
    let layout = ReadingLayout(
      width: columns, theme: context.appearance.theme, symbols: context.appearance.symbols, imageStyle: imageStyle)
    let rows =
      deck.prefix(200).map { card in
        let front = layout.styled(card.front, .plain).wrapped(to: columns).count
        return max(layout.text(card.front, .plain).lines.count, layout.text(card.back).lines.count + front + 1)
      }.max() ?? 0
    tallestSide = (columns, imageStyle, rows)
    return rows
  }

  // While a card is shown, the frame of the pane is the inside of the card.
  override var paneFrame: CellRect {
    topCard == nil ? super.paneFrame : inside.offset(columns: cardFrame.column, rows: cardFrame.row)
  }
  override var textTop: Int { super.textTop + (topCard.map { cardDrawing.spacingRows(above: deck[$0]) } ?? 0) }

  // Text on a card scrolls without animation.
  override func scroll(to line: Int, gliding: Bool) { super.scroll(to: line, gliding: gliding && topCard == nil) }

  override func layOutPage() {
    super.layOutPage()
    pane.layer.isHidden = topCard != nil
    card.isHidden = topCard == nil
    drawCard()
  }

  override func redrawText() { if topCard == nil { super.redrawText() } else { drawCard() } }

  override var bodyFragments: [PageFragments.Fragment] {
    guard let topCard else { return super.bodyFragments }
    let drawing = cardDrawing
    let side = drawing.side(text, below: drawing.spacingRows(above: deck[topCard]), scroll: scroll)
    let rect = cardFrame.offset(rows: bodyRows.lowerBound)
    return [
      PageFragments.Fragment(surface: side.box, rect: rect, isBox: true),
      PageFragments.Fragment(surface: side.text, rect: rect),
    ]
  }
}

/// The layout and drawing of the top card.
extension FlashcardsScreen {
  private var geometry: CardGeometry { CardGeometry(metrics: metrics, bodyRows: bodyRows.count) }
  var hasFrame: Bool { geometry.hasFrame }
  var inside: CellRect { CardDrawing.inside(cardFrame.size, hasFrame: hasFrame) }
  var cardFrame: CellRect { geometry.frame { tallest(columns: $0) } }

  var cardDrawing: CardDrawing {
    let inside = inside
    return CardDrawing(
      layout: ReadingLayout(
        width: inside.columns, theme: drawing.theme, symbols: drawing.symbols,
        imageStyle: cardImageStyle.limited(rows: inside.rows - CardGeometry.rowsBesideImage)),
      lines: drawing.lines, size: cardFrame.size, hasFrame: hasFrame)
  }

  /// How images are displayed on a card of maximum size.
  var cardImageStyle: ImageStyle { context.appearance.imageStyle(rows: geometry.maximumTextRows) }

  /// The content of the visible side, or `nil` if no card is shown.
  var sideText: ReadingText? {
    guard let topCard, let round else { return nil }
    let drawing = cardDrawing
    return round.isTurnedOver ? drawing.backText(deck[topCard]) : drawing.frontText(deck[topCard])
  }

  /// Draws both sides. Only the visible side includes images.
  func drawCard() {
    guard let topCard, let round else { return }
    let drawing = cardDrawing
    let (frame, inside) = (cardFrame.offset(rows: bodyRows.lowerBound), inside)
    card.frame = Rect(cardFrame)
    let spacing = drawing.spacingRows(above: deck[topCard])
    var side = drawing.side(text, below: spacing, scroll: scroll)
    if showsImages, isAtRest {
      let images = text.images.placed(column: textLeft - frame.column, row: textTop - scroll - frame.row)
      side.draw(images, inside: inside, imageSurface)
    }
    for cells in chosenLinkCells {
      let cardCells = cells.offset(columns: textLeft - frame.column, rows: textTop - scroll - frame.row)
      side.text.mapStyles(in: cardCells.intersection(inside)) { $0.with(.reverse) }
    }
    let hiddenText = round.isTurnedOver ? drawing.frontText(deck[topCard]) : drawing.backText(deck[topCard])
    let hiddenSide = drawing.side(hiddenText, below: spacing, scroll: 0)
    (card.front, card.back) = round.isTurnedOver ? (hiddenSide, side) : (side, hiddenSide)
  }
}

/// Header, hint, keys and texts around the cards.
extension FlashcardsScreen {
  private var isEnd: Bool { round?.isOver == true }

  var cardsHeader: PageModel.Header {
    var header = page.header
    header.fraction = round?.fraction ?? 0
    header.bottomRight = isDone || page.seconds == 0 ? "" : remainingTimeText
    header.topRight =
      isDone ? doneWord : session.grades.isEmpty ? "" : "\(session.grades.count) of \(deck.count) turned"
    if let round, !round.isOver {
      header.topRight = round.positionText
      if isDone { header.bottomRight = doneWord }
    }
    return header
  }

  private var remainingTimeText: String {
    DisplayFormat.remainingTime(seconds: session.remainingSeconds(of: page.seconds), isBegun: !session.grades.isEmpty)
  }

  /// The hint, or `nil` if the next step of the page is shown instead.
  var cardsHint: Footer.Hint? {
    guard let round, !round.isOver else {
      if let round = session.suspendedRound {
        return Footer.Hint(.begin, text: "Continue where you stopped", detail: round.positionText)
      }
      guard !isEnd, !session.nextRound.isEmpty else { return nil }
      let text =
        session.grades.isEmpty
        ? "Begin" : session.remaining.isEmpty ? "Retry the cards that you forgot" : "Continue where you stopped"
      return Footer.Hint(.begin, text: text, detail: DisplayFormat.count(session.nextRound.count, "card"))
    }
    // During a turn, no hint is shown.
    guard isBackVisible == round.isTurnedOver else { return Footer.Hint(text: "", detail: "") }
    guard round.isTurnedOver else {
      return Footer.Hint(.turn, text: "Turn the card", detail: "Answer first, then check")
    }
    return hasMoreBelow
      ? Footer.Hint(.readOn, text: "Read more", detail: "") : Footer.Hint(.known, text: "You knew it", detail: "")
  }

  /// The text before the first round, which describes the deck, or after a round, with the cards that were not known.
  var overviewText: ReadingText {
    let layout = readingLayout
    guard let round, round.isOver else {
      return layout.text(session.introduction + [.paragraph([.text(progressText)])] + matchingBlocks)
    }
    // A round that continues the first pass through the deck is counted together with the cards before it.
    let isWholeDeck = round.count == deck.count
    let score =
      isWholeDeck
      ? "\(session.knownCount) of \(DisplayFormat.count(deck.count, "card"))"
      : "\(round.knownCount) of \(round.count) in this round"
    var blocks: [Block] = [.heading(level: 2, text: [.text("You knew \(score).")], anchor: "")]
    if !isWholeDeck {
      blocks.append(
        .paragraph([
          .text(
            session.knownCount == deck.count
              ? "You know all \(deck.count) cards now."
              : "You know \(session.knownCount) of all \(deck.count) cards now.")
        ]))
    }
    let forgottenCards = isWholeDeck ? session.unknownCards : round.unknownCards
    if !forgottenCards.isEmpty {
      blocks.append(.paragraph([.text("You forgot \(DisplayFormat.count(forgottenCards.count, "card")):")]))
      blocks += readable(forgottenCards)
    } else if session.knownCount == deck.count {
      blocks.append(.paragraph([.text("Review shows the cards again before you forget them.")]))
    }
    return layout.text(blocks)
  }

  /// The cards that match a search, as a text with both sides.
  private var matchingBlocks: [Block] {
    guard !session.matchingCards.isEmpty else { return [] }
    let heading: Block = .paragraph([.text("Matches in \(DisplayFormat.count(session.matchingCards.count, "card")):")])
    return [heading] + readable(session.matchingCards)
  }

  private func readable(_ cards: [Int]) -> [Block] {
    cards.flatMap { [.paragraph([.strong(deck[$0].front)]), .quote(deck[$0].back)] }
  }

  /// A sentence about the learner's progress with these cards.
  private var progressText: String {
    let (knownCount, turnedCount) = (session.knownCount, session.grades.count)
    if turnedCount == 0 {
      return "\(DisplayFormat.count(deck.count, "card")). Answer each one, then turn it."
    }
    if session.remaining.isEmpty {
      return "You knew \(knownCount) of \(DisplayFormat.count(deck.count, "card")) last time."
    }
    return
      "You have turned \(turnedCount) of \(DisplayFormat.count(deck.count, "card")), and knew \(knownCount) of them."
  }
}
