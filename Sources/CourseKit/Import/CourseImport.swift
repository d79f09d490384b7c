import CourseFormats
import Dispatch
import Foundation
import LearningModel
import LearningStore
import Synchronization

/// The import of a draft: compares it with the course in the database, checks whether to refuse it, writes it and
/// updates the search index.
struct CourseImport {
  private var draft: CourseDraft
  private var sourceKeys: SourceKeys?
  private var joined: [JoinedPlace] = []
  private var removedWithRecords: [RemovedPlace] = []
  private let options: ImportOptions
  private let store: LearningStore
  private let now: @Sendable () -> Timestamp
  private let watcher: ImportWatcher

  init(
    _ draft: CourseDraft, options: ImportOptions, store: LearningStore, now: @escaping @Sendable () -> Timestamp,
    watcher: ImportWatcher
  ) {
    self.draft = draft
    self.options = options
    self.store = store
    self.now = now
    self.watcher = watcher
  }

  /// - Parameter record: Records the progress in the source in the course at a path.
  mutating func run(recording record: ((SourceProgress, PlacePath) throws -> Void)?) throws -> ImportReport {
    guard !draft.nodes.isEmpty, !draft.isRefused else {
      let errors = draft.diagnostics.count { $0.severity == .error }
      throw CourseLibraryError.importRefused(.badSource(errors: errors), report: report())
    }
    let stored = try storedCourse()
    var comparison = CourseComparison(of: draft, with: stored)
    comparison.plan.sourceKeys = sourceKeys?.nodes ?? [:]
    comparison.plan.sourceNotes = draft.sourceNotes
    if let refusal = refusal(of: comparison, with: stored) {
      throw CourseLibraryError.importRefused(refusal, report: report(comparison, stored))
    }

    if let course = stored.course?.node.id, !comparison.removed.isEmpty {
      removedWithRecords = try store.read { snapshot in
        let records = try snapshot.learnerRecords(in: course)
        return try comparison.removed.reversed().compactMap { node in
          try records[node.id].map {
            RemovedPlace(
              kind: node.kind, title: node.title, path: try snapshot.path(of: node.id), key: node.key, records: $0)
          }
        }
      }
    }
    let path = comparison.plan.nodes.first.map { PlacePath(slugs: [$0.slug]) } ?? .root
    func recordProgress() throws { try record?(draft.progress, path) }
    guard !options.isDryRun else {
      try recordProgress()
      try compareContents(&comparison, stage: { _, _ in }, stagePicture: { _ in })
      return report(comparison, stored, difference: comparison.finish())
    }
    return try write(&comparison, stored, recordingProgress: recordProgress)
  }

  private func write(
    _ comparison: inout CourseComparison, _ stored: CourseComparison.StoredCourse,
    recordingProgress recordProgress: () throws -> Void
  ) throws -> ImportReport {
    try store.importing { writer in
      try compareContents(
        &comparison, stage: { content, index in try writer.stage(content, at: index) },
        stagePicture: { digest in
          let isThere = try store.read { try $0.hasImage(digest) }
          try writer.stage(image: digest, bytes: isThere ? nil : try draft.contents.image(digest))
        })
      var report = report(comparison, stored, difference: comparison.finish())
      report.imported = true
      if try !report.difference.isEmpty || differsOtherwise(comparison, stored) {
        let total = draft.nodes.count
        try watcher.report(.writing(total: total))
        report.revision = try writer.commit(comparison.plan, at: now(), completing: recordProgress).revision
        store.announceCourses()
      } else {
        try recordProgress()
      }
      report.diagnostics += try index()
      return report
    }
  }

  /// Updates the search index. The course is already imported, so a failure is reported as a warning only; the next
  /// search completes the index.
  private func index() throws -> [Diagnostic] {
    do {
      try store.indexSearch { done, total in try watcher.report(.indexing(done: done, total: total)) }
      return []
    } catch is ImportWatcher.Cancelled {
      return [indexIsOutdated("Indexing was cancelled.")]
    } catch is CancellationError {
      return [indexIsOutdated("Indexing was cancelled.")]
    } catch let error as LearningDatabaseError where [.inputOutput, .tryAgain].contains(error.kind) {
      return [indexIsOutdated(error.description)]
    }
  }

  private func indexIsOutdated(_ reason: String) -> Diagnostic {
    Diagnostic(
      severity: .warning, file: draft.sourceName,
      message: "The course was imported, but cannot be searched yet. \(reason) The next search completes the index.")
  }

  // MARK: - Checks

  /// Reads the stored course. Gives nodes of the draft the keys of the stored nodes that they continue.
  private mutating func storedCourse() throws -> CourseComparison.StoredCourse {
    var keys = try store.read { try SourceKeys(of: draft, in: $0) }
    draft = draft.translated(keys.translations)
    var stored = try store.read { try CourseComparison.StoredCourse(of: draft, in: $0) }
    if options.joinsRenamed, let course = stored.course, !course.node.isRemoved {
      var renamed = RenamedNodes(in: draft, of: stored, store: store)
      let pairs = try renamed.find(check: watcher.check)
      if !pairs.isEmpty {
        var translations: [String: String] = [:]
        for pair in pairs {
          let node = draft.nodes[pair.index]
          translations[node.key] = pair.removed.key
          keys.record(node.key, for: pair.removed)
          joined.append(
            JoinedPlace(
              kind: node.kind, title: node.title, key: pair.removed.key, sourceKey: node.key, evidence: pair.evidence))
        }
        draft = draft.translated(translations)
        stored = try store.read { try CourseComparison.StoredCourse(of: draft, in: $0) }
      }
    }
    sourceKeys = keys
    return stored
  }

