import LearningModel
import NavigationKit
import TestSupport

/// Simulates several days of a learner with random steps, activity events and bookmarks.
extension NavigationService {
  func live(_ count: Int, seed: UInt64, on fixture: NavigationFixture) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<count {
      fixture.advance(seconds: Double(1 + random.below(900)))
      let children = try places.page().children.map(\.place)
      let activity = children.first { $0.kind == .activity }
      switch random.below(12) {
      case 0, 1, 2, 3: if let child = children.randomElement(using: &random) { try perform(.push(.place(child.place))) }
      case 4: try perform(.pop)
      case 5, 6: try perform(.next)
      case 7: try perform(.back)
      case 8: try perform(.open("english/meetings/opening"))
      case 9: try notes.setBookmark(random.oneIn(2), at: .place(currentPlace().place))
      case 10:
        if let activity {
          let block = random.below(9)
          try progress.save(
            ReadingPosition(
              block: block / 3, fraction: block % 3 == 0 ? 0 : 0.5, heading: "Heading", savedAt: fixture.now),
            read: ["00000000000000a\(random.below(3))": RangeSet(10..<11 + random.below(90))], in: activity.place)
          try progress.save(
            UnfinishedQuiz(answers: [[0], []], question: 1, isChecked: false), of: .two, in: activity.place)
        }
      default:
        let events: [ActivityEventContent] = [
          .seenToEnd, .markedDone, .markedNotDone,
          .quizChecked(answers: [[0], [1, 2]], score: [0.5, 1][random.below(2)]),
          .cardGraded(card: 0, of: 2, isKnown: true), .cardGraded(card: 1, of: 2, isKnown: false),
          .check(true), .check(false), .check(true, changed: false),
        ]
        if let activity { try progress.record(events[random.below(events.count)], in: .place(activity.place)) }
      }
      if random.oneIn(25) {
        try endSession()
        fixture.advance(seconds: 20_000)
      }
    }
  }

  /// Returns the learner's file.
  func file(of name: String) throws -> String {
    var text = ""
    try learners.export(name) {
      text += $0
      return true
    }
    return text
  }
}

extension [QuizQuestion] {
  /// Two questions with three choices each.
  static let two = ["Who?", "What?"].map { question in
    QuizQuestion(
      question: [.text(question)], details: [],
      choices: (0..<3).map { QuizQuestion.Choice(text: [.text("\($0)")], isRight: $0 == 1) }, explanation: [])
  }
}
