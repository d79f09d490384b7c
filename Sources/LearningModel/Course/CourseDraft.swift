import JSONCoding

/// A course that was read from a source and checked, but not imported.
package struct CourseDraft: Sendable {
  /// The name of the format.
  package var format: String
  /// The name of the source in reports.
  package var sourceName: String
  /// The absolute path or the address of the source, or `nil` if only its name is known.
  package var origin: String?
  /// A hash of the source's bytes in hexadecimal digits. Equal sources have equal hashes.
  package var sourceDigest: String
  /// The language of the texts as a BCP 47 tag, or `nil` if the source does not specify it.
  package var language: String?
  /// The nodes in reading order. The course is the first node, and every other node comes after its parent.
  package var nodes: [DraftNode]
  package var contents: any DraftContents
  /// Whether the key of the course was made from the name of the source, so that another source may have the same key.
  package var hasDerivedKey = false
  /// The errors and warnings about the source. The import is refused if they include an error.
  package var diagnostics: [Diagnostic]
  /// The kinds of elements that a terminal cannot show, with the number of occurrences of each.
  package var losses: [Loss]
  /// The addresses that the source declares as former addresses of its pages.
  package var formerAddresses: [FormerAddress] = []
  /// The learner's progress in the other program. Empty unless it was requested.
  package var progress = SourceProgress()
  /// The numbers of cards in the source that were exported from courses of the database, by the keys of the courses. The draft
  /// contains only the progress of such cards.
  package var exportedCards: [String: Int] = [:]
  /// The notes from which the cards were made, if the format has notes.
  package var sourceNotes: SourceNotes?

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

  /// The numbers of nodes of each kind.
  package var counts: ContentCounts {
    nodes.reduce(into: ContentCounts()) { $0[$1.kind] += 1 }
  }

  /// Whether the import is refused because of an error.
  package var isRefused: Bool {
    diagnostics.contains { $0.severity == .error }
  }
}

/// An address that a page had before it was renamed, as its source declares it.
package struct FormerAddress: Hashable, Sendable {
  /// The former address or name of the page, as the author wrote it.
  package let former: String
  /// The current address of the page, as the author wrote it, or the key of the page.
  package let current: String

  package init(_ former: String, of current: String) {
    (self.former, self.current) = (former, current)
  }
}

