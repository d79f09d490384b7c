import GRDB
import LearningModel

extension StoreTransaction {
  /// Brings what follows from the logs in line with a course's new tree, after its rows are written, and takes the learners
  /// who are in a place that went to the nearest one that is left.
  ///
  /// - Parameters:
  ///   - moved: The nodes that were put under another parent or given another kind, those that return among them.
  ///   - time: When it happens.
  func contentDidChange(moving moved: [NodeID], at time: Timestamp) throws {
    for node in moved { try moveVisitsUnder(node) }
    try repairStacks(at: time)
  }

  /// Takes every open session whose stack is no longer a chain of living places to what holds its place's text now, or
  /// else to the nearest place that is left.
  private func repairStacks(at moment: Timestamp) throws {
    for record in try snapshot.openSessions() {
      let session = record.session
      guard let last = try snapshot.lastStep(of: session.id) else { continue }
      let chain = try snapshot.survivingChain(to: last.event.to).chain
      guard try chain.map(\.id) != snapshot.stack(of: session.id) else { continue }
      let draft = StepDraft(
        uuid: RandomIdentifier.make(), session: session, operation: .repair,
        // The card that would move is not on the page any more.
        transition: .crossFade, isAnimated: false, cause: .system, stack: chain, at: moment,
        courseRevision: try chain.first.flatMap { try snapshot.revision(of: $0.id) })
      _ = try append(draft, after: last, presence: record.presence)
    }
  }
}
