package import CourseKit
import Foundation
package import LearningModel
package import NavigationKit

/// All that is known of a place, each fact with its word.
package struct PlaceFacts: Hashable {
  package struct Fact: Hashable {
    package var word: String
    package var text: String
  }

  package var title: String
  package var kind: PlaceKind
  package var summary: String
  package var path: String
  package var facts: [Fact] = []

  /// Asks the services.
  package init(
    of place: Place, from navigation: NavigationService, _ library: CourseLibrary, days: DayNames, symbols: Symbols
  ) throws {
    let page = try navigation.page(of: .place(place), with: .some(0, around: .index(0)))
    let card = page.card
    title = card.place.title
    kind = card.place.kind
    summary = card.summary
    path = card.place.path.description

    if let position = page.position {
      let inside = page.trail.count > 1 ? " in " + (page.trail.last?.title ?? "") : ""
      add("place", "\(position.number) of \(position.count)" + inside)
    }
    // How long a text is, is said as a time below.
    if kind == .activity {
      add("made of", card.itemCount == nil ? card.type?.rawValue ?? "" : CardModel.describe(card))
    }
    add("path", path)
    add("time", Self.time(card))
    add("progress", Self.progress(card))
    if card.isBookmarked { add("marked", "yes " + symbols.mark) }
    let visits = try navigation.recent(at: place)
    add("visits", visits.map { Self.visits($0, days) } ?? "none")
    if kind != .activity, place != .root { add("quizzes", try Self.quizzes(in: place, navigation)) }
    for attempt in try navigation.quizAttempts(at: place, limit: 3) {
      add("attempt", "\(Words.percent(attempt.score)) right, " + days.when(attempt.at))
    }
    let grades = try navigation.gradedCards(at: place).values
    if !grades.isEmpty { add("cards", "\(grades.count { $0 }) of \(grades.count) known") }
    if let origin = try library.origin(of: place) {
      add("comes from", [origin.source ?? "", origin.format].filter { !$0.isEmpty }.joined(separator: ", "))
      let language = origin.language.map { ", in " + Self.name(ofLanguage: $0) } ?? ""
      add("imported", "\(days.when(origin.importedAt)), revision \(origin.revision)\(language)")
    }
  }

  private mutating func add(_ word: String, _ text: String) {
    if !text.isEmpty { facts.append(Fact(word: word, text: text)) }
  }

  /// How many of the quizzes that were answered were passed: `1 passed of 2 tried`.
  private static func quizzes(in place: Place, _ navigation: NavigationService) throws -> String {
    let tried = try navigation.lastQuizAttempts(under: .place(place)).map(\.quiz.place)
    let passed = try navigation.cards(of: tried).values.count { $0.state == .done }
    return tried.isEmpty ? "" : "\(passed) passed of \(tried.count) tried"
  }

  private static func visits(_ recent: Recent, _ days: DayNames) -> String {
    let last = days.when(recent.lastVisit)
    return recent.visits == 1 ? "one, " + last : "\(recent.visits), the last " + last
  }

  /// `English` for `en`; the tag itself where its name is not known.
  private static func name(ofLanguage tag: String) -> String {
    Locale(identifier: "en").localizedString(forIdentifier: tag) ?? tag
  }

  private static func time(_ card: Card) -> String {
    guard card.minutes > 0 else { return "" }
    let all = Words.about(minutes: card.minutes)
    return card.minutesLeft > 0 && card.minutesLeft < card.minutes
      ? all + ", " + Words.timeLeft(seconds: Double(card.secondsLeft), isBegun: true) : all
  }

  private static func progress(_ card: Card) -> String {
    if card.place.kind != .activity { return Words.progress(card.progress) + " done" }
    switch card.state {
    case .done: return "done"
    case .notBegun: return "not begun"
    case .begun: return CardModel.activityState(card)
    }
  }
}

/// What is said at the end of a course: what was learned, when, how well, and what could be looked at again.
package struct CourseEndWords {
  /// Facts with their words, as of ``PlaceFacts``.
  package var facts: [PlaceFacts.Fact] = []
  /// The goals, with how much of them is done.
  package var goals: [(title: String, done: String, isDone: Bool)] = []
  /// What is due for another look, each with how it went: quizzes that were not passed, decks with cards not known.
  package var due: [(card: Card, result: String)] = []

  package init(_ end: CourseEnd, _ days: DayNames) {
    facts.append(.init(word: "done", text: "\(Words.progress(end.course.progress)) activities"))
    if let from = end.from, let to = end.to {
      let time = end.activeMilliseconds < 60_000 ? "" : ", " + Words.duration(milliseconds: end.activeMilliseconds)
      let days = days.on(from) == days.on(to) ? days.on(to) : "\(days.on(from)) to \(days.on(to))"
      facts.append(.init(word: "when", text: days + time))
    }
    let results = end.quizzes.compactMap(\.best)
    if !end.quizzes.isEmpty {
      let passed = end.quizzes.count { $0.state == .done }
      let (right, of) = results.reduce((0, 0)) { ($0.0 + $1.right, $0.1 + $1.of) }
      let best = of == 0 ? "" : ", \(right) of \(of) right at best"
      facts.append(.init(word: "quizzes", text: "\(passed) of \(end.quizzes.count) passed\(best)"))
    }
    let (known, turned) = end.decks.reduce((0, 0)) { ($0.0 + $1.known, $0.1 + $1.turned) }
    if turned > 0 { facts.append(.init(word: "cards", text: "\(known) of \(turned) known")) }
    goals = end.goals.map { ($0.place.title, Words.progress($0.progress), $0.progress.isComplete) }
    due = end.quizzes.filter { $0.state != .done }.map { ($0, CardModel.result($0) ?? "") }
    due += end.decks.filter { $0.known < $0.turned }.map { ($0.card, "\($0.turned - $0.known) not known") }
  }
}
