import Foundation
import LearningModel

/// A Markdown file of Waymark's folder form: its fields, its title, and its content, which depends on its type.
struct ActivityFile {
  var content: ActivityContent
  private(set) var findings = Findings()
  /// The anchors of the headings in the file.
  let anchors: [String]
  /// The line number of the field `key`, or `nil` if the file lacks this field.
  let keyLine: Int?
  /// The fields of an exercise, or `nil` for other activities.
  let exercise: ExerciseFields?
  private let key: String
  private let title: String
  private let summary: String
  private let minutes: Int?

  private static let fields = ["title", "type", "minutes", "key", "summary", "url", "pass", "reversed"]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - text: The text of the file.
  ///   - entry: The name and path of the file, or of the folder of an exercise.
  ///   - pass: The default share of correct answers that passes a quiz.
  ///   - limits: The limits for reading.
  /// - Throws: ``CourseFormatError`` if the fields cannot be read or the text is nested too deeply.
  init(_ text: String, entry: SourceEntry, pass: Double, limits: SourceLimits) throws {
    let file = Self.file(of: entry)
    let front = try FrontMatter(text, file: file, limits: limits)
    var findings = Findings()
    findings.checkNames(
      of: front.fields, known: Self.fields, lists: entry.isFolder ? ExerciseFields.names : [], file: file)
    exercise = entry.isFolder ? findings.exerciseFields(front, in: file) : nil
    var parsed = try MarkdownText.parse(front.body, file: file, firstLine: front.bodyLine, limits: limits)
    findings.add(parsed.findings)

    let name = NumberedName(entry.name, isFolder: entry.isFolder)
    title = Self.title(front.fields, &parsed, name, file, &findings)
    key = front.fields["key"]?.value ?? NumberedName.key(of: entry.path, isFolder: entry.isFolder)
    keyLine = front.fields["key"]?.line
    summary = front.fields["summary"]?.value ?? ""
    minutes = Self.minutes(front.fields["minutes"], file, &findings)
    anchors = Array(parsed.anchors.keys)

    let type = Self.type(front.fields["type"], isExercise: entry.isFolder, file, &findings)
    var reader = ActivityText(parsed, file: file, limits: limits)
    let reversed = front.fields["reversed"]
    if let reversed, !["true", "false"].contains(reversed.value) {
      findings.error(
        file, reversed.line, "The field 'reversed' is \(quoted: reversed.value ?? ""). Write true or false.")
    }
    content = try reader.content(
      of: type, url: front.fields["url"], pass: findings.passingShare(front.fields["pass"], in: file) ?? pass,
      isReversed: reversed?.value == "true", exercise: exercise)
    findings.add(reader.findings)
    self.findings = findings
  }

  /// Returns the path of the file of an entry. An exercise is a folder.
  static func file(of entry: SourceEntry) -> String {
    entry.isFolder ? SourcePath.join(entry.path, ExerciseFile.taskName) : entry.path
  }

  func node(parent: Int) -> DraftNode {
    DraftNode(
      parent: parent, key: key, kind: .activity, title: title, summary: summary, minutes: minutes, type: content.type)
  }

  /// Returns the field `title`, otherwise the first heading, otherwise the name of the file. Removes a first heading
  /// that is the title.
  private static func title(
    _ fields: YAMLFields, _ parsed: inout ParsedText, _ name: NumberedName, _ file: String, _ findings: inout Findings
  ) -> String {
    let written = fields["title"]?.value
    if case .heading(_, let text, _) = parsed.blocks.first?.block {
      let heading = text.plainText.onOneLine
      if !heading.isEmpty, written == nil || written == heading {
        parsed.blocks.removeFirst()
        return heading
      }
    }
    if let written { return written }
    findings.warning(
      file, 1, "The activity has no title, so it is named \(quoted: name.title). Add a line 'title: …' at its top.")
    return name.title
  }

