import Yams

/// The fields of a small YAML text: names with one line of text each, as Waymark's files and front matters have them.
struct YAMLFields {
  /// One field.
  struct Field {
    let name: String
    /// Its words; `nil` where it is a list or has fields of its own.
    let value: String?
    let line: Int
  }

  /// All fields, in the text's order.
  private(set) var all: [Field] = []

  /// No fields.
  init() {}

  /// The field of that name; `nil` where there is none, or it is empty.
  subscript(name: String) -> Field? {
    all.first { $0.name == name && $0.value != "" }
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - yaml: The text; empty for no fields.
  ///   - file: What errors call it.
  ///   - firstLine: The line of the file that the text begins at.
  ///   - limits: How long it may be, and how often it may use an alias.
  /// - Throws: ``CourseFormatError`` where a limit is broken, or it is no YAML or no set of fields.
  init(_ yaml: String, file: String, firstLine: Int = 1, limits: SourceLimits) throws {
    let root = try Self.root(of: yaml, file: file, firstLine: firstLine, limits: limits)
    guard let root, root.scalar?.string != "" else { return }
    guard let mapping = root.mapping else {
      throw CourseFormatError.malformed(
        file: file, line: firstLine, found: "the YAML has no fields", advice: "Write lines such as 'title: Preparing'.")
    }
    all = mapping.map { key, value in
      let isNull = value.scalar != nil && value.tag.description == "tag:yaml.org,2002:null"
      return Field(
        name: key.scalar?.string ?? "", value: isNull ? "" : value.scalar?.string.onOneLine,
        line: (key.mark?.line ?? 1) + firstLine - 1)
    }
  }

  /// The value that a text is; `nil` for an empty one.
  ///
  /// - Parameters:
  ///   - size: How long it may be, in bytes; `nil` for ``SourceLimits/yamlSize``.
  ///   - parse: What parses it.
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

  /// Parses a text.
  static func compose(_ yaml: String) throws -> Node? {
    // Without the encoding it looks through the whole environment each time.
    try Yams.compose(yaml: yaml, .default, .default, .utf8)
  }

  /// Finds what would be costly before it is parsed: the parser calls itself for each level, and resolves aliases.
  ///
  /// It counts characters without reading quotes, so it may refuse what is harmless; no field of a course comes near.
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
      // "- - - x" is a list in a list in a list.
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
        file: file, line: line.map { max(1, $0) + firstLine - 1 }, found: "the YAML is broken: \(problem)",
        advice: "Put quotes around text that has a ':' or a '#' in it.")
    }
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      return bad(problem, mark.line)
    case .reader(let problem, _, _, _): return bad(problem, nil)
    case .duplicatedKeysInMapping(let names, let context):
      return .malformed(
        file: file, line: context.mark.line + firstLine - 1, found: "the field '\(names.first ?? "")' stands twice",
        advice: "Take one of them out.")
    default: return bad("it cannot be read", nil)
    }
  }
}

/// A Markdown text and the fields in front of it.
struct FrontMatter {
  /// The fields between two lines of three hyphens; none where the text does not begin with such a line.
  let fields: YAMLFields
  /// What follows.
  let body: String
  /// The line that the body begins at.
  let bodyLine: Int

  /// Takes a text apart.
  ///
  /// - Throws: ``CourseFormatError`` where the fields are not closed or cannot be read.
  init(_ text: String, file: String, limits: SourceLimits) throws {
    guard text.hasPrefix("---\n") else {
      fields = YAMLFields()
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
        fields = try YAMLFields(String(text[first..<start]), file: file, firstLine: 2, limits: limits)
        body = String(text[next...])
        bodyLine = line + 1
        return
      }
      start = next
      line += 1
    }
    throw CourseFormatError.malformed(
      file: file, line: 1, found: "the fields at the top are not closed", advice: "Write a line '---' below them.")
  }
}

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
