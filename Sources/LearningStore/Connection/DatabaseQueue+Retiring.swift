import GRDB
import Synchronization

extension DatabaseQueue {
  /// Closes the connection, but keeps the object until the process ends.
  ///
  /// When a dispatch queue is deallocated, libdispatch disposes of its specific values on another thread. The first
  /// time this happens, libdispatch starts to check its threads once per second and never stops, so an idle browser
  /// would never sleep.
  ///
  /// Source: libdispatch, `src/queue.c` (disposing of a queue's specific values) and `src/event/workqueue.c`.
  func retire() {
    // If closing fails, the connection is closed when the process ends.
    try? close()
    Self.retired.withLock { $0.append(self) }
  }

  private static let retired = Mutex<[DatabaseQueue]>([])
}
