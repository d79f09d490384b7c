import LearningModel
import Testing

@testable import CoursePages
@testable import NavigationKit

struct ReviewTextTests {
  private func outlook(
    steps: Int = 0, reviews: Int = 0, new: Int = 0, due: Int? = nil, answers: Int = 0, nextDay: ForecastDay? = nil
  ) -> [String] {
    let total = WaitingReviews(
      place: NamedPlace([]), steps: steps, later: 0, nextStepAt: nil, reviews: reviews, new: new,
      due: due ?? steps + reviews,
      notMet: new, canBeAsked: true)
    let done = ReviewDaySummary(
      date: "2026-11-28", answers: answers, new: 0, reviews: answers, passed: answers, milliseconds: 0)
    let overview = ReviewOverview(date: "2026-11-28", total: total, courses: [], nextStepAt: nil, done: done)
    return ReviewOutlook(overview: overview, nextDay: nextDay).sentences
  }

  @Test func `an overdue pile is described by its first cards and without blame`() {
    #expect(
      outlook(reviews: 200, due: 1_840) == [
        "1,840 cards are due.", "Today's 200 are those that you have most likely forgotten.",
      ])
    #expect(
      outlook(steps: 2, reviews: 1, new: 20, due: 40) == [
        "40 cards are due.", "Today's card is the one that you have most likely forgotten.",
        "20 new cards are added today.",
      ])
  }

  @Test(
    arguments: [
      (0, 0, nil), (0, 1, "1 card will come back tomorrow."), (1, 0, "1 card comes back today."),
      (10, 2, "10 cards come back today, 2 tomorrow."),
    ] as [(Int, Int, String?)])
  func `the sentence about cards that come back names today and tomorrow`(today: Int, tomorrow: Int, text: String?) {
    #expect(ReviewText.comingBack(today: today, tomorrow: tomorrow) == text)
  }

  @Test(arguments: [
    (12, 12, "All new cards are shown today."), (3, 12, "10 new cards a day are shown: 3 more today."),
    (0, 12, "10 new cards a day are shown: no further one today."),
  ])
  func `a notice about added cards names the daily limit`(new: Int, notMet: Int, text: String) {
    let waiting = WaitingReviews(
      place: NamedPlace([]), steps: 0, later: 0, nextStepAt: nil, reviews: 0, new: new, due: 0, notMet: notMet,
      canBeAsked: true)

    #expect(
      ReviewText.added(12, of: "“Opening”", waiting: waiting, limit: 10) == "Added 12 new cards of “Opening”. " + text)
  }

  @Test func `a summary counts answers and names its place`() {
    var summary = ReviewSession.Summary(
      cards: 12, answers: 21, remembered: 11, milliseconds: 60_000, tomorrow: ForecastDay(date: "", cards: 5))
    #expect(summary.sentence == "You reviewed 12 cards in 1 min, and remembered 11 of 21 answers.")
    #expect(
      summary.facts(quotes: Symbols.unicode.quotes).map(\.value) == [
        "12, with 21 answers", "11 of 21 answers, 52 %", "1 min", "5 cards in all courses",
      ])
    summary.placeTitle = "Words"
    #expect(summary.facts(quotes: Symbols.unicode.quotes).last?.value == "5 cards of “Words”")
    summary.tomorrow = ForecastDay(date: "", cards: 13, new: 5)
    #expect(summary.facts(quotes: Symbols.unicode.quotes).last?.value == "13 cards of “Words”: 8 to repeat, 5 new")
  }

  @Test func `the due cards are described by repeated and new cards`() {
    #expect(outlook(steps: 1, reviews: 9, new: 14) == ["24 cards are due today: 10 to repeat, 14 new."])
    #expect(outlook(reviews: 1) == ["1 card is due today."])
    #expect(outlook(new: 12) == ["12 new cards are due today."])
  }

  @Test func `if no card is due, the next day with cards is named`() {
    #expect(outlook() == ["No cards yet.", "Cards are added when you read or answer something in their lesson."])
    #expect(
      outlook(nextDay: ForecastDay(date: "2026-11-29", cards: 12)) == [
        "There is no card to answer now.", "The next 12 cards are due tomorrow.",
      ])
    #expect(
      outlook(answers: 1, nextDay: ForecastDay(date: "2026-11-30", cards: 1)) == [
        "There is no card to answer now.", "You have given 1 answer today.", "The next card is due on Monday.",
      ])
    #expect(
      outlook(nextDay: ForecastDay(date: "2027-01-05", cards: 3)) == [
        "There is no card to answer now.", "The next 3 cards are due on 5 January.",
      ])
    #expect(
      outlook(due: 1_640, answers: 200) == [
        "There is no card to answer now.", "You have given 200 answers today.",
        "1,640 cards can wait until another day.",
      ])
  }

  @Test(arguments: [
    (CardInterval.seconds(59), "less than 1 minute"), (.seconds(60), "1 minute"), (.seconds(600), "10 minutes"),
    (.seconds(7_200), "2 hours"), (.days(1), "1 day"), (.days(8), "8 days"), (.days(43), "1.4 months"),
    (.days(767), "2.1 years"),
  ])
  func `an interval is written in full words`(interval: CardInterval, text: String) {
    #expect(ReviewText.interval(interval) == text)
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1_840, "1,840"), (1_234_567, "1,234,567")])
  func `thousands are separated`(number: Int, text: String) {
    #expect(ReviewText.number(number) == text)
  }
}
