import LearningModel

/// A change of a course's tree, told in the transaction that makes it, after its rows are written.
struct ContentChange {
  /// The course's top node.
  let course: NodeID
  /// The revision that the change makes.
  let revision: Int
  /// The nodes that it puts under another parent or gives another kind, those that return among them.
  let moved: [NodeID]
  /// Whether what learners have begun and done may add up to something else than before.
  let changesSums: Bool
  /// When it happens.
  let at: Timestamp
}
