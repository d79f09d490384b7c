package import LearningModel
package import NavigationKit
import WholeNumbers

/// Texts about reviews, the same in both front ends.
package enum ReviewText {
  /// Returns a count with separated thousands and its noun: `1,840 cards`.
  package static func count(_ count: Int, _ singular: String) -> String {
    "\(number(count)) \(singular)\(count == 1 ? "" : "s")"
  }

  /// Returns a number with separated thousands: `1,840`.
  package static func number(_ number: Int) -> String {
    var digits = String(number)
    var position = digits.count - 3
    while position > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: position))
      position -= 3
    }
    return digits
  }

  /// Returns an interval in full words: `less than 1 minute`, `10 minutes`, `2 hours`, `8 days`, `1.4 months`.
  package static func interval(_ interval: CardInterval) -> String { interval.text(.spoken) }

  /// Returns an interval in few columns: `<1 min`, `10 min`, `2 h`, `8 days`, `1.4 months`.
  package static func shortInterval(_ interval: CardInterval) -> String { interval.text(.abbreviated) }

  /// Returns a sentence about cards that come back: `10 cards come back today, 2 tomorrow.` `nil` for no cards.
  package static func comingBack(today: Int, tomorrow: Int) -> String? {
    switch (today, tomorrow) {
    case (0, 0): nil
    case (0, _): "\(count(tomorrow, "card")) will come back tomorrow."
    case (_, 0): "\(count(today, "card")) \(today == 1 ? "comes" : "come") back today."
    default: "\(count(today, "card")) \(today == 1 ? "comes" : "come") back today, \(number(tomorrow)) tomorrow."
    }
  }

  /// Returns the cards of a day: `13 cards: 8 to repeat, 5 new`.
  package static func cards(of day: ForecastDay, in scope: String = "") -> String {
    let isNew = day.new > 0 && day.new == day.cards
    let all = (day.cards == 0 ? "no card" : count(day.cards, isNew ? "new card" : "card")) + scope
    return day.new == 0 || isNew ? all : all + ": \(number(day.cards - day.new)) to repeat, \(number(day.new)) new"
  }

  /// Returns the notice about added cards, with the number that the daily limit permits.
  ///
  /// - Parameters:
  ///   - cards: The number of added cards.
  ///   - title: The title of their lesson, in quotation marks.
  ///   - waiting: The cards that are due now.
  ///   - limit: The maximum number of new cards on a day.
  package static func added(_ cards: Int, of title: String, waiting: WaitingReviews, limit: Int) -> String {
    let added = "Added \(count(cards, "new card")) of \(title)."
    if waiting.new >= waiting.notMet { return added + " All new cards are shown today." }
    let limitText = "\(count(limit, "new card")) a day \(limit == 1 ? "is" : "are") shown"
    return added + " \(limitText): \(waiting.new == 0 ? "no further one" : number(waiting.new) + " more") today."
  }

  /// Returns the notice about a card that was forgotten often, with a remedy unless it was suspended.
  package static func leech(_ answer: CardAnswer, remedy: String) -> String {
    "You have forgotten this card \(answer.state.lapses) times. "
      + (answer.isSuspended ? "It was suspended, as you have set." : remedy)
  }

  // MARK: - Days

  /// Returns the number of a day's weekday, from 0 for Monday.
  static func weekday(of day: Int) -> Int { ((day + 3) % 7 + 7) % 7 }

  /// Returns the name of a day's weekday: `Monday`.
  static func weekdayName(of day: Int) -> String { RelativeDateFormat.weekdays[(weekday(of: day) + 1) % 7] }

  /// Returns the day and month of a day: `3 December`.
  static func date(of day: Int) -> String {
    let parts = ReviewDay.date(of: day).split(separator: "-").compactMap { Int($0) }
    return parts.count == 3 ? "\(parts[2]) \(RelativeDateFormat.months[parts[1] - 1])" : ""
  }

  /// Returns a month such as `2026-11` in words: `November 2026`.
  static func month(_ month: String) -> String {
    let parts = month.split(separator: "-")
    guard parts.count == 2, let number = Int(parts[1]), (1...12).contains(number) else { return month }
    return "\(RelativeDateFormat.months[number - 1]) \(parts[0])"
  }

  /// Returns when a day is, in at most eight columns: `today`, `tomorrow`, `Mon` within a week, otherwise `3 Dec`.
  static func shortDay(_ day: Int, today: Int) -> String {
    switch day - today {
    case ...0: return "today"
    case 1: return "tomorrow"
    case 2..<7: return String(weekdayName(of: day).prefix(3))
    default:
      let parts = date(of: day).split(separator: " ")
      return parts.map { $0.prefix(3) }.joined(separator: " ")
    }
  }

  /// Returns when a day is: `tomorrow`, `on Monday` within a week, otherwise `on 3 December`.
  static func when(_ day: Int, today: Int) -> String {
    switch day - today {
    case ...0: "today"
    case 1: "tomorrow"
    case 2..<7: "on " + weekdayName(of: day)
    default: "on " + date(of: day)
    }
  }
}

