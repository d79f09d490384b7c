import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Flashcards that the learner turns and grades one after another.
@MainActor final class FlashcardsScreen: StepScreen, CardPage {
  private(set) var session: FlashcardSession
  let cardView = CardView()
  /// The scheduled call for the moment at which the back of a turning card becomes visible. `nil` if no card is turning
  /// to its back.
  private var showsBack: ScheduledCall?
  private var tallestSide: (columns: Int, imageStyle: ImageStyle, rows: Int)?

  init(
    place: Place, page: PageModel, introduction: [Block], deck: [Flashcard], host: PageContext
  ) {
    session = FlashcardSession(deck, introduction: introduction)
    super.init(place: place, page: page, host: host)
  }

  override func didLoad() {
    super.didLoad()
    body.add(cardView.layer)
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
    cardView.show(back: false, motion: nil)
    showText(with: query)
  }

  // MARK: - Rounds

  private var deck: [Flashcard] { session.deck }
  private var round: ReviewRound? { session.currentRound }
  private var topCard: Int? { session.topCard }
  /// Whether cards were graded in a round that is not over.
  var hasGrades: Bool { session.isInProgress && topCard != nil }

  /// Shows the top card or, between rounds, the text, without motion.
  private func showTopCard() {
    cardView.show(back: session.isTurnedOver, motion: nil)
    beginStep()
  }

  private func turn() {
    session.turnOver()
    cardView.show(back: session.isTurnedOver, motion: context.motion)
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
  var isBackVisible: Bool { session.isTurnedOver && (showsBack == nil || !cardView.isTurning) }

  private func grade(isKnown: Bool) {
    guard isBackVisible, isResultDrawn else { return }
    let old = leavingCard
    guard let event = session.grade(isKnown: isKnown) else { return }
    cardView.show(back: false, motion: nil)
    host.recorder.record(event, in: place, on: self)
    beginStep()
    animate(leaving: old, wasKnown: isKnown, revealing: topCard == nil ? pane.layer : nil)
    positionChanged()
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
        if isKnown, cardView.isTurning { cardView.hurry() } else { self.grade(isKnown: isKnown) }
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
    case .restart:
      let unknown = session.unknownCards
      let label = unknown.isEmpty || !isEnd ? "retry all" : "retry \(unknown.count) forgotten"
      return Offer(session.grades.isEmpty ? "" : label) { [self] in restart() }
    default: return super.offer(command)
    }
  }

  private func restart() {
    session.restart()
    showTopCard()
  }

  /// Returns to a card whose grade was undone. It is shown again, also if the deck is left before.
  func show(undone card: Int, grades: [Int: Bool]) {
    session.show(undone: card, grades: grades)
    showTopCard()
    positionChanged()
  }

  /// Shows the front of a card, in a round that begins with it.
  func show(card: Int) {
    session.show(card: card)
    showTopCard()
  }

  override func handle(_ event: InputEvent) -> Bool {
    if super.handle(event) { return true }
    guard topCard != nil, case .mouse(let mouse) = event, mouse.action == .press(.left),
      cardView.frame.offset(rows: bodyRows.lowerBound).contains(mouse.position)
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
  override var stepText: ReadingText { topCard == nil ? overviewText : cardView.text }

  /// The number of cards whose sides determine the height of all cards.
  private static let measuredCards = 200

  /// Returns the number of rows of the longest side.
  private func tallest(_ drawing: CardDrawing) -> Int {
    let (columns, imageStyle) = (drawing.layout.width, drawing.layout.imageStyle)
    if let tallestSide, tallestSide.columns == columns, tallestSide.imageStyle == imageStyle { return tallestSide.rows }
    let rows = deck.prefix(Self.measuredCards).map { sides(of: $0, drawing).rows }.max() ?? 0
    tallestSide = (columns, imageStyle, rows)
    return rows
  }

  private func sides(of card: Flashcard, _ drawing: CardDrawing) -> CardSides {
    CardSides(CardFaces(question: [.paragraph(card.front)], answer: card.back), drawing)
  }

  // While a card is shown, the frame of the pane is the inside of the card.
  override var paneFrame: CellRect { topCard == nil ? super.paneFrame : cardView.inside }
  override var textTop: Int { super.textTop + (topCard == nil ? 0 : cardView.spacing) }

  // Text on a card scrolls without animation.
  override func scroll(to line: Int, gliding: Bool) { super.scroll(to: line, gliding: gliding && topCard == nil) }

  override func layOutPage() {
    if let topCard {
      cardView.layOut(
        CardView.Model(
          drawing: drawing, rows: bodyRows.count, imageStyle: context.appearance.imageStyle,
          isBack: session.isTurnedOver
        ) { [unowned self] in sides(of: deck[topCard], $0) }, tallest: tallest)
    }
    super.layOutPage()
    pane.layer.isHidden = topCard != nil
    cardView.isHidden = topCard == nil
    cardView.layer.frame = body.bounds
    if topCard != nil { redrawText() }
  }

  override func redrawText() {
    guard topCard != nil else { return super.redrawText() }
    cardView.scroll = scroll
    cardView.draw(on: self, highlighting: chosenLinkCells)
  }

  override var bodyFragments: [PageFragments.Fragment] {
    guard topCard != nil else { return super.bodyFragments }
    let (side, rect) = (cardView.visibleSide, cardView.frame.offset(rows: bodyRows.lowerBound))
    return [
      PageFragments.Fragment(surface: side.box, rect: rect, isBox: true),
      PageFragments.Fragment(surface: side.text, rect: rect),
    ]
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
