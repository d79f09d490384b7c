import LearningModel

extension ActivityContent {
  /// The activity as a text that can be read on paper.
  ///
  /// - Parameter withAnswers: Whether the right choices of a quiz are ticked, and explained.
  func blocks(withAnswers: Bool) -> [Block] {
    switch self {
    case .reading(let blocks):
      blocks
    case .flashcards(let introduction, let cards):
      introduction + cards.flatMap { [.heading(level: 2, text: $0.front, anchor: "")] + $0.back }
    case .quiz(let introduction, let questions, _):
      introduction + questions.flatMap { $0.blocks(withAnswers: withAnswers) }
    case .link(let destination, let text):
      text + [.paragraph([.link(destination: destination, text: [.text(destination)])])]
    }
  }
}

extension QuizQuestion {
  fileprivate func blocks(withAnswers: Bool) -> [Block] {
    let items = choices.map {
      ListItem(isTicked: withAnswers && $0.isRight, blocks: [.paragraph($0.text)])
    }
    let reasons: [Block] = withAnswers && !explanation.isEmpty ? [.quote(explanation)] : []
    let list: [Block] = items.isEmpty ? [] : [.bulletList(items: items)]
    return [.heading(level: 2, text: question, anchor: "")] + details + list + reasons
  }
}
