import LearningModel
package import NavigationService

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
