import CourseFormats
import Dispatch
import Foundation
import LearningModel
import LearningStore
import Synchronization

/// The import of one draft: compared, guarded, written, indexed.
struct CourseImport {
  private let draft: CourseDraft
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

  func run() throws -> ImportReport {
    guard !draft.nodes.isEmpty, !draft.isRefused else {
      let errors = draft.diagnostics.count { $0.severity == .error }
      throw CourseLibraryError.importRefused(.badSource(errors: errors), report: report())
    }
    let known = try store.read { try CourseComparison.Known(of: draft, in: $0) }
    var comparison = CourseComparison(of: draft, with: known)
    if let refusal = refusal(of: comparison, with: known) {
      throw CourseLibraryError.importRefused(refusal, report: report(comparison, known))
    }

    guard !options.isDryRun else {
      let proposals = try compareContents(&comparison, stage: { _, _ in }, stagePicture: { _ in })
      return report(comparison, known, difference: comparison.finish(), proposals: proposals)
    }
    return try store.importing { writer in
      let proposals = try compareContents(
        &comparison, stage: { content, index in try writer.stage(content, at: index) },
        stagePicture: { digest in
          let isThere = try store.read { try $0.hasPicture(digest) }
          try writer.stage(picture: digest, bytes: isThere ? nil : try draft.contents.picture(digest))
        })
      var report = report(comparison, known, difference: comparison.finish(), proposals: proposals)
      report.imported = true
      if !report.difference.isEmpty || differsOtherwise(comparison, known) {
        let total = draft.nodes.count
        try watcher.tell(.writing(total: total))
        report.revision = try writer.commit(comparison.plan, at: now()).revision
        store.announceCourses()
      }
      report.diagnostics += try index()
      return report
    }
  }

  /// Lets the search index follow. The course is there by now, whatever becomes of this: where there is no room or no
  /// time for the index, it follows with the next search.
  private func index() throws -> [Diagnostic] {
    do {
      try store.indexSearch { done, total in try watcher.tell(.indexing(done: done, total: total)) }
      return []
    } catch is ImportWatcher.Cancelled {
      return [indexStaysBehind("It was cancelled.")]
    } catch is CancellationError {
      return [indexStaysBehind("It was cancelled.")]
    } catch let error as LearningDatabaseError where [.inputOutput, .tryAgain].contains(error.kind) {
      return [indexStaysBehind(error.description)]
    }
  }

  private func indexStaysBehind(_ reason: String) -> Diagnostic {
    Diagnostic(
      severity: .warning, file: draft.sourceName,
      message: "The course was imported, but cannot be searched yet. \(reason) The next search goes on with the index.")
  }

  // MARK: - Looking

  private func refusal(of comparison: CourseComparison, with known: CourseComparison.Known) -> ImportRefusal? {
    guard !options.replaces, let course = known.course, !course.node.isRemoved else { return nil }
    if !FormatRegistry.haveSameKeys(course.sourceFormat, draft.format) {
      return .otherFormat(course: course.sourceFormat)
    }
    let removed = comparison.removed.count
    return removed * 2 > comparison.livingCount ? .removesMost(removed: removed, of: comparison.livingCount) : nil
  }

  /// Whether something changes that is no difference of a node: language or format, or places that made room.
  private func differsOtherwise(_ comparison: CourseComparison, _ known: CourseComparison.Known) -> Bool {
    known.course?.language != draft.language || known.course?.sourceFormat != draft.format
      || comparison.plan.nodes.contains { !$0.changes.isEmpty }
  }

  // MARK: - Contents

