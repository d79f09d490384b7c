package import LearningModel
package import NavigationKit
import TextCanvas

/// The formatting of counts, times and shares, the same on all screens.
package enum DisplayFormat {
  /// Returns a count with its noun: `1 course`, `2 courses`.
  package static func count(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
  }

  /// Returns the message for a link whose target is not in the database.
  package static func missingLink(linkTo destination: String) -> String {
    guard CourseLink.leadsToOtherCourse(destination) else { return "This link leads nowhere any more." }
    let name = destination.dropFirst(CourseLink.scheme.count + 2)
    return "This leads to '\(name)', which is not here. Import that course, and follow the link again."
  }

  /// Returns a duration, rounded for display: `6 min`, `about 55 min`, `about 3 h`.
  package static func about(minutes: Int) -> String {
    minutes < 10 ? "\(max(1, minutes)) min" : "about " + plain(minutes: minutes)
  }

  /// Returns the remaining time, such as `about 55 min left`. Omits `left` if the learner has not started.
  ///
  /// - Parameter seconds: The remaining seconds. They are rounded up to minutes.
  package static func remainingTime(seconds: Double, isBegun: Bool) -> String {
    about(minutes: Int((seconds / 60).rounded(.up))) + (isBegun ? " left" : "")
  }

  /// Returns a duration such as `55 min` or `3 h`. Durations of 100 minutes and more are rounded to hours.
  package static func plain(minutes: Int) -> String {
    minutes < 100 ? "\(minutes) min" : "\((minutes + 30) / 60) h"
  }

  /// Returns a measured duration: `48 min`, `1 h 7 min`, `30 s`.
  package static func duration(milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000
    if seconds < 60 { return "\(seconds) s" }
    let minutes = seconds / 60
    if minutes < 60 { return "\(minutes) min" }
    return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
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
    return "\(min(99, max(1, Int((fraction * 100).rounded())))) %"
  }

  /// Returns the number of items that a fraction represents.
  package static func portion(_ fraction: Double, of count: Int) -> Int { Int((fraction * Double(count)).rounded()) }

  /// Returns `“Opening offers” is done, all 4.`, or `nil` if the place is not done.
  package static func doneText(_ card: PlaceSummary, symbols: Symbols) -> String? {
    guard card.progress.isComplete else { return nil }
    let all = card.progress.total > 1 ? ", all \(card.progress.total)" : ""
    return "\(symbols.quotes.around(card.place.title)) is done\(all)."
  }

  /// Returns the message at the end of a lesson or goal, in one row: `The end of “Opening offers”: 3 of 4 done.`
  package static func end(of card: PlaceSummary, symbols: Symbols, width: Int) -> String {
    let count = ": \(progress(card.progress)) done."
    let message = doneText(card, symbols: symbols) ?? "The end of " + symbols.quotes.around(card.place.title) + count
    guard message.displayWidth > width else { return message }
    let (open, end) = (symbols.quotes.open, symbols.quotes.close + count)
    let availableColumns = width - open.displayWidth - end.displayWidth
    return open + card.place.title.truncated(to: max(1, availableColumns), ellipsis: symbols.ellipsis) + end
  }

  /// Returns the progress as `5 of 14`.
  package static func progress(_ progress: LearningProgress) -> String { "\(progress.done) of \(progress.total)" }
}
