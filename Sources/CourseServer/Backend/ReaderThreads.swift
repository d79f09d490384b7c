import NIOPosix

/// The threads that may wait for the database. A request is answered on one of them from its beginning to its end: each
/// change of threads on the way would wait for a processor anew, for milliseconds where the machine is busy.
final class ReaderThreads: TaskExecutor {
  private let pool: NIOThreadPool

  /// Begins.
  init(count: Int) {
    pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Also while they end: a task that is not run would never end.
    pool.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Ends, when what waits is done.
  func stop() async { try? await pool.shutdownGracefully() }
}