package struct DraftNode: Hashable, Sendable {
  /// The index of the parent in the draft's nodes, which is smaller than the index of this node. `nil` for the course.
  package var parent: Int?
  /// The name by which imports identify the node, unique in the draft.
  package var key: String
  package var kind: ContentKind
  /// The title, one line.
  package var title: String
  /// A description of one or two sentences, or empty.
  package var summary: String
  /// The author's estimate of how long the node takes, in minutes. `nil` if there is none.
  package var minutes: Int?
  /// The type of an activity. `nil` for other nodes.
  package var type: ActivityType?

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

/// The contents of a draft. They may be stored outside memory, because courses can be large.
package protocol DraftContents: Sendable {
  /// Returns the content of the activity with the given index in the draft's nodes.
  ///
  /// - Throws: An error if the content is stored outside memory and cannot be read.
  func content(at index: Int) throws -> ActivityContent

  /// Returns the content of the activity with an index, encoded.
  ///
  /// - Throws: An error if the content is stored outside memory and cannot be read, or if it cannot be encoded.
  func encoded(at index: Int) throws -> StoredContent

  /// Returns the bytes of an image or a file, or `nil` if the draft does not contain it.
  ///
  /// - Parameter digest: The digest: ``StoredImage/digest`` or ``ExerciseFile/digest``.
  /// - Throws: An error if the image is stored outside memory and cannot be read.
  func image(_ digest: String) throws -> [UInt8]?
}

extension DraftContents {
  /// Encodes the content.
  package func encoded(at index: Int) throws -> StoredContent { try StoredContent(try content(at: index)) }

  /// Returns `nil`: by default, drafts contain no images.
  package func image(_ digest: String) throws -> [UInt8]? { nil }

  /// Returns the content of a file of an exercise, or `nil` if the draft does not contain it.
  package func bytes(of file: ExerciseFile) throws -> [UInt8]? {
    file.digest == ExerciseFile.emptyDigest ? [] : try image(file.digest)
  }
}

/// The content of an activity in its stored form. Equal contents have equal JSON texts.
package struct StoredContent: Hashable, Sendable {
  /// The properties of a content that are stored next to it.
  package struct Properties: Hashable, Sendable {
    package let type: ActivityType
    /// The number of Unicode scalars of its plain text.
    package let letters: Int
    /// The number of cards or questions. `nil` for types without either.
    package let items: Int?
    /// The digests of the stored images and files, in the order of their first occurrences.
    package let digests: [String]

    package init(of content: ActivityContent) {
      type = content.type
      letters = content.plainText.unicodeScalars.count
      items = content.itemLines?.count
      digests = content.storedDigests
    }
  }

  package let properties: Properties
  /// The content as JSON with sorted keys.
  package let json: String

  package init(_ properties: Properties, json: String) {
    (self.properties, self.json) = (properties, json)
  }

  /// Encodes a content.
  ///
  /// - Throws: `EncodingError` if the content contains a number that JSON cannot represent.
  package init(_ content: ActivityContent) throws {
    self.init(Properties(of: content), json: String(decoding: try JSONEncoding.sorted(content), as: UTF8.self))
  }
}

/// Contents in memory, by the index of their node.
package struct ContentsInMemory: DraftContents {
  private let contents: [Int: ActivityContent]

  package init(_ contents: [Int: ActivityContent]) {
    self.contents = contents
  }

  /// Returns the content of the node with the given index, or an empty text if it has none.
  package func content(at index: Int) -> ActivityContent {
    contents[index] ?? .reading([])
  }
}

/// An error or a warning about a source.
public struct Diagnostic: Hashable, Codable, Sendable {
  /// The severity of a diagnostic.
  public enum Severity: String, Hashable, Codable, Sendable {
    /// The source cannot be imported.
    case error
    /// The source can be imported, but some of its content cannot be shown or is probably a mistake.
    case warning
  }

  /// Whether the source can be imported in spite of the diagnostic.
  public let severity: Severity
  /// The path of the file relative to the source. If the source is a single file, its name.
  public let file: String
  /// The line, from 1, or `nil` if the diagnostic is about the whole file.
  public let line: Int?
  /// The cause of the problem, followed by the remedy if it is the same in every program.
  public let message: String
  /// The remedy, if it depends on the program. It is not encoded: a front end appends its text to ``message``.
  public let remedy: Remedy?

  package init(severity: Severity, file: String, line: Int? = nil, message: String, remedy: Remedy? = nil) {
    self.severity = severity
    self.file = file
    self.line = line
    self.message = message
    self.remedy = remedy
  }

  private enum CodingKeys: String, CodingKey { case severity, file, line, message }

  /// Decodes a diagnostic. Its message already includes the remedy.
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
  /// The diagnostic in the format of compilers: `file:line: severity: message`.
  public var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(severity.rawValue): \(message)"
  }
}

/// An element that a terminal cannot show, with the number of its occurrences in a source.
public struct Loss: Hashable, Codable, Sendable {
  /// The kind of element in the singular, such as `image`.
  public let what: String
  /// The number of occurrences.
  public var count: Int
  /// What is shown instead, such as `alternative text shown`.
  public let treatment: String
  /// The first occurrences, such as `page.md: a.png`. Empty if they are not named.
  public let examples: [String]

  package init(what: String, count: Int, treatment: String, examples: [String] = []) {
    self.what = what
    self.count = count
    self.treatment = treatment
    self.examples = examples
  }

  /// The examples, followed by the number of further occurrences.
  package var exampleLines: [String] {
    examples + (examples.isEmpty || examples.count >= count ? [] : ["… and \(count - examples.count) more"])
  }
}
