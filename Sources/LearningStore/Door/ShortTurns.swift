import GRDB

/// A long work on a connection of its own, done in many short transactions between which everybody else has a turn.
struct ShortTurns {
  let database: Database
  private let patience: Patience

  init(_ database: Database, _ patience: Patience) {
    self.database = database
    self.patience = patience
  }

  /// Does one piece of the work, when it has its turn.
  ///
  /// - Returns: How long everybody else was kept waiting.
  @discardableResult
  func take(surviving durability: LearningStore.Durability = .process, _ body: () throws -> Void) throws -> Duration {
    if durability == .powerCut { try database.execute(sql: "PRAGMA synchronous = FULL") }
    defer {
      if durability == .powerCut { try? database.execute(sql: "PRAGMA synchronous = NORMAL") }
    }
    patience.begin()
    defer { patience.end() }
    var start = ContinuousClock.now
    try database.inTransaction(.immediate) {
      patience.begun()
      start = .now
      try body()
      return .commit
    }
    return start.duration(to: .now)
  }

  /// Lets those who wait go first.
  ///
  /// - Parameter time: How long they were kept waiting.
  func giveWay(after time: Duration) { patience.giveWay(after: time) }

  /// Writes rows that refer to what is not there yet.
  func withoutForeignKeys<Answer>(_ body: () throws -> Answer) throws -> Answer {
    try database.execute(sql: "PRAGMA foreign_keys = OFF")
    defer { try? database.execute(sql: "PRAGMA foreign_keys = ON") }
    return try body()
  }
}

/// How many rows a piece of a long work has, so that it takes some ten milliseconds: half, or half as much again, as
/// long as one is not in its window.
struct PieceSize {
  private(set) var rows: Int
  private let most: Int

  init(from rows: Int, to most: Int) {
    self.rows = min(rows, most)
    self.most = most
  }

  /// Takes note of how long a piece of this size took.
  mutating func adapt(to time: Duration) {
    if time > .milliseconds(14) {
      rows = max(20, rows / 2)
    } else if time < .milliseconds(6) {
      rows = min(most, rows * 3 / 2)
    }
  }
}
