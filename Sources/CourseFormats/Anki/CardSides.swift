import LearningModel

/// Makes flashcards of the filled templates of cards.
struct CardSides {
  let file: String
  let limits: SourceLimits
  private(set) var findings = Findings()

  init(file: String, limits: SourceLimits) {
    self.file = file
    self.limits = limits
  }

  private static let dialect: TextDialect = {
    var dialect = TextDialect.plain
    dialect.stressedClasses = [ClozeField.markedClass]
    return dialect
  }()

  /// Returns the card.
  ///
  /// - Parameters:
  ///   - key: The key of the card.
  ///   - question: The filled template of the question.
  ///   - answer: The filled template of the answer, without a repetition of the question.
  ///   - tags: The tags of the note.
  ///   - isReversed: Whether a review also asks for the question.
  ///   - typed: The text that the learner is to type, in HTML.
  ///   - hasGaps: Whether `{{c1::…}}` in the question is a gap, and not text.
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if a side is nested too deeply.
  mutating func card(
    key: String, question: String, answer: String, tags: [String], typed: String? = nil, isReversed: Bool = false,
    hasGaps: Bool = false
  ) throws -> Flashcard {
    var front = FrontLine()
    front.add(try blocks(of: question))
    if front.isBlank {
      findings.countLoss("front without text", "shown as \(quoted: Self.blankFront)")
      front.add([.paragraph([.emphasis([.text(Self.blankFront)])])])
    }
    let back = front.details + (try blocks(of: answer))
    let isLiteral = !hasGaps && Flashcard(front: front.line, back: []).hasGaps
    return Flashcard(
      key: key, front: front.line, back: back, tags: tags, isReversed: isReversed, isLiteral: isLiteral,
      typed: try typed.map { try blocks(of: $0).plainText.onOneLine })
  }

  private static let blankFront = "no text"

  private mutating func blocks(of html: String) throws -> [Block] {
    let html = CardMarkup.html(of: html, findings: &findings)
    let parsed = try HTMLText.parse(html, file: file, limits: limits, dialect: Self.dialect)
    findings.add(parsed.findings)
    return parsed.blocks.map(\.block).filter { !Self.isBlank($0) }
  }

  /// Returns whether a block is an empty line, as Anki's editor writes them: `<div><br></div>`.
  private static func isBlank(_ block: Block) -> Bool {
    guard case .paragraph(let line) = block else { return false }
    return line.allSatisfy { $0 == .lineBreak }
  }

  /// Removes the question and the line below it from the answer, because a flashcard shows its front above its back.
  ///
  /// - Parameter repeatsQuestion: Whether the template of the answer begins with the question. If `false`, the question is
  ///   removed only if the line `<hr id=answer>` follows it.
  static func withoutQuestion(_ answer: String, question: String, repeatsQuestion: Bool) -> String {
    let question = String(question.reversed().drop(while: \.isWhitespace).reversed())
    guard answer.hasPrefix(question) else { return answer }
    let rest = answer.dropFirst(question.count).drop(while: \.isWhitespace)
    if rest.prefix(3).lowercased() == "<hr", let end = rest.firstIndex(of: ">"),
      repeatsQuestion || rest[..<end].contains("answer")
    {
      return String(rest[rest.index(after: end)...])
    }
    return repeatsQuestion ? String(rest) : answer
  }
}

/// The front of a card as one line: blocks are separated by line breaks. Collapsed sections are kept for the back,
/// because they would give the answer away.
private struct FrontLine {
  private(set) var line: [Inline] = []
  /// The collapsed sections of the question.
  private(set) var details: [Block] = []

  var isBlank: Bool {
    line.allSatisfy { element in
      if case .text(let text) = element { return text.allSatisfy(\.isWhitespace) }
      return element == .lineBreak || element.isTarget
    }
  }

  mutating func add(_ blocks: [Block], prefix: String = "") {
    for block in blocks {
      switch block {
      case .heading(_, let text, _): add([.strong(text)], prefix)
      case .paragraph(let text): add(text, prefix)
      case .bulletList(let items): for item in items { add(item.blocks, prefix: prefix + "• ") }
      case .orderedList(let start, let items):
        for (number, item) in zip(items.numbers(from: start), items) {
          add(item.blocks, prefix: prefix + number + ". ")
        }
      case .quote(let inner): add(inner, prefix: prefix)
      case .code(_, let text):
        for row in text.split(separator: "\n", omittingEmptySubsequences: false) { add([.code(String(row))], prefix) }
      case .table(_, let header, let rows):
        for row in [header] + rows where row.contains(where: { !$0.isEmpty }) {
          add(Array(row.joined(separator: [.text(" │ ")])), prefix)
        }
      case .math(let source): add([.math(source)], prefix)
      case .rule: break
      case .details(let summary, _):
        add(summary, prefix)
        details.append(block)
      case .admonition(let box):
        add([.strong(box.heading)], prefix)
        add(box.blocks, prefix: prefix)
      case .definitions(let all):
        for definition in all {
          add([.strong(definition.term)], prefix)
          add(definition.blocks, prefix: prefix)
        }
      case .tabs(let all): for tab in all { add(tab.blocks, prefix: prefix) }
      }
    }
  }

  private mutating func add(_ text: [Inline], _ prefix: String) {
    guard !text.isEmpty else { return }
    if !line.isEmpty { line.append(.lineBreak) }
    line += (prefix.isEmpty ? [] : [.text(prefix)]) + text
  }
}