  private static func minutes(_ field: YAMLFields.Field?, _ file: String, _ findings: inout Findings) -> Int? {
    guard let field, let value = field.value else { return nil }
    guard let minutes = Int(value), (1...10_000).contains(minutes) else {
      findings.error(file, field.line, "The field 'minutes' is \(quoted: value). Write a whole number from 1 to 10000.")
      return nil
    }
    return minutes
  }

  private static func type(
    _ field: YAMLFields.Field?, isExercise: Bool, _ file: String, _ findings: inout Findings
  ) -> ActivityType {
    guard let field, let value = field.value else { return isExercise ? .exercise : .reading }
    guard let type = ActivityType(rawValue: value) else {
      let known = ActivityType.allCases.map(\.rawValue).joined(separator: ", ")
      findings.error(file, field.line, "The type \(quoted: value) is not known. The types are: \(known).")
      return .reading
    }
    if (type == .exercise) != isExercise {
      findings.error(
        file, field.line, "An exercise is a folder with the file 'exercise.md'. Rename the file, or change its 'type'.")
    }
    return isExercise ? .exercise : type
  }
}

extension Findings {
  /// Returns the share of correct answers that passes a quiz, written as a percentage such as `80` or `80 %`. Returns
  /// `nil` if the field is missing or invalid.
  mutating func passingShare(_ field: YAMLFields.Field?, in file: String) -> Double? {
    guard let field, let value = field.value else { return nil }
    let digits = value.hasSuffix("%") ? String(value.dropLast()).trimmingCharacters(in: .whitespaces) : value
    guard let percent = Int(digits), (1...100).contains(percent) else {
      error(
        file, field.line,
        "The field 'pass' is \(quoted: value). Write the required percentage of correct answers, from 1 to 100.")
      return nil
    }
    return Double(percent) / 100
  }
}

