import LearningModel
package import NavigationKit
import TextCanvas

/// Texts about undone changes, the same in all front ends.
package enum UndoText {
  package static let nothing = "There is no change to undo."
  package static let isChanged = "This was changed since, so nothing was undone."
  /// The width to which the text of a note is truncated, so that the place after it is visible.
  private static let maximumQuoteWidth = 24

  /// Returns a sentence that names an undone change.
  ///
  /// - Parameters:
  ///   - isHere: Whether the place of the change is on the screen, so that only other places are named.
  ///   - isShown: Whether the card is visible, so that its question is not repeated.
  ///   - hasFourAnswers: Whether reviews have four answers.
  package static func text(
    _ change: UndoneChange, isHere: Bool, isShown: Bool, hasFourAnswers: Bool, quotes: Quotes
  ) -> String {
    let question = isShown ? nil : change.question.map(quotes.around)
    let cards = change.cards.count == 1 ? question ?? "the card" : ReviewText.count(change.cards.count, "card")
    let verb = change.cards.count == 1 ? "is" : "are"
    let titles = DisplayFormat.withoutRepetition(change.location).map(quotes.around)
    let location = isHere || isShown || titles.isEmpty ? "" : " in " + titles.joined(separator: ", ")
    switch change.kind {
    case .cardGraded:
      let rating = change.rating ?? .good
      let answer = quotes.around(ReviewSession.name(of: rating, hasFourAnswers && change.item == nil))
      return question.map { "The answer \(answer) to \($0)\(location) was undone." }
        ?? "Undone: \(answer)\(location)."
    case .cardSuspended, .cardBuried:
      let state = change.kind == .cardBuried ? "buried" : "suspended"
      return "Undone: \(cards)\(location) \(verb) not \(state) any more."
    case .cardScheduled: return "Undone: \(cards)\(location) \(verb) scheduled as before."
    case .cardResumed:
      return "Undone: \(ReviewText.count(change.cards.count, "card"))\(location) suspended again."
    case .cardsIncluded:
      return change.removedCards == 0
        ? isChanged : "Undone: removed \(ReviewText.count(change.removedCards, "card"))\(location) from the review."
    case .markedDone where change.isPresent, .markedNotDone where !change.isPresent: return isChanged
    case .markedDone, .markedNotDone:
      let title = quotes.around(change.place.title)
      let course = titles.last.flatMap { isHere ? nil : " in \($0)" } ?? ""
      return "\(change.isPresent ? "Done" : "Not done") again: \(title)\(course)."
    default:
      let name = change.cards.isEmpty ? change.note?.isHighlight == true ? "Highlight" : "Note" : "Card"
      let text = change.note.map { $0.isHighlight ? $0.anchor.quote : $0.text } ?? change.question ?? ""
      let isRestored = [.noteRemoved, .cardRemoved].contains(change.kind)
      let effect = !change.isPresent ? "removed" : isRestored ? "restored" : "changed back"
      let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      guard !location.isEmpty, !line.isEmpty else { return "\(name) \(effect)\(location)." }
      return "\(name) \(effect): \(quotes.around(line.truncated(to: maximumQuoteWidth)))\(location)."
    }
  }
}
