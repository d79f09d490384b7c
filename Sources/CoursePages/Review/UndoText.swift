import LearningModel
package import NavigationKit

/// Texts about undone changes, the same in all front ends.
package enum UndoText {
  package static let nothing = "There is no change to undo."
  package static let isChanged = "This was changed since, so nothing was undone."

  /// Returns a sentence that names an undone change.
  ///
  /// - Parameters:
  ///   - place: The name of the activity.
  ///   - isShown: Whether the card is visible, so that its question is not repeated.
  ///   - hasFourAnswers: Whether reviews have four answers.
  package static func text(
    _ change: UndoneChange, at place: String, isShown: Bool, hasFourAnswers: Bool, quotes: Quotes
  ) -> String {
    let question = isShown ? nil : change.question.map(quotes.around)
    let cards = change.cards.count == 1 ? question ?? "the card" : ReviewText.count(change.cards.count, "card")
    let verb = change.cards.count == 1 ? "is" : "are"
    switch change.kind {
    case .cardGraded:
      let rating = change.rating ?? .good
      let answer = quotes.around(ReviewSession.name(of: rating, hasFourAnswers && change.item == nil))
      return question.map { "The answer \(answer) to \($0) was undone." } ?? "Undone: \(answer)."
    case .cardSuspended, .cardBuried:
      return "Undone: \(cards) \(verb) not \(change.kind == .cardBuried ? "buried" : "suspended") any more."
    case .cardResumed: return "Undone: \(ReviewText.count(change.cards.count, "card")) suspended again."
    case .cardsIncluded:
      return change.removedCards == 0
        ? isChanged : "Undone: removed \(ReviewText.count(change.removedCards, "card")) from the review."
    case .markedDone where change.isPresent, .markedNotDone where !change.isPresent: return isChanged
    case .markedDone, .markedNotDone: return "\(change.isPresent ? "Done" : "Not done") again: \(place)."
    default:
      let name = change.cards.isEmpty ? change.isHighlight ? "Highlight" : "Note" : "Card"
      let isRestored = [.noteRemoved, .cardRemoved].contains(change.kind)
      return "\(name) \(!change.isPresent ? "removed" : isRestored ? "restored" : "changed back")."
    }
  }
}
