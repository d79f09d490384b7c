import LearningModel
import NavigationKit
import Testing

@testable import CoursePages

struct FlashcardSessionTests {
  private let deck = ["one", "two", "three"].map { Flashcard(front: [.text($0)], back: [.rule]) }

  private func session(_ grades: [Int: Bool] = [:], introduction: [Block] = []) -> FlashcardSession {
    var session = FlashcardSession(deck, introduction: introduction)
    session.restore(grades)
    return session
  }

  private func grade(_ session: inout FlashcardSession, _ grades: Bool...) -> [ActivityEventContent?] {
    grades.map {
      session.turnOver()
      return session.grade(isKnown: $0)
    }
  }

  @Test func `a deck without introduction and grades begins with its first card`() {
    #expect(session().topCard == 0)
    #expect(session(introduction: [.rule]).currentRound == nil)
    #expect(session([0: true]).currentRound == nil)
    #expect(session([7: true]).grades.isEmpty, "the deck has no card 7")
  }

  @Test(
    arguments: [
      ([:], [0, 1, 2]), ([0: true], [1, 2]), ([0: false, 1: true, 2: true], [0]),
      ([0: true, 1: true, 2: true], [0, 1, 2]),
    ] as [([Int: Bool], [Int])])
  func `a round has the new cards, otherwise the unknown cards, otherwise all`(_ grades: [Int: Bool], _ cards: [Int]) {
    var session = session(grades)

    session.begin()

    #expect(session.currentRound?.cards == cards)
  }

  @Test func `grading requires a visible back and returns the event to record`() {
    var session = session()
    let early = session.grade(isKnown: true)

    let events = grade(&session, true, false)

    #expect(early == nil)
    #expect(events == [.cardGraded(card: 0, of: 3, isKnown: true), .cardGraded(card: 1, of: 3, isKnown: false)])
    #expect(session.knownCount == 1 && session.unknownCards == [1] && session.remaining == [2])
    #expect(session.remainingSeconds(of: 90) == 30)
  }

  @Test func `restarting repeats the current round, the unknown cards or all cards`() {
    var session = session([0: false])
    session.begin()
    _ = grade(&session, true)
    session.restart()
    #expect(session.currentRound == ReviewRound(cards: [1, 2], gradedBefore: 1))

    _ = grade(&session, true, true)
    session.restart()

    #expect(session.currentRound?.cards == [0])
    var fresh = self.session([0: false])
    fresh.restart()
    #expect(fresh.currentRound?.cards == [0, 1, 2])
  }

  @Test func `a card whose grade was undone is on top with its back visible, in its round or in a new one`() {
    var session = session()
    _ = grade(&session, true, false, true)
    session.show(undone: 2, grades: [0: true, 1: false])
    #expect(session.topCard == 2 && session.isTurnedOver && session.currentRound?.cards == [0, 1, 2])
    #expect(session.grades == [0: true, 1: false])

    session.show(undone: 0, grades: [1: false])
    #expect(session.topCard == 0 && session.isTurnedOver && session.currentRound?.cards == [0, 2])
    #expect(session.currentRound?.positionText == "card 2 of 3")
    session.show(undone: 7, grades: [:])
    #expect(session.topCard == 0 && session.grades == [1: false])
  }

  @Test func `looking up cards suspends the round until it is continued`() {
    var session = session()
    _ = grade(&session, true)
    let round = session.currentRound

    session.showMatches([2])
    #expect(session.currentRound == nil && session.suspendedRound == round && session.matchingCards == [2])

    let isContinued = session.continueSuspended()
    #expect(isContinued && session.currentRound == round && session.matchingCards.isEmpty)
    let isContinuedAgain = session.continueSuspended()
    #expect(!isContinuedAgain)
  }

  @Test func `the stored position is the card on top, until all cards are graded`() {
    var session = session()
    let time = Timestamp(milliseconds: 5)
    #expect(session.position(at: time) == ReadingPosition(block: 0, fraction: 0, heading: nil, savedAt: time))

    _ = grade(&session, true)
    #expect(
      session.position(at: time) == ReadingPosition(block: 1, fraction: 1.0 / 3, heading: "two", savedAt: time))
    _ = grade(&session, true, true)

    #expect(session.position(at: time) == ReadingPosition(block: 0, fraction: 1, heading: nil, savedAt: time))
  }
}
