import Foundation
import JSONCoding
package import LearningModel
import TextCanvas

/// Writes Waymark's JSON form with readable line breaks. Equal courses produce equal bytes.
///
/// Invariant: ``WaymarkReader`` reads the same nodes, contents and language that were written.
package enum WaymarkWriter {
  /// Writes a course.
  ///
  /// - Parameters:
  ///   - nodes: The nodes in reading order, the course first, each with the index of its parent.
  ///   - language: The language of the texts as a BCP 47 tag.
  ///   - contents: The contents of the activities. Only one is requested at a time.
  ///   - images: The digests of the images to embed in the text.
  ///   - sink: Receives the text in chunks.
  /// - Throws: The errors of `contents` and `sink`.
  package static func write(
    _ nodes: [DraftNode], language: String?, contents: any DraftContents, images: [String] = [],
    to sink: (String) throws -> Void
  ) throws {
    try write(nodes, language: language, contents: contents, images: images, isWhole: true, to: sink)
  }

  /// - Parameter isWhole: Whether the text is a complete document. If `true`, the first node is the course.
  private static func write(
    _ nodes: [DraftNode], language: String?, contents: any DraftContents, images: [String] = [], isWhole: Bool,
    to sink: (String) throws -> Void
  ) throws {
    var children: [[Int]] = Array(repeating: [], count: nodes.count)
    for (index, node) in nodes.enumerated() {
      if let parent = node.parent { children[parent].append(index) }
    }

    func write(_ index: Int, indent: Int) throws {
      let node = nodes[index]
      let space = String(repeating: " ", count: indent)
      var members: [(String, JSONText)] = [("key", JSONText(node.key)), ("title", JSONText(node.title))]
      if let minutes = node.minutes { members.append(("minutes", .atom(String(minutes)))) }
      if !node.summary.isEmpty { members.append(("summary", JSONText(node.summary))) }
      if index == 0, let language { members.append(("language", JSONText(language))) }
      try sink("{")
      // Short fields share a line. The content of an activity begins on a new line.
      try sink(members.map { "\"\($0)\": \($1.singleLine)" }.joined(separator: ", "))
      if node.kind == .activity {
        let content = try JSONText(parsing: JSONEncoding.sorted(contents.content(at: index)))
        guard case .object(let parts) = content else { return }
        for part in parts { try sink(",\n\(space) \"\(part.name)\": \(part.value.text(indent: indent + 1))") }
      } else {
        try sink(",\n\(space) \"children\": [")
        for (place, child) in children[index].enumerated() {
          try sink(place == 0 ? "\n\(space)  " : ",\n\(space)  ")
          try write(child, indent: indent + 2)
        }
        try sink(children[index].isEmpty ? "]" : "\n\(space) ]")
      }
      try sink("}")
    }

    if isWhole { try sink("{\"waymark\": 1,\n") }
    try writeImages(images, of: contents, to: sink)
    if isWhole { try sink("\"course\": ") }
    try write(0, indent: 0)
    try sink(isWhole ? "}\n" : "\n")
  }

  /// Writes the images before the course.
  private static func writeImages(
    _ pictures: [String], of contents: any DraftContents, to sink: (String) throws -> Void
  ) throws {
    var isFirst = true
    for digest in pictures {
      guard let bytes = try contents.image(digest) else { continue }
      try sink((isFirst ? "\"pictures\": {\n " : ",\n ") + "\"\(digest)\": ")
      try sink("\"" + Data(bytes).base64EncodedString() + "\"")
      isFirst = false
    }
    if !isFirst { try sink("},\n") }
  }

  /// Returns the JSON text of a single activity.
  package static func text(of activity: DraftNode, content: ActivityContent) throws -> String {
    var text = ""
    try write([activity], language: nil, contents: ContentsInMemory([0: content]), isWhole: false) { text += $0 }
    return text
  }

  /// Returns the complete JSON text of a draft, with embedded images.
  package static func text(of draft: CourseDraft) throws -> String {
    var text = ""
    var pictures: Set<String> = []
    for (index, node) in draft.nodes.enumerated() where node.kind == .activity {
      pictures.formUnion(try draft.contents.content(at: index).storedDigests)
    }
    try write(
      draft.nodes, language: draft.language, contents: draft.contents, images: pictures.sorted()
    ) { text += $0 }
    return text
  }
}

