import LearningModel
import NavigationKit

/// Moves all learners of a hub to another hub, with their history, bookmarks, settings and positions, erasures, tokens
/// and classes.
///
/// Each message is one transaction of the target. Data that the target already has is not sent again. A move can
/// therefore be interrupted at any time and restarted, and a second run has no effect. The source is not changed.
struct HubMove {
  private let from: any HubStore
  private let to: any HubStore
  private let now: Timestamp
  /// Called before each message to either hub. An error ends the move.
  private let message: () throws -> Void

  init(from: any HubStore, to: any HubStore, at now: Timestamp, message: @escaping () throws -> Void = {}) {
    (self.from, self.to, self.now, self.message) = (from, to, now, message)
  }

  /// The number of items that were new on the target.
  struct Report: Hashable, Codable, Sendable {
    /// The number of learners of the source, without those that were erased on the target.
    var all = 0
    /// The number of learners that were new on the target.
    var learners = 0
    /// The number of events, other records (bookmarks, settings and positions) and erasures that were new on the
    /// target, of all learners.
    var moved = LearnerTransfer.Count()
    var tokens = 0
    var classes = 0
    var memberships = 0
    /// The number of learners whose erasure was new on the target.
    var erased = 0
    /// Learners who were renamed, because the target has another learner with the same name.
    var renamed: [Renaming] = []
    /// New learners whose names differ only in case, white space or invisible characters from an existing name on the
    /// target.
    var similar: [NameConflict] = []

    /// A learner's names on both hubs.
    struct Renaming: Hashable, Codable, Sendable {
      /// The name on the source.
      var from: String
      /// The name on the target.
      var to: String
    }

    /// A new learner, and a similar name on the target.
    struct NameConflict: Hashable, Codable, Sendable {
      var name: String
      var known: String
    }

    init() {}
  }

  /// The maximum number of learners in each request.
  private static let page = 500

  /// Moves all learners.
  ///
  /// - Parameter progress: Called after each learner with the numbers so far.
  /// - Throws: ``HubError``, ``SyncError``. Learners moved before the error remain on the target.
  func run(progress: (Report) -> Void = { _ in }) throws -> Report {
    var report = Report()
    var newNames: [String] = []
    try message()
    for uuid in try from.erasedLearners() {
      try message()
      if try to.rememberErasure(uuid) { report.erased += 1 }
    }
    try message()
    for sourceClass in try from.classes() {
      try message()
      if try to.addClass(sourceClass.name, at: sourceClass.createdAt) { report.classes += 1 }
    }
    var last: String?
    while true {
      try message()
      let accounts = try from.accounts(after: last, limit: Self.page)
      for account in accounts {
        let before = report.learners
        try move(account, &report)
        if report.learners > before {
          newNames.append(report.renamed.last { $0.from == account.name }?.to ?? account.name)
        }
        progress(report)
      }
      guard let next = accounts.last else { break }
      last = next.uuid
    }
    report.similar = try similarNames(to: newNames)
    return report
  }

  private func similarNames(to newNames: [String]) throws -> [Report.NameConflict] {
    guard !newNames.isEmpty else { return [] }
    let groups = Dictionary(grouping: try to.knownNames()) { LearnerName.key(of: $0) }
    return newNames.sorted().compactMap { name in
      LearnerName.similar(to: name, among: groups[LearnerName.key(of: name)] ?? []).min()
        .map { Report.NameConflict(name: name, known: $0) }
    }
  }

  private func move(_ account: LearnerAccount, _ report: inout Report) throws {
    try message()
    let targetName: String
    do {
      let (name, result) = try to.add(account)
      targetName = name
      report.all += 1
      report.learners += result.isNew ? 1 : 0
      report.tokens += result.tokens
      report.memberships += result.memberships
      if result.isNew, to.name(of: account) != targetName {
        report.renamed.append(Report.Renaming(from: account.name, to: targetName))
      }
    } catch SyncError.erasedHere {
      // The learner was erased on the target after an earlier move and must not be restored.
      return
    }
    let sourceName = from.name(of: account)
    let transfer = LearnerTransfer(
      from: { text in
        try message()
        return try from.answer(text, about: sourceName, by: nil, at: now, trustsTimes: true)
      },
      to: { text in
        try message()
        return try to.answer(text, about: targetName, by: nil, at: now, trustsTimes: true)
      })
    do {
      report.moved += try transfer.run(account.uuid)
    } catch SyncError.fork {
      throw HubError.forkedSession(learner: account.name)
    }
  }
}
