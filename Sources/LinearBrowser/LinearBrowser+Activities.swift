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

// Cards and quizzes.

extension LinearBrowser {
  /// Lists the questions that were not answered rightly the last time, with what is right; each leads to its quiz.
  func sayWrongAnswers() throws {
    let answers = try WrongAnswer.all(in: try navigation.lastQuizAttempts()) { try library.content(of: $0) }
    guard !answers.isEmpty else {
      return say("No answer to go over: no quiz was answered yet, or every last answer was right.")
    }
    let items = answers.map { answer in
      let (taken, right) = (answer.words(ofTaken: true), answer.words(ofTaken: false))
      let words = [
        taken.isEmpty ? "" : "You took: " + SpokenWords.ended(taken.joined(separator: ", ")),
        "Right: " + SpokenWords.ended(right.joined(separator: ", ")), "In \(SpokenWords.ended(answer.quiz.title))",
      ]
      return LinearList.Item(
        title: answer.question.question.plainText, words: words.filter { !$0.isEmpty }.joined(separator: " "),
        target: .place(answer.quiz.place, cause: .key))
    }
    try sayOnTop(["Wrong answers: \(Words.count(answers.count, "question"))."], items)
  }

  // MARK: - Cards

  func beginCards(_ deck: [Flashcard], _ introduction: [Block], of page: Page) throws {
    let introduction = SpokenText(introduction)
    say(introduction.lines)
    guard !deck.isEmpty else { return say("There are no cards here.") }
    var cards = LinearCards(deck, grades: try navigation.gradedCards(at: page.place.place))
    cards.links = introduction.links
    let known = cards.grades.values.count { $0 }
    say(
      cards.grades.isEmpty
        ? "Say what you remember, then turn the card over with Enter."
        : "\(cards.grades.count) of \(deck.count) turned, \(known) known.")
    sayCard(cards)
  }

  func sayCard(_ cards: LinearCards) {
    var cards = cards
    say(cards.side())
    if cards.round.isTurned { say("Did you know it? known, or not known.") }
    activity = .cards(cards)
  }

  func answer(_ cards: LinearCards, _ word: LinearWord) throws {
    guard word == .turn || cards.round.isTurned else { return say("Turn the card over first: turn, or an empty line.") }
    guard word == .turn else { return try grade(cards, known: word == .known) }
    var cards = cards
    cards.round.turn()
    sayCard(cards)
  }

  private func grade(_ cards: LinearCards, known: Bool) throws {
    var cards = cards
    guard let card = cards.round.card else { return }
    cards.round.grade(known: known)
    cards.grades[card] = known
    activity = .cards(cards)
    say(known ? "Known." : "Not known yet.")
    try record(.cardGraded(card: card, of: cards.deck.count, known: known))
    try navigation.save(cards.position(at: now), in: navigation.currentPlace().place)
    guard cards.round.isOver else { return sayCard(cards) }
    let page = try navigation.page()
    let unknown = cards.round.unknown.count
    say("That was the last card. You knew \(cards.round.known) of \(cards.round.cards.count).")
    let again = unknown == 0 ? "" : "again: \(unknown == 1 ? "that one" : "those \(unknown)") once more. "
    say(again + (page.next.map { "Enter: on to " + SpokenWords.ended($0.title) } ?? "up: leave."))
  }

  // MARK: - Quiz

  func beginQuiz(_ questions: [QuizQuestion], _ introduction: [Block], pass: Double, of page: Page) throws {
    let introduction = SpokenText(introduction)
    say(introduction.lines)
    guard !questions.isEmpty else { return say("There are no questions here.") }
    if let last = try navigation.quizAttempts(at: page.place.place, limit: 1).first {
      let right = Int((last.score * Double(questions.judged)).rounded())
      let score = questions.judged == 0 ? "all answered" : "\(right) of \(questions.judged) right"
      say("The last time, \(days.on(last.at)): \(score).")
    }
    let place = page.place.place
    let left = try navigation.unfinishedQuiz(of: questions, in: place).map { QuizRun(questions: questions, $0) }
    var quiz = LinearQuiz(left ?? QuizRun(questions: questions), pass: pass)
    quiz.links = introduction.links
    // What was checked has been explained already.
    if quiz.run.isChecked { quiz.run.goOn() }
    if left != nil { say("You go on where you stopped. again: begin it once more.") }
    sayQuestion(quiz)
    if !quiz.run.ticked.isEmpty { say("Chosen: \(quiz.named(quiz.run.ticked)) Enter: check it.") }
  }

