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

    init(title: String, summary: String, text: String, scope: String) {
      self.title = title
      self.summary = summary
      self.text = text
      self.scope = scope
    }

    init(_ row: ResultRow) {
      self.init(title: row[0], summary: row[1], text: row[2], scope: row[3])
    }
  }

  /// With how much text a batch ends: as much as is indexed in some ten milliseconds.
  private static let mostBytes = 128 << 10

  private var entries: [Entry] = []
  /// The words of the nodes.
  private(set) var terms: SearchTerms
  private var bytes = 0

  /// How many nodes it has.
  var count: Int { entries.count }

  /// How many nodes wait for the index.
  static func waiting(in snapshot: StoreSnapshot) throws -> Int {
    try snapshot.value("SELECT count(*) FROM searchQueue") ?? 0
  }

  /// Gathers the first nodes that wait: in the order of their numbers.
  ///
  /// - Parameters:
  ///   - size: How many at most; fewer where they have much text.
  ///   - known: Words that need not be looked for.
  init(of size: Int, from snapshot: StoreSnapshot, besides known: KnownTerms = KnownTerms()) throws {
    terms = try SearchTerms(for: snapshot.database, besides: known)
    try gather(size, from: snapshot)
    try terms.removeKnown(in: snapshot)
  }

  private mutating func gather(_ size: Int, from snapshot: StoreSnapshot) throws {
    let queued = try Row.fetchAll(
      snapshot.database.cachedStatement(sql: "SELECT node, revision FROM searchQueue ORDER BY node LIMIT ?"),
      arguments: [size])
    for row in queued where bytes < Self.mostBytes {
      try add(NodeID(rawValue: row[0]), revision: row[1], from: snapshot)
    }
  }

  private mutating func add(_ id: NodeID, revision: Int, from snapshot: StoreSnapshot) throws {
    guard let node = try snapshot.node(id) else { return }
    let words =
      node.isRemoved
      ? nil
      : Words(
        title: node.title.forIndex, summary: node.summary.forIndex,
        text: node.kind == .activity ? try snapshot.content(of: id)?.searchedText.forIndex ?? "" : "",
        scope: "course\(node.course.rawValue) kind\(node.kind.rawValue)")
    bytes += words.map { $0.title.utf8.count + $0.summary.utf8.count + $0.text.utf8.count } ?? 100
    entries.append(Entry(node: id, revision: revision, words: words))
    if let words {
      try terms.add(words.title, isTitle: true)
      try terms.add(words.summary, isTitle: false)
      try terms.add(words.text, isTitle: false)
    }
  }

  /// Puts them into the index. A node that was queued again meanwhile stays in the queue.
  ///
  /// - Returns: Whether there was anything left to do: another process may have been quicker.
  @discardableResult
  func write(in transaction: StoreTransaction) throws -> Bool {
    func execute(_ sql: String, _ arguments: StatementArguments) throws {
      try transaction.database.cachedStatement(sql: sql).execute(arguments: arguments)
    }
    let ours = try entries.filter { entry in
      try execute("DELETE FROM searchQueue WHERE node = ? AND revision = ?", [entry.node.rawValue, entry.revision])
      return transaction.database.changesCount == 1
    }
    try terms.write(in: transaction)
    let before = try ours.map { try transaction.snapshot.first(Self.wordsText, $0.node, as: Words.init) }
    for entry in ours {
      let id = entry.node.rawValue
      if let words = entry.words {
        try execute(
          "INSERT OR REPLACE INTO searchText (node, title, summary, text, scope) VALUES (?, ?, ?, ?, ?)",
          [id, words.title, words.summary, words.text, words.scope])
      } else {
        try execute("DELETE FROM searchText WHERE node = ?", [id])
      }
    }
    // Nothing in between: what is known of the words is written out as one piece, unless another statement that might
    // have to be taken back comes, or a node that stands before the last one.
    for (entry, before) in zip(ours, before) {
      let id = entry.node.rawValue
      // The index forgets words when it is told the same words again.
      if let before {
        try execute(
          "INSERT INTO nodeSearch (nodeSearch, rowid, title, summary, text, scope) VALUES ('delete', ?, ?, ?, ?, ?)",
          [id, before.title, before.summary, before.text, before.scope])
      }
      if let words = entry.words {
        try execute(
          "INSERT INTO nodeSearch (rowid, title, summary, text, scope) VALUES (?, ?, ?, ?, ?)",
          [id, words.title, words.summary, words.text, words.scope])
      }
    }
    return !ours.isEmpty
  }

  private static let wordsText = StatementText("SELECT title, summary, text, scope FROM searchText WHERE node = ?")
}

extension String {
  /// The text as the index has it: in scripts without blanks as ``LetterPairs``, and without the control characters that
  /// mean something there.
  var forIndex: String { LetterPairs.paired(withoutSigns) }

  private var withoutSigns: String {
    // No other character has these bytes in it.
    guard utf8.contains(where: LetterPairs.isSign) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter { !LetterPairs.isSign($0) }))
  }
}