/// Makes the content of an activity from its text. Cards and questions begin with headings of the second level.
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

  /// Returns the content for an activity type.
  ///
  /// - Parameters:
  ///   - type: The type of the activity.
  ///   - url: The field with the destination of a link activity.
  ///   - pass: The share of correct answers that passes a quiz.
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if the content with its footnotes is too large.
  mutating func content(
    of type: ActivityType, url: YAMLFields.Field?, pass: Double, isReversed: Bool, exercise: ExerciseFields?
  ) throws -> ActivityContent {
    switch type {
    case .reading:
      if text.blocks.isEmpty { findings.warning(file, nil, "The activity has no text. Write one below its fields.") }
      return .reading(try countingLosses(text.blocks))
    case .link: return .link(destination: destination(url), text: try countingLosses(text.blocks))
    case .flashcards: return try flashcards(isReversed: isReversed)
    case .quiz: return try quiz(pass: pass)
    case .exercise: return .exercise(try self.exercise(exercise ?? ExerciseFields()))
    }
  }

  /// Returns an exercise without its files. Sections with the headings *Hint* and *Solution* follow the task.
  private mutating func exercise(_ fields: ExerciseFields) throws -> Exercise {
    let (task, sections) = sections { $0.exerciseSection != nil }
    func texts(_ name: String) throws -> [[Block]] {
      let named = sections.filter { Block.heading(level: 2, text: $0.heading, anchor: "").exerciseSection == name }
      return try named.map { try countingLosses($0.blocks) }
    }
    return fields.exercise.with(
      task: try countingLosses(task), hints: try texts("hint"), solution: try texts("solution").flatMap(\.self))
  }

  private mutating func countingLosses(_ blocks: [LocatedBlock]) throws -> [Block] {
    try countingLosses(blocks.map(\.block))
  }

  private mutating func countingLosses(_ blocks: [Block]) throws -> [Block] {
    try text.footnotes.attached(to: blocks, file: file, limits: limits)
  }

  private mutating func destination(_ url: YAMLFields.Field?) -> String {
    guard let url, let value = url.value else {
      findings.error(file, 1, "The link has no URL. Add a line 'url: https://…' at its top.")
      return ""
    }
    guard case .address(let address) = LinkTarget(value) else {
      findings.error(
        file, url.line, "The field 'url' is \(quoted: value). Write a complete URL, such as https://example.org.")
      return ""
    }
    return address
  }

  // MARK: Cards

  private mutating func flashcards(isReversed: Bool) throws -> ActivityContent {
    let (introduction, sections) = sections()
    if sections.isEmpty {
      findings.error(file, nil, "The set has no cards. Write '## ' and the front of a card, and its back below.")
    }
    let cards = try sections.map { section in
      // The answer of a card with gaps is its front.
      if section.blocks.isEmpty, !Flashcard(front: section.heading, back: []).hasGaps {
        findings.error(
          file, section.line, "The card \(quoted: section.heading.plainText) has no back. Write one below its front.")
      }
      return Flashcard(
        front: section.heading, back: try countingLosses(section.blocks), isReversed: isReversed)
    }
    return .flashcards(introduction: try countingLosses(introduction), cards: cards)
  }

  // MARK: Questions

  private mutating func quiz(pass: Double) throws -> ActivityContent {
    let (introduction, sections) = sections()
    if sections.isEmpty {
      findings.error(file, nil, "The quiz has no questions. Write '## ' and a question, and its choices below.")
    }
    return .quiz(
      introduction: try countingLosses(introduction), questions: try sections.map { try question($0) }, pass: pass)
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
          "The text below the choices of \(quoted: name) is read as part of the explanation. Begin it with '> '.")
        explanation.append(located.block)
      }
    }
    if choices.isEmpty { explanation = removeAnswer(endingIn: &details, of: name) }
    check(choices, isOpen: !explanation.isEmpty, of: name, line: section.line)
    return QuizQuestion(
      question: section.heading, details: try countingLosses(details), choices: choices,
      explanation: try countingLosses(explanation))
  }

  /// Removes and returns the answer to a question without choices: the block quotes at the end of the details.
  private mutating func removeAnswer(endingIn details: inout [LocatedBlock], of name: String) -> [Block] {
    var answer: [Block] = []
    while case .quote(let blocks) = details.last?.block {
      answer = blocks + answer
      details.removeLast()
    }
    // The author may have written the choices as a plain list without boxes.
    if !answer.isEmpty, let list = details.last, case .bulletList = list.block {
      findings.warning(
        file, list.line,
        "The question \(quoted: name) is read as a free-text question because its list has no boxes. "
          + "If these are its choices, write each as '- [ ] …', right ones as '- [x] …'.")
    }
    return answer
  }

  private mutating func check(_ choices: [QuizQuestion.Choice], isOpen: Bool, of name: String, line: Int?) {
    if choices.isEmpty {
      guard !isOpen else { return }
      findings.error(
        file, line,
        "The question \(quoted: name) has neither choices nor an answer. Write each choice as '- [ ] …', right ones as "
          + "'- [x] …'; or, for a free-text question, a good answer as '> …'.")
    } else if !choices.contains(where: \.isRight) {
      findings.error(file, line, "The question \(quoted: name) has no right choice. Tick one: '- [x] …'.")
    } else if choices.count == 1 {
      findings.error(file, line, "The question \(quoted: name) has one choice only. Add a wrong one: '- [ ] …'.")
    }
    if let empty = choices.first(where: { $0.text.isEmpty }) {
      findings.error(
        file, line, "A \(empty.isRight ? "right" : "wrong") choice of \(quoted: name) has no text. Write one.")
    }
  }

  // MARK: Sections

  private struct Section {
    let heading: [Inline]
    let line: Int?
    var blocks: [LocatedBlock] = []
  }

  /// Returns the sections that begin with headings of the second level, and the blocks before them.
  ///
  /// - Parameter begins: Whether a heading begins a section.
  private func sections(
    where begins: (Block) -> Bool = { _ in true }
  ) -> (introduction: [LocatedBlock], sections: [Section]) {
    var introduction: [LocatedBlock] = []
    var sections: [Section] = []
    for located in text.blocks {
      if case .heading(2, let heading, _) = located.block, begins(located.block) {
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
