import CourseFormats
import Dispatch
import Foundation
import LearningModel
import Synchronization

/// A source that is read on a thread of its own, so that an import can stop waiting for it at any moment: a parser in
/// the middle of one large text does not look whether it shall stop.
final class SourceReading: Sendable {
  private struct State {
    var draft: Result<CourseDraft, any Error>?
    var nodes = 0
    var isAbandoned = false
  }

  /// How often the import is asked whether it was cancelled.
  private static let pause = DispatchTimeInterval.milliseconds(20)

  private let state = Mutex(State())
  private let done = DispatchSemaphore(value: 0)

  private init() {}

  /// Reads a source, and waits for it.
  ///
  /// - Parameter watcher: Is told how far the reading has come, on the calling thread. Where it stops the import, the
  ///   reading continues by itself with the next node, and what comes of it is thrown away.
  /// - Throws: ``CourseFormatError``, and what the watcher throws.
  static func draft(
    of source: CourseSource, from format: String?, key: String?, watcher: ImportWatcher
  ) throws -> CourseDraft {
    let reading = SourceReading()
    let options = ReadOptions(key: key) { nodes in try reading.note(nodes) }
    let thread = Thread {
      reading.finish(Result { try FormatRegistry.read(source, from: format, options: options) })
    }
    // Readers of deeply nested sources need room.
    thread.stackSize = 8 << 20
    thread.start()
    // Here, since the end of the program may cut the thread off: what was unpacked would stay on the disk.
    defer { source.discard() }
    do {
      try watcher.tell(.reading(nodes: 0))
      while reading.done.wait(timeout: .now() + pause) == .timedOut {
        try watcher.tell(.reading(nodes: reading.state.withLock { $0.nodes }))
      }
      try watcher.tell(.reading(nodes: reading.state.withLock { $0.nodes }))
    } catch {
      reading.state.withLock { $0.isAbandoned = true }
      throw error
    }
    // It is there: that is what was waited for.
    return try reading.state.withLock { $0.draft! }.get()
  }

  private func note(_ nodes: Int) throws {
    let isAbandoned = state.withLock { state in
      state.nodes = nodes
      return state.isAbandoned
    }
    if isAbandoned { throw ImportWatcher.Cancelled() }
  }

  private func finish(_ draft: Result<CourseDraft, any Error>) {
    state.withLock { state in
      // An abandoned draft is let go here.
      if !state.isAbandoned { state.draft = draft }
    }
    done.signal()
  }
}