/// A JSON value for output. Literals are kept as text, and the members of objects are in a readable order.
enum JSONText {
  case atom(String)
  case array([JSONText])
  case object([Member])

  struct Member {
    let name: String
    let value: JSONText
  }

  /// The maximum length of a list or an object on one line.
  private static let width = 110

  /// The order of members. Members that are not listed come last.
  private static let order = [
    "introduction", "question", "details", "choices", "explanation", "front", "back", "language", "code", "align",
    "table", "start", "ol", "done", "item", "link", "text", "image", "alt", "picture", "size", "reading", "flashcards",
    "quiz", "exercise", "task", "path", "role", "digest", "files", "name", "argv", "shell", "prepare", "check", "hints",
    "solution",
  ]

  init(_ string: String) { self = .atom(string.quotedInJSON) }

  /// Parses the output of an encoder.
  init(parsing bytes: [UInt8]) throws {
    var scanner = JSONScanner(bytes, deepest: .max)
    do {
      try self.init(&scanner)
    } catch let error as JSONError {
      throw CourseFormatError(error, file: "content")
    }
  }

  private init(_ scanner: inout JSONScanner) throws {
    switch scanner.peek() {
    case UInt8(ascii: "\""): self.init(try scanner.string())
    case UInt8(ascii: "["):
      var values: [JSONText] = []
      try scanner.array { values.append(try JSONText(&$0)) }
      self = .array(values)
    case UInt8(ascii: "{"):
      var members: [Member] = []
      try scanner.object { member, name in members.append(Member(name: name, value: try JSONText(&member))) }
      let rank: (String) -> Int = { Self.order.firstIndex(of: $0) ?? Self.order.count }
      self = .object(members.sorted { (rank($0.name), $0.name) < (rank($1.name), $1.name) })
    default: self = .atom(try scanner.skipped())
    }
  }

  var singleLine: String {
    switch self {
    case .atom(let text): text
    case .array(let values): "[" + values.map(\.singleLine).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { "\"\($0.name)\": \($0.value.singleLine)" }.joined(separator: ", ") + "}"
    }
  }

  /// Returns the value on one line if it is short enough, otherwise on several lines. Each level is indented by one
  /// more space.
  ///
  /// - Parameters:
  ///   - indent: The number of spaces before the first line.
  ///   - isLine: Whether the value is a line of text. Its elements share a line as long as they fit.
  func text(indent: Int, isLine: Bool = false) -> String {
    let line = singleLine
    if line.unicodeScalars.count + indent <= Self.width { return line }
    let space = "\n" + String(repeating: " ", count: indent + 1)
    switch self {
    case .atom: return line
    case .array(let values) where isLine: return "[" + Self.filled(values, indent: indent + 1, space: space) + "]"
    case .array(let values):
      return "[" + values.map { space + $0.text(indent: indent + 1) }.joined(separator: ",") + "]"
    case .object(let members):
      let parts = members.map { member in
        let text = member.value.text(indent: indent + 1, isLine: Self.lines.contains(member.name))
        return "\"\(member.name)\": \(text)"
      }
      return "{" + parts.joined(separator: "," + space) + "}"
    }
  }

  /// The members whose lists are lines of text.
  private static let lines: Set<String> = [
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "em", "strong", "del", "text", "front", "question", "right", "wrong",
  ]

  private static func filled(_ values: [JSONText], indent: Int, space: String) -> String {
    var text = ""
    var column = indent
    for (index, value) in values.enumerated() {
      let piece = value.singleLine
      let isFirst = index == 0
      if !isFirst { text += "," }
      if !isFirst, column + piece.unicodeScalars.count + 2 > width {
        text += space
        column = indent
      } else if !isFirst {
        text += " "
      }
      text += piece
      column += piece.unicodeScalars.count + 2
    }
    return text
  }
}
