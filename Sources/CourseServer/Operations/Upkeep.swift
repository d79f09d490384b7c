import CourseLibrary
import Foundation
import Logging
import NavigationService

/// What is done now and then, without a request.
struct Upkeep: Sendable {
  let backend: Backend
  let logger: Logger

  /// How often it is looked whether there is something to do.
  private static let interval = Duration.seconds(60)

  /// Looks until its task is cancelled.
  func run() async {
    // An import that was interrupted may have left texts that the index does not have.
    let library = backend.library
    _ = try? await withTaskExecutorPreference(backend.heavyReaders) {
      try library.index(for: 60_000, until: SearchInterruption())
    }
    var swept: Date?
    while !Task.isCancelled {
      let now = Date()
      await tidy()
      if Calendar.current.component(.hour, from: now) == backend.settings.sweepHour,
        swept.map({ now.timeIntervalSince($0) > 2 * 3_600 }) ?? true
      {
        swept = now
        await sweep()
      }
      try? await Task.sleep(for: Self.interval)
    }
  }

  /// Ends sessions that are over, deletes expired answers, and truncates a long write-ahead log.
  func tidy() async {
    let house = backend.house
    do {
      try await backend.commits.alone { try house.closeDeadSessions() }
      try await backend.commits.write { try house.forgetOldAnswers() }
      _ = try await backend.commits.alone {
        // An erasure may not have been able to clear the log.
        try house.truncateLog(over: house.isSweepPending() ? 0 : ServerSettings.longestLog)
      }
    } catch NavigationError.busy {
      // Repeated after the next interval.
    } catch {
      backend.report(error, "could not tidy")
    }
  }

  /// Takes what was erased out of the file. Steps wait meanwhile, which is why it has its hour.
  func sweep() async {
    let house = backend.house
    do {
      let isSwept = try await backend.commits.alone { try house.isSweepPending() ? house.sweep() : true }
      if !isSwept { logger.warning("could not sweep: another program reads the database; it is tried again tomorrow") }
    } catch {
      backend.report(error, "could not sweep")
    }
  }
}
