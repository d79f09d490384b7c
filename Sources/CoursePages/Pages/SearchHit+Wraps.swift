package import CourseLibrary
package import LearningModel
package import NavigationService

extension [SearchHit] {
  /// Without lessons and goals that hold one activity alone, of the same title and found too: it is what is meant.
  ///
  /// - Parameter cards: The cards of the places.
  package func withoutWraps(_ cards: [Place: Card]) -> [SearchHit] {
    filter { outer in
      guard outer.kind != .activity, cards[outer.place]?.progress.total == 1 else { return true }
      return !contains { inner in
        inner.kind == .activity && inner.title == outer.title && inner.path.slugs.starts(with: outer.path.slugs)
      }
    }
  }
}
