public import LearningModel
import LearningStore

extension CourseLibrary {
  /// Searches the titles, summaries and texts of all places.
  ///
  /// All words must be found in a place; the last one may be a beginning, unless a space follows it. What is in
  /// quotation marks must stand so. Case and accents do not count.
  ///
  /// - Parameters:
  ///   - text: Whatever a person types.
  ///   - course: In which course; `nil` for all.
  ///   - kind: For which kind of place; `nil` for all.
  ///   - limit: How many hits at most, from 0.
  /// - Throws: ``CourseLibraryError`` where there is no such course.
  public func search(
    _ text: String, in course: PlacePath? = nil, kind: ContentKind? = nil, limit: Int = 20
  ) throws -> SearchResult {
    // An import that was interrupted may have left texts out of the index. Where nothing is left this asks one
    // question; where somebody else is writing, the search goes on with what there is.
    _ = try? store.indexSearch(for: 200)
    return try store.read { snapshot in
      let course = try course.map { try snapshot.livingCourse(at: $0).id }
      let findings = try snapshot.search(text, course: course, kind: kind, limit: limit)
      let hits = try findings.hits.map { hit in
        let above = try snapshot.ancestors(of: hit.node.id)
        return SearchHit(
          path: PlacePath(slugs: above.map(\.slug) + [hit.node.slug]), kind: PlaceKind(hit.node.kind),
          title: hit.node.title, score: hit.score, snippet: hit.snippet, breadcrumb: above.map(\.title))
      }
      return SearchResult(hits: hits, didYouMean: findings.didYouMean)
    }
  }
}
