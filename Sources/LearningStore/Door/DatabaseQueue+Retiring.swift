import GRDB
import Synchronization

extension DatabaseQueue {
  /// Closes the connection, and keeps the little that is left of it for as long as the process runs.
  ///
  /// A queue that goes away hands what was attached to it to another thread; the first time that happens, libdispatch
  /// begins to look at its threads once a second, and never stops. A browser that nobody touches would never sleep.
  ///
  /// Source: libdispatch, `src/queue.c` (disposing of a queue's specific values) and `src/event/workqueue.c`.
  func retire() {
    // What cannot be closed now is closed with the process.
    try? close()
    Self.retired.withLock { $0.append(self) }
  }

  private static let retired = Mutex<[DatabaseQueue]>([])
}
