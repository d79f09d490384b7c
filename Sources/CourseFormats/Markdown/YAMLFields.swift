import LearningModel
import Yams

/// The fields of a small YAML text whose values are single lines of text, as in Waymark's files and in front matter.
struct YAMLFields {
  struct Field {
    let name: String
    /// The text; empty for a null value, `nil` for a list or a mapping.
    let value: String?
    let line: Int
  }

  /// All fields, in the order of the text.
  private(set) var all: [Field] = []

  init() {}

  /// The field with that name, or `nil` if it is missing or empty.
  subscript(name: String) -> Field? {
    all.first { $0.name == name && $0.value != "" }
  }

  /// Parses a text.
  ///
  /// - Parameters:
  ///   - yaml: The text. An empty text has no fields.
  ///   - file: The file name for errors.
  ///   - firstLine: The line number of the file at which the text begins.
  ///   - limits: The maximum size and number of aliases.
  /// - Throws: ``CourseFormatError`` if a limit is exceeded, or if the text is not YAML or not a mapping.
  init(_ yaml: String, file: String, firstLine: Int = 1, limits: SourceLimits) throws {
    let root = try Self.root(of: yaml, file: file, firstLine: firstLine, limits: limits)
    guard let root, root.scalar?.string != "" else { return }
    guard let mapping = root.mapping else {
      throw CourseFormatError.malformed(
        file: file, line: firstLine, problem: "the YAML has no fields",
        advice: "Write lines such as 'title: Preparing'.")
    }
    all = mapping.map { key, value in
      let isNull = value.scalar != nil && value.tag.description == "tag:yaml.org,2002:null"
      return Field(
        name: key.scalar?.string ?? "", value: isNull ? "" : value.scalar?.string.onOneLine,
        line: (key.mark?.line ?? 1) + firstLine - 1)
    }
  }

  /// Returns the root value of a text, or `nil` if the text is empty.
  ///
  /// - Parameters:
  ///   - size: The maximum size in bytes. If `nil`, ``SourceLimits/yamlSize``.
  ///   - parse: Parses the text. Called after the limits have been checked.
  static func root(
    of yaml: String, file: String, firstLine: Int = 1, limits: SourceLimits, size: Int? = nil,
    by parse: (String) throws -> Node? = compose
  ) throws -> Node? {
    let size = size ?? limits.yamlSize
    guard yaml.utf8.count <= size else {
      throw CourseFormatError.limit(.yamlSize(size), file: file, line: firstLine)
    }
    try Self.checkShape(of: yaml, file: file, firstLine: firstLine, limits: limits)
    do {
      return try parse(yaml)
    } catch {
      throw Self.malformed(error, file: file, firstLine: firstLine)
    }
  }

  static func compose(_ yaml: String) throws -> Node? {
    // The encoding is specified because Yams otherwise copies the environment of the process for each text.
    try Yams.compose(yaml: yaml, .default, .default, .utf8)
  }

  /// Throws if parsing would be too expensive: the parser recurses for each level, and expands aliases.
  ///
  /// Characters inside quotation marks are counted too, so some harmless texts are rejected. The fields of real courses
  /// are far below the limits.
  private static func checkShape(of yaml: String, file: String, firstLine: Int, limits: SourceLimits) throws {
    var open = 0
    var aliases = 0
    for (index, line) in yaml.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      var previous = UInt8(ascii: " ")
      for byte in line {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"): open = max(0, open - 1)
        case UInt8(ascii: "*") where [0x20, 0x09, 0x2C, 0x5B, 0x7B].contains(previous): aliases += 1
        default: break
        }
        previous = byte
      }
      // A line can open several lists: "- - - x" is a list in a list in a list.
      let leading = line.split(separator: 0x20).prefix { $0.count == 1 && [0x2D, 0x3F, 0x3A].contains($0.first) }.count
      guard open + leading <= limits.nestingDepth else {
        throw CourseFormatError.limit(.nestingDepth(limits.nestingDepth), file: file, line: firstLine + index)
      }
      guard aliases <= limits.aliases else {
        throw CourseFormatError.limit(.aliases(limits.aliases), file: file, line: firstLine + index)
      }
    }
  }

  private static func malformed(_ error: any Error, file: String, firstLine: Int) -> CourseFormatError {
    func bad(_ problem: String, _ line: Int?) -> CourseFormatError {
      .malformed(
        file: file, line: line.map { max(1, $0) + firstLine - 1 }, problem: "the YAML is invalid: \(problem)",
        advice: "Put text that contains ':' or '#' in quotes.")
    }
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      return bad(problem, mark.line)
    case .reader(let problem, _, _, _): return bad(problem, nil)
    case .duplicatedKeysInMapping(let names, let context):
      return .malformed(
        file: file, line: context.mark.line + firstLine - 1,
        problem: "the field \(quoted: names.first ?? "") occurs twice",
        advice: "Remove one of them.")
    default: return bad("it cannot be read", nil)
    }
  }
}

