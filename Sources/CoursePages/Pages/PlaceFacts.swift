package import CourseKit
import Foundation
package import LearningModel
package import NavigationKit

/// The details of a place that the info sheet shows, each with a label.
package struct PlaceFacts {
  package struct Fact: Hashable {
    package var label: String
    package var text: String
  }

  package var title: String
  package var kind: PlaceKind
  /// What readers of the course call places of this kind.
  package var noun: Noun
  package var summary: String
  package var path: String
  package var facts: [Fact] = []
  /// The visits of a course, goal or lesson. `nil` for other places.
  package private(set) var pathTaken: PathTaken?

  /// Reads the details from the services.
  package init(
    of place: Place, from navigation: NavigationService, _ library: CourseLibrary, days: RelativeDateFormat,
    symbols: Symbols
  ) throws {
    let page = try navigation.places.page(of: .place(place), with: .some(0, around: .index(0)))
    let card = page.summary
    title = card.place.title
    (kind, noun) = (card.place.kind, card.place.noun)
    summary = card.summary
    path = card.place.path.description

    if let position = page.position {
      let parentText = page.ancestors.count > 1 ? " in " + (page.ancestors.last?.title ?? "") : ""
      add("place", "\(position.number) of \(position.count)" + parentText)
    }
    // Without countable items, only the type is added: the duration is part of the time below.
    if kind == .activity {
      add("contents", card.itemCount == nil ? card.type?.rawValue ?? "" : CardModel.describe(card))
    }
    add("path", path)
    add("time", Self.time(card))
    add("progress", Self.progress(card))
    if card.isBookmarked { add("bookmark", "yes " + symbols.bookmark) }
    let visits = try navigation.places.recent(at: place)
    add("visits", visits.map { Self.visits($0, days) } ?? "none")
    if kind != .activity, place != .root {
      pathTaken = try PathTaken(in: card.place, from: navigation)
      add("sessions", pathTaken?.summary ?? "")
    }
    if kind != .activity, place != .root { add("quizzes", try Self.quizzes(in: place, navigation)) }
    for attempt in try navigation.progress.quizAttempts(at: place, limit: 3) {
      add("attempt", "\(DisplayFormat.percent(attempt.score)) right, " + days.when(attempt.at))
    }
    let grades = try navigation.progress.gradedCards(at: place).values
    if !grades.isEmpty { add("cards", "\(grades.count { $0 }) of \(grades.count) known") }
    if let origin = try library.origin(of: place) {
      add("source", [origin.source ?? "", origin.format].filter { !$0.isEmpty }.joined(separator: ", "))
      let language = origin.language.map { ", in " + Self.name(ofLanguage: $0) } ?? ""
      add("imported", "\(days.when(origin.importedAt)), revision \(origin.revision)\(language)")
    }
  }

  private mutating func add(_ label: String, _ text: String) {
    if !text.isEmpty { facts.append(Fact(label: label, text: text)) }
  }

  /// Returns how many of the attempted quizzes were passed, such as `1 passed of 2 tried`.
  private static func quizzes(in place: Place, _ navigation: NavigationService) throws -> String {
    let attempted = try navigation.progress.lastQuizAttempts(under: .place(place)).map(\.quiz.place)
    let passed = try navigation.places.summaries(of: attempted).values.count { $0.state == .done }
    return attempted.isEmpty ? "" : "\(passed) of \(attempted.count) passed"
  }

  private static func visits(_ recent: RecentPlace, _ days: RelativeDateFormat) -> String {
    let last = days.when(recent.lastVisit)
    return recent.visits == 1 ? "1, " + last : "\(recent.visits), last " + last
  }

  /// Returns the name of a language, such as `English` for `en`, or the tag itself if the name is unknown.
  private static func name(ofLanguage tag: String) -> String {
    Locale(identifier: "en").localizedString(forIdentifier: tag) ?? tag
  }

  private static func time(_ card: PlaceSummary) -> String {
    guard card.minutes > 0 else { return "" }
    let all = DisplayFormat.about(minutes: card.minutes)
    return card.minutesLeft > 0 && card.minutesLeft < card.minutes
      ? all + ", " + DisplayFormat.remainingTime(seconds: Double(card.secondsLeft), isBegun: true) : all
  }

  private static func progress(_ card: PlaceSummary) -> String {
    if card.place.kind != .activity {
      return [DisplayFormat.progress(card.progress) + " done", card.passedText].compactMap(\.self).joined(
        separator: ", ")
    }
    if let exercise = card.exercise { return exercise.text }
    switch card.state {
    case .done: return "done"
    case .notBegun: return "not begun"
    case .begun:
      let rule = card.type == .reading ? "; text counts when it is on the screen long enough to read" : ""
      return CardModel.activityState(card) + rule
    }
  }
}

/// The summary at the end of a course: its content, dates and results, and the activities to review.
package struct CourseSummary {
  /// The content, dates and results with their labels, in the same form as in ``PlaceFacts``.
  package var facts: [PlaceFacts.Fact] = []
  /// The goals with their progress.
  package var goals: [(title: String, done: String, isDone: Bool)] = []
  /// The activities to review, each with its result: quizzes that were not passed, and decks with unknown cards.
  package var dueDecks: [(card: PlaceSummary, result: String)] = []

  package init(_ end: CourseEnd, _ path: PathTaken, _ days: RelativeDateFormat) {
    facts.append(.init(label: "done", text: "\(DisplayFormat.progress(end.course.progress)) activities"))
    if let from = end.from, let to = end.to {
      let time =
        end.activeTime < .seconds(60) ? "" : ", " + DisplayFormat.duration(milliseconds: end.activeTime.milliseconds)
      let days = days.on(from) == days.on(to) ? days.on(to) : "\(days.on(from)) to \(days.on(to))"
      facts.append(.init(label: "when", text: days + time))
    }
    if !path.sessions.isEmpty { facts.append(.init(label: "sessions", text: path.sessions)) }
    let results = end.quizzes.compactMap(\.best)
    if !end.quizzes.isEmpty {
      let passed = end.quizzes.count { $0.state == .done }
      let (rightCount, totalCount) = results.reduce((0, 0)) { ($0.0 + $1.right, $0.1 + $1.of) }
      let best = totalCount == 0 ? "" : ", best result \(rightCount) of \(totalCount) right"
      facts.append(.init(label: "quizzes", text: "\(passed) of \(end.quizzes.count) passed\(best)"))
    }
    let (knownCount, turnedCount) = end.decks.reduce((0, 0)) { ($0.0 + $1.knownCount, $0.1 + $1.turnedCount) }
    if turnedCount > 0 { facts.append(.init(label: "cards", text: "\(knownCount) of \(turnedCount) known")) }
    goals = end.goals.map { ($0.place.title, DisplayFormat.progress($0.progress), $0.progress.isComplete) }
    dueDecks = end.quizzes.filter { $0.state != .done }.map { ($0, CardModel.result($0) ?? "") }
    dueDecks += end.decks.filter { $0.knownCount < $0.turnedCount }.map {
      ($0.summary, "\($0.turnedCount - $0.knownCount) not known")
    }
  }
}
