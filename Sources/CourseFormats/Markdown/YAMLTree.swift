import Yams

/// A YAML text, or one of JSON, as a tree: what files of navigation are written in.
struct YAMLTree {
  /// Its words, where it is text, a number or a truth.
  let text: String?
  /// Its items; none where it is no list.
  let items: [YAMLTree]
  /// Its fields in the text's order; none where it has none.
  let fields: [Field]
  /// The line that it stands in, from 1.
  let line: Int

  /// A name and what it is given.
  struct Field {
    let name: String
    let value: YAMLTree
  }

  /// The longest text, in bytes: a table of contents may have thousands of entries.
  private static let size = 512 << 10

  /// Reads a text.
  ///
  /// - Throws: ``CourseFormatError`` where it is no YAML or breaks a limit.
  init(_ yaml: String, file: String, firstLine: Int = 1, limits: SourceLimits) throws {
    let root = try YAMLFields.root(
      of: yaml, file: file, firstLine: firstLine, limits: limits, size: Self.size, by: Self.compose)
    try self.init(root ?? "", file: file, firstLine: firstLine, depth: 0, limits: limits)
  }

  /// Parses a text in which a name may stand twice, as other readers of YAML allow it: the first one counts.
  private static func compose(_ yaml: String) throws -> Node? {
    var lines = yaml.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for _ in 0..<mostRepeats {
      do {
        return try YAMLFields.compose(lines.joined(separator: "\n"))
      } catch YamlError.duplicatedKeysInMapping(let names, let context) {
        // Another one of that name, below the first.
        let repeated = lines.indices.dropFirst(max(1, context.mark.line)).first { index in
          names.contains { name in
            lines[index].drop { " -\"'{".contains($0) }.hasPrefix(name)
          }
        }
        guard let repeated, let start = lines[repeated].firstIndex(where: { !" -{".contains($0) }) else { break }
        let quote = "\"'".contains(lines[repeated][start]) ? 1 : 0
        lines[repeated].insert(contentsOf: "\(repeated)~", at: lines[repeated].index(start, offsetBy: quote))
      }
    }
    return try YAMLFields.compose(lines.joined(separator: "\n"))
  }

  /// How often a name may stand again in one text.
  private static let mostRepeats = 32

  private init(_ node: Node, file: String, firstLine: Int, depth: Int, limits: SourceLimits) throws {
    let line = max(1, node.mark?.line ?? 1) + firstLine - 1
    guard depth <= limits.nestingDepth else {
      throw CourseFormatError.limit(.nestingDepth(limits.nestingDepth), file: file, line: line)
    }
    func below(_ node: Node) throws -> YAMLTree {
      try YAMLTree(node, file: file, firstLine: firstLine, depth: depth + 1, limits: limits)
    }
    let isNull = node.scalar == nil || node.tag.description == "tag:yaml.org,2002:null"
    text = isNull ? nil : node.scalar?.string
    items = try node.sequence?.map(below) ?? []
    fields = try node.mapping?.map { Field(name: $0.key.scalar?.string ?? "", value: try below($0.value)) } ?? []
    self.line = line
  }

  /// The value of that name; `nil` where it has no fields, none of that name, or nothing stands there.
  subscript(name: String) -> YAMLTree? {
    fields.first { $0.name == name }.map(\.value).flatMap { $0.isEmpty ? nil : $0 }
  }

  private var isEmpty: Bool { (text ?? "").isEmpty && items.isEmpty && fields.isEmpty }
}
