package import CourseKit
import JSONCoding
import LearningModel
import TextCanvas
import WholeNumbers

/// Writes a course as a folder of Markdown, one file for each activity, in Waymark's own form.
///
/// Invariant: importing the folder produces nodes with the same keys, titles and order, and the same texts as far as
/// Markdown can express them (see ``MarkdownWriter``). The folder cannot contain the keys, tags and directions of single
/// cards and the durations of goals and lessons.
package struct CourseFolder {
  private let course: ExportedCourse
  private let files: CourseFiles

  /// The folder of the images and sounds.
  private static let folder = "images"

  /// Plans the files of a course.
  package init(_ course: ExportedCourse) {
    self.course = course
    files = CourseFiles(course.nodes, layout: .folders, reserved: [Self.folder])
  }

  /// Writes the files.
  ///
  /// - Parameter write: Receives each file with its path, which is relative to the folder of the course.
  /// - Returns: The number of cards whose keys, tags or directions are left out.
  /// - Throws: The errors of `write`, and an error if a content cannot be read.
  package func write(to write: @escaping (_ path: String, _ bytes: [UInt8]) throws -> Void) throws -> Int {
    var references = CourseReferences(of: course, files, folder: Self.folder, embedsDrawings: false, write: write)
    var incompleteCards = 0
    for (index, node) in files.nodes.enumerated() {
      guard node.kind == .activity else {
        let path = (files.paths[index].isEmpty ? "" : files.paths[index] + "/") + node.kind.rawValue + ".yml"
        let language = index == 0 ? course.language?.quotedInJSON : nil
        try write(path, Array(Self.fields(of: node, [("language", language)]).utf8))
        continue
      }
      let content = try course.contents.content(at: index)
      let blocks = try FolderText(file: index).prepared(content, title: node.title, &references)
      let text = "---\n" + Self.fields(of: node, content.fields) + "---\n\n" + MarkdownWriter().text(blocks)
      try write(files.paths[index], Array(text.utf8))
      if case .exercise(let exercise) = content {
        for file in exercise.files {
          guard let bytes = try course.contents.bytes(of: file) else { continue }
          try write(files.paths[index].dropLast(ExerciseFile.taskName.count) + file.path, bytes)
        }
      }
      incompleteCards += content.incompleteCards
    }
    return incompleteCards
  }

  /// Returns the lines of fields. A JSON string is also a string of YAML.
  private static func fields(of node: DraftNode, _ others: [(name: String, value: String?)]) -> String {
    let minutes = node.kind == .activity ? node.minutes.flatMap { (1...10_000).contains($0) ? String($0) : nil } : nil
    let summary = node.summary.isEmpty ? nil : node.summary.quotedInJSON
    let all = [
      ("title", node.title.quotedInJSON), ("key", node.key.quotedInJSON), ("summary", summary), ("minutes", minutes),
    ]
    return (all + others).map { name, value in value.map { "\(name): \($0)\n" } ?? "" }.joined()
  }
}

extension Exercise {
  /// The fields of the file. JSON values are also values of YAML.
  fileprivate var fields: [(name: String, value: String?)] {
    func json(_ list: some Collection & Encodable) -> String? {
      // Encoding cannot fail on texts and integers.
      list.isEmpty ? nil : String(decoding: try! JSONEncoding.sorted(list), as: UTF8.self)
    }
    let roles = files.map { "\($0.path.quotedInJSON): \($0.role.rawValue)" }.joined(separator: ", ")
    return [
      ("language", language?.quotedInJSON), ("difficulty", difficulty.map(String.init)), ("after", json(after)),
      ("workspace", workspace == .own ? nil : workspace.rawValue), ("recipe", recipe?.quotedInJSON),
      ("files", files.isEmpty ? nil : "{\(roles)}"),
      ("executable", json(files.filter(\.isExecutable).map(\.path))), ("prepare", json(prepare)),
      ("check", json(check)),
      ("passesUnchanged", passesUnchanged ? "true" : nil),
    ]
  }
}

extension ActivityContent {
  /// The fields of the file, except those that all activities have.
  fileprivate var fields: [(name: String, value: String?)] {
    switch self {
    case .reading: []
    case .link(let destination, _): [("type", type.rawValue), ("url", destination.quotedInJSON)]
    case .flashcards(_, let cards):
      [("type", type.rawValue), ("reversed", !cards.isEmpty && cards.allSatisfy(\.isReversed) ? "true" : nil)]
    case .quiz(_, _, let pass):
      [("type", type.rawValue), ("pass", String(max(1, min(100, Int(clamping: (pass * 100).rounded())))))]
    case .exercise(let exercise): exercise.fields
    }
  }

