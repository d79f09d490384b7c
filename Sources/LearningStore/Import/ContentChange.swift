public import LearningModel

/// A change of a course's tree, told in the transaction that makes it, after its rows are written.
public struct ContentChange: Hashable, Sendable {
  /// The course's top node.
  public let course: NodeID
  /// The revision that the change makes.
  public let revision: Int
  /// The nodes that it removes.
  public let removed: [NodeID]
  /// The nodes that it puts under another parent or gives another kind, those that return among them.
  public let moved: [NodeID]
  /// What is to be done about the totals of its places, and what learners have done of them.
  let totals: Totals
  /// When it happens.
  public let at: Timestamp

  /// How far the totals of a course are when it has changed.
  enum Totals: Hashable {
    /// They are as they were, and so is what learners have begun and done.
    case unchanged
    /// They are written; what learners have begun and done is to be added up.
    case written
    /// Both are to be added up.
    case unknown
  }

  /// What else becomes true in the same transaction when a course changes, in this order.
  ///
  /// To add a step: write it in a file of its own, as `ContentChangeSteps+Topic.swift`, and name it here.
  static let steps: [@Sendable (ContentChange, StoreTransaction) throws -> Void] = [
    { change, transaction in try transaction.followInLog(change) }
  ]
}

extension StoreTransaction {
  /// Does all that follows from a change of a course's tree.
  func contentDidChange(_ change: ContentChange) throws {
    for step in ContentChange.steps { try step(change, self) }
  }
}
