package import LearningModel
package import NavigationKit

/// A learner's work on a quiz: the current run through its questions, the earlier attempts, and the results on screen.
///
/// Both front ends use it. The session does not draw or store anything: the front end stores ``completion``,
/// ``unfinished`` and ``position(at:)``.
package struct QuizSession {
  package let introduction: [Block]
  package let questions: [QuizQuestion]
  /// The share of correct answers that is required to pass, 0…1.
  package let passingShare: Double
  /// The completed attempts, newest first.
  package var attempts: [QuizAttempt] = []
  /// The current run, or `nil` on the page before the first question.
  package private(set) var run: QuizRun?
  /// The run that was suspended by a lookup, to be continued afterwards.
  package private(set) var suspendedRun: QuizRun?
  /// The questions that match a lookup.
  package private(set) var matchingQuestions = MatchingQuestions()
  /// The index of the selected question of the results.
  package private(set) var result = 0
  /// Whether the explanation of the selected question is visible.
  package private(set) var isResultOpen = false
  /// The index in ``attempts`` of the attempt that is shown, or `nil` if a run of this session is shown.
  package private(set) var shownAttempt: Int?
  /// Whether ``attempts`` already contains the run of this session, as its newest element.
  private var isRunListed = false

  package init(_ questions: [QuizQuestion], introduction: [Block], passingShare: Double) {
    self.introduction = introduction
    self.questions = questions
    self.passingShare = passingShare
  }

  /// Restores the learner's earlier work. If the quiz has neither an introduction nor attempts, also begins a run, so
  /// that its first question is visible.
  ///
  /// - Parameters:
  ///   - attempts: The completed attempts, newest first.
  ///   - unfinished: The run to continue, or `nil`.
  package mutating func restore(_ attempts: [QuizAttempt], unfinished: QuizRun?) {
    self.attempts = attempts
    if let unfinished, unfinished.questions == questions {
      run = unfinished
    } else if introduction.isEmpty, attempts.isEmpty {
      run = QuizRun(questions: questions)
    }
  }

  // MARK: - State

  /// Whether the list of results is visible.
  package var isListOfResults: Bool { run?.isOver == true && !isResultOpen }

  /// The attempts before the one that is shown, newest first.
  package var earlierAttempts: [QuizAttempt] {
    Array(attempts.dropFirst(shownAttempt.map { $0 + 1 } ?? (isRunListed && run?.isOver == true ? 1 : 0)))
  }

  /// The last attempt as a finished run, or `nil` if there is no attempt or the questions have changed since.
  package var lastRun: QuizRun? { attempts.first.flatMap { QuizRun(questions: questions, answeredCount: $0) } }

  /// The run that was begun and is not over, which can be continued until the program ends.
  package var runInProgress: QuizRun? { (suspendedRun ?? run).flatMap { isInProgress($0) ? $0 : nil } }

  /// The run to store, so that it continues after a restart.
  package var unfinished: QuizRun? { (suspendedRun ?? run).flatMap { $0.isUnfinished ? $0 : nil } }

  /// Returns the position to store, or `nil` before the first question. The quiz's card in a list shows the progress in
  /// it, such as `3 of 8 questions`.
  package func position(at time: Timestamp) -> ReadingPosition? { (suspendedRun ?? run)?.position(at: time) }

  /// The number of checked questions in the run.
  package var answeredCount: Int { run?.answeredCount ?? 0 }

  /// Returns the estimated time for the remaining questions, in seconds.
  ///
  /// - Parameter seconds: The time for the whole quiz, in seconds.
  package func remainingSeconds(of seconds: Int) -> Double {
    Double(seconds) * Double((run?.questionIndices.count ?? questions.count) - answeredCount) / Double(questions.count)
  }

  /// The activity event to record once the last question has been checked, or `nil` before that.
  package var completion: ActivityEventContent? {
    guard let run, run.isLast, run.isChecked else { return nil }
    return .quizChecked(
      answers: run.answers.map { $0.sorted() }, score: run.score, pass: passingShare, of: questions.choiceQuestionCount)
  }

  /// Returns the score of an attempt, such as `4 of 5 right`.
  package func score(of attempt: QuizAttempt) -> String {
    score(right: QuizResult(score: attempt.score, of: questions.choiceQuestionCount).right)
  }

  /// Returns a score such as `4 of 5 right` for a number of correct answers.
  package func score(right: Int) -> String {
    questions.choiceQuestionCount == 0 ? "All answered" : "\(right) of \(questions.choiceQuestionCount) right"
  }

  private func isInProgress(_ run: QuizRun) -> Bool { !run.isOver && run != QuizRun(questions: questions) }

  // MARK: - Runs

  /// Continues the suspended run, or begins a new one.
  package mutating func continueOrBegin() {
    guard let suspendedRun else { return begin() }
    (run, self.suspendedRun, matchingQuestions, shownAttempt) = (suspendedRun, nil, MatchingQuestions(), nil)
  }

  /// Begins a run.
  ///
  /// - Parameter previousRun: The run whose incorrectly answered questions are repeated, or `nil` for all questions.
  private mutating func begin(after previousRun: QuizRun? = nil) {
    run = previousRun.map(QuizRun.init(again:)) ?? QuizRun(questions: questions)
    (suspendedRun, matchingQuestions) = (nil, MatchingQuestions())
    (result, isResultOpen, shownAttempt, isRunListed) = (0, false, nil, false)
  }

  /// Begins a new run. During a run, the new run has all questions; otherwise, it has those that were answered
  /// incorrectly in the last run.
  package mutating func restart() {
    guard let run, !run.isOver else { return begin(after: run ?? (suspendedRun == nil ? lastRun : nil)) }
    begin()
  }

  /// Suspends the run to show the questions that match a lookup.
  package mutating func showMatches(_ matches: MatchingQuestions) {
    suspendedRun = runInProgress
    (run, self.matchingQuestions) = (nil, matches)
  }

  // MARK: - Answering

  /// Moves the selection to a choice.
  package mutating func choose(_ choice: Int) { run?.choose(choice) }

  /// Ticks a choice, or removes its tick. If exactly one choice is correct, ticks the choice and removes the tick of
  /// any other choice.
  package mutating func tick(_ choice: Int) { run?.tick(choice) }

  /// Replaces the ticks: ticks the choices with these numbers, counted from 1, and no others.
  ///
  /// - Returns: `false` if a number is out of range, or if there are several numbers but the question accepts only one
  ///   choice.
  package mutating func answer(_ numbers: [Int]) -> Bool { run?.answer(numbers) ?? false }

  /// Checks the answer. If no choice is ticked, only ticks the selected choice.
  ///
  /// - Returns: Whether the answer was checked.
  package mutating func check() -> Bool { run?.check() ?? false }

  /// Shows the next question, or the results.
  package mutating func advance() {
    run?.advance()
    if let run, run.isOver { result = run.wrongQuestions.first ?? 0 }
  }

  /// Replaces the attempts after ``completion`` was recorded.
  package mutating func recorded(_ attempts: [QuizAttempt]) {
    isRunListed = attempts.count > self.attempts.count
    self.attempts = attempts
  }

  // MARK: - Results

  /// Selects a question of the results.
  package mutating func choose(result number: Int) { result = number }

  /// Shows or hides the explanation of the selected question.
  package mutating func openResult(_ isOpen: Bool) { isResultOpen = isOpen }

  /// The selected question with its verdict, or `nil` if its explanation is not visible.
  package var openResult: QuizRun? { isResultOpen ? run?.checked(result) : nil }

  /// Shows the results of an earlier attempt. A run in progress continues afterwards.
  ///
  /// - Parameters:
  ///   - number: The index in ``attempts``.
  ///   - question: The index of the question whose explanation is shown, or `nil` for the list.
  /// - Returns: `false` if the questions have changed since that attempt.
  package mutating func show(attempt number: Int, question: Int? = nil) -> Bool {
    guard attempts.indices.contains(number),
      let pastRun = QuizRun(questions: questions, answeredCount: attempts[number])
    else { return false }
    if let run, isInProgress(run) { suspendedRun = run }
    (run, matchingQuestions, shownAttempt) = (pastRun, MatchingQuestions(), number)
    (result, isResultOpen) = (question ?? pastRun.wrongQuestions.first ?? 0, question != nil)
    return true
  }

  /// Returns from an earlier attempt to the page that lists the attempts.
  package mutating func leaveAttempt() { (run, shownAttempt) = (nil, nil) }
}
