import Foundation
import GRDB
import LearningModel
import NavigationKit
import TestSupport

/// The time of reviews with a million cards and a million answers.
struct ReviewSpeed {
  private static let cardsPerActivity = 100
  /// 2026-09-21, in the days of reviews.
  private static let today = 20_717
  private static let answers = 1_000
  let databases: Databases
  let base: String
  let seed: UInt64

  func table() throws -> Table {
    let path = try databases.path("review-1m", seed: seed) { path in
      try FileManager.default.copyItem(atPath: base, toPath: path)
      _ = try self.service(on: path).perform(.resume)
      try fill(path)
    }

    let service = try self.service(on: try databases.copy(path))
    var (next, opened, mapped) = (Samples(), Samples(), Samples())
    _ = try service.reviews.nextCard()
    for _ in 0..<50 {
      try next.measure(.process) { _ = try service.reviews.nextCard() }
      try mapped.measure(.process) { _ = try service.reviews.days(last: 365) }
      try opened.measure(.process) {
        _ = try service.reviews.overview()
        _ = try service.reviews.forecast(days: 14)
        _ = try service.reviews.days(last: 365)
        _ = try service.reviews.retentionByMonth()
      }
    }
    let (ours, raw, statements) = try answer(path)

    var table = Table(
      "Reviews: 1,000,000 cards, 2,000 of them due, and 1,000,000 answers of a year",
      note:
        "Processor time, the median of 50 queries, \(Self.answers.grouped) answers and 3 fits. An answer is compared with "
        + "its own \(statements) statements through SQLite's C interface.", columns: ["what", "time"])
    table.add("the card to ask next", next.median.asTime, target: "≤ 2 ms", isMet: next.median <= 2e6)
    table.add("the heat map of a year", mapped.median.asTime, target: "≤ 50 ms", isMet: mapped.median <= 50e6)
    table.add("everything that the tab shows", opened.median.asTime, target: "≤ 30 ms", isMet: opened.median <= 30e6)
    let ratio = ours / raw
    table.add(
      "an answer, with its event", "\(ours.asTime), \(ratio.asRatio) raw statements", target: "≤ 1.3 ×",
      isMet: ratio <= 1.3)
    let fitted = fit()
    table.add("fitting the weights to 10,000 answers", fitted.asTime, target: "≤ 5 s", isMet: fitted <= 5e9)
    return table
  }

  /// Returns the time of fitting the weights to the answers of a learner who forgets a tenth of the cards.
  private func fit() -> Double {
    var random = SplitMix64(seed: seed)
    let cards = (0..<1_000).map { _ in
      var day = random.below(300)
      let answers = (0..<10).map { number in
        defer { day += 1 + random.below(1 << min(number, 7)) }
        return AnsweredCard.Answer(rating: random.oneIn(10) ? .again : .good, day: day)
      }
      return AnsweredCard(answers: answers)
    }
    let fitting = WeightFitting(cards)
    var samples = Samples()
    for _ in 0..<3 { samples.measure(.process) { _ = fitting.fit(before: fitting.testDay, checking: {}) } }
    return samples.median
  }

  private func answer(_ path: String) throws -> (ours: Double, raw: Double, statements: Int) {
    let cards = try self.service(on: path).cards.all(in: "course-0", limit: Self.answers).map(\.id)
    let recorded = Statements()
    let recording = try databases.copy(path)
    try recorded.record { beginSegment in
      let service = try self.service(on: recording)
      for card in cards {
        beginSegment()
        try service.reviews.answer(card, .good)
      }
    }
    let service = try self.service(on: try databases.copy(path))
    let replay = try recorded.replay(on: try databases.copy(path))
    try replay.runPreparation()
    var (ours, raw) = (Samples(reserving: cards.count), Samples(reserving: cards.count))
    for (number, card) in cards.enumerated() {
      var (one, other) = (Samples(), Samples())
      try one.measure(.process) { try service.reviews.answer(card, .good) }
      try other.measure(.process) { try replay.run(piece: number) }
      guard number >= 100 else { continue }
      ours.add(nanoseconds: one.median)
      raw.add(nanoseconds: other.median)
    }
    return (ours.median, raw.median, recorded.count / cards.count)
  }

  private func service(on path: String) throws -> NavigationService {
    try NavigationService(
      databaseAt: path, learner: "ada", session: .named("benchmark"), timeZone: TimeZone(identifier: "UTC")!,
      now: { Timestamp(milliseconds: Int64(Self.today) * 86_400_000 + 43_200_000) })
  }

  /// Writes the cards, memories and days. The activities get a deck of flashcards each.
  private func fill(_ path: String) throws {
    var random = SplitMix64(seed: seed)
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      let learner = try Int64.fetchOne(database, sql: "SELECT id FROM learner") ?? 1
      let course = try Int64.fetchOne(database, sql: "SELECT id FROM contentNode WHERE parent IS NULL") ?? 1
      let deck = (0..<Self.cardsPerActivity).map { "{\"back\":\"back\",\"front\":\"front \($0)\"}" }
      let content = "{\"flashcards\":[\(deck.joined(separator: ","))]}"
      let nodes = try Int64.fetchAll(database, sql: "SELECT id FROM contentNode WHERE kind = 'activity' ORDER BY id")
      let card = try database.makeStatement(
        sql: "INSERT INTO card VALUES (?, ?, ?, '', ?, ?, '0000000000000000', '0000000000000000')")
      let memory = try database.makeStatement(
        sql: """
          INSERT INTO cardMemory VALUES (?, ?, ?, ?, 'review', 0, ?, 5, ?, 3, 0, 0, ?, ?, NULL, 0, NULL, ?, 1, 1, 0)
          """)
      for node in nodes {
        try database.execute(
          sql: "UPDATE activityContent SET type = 'flashcards', content = ?, items = ? WHERE node = ?",
          arguments: [content, Self.cardsPerActivity, node])
        try database.execute(
          sql: "INSERT INTO cardTotal VALUES (?, ?)", arguments: [node, Self.cardsPerActivity])
        try database.execute(
          sql: "INSERT INTO cardsMet VALUES (?, ?, ?)", arguments: [learner, node, Self.cardsPerActivity])
        for position in 0..<Self.cardsPerActivity {
          let key = "card-\(position)"
          try card.execute(arguments: [node, key, key, position, position])
          let isDue = random.oneIn(500)
          let due = isDue ? Self.today - random.below(30) : Self.today + 1 + random.below(700)
          let interval = 1 + random.below(300)
          try memory.execute(arguments: [
            learner, node, key, course, Double(interval), interval, due - interval, due, due,
          ])
        }
      }
      for day in 0..<365 {
        try database.execute(
          sql: "INSERT INTO reviewDay VALUES (?, ?, ?, 2740, 20, 2600, 2400, 9000000)",
          arguments: [learner, Self.today - day, course])
      }
    }
  }
}
