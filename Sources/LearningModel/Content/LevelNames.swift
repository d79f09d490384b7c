/// What readers call the levels of a course. The source of the course decides: a novel has chapters, not lessons.
package enum LevelNames: Hashable, Sendable {
  /// Goals, lessons and activities.
  case course
  /// Parts, chapters and sections.
  case book
  /// Folders, notes and pages.
  case notes
  /// Decks in decks.
  case decks

  /// Creates the names for a source format. Unknown formats have the names of a course.
  package init(format: String) {
    self =
      switch format {
      case "mdbook", "epub", "html", "document", "jupyter": .book
      case "markdown", "text": .notes
      case "anki": .decks
      default: .course
      }
  }

  /// Returns the noun for the places of a kind.
  package func noun(for kind: PlaceKind) -> Noun {
    switch (self, kind) {
    case (.book, .course): "book"
    case (.book, .goal): "part"
    case (.book, .lesson): "chapter"
    case (.book, .activity): "section"
    case (.notes, .goal): "folder"
    case (.notes, .lesson): "note"
    case (.notes, .activity): "page"
    case (.decks, .goal), (.decks, .lesson): "deck"
    case (_, .activity): Noun("activity", "activities")
    default: Noun(kind.rawValue)
    }
  }
}

/// A countable noun.
package struct Noun: Hashable, Sendable, ExpressibleByStringLiteral {
  package let singular, plural: String

  /// - Parameter plural: The plural, or `nil` to append an “s”.
  package init(_ singular: String, _ plural: String? = nil) {
    (self.singular, self.plural) = (singular, plural ?? singular + "s")
  }

  package init(stringLiteral singular: String) { self.init(singular) }

  /// Returns a count with the noun: `1 chapter`, `2 chapters`.
  package func counted(_ count: Int) -> String { "\(count) \(count == 1 ? singular : plural)" }
}
