import CourseKit
import CoursePages
import LearningModel
import NavigationKit

extension LinearBrowser {
  /// Opens an activity and prints its beginning.
  func showActivity(_ page: PlacePage, content: ActivityContent, after prefix: String) throws {
    list = LinearList()
    let title = prefix + LinearFormat.ended("\(LinearFormat.kind(page.place)): \(page.place.title)")
    let firstLine = [title, page.positionText, LinearFormat.opening(page.summary)].filter { !$0.isEmpty }
      .joined(separator: " ")
    switch content {
    case .link(let address, let blocks):
      try beginReading(blocks, address: address, of: page, title: title, head: firstLine)
    case .flashcards(let introduction, let deck):
      printLine(firstLine)
      try beginCards(deck, introduction, of: page)
    case .quiz(let introduction, let questions, let pass):
      printLine(firstLine)
      try beginQuiz(questions, introduction, pass: pass, of: page)
    default: try beginReading(content.readBlocks, address: nil, of: page, title: title, head: firstLine)
    }
  }

  /// Handles an empty line in an activity: continues the text, the cards or the questions. After their end, continues
  /// with the next place.
  func continueActivity() throws {
    switch activity {
    case .reading(let reading, _):
      if !reading.isAtEnd { return try continueReading() }
      let summary = try navigation.places.page().summary
      if summary.type?.isReadInParts != false, !reading.isLookingUp, summary.state != .done {
        reading.account.isRead && !reading.isMarkedNotDone
          ? try record(.seenToEnd)
          : printLine(
            "Not done: \(LinearFormat.percent(reading.account.share)) read. Type previous, then done, to mark the text as done."
          )
      }
      try go(.next)
    case .cards(let cards):
      if cards.isOver { return try go(.next) }
      cards.session.isTurnedOver
        ? printLine("Did you know it? Type known, or forgot.") : try performInActivity(.turn)
    case .quiz(let quiz):
      if quiz.run.isOver { return try go(.next) }
      try quiz.run.isChecked ? goToNextQuestion(quiz) : performInActivity(.check)
    // A review handles its input itself.
    case .review, nil: break
    }
  }

  /// Repeats the last output: a portion of the text, the side of a card or a question.
  func repeatOutput() {
    switch activity {
    case .reading(let reading, _): printLine(reading.last)
    case .cards(let cards) where !cards.isOver: printCard(cards)
    case .quiz(let quiz) where !quiz.run.isOver: printQuestion(quiz)
    case .review(let review) where review.session.card != nil: printCard(review)
    default: printLine("End of the activity. retry: start again.")
    }
  }

  /// Performs a command that is available only in activities.
  func performInActivity(_ command: LinearCommand) throws {
    switch (command, activity) {
    case (.again, .reading(var reading, let address)):
      reading.rewind()
      activity = .reading(reading, address: address)
      try continueReading()
    case (.again, .cards(var cards)):
      cards.session.restart()
      printCard(cards)
    case (.again, .quiz(var quiz)):
      quiz.session.restart()
      printQuestion(quiz)
      try saveAnswers()
    case (.check, .quiz(let quiz)) where !quiz.run.isOver && !quiz.run.isChecked: try check(quiz)
    case (_, .cards(let cards)) where !cards.isOver && command != .check: try handleCardInput(cards, command)
    default:
      let verb = command == .turn || command == .check ? LinearCommand.name(of: command) : "answer"
      printLine("There is nothing to \(verb) here.")
    }
  }

  // MARK: - Done

  /// Records an activity event, and prints whether the activity's state has changed.
  func record(_ event: ActivityEventContent) throws {
    let place = try navigation.currentPlace().place
    let wasDone = try navigation.places.summary(of: .place(place)).state == .done
    let card = try navigation.progress.record(event, in: .place(place))
    if case .reading(var reading, let address) = activity {
      if event == .markedNotDone { reading.isMarkedNotDone = true }
      activity = .reading(reading, address: address)
    }
    guard wasDone != (card.state == .done) else { return }
    let parent = try navigation.places.page().ancestors.last
    let parentProgress = try parent.map { try navigation.places.summary(of: .place($0.place)).progress }
    let progressText =
      parent.flatMap { parent in parentProgress.map { " \(DisplayFormat.progress($0)) done in \(parent.title)" } } ?? ""
    printLine((wasDone ? "Not done." : "Done.") + LinearFormat.ended(progressText))
  }

  func setDone(_ isDone: Bool) throws {
    let card = try navigation.places.page().summary
    guard card.place.kind == .activity else {
      return printLine(
        "Only an activity can be marked as done; this is a \(LinearFormat.kind(card.place).lowercased()).")
    }
    guard (card.state == .done) != isDone else {
      return printLine(isDone ? "This activity is already done." : "This activity is not done yet.")
    }
    try record(isDone ? .markedDone : .markedNotDone)
  }
}

// Cards and quizzes.

