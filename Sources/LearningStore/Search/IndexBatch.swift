import GRDB
import LearningModel

/// Some nodes that wait for the search index, with the words that they have now. They are gathered without a lock.
struct IndexBatch {
  private struct Entry {
    let node: NodeID
    let revision: Int
    /// `nil` where the node is gone and is to be forgotten.
    let words: Words?
  }

  private struct Words {
    let title: String
    let summary: String
    let text: String
    let scope: String
  }

  private var entries: [Entry] = []
  private var terms: SearchTerms

  /// How many nodes it has.
  var count: Int { entries.count }

  /// Gathers the first nodes of the queue.
  init(of size: Int, from snapshot: StoreSnapshot) throws {
    terms = try SearchTerms(for: snapshot.database)
    let waiting = try Row.fetchAll(
      snapshot.database.cachedStatement(sql: "SELECT node, revision FROM searchQueue ORDER BY node LIMIT ?"),
      arguments: [size])
    for row in waiting {
      let id = NodeID(rawValue: row[0])
      guard let node = try snapshot.node(id) else { continue }
      let words =
        node.isRemoved
        ? nil
        : Words(
          title: node.title, summary: node.summary,
          text: node.kind == .activity ? try snapshot.content(of: id)?.plainText.withoutMarks ?? "" : "",
          scope: "course\(node.course.rawValue) kind\(node.kind.rawValue)")
      entries.append(Entry(node: id, revision: row[1], words: words))
      if let words {
        try terms.add(words.title, isTitle: true)
        try terms.add(words.summary, isTitle: false)
        try terms.add(words.text, isTitle: false)
      }
    }
    try terms.removeKnown(in: snapshot)
  }

  /// Puts them into the index. Whoever was queued again meanwhile stays in the queue.
  func write(in transaction: StoreTransaction) throws {
    func execute(_ sql: String, _ arguments: StatementArguments) throws {
      try transaction.database.cachedStatement(sql: sql).execute(arguments: arguments)
    }
    try terms.write(in: transaction)
    for entry in entries {
      let id = entry.node.rawValue
      try execute("DELETE FROM searchQueue WHERE node = ? AND revision = ?", [id, entry.revision])
      guard transaction.database.changesCount == 1 else { continue }
      // The index forgets words when it is told the same words again.
      try execute(
        """
        INSERT INTO nodeSearch (nodeSearch, rowid, title, summary, text, scope)
        SELECT 'delete', node, title, summary, text, scope FROM searchText WHERE node = ?
        """, [id])
      guard let words = entry.words else {
        try execute("DELETE FROM searchText WHERE node = ?", [id])
        continue
      }
      try execute(
        "INSERT OR REPLACE INTO searchText (node, title, summary, text, scope) VALUES (?, ?, ?, ?, ?)",
        [id, words.title, words.summary, words.text, words.scope])
      try execute(
        "INSERT INTO nodeSearch (rowid, title, summary, text, scope) VALUES (?, ?, ?, ?, ?)",
        [id, words.title, words.summary, words.text, words.scope])
    }
  }
}

extension String {
  /// The text without the two control characters between which a snippet has what was searched for.
  fileprivate var withoutMarks: String {
    let marks: Set<Unicode.Scalar> = ["\u{2}", "\u{3}"]
    guard unicodeScalars.contains(where: marks.contains) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter { !marks.contains($0) }))
  }
}