  /// Goes through all contents once: hands on those that are to be staged, and notes those that have changed. Of the
  /// pictures in them it hands on each once.
  ///
  /// - Returns: What would join removed activities to added ones of the same content.
  private func compareContents(
    _ comparison: inout CourseComparison, stage: (StoredContent, Int) throws -> Void,
    stagePicture: (String) throws -> Void
  ) throws -> [Diagnostic] {
    let lost = try contentsThatGo(comparison)
    var proposals: [Diagnostic] = []
    var pictures: Set<String> = []
    var said: Set<String> = []
    let total = draft.nodes.count
    for (index, node) in draft.nodes.enumerated() where node.kind == .activity {
      try watcher.check()
      let drafted = try draft.contents.content(at: index)
      for picture in drafted.keptPictures where pictures.insert(picture.digest).inserted {
        try stagePicture(picture.digest)
      }
      let content = try StoredContent(drafted)
      if comparison.needsContent(at: index) {
        try stage(content, index)
        if comparison.plan.nodes[index].id == nil, let old = lost[content.json] {
          if let proposal = proposal(joining: node, to: old, said: &said) { proposals.append(proposal) }
        }
      } else if let id = comparison.plan.nodes[index].id,
        try store.read({ try $0.storedContent(of: id) }) != content.json
      {
        comparison.noteOtherContent(at: index)
        try stage(content, index)
      }
      if index.isMultiple(of: 500) { try watcher.tell(.comparing(done: index, total: total)) }
    }
    try watcher.tell(.comparing(done: total, total: total))
    return proposals
  }

  /// The activities that go, by what they are made of, where they are few enough to be looked through by a person.
  private func contentsThatGo(_ comparison: CourseComparison) throws -> [String: ContentNode] {
    let activities = comparison.removed.filter { $0.kind == .activity }
    guard activities.count <= 10_000 else { return [:] }
    return try store.read { snapshot in
      var contents: [String: ContentNode] = [:]
      for activity in activities {
        if let json = try snapshot.storedContent(of: activity.id) { contents[json] = activity }
      }
      return contents
    }
  }

  /// What would join a removed activity to a new one of the same content; `nil` where it has no form, or it was said
  /// of another part of the same page.
  private func proposal(joining new: DraftNode, to old: ContentNode, said: inout Set<String>) -> Diagnostic? {
    let reader = FormatRegistry.readers.first { $0.name == draft.format }
    let advice: String
    var newKey = new.key[...]
    if let anchor = headingAnchor(joining: new.key, to: old.key) {
      guard reader?.hasWrittenAnchors != false else { return nil }
      advice = "Write '{#\(anchor)}' behind the heading of the new one"
    } else {
      guard reader?.hasWrittenKeys != false else { return nil }
      var oldKey = old.key[...]
      if let newMark = new.key.lastIndex(of: "#"), let oldMark = old.key.lastIndex(of: "#") {
        // The key is the page's; its parts follow.
        (newKey, oldKey) = (new.key[..<newMark], old.key[..<oldMark])
      }
      advice = "Write 'key: \(oldKey)' in the new one"
    }
    guard said.insert("\(advice) \(newKey)").inserted else { return nil }
    return Diagnostic(
      severity: .warning, file: draft.sourceName,
      message: "The removed activity '\(old.title)' and the new '\(new.title)' have the same content. "
        + "\(advice) (now '\(newKey)') to keep its history.")
  }

  /// The anchor that a heading needs, where both keys are of parts of one page; `nil` where they are not.
  private func headingAnchor(joining new: String, to old: String) -> Substring? {
    guard let mark = old.lastIndex(of: "#"), old.index(after: mark) < old.endIndex, new.hasPrefix(old[...mark]),
      !new.hasSuffix("#")
    else { return nil }
    return old[old.index(after: mark)...]
  }

  // MARK: - Reporting

  private func report(
    _ comparison: CourseComparison? = nil, _ known: CourseComparison.Known? = nil,
    difference: CourseDifference? = nil, proposals: [Diagnostic] = []
  ) -> ImportReport {
    let course = known?.course.flatMap { $0.node.isRemoved ? nil : $0 }
    return ImportReport(
      source: draft.sourceName, format: draft.format,
      key: comparison?.plan.key ?? "", course: comparison?.plan.nodes.first.map { PlacePath(slugs: [$0.slug]) },
      title: draft.nodes.first?.title ?? "",
      revision: course?.revision ?? 0, imported: false, difference: difference?.counts ?? DifferenceCounts(),
      counts: draft.counts, losses: draft.losses, diagnostics: draft.diagnostics + proposals,
      changes: difference?.changes ?? [])
  }
}

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
