import LearningModel

/// Makes the content of an activity out of its text: cards and questions stand under headings of the second level.
struct ActivityText {
  private(set) var findings = Findings()
  private var text: ParsedText
  private let file: String
  private let limits: SourceLimits

  init(_ text: ParsedText, file: String, limits: SourceLimits) {
    self.text = text
    self.file = file
    self.limits = limits
  }

  /// The content, as that type has it.
  ///
  /// - Parameter pass: The share that passes a quiz.
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` where it becomes too large with its notes.
  mutating func content(of type: ActivityType, url: YAMLFields.Field?, pass: Double) throws -> ActivityContent {
    switch type {
    case .reading:
      if text.blocks.isEmpty { findings.warning(file, nil, "The activity has no text. Write one below its fields.") }
      return .reading(try noted(text.blocks))
    case .link: return .link(destination: destination(url), text: try noted(text.blocks))
    case .flashcards: return try flashcards()
    case .quiz: return try quiz(pass: pass)
    }
  }

  private mutating func noted(_ blocks: [LocatedBlock]) throws -> [Block] {
    try noted(blocks.map(\.block))
  }

  private mutating func noted(_ blocks: [Block]) throws -> [Block] {
    try text.footnotes.attached(to: blocks, file: file, limits: limits)
  }

  private mutating func destination(_ url: YAMLFields.Field?) -> String {
    guard let url, let value = url.value else {
      findings.error(file, 1, "The link leads nowhere. Add a line 'url: https://…' at its top.")
      return ""
    }
    guard case .address(let address) = LinkTarget(value) else {
      findings.error(
        file, url.line, "The field 'url' is '\(value)'. Write a whole address, such as https://example.org.")
      return ""
    }
    return address
  }

  // MARK: Cards

  private mutating func flashcards() throws -> ActivityContent {
    let (introduction, sections) = sections()
    if sections.isEmpty {
      findings.error(file, nil, "The set has no cards. Write '## ' and the front of a card, and its back below.")
    }
    let cards = try sections.map { section in
      if section.blocks.isEmpty {
        findings.error(
          file, section.line, "The card '\(section.heading.plainText)' has no back. Write one below its front.")
      }
      return Flashcard(front: section.heading, back: try noted(section.blocks))
    }
    return .flashcards(introduction: try noted(introduction), cards: cards)
  }

  // MARK: Questions

  private mutating func quiz(pass: Double) throws -> ActivityContent {
    let (introduction, sections) = sections()
    if sections.isEmpty {
      findings.error(file, nil, "The quiz has no questions. Write '## ' and a question, and its choices below.")
    }
    return .quiz(introduction: try noted(introduction), questions: try sections.map { try question($0) }, pass: pass)
  }

  private mutating func question(_ section: Section) throws -> QuizQuestion {
    let name = section.heading.plainText
    var details: [LocatedBlock] = []
    var choices: [QuizQuestion.Choice] = []
    var explanation: [Block] = []
    for located in section.blocks {
      if case .bulletList(let items) = located.block, items.allSatisfy({ $0.isTicked != nil }) {
        choices += items.map { QuizQuestion.Choice(text: $0.blocks.asLine, isRight: $0.isTicked == true) }
      } else if choices.isEmpty {
        details.append(located)
      } else if case .quote(let blocks) = located.block {
        explanation += blocks
      } else {
        findings.warning(
          file, located.line,
          "What stands below the choices of '\(name)' is taken as part of the explanation. Put '> ' in front of it.")
        explanation.append(located.block)
      }
    }
    if choices.isEmpty { explanation = answer(endingIn: &details, of: name) }
    check(choices, isOpen: !explanation.isEmpty, of: name, line: section.line)
    return QuizQuestion(
      question: section.heading, details: try noted(details), choices: choices, explanation: try noted(explanation))
  }

  /// Takes the answer to a question without choices off its end: the quotations that it ends in.
  private mutating func answer(endingIn details: inout [LocatedBlock], of name: String) -> [Block] {
    var answer: [Block] = []
    while case .quote(let blocks) = details.last?.block {
      answer = blocks + answer
      details.removeLast()
    }
    // Whoever forgot the boxes of the choices has written a list.
    if !answer.isEmpty, let list = details.last, case .bulletList = list.block {
      findings.warning(
        file, list.line,
        "The question '\(name)' is answered in one's own words, since its list has no boxes. "
          + "If these are its choices, write each as '- [ ] …', right ones as '- [x] …'.")
    }
    return answer
  }

  private mutating func check(_ choices: [QuizQuestion.Choice], isOpen: Bool, of name: String, line: Int?) {
    if choices.isEmpty {
      guard !isOpen else { return }
      findings.error(
        file, line,
        "The question '\(name)' has neither choices nor an answer. Write each choice as '- [ ] …', right ones as "
          + "'- [x] …'; or, where it is answered in one's own words, a good answer as '> …'.")
    } else if !choices.contains(where: \.isRight) {
      findings.error(file, line, "The question '\(name)' has no right choice. Tick one: '- [x] …'.")
    } else if choices.count == 1 {
      findings.error(file, line, "The question '\(name)' has one choice only. Add a wrong one: '- [ ] …'.")
    }
    if let empty = choices.first(where: { $0.text.isEmpty }) {
      findings.error(file, line, "A \(empty.isRight ? "right" : "wrong") choice of '\(name)' has no words. Write some.")
    }
  }

  // MARK: Sections

  private struct Section {
    let heading: [Inline]
    let line: Int?
    var blocks: [LocatedBlock] = []
  }

  private func sections() -> (introduction: [LocatedBlock], sections: [Section]) {
    var introduction: [LocatedBlock] = []
    var sections: [Section] = []
    for located in text.blocks {
      if case .heading(2, let heading, _) = located.block {
        sections.append(Section(heading: heading, line: located.line))
      } else if sections.isEmpty {
        introduction.append(located)
      } else {
        sections[sections.count - 1].blocks.append(located)
      }
    }
    return (introduction, sections)
  }
}
