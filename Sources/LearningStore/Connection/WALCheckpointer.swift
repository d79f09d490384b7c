import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// Runs the checkpoints of the write-ahead log on a separate thread, so that commits do not wait for the disk.
///
/// By default, SQLite checkpoints inside the commit that makes the log long. If writers never pause, it does so inside
/// every commit, because the log never restarts.
///
/// Source: SQLite, "Write-Ahead Logging", section 2.3, "Performance Considerations", and section 6, "Avoiding
/// Excessively Large WAL Files".
final class WALCheckpointer: Sendable {
  /// A checkpoint starts each time the log has grown by this number of pages.
  private static let pagesPerCheckpoint = 1_000
  /// The maximum number of pages that a navigation event writes. If several programs write, only the program whose
  /// commit has just extended the log past a multiple of ``pagesPerCheckpoint`` runs the checkpoint.
  private static let pagesPerStep = 24
  /// The length in pages from which writers and readers are blocked so that the log can restart. A log that keeps
  /// growing uses new pages of the file and of memory, which makes each commit an eighth slower.
  private static let longLogPages = 4_000
  /// How long, in seconds, a restart of the log waits for each of: another checkpoint, the writer, and reads that began
  /// earlier. Writers may wait as long.
  private static let restartTimeout = 0.1
  /// The length in pages from which a commit runs the checkpoint itself, because the checkpoints on other threads have
  /// not shortened the log.
  private static let maximumLogPages = 48_000
  /// The same limit for the first commit of a store, which starts no checkpoint on another thread.
  private static let longTransactionPages = 4_000
  /// The delay in milliseconds before a checkpoint starts, so that it does not slow down the queries that follow the
  /// commit.
  private static let pauseMilliseconds = 5

  private struct State {
    var commits = 0
    var isWorking = false
    /// Whether another thread waits for the end of the checkpoint.
    var isRequested = false
    /// The length of the log in pages after the last commit.
    var last = 0
  }

  private let path: String
  private let state = Mutex(State())
  private let renewal = Mutex<(@Sendable () -> Void)?>(nil)
  /// The connection that runs the checkpoints. It stays open between them, because a new connection first reads the
  /// whole schema, which takes as long as many commits.
  private let connection = Mutex<DatabaseQueue?>(nil)

  init(for path: String) { self.path = path }

  /// Sets the function that restarts the log immediately after everything in it has been checkpointed.
  ///
  /// Otherwise the next commit would restart the log. It would wait until the new log header is on disk, which takes
  /// longer than the commit itself.
  ///
  /// Source: SQLite, `sqlite3WalFrames` in `wal.c`, and its ticket ff5be73dee.
  func renewLog(_ body: @escaping @Sendable () -> Void) {
    renewal.withLock { $0 = body }
  }

  /// Observes the commits of a connection. This object must live as long as the connection.
  func observeCommits(_ database: Database) {
    let checkpointer = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      database.sqliteConnection,
      { checkpointer, connection, name, pages in
        guard let checkpointer else { return SQLITE_OK }
        if Unmanaged<WALCheckpointer>.fromOpaque(checkpointer).takeUnretainedValue().isOverdue(Int(pages)) {
          sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
        return SQLITE_OK
      }, checkpointer)
  }

  /// Waits until this process runs no checkpoint.
  func finish() {
    state.withLock { $0.isRequested = true }
    while state.withLock({ $0.isWorking }) { pause(milliseconds: 1) }
    state.withLock { $0.isRequested = false }
  }

  /// Waits for a running checkpoint and closes the connection.
  func close() {
    finish()
    connection.withLock { connection in
      connection?.retire()
      connection = nil
    }
  }

  /// Records a commit, and starts a checkpoint on another thread if one is due.
  ///
  /// - Parameter pages: The length of the log in pages.
  /// - Returns: Whether the caller must run a checkpoint itself.
  private func isOverdue(_ pages: Int) -> Bool {
    let (isDue, isFirst) = state.withLock { state in
      state.commits += 1
      let growth = pages - min(state.last, pages)
      state.last = pages
      let endsRound = pages % Self.pagesPerCheckpoint < Self.pagesPerStep || growth >= Self.pagesPerCheckpoint / 2
      // The first commit starts no thread, because a program that commits only once would exit before the thread
      // finished.
      let isFirst = state.commits == 1
      guard pages >= Self.pagesPerCheckpoint, endsRound, !isFirst, !state.isWorking else { return (false, isFirst) }
      state.isWorking = true
      return (true, false)
    }
    if isDue { Thread.detachNewThread { self.checkpoint() } }
    return !isDue && pages >= (isFirst ? Self.longTransactionPages : Self.maximumLogPages)
  }

  private func checkpoint() {
    defer { state.withLock { $0.isWorking = false } }
    for _ in 0..<Self.pauseMilliseconds where !state.withLock({ $0.isRequested }) { pause(milliseconds: 1) }
    // If a checkpoint is impossible now, because another process is running one or is reading, it is repeated later.
    guard let connection = try? opened() else { return }
    connection.inDatabase { database in
      // Writers continue during a checkpoint, so each one leaves fewer pages than the previous one.
      var log = (pages: 0, rest: 1)
      for _ in 0..<3 where log.rest > 0 {
        guard let result = Self.checkpoint(database, SQLITE_CHECKPOINT_PASSIVE) else { return }
        log = result
      }
      // Many remaining pages mean that a long read needs an old state. Waiting for it would only block the writers.
      if log.pages >= Self.longLogPages, log.rest <= Self.pagesPerCheckpoint {
        log = Self.checkpoint(database, SQLITE_CHECKPOINT_RESTART) ?? log
      }
      if log.rest == 0 { renewal.withLock { $0 }?() }
    }
  }

  /// Copies pages of the log into the database file.
  ///
  /// A passive checkpoint copies only pages that no reader of an older state needs, and blocks no other connection. The
  /// log restarts only if no reader uses it at the next write, so it keeps growing while short reads overlap.
  /// `SQLITE_CHECKPOINT_RESTART` blocks the writers until earlier reads have ended; later reads use the database file.
  ///
  /// Source: SQLite, `sqlite3_wal_checkpoint_v2`.
  ///
  /// - Returns: The length of the log in pages, and the number of pages that are not copied yet. `nil` if another
  ///   connection is running a checkpoint, or a connection did not finish in time.
  private static func checkpoint(_ database: Database, _ mode: Int32) -> (pages: Int, rest: Int)? {
    // The store may have closed the connection in the meantime.
    guard let connection = database.sqliteConnection else { return nil }
    var (pages, done): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(connection, nil, mode, &pages, &done)
    return code == SQLITE_OK && pages >= 0 ? (Int(pages), Int(pages - done)) : nil
  }

  /// Returns the connection that runs the checkpoints, and opens it if necessary.
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
