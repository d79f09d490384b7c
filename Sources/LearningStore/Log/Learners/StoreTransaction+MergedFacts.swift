import GRDB
import LearningModel

extension StoreTransaction {
  /// Merges the bookmarks, positions, quizzes, settings and other entries of a learner. Of two changes of an entry, the
  /// later one wins, including its removal. Read passages are combined.
  func mergeFacts(of record: LearnerRecord, in state: inout MergeState) throws {
    let (nodes, learner) = (state.nodes, state.learner)
    let spans = try snapshot.erased(of: learner).spans
    func isErased(_ savedAt: Timestamp) -> Bool { spans.contains { $0.since <= savedAt && savedAt <= $0.until } }

    var facts = Facts(of: record)
    for change in facts.changes {
      let node = try change.node.map { try nodes[$0] }
      let name = change.name ?? ""
      let remote = FactChange(
        stamp: state.believesFacts ? change.stamp : HybridTime.limited(change.stamp, at: state.now),
        replica: change.replica)
      if let savedAt = facts.savedAt(of: change), isErased(savedAt) { continue }
      let local = try snapshot.change(of: change.kind, at: node, named: name, by: learner)
      if remote.stamp != change.stamp {
        state.merged.limited.append(
          FactVersion(
            key: try record.key(of: change), stamp: remote.stamp, replica: remote.replica))
      }
      guard local.map({ $0 < remote }) ?? true else { continue }
      try mergeFacts(change, from: &facts, at: node, by: learner)
      // Storing the entry has recorded a local change with the current time. The change of the record replaces it.
      try setChange(remote, of: change.kind, at: node, named: name, by: learner)
    }
    for passage in record.passages where !isErased(passage.savedAt) {
      try savePassages(
        [passage.digest: RangeSet(characters: passage.characters)], readIn: nodes[passage.node], by: learner,
        at: passage.savedAt, isMerged: true)
    }
  }

  private func mergeFacts(
    _ change: LearnerRecord.FactChangeRow, from facts: inout Facts, at node: NodeID?, by learner: LearnerID
  ) throws {
    switch (change.kind, node) {
    case (.setting, _):
      let name = change.name ?? ""
      try set(facts.record.settings[name], forSetting: name, of: learner, at: Timestamp(milliseconds: 0))
    case (.bookmark, let node?):
      let bookmark = facts.bookmarks[change.node]
      // The bookmark is removed first, so that it is added with its original time.
      _ = try setBookmark(false, at: node, for: learner, at: Timestamp(milliseconds: 0))
      if let bookmark { _ = try setBookmark(true, at: node, for: learner, at: bookmark.createdAt) }
    case (.position, let node?):
      guard let position = facts.positions[change.node] else {
        return try removeReadingPosition(of: node, for: learner, at: Timestamp(milliseconds: 0))
      }
      try save(
        StoredReadingPosition(
          block: position.block, blockOffset: position.blockOffset, fraction: position.fraction,
          heading: position.heading, savedAt: position.savedAt), of: node, for: learner)
    case (.quiz, let node?):
      let quiz = facts.quizzes[change.node].map {
        StoredQuiz(
          questions: $0.questions, answers: $0.answers, question: $0.question, isChecked: $0.isChecked,
          savedAt: $0.savedAt)
      }
      try save(quiz, of: node, for: learner, at: Timestamp(milliseconds: 0))
    case (.other, _):
      try saveOtherFact(
        facts.other(change).map { StoredOtherFact(value: $0.value, savedAt: $0.savedAt) }, of: change.kind, at: node,
        named: change.name ?? "", by: learner)
    case (_, nil):
      throw NodeList.NoNode()
    }
  }

  /// The entries of a record, by the indices of their nodes.
  private struct Facts {
    let record: LearnerRecord
    let bookmarks: [Int?: LearnerRecord.BookmarkRow]
    let positions: [Int?: LearnerRecord.ReadingPositionRow]
    let quizzes: [Int?: LearnerRecord.UnfinishedQuizRow]
    let changes: [LearnerRecord.FactChangeRow]

    init(of record: LearnerRecord) {
      self.record = record
      bookmarks = Dictionary(record.bookmarks.map { ($0.node, $0) }) { $1 }
      positions = Dictionary(record.positions.map { ($0.node, $0) }) { $1 }
      quizzes = Dictionary(record.quizzes.map { ($0.node, $0) }) { $1 }
      changes = record.changes
    }

    /// Returns when an entry was saved, if erasing the history of that time removes it, or `nil` if it is kept.
    func savedAt(of change: LearnerRecord.FactChangeRow) -> Timestamp? {
      switch change.kind {
      case .position: positions[change.node]?.savedAt
      case .quiz: quizzes[change.node]?.savedAt
      case .other: other(change)?.savedAt
      case .bookmark, .setting: nil
      }
    }

    func other(_ change: LearnerRecord.FactChangeRow) -> LearnerRecord.OtherFact? {
      record.others?.last { $0.kind == change.kind && $0.node == change.node && $0.name == change.name }
    }
  }
}

extension LearnerRecord {
  /// Returns the key of an entry, which is the same in all databases.
  fileprivate func key(of change: FactChangeRow) throws -> String {
    let node = change.node.flatMap { nodes.indices.contains($0) ? nodes[$0] : nil }
    return [change.kind.rawValue, node?.course ?? "", node?.key ?? "", change.name ?? ""].joined(separator: "\u{1F}")
  }
}
