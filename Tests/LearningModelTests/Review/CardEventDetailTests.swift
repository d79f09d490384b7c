import Foundation
import LearningModel
import TestSupport
import Testing

struct CardEventDetailTests {
  @Test func `the details are the same bytes as those of Foundation's encoder`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var random = SplitMix64(seed: 5)
    func number() -> Int? { random.oneIn(2) ? random.below(1 << 30) - (1 << 20) : nil }
    let keys = ["a/c1", "987d2", "\"quoted\"", "back\\slash", "tab\t", "ünï", "del\u{7F}", ""]
    for _ in 0..<500 {
      var detail = CardEventDetail(key: keys[random.below(keys.count)])
      (detail.rating, detail.day, detail.ms, detail.step) = (number(), number(), number(), number())
      (detail.seconds, detail.days, detail.due) = (number(), number(), number())
      (detail.answers, detail.lapses, detail.card, detail.of) = (number(), number(), number(), number())
      if random.oneIn(2) { detail.known = random.oneIn(2) }
      if random.oneIn(2) { detail.phase = CardPhase.allCases[random.below(CardPhase.allCases.count)] }
      if random.oneIn(8) { detail.stability = Double(random.below(100)) / 7 }
      if random.oneIn(8) { detail.front = keys[random.below(keys.count)] }

      #expect(detail.json == String(decoding: try encoder.encode(detail), as: UTF8.self))
    }
  }
}