extension LinearBrowser {
  /// Lists the questions that were answered incorrectly in the last attempt, with their right answers. Selecting an
  /// item prints the explanation.
  func printWrongAnswers() throws {
    let answers = try WrongAnswerList(of: navigation, library, first: navigation.currentPlace().place).answers()
    guard !answers.isEmpty else { return printLine(WrongAnswerList.emptyMessage) }
    let items = answers.map { answer in
      let (chosenTexts, rightTexts) = (answer.choiceTexts(ofTaken: true), answer.choiceTexts(ofTaken: false))
      let details = [
        chosenTexts.isEmpty ? "" : "Your answer: " + LinearFormat.ended(chosenTexts.joined(separator: ", ")),
        "Correct answer: " + LinearFormat.ended(rightTexts.joined(separator: ", ")),
        "In \(LinearFormat.ended(answer.quiz.title))",
      ]
      return LinearList.Item(
        title: answer.question.question.plainText, detail: details.filter { !$0.isEmpty }.joined(separator: " "),
        target: .wrongAnswer(answer))
    }
    try printWithHeader(["Wrong answers: \(DisplayFormat.count(answers.count, "question"))."], items)
  }

  // MARK: - Cards

  func beginCards(_ deck: [Flashcard], _ introduction: [Block], of page: PlacePage) throws {
    let text = LinearText(introduction)
    printLine(text.lines)
    guard !deck.isEmpty else { return printLine("There are no cards here.") }
    var session = FlashcardSession(deck, introduction: introduction)
    session.restore(try navigation.progress.gradedCards(at: page.place.place))
    session.begin()
    printLine(
      session.grades.isEmpty
        ? "Say what you remember, then turn the card over with Enter."
        : "\(session.grades.count) of \(deck.count) turned, \(session.knownCount) known.")
    printCard(LinearCards(session: session, links: text.links))
  }

  func printCard(_ cards: LinearCards) {
    var cards = cards
    printLine(cards.side())
    if cards.session.isTurnedOver { printLine("Did you know it? Type known, or forgot.") }
    activity = .cards(cards)
  }

  func handleCardInput(_ cards: LinearCards, _ command: LinearCommand) throws {
    guard command == .turn || cards.session.isTurnedOver else {
      return printLine("Turn the card first: turn, or an empty line.")
    }
    guard command == .turn else { return try grade(cards, known: command == .known) }
    var cards = cards
    cards.session.turnOver()
    printCard(cards)
  }

  private func grade(_ cards: LinearCards, known isKnown: Bool) throws {
    var cards = cards
    guard let event = cards.session.grade(isKnown: isKnown) else { return }
    activity = .cards(cards)
    printLine(isKnown ? "Known." : "Not known yet.")
    try record(event)
    try navigation.progress.save(cards.session.position(at: now), in: navigation.currentPlace().place)
    guard let round = cards.session.currentRound, round.isOver else { return printCard(cards) }
    printLine("That was the last card. You knew \(round.knownCount) of \(round.cards.count).")
    try printNextStep(again: cards.session.unknownCards.count, ifNone: "", atEnd: "up: leave.")
  }

  /// Prints which cards or questions the command `again` repeats, and where the Enter key leads.
  ///
  /// - Parameters:
  ///   - count: The number of cards or questions that `again` repeats.
  ///   - ifNone: The text to print if `count` is 0.
  ///   - atEnd: The text to print if Enter does not lead to a further place.
  private func printNextStep(again count: Int, ifNone: String, atEnd: String) throws {
    let repeatText = count == 0 ? ifNone : "retry: \(count == 1 ? "the wrong one" : "the \(count) wrong ones")."
    let next = try navigation.places.page().next.map { "Enter: continue with " + LinearFormat.ended($0.title) } ?? atEnd
    printLine([repeatText, next].filter { !$0.isEmpty }.joined(separator: " "))
  }

  // MARK: - Quiz

  func beginQuiz(_ questions: [QuizQuestion], _ introduction: [Block], pass: Double, of page: PlacePage) throws {
    let text = LinearText(introduction)
    printLine(text.lines)
    guard !questions.isEmpty else { return printLine("There are no questions here.") }
    let place = page.place.place
    var session = QuizSession(questions, introduction: introduction, passingShare: pass)
    let stored = try navigation.progress.unfinishedQuiz(of: questions, in: place).map {
      QuizRun(questions: questions, $0)
    }
    session.restore(try navigation.progress.quizAttempts(at: place), unfinished: stored)
    if let last = session.attempts.first {
      printLine("Last attempt, \(days.on(last.at)): \(session.score(of: last).lowercased()).")
    }
    if let targetQuestion {
      if session.show(attempt: 0, question: targetQuestion) {
        explain(targetQuestion + 1, of: LinearQuiz(session: session, links: text.links))
        return try printNextStep(of: session)
      }
      printLine("The questions have changed since your last attempt.")
    }
    if session.run == nil { session.continueOrBegin() }
    // The explanation of the checked question was printed before the learner left the quiz.
    session.advance()
    if stored != nil { printLine("Continued where you stopped. retry: start again.") }
    var quiz = LinearQuiz(session: session, links: text.links)
    printQuestion(quiz)
    if !quiz.run.ticked.isEmpty { printLine("Selected: \(quiz.named(quiz.run.ticked)) Enter: check it.") }
  }

