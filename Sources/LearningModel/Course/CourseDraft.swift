/// What a reader makes of a source: the whole course, checked, before the database hears of it.
package struct CourseDraft: Sendable {
  /// The name of the format that it was read from.
  package var format: String
  /// What a person calls the source: a file's or folder's name.
  package var sourceName: String
  /// A fingerprint of the source's bytes, as hexadecimal digits; equal sources have equal ones.
  package var sourceDigest: String
  /// The language of its texts as a BCP 47 tag; `nil` where the source does not say.
  package var language: String?
  /// The nodes in reading order, the course first, every other one after its parent.
  package var nodes: [DraftNode]
  /// The contents of the activities.
  package var contents: any DraftContents
  /// What there is to say about the source. An error among them refuses the import.
  package var diagnostics: [Diagnostic]
  /// What cannot be shown in a terminal, counted.
  package var losses: [Loss]

  /// Makes a draft.
  package init(
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
  package var counts: ContentCounts {
    nodes.reduce(into: ContentCounts()) { $0[$1.kind] += 1 }
  }

  /// Whether a diagnostic forbids its import.
  package var isRefused: Bool {
    diagnostics.contains { $0.severity == .error }
  }
}

/// One node of a draft.
package struct DraftNode: Hashable, Sendable {
  /// The index of its parent in the draft's nodes, always smaller than its own; `nil` for the course.
  package var parent: Int?
  /// Its stable name, unique in the draft.
  package var key: String
  /// What it is.
  package var kind: ContentKind
  /// Its title, one line.
  package var title: String
  /// One or two sentences on it; may be empty.
  package var summary: String
  /// The author's estimate of how long it takes.
  package var minutes: Int?
  /// The type of its content, where it is an activity.
  package var type: ActivityType?

  /// Makes a node.
  package init(
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
package protocol DraftContents: Sendable {
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
  package func picture(_ digest: String) throws -> [UInt8]? { nil }
}

/// Contents that are kept in memory, by the index of their node.
package struct ContentsInMemory: DraftContents {
  private let contents: [Int: ActivityContent]

  /// Keeps those contents.
  package init(_ contents: [Int: ActivityContent]) {
    self.contents = contents
  }

  /// The content of the node at that index; an empty reading where it has none.
  package func content(at index: Int) -> ActivityContent {
    contents[index] ?? .reading([])
  }
}

/// An error or a warning about a source.
public struct Diagnostic: Hashable, Codable, Sendable {
  /// Whether the source can be imported.
  public enum Severity: String, Hashable, Codable, Sendable {
    /// The source cannot be imported.
    case error
    /// The source can be imported, but some of it is lost or probably a mistake.
    case warning
  }

  /// Whether the source can be imported.
  public let severity: Severity
  /// The file, as a path below the source. If the source is one file, its name.
  public let file: String
  /// The line, from 1; `nil` if the diagnostic is about the whole file.
  public let line: Int?
  /// The cause of the failure, and the advice that fits every program.
  public let message: String
  /// The advice, if each program offers it in its own way. Not encoded: a front end adds it to ``message``.
  public let remedy: Remedy?

  /// Creates a diagnostic from its parts.
  package init(severity: Severity, file: String, line: Int? = nil, message: String, remedy: Remedy? = nil) {
    self.severity = severity
    self.file = file
    self.line = line
    self.message = message
    self.remedy = remedy
  }

  private enum CodingKeys: String, CodingKey { case severity, file, line, message }

  /// Reads a diagnostic whose message includes the remedy.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      severity: try container.decode(Severity.self, forKey: .severity),
      file: try container.decode(String.self, forKey: .file),
      line: try container.decodeIfPresent(Int.self, forKey: .line),
      message: try container.decode(String.self, forKey: .message))
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
  package init(what: String, count: Int, treatment: String) {
    self.what = what
    self.count = count
    self.treatment = treatment
  }
}
