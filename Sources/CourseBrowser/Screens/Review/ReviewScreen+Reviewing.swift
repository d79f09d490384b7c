import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The cards, one after another.
extension ReviewScreen {
  // MARK: - Beginning and ending

  /// Begins a review.
  ///
  /// - Parameters:
  ///   - name: The place whose cards are shown, or `nil` for all courses.
  ///   - mode: Which cards are shown.
  func begin(in name: PlaceName?, mode: ReviewMode = .due) {
    context.trying {
      let session = try ReviewSession(
        context.navigation, in: name, mode: mode, now: { [unowned context] in context.now })
      guard session.card != nil else {
        reload()
        let isAheadOffered = mode == .due || mode == .own(ahead: false)
        let kind = chosenEntry == .own ? "own card" : "card"
        return context.notify(
          isAheadOffered ? "No \(kind) is due there now." + aheadHint : "There are no cards to review.")
      }
      self.session = session
      showCard()
    }
  }

  /// A sentence about the key that reviews ahead, after a space. Empty if the command has no key.
  private var aheadHint: String { context.label(of: .reviewAhead).map { " \($0) reviews cards of later days." } ?? "" }

  /// Reviews cards of later days: in the review that is over, or in a new one for the selected row.
  func reviewAhead() {
    guard session != nil else {
      return begin(in: chosenName, mode: chosenEntry == .own ? .own(ahead: true) : .ahead(reschedules: false))
    }
    changeSession { try $0.reviewAhead() }
    if session?.card == nil { context.notify("There are no cards to review ahead.", .warn) }
  }

  /// A sentence about the key that undoes a change, after a space. Empty if the command has no key.
  private var undoHint: String { context.label(of: .undo).map { " \($0) undoes it." } ?? "" }

  /// Adds the cards of the next lesson that was not begun.
  func learnMore() {
    context.trying {
      let name = session == nil ? chosenName : session?.place
      let navigation = context.navigation
      guard let next = try context.navigation.reviews.nextLesson(in: name) else {
        return context.notify("All cards here are in the review already.")
      }
      if session == nil {
        _ = try navigation.cards.include(from: .place(next.lesson.place))
        reload()
      } else {
        changeSession { _ = try $0.add(.place(next.lesson.place)) }
      }
      context.notify(
        ReviewText.added(
          next.cards, of: context.appearance.symbols.quotes.around(next.lesson.title),
          waiting: try navigation.reviews.overview(of: name).total,
          limit: try navigation.reviews.newCardLimit(of: next.lesson)) + undoHint)
    }
    context.showFooter()
  }

  /// Adds the cards of the first lesson of a course that is not begun, and shows them.
  func beginCourse() {
    context.trying {
      guard let next = try context.navigation.reviews.nextLesson(in: chosenName) else { return reviewAhead() }
      _ = try context.navigation.cards.include(from: .place(next.lesson.place))
      begin(in: chosenName)
    }
  }

  /// Resumes the suspended cards of the selected row.
  func resumeSuspended() {
    context.trying {
      let cards = try context.navigation.cards.suspended(in: chosenName).map(\.card)
      guard !cards.isEmpty else { return context.notify("No card here is suspended.", .warn) }
      try context.navigation.cards.setSuspended(false, cards)
      reload()
      context.notify("Resumed \(ReviewText.count(cards.count, "suspended card"))." + undoHint)
    }
  }

  /// Ends the review. A notice summarises the answers unless the summary was shown.
  func endReview() {
    guard let session else { return }
    let isSummarised = session.card == nil
    self.session = nil
    reload()
    showCard()
    scrollToStart()
    guard !isSummarised, session.answerCount > 0 else { return }
    context.trying { context.notify(try session.summary().sentence) }
  }

  // MARK: - The card

