import LearningModel

extension [Inline] {
  /// The line with each link replaced, the outer ones where they are nested. Words that take a link's place join the
  /// words beside it.
  func mapLinks(_ replace: (_ destination: String, _ text: [Inline]) -> Inline) -> [Inline] {
    var result: [Inline] = []
    // Words that may be joined by more, apart from the pieces, so that each of them is copied once.
    var words: String?
    var joins = false
    for piece in self {
      let wasJoining = joins
      if case .link = piece { joins = true } else { joins = false }
      let mapped: Inline =
        switch piece {
        case .link(let destination, let text): replace(destination, text)
        case .emphasis(let inner): .emphasis(inner.mapLinks(replace))
        case .strong(let inner): .strong(inner.mapLinks(replace))
        case .strikethrough(let inner): .strikethrough(inner.mapLinks(replace))
        case .text, .code, .math, .image, .lineBreak: piece
        }
      if let open = words, !(joins || wasJoining) || mapped.words == nil {
        result.append(.text(open))
        words = nil
      }
      if let more = mapped.words {
        words = words ?? ""
        words?.append(more)
      } else {
        result.append(mapped)
      }
    }
    return result + (words.map { [.text($0)] } ?? [])
  }
}

extension Inline {
  /// What it says where it is nothing but words.
  fileprivate var words: String? {
    if case .text(let words) = self { words } else { nil }
  }
}

extension [Block] {
  /// The blocks with each link replaced.
  func mapLinks(_ replace: (_ destination: String, _ text: [Inline]) -> Inline) -> [Block] {
    map { block in
      switch block {
      case .heading(let level, let text, let anchor):
        .heading(level: level, text: text.mapLinks(replace), anchor: anchor)
      case .paragraph(let text): .paragraph(text.mapLinks(replace))
      case .bulletList(let items): .bulletList(items: items.map { $0.mapLinks(replace) })
      case .orderedList(let start, let items): .orderedList(start: start, items: items.map { $0.mapLinks(replace) })
      case .quote(let blocks): .quote(blocks.mapLinks(replace))
      case .table(let alignments, let header, let rows):
        .table(
          alignments: alignments, header: header.map { $0.mapLinks(replace) },
          rows: rows.map { $0.map { $0.mapLinks(replace) } })
      case .details(let summary, let blocks):
        .details(summary: summary.mapLinks(replace), blocks: blocks.mapLinks(replace))
      case .code, .math, .rule: block
      }
    }
  }

  /// The blocks with each block of code replaced, at every depth.
  func mapCode(_ replace: (_ language: String?, _ text: String) -> Block) -> [Block] {
    map { block in
      switch block {
      case .code(let language, let text): replace(language, text)
      case .quote(let blocks): .quote(blocks.mapCode(replace))
      case .details(let summary, let blocks): .details(summary: summary, blocks: blocks.mapCode(replace))
      case .bulletList(let items):
        .bulletList(items: items.map { ListItem(isTicked: $0.isTicked, blocks: $0.blocks.mapCode(replace)) })
      case .orderedList(let start, let items):
        .orderedList(
          start: start, items: items.map { ListItem(isTicked: $0.isTicked, blocks: $0.blocks.mapCode(replace)) })
      case .heading, .paragraph, .math, .table, .rule: block
      }
    }
  }
}

extension ListItem {
  fileprivate func mapLinks(_ replace: (_ destination: String, _ text: [Inline]) -> Inline) -> ListItem {
    ListItem(isTicked: isTicked, blocks: blocks.mapLinks(replace))
  }
}

extension ActivityContent {
  /// The content with each link in its texts replaced. The destination of a link activity is not one of them.
  func mapLinks(_ replace: (_ destination: String, _ text: [Inline]) -> Inline) -> ActivityContent {
    switch self {
    case .reading(let blocks): .reading(blocks.mapLinks(replace))
    case .link(let destination, let text): .link(destination: destination, text: text.mapLinks(replace))
    case .flashcards(let introduction, let cards):
      .flashcards(
        introduction: introduction.mapLinks(replace),
        cards: cards.map { Flashcard(front: $0.front.mapLinks(replace), back: $0.back.mapLinks(replace)) })
    case .quiz(let introduction, let questions, let pass):
      .quiz(
        introduction: introduction.mapLinks(replace), questions: questions.map { $0.mapLinks(replace) }, pass: pass)
    }
  }

  /// Whether there is any link in its texts.
  var hasLinks: Bool {
    var found = false
    _ = mapLinks {
      found = true
      return .link(destination: $0, text: $1)
    }
    return found
  }
}

extension QuizQuestion {
  fileprivate func mapLinks(_ replace: (_ destination: String, _ text: [Inline]) -> Inline) -> QuizQuestion {
    QuizQuestion(
      question: question.mapLinks(replace), details: details.mapLinks(replace),
      choices: choices.map { Choice(text: $0.text.mapLinks(replace), isRight: $0.isRight) },
      explanation: explanation.mapLinks(replace))
  }
}
