import LearningModel
import TextCanvas

/// The lines of a question: its text, the choices and, after checking, the verdict and the explanation.
package struct QuizPage {
  package private(set) var text = ReadingText()
  /// The lines of each choice.
  package private(set) var choices: [Range<Int>] = []
  /// The lines of the verdict and the explanation. Empty before checking.
  package private(set) var verdict = 0..<0

  /// The columns for the verdict after a checked choice, if the layout is wide enough.
  private static let wordColumns = 14
  /// The minimum width, in columns, for showing a verdict after each choice.
  private static let minimumColumnsForText = 50

  /// Creates an empty page.
  package init() {}

  package init(_ run: QuizRun, layout: ReadingLayout) {
    guard let question = run.question else { return }
    let theme = layout.theme
    let blankLine = [StyledLine()]
    text.append(layout.text(question.question, theme.bold(.strong)))
    if !question.details.isEmpty {
      text.append(blankLine)
      text.append(layout.text(question.details))
    }
    text.append(blankLine)
    if let instruction = Self.instruction(run) {
      text.append(
        StyledText(instruction, style: theme[.quiet]).wrapped(to: layout.width) + (question.isFreeText ? [] : blankLine)
      )
    }
    for (number, choice) in question.choices.enumerated() {
      let start = text.lines.count
      text.append(Self.text(of: choice, number: number, run: run, layout: layout))
      choices.append(start..<text.lines.count)
      text.addUnbreakable(start..<text.lines.count)
    }
    guard run.isChecked else { return }
    // If there are no choices, the question is already followed by a blank line and the instruction, which the verdict
    // replaces.
    let start = text.lines.count - (question.isFreeText ? 1 : 0)
    text.append((question.isFreeText ? [] : blankLine) + Self.verdict(of: run, layout: layout))
    if !question.explanation.isEmpty {
      text.append(blankLine)
      text.append(layout.text(question.explanation))
    }
    verdict = start..<text.lines.count
  }

  /// Returns the instruction for answering, or `nil` if exactly one choice is right or the answer was checked.
  private static func instruction(_ run: QuizRun) -> String? {
    guard run.question?.isFreeText == false else {
      return run.isChecked ? nil : "Answer in your own words, then check."
    }
    guard run.asksForSeveral else { return nil }
    return run.rightChoices > 1 ? "More than one is correct." : "Select all correct answers, if any."
  }

  /// Returns the verdict. For a question without choices, returns the invitation to compare the answer.
  private static func verdict(of run: QuizRun, layout: ReadingLayout) -> [StyledLine] {
    if let question = run.question, question.isFreeText {
      let text = question.explanation.isEmpty ? "No answer is given here." : "Compare your answer with this:"
      return [StyledLine(text, style: layout.theme.bold(.activity))]
    }
    let isRight = run.isRight(run.number)
    let sign = isRight ? layout.symbols.right : layout.symbols.wrong
    let text = "\(sign) \(isRight ? "Correct." : "Incorrect" + correctAnswer(in: run, width: layout.width))"
    return StyledText(text, style: layout.theme.bold(isRight ? .good : .bad)).wrapped(to: layout.width)
  }

  /// Returns the numbers of the correct choices if the page is so small that these choices may be scrolled out:
  /// `: 1 and 4 are right.`
  private static func correctAnswer(in run: QuizRun, width: Int) -> String {
    let choices = run.question?.choices ?? []
    let right = choices.indices.filter { choices[$0].isRight }.map { String($0 + 1) }
    guard width < Self.minimumColumnsForText, let last = right.last else { return "." }
    let others = right.dropLast().joined(separator: ", ")
    return ": " + (others.isEmpty ? "\(last) is correct." : "\(others) and \(last) are correct.")
  }

  /// Returns the lines of a choice: the selection or verdict symbol, the number, the box, the text and the verdict in
  /// words.
  ///
  /// Images take at most half of the usual rows, so that the choices can be compared.
  private static func text(
    of choice: QuizQuestion.Choice, number: Int, run: QuizRun, layout: ReadingLayout
  ) -> ReadingText {
    let (theme, symbols) = (layout.theme, layout.symbols)
    let isTicked = run.ticked.contains(number)
    let isChosen = number == run.chosen && !run.isChecked
    let (sign, word, role) = choiceSymbol(of: choice, isTicked: isTicked, run: run, symbols: symbols)
    let tick =
      run.asksForSeveral
      ? "[\(isTicked ? symbols.done : " ")]" : "(\(isTicked ? symbols.bullets[0] : " "))"
    let shownSign = isChosen ? symbols.marker : sign.isEmpty ? " " : sign
    let prefixRuns = [
      StyledRun(shownSign + " ", style: theme.bold(isChosen ? .accent : role)),
      StyledRun("\(number + 1) ", style: theme[.quiet]),
      StyledRun(tick + " ", style: theme[isTicked ? .strong : .quiet]),
    ]
    let indent = prefixRuns.reduce(0) { $0 + $1.text.displayWidth }
    // The width is reserved even before the answer is checked. Otherwise, the lines would wrap differently afterwards.
    let hasWords = layout.width >= Self.minimumColumnsForText
    let availableColumns = max(8, layout.width - indent - (hasWords ? wordColumns + 2 : 0))
    let style = run.isChecked && role == .quiet ? theme[.quiet] : isChosen ? theme[.strong] : theme[.foreground]
    var text = layout.with(imageStyle: layout.imageStyle.halved, width: availableColumns).text(choice.text, style)
      .moved(by: indent)
    var firstRuns = prefixRuns + (text.lines.first?.runs ?? [])
    if hasWords, !word.isEmpty {
      let gap = layout.width - (text.lines.first?.displayWidth ?? indent) - word.displayWidth
      firstRuns += [StyledRun(String(repeating: " ", count: gap)), StyledRun(word, style: theme.bold(role))]
    }
    text.lines.replaceSubrange(0..<min(1, text.lines.count), with: [StyledLine(firstRuns)])
    return text
  }

  private static func choiceSymbol(
    of choice: QuizQuestion.Choice, isTicked: Bool, run: QuizRun, symbols: Symbols
  ) -> (sign: String, word: String, role: Role) {
    guard run.isChecked else { return ("", "", .quiet) }
    switch (isTicked, choice.isRight) {
    case (true, true): return (symbols.right, "Correct answer", .good)
    case (true, false): return (symbols.wrong, "Your answer", .bad)
    case (false, true): return (symbols.right, verdictWord(in: run), .good)
    case (false, false): return ("", "", .quiet)
    }
  }

  /// Returns the verdict on a right choice that was not ticked.
  private static func verdictWord(in run: QuizRun) -> String {
    guard run.asksForSeveral else { return "Correct answer" }
    return run.ticked.contains { run.question?.choices[$0].isRight == true } ? "Also correct" : "Correct answer"
  }
}
