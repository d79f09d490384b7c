import LearningModel

/// How amounts are said: short, in whole words, and the same everywhere.
enum Words {
  /// `1 course`, `2 courses`.
  static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
  }

  /// A time in minutes as a person says it: `6 min`, `about 55 min`, `about 3 h`.
  static func about(minutes: Int) -> String {
    minutes < 10 ? "\(max(1, minutes)) min" : "about " + plain(minutes: minutes)
  }

  /// `55 min`, `3 h`. From a hundred minutes on, in hours.
  static func plain(minutes: Int) -> String {
    minutes < 100 ? "\(minutes) min" : "\((minutes + 30) / 60) h"
  }

  /// A duration as it was: `48 min`, `1 h 7 min`, `30 s`.
  static func duration(milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000
    if seconds < 60 { return "\(seconds) s" }
    let minutes = seconds / 60
    if minutes < 60 { return "\(minutes) min" }
    return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
  }

  /// `62 %`; never 0 where something was done, never 100 before all is.
  static func percent(_ fraction: Double) -> String {
    if fraction <= 0 { return "0 %" }
    if fraction >= 1 { return "100 %" }
    return "\(min(99, max(1, Int((fraction * 100).rounded())))) %"
  }

  /// How many of so many things a share is.
  static func share(_ fraction: Double, of count: Int) -> Int { Int((fraction * Double(count)).rounded()) }

  /// `5 of 14`.
  static func progress(_ progress: Progress) -> String { "\(progress.done) of \(progress.total)" }
}