  fileprivate var incompleteCards: Int {
    guard case .flashcards(_, let cards) = self else { return 0 }
    let areReversed = cards.allSatisfy(\.isReversed)
    return cards.count { $0.key != nil || !$0.tags.isEmpty || $0.isLiteral || $0.isReversed && !areReversed }
  }

  /// The content as the text of its file: cards and questions are sections of the second level.
  fileprivate var fileBlocks: [Block] {
    switch self {
    case .reading(let text), .link(_, let text): return text
    case .exercise(let exercise): return exercise.fileBlocks
    case .flashcards(let introduction, let cards):
      return introduction
        + cards.flatMap { card in
          // A card must have a back.
          let isIncomplete = card.back.isEmpty && !card.hasGaps
          return [.heading(level: 2, text: card.front, anchor: "")] + (isIncomplete ? Self.missingText : card.back)
        }
    case .quiz(let introduction, let questions, _):
      return introduction
        + questions.flatMap { question -> [Block] in
          let choices = question.choices.map { ListItem(isTicked: $0.isRight, blocks: [.paragraph($0.text)]) }
          return [.heading(level: 2, text: question.question, anchor: "")] + question.details
            + (choices.isEmpty ? [] : [.bulletList(items: choices)])
            + (question.explanation.isEmpty
              ? choices.isEmpty ? [.quote(Self.missingText)] : [] : [.quote(question.explanation)])
        }
    }
  }

  /// The text of a back or an answer that is empty, because the form requires one.
  private static let missingText: [Block] = [.paragraph([.text("—")])]
}

/// Prepares the text of one file: links and images get the paths of files, and anchors that do not follow from a heading
/// get a target before it.
private struct FolderText {
  let file: Int

  func prepared(_ content: ActivityContent, title: String, _ references: inout CourseReferences) throws -> [Block] {
    var anchors = Anchor.names
    func line(_ inlines: [Inline]) throws -> [Inline] {
      try inlines.flatMap { inline -> [Inline] in
        switch inline {
        case .target(let name): return [.target(CourseReferences.identifier(name))]
        case .image(let source, let alternative, _):
          if let image = try references.located(inline, from: file) { return [image] }
          let isKept = !source.isEmpty && (WebAddress(source) != nil || !source.contains(":"))
          return [isKept ? inline : .text(inline.soundName ?? alternative)]
        case .link(let destination, let text):
          let address =
            CourseLink.leadsToOtherCourse(destination) ? destination : try references.address(destination, from: file)
          let text = try line(text)
          return address.map { [.link(destination: $0, text: text)] } ?? text
        default: return [try inline.mapChildren(line)]
        }
      }
    }
    func prepared(_ blocks: [Block]) throws -> [Block] {
      try blocks.flatMap { block -> [Block] in
        guard case .heading(let level, let text, let anchor) = block else {
          return [try block.mapChildren(line: line, blocks: prepared)]
        }
        let derived = Anchor.unique(Anchor.make(from: text.plainText), among: &anchors)
        let name = CourseReferences.identifier(anchor)
        let target: [Block] = anchor.isEmpty || name == derived ? [] : [.paragraph([.target(name)])]
        return target + [.heading(level: level, text: try line(text), anchor: anchor)]
      }
    }
    // Headings of the first levels inside cards and questions would begin new ones.
    let isInSections = content.itemLines != nil
    let lowered = isInSections ? content.mapChildren(line: { $0 }, blocks: { $0.lowered }) : content
    let blocks = try prepared(lowered.fileBlocks)
    // The first heading is not imported if it is the title.
    guard !isInSections, case .heading(_, let text, _)? = blocks.first, text.plainText.collapsedToOneLine == title
    else {
      return blocks
    }
    return [.heading(level: 1, text: [.text(title)], anchor: "")] + blocks
  }
}

extension [Block] {
  /// The blocks with headings of the third level at most, at every depth.
  fileprivate var lowered: [Block] {
    map { block in
      guard case .heading(let level, let text, let anchor) = block else {
        return block.mapChildren(line: { $0 }, blocks: { $0.lowered })
      }
      return .heading(level: Swift.max(3, level), text: text, anchor: anchor)
    }
  }
}
