import CoursePages
import LearningModel
import NavigationService

extension LinearBrowser {
  /// Says the end of a course: what was learned, when and how well, and what could be next, to be chosen by its number.
  func sayEnd(ofCourseWith place: Place) throws {
    let end = try navigation.courseEnd(of: .place(place))
    let words = CourseEndWords(end, days)
    list = LinearList()
    list.isOnTop = true
    list.head = [SpokenWords.ended("The end of \(end.course.place.title)")]
    list.head += words.facts.map { SpokenWords.ended("\(SpokenWords.capitalised($0.word)): \($0.text)") }
    list.head += words.goals.map { SpokenWords.ended("\(SpokenWords.ended($0.title)) \($0.done) done") }
    if !words.due.isEmpty { list.head.append("Worth another look:") }
    list.items = words.due.map { due in
      LinearList.Item(
        title: due.card.place.title, words: SpokenWords.ended(SpokenWords.capitalised(due.result)),
        target: .place(due.card.place.place, cause: .key))
    }
    if let next = end.next { list.items.append(LinearList.Item(next, days)) }
    list.onward = end.next.map { NavigationRequest.open(.place($0.place.place)) } ?? .popToRoot
    list.foot = ["Enter: " + SpokenWords.ended(end.next.map { "on to " + $0.place.title } ?? "the list of courses")]
    try sayList()
  }
}

extension LinearList.Item {
  init(_ card: Card, _ days: DayNames) {
    self.init(
      title: card.place.title, words: SpokenWords.state(card, days), target: .place(card.place.place, cause: .key))
  }
}
