import Foundation
import JSONCoding
import LearningModel

/// Reads Waymark's JSON form in one pass. Nodes are added to the draft during reading, and contents are spooled, so
/// that only the source file itself is in memory.
struct WaymarkJSON {
  private let source: CourseSource
  private let file: String
  private let options: ReadOptions
  private let format: String
  private let bytes: [UInt8]
  private let digest: String
  private let limits: SourceLimits
  private var builder: DraftBuilder
  private var language: String?
  /// The share of correct answers that is required to pass a quiz that does not specify it, or `nil` for the default.
  private var passingShare: Double?
  private var lines: LineCounter

  /// Returns the maximum nesting depth of the JSON. Each nested block or lesson takes several levels.
  private static func deepest(_ limits: SourceLimits) -> Int { limits.nestingDepth * 4 }

  private static let contentNames: Set<String> = Set(ActivityType.allCases.map(\.rawValue)).union([
    "introduction", "text", "pass",
  ])

  init(_ source: CourseSource, options: ReadOptions, format: String) throws {
    self.source = source
    file = source.isFolder ? WaymarkArchive.course : source.name
    self.options = options
    self.format = format
    limits = source.limits
    let bytes = try source.isFolder ? source.bytes(of: file, upTo: limits.sourceSize) : source.bytes()
    digest = SourceDigest.digest(of: bytes)
    self.bytes = try TextDecoding.utf8(bytes, file: file)
    lines = LineCounter()
    builder = try DraftBuilder(source, options: options)
  }

  /// Returns whether a file looks like this form: it begins with an object and contains `"waymark"` in its first 512
  /// bytes.
  static func isRecognised(_ source: CourseSource) -> Bool {
    guard let text = source.isFolder ? source.head(of: WaymarkArchive.course, count: 512) : source.head(count: 512)
    else { return false }
    return text.drop(while: \.isWhitespace).first == "{" && text.contains("\"waymark\"")
  }

  mutating func read() throws -> CourseDraft {
    do {
      try readCourse()
    } catch let error as JSONError {
      throw CourseFormatError(error, file: file)
    }
    try checkLinks()
    return try builder.finish(format: format, digest: digest, language: language)
  }

  private mutating func readCourse() throws {
    var scanner = JSONScanner(bytes, deepest: Self.deepest(limits))
    var hasCourse = false
    try scanner.object { scanner, name in
      switch name {
      case "waymark": try self.checkVersion(&scanner)
      case "course":
        hasCourse = true
        try self.readNode(&scanner, parent: nil)
      case "pictures":
        try scanner.object { scanner, digest in try self.readImage(digest, &scanner) }
      case "$schema": try scanner.skip()
      default:
        self.warn(scanner, "The field \(quoted: name) is not known and is left out.")
        try scanner.skip()
      }
    }
    guard hasCourse else { throw scanner.malformed("there is no 'course' in it", "Add \"course\": {…}.") }
    guard scanner.peek() == nil else {
      throw scanner.malformed("there is text after the course", "Remove it.")
    }
  }

  private func checkVersion(_ scanner: inout JSONScanner) throws {
    _ = scanner.peek()
    let place = scanner.position
    guard try scanner.number() == "1" else {
      throw scanner.malformed(
        "the version of the format is not 1", "Import it with the version of Waymark that wrote it, or a later one.",
        at: place)
    }
  }

  /// Reads an image or a sound that is embedded in the file, before the course that shows it.
  private mutating func readImage(_ digest: String, _ scanner: inout JSONScanner) throws {
    let reason: String
    switch try builder.find(data: "data:;base64," + (try scanner.string()), mayBeSound: true) {
    case .stored(let picture) where picture.digest == digest: return
    case .stored: reason = "its data has another digest"
    case .omitted(let found): reason = found
    }
    warn(scanner, "The image '\(digest.prefix(12))…' is left out because \(reason). Export the course again.")
  }

