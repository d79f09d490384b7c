import LearningModel

/// Creates a draft from an indented outline with two spaces per level: `key "Title"` for courses, goals and lessons,
/// and `key "Title": text` for activities.
extension CourseDraft {
  init(_ outline: String, format: String = "outline", diagnostics: [Diagnostic] = []) {
    var nodes: [DraftNode] = []
    var contents: [Int: ActivityContent] = [:]
    var above: [Int] = []
    for line in outline.split(separator: "\n") {
      let depth = line.prefix { $0 == " " }.count / 2
      let components = line.drop { $0 == " " }.split(separator: "\"", omittingEmptySubsequences: false)
      let key = components[0].dropLast()
      let text = components[2].hasPrefix(": ") ? String(components[2].dropFirst(2)) : nil
      above.removeLast(above.count - depth)
      let kind: ContentKind =
        switch (depth, text) {
        case (0, _): .course
        case (1, _): .goal
        case (_, nil): .lesson
        default: .activity
        }
      nodes.append(
        DraftNode(
          parent: above.last, key: String(key), kind: kind, title: String(components[1]),
          type: kind == .activity ? .reading : nil))
      if let text { contents[nodes.count - 1] = .reading([.paragraph([.text(text)])]) }
      above.append(nodes.count - 1)
    }
    self.init(
      format: format, sourceName: "english", sourceDigest: "0", language: "en", nodes: nodes,
      contents: ContentsInMemory(contents), diagnostics: diagnostics)
  }
}
