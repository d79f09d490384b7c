import Foundation
public import LearningModel

/// Writes Waymark's JSON form: the same bytes for the same course, in lines that a person can read.
///
/// Law: what ``WaymarkReader`` reads of it has the same nodes, contents and language.
public enum WaymarkWriter {
  /// Writes a course.
  ///
  /// - Parameters:
  ///   - nodes: The nodes in reading order, the course first, each with the index of its parent.
  ///   - language: The language of its texts as a BCP 47 tag.
  ///   - contents: The contents of the activities, asked for one at a time.
  ///   - pictures: The digests of pictures that are to stand in the text itself.
  ///   - sink: Takes the text piece by piece.
  /// - Throws: What `contents` and `sink` throw.
  public static func write(
    _ nodes: [DraftNode], language: String?, contents: any DraftContents, pictures: [String] = [],
    to sink: (String) throws -> Void
  ) throws {
    try write(nodes, language: language, contents: contents, pictures: pictures, isWhole: true, to: sink)
  }

  /// - Parameter isWhole: Whether the first node is a course, and the text a document of its own.
  private static func write(
    _ nodes: [DraftNode], language: String?, contents: any DraftContents, pictures: [String] = [], isWhole: Bool,
    to sink: (String) throws -> Void
  ) throws {
    var children: [[Int]] = Array(repeating: [], count: nodes.count)
    for (index, node) in nodes.enumerated() {
      if let parent = node.parent { children[parent].append(index) }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]

    func write(_ index: Int, indent: Int) throws {
      let node = nodes[index]
      let space = String(repeating: " ", count: indent)
      var members: [(String, JSONText)] = [("key", JSONText(node.key)), ("title", JSONText(node.title))]
      if let minutes = node.minutes { members.append(("minutes", .atom(String(minutes)))) }
      if !node.summary.isEmpty { members.append(("summary", JSONText(node.summary))) }
      if index == 0, let language { members.append(("language", JSONText(language))) }
      try sink("{")
      // Short fields share a line; the text below them has lines of its own.
      try sink(members.map { "\"\($0)\": \($1.onOneLine)" }.joined(separator: ", "))
      if node.kind == .activity {
        let content = try JSONText(parsing: encoder.encode(try contents.content(at: index)))
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
    try writePictures(pictures, of: contents, to: sink)
    if isWhole { try sink("\"course\": ") }
    try write(0, indent: 0)
    try sink(isWhole ? "}\n" : "\n")
  }

  /// Writes pictures in front of the course, one after the other.
  private static func writePictures(
    _ pictures: [String], of contents: any DraftContents, to sink: (String) throws -> Void
  ) throws {
    var isFirst = true
    for digest in pictures {
      guard let bytes = try contents.picture(digest) else { continue }
      try sink((isFirst ? "\"pictures\": {\n " : ",\n ") + "\"\(digest)\": ")
      try sink("\"" + Data(bytes).base64EncodedString() + "\"")
      isFirst = false
    }
    if !isFirst { try sink("},\n") }
  }

  /// The text of one activity, as a course has it.
  public static func text(of activity: DraftNode, content: ActivityContent) throws -> String {
    var text = ""
    try write([activity], language: nil, contents: ContentsInMemory([0: content]), isWhole: false) { text += $0 }
    return text
  }

  /// The whole text of a draft, with its pictures in it.
  public static func text(of draft: CourseDraft) throws -> String {
    var text = ""
    var pictures: Set<String> = []
    for (index, node) in draft.nodes.enumerated() where node.kind == .activity {
      pictures.formUnion(try draft.contents.content(at: index).keptPictures.map(\.digest))
    }
    try write(
      draft.nodes, language: draft.language, contents: draft.contents, pictures: pictures.sorted()
    ) { text += $0 }
    return text
  }
}