  private func refusal(of comparison: CourseComparison, with stored: CourseComparison.StoredCourse) -> ImportRefusal? {
    guard !options.replaces, let course = stored.course, !course.node.isRemoved else { return nil }
    if !FormatRegistry.haveSameKeys(course.sourceFormat, draft.format) {
      return .otherFormat(course: course.sourceFormat)
    }
    let removed = comparison.removed.count
    return removed * 2 > comparison.currentCount ? .removesMost(removed: removed, of: comparison.currentCount) : nil
  }

  /// Returns whether the language, the format, the path of the source or a position changes. The reported difference
  /// does not include such changes.
  private func differsOtherwise(
    _ comparison: CourseComparison, _ stored: CourseComparison.StoredCourse
  ) throws -> Bool {
    if let origin = draft.origin, let course = stored.course?.node.id,
      try store.read({ try $0.origin(of: course) })?.source != origin
    {
      return true
    }
    // A database of an earlier version has no notes, or notes without numbers.
    if let notes = draft.sourceNotes, let course = stored.course?.node.id,
      try store.read({ try $0.sourceNoteCount(of: course) }) != notes.notes.count
    {
      return true
    }
    return stored.course?.language != draft.language || stored.course?.sourceFormat != draft.format
      || comparison.plan.nodes.contains { !$0.changes.isEmpty } || !joined.isEmpty
  }

  // MARK: - Contents

  /// Compares all contents. Passes the contents to be staged to `stage`, each image to `stagePicture` once, and records
  /// changed contents in the comparison.
  private func compareContents(
    _ comparison: inout CourseComparison, stage: (StoredContent, Int) throws -> Void,
    stagePicture: (String) throws -> Void
  ) throws {
    var imageDigests: Set<String> = []
    let total = draft.nodes.count
    for (index, node) in draft.nodes.enumerated() where node.kind == .activity {
      try watcher.check()
      let content = try draft.contents.encoded(at: index)
      for digest in content.properties.digests where imageDigests.insert(digest).inserted { try stagePicture(digest) }
      if comparison.needsContent(at: index) {
        try stage(content, index)
      } else if let id = comparison.plan.nodes[index].id,
        try store.read({ try $0.storedContent(of: id) }) != content.json
      {
        comparison.recordChangedContent(at: index)
        try stage(content, index)
      }
      if index.isMultiple(of: 500) { try watcher.report(.comparing(done: index, total: total)) }
    }
    try watcher.report(.comparing(done: total, total: total))
  }

  // MARK: - Reporting

  private func report(
    _ comparison: CourseComparison? = nil, _ stored: CourseComparison.StoredCourse? = nil,
    difference: CourseDifference? = nil
  ) -> ImportReport {
    let course = stored?.course.flatMap { $0.node.isRemoved ? nil : $0 }
    return ImportReport(
      source: draft.sourceName, format: draft.format,
      key: comparison?.plan.key ?? "", course: comparison?.plan.nodes.first.map { PlacePath(slugs: [$0.slug]) },
      title: draft.nodes.first?.title ?? "",
      revision: course?.revision ?? 0, imported: false, difference: difference?.counts ?? DifferenceCounts(),
      counts: draft.counts, losses: draft.losses, diagnostics: draft.diagnostics,
      joined: joined, removedWithRecords: removedWithRecords,
      changes: difference?.changes ?? [])
  }
}

/// Reads a source on a separate thread, so that a cancelled import can stop waiting at any time. A parser cannot check
/// for cancellation while it parses a single long text.
final class SourceReading: Sendable {
  private struct State {
    var draft: Result<CourseDraft, any Error>?
    var nodes = 0
    var isAbandoned = false
  }

  /// The interval at which cancellation is checked.
  private static let pause = DispatchTimeInterval.milliseconds(20)

  private let state = Mutex(State())
  private let done = DispatchSemaphore(value: 0)

  private init() {}

  /// Reads a source and waits for the result.
  ///
  /// - Parameter watcher: Receives the progress, on the calling thread. If it cancels the import, the reading thread
  ///   ends at the next node, and its result is discarded.
  /// - Throws: ``CourseFormatError``, and the errors of the watcher.
  static func draft(
    of source: CourseSource, from format: String?, options: ReadOptions, watcher: ImportWatcher
  ) throws -> CourseDraft {
    let reading = SourceReading()
    var options = options
    options.progress = { nodes in try reading.report(nodes) }
    let thread = Thread { [options] in
      reading.finish(Result { try FormatRegistry.read(source, from: format, options: options) })
    }
    // The default stack is too small for deeply nested sources.
    thread.stackSize = 8 << 20
    thread.start()
    // Discarded on this thread, because the reading thread is killed if the program ends, and would leave unpacked
    // files on disk.
    defer { source.discard() }
    do {
      try watcher.report(.reading(nodes: 0))
      while reading.done.wait(timeout: .now() + pause) == .timedOut {
        try watcher.report(.reading(nodes: reading.state.withLock { $0.nodes }))
      }
      try watcher.report(.reading(nodes: reading.state.withLock { $0.nodes }))
    } catch {
      reading.state.withLock { $0.isAbandoned = true }
      throw error
    }
    // The semaphore was signalled, so the draft is set.
    return try reading.state.withLock { $0.draft! }.get()
  }

  private func report(_ nodes: Int) throws {
    let isAbandoned = state.withLock { state in
      state.nodes = nodes
      return state.isAbandoned
    }
    if isAbandoned { throw ImportWatcher.Cancelled() }
  }

  private func finish(_ draft: Result<CourseDraft, any Error>) {
    state.withLock { state in
      // The result of an abandoned import is released.
      if !state.isAbandoned { state.draft = draft }
    }
    done.signal()
  }
}