  /// Shows the current card of the session from its beginning, or the summary after the last card.
  func showCard() {
    let card = session?.card
    let isBack = session?.isTurnedOver == true
    run = card.flatMap { $0.faces.choices.isEmpty ? nil : QuizRun($0.faces) }
    // After an answer was undone, the card is turned over with the choices that the learner had taken.
    for choice in session?.takenChoices ?? [] { run?.tick(choice) }
    field = card?.faces.isTyped == true && !isBack ? TextField() : nil
    summary = nil
    if let session, card == nil {
      context.trying {
        summary = try session.summary()
        lessonToLearn = try context.navigation.reviews.nextLesson(in: session.place)?.lesson
      }
    }
    cardView.scroll = 0
    cardView.show(back: isBack, motion: nil)
    updateContents()
    context.showFooter()
  }

  /// Changes the session and shows its card. If the change fails, a notice reports why, and the session shows the same
  /// card, or the next one if the card was removed from its course.
  ///
  /// - Returns: Whether the change succeeded.
  @discardableResult
  func changeSession(_ body: (inout ReviewSession) throws -> Void) -> Bool {
    guard var session else { return false }
    var isChanged = false
    context.trying {
      defer { self.session = session }
      try body(&session)
      isChanged = true
    }
    if isChanged || self.session?.card?.id != session.card?.id { showCard() }
    return isChanged
  }

  /// Reads the review settings again, in the overview and in an open review.
  func reviewSettingsDidChange() {
    context.trying { try session?.readSettings() }
    reload()
  }

  /// Reads the cards again after one of them was changed outside of the review.
  func cardsDidChange() {
    if session != nil { changeSession { try $0.readSettings() } }
    if dashboard != nil { reload() }
  }

  func turn() {
    guard session?.isTurnedOver == false else { return }
    session?.turnOver()
    showBack()
  }

  /// Turns the card over with the choices or the text of the learner.
  func check() {
    if let field {
      session?.turnOver(typed: field.isEmpty ? nil : field.text)
      self.field = nil
      return showBack()
    }
    guard run?.check() == true, let run else { return draw() }
    if session?.choose(run.ticked.map { $0 + 1 }) != true { session?.turnOver() }
    showBack()
  }

  private func showBack() {
    cardView.scroll = 0
    updateContents()
    cardView.show(back: true, motion: context.motion)
    redrawText()
    if !isAtRest { redrawImagesAtRest() }
    context.showFooter()
  }

  /// The answer that Space gives: *knew it*, or the one that fits the choices.
  var primaryRating: CardRating { session?.suggestedRating ?? .good }

  /// Returns the label of the first key that gives an answer. If a key could give both answers, it gives *knew it*, unless
  /// the choices were wrong. While the card continues below, Space scrolls it.
  func key(of rating: CardRating) -> String {
    let isNumbered = session?.hasFourAnswers == true
    let command: Command = isNumbered ? .choice(rating.rawValue) : rating == .again ? .forgot : .known
    let isSecond = command == .forgot && primaryRating != .again
    let used: [Command] = (isSecond ? [.known] : []) + (cardView.hasMoreBelow ? [.readOn] : [])
    let usedKeys = used.flatMap { context.bindings.row(of: $0)?.keys ?? [] }
    let key = context.bindings.row(of: command)?.keys.first { !usedKeys.contains($0) }
    return key?.label(context.appearance.symbols) ?? ""
  }

  func answer(_ rating: CardRating) {
    guard let session, session.isTurnedOver, session.permits(rating) else { return }
    let old = leavingCard
    guard changeSession({ _ = try $0.answer(rating) }) else { return }
    animate(leaving: old, wasKnown: rating != .again)
    if let answer = self.session?.lastAnswer, answer.becameLeech {
      context.notify(ReviewText.leech(answer, remedy: "Rewrite it, or suspend it."), .warn)
    }
  }

  /// Suspends or buries the card.
  func putAside(_ message: String, _ body: (inout ReviewSession) throws -> Bool) {
    let old = leavingCard
    guard session?.card != nil, changeSession({ _ = try body(&$0) }) else { return }
    animate(leaving: old, wasKnown: false)
    context.notify(message + undoHint)
  }

