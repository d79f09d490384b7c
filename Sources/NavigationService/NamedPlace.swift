public import LearningModel

/// A place with what a person or a script calls it.
public struct NamedPlace: Hashable, Sendable {
  /// Which place.
  public let place: Place
  /// Its address; of a removed place the one it had when it was removed.
  public let path: PlacePath
  /// What it is.
  public let kind: PlaceKind
  /// Its title; `Courses` for the root.
  public let title: String
  /// Whether an import has taken it out of its course.
  public let isRemoved: Bool

  /// Names a place.
  public init(place: Place, path: PlacePath, kind: PlaceKind, title: String, isRemoved: Bool = false) {
    self.place = place
    self.path = path
    self.kind = kind
    self.title = title
    self.isRemoved = isRemoved
  }

  /// The list of courses.
  public static let root = NamedPlace(place: .root, path: .root, kind: .root, title: PlaceReference.root.title)

  /// Its path, kind and title alone.
  public var reference: PlaceReference {
    PlaceReference(path: path, kind: kind, title: title)
  }
}

extension NamedPlace: Encodable {
  /// Writes `path`, `kind` and `title`.
  public func encode(to encoder: any Encoder) throws {
    try reference.encode(to: encoder)
  }
}
