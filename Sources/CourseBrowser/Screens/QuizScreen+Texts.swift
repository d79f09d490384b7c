import CoursePages
import LearningModel
import NavigationKit
import TextCanvas

/// Header, hint, keys and texts around the questions.
extension QuizScreen {
  private var isEnd: Bool { run?.isOver == true }

  /// The score of the last attempt. Empty if the results are shown or there is no attempt.
  private var lastScore: String { isEnd ? "" : session.attempts.first.map(session.score) ?? "" }

  /// The best score if the quiz was attempted and not passed. Otherwise empty.
  private var tried: String { session.attempts.isEmpty && !isEnd || isDone ? "" : page.header.topRight }

  var quizHeader: PageModel.Header {
    var header = page.header
    header.fraction = run.map { $0.isOver ? 1 : Double($0.answeredCount) / Double($0.questionIndices.count) } ?? 0
    header.topRight = isDone ? doneWord : tried
    // For a passed quiz, this is the score of the last attempt, which can be lower than the best score.
    header.bottomRight = isDone ? lastScore : remainingTimeText
    if let run, !run.isOver {
      header.topRight = run.positionText
      if isDone { header.bottomRight = doneWord }
    }
    return header
  }

  /// The time that the remaining questions take. Empty if the time is unknown, and after the last question.
  private var remainingTimeText: String {
    let seconds = session.remainingSeconds(of: page.seconds)
    return isEnd || seconds <= 0
      ? "" : DisplayFormat.remainingTime(seconds: seconds, isBegun: session.answeredCount > 0)
  }

  /// The hint, or `nil` if the next step of the page is shown instead.
  var quizHint: Footer.Hint? {
    guard let run, !run.isOver else {
      if session.isResultOpen { return Footer.Hint(.proceed, text: "Back to the results", detail: "") }
      guard !isEnd else { return isDone ? nil : retryHint }
      if let run = session.suspendedRun {
        return Footer.Hint(.begin, text: "Continue where you stopped", detail: run.positionText)
      }
      if chosenAttempt != nil { return Footer.Hint(.open, text: "Show the results", detail: "") }
      let text = session.attempts.isEmpty ? "Begin" : "Retry"
      return Footer.Hint(.begin, text: text, detail: DisplayFormat.count(questions.count, "question"))
    }
    if run.isChecked {
      return run.isLast
        ? Footer.Hint(.proceed, text: "Show the results", detail: "")
        : Footer.Hint(.proceed, text: "Continue", detail: run.nextPositionText)
    }
    if run.question?.isFreeText == true {
      return Footer.Hint(.check, text: "Show the answer", detail: "Answer first, then check")
    }
    if run.ticked.isEmpty {
      return Footer.Hint(
        isVisible(run.chosen) ? .selectChoice : .readOn, text: "Select an answer" + moreChoices,
        detail: "or press its number")
    }
    return Footer.Hint(.check, text: "Check", detail: "")
  }

  /// The hint that offers to answer the incorrectly answered questions again.
  private var retryHint: Footer.Hint? {
    guard let wrongCount = run?.wrongQuestions.count, wrongCount > 0, context.label(of: .restart) != nil else {
      return nil
    }
    let text = wrongCount == 1 ? "Retry the wrong one" : "Retry the \(wrongCount) wrong ones"
    return Footer.Hint(.restart, text: text, detail: "")
  }

  /// A text with the number of choices below the visible rows. The learner should read them before answering.
  private var moreChoices: String {
    let count = run?.question?.choices.indices.count { $0 > 0 && !isVisible($0) } ?? 0
    return count == 0 ? "" : ", \(context.appearance.symbols.arrows[1]) \(count) more"
  }

  /// The label of *retry* before the first question and after the last one.
  var retryLabel: String {
    guard run == nil else { return session.isResultOpen && hasMoreBelow ? "" : "retry" }
    let wrongCount = session.suspendedRun == nil ? session.lastRun?.wrongQuestions.count ?? 0 : 0
    return wrongCount == 0 ? "" : wrongCount == 1 ? "retry the wrong one" : "retry the \(wrongCount) wrong ones"
  }

