import LearningModel

/// An entry in the log of a collection.
///
/// Source: Anki manual, "The `revlog` Table"; the rules for the beginning of a card's history are those of Anki,
/// `rslib/src/scheduler/fsrs`.
struct AnkiLogEntry {
  let at: Timestamp
  /// `nil` if the entry is not an answer, such as a change of the due date.
  let rating: CardRating?
  /// The interval in days or, if it is negative, in seconds.
  let interval: Int
  let milliseconds: Int
  /// 0 learning, 1 review, 2 relearning, 3 filtered deck, 4 change by hand, 5 change of the settings.
  let kind: Int64
  /// SM-2's ease in thousandths; or FSRS's difficulty, from 100 to 1,100; or 0.
  let factor: Int64

  /// Whether the entry is an answer in a filtered deck without effect on the schedule.
  var isCramming: Bool { kind == 3 && factor == 0 }

  private var isReset: Bool { kind == 4 && factor == 0 }
  private var isLearning: Bool { rating != nil && kind == 0 }
  private var isDayOrLonger: Bool { interval >= 1 || interval <= -86_400 }

  /// Returns the answers of a card, in the order of their times. A card becomes new again after a reset, and with learning steps after
  /// other answers, because older versions did not log a reset.
  static func answers(
    _ entries: [AnkiLogEntry], model: MemoryModel = .standard
  ) -> [CardProgress.Answer] {
    var histories: [[AnkiLogEntry]] = [[]]
    for entry in entries {
      let last = histories.last?.last { $0.rating != nil }
      if entry.isReset || entry.isLearning && last?.isLearning == false { histories.append([]) }
      if entry.rating != nil { histories[histories.count - 1].append(entry) }
    }
    histories.removeAll(where: \.isEmpty)
    return histories.enumerated().flatMap { number, history in
      // Without learning steps, the beginning of the history is missing.
      let start = history.contains(where: \.isLearning) ? nil : history.firstIndex(where: \.isDayOrLonger)
      return history.indices.compactMap { index in
        let entry = history[index]
        return entry.rating.map {
          CardProgress.Answer(
            at: entry.at, rating: $0, milliseconds: entry.milliseconds,
            interval: entry.interval < 0 ? .seconds(-entry.interval) : .days(entry.interval),
            isReset: number > 0 && index == 0,
            memory: index == start
              ? memory(factor: entry.factor, days: Int64(max(1, entry.interval)), model: model) : nil)
        }
      }
    }
  }

  /// Returns the memory of a card from its ease and interval.
  static func memory(factor: Int64, days: Int64, model: MemoryModel = .standard) -> CardMemory {
    let ease = factor == 0 ? 2.5 : Double(factor) / 1000
    var memory = model.memory(fromEase: ease, days: Double(days))
    if ease <= 1.1 { memory = CardMemory(stability: memory.stability, difficulty: (ease - 0.1) * 9 + 1) }
    return memory
  }
}
