import LearningModel
import NavigationKit

/// Moves the learners of one hub to another one: what they did, their facts, what was erased, their tokens and classes.
///
/// Each message is one transaction of the other hub, and what that one has is not sent again. So it may be interrupted
/// anywhere and begun anew, and a second run changes nothing. The hub that is left keeps everything.
struct HubMove {
  private let from: any HubStore
  private let to: any HubStore
  private let now: Timestamp
  /// Is told before each message to either hub; what it throws ends the move there.
  private let message: () throws -> Void

  /// - Parameter now: The time.
  init(from: any HubStore, to: any HubStore, at now: Timestamp, message: @escaping () throws -> Void = {}) {
    (self.from, self.to, self.now, self.message) = (from, to, now, message)
  }

  /// What was moved, and was not there before.
  struct Report: Hashable, Codable, Sendable {
    /// How many learners there are.
    var all = 0
    /// How many were not known.
    var learners = 0
    /// What they did.
    var moved = LearnerTransfer.Count()
    /// Tokens.
    var tokens = 0
    /// Classes.
    var classes = 0
    /// That somebody is in a class.
    var memberships = 0
    /// Who was erased.
    var erased = 0
    /// Those who are called something else now, since the other hub has somebody of that name.
    var renamed: [Renaming] = []
    /// New learners whose names differ from another name of the other hub only in case, white space or invisible characters.
    var similar: [SimilarName] = []

    /// A learner who is called something else now.
    struct Renaming: Hashable, Codable, Sendable {
      /// Before.
      var from: String
      /// Now.
      var to: String
    }

    /// A learner who is new on the other hub, and one with a similar name.
    struct SimilarName: Hashable, Codable, Sendable {
      var name: String
      var known: String
    }

    /// Begins with nothing.
    init() {}
  }

  /// How many learners are asked for at a time.
  private static let page = 500

  /// Moves everything.
  ///
  /// - Parameter progress: Is told after each learner what has been moved.
  /// - Throws: ``HubError``, ``NavigationService/SyncError``; what was moved until then stays.
  func run(progress: (Report) -> Void = { _ in }) throws -> Report {
    var report = Report()
    var newNames: [String] = []
    try message()
    for uuid in try from.erasedLearners() {
      try message()
      if try to.bar(uuid) { report.erased += 1 }
    }
    try message()
    for known in try from.classes() {
      try message()
      if try to.addClass(known.name, at: known.createdAt) { report.classes += 1 }
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

  private func similarNames(to newNames: [String]) throws -> [Report.SimilarName] {
    guard !newNames.isEmpty else { return [] }
    let groups = Dictionary(grouping: try to.knownNames()) { LearnerName.key(of: $0) }
    return newNames.sorted().compactMap { name in
      LearnerName.similar(to: name, among: groups[LearnerName.key(of: name)] ?? []).min()
        .map { Report.SimilarName(name: name, known: $0) }
    }
  }

  private func move(_ account: LearnerAccount, _ report: inout Report) throws {
    try message()
    let there: String
    do {
      let (name, taken) = try to.take(account)
      there = name
      report.all += 1
      report.learners += taken.isNew ? 1 : 0
      report.tokens += taken.tokens
      report.memberships += taken.memberships
      if taken.isNew, to.name(of: account) != there {
        report.renamed.append(Report.Renaming(from: account.name, to: there))
      }
    } catch SyncError.erasedHere {
      // Erased there after an earlier run: they do not come back.
      return
    }
    let here = from.name(of: account)
    let transfer = LearnerTransfer(
      from: { text in
        try message()
        return try from.answer(text, about: here, at: now, believing: true)
      },
      to: { text in
        try message()
        return try to.answer(text, about: there, at: now, believing: true)
      })
    do {
      report.moved += try transfer.run(account.uuid)
    } catch SyncError.fork {
      throw HubError.movedApart(learner: account.name)
    }
  }
}
