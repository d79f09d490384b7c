import CourseLibrary
import CoursePages
import LearningModel
import NavigationService

extension LinearBrowser {
  /// Opens an activity, and says how it begins.
  func showActivity(_ page: Page, content: ActivityContent, after prefix: String) throws {
    list = LinearList()
    let title = prefix + SpokenWords.ended("Activity: \(page.place.title)")
    let head = "\(title) \(page.standing) \(SpokenWords.opening(page.card))"
    switch content {
    case .reading(let blocks): try beginReading(blocks, address: nil, of: page, title: title, head: head)
    case .link(let address, let blocks): try beginReading(blocks, address: address, of: page, title: title, head: head)
    case .flashcards(let introduction, let deck):
      say(head)
      try beginCards(deck, introduction, of: page)
    case .quiz(let introduction, let questions, let pass):
      say(head)
      try beginQuiz(questions, introduction, pass: pass, of: page)
    }
  }

  /// An empty line in an activity: on with the text, the cards, the questions; at their end, to what follows.
  func goOnInActivity() throws {
    switch activity {
    case .reading(let reading, let address):
      if !reading.isAtEnd { return try readOn() }
      if address == nil, !reading.isLookingUp, try navigation.page().card.state != .done {
        reading.account.isRead
          ? try record(.seenToEnd) : say("Not done: \(SpokenWords.percent(reading.account.share)) read.")
      }
      try go(.next)
    case .cards(let cards):
      if cards.round.isOver { return try go(.next) }
      cards.round.isTurned ? say("Did you know it? Type known, or not known.") : try act(.turn)
    case .quiz(let quiz):
      if quiz.run.isOver { return try go(.next) }
      try quiz.run.isChecked ? goToNextQuestion(quiz) : act(.check)
    case nil: break
    }
  }

  /// Says what was heard last: a portion of the text, the side of a card, a question.
  func sayAgain() {
    switch activity {
    case .reading(let reading, _): say(reading.last)
    case .cards(let cards) where !cards.round.isOver: sayCard(cards)
    case .quiz(let quiz) where !quiz.run.isOver: sayQuestion(quiz)
    default: say("This is the end of the activity. again: begin it once more.")
    }
  }

  /// What can only be done in an activity.
  func act(_ word: LinearWord) throws {
    switch (word, activity) {
    case (.again, .reading(var reading, let address)):
      reading.rewind()
      activity = .reading(reading, address: address)
      try readOn()
    case (.again, .cards(var cards)):
      cards.round = FlashcardRound(cards: cards.again)
      sayCard(cards)
    case (.again, .quiz(let quiz)):
      let run = quiz.run.isOver ? QuizRun(again: quiz.run) : QuizRun(questions: quiz.run.questions)
      var again = LinearQuiz(run, pass: quiz.pass)
      again.links = quiz.links
      sayQuestion(again)
      try keepAnswers()
    case (.check, .quiz(let quiz)) where !quiz.run.isOver && !quiz.run.isChecked: try check(quiz)
    case (_, .cards(let cards)) where !cards.round.isOver && word != .check: try answer(cards, word)
    default:
      say("There is nothing to \(word == .turn || word == .check ? LinearWord.name(of: word) : "answer so") here.")
    }
  }

  // MARK: - Done

  /// Writes down what the learner did, and says what follows from it.
  func record(_ act: LearningAct) throws {
    let place = try navigation.currentPlace().place
    let wasDone = try navigation.card(of: .place(place)).state == .done
    let card = try navigation.record(act, in: .place(place))
    if case .reading(var reading, let address) = activity {
      if act == .markedNotDone { reading.isTakenBack = true }
      activity = .reading(reading, address: address)
    }
    guard wasDone != (card.state == .done) else { return }
    let above = try navigation.page().trail.last
    let sum = try above.map { try navigation.card(of: .place($0.place)).progress }
    let standing = above.flatMap { above in sum.map { " \(Words.progress($0)) done in \(above.title)" } } ?? ""
    say((wasDone ? "Not done." : "Done.") + SpokenWords.ended(standing))
  }

  func setDone(_ isDone: Bool) throws {
    let card = try navigation.page().card
    guard card.place.kind == .activity else {
      return say("Only an activity can be done; this is a \(SpokenWords.kind(card.place.kind).lowercased()).")
    }
    guard (card.state == .done) != isDone else { return say(isDone ? "It is done already." : "It is not done yet.") }
    try record(isDone ? .markedDone : .markedNotDone)
  }
}