/// A Markdown text and its front matter.
struct FrontMatter {
  /// The fields between two lines of three hyphens. Empty if the text does not begin with such a line.
  let fields: YAMLFields
  /// The text of the front matter. Its size and its shape have been checked.
  let yaml: String
  /// The text after the front matter.
  let body: String
  /// The line number at which the body begins.
  let bodyLine: Int

  /// Splits a text into front matter and body.
  ///
  /// - Throws: ``CourseFormatError`` if the front matter is not closed or cannot be parsed.
  init(_ text: String, file: String, limits: SourceLimits) throws {
    guard text.hasPrefix("---\n") else {
      (fields, yaml) = (YAMLFields(), "")
      body = text
      bodyLine = 1
      return
    }
    let bytes = text.utf8
    var start = bytes.index(bytes.startIndex, offsetBy: 4)
    let first = start
    var line = 2
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.endIndex
      let content = text[start..<end]
      let next = end == bytes.endIndex ? end : bytes.index(after: end)
      if content == "---" || content == "..." {
        yaml = String(text[first..<start])
        fields = try YAMLFields(yaml, file: file, firstLine: 2, limits: limits)
        body = String(text[next...])
        bodyLine = line + 1
        return
      }
      start = next
      line += 1
    }
    throw CourseFormatError.malformed(
      file: file, line: 1, problem: "the fields at the top are not closed", advice: "Write a line '---' below them.")
  }
}

/// The tree of a YAML or JSON text, for navigation files.
struct YAMLTree {
  /// The text of a scalar, or `nil` for other values.
  let text: String?
  /// The items of a list. Empty for other values.
  let items: [YAMLTree]
  /// The fields of a mapping, in the order of the text. Empty for other values.
  let fields: [Field]
  /// The line number, from 1.
  let line: Int

  struct Field {
    let name: String
    let value: YAMLTree
  }

  /// The maximum size in bytes. A table of contents may have thousands of entries.
  private static let size = 512 << 10

  /// Parses a text.
  ///
  /// - Throws: ``CourseFormatError`` if the text is not YAML or exceeds a limit.
  init(_ yaml: String, file: String, firstLine: Int = 1, limits: SourceLimits) throws {
    let root = try YAMLFields.root(
      of: yaml, file: file, firstLine: firstLine, limits: limits, size: Self.size, by: Self.compose)
    try self.init(root ?? "", file: file, firstLine: firstLine, depth: 0, limits: limits)
  }

  /// Parses a text in which keys may be repeated, as other YAML parsers allow. The first value of a key is used.
  private static func compose(_ yaml: String) throws -> Node? {
    var lines = yaml.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for _ in 0..<maximumRepeats {
      do {
        return try YAMLFields.compose(lines.joined(separator: "\n"))
      } catch YamlError.duplicatedKeysInMapping(let names, let context) {
        // The line on which the key is repeated, after its first occurrence.
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

  /// The maximum number of repeated keys in a text.
  private static let maximumRepeats = 32

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

  init(text: String, line: Int) {
    (self.text, items, fields, self.line) = (text, [], [], line)
  }

  /// The value with that name, or `nil` if it is missing or empty.
  subscript(name: String) -> YAMLTree? {
    fields.first { $0.name == name }.map(\.value).flatMap { $0.isEmpty ? nil : $0 }
  }

  private var isEmpty: Bool { (text ?? "").isEmpty && items.isEmpty && fields.isEmpty }
}
