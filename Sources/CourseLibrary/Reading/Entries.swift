public import LearningModel

/// One row of the list of courses.
public struct CourseEntry: Hashable, Codable, Sendable {
  /// The course's path.
  public let path: PlacePath
  /// `course`.
  public let kind: PlaceKind
  /// Its title.
  public let title: String
  /// How many imports have changed it, from 1.
  public let revision: Int
  /// How many living nodes of each kind it has.
  public let counts: ContentCounts
  /// How much of it the learner has done, 0…1.
  public let progress: Double
}

/// One row of a tree.
public struct TreeEntry: Hashable, Codable, Sendable {
  /// The place's path.
  public let path: PlacePath
  /// What it is.
  public let kind: PlaceKind
  /// Its title.
  public let title: String
  /// How many levels it is below the first row's, from 0.
  public let depth: Int
  /// Its place among its siblings, from 0.
  public let position: Int
  /// How much of it the learner has done, 0…1.
  public let progress: Double
}

/// One row of what a search found.
public struct SearchHit: Hashable, Sendable {
  /// Which place.
  public let place: Place
  /// The place's path.
  public let path: PlacePath
  /// What it is.
  public let kind: PlaceKind
  /// Its title.
  public let title: String
  /// Its title, with what was searched for.
  public let markedTitle: Snippet
  /// How well it fits; more is better.
  public let score: Double
  /// Its text around what was searched for.
  public let snippet: Snippet
  /// The titles of the places above it, its course's first.
  public let breadcrumb: [String]
}

extension SearchHit: Encodable {
  private enum CodingKeys: String, CodingKey {
    case path, kind, title, score, snippet, breadcrumb
  }

  /// Writes the snippet as plain text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(path, forKey: .path)
    try container.encode(kind, forKey: .kind)
    try container.encode(title, forKey: .title)
    try container.encode(score, forKey: .score)
    try container.encode(snippet.text, forKey: .snippet)
    try container.encode(breadcrumb, forKey: .breadcrumb)
  }
}

/// What a search found.
public struct SearchResult: Hashable, Sendable {
  /// The places, the best first.
  public let hits: [SearchHit]
  /// What was probably meant, where words of the query are in no text. Where nothing was found for the query itself,
  /// the hits are those of this one.
  public let didYouMean: String?
  /// What the hits were found for: the query, or what was meant.
  public let searchedFor: String
  /// Whether everything that is there was searched; otherwise there are texts that the index does not have yet.
  public let isWhole: Bool
}

/// A place, found by its path.
public struct FoundPlace: Hashable, Sendable {
  /// Which place.
  public let place: Place
  /// How it is shown. The path is the one that it has now, also where it was asked for by a former one.
  public let reference: PlaceReference
  /// Its node; `nil` for the root.
  public let node: ContentNode?
  /// The places above it, the root first; none for the root.
  public let ancestors: [PlaceReference]
}