  /// Shows the card of an undone change, or what waits in the overview.
  ///
  /// - Returns: Whether the card is visible.
  func show(_ change: UndoneChange) -> Bool {
    guard session != nil else {
      if isSelected { reload() }
      return false
    }
    guard !change.cards.isEmpty || change.kind == .cardsIncluded else { return false }
    changeSession { try $0.show(change) }
    return isSelected && session?.card?.id == change.cards.first
  }

  /// Forgets the card, or sets the day on which it is due.
  func schedule(inDays days: Int?) throws {
    putAside(days.map { "Due in \(ReviewText.count($0, "day"))." } ?? "The card is new again.") {
      try $0.schedule(inDays: days)
      return true
    }
  }

  private func openSource() {
    guard let card = session?.card else { return }
    let quotes = context.appearance.symbols.quotes
    source = card.place.place
    navigator.open(card) { [context] in
      guard let key = context.label(of: .back) else { return }
      context.notify("\(quotes.around(card.place.title)) is the source of the card. \(key) returns to the review.")
    }
  }

  /// Draws the card again after a change of its choices or its text.
  func draw() {
    updateContents()
    context.showFooter()
  }

  // MARK: - Input

  /// Returns what a command does during a review.
  func offerInReview(_ command: Command) -> Offer? {
    guard let session, session.card != nil else { return offerAfterReview(command) }
    switch command {
    case .readOn where cardView.hasMoreBelow: return Offer("more") { [self] in scrollCard(by: cardView.pageRows) }
    case .suspendCard: return Offer("suspend", rank: 2) { [self] in suspend() }
    case .bury:
      return Offer("bury", rank: 2) { [self] in putAside("Buried until tomorrow.") { try $0.bury() } }
    case .showSource: return Offer("source", rank: 2) { [self] in openSource() }
    case .forgetCard where session.card?.state.phase != .new:
      return Offer { [self] in context.trying { try schedule(inDays: nil) } }
    default: break
    }
    guard !session.isTurnedOver else { return offerOnBack(command, of: session) }
    switch (command, run) {
    case (.chooseNext, _?): return Offer("select") { [self] in choose(by: 1) }
    case (.choosePrevious, _?): return Offer("select") { [self] in choose(by: -1) }
    case (.selectChoice, let run?) where !run.ticked.contains(run.chosen): return Offer { [self] in tick(run.chosen) }
    case (.check, _?): return Offer("check") { [self] in check() }
    case (.choice(let number), let run):
      guard run?.canTick(number - 1) == true else { return .unused }
      return Offer("select it", rank: Offer.helpRank) { [self] in tick(number - 1) }
    case (.turn, nil): return Offer("turn") { [self] in turn() }
    default: return offerToScroll(command)
    }
  }

  /// Returns what a command does while the back of a card is shown.
  private func offerOnBack(_ command: Command, of session: ReviewSession) -> Offer? {
    func answer(_ rating: CardRating) -> Offer {
      let name = session.answers.first { $0.rating == rating }?.name
      // The answers below the card are not repeated in the last row.
      return Offer(session.hasFourAnswers || hasAnswersBelow ? "" : name ?? "") { [self] in
        // If the key is pressed during the turn, the turn is sped up. The card is not answered, because the learner has
        // not read the back.
        if rating == primaryRating, cardView.isTurning { cardView.hurry() } else { self.answer(rating) }
      }
    }
    switch command {
    case .known where primaryRating != .again: return answer(primaryRating)
    case .forgot: return answer(.again)
    case .choice(let number):
      guard session.answers.indices.contains(number - 1) else { return .unused }
      let choice = session.answers[number - 1]
      return Offer(session.hasFourAnswers ? hasAnswersBelow ? "" : choice.name : nil, order: -1) { [self] in
        self.answer(choice.rating)
      }
    default: return offerToScroll(command)
    }
  }

  /// Whether the answers are shown below the card.
  private var hasAnswersBelow: Bool { AnswersLayer.rows(in: listHeight) > 0 }