  private mutating func warn(_ scanner: JSONScanner, _ message: String) {
    builder.findings.warning(file, lines.line(at: scanner.position, in: bytes), message)
  }

  // MARK: Nodes

  /// The fields of a node's object that were read so far.
  private struct Fields {
    var key: String?
    var title: String?
    var summary = ""
    var minutes: Int?
    var contents: [String] = []
    var hasChildren = false
  }

  private mutating func readNode(_ scanner: inout JSONScanner, parent: Int?) throws {
    guard scanner.peek() == UInt8(ascii: "{") else {
      throw scanner.malformed("a node is not an object", "Write {\"key\": …, \"title\": …, …}.")
    }
    let start = scanner.position
    let line = lines.line(at: start, in: bytes)
    let index = try builder.reserve(parent: parent)
    var fields = Fields()
    var seen: Set<String> = []
    try scanner.object { scanner, name in
      guard seen.insert(name).inserted else {
        throw scanner.malformed("the field \(quoted: name) occurs twice in one object", "Remove one of them.")
      }
      try self.readField(name, of: index, isCourse: parent == nil, &scanner, &fields)
    }
    let kind = try kind(of: fields, parent: parent, scanner, start)
    check(fields, kind: kind, line: line)
    let key = parent == nil ? builder.courseKey(written: fields.key ?? "") : fields.key
    builder.complete(
      index,
      with: DraftNode(
        parent: parent, key: key ?? "", kind: kind, title: fields.title ?? "", summary: fields.summary,
        minutes: fields.minutes),
      file: file, line: line)
    let ownPass = fields.contents.contains("pass")
    if kind == .activity {
      try readContent(of: index, start..<scanner.position, scanner, pass: ownPass ? nil : passingShare)
    }
  }

  private mutating func readField(
    _ name: String, of index: Int, isCourse: Bool, _ scanner: inout JSONScanner, _ fields: inout Fields
  ) throws {
    switch name {
    case "key": fields.key = try scanner.string().onOneLine
    case "title": fields.title = try scanner.string().onOneLine
    case "summary": fields.summary = try scanner.string().onOneLine
    case "minutes":
      let written = try scanner.number()
      guard let minutes = Int(written), (1...10_000).contains(minutes) else {
        throw scanner.malformed("'minutes' is \(written)", "Write a whole number from 1 to 10000.")
      }
      fields.minutes = minutes
    case "language" where isCourse: language = try scanner.string()
    case "pass" where isCourse:
      let written = try scanner.number()
      guard let share = Double(written), share > 0, share <= 1 else {
        throw scanner.malformed("'pass' is \(written)", "Write a share above 0 up to 1, such as 0.8.")
      }
      passingShare = share
    case "children":
      fields.hasChildren = true
      // The kind of a node must be known before its children are read. A node with children is a lesson, unless it is
      // the course or a child of the course.
      let parent = builder.nodes[index].parent
      let kind: ContentKind = parent == nil ? .course : builder.nodes[parent!].kind == .course ? .goal : .lesson
      builder.set(kind, at: index)
      try scanner.array { try self.readNode(&$0, parent: index) }
    case let name where Self.contentNames.contains(name):
      fields.contents.append(name)
      try scanner.skip()
    default:
      warn(scanner, "The field \(quoted: name) is not known and is left out.")
      try scanner.skip()
    }
  }

  private func kind(of fields: Fields, parent: Int?, _ scanner: JSONScanner, _ start: Int) throws -> ContentKind {
    let name = fields.title.map { "\(quoted: $0)" } ?? "a node"
    guard let parent else { return .course }
    if builder.nodes[parent].kind == .course {
      guard fields.contents.isEmpty else {
        throw scanner.malformed(
          "\(name) is an activity directly in the course", "Put it into a lesson of a goal.",
          at: start)
      }
      return .goal
    }
    guard fields.contents.isEmpty || !fields.hasChildren else {
      throw scanner.malformed(
        "\(name) has both children and \(quoted: fields.contents[0])", "Make the text an activity among the children.",
        at: start)
    }
    guard !fields.contents.isEmpty else { return .lesson }
    guard builder.nodes[parent].kind == .lesson else {
      throw scanner.malformed("\(name) is an activity directly in a goal", "Put it into a lesson.", at: start)
    }
    return .activity
  }

