/// The address of a place: the slugs from the course down, what a person types and a deep link holds.
///
/// Law: `PlacePath(path.description) == path`.
public struct PlacePath: Hashable, Sendable {
  /// The slugs, the course's first; empty for the root.
  public let slugs: [String]

  /// The list of courses, written `/`.
  public static let root = PlacePath(slugs: [])

  /// Makes the path through those slugs.
  public init(slugs: [String]) {
    self.slugs = slugs
  }

  /// Reads a typed path. Empty parts, and so leading and closing slashes, do not count.
  public init(_ text: String) {
    slugs = text.split(separator: "/").map(String.init)
  }

  /// Whether it is the list of courses.
  public var isRoot: Bool { slugs.isEmpty }

  /// The path one step up; `nil` at the root.
  public var parent: PlacePath? {
    isRoot ? nil : PlacePath(slugs: Array(slugs.dropLast()))
  }

  /// The path of the child with that slug.
  public func appending(_ slug: String) -> PlacePath {
    PlacePath(slugs: slugs + [slug])
  }
}

extension PlacePath: CustomStringConvertible {
  /// The slugs joined by slashes, without one in front; `/` for the root.
  public var description: String {
    isRoot ? "/" : slugs.joined(separator: "/")
  }
}

extension PlacePath: Codable {
  /// Reads the written form.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the written form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
