import CourseKit
import CoursePages
import LearningModel
import NavigationKit

extension LinearBrowser {
  /// Opens an activity and prints its beginning.
  func showActivity(_ page: PlacePage, content: ActivityContent, after prefix: String) throws {
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

  /// Handles an empty line in an activity: continues the text, the cards or the questions. After their end, continues
  /// with the next place.
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
      if cards.isOver { return try go(.next) }
      cards.session.isTurned ? say("Did you know it? Type known, or not known.") : try act(.turn)
    case .quiz(let quiz):
      if quiz.run.isOver { return try go(.next) }
      try quiz.run.isChecked ? goToNextQuestion(quiz) : act(.check)
    case nil: break
    }
  }

  /// Repeats the last output: a portion of the text, the side of a card or a question.
  func sayAgain() {
    switch activity {
    case .reading(let reading, _): say(reading.last)
    case .cards(let cards) where !cards.isOver: sayCard(cards)
    case .quiz(let quiz) where !quiz.run.isOver: sayQuestion(quiz)
    default: say("This is the end of the activity. again: begin it once more.")
    }
  }

  /// Performs a command that is available only in activities.
  func act(_ word: LinearCommand) throws {
    switch (word, activity) {
    case (.again, .reading(var reading, let address)):
      reading.rewind()
      activity = .reading(reading, address: address)
      try readOn()
    case (.again, .cards(var cards)):
      cards.session.beginAgain()
      sayCard(cards)
    case (.again, .quiz(var quiz)):
      quiz.session.beginAgain()
      sayQuestion(quiz)
      try keepAnswers()
    case (.check, .quiz(let quiz)) where !quiz.run.isOver && !quiz.run.isChecked: try check(quiz)
    case (_, .cards(let cards)) where !cards.isOver && word != .check: try answer(cards, word)
    default:
      say("There is nothing to \(word == .turn || word == .check ? LinearCommand.name(of: word) : "answer so") here.")
    }
  }

  // MARK: - Done

  /// Records an activity event, and prints whether the activity's state has changed.
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

// Cards and quizzes.

extension LinearBrowser {
  /// Lists the questions that were answered incorrectly in the last attempt, with their right answers. Selecting an
  /// item prints the explanation.
  func sayWrongAnswers() throws {
    let answers = try WrongAnswerList(of: navigation, library, first: navigation.currentPlace().place).answers()
    guard !answers.isEmpty else { return say(WrongAnswerList.wordsForNone) }
    let items = answers.map { answer in
      let (taken, right) = (answer.words(ofTaken: true), answer.words(ofTaken: false))
      let words = [
        taken.isEmpty ? "" : "You took: " + SpokenWords.ended(taken.joined(separator: ", ")),
        "Right: " + SpokenWords.ended(right.joined(separator: ", ")), "In \(SpokenWords.ended(answer.quiz.title))",
      ]
      return LinearList.Item(
        title: answer.question.question.plainText, words: words.filter { !$0.isEmpty }.joined(separator: " "),
        target: .wrongAnswer(answer))
    }
    try sayOnTop(["Wrong answers: \(Words.count(answers.count, "question"))."], items)
  }

  // MARK: - Cards

  func beginCards(_ deck: [Flashcard], _ introduction: [Block], of page: PlacePage) throws {
    let text = SpokenText(introduction)
    say(text.lines)
    guard !deck.isEmpty else { return say("There are no cards here.") }
    var session = FlashcardSession(deck, introduction: introduction)
    session.restore(try navigation.gradedCards(at: page.place.place))
    session.begin()
    say(
      session.grades.isEmpty
        ? "Say what you remember, then turn the card over with Enter."
        : "\(session.grades.count) of \(deck.count) turned, \(session.known) known.")
    sayCard(LinearCards(session: session, links: text.links))
  }

  func sayCard(_ cards: LinearCards) {
    var cards = cards
    say(cards.side())
    if cards.session.isTurned { say("Did you know it? known, or not known.") }
    activity = .cards(cards)
  }

  func answer(_ cards: LinearCards, _ word: LinearCommand) throws {
    guard word == .turn || cards.session.isTurned else {
      return say("Turn the card over first: turn, or an empty line.")
    }
    guard word == .turn else { return try grade(cards, known: word == .known) }
    var cards = cards
    cards.session.turn()
    sayCard(cards)
  }

  private func grade(_ cards: LinearCards, known: Bool) throws {
    var cards = cards
    guard let act = cards.session.grade(known: known) else { return }
    activity = .cards(cards)
    say(known ? "Known." : "Not known yet.")
    try record(act)
    try navigation.save(cards.session.position(at: now), in: navigation.currentPlace().place)
    guard let round = cards.session.round, round.isOver else { return sayCard(cards) }
    say("That was the last card. You knew \(round.known) of \(round.cards.count).")
    try sayOnward(again: cards.session.unknown.count, ifNone: "", atEnd: "up: leave.")
  }

  /// Prints which cards or questions the command `again` repeats, and where the Enter key leads.
  ///
  /// - Parameters:
  ///   - count: The number of cards or questions that `again` repeats.
  ///   - ifNone: The text to print if `count` is 0.
  ///   - atEnd: The text to print if Enter does not lead to a further place.
  private func sayOnward(again count: Int, ifNone: String, atEnd: String) throws {
    let again = count == 0 ? ifNone : "again: \(count == 1 ? "that one" : "those \(count)") once more."
    let next = try navigation.page().next.map { "Enter: on to " + SpokenWords.ended($0.title) } ?? atEnd
    say([again, next].filter { !$0.isEmpty }.joined(separator: " "))
  }

  // MARK: - Quiz

