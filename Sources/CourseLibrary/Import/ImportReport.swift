public import LearningModel

/// What an import did, or would do.
public struct ImportReport: Hashable, Sendable {
  /// What a person calls the source.
  public var source: String
  /// The name of its format; empty where the source could not be read.
  public var format: String
  /// The course's key, which names it in later imports; empty where the source could not be read.
  public var key: String
  /// The course's path; empty where the source could not be read. Not written with the rest: the key leads there too.
  public var course = ""
  /// The course's title; empty where the source could not be read.
  public var title: String
  /// The revision that the course now has; 0 where the database does not have it.
  public var revision: Int
  /// Whether the database now says what the source says. `false` after a dry run and a refusal.
  public var imported: Bool
  /// How many nodes change, and how.
  public var difference: DifferenceCounts
  /// How many nodes of each kind the source has.
  public var counts: ContentCounts
  /// What cannot be shown in a terminal, counted.
  public var losses: [Loss]
  /// What there is to say about the source.
  public var diagnostics: [Diagnostic]
  /// The changes one by one, in reading order, removals last. Not written with the rest.
  public var changes: [NodeChange] = []
}

extension ImportReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case source, format
    case key = "course"
    case title, revision, imported, difference, counts, losses, diagnostics
  }
}
