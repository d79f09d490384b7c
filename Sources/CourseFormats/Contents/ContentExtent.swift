import LearningModel

/// The size of a content, and whether it contains links or images that must be resolved.
struct ContentExtent {
  /// The number of bytes of its texts.
  private(set) var size = 0
  private(set) var hasLinks = false
  private(set) var hasImages = false

  init(of content: ActivityContent) {
    switch content {
    case .reading(let blocks): add(blocks)
    case .link(_, let text): add(text)
    case .flashcards(let introduction, let cards):
      add(introduction)
      for card in cards {
        add(card.front)
        add(card.back)
      }
    case .quiz(let introduction, let questions, _):
      add(introduction)
      for question in questions {
        add(question.question)
        add(question.details)
        for choice in question.choices { add(choice.text) }
        add(question.explanation)
      }
    }
  }

  private mutating func add(_ blocks: [Block]) {
    for block in blocks {
      switch block {
      case .paragraph(let line), .heading(_, let line, _): add(line)
      case .code(_, let text), .math(let text): size += text.utf8.count
      default:
        for child in block.children {
          switch child {
          case .line(let line): add(line)
          case .blocks(let inner): add(inner)
          }
        }
      }
    }
  }

  private mutating func add(_ line: [Inline]) {
    for element in line {
      switch element {
      case .text(let text), .code(let text), .key(let text), .math(let text): size += text.utf8.count
      case .emphasis(let inner), .strong(let inner), .strikethrough(let inner): add(inner)
      case .link(let destination, let text):
        hasLinks = true
        size += destination.utf8.count
        add(text)
      case .image(let source, let description, _):
        hasImages = true
        size += source.utf8.count + description.utf8.count
      case .lineBreak, .target: break
      }
    }
  }
}
