import LearningModel
import TextCanvas

/// A question set in lines: what is asked, the choices, and, once it is checked, the verdict and why.
package struct QuizPage {
  /// All of it, from the top.
  package private(set) var text = ReadingText()
  /// The lines of each choice.
  package private(set) var choices: [Range<Int>] = []
  /// The lines of the verdict and what follows it; empty before.
  package private(set) var verdict = 0..<0

  /// Columns for the words behind a checked choice, where there is room for them.
  private static let wordColumns = 13
  /// Columns from which on there is room for them.
  private static let leastForWords = 50

  /// A page of nothing.
  package init() {}

  package init(_ run: QuizRun, layout: ReadingLayout) {
    guard let question = run.question else { return }
    let theme = layout.theme
    let air = [StyledLine()]
    text.append(layout.text(question.question, theme.bold(.strong)))
    if !question.details.isEmpty {
      text.append(air)
      text.append(layout.text(question.details))
    }
    text.append(air)
    if let words = Self.howToAnswer(run) {
      text.append(StyledText(words, style: theme[.quiet]).wrapped(to: layout.width) + (question.isOpen ? [] : air))
    }
    for (number, choice) in question.choices.enumerated() {
      let start = text.lines.count
      text.append(Self.text(of: choice, number: number, run: run, layout: layout))
      choices.append(start..<text.lines.count)
      text.keep(start..<text.lines.count)
    }
    guard run.isChecked else { return }
    // Where nothing was chosen, air stands above it already: it takes the place of how to answer.
    let start = text.lines.count - (question.isOpen ? 1 : 0)
    text.append((question.isOpen ? [] : air) + Self.verdict(of: run, layout: layout))
    if !question.explanation.isEmpty {
      text.append(air)
      text.append(layout.text(question.explanation))
    }
    verdict = start..<text.lines.count
  }

  /// What is to be known before answering; `nil` where one choice is right, as usual, and once the answer is seen.
  private static func howToAnswer(_ run: QuizRun) -> String? {
    guard run.question?.isOpen == false else { return run.isChecked ? nil : "Say it in your own words; then look." }
    guard run.asksForSeveral else { return nil }
    return run.rightChoices > 1 ? "More than one is right." : "Tick what is right, if anything is."
  }

  /// What was right; of an answer in one's own words, what to hold it against.
  private static func verdict(of run: QuizRun, layout: ReadingLayout) -> [StyledLine] {
    if let question = run.question, question.isOpen {
      let words = question.explanation.isEmpty ? "No answer is given here." : "Compare yours with this:"
      return [StyledLine(words, style: layout.theme.bold(.activity))]
    }
    let isRight = run.isRight(run.number)
    let sign = isRight ? layout.symbols.right : layout.symbols.wrong
    let words = "\(sign) \(isRight ? "Right." : "Not quite" + whatIsRight(in: run, width: layout.width))"
    return StyledText(words, style: layout.theme.bold(isRight ? .good : .bad)).wrapped(to: layout.width)
  }

  /// Which choices are right, by their numbers, on pages so small that those may be out of sight: `: 1 and 4 are right.`
  private static func whatIsRight(in run: QuizRun, width: Int) -> String {
    let choices = run.question?.choices ?? []
    let right = choices.indices.filter { choices[$0].isRight }.map { String($0 + 1) }
    guard width < Self.leastForWords, let last = right.last else { return "." }
    let others = right.dropLast().joined(separator: ", ")
    return ": " + (others.isEmpty ? "\(last) is right." : "\(others) and \(last) are right.")
  }

  /// A choice: the sign of what is chosen or was right, its number, its box, its words, and the verdict on it in words.
  ///
  /// A picture in it has half the rows of others: choices are held against each other.
  private static func text(
    of choice: QuizQuestion.Choice, number: Int, run: QuizRun, layout: ReadingLayout
  ) -> ReadingText {
    let (theme, symbols) = (layout.theme, layout.symbols)
    let isTicked = run.ticked.contains(number)
    let isChosen = number == run.chosen && !run.isChecked
    let (sign, word, role) = mark(of: choice, isTicked: isTicked, run: run, symbols: symbols)
    let tick =
      run.asksForSeveral
      ? "[\(isTicked ? symbols.done : " ")]" : "(\(isTicked ? symbols.bullets[0] : " "))"
    let shownSign = isChosen ? symbols.marker : sign.isEmpty ? " " : sign
    let before = [
      StyledRun(shownSign + " ", style: theme.bold(isChosen ? .accent : role)),
      StyledRun("\(number + 1) ", style: theme[.quiet]),
      StyledRun(tick + " ", style: theme[isTicked ? .strong : .quiet]),
    ]
    let indent = before.reduce(0) { $0 + $1.text.displayWidth }
    // The room is left free before too, so that nothing is wrapped anew when the answer is checked.
    let hasWords = layout.width >= Self.leastForWords
    let room = max(8, layout.width - indent - (hasWords ? wordColumns + 2 : 0))
    let style = run.isChecked && role == .quiet ? theme[.quiet] : isChosen ? theme[.strong] : theme[.ink]
    var text = layout.with(pictures: layout.pictures.halved, width: room).text(choice.text, style).moved(by: indent)
    var first = before + (text.lines.first?.runs ?? [])
    if hasWords, !word.isEmpty {
      let behind = layout.width - (text.lines.first?.displayWidth ?? indent) - word.displayWidth
      first += [StyledRun(String(repeating: " ", count: behind)), StyledRun(word, style: theme.bold(role))]
    }
    text.lines.replaceSubrange(0..<min(1, text.lines.count), with: [StyledLine(first)])
    return text
  }

  private static func mark(
    of choice: QuizQuestion.Choice, isTicked: Bool, run: QuizRun, symbols: Symbols
  ) -> (sign: String, word: String, role: Role) {
    guard run.isChecked else { return ("", "", .quiet) }
    switch (isTicked, choice.isRight) {
    case (true, true): return (symbols.right, "right", .good)
    case (true, false): return (symbols.wrong, "not right", .bad)
    case (false, true): return (symbols.right, rightWord(in: run), .good)
    case (false, false): return ("", "", .quiet)
    }
  }

  /// The word on a choice that is right and was not ticked.
  private static func rightWord(in run: QuizRun) -> String {
    guard run.asksForSeveral else { return "the right one" }
    return run.ticked.contains { run.question?.choices[$0].isRight == true } ? "also right" : "is right"
  }
}
