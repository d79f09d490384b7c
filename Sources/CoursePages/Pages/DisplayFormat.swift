package import LearningModel
package import NavigationKit
import TextCanvas
import WholeNumbers

/// The formatting of counts, times and shares, the same on all screens.
package enum DisplayFormat {
  /// Returns a count with its noun: `1 course`, `2 courses`.
  package static func count(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
  }

  /// Returns the titles of a place and the places around it without those that repeat the one before: a deck from Anki and its
  /// activity have the same title.
  package static func withoutRepetition(_ titles: [String]) -> [String] {
    titles.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// Returns the message for a link whose target is not in the database.
  package static func missingLink(linkTo destination: String) -> String {
    guard CourseLink.leadsToOtherCourse(destination) else { return "The target of this link was removed." }
    let name = destination.dropFirst(CourseLink.scheme.count + 2)
    return
      "This link leads to \(quoted: name), which is not in this database. Import that course, and open the link again."
  }

  /// The form of a duration: abbreviated on a screen, or in words for screen readers.
  package enum DurationForm {
    case abbreviated, spoken
  }

  /// Returns an estimated duration for a header or a sentence: `6 min`, `about 55 min`, `about 1 h 10`.
  package static func about(minutes: Int, _ form: DurationForm = .abbreviated) -> String {
    (minutes < 10 ? "" : "about ") + duration(minutes: rounded(minutes: minutes), form)
  }

  /// Returns an estimated duration for the time column of a list: `6 min`, `30 min`, `1 h 10`. Empty for 0.
  package static func timeColumn(minutes: Int) -> String {
    minutes > 0 ? duration(minutes: rounded(minutes: minutes), .abbreviated) : ""
  }

  /// Returns an estimate that is not more precise than its reading speed: rounded to 5 minutes below ten hours, and to
  /// hours above. Estimates of less than 10 minutes are unchanged, but at least 1.
  ///
  /// Sums are computed from exact times and rounded once. The step is the same from 10 minutes to 10 hours, so that the
  /// rounded times of a list differ from the rounded sum as little as possible.
  package static func rounded(minutes: Int) -> Int {
    let step = minutes < 10 ? 1 : minutes < 600 ? 5 : 60
    return max(1, (minutes + step / 2) / step * step)
  }

  private static func duration(minutes: Int, _ form: DurationForm) -> String {
    let (hours, rest) = (minutes / 60, minutes % 60)
    switch form {
    case .abbreviated:
      return hours == 0 ? "\(rest) min" : rest == 0 ? "\(hours) h" : "\(hours) h \(rest < 10 ? "0" : "")\(rest)"
    case .spoken:
      let components = [
        hours > 0 ? count(hours, "hour") : "", rest > 0 || hours == 0 ? count(rest, "minute") : "",
      ]
      return components.filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  /// Returns the remaining time, such as `about 55 min left`. Omits `left` if the learner has not started.
  ///
  /// - Parameter seconds: The remaining seconds. They are rounded up to minutes.
  package static func remainingTime(seconds: Double, isBegun: Bool) -> String {
    about(minutes: Int(clamping: min(seconds / 60, 1e9).rounded(.up))) + (isBegun ? " left" : "")
  }

  /// Returns a measured duration, rounded down: `30 s`, `48 min`, `1 h 07`; spoken, `1 hour 7 minutes`.
  package static func duration(milliseconds: Int64, _ form: DurationForm = .abbreviated) -> String {
    let seconds = Int(milliseconds / 1000)
    guard seconds < 60 else { return duration(minutes: seconds / 60, form) }
    return form == .spoken ? count(seconds, "second") : "\(seconds) s"
  }

  /// Returns a word for the operation that led to a place, such as `opened`, `up` or `next`.
  package static func step(_ operation: NavigationOperation) -> String {
    switch operation {
    case .push, .open: "opened"
    case .pop, .popTo, .popToRoot: "up"
    case .select: "selected"
    case .next, .previous, .back, .forward, .other: operation.rawValue
    case .resume: "resumed"
    case .repair: "moved"
    }
  }

  /// Returns a description of a transition, such as `chapter opens`, `slides right` or `fades`.
  ///
  /// - Parameter levels: The names of the levels of the course.
  package static func transition(_ choice: TransitionChoice, _ levels: LevelNames) -> String {
    let verb = choice.direction == .up ? "closes" : "opens"
    return switch choice.kind {
    case .courseCard: "course \(verb)"
    case .goalCard: "\(levels.noun(for: .goal).singular) \(verb)"
    case .lessonCard: "\(levels.noun(for: .lesson).singular) \(verb)"
    case .activityCard: "\(levels.noun(for: .activity).singular) \(verb)"
    case .siblingSlide: "slides \(choice.direction?.rawValue ?? "")"
    case .crossFade: "fades"
    case .other(let name): name
    }
  }

  /// Returns a shorter form of a progress text.
  ///
  /// `5 of 14 done` and `goal 5 of 14` become `5 of 14`, and `62 % read` becomes `62 %`. `✓ done` becomes its symbol;
  /// `done`, `begun` and `not begun` become empty. All other texts are unchanged.
  static func shortened(_ text: String) -> String {
    let words = text.split(separator: " ")
    let isNumber = { (index: Int) in words.indices.contains(index) && words[index].first?.isNumber == true }
    if let of = words.firstIndex(of: "of"), isNumber(of - 1), isNumber(of + 1) {
      return words[of - 1...of + 1].joined(separator: " ")
    }
    if let percent = words.firstIndex(of: "%"), isNumber(percent - 1) { return "\(words[percent - 1]) %" }
    switch words.last {
    case "done", "begun": return words.count == 2 && words[0].count == 1 ? String(words[0]) : ""
    default: return text
    }
  }

  /// Returns a percentage such as `62 %`. It is 0 only if nothing is done and 100 only if everything is.
  package static func percent(_ fraction: Double) -> String {
    if fraction <= 0 { return "0 %" }
    if fraction >= 1 { return "100 %" }
    return "\(min(99, max(1, Int(clamping: (fraction * 100).rounded())))) %"
  }

  /// Returns the number of items that a fraction represents.
  package static func portion(_ fraction: Double, of count: Int) -> Int {
    Int(clamping: (fraction * Double(count)).rounded())
  }

  /// Returns `“Opening offers” is done, all 4.`, or `nil` if the place is not done.
  package static func doneText(_ card: PlaceSummary, symbols: Symbols) -> String? {
    guard card.progress.isComplete else { return nil }
    let all = card.progress.total > 1 ? ": all \(card.progress.total) activities" : ""
    return "\(symbols.quotes.around(card.place.title)) is done\(all)."
  }

  /// Returns the message at the end of a lesson or goal: `End of “Opening offers”: 3 of 4 done. 25 min in 2 sessions.`
  ///
  /// - Parameters:
  ///   - path: The visits of the lesson or goal. They are omitted if the message would not fit into one row.
  package static func end(
    of card: PlaceSummary, _ path: PathTaken, symbols: Symbols, width: Int
  ) -> String {
    let count = ": \(progress(card.progress)) done."
    let message = doneText(card, symbols: symbols) ?? "End of " + symbols.quotes.around(card.place.title) + count
    let visits = path.summary.isEmpty || path.isBrief ? "" : " \(path.summary)."
    let fitting = [visits, ""].first { (message + $0).displayWidth <= width }
    if let fitting { return message + fitting }
    let (open, end) = (symbols.quotes.open, symbols.quotes.close + count)
    let availableColumns = width - open.displayWidth - end.displayWidth
    return open + card.place.title.truncated(to: max(1, availableColumns), ellipsis: symbols.ellipsis) + end
  }

  /// Returns the progress as `5 of 14`.
  package static func progress(_ progress: LearningProgress) -> String { "\(progress.done) of \(progress.total)" }
}
