package import LearningModel
package import TextCanvas

/// The texts of both sides of a card.
package struct CardSides {
  package private(set) var front = ReadingText()
  package private(set) var back = ReadingText()
  /// The lines of each choice on the front, and on the back. Empty for a card without choices.
  package private(set) var choices: (front: [Range<Int>], back: [Range<Int>]) = ([], [])

  package init() {}

  /// The number of rows of the longer side.
  package var rows: Int { max(front.lines.count, back.lines.count) }

  /// The answer that the learner types.
  package struct Typed {
    /// The text, with the caret while it is being typed.
    let text: StyledText
    /// Whether the text is the answer of the card. `nil` if only the learner can judge.
    let isRight: Bool?

    package init(text: StyledText, isRight: Bool?) {
      (self.text, self.isRight) = (text, isRight)
    }
  }

  /// Lays out a card.
  ///
  /// - Parameters:
  ///   - run: The choices that the learner took. `nil` for a card without choices.
  ///   - typed: The answer that the learner types. `nil` if none is typed.
  package init(_ faces: CardFaces, run: QuizRun? = nil, typed: Typed? = nil, _ drawing: CardDrawing) {
    if let run {
      let front = QuizPage(run.unchecked, layout: drawing.layout)
      let back = QuizPage(run.checked(0), layout: drawing.layout)
      (self.front, self.back, choices) = (front.text, back.text, (front.choices, back.choices))
      return
    }
    let (question, answer) = (faces.question, drawing.layout.text(faces.answer))
    front = drawing.frontText(question)
    guard let typed else {
      back = drawing.backText(question, answer, isCentred: faces.answer.allSatisfy(\.isParagraph))
      return
    }
    let columns = drawing.layout.width
    var field = ReadingText()
    field.append([StyledLine()] + typed.text.wrapped(to: columns))
    front.append(drawing.centredAsBlock(field))
    var verdict = ReadingText()
    verdict.append(Self.verdict(on: typed, drawing).wrapped(to: columns) + [StyledLine()])
    verdict.append(answer)
    back = drawing.backText(question, verdict)
  }

  private static func verdict(on typed: Typed, _ drawing: CardDrawing) -> StyledText {
    let (theme, symbols) = (drawing.layout.theme, drawing.layout.symbols)
    if typed.isRight == true { return StyledText(symbols.right + " Correct.", style: theme.bold(.good)) }
    guard typed.text.displayWidth > 0 else { return StyledText("The answer:", style: theme[.quiet]) }
    var text = StyledText("You wrote ", style: theme[.quiet])
    for run in typed.text.runs { text.append(run.text, style: theme[.foreground]) }
    text.append(". Compare:", style: theme[.quiet])
    return text
  }
}

extension QuizRun {
  /// Creates a run with one question: that of a card.
  package init(_ faces: CardFaces) {
    let right = faces.choices.count { $0.isRight }
    var line: [Inline] = []
    var details = faces.question
    if case .paragraph(let first)? = faces.question.first {
      line = first
      details.removeFirst()
    }
    // The answer of a card begins with its right choices, which the question shows itself.
    self.init(questions: [
      QuizQuestion(
        question: line, details: details, choices: faces.choices, explanation: Array(faces.answer.dropFirst(right)))
    ])
  }

  /// The run before its answer was checked.
  fileprivate var unchecked: QuizRun {
    var run = QuizRun(questions: questions)
    _ = ticked.isEmpty ? true : run.answer(ticked.map { $0 + 1 })
    run.choose(chosen)
    return run
  }
}
