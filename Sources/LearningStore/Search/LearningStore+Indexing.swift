import GRDB
import LearningModel

extension LearningStore {
  /// Brings the search index up to what the courses say, in batches of about 10 ms between which others write.
  ///
  /// An interruption does no harm: the next call continues where this one stopped.
  ///
  /// - Parameters:
  ///   - milliseconds: When to stop, at the end of a batch; `nil` to finish.
  ///   - interruption: Who may stop it sooner, at the end of a batch too.
  ///   - progress: Is told after each batch how many nodes are done, of how many. What it throws ends the indexing.
  /// - Returns: Whether nothing is left to do.
  @discardableResult
  package func indexSearch(
    for milliseconds: Int? = nil, until interruption: Interruption? = nil,
    progress: ((_ done: Int, _ total: Int) throws -> Void)? = nil
  ) throws -> Bool {
    let end = IndexingEnd(
      deadline: milliseconds.map { ContinuousClock.now + .milliseconds($0) }, interruption: interruption)
    let total = try read { try IndexBatch.waiting(in: $0) }
    guard total > 0 else { return true }
    var done = 0
    var size = PieceSize(from: 50, to: 1_000)
    var segments = SegmentMerge()
    var known = KnownTerms()
    while done < total {
      if end.hasCome { return false }
      let batch = try read { try IndexBatch(of: size.rows, from: $0, besides: known) }
      if batch.count == 0 { break }
      var start = ContinuousClock.now
      let isOurs = try write { transaction in
        start = .now
        return try batch.write(in: transaction)
      }
      // Another process was quicker with these.
      guard isOurs else { continue }
      let time = start.duration(to: .now)
      size.adapt(to: time)
      known.add(batch.terms)
      done += batch.count
      try progress?(min(done, total), total)
      try segments.afterBatch(of: self, until: end)
    }
    try segments.run(on: self, until: end)
    return true
  }
}

/// When indexing stops, whether all is done or not.
struct IndexingEnd {
  var deadline: ContinuousClock.Instant?
  var interruption: Interruption?

  /// Whether it is time.
  var hasCome: Bool { interruption?.isInterrupted == true || deadline.map { ContinuousClock.now >= $0 } == true }
}

extension StoreSnapshot {
  /// Whether the search index says what the courses say, in the way in which it is written now.
  package func isIndexWhole() throws -> Bool { try value(Self.isIndexWholeText) ?? true }

  private static let isIndexWholeText = StatementText(
    """
    SELECT NOT EXISTS (SELECT 1 FROM searchQueue)
    """)
}

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

/// Merges the segments of the search index where there are many, in steps between which other programs can write.
///
/// Each batch adds a segment, and a search reads all of them. See `0003_search.sql`.
///
/// Source: SQLite, "The 'merge' Command" of FTS5.
struct SegmentMerge {
  /// Of so many segments one is made, as the database says too.
  private static let segments = 16
  /// How many pages a step writes; it writes to the end of a word.
  private var pages = PieceSize(from: 64, to: 2_000)
  private var batches = 0

  /// Takes note of a batch, and merges where so many have come that there may be something to merge.
  mutating func afterBatch(of store: LearningStore, until end: IndexingEnd) throws {
    batches += 1
    if batches % Self.segments == 0 { try run(on: store, until: end) }
  }

  /// Merges until no level of the index has so many segments, or until it is time to stop. The next one continues.
  mutating func run(on store: LearningStore, until end: IndexingEnd) throws {
    while true {
      if end.hasCome { return }
      var start = ContinuousClock.now
      let isAnyMerged = try store.write { transaction in
        start = .now
        let database = transaction.database
        let changes = database.totalChangesCount
        try database.cachedStatement(sql: "INSERT INTO nodeSearch (nodeSearch, rank) VALUES ('merge', ?)")
          .execute(arguments: [pages.rows])
        // The statement itself counts as one.
        return database.totalChangesCount - changes > 1
      }
      guard isAnyMerged else { return }
      pages.adapt(to: start.duration(to: .now))
    }
  }
}

/// How many rows a batch of a long work has, so that it takes some ten milliseconds: half, or half as much again, as long
/// as one is not in its window.
struct PieceSize {
  private(set) var rows: Int
  private let most: Int

  init(from rows: Int, to most: Int) {
    self.rows = min(rows, most)
    self.most = most
  }

  /// Takes note of how long a batch of this size took.
  mutating func adapt(to time: Duration) {
    if time > .milliseconds(14) {
      rows = max(20, rows / 2)
    } else if time < .milliseconds(6) {
      rows = min(most, rows * 3 / 2)
    }
  }
}

extension StoreTransaction {
  /// Empties the index and queues every living node for it. The words beside it stay: indexing may run, and
  /// counts on those that were there.
  package func rebuildSearch() throws {
    try database.execute(
      sql: """
        INSERT INTO nodeSearch (nodeSearch) VALUES ('delete-all');
        DELETE FROM searchText;
        DELETE FROM searchQueue;
        INSERT INTO searchQueue (node, revision)
        SELECT id, revision FROM contentNode AS node JOIN course ON course.node = node.course WHERE node.living = 1;
        """)
  }
}
