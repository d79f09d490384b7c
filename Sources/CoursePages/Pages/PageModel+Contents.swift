import LearningModel
package import NavigationService

/// What a header says below its title where the author has written no summary: what the place holds.
extension PageModel {
  /// Such as `2 lessons, 9 activities`, `2 readings, 1 quiz`, or of an activity what it is.
  package static func contents(of page: Page) -> String {
    let cards = page.childCards.cards
    // How long a text is, its header says beside.
    if page.place.kind == .activity {
      return page.card.itemCount == nil ? page.card.type?.rawValue ?? "" : CardModel.describe(page.card)
    }
    let total = page.card.progress.total
    let activities = total == 0 ? "" : Words.count(total, "activity", "activities")
    guard let first = cards.first else { return activities }
    let words = cards.map(\.kindWords)
    let kinds = words.reduce(into: [KindWords]()) { if !$0.contains($1) { $0.append($1) } }
    var parts = kinds.map { kind in Words.count(words.count { $0 == kind }, kind.one, kind.many) }
    if cards.count < page.childCards.count {
      // Of a list that is long only some are known, so how many are of which kind is not.
      let isOfOneKind = cards.allSatisfy { $0.place.kind == first.place.kind }
      let kind = isOfOneKind ? KindWords(first.place.kind) : KindWords(one: "place", many: "places")
      parts = [Words.count(page.childCards.count, kind.one, kind.many)]
    }
    if first.place.kind != .activity, total > 0 { parts.append(activities) }
    return parts.joined(separator: ", ")
  }
}

/// What one thing is called, and several.
private struct KindWords: Hashable {
  var one, many: String
}

extension KindWords {
  fileprivate init(_ kind: PlaceKind) {
    self.init(one: kind.rawValue, many: kind == .activity ? "activities" : kind.rawValue + "s")
  }
}

extension Card {
  fileprivate var kindWords: KindWords {
    switch type {
    case .reading: KindWords(one: "reading", many: "readings")
    case .flashcards: KindWords(one: "deck of flashcards", many: "decks of flashcards")
    case .quiz: KindWords(one: "quiz", many: "quizzes")
    case .link: KindWords(one: "link", many: "links")
    case nil: KindWords(place.kind)
    }
  }
}
