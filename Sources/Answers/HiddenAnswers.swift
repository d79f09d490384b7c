package import CourseKit
import LearningModel
package import NavigationKit

extension NavigationService {
  /// Returns search results without the answers of quizzes that the learner has not finished: the summary of such a quiz
  /// replaces the excerpt.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  package func hidingAnswers(in hits: [SearchHit]) throws(NavigationError) -> [SearchHit] {
    let cards = try places.summaries(of: hits.filter { $0.kind == .activity }.map(\.place))
    return hits.map { hit in
      guard let card = cards[hit.place], card.hidesAnswers else { return hit }
      return hit.replacingSnippet(with: Snippet(runs: [Snippet.Run(text: card.summary, isMatch: false)]))
    }
  }
}
