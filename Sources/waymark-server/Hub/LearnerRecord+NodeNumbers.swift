import LearningStore
import NavigationKit

// In a record, the index of a node differs from message to message. A hub on PostgreSQL stores events with numbers that are
// computed from the keys of the nodes, so that neither direction needs a query for them.

extension LearnerRecord {
  /// Replaces the indices of nodes by their numbers.
  ///
  /// - Returns: The number of each node.
  /// - Throws: ``SyncError/contradictory(detail:)`` if the record refers to a node that it does not list, or if a node
  ///   precedes its parent.
  mutating func numberNodes() throws -> [Int] {
    let numbers = nodes.map(\.number)
    for (index, node) in nodes.enumerated() {
      guard node.parent ?? -1 < index else { throw SyncError.contradictory(detail: "a node precedes its parent") }
    }
    try replaceNodes { index in
      guard numbers.indices.contains(index) else {
        throw SyncError.contradictory(detail: "it refers to a node that it does not list")
      }
      return numbers[index]
    }
    return numbers
  }

  /// Replaces the numbers of nodes by their indices.
  ///
  /// - Parameter numbers: The number of each node.
  /// - Throws: ``SyncError/contradictory(detail:)`` if the record refers to a node that it does not list.
  mutating func indexNodes(numbered numbers: [Int]) throws {
    let indices = Dictionary(zip(numbers, numbers.indices)) { first, _ in first }
    try replaceNodes { number in
      guard let index = indices[number] else {
        throw SyncError.contradictory(detail: "it refers to a node that it does not list")
      }
      return index
    }
  }

  private mutating func replaceNodes(_ replacement: (Int) throws -> Int) rethrows {
    for index in nodes.indices { nodes[index].parent = try nodes[index].parent.map(replacement) }
    steps = try steps.map { step in
      let (moved, previous) = (try step.transition?.node.map(replacement), try step.from?.node.map(replacement))
      var step = step
      step.transition?.node = moved
      step.from?.node = previous
      step.to.node = try step.to.node.map(replacement)
      step.stack = try step.stack.map(replacement)
      return step
    }
    for index in activities.indices { activities[index].node = try replacement(activities[index].node) }
    for index in bookmarks.indices { bookmarks[index].node = try replacement(bookmarks[index].node) }
    for index in positions.indices { positions[index].node = try replacement(positions[index].node) }
    for index in quizzes.indices { quizzes[index].node = try replacement(quizzes[index].node) }
    for index in passages.indices { passages[index].node = try replacement(passages[index].node) }
    for index in changes.indices { changes[index].node = try changes[index].node.map(replacement) }
    others = try others?.map { fact in
      var fact = fact
      fact.node = try fact.node.map(replacement)
      return fact
    }
  }
}

extension LearnerRecord.Node {
  /// The first 60 bits of the SHA-256 digest of the keys of the course and of the node.
  fileprivate var number: Int { Int(Digest.text("\(course)\u{1F}\(key)".utf8).prefix(15), radix: 16) ?? 0 }
}
