package import NavigationService

/// A marked place, and whether it is in its course still.
package struct BookmarkRow: Encodable, Sendable {
  /// The place.
  package let place: NamedPlace

  /// Makes a row.
  package init(place: NamedPlace) {
    self.place = place
  }

  private enum Key: String, CodingKey { case removed }

  /// Writes `path`, `kind` and `title`, then `removed`.
  package func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(place.isRemoved, forKey: .removed)
  }
}