  private mutating func check(_ fields: Fields, kind: ContentKind, line: Int) {
    let name = fields.title.map { " \(quoted: $0)" } ?? ""
    if fields.key ?? "" == "", kind != .course || options.key == nil {
      builder.findings.error(file, line, "The \(kind.rawValue)\(name) has no key. Add \"key\": \"…\".")
    }
    if fields.title ?? "" == "" {
      builder.findings.error(
        file, line, "The \(kind.rawValue) \(quoted: fields.key ?? "") has no title. Add \"title\": \"…\".")
    }
  }

  // MARK: Contents

  private mutating func readContent(
    of index: Int, _ range: Range<Int>, _ scanner: JSONScanner, pass: Double?
  ) throws {
    do {
      var content = try JSONDecoder().decode(ActivityContent.self, from: Data(bytes[range]))
      if let pass, case .quiz(let introduction, let questions, _) = content {
        content = .quiz(introduction: introduction, questions: questions, pass: pass)
      }
      builder.recordAnchors(of: content, at: index)
      try builder.store(content, imagesIn: source, at: index)
    } catch let error as DecodingError {
      let object = JSONScanner(bytes, in: range, deepest: Self.deepest(limits))
      let (path, problem) = error.pathAndProblem
      builder.findings.error(
        file, lines.line(at: object.place(of: path), in: bytes),
        "The activity \(quoted: builder.nodes[index].title) cannot be read: \(problem). See the schema of the format.")
    }
  }

  private mutating func checkLinks() throws {
    let file = file
    try builder.resolveLinks { builder, index, destination, text in
      let activity = builder.nodes[index].title
      switch LinkTarget(destination) {
      case .address(let address): return .link(destination: address, text: text)
      case .node(let name):
        // Links to other courses are resolved only when they are followed.
        let leadsOn =
          CourseLink.leadsToOtherCourse(name)
          || CourseLink.interpretations(of: name).contains { builder.index(of: $0.key) != nil }
        if leadsOn { return .link(destination: destination, text: text) }
      case .unsafe:
        builder.findings.countLoss("unsafe link", "shown as text")
        return .text(text.plainText)
      case .anchor, .file: break
      }
      builder.findings.warning(
        file, nil,
        "The link \(quoted: destination) in \(quoted: activity) is broken. Write 'waymark:' and the key of a node. "
          + "Its text is kept.")
      return .text(text.plainText)
    }
  }
}

extension DecodingError {
  /// The coding path of the error, and a description of the problem as the middle of a sentence.
  var pathAndProblem: (path: [any CodingKey], problem: String) {
    switch self {
    case .keyNotFound(let key, let context): (context.codingPath, "\(quoted: key.stringValue) is missing")
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      (context.codingPath, "\(quoted: context.codingPath.last?.name ?? "") has the wrong form")
    case .dataCorrupted(let context): (context.codingPath, context.debugDescription)
    @unknown default: ([], "it has the wrong form")
    }
  }
}

extension CodingKey {
  fileprivate var name: String { intValue.map { "element \($0 + 1)" } ?? stringValue }
}

/// Counts lines up to increasing positions in a text. Each byte is examined only once.
private struct LineCounter {
  private var position = 0
  private var line = 1

  mutating func line(at place: Int, in bytes: [UInt8]) -> Int {
    if place < position { (position, line) = (0, 1) }
    line += bytes[position..<min(place, bytes.count)].count { $0 == 0x0A }
    position = place
    return line
  }
}
