import CoursePages
import LearningModel
import NavigationKit

/// The formatting of amounts and states for screen readers: words are written out instead of symbols.
enum LinearFormat {
  /// Returns a duration: `6 minutes`, `about 20 minutes`, `about 1 hour 10 minutes`.
  static func about(minutes: Int) -> String {
    DisplayFormat.about(minutes: minutes, .spoken)
  }

  /// Returns a measured duration: `48 minutes`, `1 hour 7 minutes`, `30 seconds`.
  static func duration(milliseconds: Int64) -> String {
    DisplayFormat.duration(milliseconds: milliseconds, .spoken)
  }

  /// Returns a percentage: `62 percent`.
  static func percent(_ fraction: Double) -> String {
    DisplayFormat.percent(fraction).replacing(" %", with: " percent")
  }

  /// Returns a text that ends with a punctuation mark. Appends a full stop if necessary.
  static func ended(_ text: String) -> String {
    let last = text.last { !"”’\"')".contains($0) }
    return last.map { ".?!…:".contains($0) } ?? true ? text : text + "."
  }

  /// Returns the name of the kind of a place, such as `Goal`. Returns `List` for the list of courses.
  static func kind(_ place: NamedPlace) -> String { place.kind == .root ? "List" : capitalised(place.noun.singular) }

  /// Returns a word for the operation that led to a place, such as `opened`, `up` or `next`.
  static func came(by operation: NavigationOperation) -> String {
    operation == .repair ? "moved by a change of the course" : DisplayFormat.step(operation)
  }

  /// Returns the title of a list with the given items: `Lessons`, or `Contents` for items of several kinds.
  static func plural(_ nouns: Set<Noun>) -> String {
    nouns.count == 1 ? capitalised(nouns.first?.plural ?? "") : "Contents"
  }

  static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

// MARK: - Places

extension LinearFormat {
  /// Returns the text that follows the title of a list item.
  static func state(_ card: PlaceSummary, _ days: RelativeDateFormat) -> String {
    let state = card.place.kind == .activity ? activity(card) : contents(card, days)
    return state + (card.isBookmarked ? " Bookmarked." : "")
  }

  private static func contents(_ card: PlaceSummary, _ days: RelativeDateFormat) -> String {
    guard card.progress.total > 0 else { return "Empty." }
    switch card.state {
    case .done: return "Done."
    case .begun:
      let visit = card.lastVisitAt.map { " Last visit: \(days.on($0))." } ?? ""
      let done = [DisplayFormat.progress(card.progress) + " done", card.passedText].compactMap(\.self)
      return "Begun: \(done.joined(separator: ", ")).\(visit)"
    case .notBegun:
      let time = card.minutes == 0 ? "" : ", " + about(minutes: card.minutes)
      return "Not begun, \(card.place.levels.noun(for: .activity).counted(card.progress.total))\(time)."
    }
  }

  private static func activity(_ card: PlaceSummary) -> String {
    var details = [capitalised(card.type?.rawValue ?? "activity")]
    switch card.state {
    case _ where card.exercise != nil: details += [amount(card), card.exercise?.text ?? ""]
    case .done: details += ["done", CardModel.result(card) ?? ""]
    case .begun: details.append(CardModel.result(card) ?? startedText(card))
    case .notBegun: details += [amount(card), "not begun"]
    }
    return details.filter { !$0.isEmpty }.joined(separator: ", ") + "."
  }

  /// Returns the description of an activity that was opened: `Quiz, 5 questions.`
  static func opening(_ card: PlaceSummary) -> String {
    let state = card.exercise?.text ?? (card.state == .done ? "done" : "")
    let details = [capitalised(card.type?.rawValue ?? ""), amount(card), state]
    return details.filter { !$0.isEmpty }.joined(separator: ", ") + "." + (card.isBookmarked ? " Bookmarked." : "")
  }

  /// Returns the progress of an activity that was begun.
  private static func startedText(_ card: PlaceSummary) -> String {
    (card.portion(card.readShare) ?? percent(card.readShare)) + " " + (card.type?.itemWords?.participle ?? "read")
  }

  /// Returns the amount of content of an activity: `12 cards`, `6 minutes`.
  static func amount(_ card: PlaceSummary) -> String {
    card.items ?? (card.minutes == 0 ? "" : about(minutes: card.minutes))
  }

  /// Returns the suggested next step with its reason: `go on: Who speaks first? 62 percent read, stopped Tuesday
  /// 21:01.`
  static func nextStep(_ next: NextStep, _ days: RelativeDateFormat) -> String {
    let title = ended(next.summary.place.title)
    switch next.reason {
    case .allDone: return "Everything is done."
    case .next: return "next: \(title) \(activity(next.summary))"
    case .firstUnfinished: return "continue: \(title) \(activity(next.summary))"
    case .goOn:
      let stoppedText = next.leftAt.map { ", stopped " + days.at($0) } ?? ""
      return "continue: \(title) \(activity(next.summary).dropLast())\(stoppedText)."
    }
  }
}
