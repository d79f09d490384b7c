import BenchmarkReference

/// Recorded statements of the store in segments, and connections that replay them with SQLite's C interface.
final class Statements {
  private let log = statement_log_make()!
  /// The index of the first statement of each segment.
  private(set) var marks: [Int] = []

  deinit { statement_log_free(log) }

  /// Records the statements of all connections that are opened inside the closure. Each call of `beginSegment` begins a
  /// segment.
  func record(_ body: (_ beginSegment: () -> Void) throws -> Void) rethrows {
    statement_log_record(log)
    defer { statement_log_record(nil) }
    try body { marks.append(statement_log_count(log)) }
    marks.append(statement_log_count(log))
  }

  /// The number of statements.
  var count: Int { statement_log_count(log) }

  /// Returns the text of a statement.
  func text(_ index: Int) -> String { String(cString: statement_log_text(log, index)) }

  /// Opens a database to replay the statements.
  func replay(on path: String) throws -> Replay {
    guard let replay = statement_replay_open(path, log) else { throw BenchmarkError.missing("database '\(path)'") }
    return Replay(replay, marks: marks)
  }

  /// A connection that replays recorded statements.
  final class Replay {
    private let replay: OpaquePointer
    private let marks: [Int]

    init(_ replay: OpaquePointer, marks: [Int]) {
      self.replay = replay
      self.marks = marks
    }

    deinit { statement_replay_close(replay) }

    /// Runs a range of statements and returns the number of rows.
    @discardableResult
    func run(from first: Int, to end: Int) throws -> Int {
      let rows = statement_replay_run(replay, first, end)
      guard rows >= 0 else { throw BenchmarkError.differs(String(cString: statement_replay_error(replay))) }
      return Int(rows)
    }

    /// Returns the number of pages that were requested since the last call, and how many of them were not cached.
    func pages() -> (asked: Int, missed: Int) {
      var (asked, missed): (CInt, CInt) = (0, 0)
      statement_replay_pages(replay, &asked, &missed)
      return (Int(asked), Int(missed))
    }

    /// Runs the statements before the first segment.
    func runPreparation() throws { try run(from: 0, to: marks[0]) }

    /// Runs a segment.
    @discardableResult
    func run(piece: Int) throws -> Int { try run(from: marks[piece], to: marks[piece + 1]) }
  }
}
