import GRDB
import LearningModel

/// Looks through what an older program has indexed, for what is indexed in another way now. See `0011_letter_pairs.sql`
/// and `0014_more_letter_pairs.sql`.
struct IndexAgain {
  /// With how much text a piece ends: to look through it takes a few milliseconds.
  private static let mostBytes = 1 << 20
  private static let mostNodes = 2_000

  private let first: Int64
  private let end: Int64
  private let last: Int64
  /// The nodes that are to be indexed anew.
  private var nodes: [Int64] = []

  /// Reads the next piece; `nil` where all has been looked through.
  init?(from snapshot: StoreSnapshot) throws {
    guard let (first, last) = try snapshot.first(Self.rangeText, as: { ($0[0] as Int64, $0[1] as Int64) }) else {
      return nil
    }
    self.first = first
    self.last = last
    var (next, bytes, count) = (first, 0, 0)
    var nodes: [Int64] = []
    try snapshot.statements.run(Self.wordsText, [first, last]) { row in
      let words: [String] = [row[1], row[2], row[3]]
      next = (row[0] as Int64) + 1
      if words.contains(where: { $0 != LetterPairs.paired(LetterPairs.text(of: $0)) }) {
        nodes.append(next - 1)
      }
      bytes += words.reduce(0) { $0 + $1.utf8.count }
      count += 1
      return bytes < Self.mostBytes && count < Self.mostNodes
    }
    // Where the rows end before the range does, nobody is left in it.
    end = bytes < Self.mostBytes && count < Self.mostNodes ? last + 1 : next
    self.nodes = nodes
  }

  private static let rangeText = StatementText("SELECT nextNode, lastNode FROM searchAgain")
  private static let wordsText = StatementText(
    "SELECT node, title, summary, text FROM searchText WHERE node BETWEEN ? AND ? ORDER BY node")

  /// Queues them, unless somebody else was quicker.
  func write(in transaction: StoreTransaction) throws {
    try transaction.run(end > last ? Self.finishText : Self.advanceText, first, end)
    guard transaction.database.changesCount == 1 else { return }
    for node in nodes { try transaction.run(Self.queueText, node) }
  }

  private static let finishText = StatementText("DELETE FROM searchAgain WHERE nextNode = ?1 AND ?2 IS NOT NULL")
  private static let advanceText = StatementText("UPDATE searchAgain SET nextNode = ?2 WHERE nextNode = ?1")
  /// Who waits already is indexed anew as they are now.
  private static let queueText = StatementText("INSERT OR IGNORE INTO searchQueue (node, revision) VALUES (?, 0)")
}
