package import LearningModel
package import NavigationService

/// A learner's notes, to be found by their words.
package struct NoteList: Sendable {
  private let all: [(note: PlacedNote, words: String, titles: String)]

  /// How many there are.
  package var count: Int { all.count }
  package var isEmpty: Bool { all.isEmpty }

  /// No notes.
  package init() { all = [] }

  /// Reads all notes: those of one place first, then the last changed.
  package init(of navigation: NavigationService, first place: Place? = nil) throws {
    let notes = try navigation.notes()
    all = (notes.filter { $0.place.place == place } + notes.filter { $0.place.place != place }).map { placed in
      let titles = [placed.place.title] + placed.above
      return (
        placed, "\(placed.note.text) \(placed.note.anchor.quote)".folded, " " + titles.joined(separator: " ").folded
      )
    }
  }

  /// The notes that have all of some words in what was written or in what that is about, at most so many.
  ///
  /// - Parameter titles: Whether the titles of their texts, and of the places above, are among their words.
  package func notes(
    with query: String, most: Int, titles: Bool = false, where isWanted: @escaping (PlacedNote) -> Bool = { _ in true }
  ) -> [PlacedNote] {
    let wanted = query.folded.split(separator: " ")
    return Array(
      all.lazy.filter { row in
        let words = titles ? row.words + row.titles : row.words
        return wanted.allSatisfy { words.contains($0) } && isWanted(row.note)
      }.map(\.note).prefix(most))
  }

  /// The notes of a place.
  package func notes(at place: Place) -> [PlacedNote] { all.map(\.note).filter { $0.place.place == place } }
}
