import LearningModel
import NavigationService
import TextCanvas

/// What is said around the questions.
extension QuizScreen {
  private var isEnd: Bool { run?.isOver == true }

  /// How many were right, of those that can be.
  private func score(_ right: Int) -> String {
    questions.judged == 0 ? "All answered" : "\(right) of \(questions.judged) right"
  }

  private func score(_ attempt: QuizAttempt) -> String {
    score(Int((attempt.score * Double(questions.judged)).rounded()))
  }

  /// How it went the last time; nothing where that is said below, or it never was answered.
  private var lastScore: String { isEnd ? "" : attempts.first.map(score) ?? "" }

  var quizHeader: PageModel.Header {
    var header = page.header
    header.fraction = isDone ? 1 : 0
    header.topRight = isDone ? doneWord : ""
    // What is done was not always known: the page says how it went the last time.
    header.bottomRight = isDone ? lastScore : timeLeft
    if let run, !run.isOver {
      header.topRight = "question \(run.number + 1) of \(questions.count)"
      if isDone { header.bottomRight = doneWord }
      if !isDone { header.fraction = Double(answered) / Double(questions.count) }
    }
    return header
  }

  /// How many questions have been answered and checked this time.
  private var answered: Int { run?.answered ?? 0 }

  /// How long the other questions take; nothing where that is not known, or there are none.
  private var timeLeft: String {
    guard page.seconds > 0, answered < questions.count else { return "" }
    let seconds = Double(page.seconds) * Double(questions.count - answered) / Double(questions.count)
    return Words.about(minutes: Int((seconds / 60).rounded(.up))) + (answered == 0 ? "" : " left")
  }

  /// Nothing where the next step is the best thing to do.
  var quizHint: BrowserScreen.Hint? {
    let enter = shell.appearance.symbols.enter
    guard let run, !run.isOver else {
      guard !isEnd else { return nil }
      if let runAside {
        let detail = "question \(runAside.number + 1) of \(questions.count)"
        return BrowserScreen.Hint(key: beginKey, text: "Go on where you stopped", detail: detail)
      }
      let words = attempts.isEmpty ? "Begin" : "Try once more"
      return BrowserScreen.Hint(key: beginKey, text: words, detail: Words.count(questions.count, "question"))
    }
    if run.isChecked {
      return run.isLast
        ? BrowserScreen.Hint(key: enter, text: "See how it went", detail: "")
        : BrowserScreen.Hint(key: enter, text: "Go on", detail: "question \(run.number + 2) of \(questions.count)")
    }
    if run.question?.isOpen == true {
      return BrowserScreen.Hint(key: beginKey, text: "Look at the answer", detail: "Say it first; then look")
    }
    return run.ticked.isEmpty
      ? BrowserScreen.Hint(key: "Space", text: "Tick an answer" + moreChoices, detail: "or press its number")
      : BrowserScreen.Hint(key: enter, text: "Check", detail: "")
  }

  /// How many choices are out of sight below: nobody should answer without having seen them.
  private var moreChoices: String {
    let count = run?.question?.choices.indices.count { $0 > 0 && !isSeen($0) } ?? 0
    return count == 0 ? "" : ", \(shell.appearance.symbols.arrows[1]) \(count) more"
  }

  var quizKeys: [KeyHint] {
    let symbols = shell.appearance.symbols
    guard let run, !run.isOver else {
      let space = KeyHint("Space", hasMoreBelow ? "page" : isEnd ? "next" : runAside != nil ? "go on" : "begin")
      return [space] + (isEnd ? [KeyHint("r", "again")] : [])
    }
    if run.isChecked {
      return [KeyHint(symbols.enter, "go on")] + (hasMoreBelow ? [KeyHint("Space", "page")] : [])
    }
    if run.question?.isOpen == true { return [KeyHint("Space", hasMoreBelow ? "page" : "look")] }
    // Before anything is ticked there is nothing to check.
    let check = run.ticked.isEmpty ? [] : [KeyHint(symbols.enter, "check")]
    return [KeyHint("Space", isSeen(run.chosen) ? "tick" : "page")] + check + [KeyHint(symbols.upDown, "choose")]
  }

  /// Before the first question: what the quiz is, and how it went before. After the last: how it went.
  var wordsOutside: ReadingText {
    let layout = readingLayout
    guard let run, run.isOver else {
      let count: Block = .paragraph([.text("\(Words.count(questions.count, "question")).")])
      return layout.text(introduction + [count] + past(attempts) + foundQuestions.blocks)
    }
    let heading: Block = .heading(level: 2, text: [.text("\(score(run.right)).")], anchor: "")
    var text = layout.text([heading])
    text.append([StyledLine()])
    for number in questions.indices {
      let isOpen = questions[number].isOpen
      let isRight = run.isRight(number)
      let sign = isOpen ? layout.symbols.open : isRight ? layout.symbols.right : layout.symbols.wrong
      let role = isOpen ? Role.quiet : isRight ? .good : .bad
      let lines = layout.styled(questions[number].question, layout.theme[.ink]).wrapped(to: max(8, layout.width - 3))
      text.append(
        lines.enumerated().map { row, line in
          StyledLine([StyledRun(row == 0 ? sign + "  " : "   ", style: layout.theme.bold(role))] + line.runs)
        })
    }
    if !attempts.isEmpty {
      text.append([StyledLine()])
      text.append(layout.text(past(attempts)))
    }
    return text
  }

  /// The newest attempts before this one.
  private func past(_ attempts: [QuizAttempt]) -> [Block] {
    guard !attempts.isEmpty, let days else { return [] }
    let items = attempts.prefix(5).map { attempt in
      ListItem(blocks: [.paragraph([.text("\(score(attempt)), \(days.at(attempt.at))")])])
    }
    return [.paragraph([.text("Before:")]), .bulletList(items: Array(items))]
  }
}
