import LearningModel
import Testing

@testable import NavigationKit

/// The numbers of due cards, and the grades that count as answers.
struct ReviewCountTests {
  private let fixture: ReviewFixture
  private var service: NavigationService { fixture.service }

  init() throws { fixture = try ReviewFixture() }

  @Test func `each row is what a review of its place alone would ask`() throws {
    try fixture.begin("words")
    _ = try service.setReview(ReviewSettingsChange(newCards: 4))

    let all = try service.reviewOverview()
    let course = try service.reviewOverview(of: "cards").total
    let deck = try service.reviewOverview(of: ReviewFixture.path("words")).total

    #expect(([all.total.new, course.new, deck.new] as [Int]) == [4, 4, 4])
    #expect(all.courses.map(\.new) == [4])
    #expect(all.courses.map(\.notMet) == [6])
    var asked = 0
    while try fixture.answerNext(.easy) != nil { asked += 1 }
    #expect(asked == 4)
  }

  @Test func `a grade in a deck is the answer to its card`() throws {
    let deck = ReviewFixture.path("words")
    for (item, isKnown) in [(0, true), (1, false)] {
      try service.record(.cardGraded(card: item, of: 6, isKnown: isKnown), in: deck)
    }

    let total = try service.reviewOverview().total
    #expect(([total.steps, total.new] as [Int]) == [2, 4])
    #expect(try service.reviewLog().map(\.rating) == [.again, .good])
    #expect(try fixture.next() == "front 2")
    #expect(try service.gradedCards(at: service.place(named: deck).place) == [0: true, 1: false])
    #expect(try service.check() == [])
  }

  @Test func `a deck whose cards were all graded is done, and its log can be rebuilt`() throws {
    let deck = ReviewFixture.path("words")
    for item in 0..<6 { try service.record(.cardGraded(card: item, of: 6, isKnown: true), in: deck) }

    #expect(try service.summary(of: deck).state == .done)
    #expect(try service.check() == [])
  }

  @Test func `a grade that was undone leaves the card new, and only the last grade can be undone`() throws {
    let deck = ReviewFixture.path("words")
    let place = try service.place(named: deck).place
    for item in 0..<2 { try service.record(.cardGraded(card: item, of: 6, isKnown: true), in: deck) }

    try service.undoGrade(ofFlashcard: 0, in: place)
    #expect(try service.reviewOverview().total.steps == 2)
    try service.undoGrade(ofFlashcard: 1, in: place)

    #expect(try service.reviewOverview().total.steps == 1)
    #expect(try service.reviewLog().map(\.isUndone) == [true, false])
  }

  @Test func `cards in a step, cards that are due tomorrow and buried cards come back tomorrow`() throws {
    try fixture.begin("words")
    #expect(try service.cardsComingBackTomorrow() == 0)
    let card = try #require(try service.nextCard())
    try service.bury(card.id)
    #expect(try service.cardsComingBackTomorrow() == 1)

    try fixture.answerNext(.good)

    #expect(try service.cardsComingBackTomorrow() == 2)
    #expect(try service.cardsComingBackTomorrow(in: ReviewFixture.path("words")) == 2)
    #expect(try service.cardsComingBackTomorrow(in: ReviewFixture.path("more")) == 0)
  }

  @Test func `the next lesson to learn has cards and was not begun`() throws {
    let first = try service.nextLessonToLearn()
    try fixture.begin("words")
    let second = try service.nextLessonToLearn(in: "cards")
    try service.includeCards(of: ReviewFixture.path("more"))

    #expect(first?.lesson.title == "Lesson of words" && first?.cards == 6)
    #expect(second?.lesson.title == "Lesson of more" && second?.cards == 4)
    #expect(try service.nextLessonToLearn() == nil)
  }
}
