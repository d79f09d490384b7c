/// Where a course came from: its last import.
public struct CourseOrigin: Hashable, Sendable {
  /// The name of the format that it came in.
  public let format: String
  /// What a person calls the source; `nil` where nobody said.
  public let source: String?
  /// How many imports have changed it, from 1.
  public let revision: Int
  /// When it was last changed.
  public let importedAt: Timestamp
  /// The language of its texts as a BCP 47 tag; `nil` where the source does not say.
  public let language: String?

  /// Makes an origin from all that is known of it.
  public init(format: String, source: String?, revision: Int, importedAt: Timestamp, language: String?) {
    self.format = format
    self.source = source
    self.revision = revision
    self.importedAt = importedAt
    self.language = language
  }
}
