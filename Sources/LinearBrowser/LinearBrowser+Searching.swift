import CoursePages
import LearningModel
import NavigationService

/// A search in the text that is read: each place that has it is said by its line alone, with its number among them all.
extension LinearBrowser {
  /// Looks for words in the text that is read.
  ///
  /// - Returns: Whether it has them; where not, or where no text is read, nothing is said.
  func findInText(_ words: String) -> Bool {
    guard case .reading(var reading, let address) = activity, !list.isOnTop, reading.look(for: words) else {
      return false
    }
    activity = .reading(reading, address: address)
    sayMatch()
    say("n: the next. N: the one before. back: where you were. find: look for it in the course.")
    return true
  }

  /// Answers a line that means something while a search is on.
  ///
  /// - Returns: Whether it does.
  func answerInSearch(_ line: String) throws -> Bool {
    guard case .reading(var reading, let address) = activity, !list.isOnTop, let search = reading.search else {
      return try widen(line)
    }
    switch line {
    case "n", "N":
      reading.goToMatch(by: line == "n" ? 1 : -1)
      activity = .reading(reading, address: address)
      sayMatch()
    case "back", "b":
      reading.endSearch()
      activity = .reading(reading, address: address)
      say("Back where you were. Enter or more: read on.")
    case "find", "/":
      reading.endSearch()
      activity = .reading(reading, address: address)
      let course = try navigation.currentStack().first { $0.kind == .course }
      try find(search.query, in: course?.path)
      widening = course == nil ? nil : search.query
      if widening != nil { say("find: look for it in everything.") }
    default: return false
    }
    return true
  }

  /// Looks in everything for what was looked for in the course.
  private func widen(_ line: String) throws -> Bool {
    guard let words = widening, list.isOnTop else { return false }
    widening = nil
    guard line == "find" || line == "/" else { return false }
    try find(words, in: nil)
    return true
  }

  private func sayMatch() {
    guard case .reading(let reading, _) = activity, let search = reading.search, let chosen = search.chosen else {
      return
    }
    say("Find: \(SpokenWords.ended(search.query)) \(chosen + 1) of \(search.count) in this text.")
    say(reading.lineOfMatch.map { [$0] } ?? [])
  }
}
