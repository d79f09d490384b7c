import TestSupport
import LearningModel

/// Generates contents and courses that use all features of the model.
struct RandomContent {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

  mutating func words() -> String {
    let words = ["", "a", "two words", "“quoted”", "a \"b\" \\ c", "tab\tline\nend", "Grüße 🐝", "{\"p\": 1}", "/", " "]
    return words.randomElement(using: &random)!
  }

  mutating func line(depth: Int = 2) -> [Inline] {
    (0..<number(0...3)).map { _ in
      switch number(0...(depth > 0 ? 9 : 4)) {
      case 0: .text(words())
      case 1: .code(words())
      case 2: .image(source: words(), alternative: words())
      case 3: .lineBreak
      case 4: .key(words())
      case 5: .emphasis(line(depth: depth - 1))
      case 6: .strong(line(depth: depth - 1))
      case 7: .strikethrough(line(depth: depth - 1))
      case 8: .target(words())
      default: .link(destination: "https://example.org/" + words(), text: line(depth: depth - 1))
      }
    }
  }

  mutating func blocks(depth: Int = 2) -> [Block] {
    (0..<number(0...3)).map { _ in
      switch number(0...(depth > 0 ? 11 : 4)) {
      case 0: return .paragraph(line())
      case 1:
        let text = line()
        return .heading(
          level: number(1...6), text: text, anchor: number(0...1) == 0 ? words() : Anchor.make(from: text.plainText))
      case 2: return .code(language: number(0...1) == 0 ? nil : words(), text: words())
      case 3: return .rule
      case 4:
        let columns = number(1...3)
        let row = { (content: inout RandomContent) in (0..<columns).map { _ in content.line() } }
        let alignments: [ColumnAlignment] = (0..<columns).map { _ in [.left, .centre, .right][number(0...2)] }
        return .table(alignments: alignments, header: row(&self), rows: (0..<number(0...2)).map { _ in row(&self) })
      case 5: return .quote(blocks(depth: depth - 1))
      case 6: return .details(summary: line(), blocks: blocks(depth: depth - 1))
      case 7:
        return .admonition(
          Admonition(kind: Admonition.Kind.allCases[number(0...5)], title: line(), blocks: blocks(depth: depth - 1)))
      case 8: return .definitions((0..<number(1...3)).map { _ in Definition(term: line(), blocks: blocks(depth: 0)) })
      case 9: return .tabs((0..<number(1...3)).map { _ in ContentTab(label: line(), blocks: blocks(depth: depth - 1)) })
      case 10: return .bulletList(items: items(depth: depth - 1))
      default: return .orderedList(start: number(0...3), items: items(depth: depth - 1))
      }
    }
  }

  mutating func items(depth: Int) -> [ListItem] {
    (0..<number(0...3)).map { _ in
      ListItem(
        isTicked: [nil, true, false][number(0...2)], number: [nil, nil, "7", "iv"][number(0...3)],
        blocks: blocks(depth: depth))
    }
  }

  mutating func content() -> ActivityContent {
    switch number(0...4) {
    case 0: .reading(blocks())
    case 4: .exercise(exercise())
    case 1:
      .flashcards(
        introduction: blocks(),
        cards: (0..<number(0...3)).map { index in
          Flashcard(
            key: [nil, "card \(index)"][number(0...1)], front: line(), back: blocks(),
            tags: [[], ["a::b", "c"]][number(0...1)])
        })
    case 2:
      .quiz(
        introduction: blocks(), questions: (0..<number(0...3)).map { _ in question() },
        pass: [0.6, 0.8, 1][number(0...2)])
    default: .link(destination: "https://example.org", text: blocks())
    }
  }

  /// Returns an exercise whose files are empty, because the content of other files is stored with a course.
  mutating func exercise() -> Exercise {
    Exercise(
      task: blocks(), language: [nil, words()][number(0...1)], difficulty: [nil, number(1...10)][number(0...1)],
      after: Array(repeating: "course", count: number(0...2)),
      files: (0..<number(0...3)).map { index in
        ExerciseFile(
          path: ["", "a b/", "Grüße/"][number(0...2)] + "\(index).py",
          role: ExerciseFile.Role.allCases[number(0...3)], digest: ExerciseFile.emptyDigest,
          isExecutable: number(0...1) == 0)
      },
      workspace: [.own, .shared][number(0...1)], recipe: [nil, words()][number(0...1)],
      prepare: (0..<number(0...1)).map { _ in run() }, check: (0..<number(0...2)).map { _ in run() },
      hints: (0..<number(0...2)).map { _ in blocks() }, solution: blocks(), passesUnchanged: number(0...1) == 0)
  }

  private mutating func run() -> Exercise.Run {
    Exercise.Run(
      number(0...1) == 0 ? .shell(words()) : .argv([words(), words()]), name: [nil, words()][number(0...1)],
      input: [nil, words()][number(0...1)],
      expectation: [.exit(0), .exit(3), .contains(words()), .equals(words()), .matches(words())][number(0...4)],
      seconds: [nil, number(1...300)][number(0...1)])
  }

  mutating func question() -> QuizQuestion {
    QuizQuestion(
      question: line(), details: blocks(),
      choices: (0..<number(0...3)).map { _ in .init(text: line(), isRight: number(0...1) == 0) }, explanation: blocks())
  }

  /// Returns a course: its nodes in reading order, and its contents.
  mutating func course() -> (nodes: [DraftNode], contents: [Int: ActivityContent]) {
    var nodes = [DraftNode(parent: nil, key: "course", kind: .course, title: "A \"course\"", summary: "About\\it")]
    var contents: [Int: ActivityContent] = [:]
    func title() -> String { "Node \(nodes.count)" }
    func add(_ kind: ContentKind, parent: Int, _ content: inout RandomContent) -> Int {
      nodes.append(
        DraftNode(
          parent: parent, key: "key/\(nodes.count)#", kind: kind, title: title(),
          summary: content.number(0...1) == 0 ? "" : "Summary \(nodes.count)",
          minutes: content.number(0...1) == 0 ? nil : content.number(1...90)))
      return nodes.count - 1
    }
    func fill(_ lesson: Int, depth: Int, _ content: inout RandomContent) {
      for _ in 0..<content.number(0...4) {
        if depth > 0, content.number(0...3) == 0 {
          fill(add(.lesson, parent: lesson, &content), depth: depth - 1, &content)
        } else {
          let index = add(.activity, parent: lesson, &content)
          contents[index] = content.content()
          nodes[index].type = contents[index]!.type
        }
      }
    }
    for _ in 0..<number(0...3) {
      let goal = add(.goal, parent: 0, &self)
      for _ in 0..<number(0...3) { fill(add(.lesson, parent: goal, &self), depth: 3, &self) }
    }
    return (nodes, contents)
  }
}