/// The cards of today, in words. A pile of overdue cards is described without blame.
package struct ReviewOutlook {
  /// The due cards, and the answers of today.
  package let overview: ReviewOverview
  /// The first day after today on which cards become due, or `nil` without such a day. Only determined if no card is due.
  package let nextDay: ForecastDay?

  /// Creates an outlook.
  ///
  /// - Parameter place: The place whose cards are counted, or `nil` for all courses.
  package init(of navigation: NavigationService, in place: PlaceName? = nil) throws(NavigationError) {
    overview = try navigation.reviews.overview(of: place)
    nextDay =
      overview.total.today == 0
      ? try navigation.reviews.forecast(days: 3_650, in: place).dropFirst().first { $0.cards > 0 } : nil
  }

  /// Creates an outlook from its values.
  init(overview: ReviewOverview, nextDay: ForecastDay?) {
    self.overview = overview
    self.nextDay = nextDay
  }

  /// Whether the learner has no cards: none wait, none will, and none were answered today.
  package var isEmpty: Bool {
    let total = overview.total
    return total.due + total.later + total.notMet + overview.done.answers == 0 && nextDay == nil
  }

  /// The description, as sentences.
  package var sentences: [String] {
    let total = overview.total
    if isEmpty { return ["No cards yet.", "Cards are added when you read or answer something in their lesson."] }
    if total.today == 0 { return sentencesWithoutCards }
    let repeated = total.steps + total.reviews
    if total.due > repeated, total.reviews > 0 {
      let rest =
        total.reviews == 1
        ? "Today's card is the one that you have most likely forgotten."
        : "Today's \(ReviewText.number(total.reviews)) are those that you have most likely forgotten."
      let new = total.new == 0 ? [] : ["\(ReviewText.count(total.new, "new card")) \(verb(total.new)) today."]
      return ["\(ReviewText.count(total.due, "card")) are due.", rest] + new
    }
    let wait = total.today == 1 ? "is due" : "are due"
    if total.new == 0 { return ["\(ReviewText.count(total.today, "card")) \(wait) today."] }
    if repeated == 0 { return ["\(ReviewText.count(total.new, "new card")) \(wait) today."] }
    return [
      "\(ReviewText.count(total.today, "card")) \(wait) today: "
        + "\(ReviewText.number(repeated)) to repeat, \(ReviewText.number(total.new)) new."
    ]
  }

  private func verb(_ count: Int) -> String { count == 1 ? "is added" : "are added" }

  private var sentencesWithoutCards: [String] {
    var sentences = ["There is no card to answer now."]
    if overview.done.answers > 0 {
      sentences.append("You have given \(ReviewText.count(overview.done.answers, "answer")) today.")
    }
    let later = overview.total.due - overview.total.steps
    if overview.total.later > 0 {
      let count = overview.total.later
      sentences.append("\(ReviewText.count(count, "card")) \(count == 1 ? "returns" : "return") later today.")
    } else if later > 0 {
      sentences.append("\(ReviewText.count(later, "card")) can wait until another day.")
    } else if let nextDay, let day = ReviewDay.number(ofDate: nextDay.date),
      let today = ReviewDay.number(ofDate: overview.date)
    {
      let cards =
        nextDay.cards == 1 ? "The next card is due" : "The next \(ReviewText.number(nextDay.cards)) cards are due"
      sentences.append("\(cards) \(ReviewText.when(day, today: today)).")
    }
    return sentences
  }
}

extension CardInterval {
  /// Returns the interval, rounded to whole minutes, hours or days, or to tenths of a month or a year.
  fileprivate func text(_ form: DisplayFormat.DurationForm) -> String {
    func count(_ value: Double, _ unit: String, _ abbreviation: String? = nil) -> String {
      let tenths = (value * 10).rounded() / 10
      let number = tenths == tenths.rounded() ? String(Int(clamping: tenths)) : String(tenths)
      if form == .abbreviated, let abbreviation { return "\(number) \(abbreviation)" }
      return "\(number) \(unit)\(number == "1" ? "" : "s")"
    }
    return switch self {
    case .seconds(..<60): form == .abbreviated ? "<1 min" : "less than 1 minute"
    case .seconds(let seconds) where seconds < 3600: count(Double((seconds + 30) / 60), "minute", "min")
    case .seconds(let seconds): count(Double((seconds + 1800) / 3600), "hour", "h")
    case .days(let days) where days < 30: count(Double(days), "day")
    case .days(let days) where days < 365: count(Double(days) / 30.4375, "month")
    case .days(let days): count(Double(days) / 365.25, "year")
    }
  }
}