  private func offerToScroll(_ command: Command) -> Offer? {
    guard let rows = command.target(from: 0, visible: cardView.pageRows + 1) else { return offerToLeave(command) }
    return Offer(cardView.lastScroll == 0 ? nil : "") { [self] in scrollCard(by: rows) }
  }

  /// Returns what a command does on the summary.
  private func offerAfterReview(_ command: Command) -> Offer? {
    switch command {
    case .proceed:
      Offer("close", order: -3) { [self] in
        if let end = summary?.nextStepAt, end <= context.now { changeSession { try $0.refresh() } } else { endReview() }
      }
    case .reviewAhead: Offer("review ahead", order: -2) { [self] in reviewAhead() }
    case .addCards: Offer(lessonToLearn == nil ? "" : "add cards", order: -1) { [self] in learnMore() }
    default: offerToLeave(command)
    }
  }

  private func suspend() {
    let key = context.label(of: .resumeCards).map { " After the review, \($0) resumes it." } ?? ""
    putAside("Suspended. The card is not shown again." + key) { try $0.suspend() }
  }

  private func choose(by amount: Int) {
    guard let chosen = run?.chosen else { return }
    run?.choose(chosen + amount)
    cardView.scroll(toChoice: run?.chosen ?? 0)
    draw()
  }

  private func tick(_ choice: Int) {
    run?.tick(choice)
    draw()
    cardView.scroll(toChoice: choice)
    draw()
  }

  private func scrollCard(by amount: Int) {
    cardView.scroll(by: amount)
    draw()
  }

  /// Handles input that is not a command: a typed answer and the mouse.
  func handleInReview(_ event: InputEvent) -> Bool {
    switch event {
    case .paste(let text) where field != nil:
      field?.insert(text)
      draw()
    case .key(let key) where field != nil && key.phase != .release: return type(key)
    case .mouse(let mouse): return handleInReview(mouse)
    default: return false
    }
    return true
  }

  private func type(_ key: KeyEvent) -> Bool {
    switch key.key {
    case .enter: check()
    case .escape: return leaveInnermost()
    default:
      if field?.handle(key) == true { draw() }
    }
    return true
  }

  private func handleInReview(_ mouse: MouseEvent) -> Bool {
    guard session?.card != nil else { return false }
    let point = CellPoint(column: mouse.position.column, row: mouse.position.row - metrics.bodyTop)
    switch mouse.action {
    case .scroll(columns: 0, let rows): scrollCard(by: rows)
    case .press(.left):
      if let rating = answersLayer.answer(at: point) {
        answer(rating)
      } else if session?.isTurnedOver == false, let choice = cardView.choice(at: point) {
        tick(choice)
      } else if session?.isTurnedOver == false, field == nil, run == nil, cardView.frame.contains(point) {
        turn()
      } else {
        return false
      }
    default: return false
    }
    return true
  }
}

/// The drawing of the card and of its images.
extension ReviewScreen {
  var placedImages: [PlacedImage] {
    let images = session?.card == nil ? [] : cardView.images
    return images.map { PlacedImage(digest: $0.digest, cells: $0.cells.offset(rows: metrics.bodyTop)) }
  }
  var isAtRest: Bool { !body.isMovingInside }
  var imageRows: Range<Int> {
    cardView.inside.row + metrics.bodyTop..<cardView.inside.endRow + metrics.bodyTop
  }

  /// Lays out the card and the answers, and draws them.
  func redrawText() {
    guard let session, let card = session.card else { return }
    let answerRows = AnswersLayer.rows(in: listHeight)
    cardView.layOut(
      CardView.Model(
        drawing: drawing, rows: listHeight - answerRows, imageStyle: context.appearance.imageStyle,
        usesFullWidth: run != nil, isBack: session.isTurnedOver
      ) { [run, typedAnswer] in CardSides(card.faces, run: run, typed: typedAnswer, $0) })
    cardView.draw(on: self)
    answersLayer.draw(
      session.answers, below: cardView.frame, rows: session.isTurnedOver ? answerRows : 0, theme: drawing.theme,
      key: key(of:))
  }

