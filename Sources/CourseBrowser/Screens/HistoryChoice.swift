import CoursePages
import Foundation
import LearningModel
import NavigationService

/// Which steps the history shows.
struct HistoryChoice: Hashable {
  /// What is shown, as it is said behind "only": `today`, `“Negotiating” and what is in it`.
  var name: String
  var filter: HistoryFilter
  /// What was typed for it; `nil` where it was chosen.
  var query: String?

  /// Every step.
  static let everything = HistoryChoice(name: "everything", filter: HistoryFilter())

  /// The quizzes to go over.
  static let answeredWrong = HistoryChoice(
    name: "quizzes last answered wrong", filter: HistoryFilter(areAnswersRight: false))

  /// What can be chosen where a step has the frame, the most likely first.
  ///
  /// - Parameters:
  ///   - step: The step; `nil` where there is none.
  ///   - quotes: What titles stand in.
  static func all(
    at step: HistoryRow?, days: DayNames, quotes: Quotes
  ) -> [(choice: HistoryChoice, kind: String)] {
    let above = (step?.stack ?? []).dropFirst().reversed()
    let places = above.filter { !$0.isRemoved }.map { place in
      let name = quotes.around(place.title)
      return (
        HistoryChoice(
          name: place.kind == .activity ? name : name + " and what is in it",
          filter: HistoryFilter(under: .place(place.place))), place.kind.rawValue
      )
    }
    let sitting = step.map { step in
      (HistoryChoice(name: "this sitting", filter: HistoryFilter(session: String(step.session))), "")
    }
    return [
      (.everything, ""),
      (HistoryChoice(name: "today", filter: HistoryFilter(since: days.startOfDay)), ""),
      (
        HistoryChoice(
          name: "yesterday", filter: HistoryFilter(since: days.startOfYesterday, until: days.endOfYesterday)), ""
      ),
      (HistoryChoice(name: "this week", filter: HistoryFilter(since: days.startOfWeek)), ""),
      (HistoryChoice(name: "activities", filter: HistoryFilter(kind: .activity)), ""),
      (HistoryChoice(name: "quizzes", filter: HistoryFilter(type: .quiz)), ""),
      (.answeredWrong, ""),
      (HistoryChoice(name: "what is begun and not done", filter: HistoryFilter(isDone: false)), ""),
    ] + [sitting].compactMap(\.self) + places
  }

  /// Places by words of their titles.
  static func titled(_ text: String, quotes: Quotes) -> HistoryChoice {
    HistoryChoice(
      name: "places with \(quotes.around(text)) in their title", filter: HistoryFilter(text: text))
  }
}
