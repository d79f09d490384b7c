package import LearningModel
package import NavigationKit
import TextCanvas

/// How amounts are said: short, in whole words, and the same everywhere.
package enum Words {
  /// `1 course`, `2 courses`.
  package static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
  }

  /// What is said of a link of a course that leads to no place of the database.
  package static func missing(linkTo destination: String) -> String {
    guard CourseLink.leadsToOtherCourse(destination) else { return "This link leads nowhere any more." }
    let name = destination.dropFirst(CourseLink.scheme.count + 2)
    return "This leads to '\(name)', which is not here. Import that course, and follow the link again."
  }

  /// A time in minutes as a person says it: `6 min`, `about 55 min`, `about 3 h`.
  package static func about(minutes: Int) -> String {
    minutes < 10 ? "\(max(1, minutes)) min" : "about " + plain(minutes: minutes)
  }

  /// The remaining time: `about 55 min left`; without `left` if nothing was begun.
  ///
  /// - Parameter seconds: The remaining seconds; rounded up to minutes.
  package static func timeLeft(seconds: Double, isBegun: Bool) -> String {
    about(minutes: Int((seconds / 60).rounded(.up))) + (isBegun ? " left" : "")
  }

  /// `55 min`, `3 h`. From a hundred minutes on, in hours.
  package static func plain(minutes: Int) -> String {
    minutes < 100 ? "\(minutes) min" : "\((minutes + 30) / 60) h"
  }

  /// A duration as it was: `48 min`, `1 h 7 min`, `30 s`.
  package static func duration(milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000
    if seconds < 60 { return "\(seconds) s" }
    let minutes = seconds / 60
    if minutes < 60 { return "\(minutes) min" }
    return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
  }

  /// The number of a state without the words around it: `5 of 14` of `5 of 14 done` and of `goal 5 of 14`, `62 %` of
  /// `62 % read`; the sign alone of `✓ done`, and nothing of `done`, `begun` and `not begun`. Anything else as it is.
  static func fewer(_ words: String) -> String {
    let parts = words.split(separator: " ")
    let isNumber = { (index: Int) in parts.indices.contains(index) && parts[index].first?.isNumber == true }
    if let of = parts.firstIndex(of: "of"), isNumber(of - 1), isNumber(of + 1) {
      return parts[of - 1...of + 1].joined(separator: " ")
    }
    if let percent = parts.firstIndex(of: "%"), isNumber(percent - 1) { return "\(parts[percent - 1]) %" }
    switch parts.last {
    case "done", "begun": return parts.count == 2 && parts[0].count == 1 ? String(parts[0]) : ""
    default: return words
    }
  }

  /// `62 %`; never 0 where something was done, never 100 before all is.
  package static func percent(_ fraction: Double) -> String {
    if fraction <= 0 { return "0 %" }
    if fraction >= 1 { return "100 %" }
    return "\(min(99, max(1, Int((fraction * 100).rounded())))) %"
  }

  /// How many of so many things a share is.
  package static func share(_ fraction: Double, of count: Int) -> Int { Int((fraction * Double(count)).rounded()) }

  /// `“Opening offers” is done, all 4.`; `nil` where it is not.
  package static func done(_ card: Card, symbols: Symbols) -> String? {
    guard card.progress.isComplete else { return nil }
    let all = card.progress.total > 1 ? ", all \(card.progress.total)" : ""
    return "\(symbols.quotes.around(card.place.title)) is done\(all)."
  }

  /// What is said of a lesson or a goal that is left behind, in one row: `The end of “Opening offers”: 3 of 4 done.`
  package static func end(of card: Card, symbols: Symbols, width: Int) -> String {
    let count = ": \(progress(card.progress)) done."
    let whole = done(card, symbols: symbols) ?? "The end of " + symbols.quotes.around(card.place.title) + count
    guard whole.displayWidth > width else { return whole }
    let (open, end) = (symbols.quotes.open, symbols.quotes.close + count)
    let room = width - open.displayWidth - end.displayWidth
    return open + card.place.title.truncated(to: max(1, room), ellipsis: symbols.ellipsis) + end
  }

  /// `5 of 14`.
  package static func progress(_ progress: Progress) -> String { "\(progress.done) of \(progress.total)" }
}
