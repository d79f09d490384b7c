package import LearningModel

/// The result of a lookup in a quiz: the questions that contain a text.
///
/// If the learner has completed the quiz before, the questions are shown with their answers. Otherwise, explanations
/// are searched only if no question matches, and only the numbers of the matching questions are shown.
package struct MatchingQuestions {
  private var shown: [QuizQuestion] = []
  /// The indices of the questions that match only in their explanations. Empty if any question matches in its own text
  /// or its choices, or if the answers are shown.
  private var explainedQuestions: [Int] = []
  private var showsAnswers = false

  package init() {}

  /// - Parameters:
  ///   - showsAnswers: Whether the learner completed the quiz before.
  ///   - find: Returns the indices of the matching texts.
  package init(in questions: [QuizQuestion], showsAnswers: Bool, find: (_ texts: [String]) -> [Int]) {
    self.showsAnswers = showsAnswers
    shown = find(questions.map { $0.plainText(withExplanation: showsAnswers) }).map { questions[$0] }
    if shown.isEmpty, !showsAnswers { explainedQuestions = find(questions.map(\.explanation.plainText)) }
  }

  package var isEmpty: Bool { shown.isEmpty && explainedQuestions.isEmpty }

  /// The result, to be shown as a text.
  package var blocks: [Block] {
    guard !explainedQuestions.isEmpty else {
      guard !shown.isEmpty else { return [] }
      let count = DisplayFormat.count(shown.count, "question")
      return [.paragraph([.text("Matches in \(count):")])] + shown.flatMap { $0.blocks(withAnswers: showsAnswers) }
    }
    let numbers = explainedQuestions.map { String($0 + 1) }.joined(separator: ", ")
    let questions = explainedQuestions.count == 1 ? "question \(numbers)" : "questions \(numbers)"
    return [.paragraph([.text("The words occur in the explanation of \(questions), shown after the last answer.")])]
  }
}

extension QuizQuestion {
  fileprivate func plainText(withExplanation: Bool) -> String {
    let texts = [question.plainText, details.plainText] + choices.map(\.text.plainText)
    return (texts + (withExplanation ? [explanation.plainText] : [])).joined(separator: "\n")
  }

  fileprivate func blocks(withAnswers: Bool) -> [Block] {
    let items = choices.map { ListItem(isTicked: withAnswers ? $0.isRight : nil, blocks: [.paragraph($0.text)]) }
    let list: [Block] = items.isEmpty ? [] : [.bulletList(items: items)]
    let reasons: [Block] = withAnswers && !explanation.isEmpty ? [.quote(explanation)] : []
    return [.paragraph([.strong(question)])] + details + list + reasons
  }
}
