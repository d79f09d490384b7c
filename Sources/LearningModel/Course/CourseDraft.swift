/// What a reader makes of a source: the whole course, checked, before the database hears of it.
public struct CourseDraft: Sendable {
  /// The name of the format that it was read from.
  public var format: String
  /// What a person calls the source: a file's or folder's name.
  public var sourceName: String
  /// A fingerprint of the source's bytes, as hexadecimal digits; equal sources have equal ones.
  public var sourceDigest: String
  /// The language of its texts as a BCP 47 tag; `nil` where the source does not say.
  public var language: String?
  /// The nodes in reading order, the course first, every other one after its parent.
  public var nodes: [DraftNode]
  /// The contents of the activities.
  public var contents: any DraftContents
  /// What there is to say about the source. An error among them refuses the import.
  public var diagnostics: [Diagnostic]
  /// What cannot be shown in a terminal, counted.
  public var losses: [Loss]

  /// Makes a draft.
  public init(
    format: String, sourceName: String, sourceDigest: String, language: String?, nodes: [DraftNode],
    contents: any DraftContents, diagnostics: [Diagnostic] = [], losses: [Loss] = []
  ) {
    self.format = format
    self.sourceName = sourceName
    self.sourceDigest = sourceDigest
    self.language = language
    self.nodes = nodes
    self.contents = contents
    self.diagnostics = diagnostics
    self.losses = losses
  }

  /// How many nodes of each kind it has.
  public var counts: ContentCounts {
    nodes.reduce(into: ContentCounts()) { $0[$1.kind] += 1 }
  }

  /// Whether a diagnostic forbids its import.
  public var isRefused: Bool {
    diagnostics.contains { $0.severity == .error }
  }
}

/// One node of a draft.
public struct DraftNode: Hashable, Sendable {
  /// The index of its parent in the draft's nodes, always smaller than its own; `nil` for the course.
  public var parent: Int?
  /// Its stable name, unique in the draft.
  public var key: String
  /// What it is.
  public var kind: ContentKind
  /// Its title, one line.
  public var title: String
  /// One or two sentences on it; may be empty.
  public var summary: String
  /// The author's estimate of how long it takes.
  public var minutes: Int?
  /// The type of its content, where it is an activity.
  public var type: ActivityType?

  /// Makes a node.
  public init(
    parent: Int?, key: String, kind: ContentKind, title: String, summary: String = "", minutes: Int? = nil,
    type: ActivityType? = nil
  ) {
    self.parent = parent
    self.key = key
    self.kind = kind
    self.title = title
    self.summary = summary
    self.minutes = minutes
    self.type = type
  }
}

/// Where a draft keeps its contents, so that a large course need not be in memory.
public protocol DraftContents: Sendable {
  /// The content of the activity at that index of the draft's nodes.
  ///
  /// - Throws: Where the content was kept outside memory and cannot be read any more.
  func content(at index: Int) throws -> ActivityContent

  /// The bytes of a picture that contents show; `nil` where it is not kept.
  ///
  /// - Parameter digest: What ``KeptPicture/digest`` says.
  /// - Throws: Where it was kept outside memory and cannot be read any more.
  func picture(_ digest: String) throws -> [UInt8]?
}

extension DraftContents {
  /// No picture is kept.
  public func picture(_ digest: String) throws -> [UInt8]? { nil }
}

/// Contents that are kept in memory, by the index of their node.
public struct ContentsInMemory: DraftContents {
  private let contents: [Int: ActivityContent]

  /// Keeps those contents.
  public init(_ contents: [Int: ActivityContent]) {
    self.contents = contents
  }

  /// The content of the node at that index; an empty reading where it has none.
  public func content(at index: Int) -> ActivityContent {
    contents[index] ?? .reading([])
  }
}

/// One thing to say about a source.
public struct Diagnostic: Hashable, Codable, Sendable {
  /// How bad it is.
  public enum Severity: String, Hashable, Codable, Sendable {
    /// The source cannot be imported as it is.
    case error
    /// It can, but its author will want to know.
    case warning
  }

  /// How bad it is.
  public let severity: Severity
  /// The file, as a path below the source; the source's name where it is the file itself.
  public let file: String
  /// The line, from 1; `nil` where it is about the whole file.
  public let line: Int?
  /// What was found, and what to do about it.
  public let message: String

  /// Makes a diagnostic.
  public init(severity: Severity, file: String, line: Int? = nil, message: String) {
    self.severity = severity
    self.file = file
    self.line = line
    self.message = message
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `file:line: severity: message`, as compilers print it.
  public var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(severity.rawValue): \(message)"
  }
}

/// Something that a terminal cannot show, counted over a whole source.
public struct Loss: Hashable, Codable, Sendable {
  /// What it is, in the singular, such as `image`.
  public let what: String
  /// How many there are.
  public var count: Int
  /// What became of them, such as `alternative text shown`.
  public let treatment: String

  /// Counts a loss.
  public init(what: String, count: Int, treatment: String) {
    self.what = what
    self.count = count
    self.treatment = treatment
  }
}