  /// Keeps what was answered so far, so that it goes on there another day.
  func keepAnswers() throws {
    guard case .quiz(let quiz) = activity else { return }
    let place = try navigation.currentPlace().place
    try navigation.save(
      quiz.run.isUnfinished ? UnfinishedQuiz(quiz.run) : nil, of: quiz.run.questions, in: place)
    try navigation.save(quiz.run.position(at: now), in: place)
  }

  func sayQuestion(_ quiz: LinearQuiz) {
    var quiz = quiz
    say(quiz.question())
    // Once is enough: who listens cannot skip what is said again.
    if quiz.run.question?.isOpen == true {
      say("Answer in your own words. Enter: hear the answer.")
    } else if quiz.run.asksForSeveral {
      say("Several may be right: type their numbers, such as 1 3.")
    } else if !quiz.run.questions.prefix(quiz.run.number).contains(where: { !$0.isOpen }) {
      say("Type the number of your answer.")
    }
    activity = .quiz(quiz)
  }

  func chooseAnswers(_ numbers: [Int]) throws {
    guard case .quiz(var quiz) = activity, let question = quiz.run.question else { return }
    guard !question.isOpen else { return say("There is nothing to choose from. Enter: hear the answer.") }
    guard quiz.choose(numbers) else {
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
    guard quiz.run.check(), let question = quiz.run.question else { return }
    let right = question.choices.indices.filter { question.choices[$0].isRight }
    if question.isOpen {
      say(question.explanation.isEmpty ? "No answer is given here." : "The answer to compare yours with:")
    } else {
      let words = right.isEmpty ? "None of them is right." : "Right: " + quiz.named(right)
      say(quiz.run.isRight(quiz.run.number) ? "Right." : "Not right. " + words)
    }
    say(quiz.explanation())
    activity = .quiz(quiz)
    try keepAnswers()
    guard quiz.run.isLast else { return say("Enter: \(quiz.run.nextPlace).") }
    let judged = quiz.run.questions.judged
    say("That was the last question." + (judged == 0 ? "" : " You had \(quiz.run.right) of \(judged) right."))
    if quiz.run.score < quiz.pass { say("\(quiz.run.questions.needed(toPass: quiz.pass)) must be right.") }
    try record(
      .quizChecked(
        answers: quiz.run.answers.map { $0.sorted() }, score: quiz.run.score, pass: quiz.pass, of: judged))
    quiz.run.goOn()
    for number in quiz.run.wrong { say(quiz.result(number)) }
    activity = .quiz(quiz)
    let next = try navigation.page().next.map { " Enter: on to " + SpokenWords.ended($0.title) } ?? ""
    let wrong = quiz.run.wrong.count
    say((wrong == 0 ? "again: once more." : "again: \(wrong == 1 ? "that one" : "those \(wrong)") once more.") + next)
    say("A number: that question, explained.")
  }

  /// Says a question of a quiz that was answered to its end, and why its answer is right.
  func explain(_ number: Int, of quiz: LinearQuiz) {
    var quiz = quiz
    guard quiz.run.questions.indices.contains(number - 1) else {
      return say("Choose a number from 1 to \(quiz.run.questions.count).")
    }
    say(quiz.result(number - 1))
    var explained = quiz
    explained.run = quiz.run.checked(number - 1)
    say(explained.explanation())
    quiz.links = explained.links
    activity = .quiz(quiz)
  }

  func goToNextQuestion(_ quiz: LinearQuiz) throws {
    var quiz = quiz
    quiz.run.goOn()
    sayQuestion(quiz)
    try keepAnswers()
  }
}