  func beginQuiz(_ questions: [QuizQuestion], _ introduction: [Block], pass: Double, of page: PlacePage) throws {
    let text = SpokenText(introduction)
    say(text.lines)
    guard !questions.isEmpty else { return say("There are no questions here.") }
    let place = page.place.place
    var session = QuizSession(questions, introduction: introduction, pass: pass)
    let stored = try navigation.unfinishedQuiz(of: questions, in: place).map { QuizRun(questions: questions, $0) }
    session.restore(try navigation.quizAttempts(at: place), unfinished: stored)
    if let last = session.attempts.first {
      say("The last time, \(days.on(last.at)): \(session.score(of: last).lowercased()).")
    }
    if let answerLookedFor {
      if session.show(attempt: 0, question: answerLookedFor) {
        explain(answerLookedFor + 1, of: LinearQuiz(session: session, links: text.links))
        return try sayOnward(of: session)
      }
      say("Its questions have changed since.")
    }
    if session.run == nil { session.continueOrBegin() }
    // The explanation of the checked question was printed before the learner left the quiz.
    session.goOn()
    if stored != nil { say("You go on where you stopped. again: begin it once more.") }
    var quiz = LinearQuiz(session: session, links: text.links)
    sayQuestion(quiz)
    if !quiz.run.ticked.isEmpty { say("Chosen: \(quiz.named(quiz.run.ticked)) Enter: check it.") }
  }

  /// Goes to a question that was answered incorrectly, and prints it with its answer. If the questions have changed,
  /// goes to the beginning of the quiz.
  func go(to answer: WrongAnswer) throws {
    answerLookedFor = answer.number
    defer { answerLookedFor = nil }
    guard try navigation.currentPlace().place == answer.quiz.place else {
      return try go(.open(.place(answer.quiz.place)))
    }
    try showPlace(after: "")
  }

  /// Stores the answers of an unfinished quiz, so that the learner can continue it later.
  func keepAnswers() throws {
    guard case .quiz(let quiz) = activity else { return }
    let place = try navigation.currentPlace().place
    try navigation.save(quiz.session.unfinished.map(UnfinishedQuiz.init), of: quiz.session.questions, in: place)
    guard let position = quiz.session.position(at: now) else { return }
    try navigation.save(position, in: place)
  }

  func sayQuestion(_ quiz: LinearQuiz) {
    var quiz = quiz
    say(quiz.question())
    // The hint is printed only once per quiz, because people who listen cannot skip repetitions.
    if quiz.run.question?.isFreeText == true {
      say("Answer in your own words. Enter: hear the answer.")
    } else if quiz.run.asksForSeveral {
      say("Several may be right: type their numbers, such as 1 3.")
    } else if !quiz.run.questions.prefix(quiz.run.number).contains(where: { !$0.isFreeText }) {
      say("Type the number of your answer.")
    }
    activity = .quiz(quiz)
  }

  func chooseAnswers(_ numbers: [Int]) throws {
    guard case .quiz(var quiz) = activity, let question = quiz.run.question else { return }
    guard !question.isFreeText else { return say("There is nothing to choose from. Enter: hear the answer.") }
    guard quiz.session.answer(numbers) else {
      let count = question.choices.count
      return say(quiz.run.asksForSeveral ? "Choose from 1 to \(count)." : "Choose one number from 1 to \(count).")
    }
    say("Chosen: \(quiz.named(quiz.run.ticked)) Enter: check it.")
    activity = .quiz(quiz)
    try keepAnswers()
  }

  func check(_ quiz: LinearQuiz) throws {
    var quiz = quiz
    guard !quiz.run.ticked.isEmpty || quiz.run.rightChoices == 0 else { return say("Choose first: type a number.") }
    guard quiz.session.check(), let question = quiz.run.question else { return }
    let right = question.choices.indices.filter { question.choices[$0].isRight }
    if question.isFreeText {
      say(question.explanation.isEmpty ? "No answer is given here." : "The answer to compare yours with:")
    } else {
      let words = right.isEmpty ? "None of them is right." : "Right: " + quiz.named(right)
      say(quiz.run.isRight(quiz.run.number) ? "Right." : "Not right. " + words)
    }
    say(quiz.explanation())
    activity = .quiz(quiz)
    try keepAnswers()
    guard let act = quiz.session.completion else { return say("Enter: \(quiz.run.nextPlace).") }
    let judged = quiz.session.questions.choiceQuestionCount
    say("That was the last question." + (judged == 0 ? "" : " You had \(quiz.run.right) of \(judged) right."))
    if quiz.run.score < quiz.session.pass {
      say("\(quiz.session.questions.needed(toPass: quiz.session.pass)) must be right.")
    }
    try record(act)
    quiz.session.recorded(try navigation.quizAttempts(at: navigation.currentPlace().place))
    quiz.session.goOn()
    for number in quiz.run.wrong { say(quiz.result(number)) }
    activity = .quiz(quiz)
    try sayOnward(of: quiz.session)
  }

  private func sayOnward(of session: QuizSession) throws {
    try sayOnward(again: session.run?.wrong.count ?? 0, ifNone: "again: once more.", atEnd: "")
    say("A number: that question, explained.")
  }

  /// Prints a question of a finished quiz with its answer and explanation.
  func explain(_ number: Int, of quiz: LinearQuiz) {
    var quiz = quiz
    guard quiz.session.questions.indices.contains(number - 1) else {
      return say("Choose a number from 1 to \(quiz.session.questions.count).")
    }
    say(quiz.result(number - 1))
    say(quiz.explanation(of: number - 1))
    activity = .quiz(quiz)
  }

  func goToNextQuestion(_ quiz: LinearQuiz) throws {
    var quiz = quiz
    quiz.session.goOn()
    sayQuestion(quiz)
    try keepAnswers()
  }
}
