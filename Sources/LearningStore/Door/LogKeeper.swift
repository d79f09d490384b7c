import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// Carries what the write-ahead log holds over into the database file, on a thread of its own, so that no step waits for
/// a disk.
///
/// SQLite itself does this inside the commit that finds the log long, and where writers never pause it does so inside
/// every commit, since the log then never ends and begins anew.
///
/// Source: SQLite, "Write-Ahead Logging", section 2.3, of long logs and starved checkpoints.
final class LogKeeper: Sendable {
  /// Each time the log has grown by so many pages, it is carried over.
  private static let round = 1_000
  /// Up to how many pages one step writes. Of many programs, the one whose step ends a round carries over.
  private static let step = 24
  /// The length in pages from which writers and readers are held so that the log restarts. A log that keeps growing takes
  /// new pages of the file and of memory, which costs an eighth of each step.
  private static let tooLong = 4_000
  /// The time in seconds that a restart of the log waits for each of: the other checkpointer, the writer, and reads that
  /// began before. Writers wait as long.
  private static let restartTimeout = 0.1
  /// From how many pages on a commit itself carries over: where a thread has not come to it, and in programs that end
  /// after one step.
  private static let muchTooLong = 48_000
  private static let longForOneStep = 4_000
  /// How long, in milliseconds, the step is left alone that ended a round: its learner now reads what it led to.
  private static let respite = 5

  private struct State {
    var commits = 0
    var isWorking = false
    /// Whether a thread waits for the work to be over.
    var isAwaited = false
    /// How long the log was after the last commit.
    var last = 0
  }

  private let path: String
  private let state = Mutex(State())
  private let renewal = Mutex<(@Sendable () -> Void)?>(nil)
  /// What carries over. It stays open between two rounds: a connection first reads the whole schema, which takes as long
  /// as many steps.
  private let connection = Mutex<DatabaseQueue?>(nil)

  init(for path: String) { self.path = path }

  /// Says how a log of which all was carried over begins anew, at once and not with the next step: who writes its first
  /// page waits until the disk has the head that stands before it, which takes longer than a step.
  ///
  /// Source: SQLite, `sqlite3WalFrames` in `wal.c`, and its ticket ff5be73dee.
  func renewLog(_ body: @escaping @Sendable () -> Void) {
    renewal.withLock { $0 = body }
  }

  /// Looks after what a connection commits. The keeper must live as long as the connection.
  func watch(_ database: Database) {
    let keeper = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      database.sqliteConnection,
      { keeper, connection, name, pages in
        guard let keeper else { return SQLITE_OK }
        if Unmanaged<LogKeeper>.fromOpaque(keeper).takeUnretainedValue().isOverdue(Int(pages)) {
          sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
        return SQLITE_OK
      }, keeper)
  }

  /// Waits until nothing of this process is carried over any more.
  func finish() {
    state.withLock { $0.isAwaited = true }
    while state.withLock({ $0.isWorking }) { pause(milliseconds: 1) }
    state.withLock { $0.isAwaited = false }
  }

  /// Lets go of the file, when nothing is carried over any more.
  func close() {
    finish()
    connection.withLock { connection in
      connection?.retire()
      connection = nil
    }
  }

  /// Takes note of a commit, and has the log carried over where that is due.
  ///
  /// - Returns: Whether the caller must do it.
  private func isOverdue(_ pages: Int) -> Bool {
    let (isDue, isFirst) = state.withLock { state in
      state.commits += 1
      let growth = pages - min(state.last, pages)
      state.last = pages
      let endsRound = pages % Self.round < Self.step || growth >= Self.round / 2
      // A program that does one thing ends before a thread would be done.
      let isFirst = state.commits == 1
      guard pages >= Self.round, endsRound, !isFirst, !state.isWorking else { return (false, isFirst) }
      state.isWorking = true
      return (true, false)
    }
    if isDue { Thread.detachNewThread { self.carryOver() } }
    return !isDue && pages >= (isFirst ? Self.longForOneStep : Self.muchTooLong)
  }

  private func carryOver() {
    defer { state.withLock { $0.isWorking = false } }
    for _ in 0..<Self.respite where !state.withLock({ $0.isAwaited }) { pause(milliseconds: 1) }
    // What does not work now, since another process is at it or reads, is done another time.
    guard let connection = try? opened() else { return }
    connection.inDatabase { database in
      // Writers continue during a round, so each round leaves less than the previous one.
      var log = (pages: 0, rest: 1)
      for _ in 0..<3 where log.rest > 0 {
        guard let found = Self.carryOver(database, SQLITE_CHECKPOINT_PASSIVE) else { return }
        log = found
      }
      // Many remaining pages mean that a long read keeps an old state: waiting for it would only hold the writers.
      if log.pages >= Self.tooLong, log.rest <= Self.round {
        log = Self.carryOver(database, SQLITE_CHECKPOINT_RESTART) ?? log
      }
      if log.rest == 0 { renewal.withLock { $0 }?() }
    }
  }

  /// Copies pages of the log into the database file.
  ///
  /// A passive checkpoint copies only what no reader of an older state needs, and holds no other connection. The log restarts
  /// only if no reader uses it at the next write, so overlapping short reads keep it growing. `SQLITE_CHECKPOINT_RESTART`
  /// holds the writers until the reads that began before have ended; later ones read the database file.
  ///
  /// Source: SQLite, `sqlite3_wal_checkpoint_v2`.
  ///
  /// - Returns: The length of the log in pages, and the number of them that are not copied yet. `nil` if another connection
  ///   checkpoints, or did not end in time.
  private static func carryOver(_ database: Database, _ mode: Int32) -> (pages: Int, rest: Int)? {
    // The store may have closed it in the meantime.
    guard let connection = database.sqliteConnection else { return nil }
    var (pages, done): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(connection, nil, mode, &pages, &done)
    return code == SQLITE_OK && pages >= 0 ? (Int(pages), Int(pages - done)) : nil
  }

  /// The connection that carries over.
  private func opened() throws -> DatabaseQueue {
    try connection.withLock { connection in
      if let connection { return connection }
      let opened = try open()
      connection = opened
      return opened
    }
  }

  private func open() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "waymark.log"
    // Passive checkpoints never wait.
    configuration.busyMode = .timeout(Self.restartTimeout)
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}
