import LearningModel
import Testing

@testable import CourseFormats

struct AnkiLogEntryTests {
  private func entry(
    _ day: Int, _ rating: CardRating?, _ interval: Int, kind: Int64 = 1, factor: Int64 = 2300
  ) -> AnkiLogEntry {
    AnkiLogEntry(
      at: Timestamp(milliseconds: Int64(day) * 86_400_000), rating: rating, interval: interval, milliseconds: 5_000,
      kind: kind, factor: factor)
  }

  private func answers(_ entries: [AnkiLogEntry]) -> [String] {
    AnkiLogEntry.answers(entries).map { answer in
      let day = answer.at.milliseconds / 86_400_000
      let memory = answer.memory.map {
        " S \(Int($0.stability.rounded())), D \(Int(($0.difficulty * 10).rounded()))/10"
      }
      return "\(answer.isReset ? "reset " : "")\(day) \(answer.rating.name)\(memory ?? "")"
    }
  }

  @Test func `a log that begins with learning steps has no memory of its own`() {
    #expect(answers([entry(1, .good, -600, kind: 0), entry(2, .good, 3)]) == ["1 good", "2 good"])
  }

  @Test func `a log that begins in the middle starts with the first interval of a day or more`() {
    #expect(
      answers([entry(1, .again, -600, kind: 2), entry(2, .good, 46), entry(48, .good, 100)])
        == ["1 again", "2 good S 46, D 64/10", "48 good"])
  }

  @Test func `an ease from 100 to 1100 is FSRS's difficulty, and 0 is the usual ease`() {
    #expect(answers([entry(1, .good, 20, factor: 600)]) == ["1 good S 20, D 55/10"])
    #expect(answers([entry(1, .good, 20, factor: 0)]) == answers([entry(1, .good, 20, factor: 2500)]))
  }

  @Test func `a card becomes new again after a reset, and with new learning steps`() {
    let reset = entry(5, nil, 0, kind: 4, factor: 0)
    #expect(
      answers([entry(1, .good, -600, kind: 0), entry(2, .good, 3), reset, entry(6, .easy, 8, kind: 0)])
        == ["1 good", "2 good", "reset 6 easy"])
    #expect(
      answers([entry(1, .good, -600, kind: 0), entry(2, .good, 3), entry(6, .easy, 8, kind: 0)])
        == ["1 good", "2 good", "reset 6 easy"])
    // Changes of the due date are no answers.
    #expect(
      answers([entry(1, .good, 3, kind: 0), entry(2, nil, 30, kind: 4), entry(30, .good, 60)]) == ["1 good", "30 good"])
  }

  @Test(arguments: [(3, 0, true), (3, 2500, false), (1, 0, false), (4, 0, false)] as [(Int64, Int64, Bool)])
  func `answers in a filtered deck that do not change the schedule are cramming`(
    kind: Int64, factor: Int64, isCramming: Bool
  ) {
    #expect(entry(1, .good, 3, kind: kind, factor: factor).isCramming == isCramming)
  }
}