  /// The text before the first question: the introduction, and the results of earlier attempts.
  var overviewText: ReadingText {
    let count: Block = .paragraph([.text("\(DisplayFormat.count(questions.count, "question")).")])
    let layout = readingLayout
    var text = layout.text(session.introduction + [count] + session.matchingQuestions.blocks)
    attemptLines = []
    guard !session.attempts.isEmpty, let days else { return text }
    text.append([StyledLine()])
    text.append(layout.text([.paragraph([.text("Earlier attempts:")])]))
    let theme = layout.theme
    for (number, attempt) in session.attempts.prefix(Self.maximumAttempts).enumerated() {
      let isChosen = number == chosenAttempt
      attemptLines.append(text.lines.count..<text.lines.count + 1)
      text.append([
        StyledLine([
          StyledRun((isChosen ? layout.symbols.marker : " ") + " ", style: theme.bold(.accent)),
          StyledRun(
            "\(session.score(of: attempt)), \(days.at(attempt.at))", style: theme[isChosen ? .strong : .foreground]),
        ])
      ])
    }
    return text
  }

  /// The maximum number of listed attempts.
  private static let maximumAttempts = 5

  /// Returns the text after the last question: the score, and the questions with their correct answers.
  func results(of run: QuizRun) -> ReadingText {
    let layout = readingLayout
    let isPassed = run.score >= session.passingShare
    let requirement = isPassed ? "" : " \(questions.needed(toPass: session.passingShare)) needed to pass."
    let attempt = session.shownAttempt.map { session.attempts[$0] }
    let timeText = attempt.flatMap { attempt in days.map { ", \($0.at(attempt.at))" } } ?? ""
    let heading: Block = .heading(
      level: 2, text: [.text(session.score(right: run.correctCount) + timeText + "." + requirement)], anchor: "")
    let earlierAttempts = session.earlierAttempts
    var text = layout.text([heading])
    text.append([StyledLine()])
    resultLines = questions.indices.map { number in
      let start = text.lines.count
      text.append(lines(ofResult: number, run, layout))
      text.addUnbreakable(start..<text.lines.count)
      return start..<text.lines.count
    }
    if !earlierAttempts.isEmpty {
      text.append([StyledLine()])
      text.append(layout.text(past(earlierAttempts)))
    }
    return text
  }

  /// Returns a question with its verdict. If the answer was wrong, the correct choices are listed below it.
  private func lines(ofResult number: Int, _ run: QuizRun, _ layout: ReadingLayout) -> [StyledLine] {
    let (question, theme, symbols) = (questions[number], layout.theme, layout.symbols)
    let isRight = run.isRight(number)
    let sign = question.isFreeText ? symbols.open : isRight ? symbols.right : symbols.wrong
    let role = question.isFreeText ? Role.quiet : isRight ? .good : .bad
    let isChosen = number == session.result
    let prefixRuns = [
      StyledRun((isChosen ? symbols.marker : " ") + " ", style: theme.bold(.accent)),
      StyledRun(sign + "  ", style: theme.bold(role)),
    ]
    let indent = prefixRuns.reduce(0) { $0 + $1.text.displayWidth }
    let availableColumns = max(8, layout.width - indent)
    let questionLines = layout.styled(question.question, theme[isChosen ? .strong : .foreground]).wrapped(
      to: availableColumns
    )
    .enumerated().map { row, line in
      row == 0 ? StyledLine(prefixRuns + line.runs) : StyledLine(indent: indent, line.runs)
    }
    guard !question.isFreeText, !isRight else { return questionLines }
    return questionLines
      + question.choices.filter(\.isRight).flatMap { choice in
        layout.styled(choice.text, theme[.quiet]).wrapped(to: max(8, availableColumns - 3)).enumerated().map {
          row, line in
          let marker = StyledRun(row == 0 ? symbols.right + "  " : "   ", style: theme.bold(.good))
          return StyledLine(indent: indent, [marker] + line.runs)
        }
      }
  }

  /// Returns a list of the newest earlier attempts.
  private func past(_ attempts: [QuizAttempt]) -> [Block] {
    guard !attempts.isEmpty, let days else { return [] }
    let items = attempts.prefix(Self.maximumAttempts).map { attempt in
      ListItem(blocks: [.paragraph([.text("\(session.score(of: attempt)), \(days.at(attempt.at))")])])
    }
    return [.paragraph([.text("Earlier attempts:")]), .bulletList(items: Array(items))]
  }
}