  /// Goes to a question that was answered incorrectly, and prints it with its answer. If the questions have changed,
  /// goes to the beginning of the quiz.
  func go(to answer: WrongAnswer) throws {
    targetQuestion = answer.number
    defer { targetQuestion = nil }
    guard try navigation.currentPlace().place == answer.quiz.place else {
      return try go(.open(.place(answer.quiz.place)))
    }
    try showPlace(after: "")
  }

  /// Stores the answers of an unfinished quiz, so that the learner can continue it later.
  func saveAnswers() throws {
    guard case .quiz(let quiz) = activity else { return }
    let place = try navigation.currentPlace().place
    try navigation.progress.save(
      quiz.session.unfinished.map(UnfinishedQuiz.init), of: quiz.session.questions, in: place)
    guard let position = quiz.session.position(at: now) else { return }
    try navigation.progress.save(position, in: place)
  }

  func printQuestion(_ quiz: LinearQuiz) {
    var quiz = quiz
    printLine(quiz.question())
    // The hint is printed only once per quiz, because people who listen cannot skip repetitions.
    if quiz.run.question?.isFreeText == true {
      printLine("Answer in your own words. Enter: show the answer.")
    } else if quiz.run.asksForSeveral {
      printLine("Several may be correct: type their numbers, such as 1 3.")
    } else if !quiz.run.questions.prefix(quiz.run.number).contains(where: { !$0.isFreeText }) {
      printLine("Type the number of your answer.")
    }
    activity = .quiz(quiz)
  }

  func chooseAnswers(_ numbers: [Int]) throws {
    guard case .quiz(var quiz) = activity, let question = quiz.run.question else { return }
    guard !question.isFreeText else { return printLine("There are no choices. Enter: show the answer.") }
    guard quiz.session.answer(numbers) else {
      let count = question.choices.count
      return printLine(
        quiz.run.asksForSeveral ? "Type numbers from 1 to \(count)." : "Type one number from 1 to \(count).")
    }
    printLine("Selected: \(quiz.named(quiz.run.ticked)) Enter: check it.")
    activity = .quiz(quiz)
    try saveAnswers()
  }

  func check(_ quiz: LinearQuiz) throws {
    var quiz = quiz
    guard !quiz.run.ticked.isEmpty || quiz.run.rightChoices == 0 else {
      return printLine("First type the number of your answer.")
    }
    guard quiz.session.check(), let question = quiz.run.question else { return }
    let right = question.choices.indices.filter { question.choices[$0].isRight }
    if question.isFreeText {
      printLine(question.explanation.isEmpty ? "No answer is given here." : "The answer to compare yours with:")
    } else {
      let rightText = right.isEmpty ? "None of the answers is correct." : "Correct answer: " + quiz.named(right)
      printLine(quiz.run.isRight(quiz.run.number) ? "Correct." : "Incorrect. " + rightText)
    }
    printLine(quiz.explanation())
    activity = .quiz(quiz)
    try saveAnswers()
    guard let event = quiz.session.completion else { return printLine("Enter: \(quiz.run.nextPositionText).") }
    let questionCount = quiz.session.questions.choiceQuestionCount
    printLine(
      "That was the last question."
        + (questionCount == 0 ? "" : " You answered \(quiz.run.correctCount) of \(questionCount) correctly."))
    if quiz.run.score < quiz.session.passingShare {
      printLine("\(quiz.session.questions.needed(toPass: quiz.session.passingShare)) needed to pass.")
    }
    try record(event)
    quiz.session.recorded(try navigation.progress.quizAttempts(at: navigation.currentPlace().place))
    quiz.session.advance()
    for number in quiz.run.wrongQuestions { printLine(quiz.result(number)) }
    activity = .quiz(quiz)
    try printNextStep(of: quiz.session)
  }

  private func printNextStep(of session: QuizSession) throws {
    try printNextStep(again: session.run?.wrongQuestions.count ?? 0, ifNone: "retry: start again.", atEnd: "")
    printLine("A number: show that question with its explanation.")
  }

  /// Prints a question of a finished quiz with its answer and explanation.
  func explain(_ number: Int, of quiz: LinearQuiz) {
    var quiz = quiz
    guard quiz.session.questions.indices.contains(number - 1) else {
      return printLine("Type a number from 1 to \(quiz.session.questions.count).")
    }
    printLine(quiz.result(number - 1))
    printLine(quiz.explanation(of: number - 1))
    activity = .quiz(quiz)
  }

  func goToNextQuestion(_ quiz: LinearQuiz) throws {
    var quiz = quiz
    quiz.session.advance()
    printQuestion(quiz)
    try saveAnswers()
  }
}