  /// The answer that is being typed, or that was typed. `nil` for a card without a typed answer.
  private var typedAnswer: CardSides.Typed? {
    let theme = drawing.theme
    guard let field else {
      guard let session, session.isTurnedOver, session.card?.faces.isTyped == true else { return nil }
      return CardSides.Typed(
        text: StyledText(session.typedAnswer ?? "", style: theme[.foreground]), isRight: session.isRight)
    }
    var text = StyledText(field.isEmpty ? "Type the answer: " : "", style: theme[.quiet])
    text.append(
      field.styled(
        theme.bold(.strong), caret: theme.bold(.accent), bar: drawing.symbols.bar, width: metrics.textWidth - 8))
    return CardSides.Typed(text: text, isRight: nil)
  }
}

/// The texts around the card.
extension ReviewScreen {
  /// The reason why the card is shown, or an empty text for a card that has left the learning steps.
  var cardState: String {
    guard let session, let card = session.card else { return "" }
    if session.isPractice { return "Practice: the answer does not change the schedule" }
    return switch card.state.phase {
    case .new: "New card"
    case .learning, .relearning: "Shown again"
    case .review: ""
    }
  }

  /// The share of the cards that were asked, 0…1.
  var reviewFraction: Double {
    guard let session, let count = session.count, count > 0 else { return session == nil ? 0 : 1 }
    let asked = session.position - (session.card == nil ? 0 : 1)
    return Double(asked) / Double(count)
  }

  /// The rows of the summary.
  var summaryRows: [ListedRow] {
    guard let summary else { return [] }
    let theme = drawing.theme
    let width = metrics.textWidth
    var lines = StyledText(summary.title, style: theme.bold(.strong)).wrapped(to: width) + [StyledLine()]
    for (name, value) in summary.facts(quotes: drawing.symbols.quotes) {
      let space = String(repeating: " ", count: max(0, 12 - name.displayWidth))
      lines.append(
        StyledLine([StyledRun(name + space, style: theme[.quiet]), StyledRun(value, style: theme[.foreground])]))
    }
    let sentences = summary.sentences { context.dayNames.time($0) }
    if !sentences.isEmpty {
      lines += [StyledLine()] + StyledText(sentences.joined(separator: " "), style: theme[.quiet]).wrapped(to: width)
    }
    return textRows(lines)
  }

  /// The hint during a review.
  var reviewHint: Footer.Hint {
    guard let session else { return Footer.Hint(text: "", detail: "") }
    let symbols = context.appearance.symbols
    if session.card == nil {
      if let end = summary?.nextStepAt, end <= context.now {
        return Footer.Hint(.proceed, text: "Show the due card", detail: "")
      }
      return Footer.Hint(.proceed, text: "End the review", detail: "")
    }
    if field != nil { return Footer.Hint(key: symbols.enter, text: "Check the answer", detail: "") }
    if cardView.hasMoreBelow { return Footer.Hint(.readOn, text: "Read more", detail: "") }
    guard session.isTurnedOver else {
      guard let run else { return Footer.Hint(.turn, text: "Turn the card", detail: "Answer first, then check") }
      return run.ticked.contains(run.chosen)
        ? Footer.Hint(.check, text: "Check the answer", detail: "")
        : Footer.Hint(.selectChoice, text: "Select the choice", detail: "")
    }
    if hasAnswersBelow {
      return Footer.Hint(text: primaryRating == .again ? "Your answer was wrong." : "Did you know it?", detail: "")
    }
    let answer = session.answers.first { $0.rating == primaryRating }
    let text = primaryRating == .again ? "You forgot it" : "You knew it"
    return Footer.Hint(
      primaryRating == .again ? .forgot : .known, text: text,
      detail: answer?.interval.map { "returns in " + ReviewText.shortInterval($0) } ?? "")
  }

  /// The keys of the field for a typed answer, or `nil` if there is none.
  var answerFieldKeys: [KeyHint]? {
    field.map { _ in [KeyHint(context.appearance.symbols.enter, "check"), KeyHint("Esc", escapeTarget.label)] }
  }
}
