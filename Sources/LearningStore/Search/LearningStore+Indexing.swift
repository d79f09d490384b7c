import Foundation
import GRDB
import LearningModel

extension LearningStore {
  /// Updates the search index with the queued changes of courses, in batches of about 10 ms. Other writers can write
  /// between two batches.
  ///
  /// Stopping early is harmless: the next call continues with the remaining nodes.
  ///
  /// - Parameters:
  ///   - milliseconds: The time after which indexing stops, at the end of a batch. If `nil`, there is no limit.
  ///   - interruption: Stops indexing early, also at the end of a batch.
  ///   - progress: Called after each batch with the number of indexed nodes and the total. An error that it throws ends
  ///     the indexing.
  /// - Returns: Whether the index is complete.
  @discardableResult
  package func indexSearch(
    for milliseconds: Int? = nil, until interruption: Interruption? = nil,
    progress: ((_ done: Int, _ total: Int) throws -> Void)? = nil
  ) throws -> Bool {
    let end = IndexingDeadline(
      deadline: milliseconds.map { ContinuousClock.now + .milliseconds($0) }, interruption: interruption)
    let total = try read { try IndexBatch.pendingCount(in: $0) }
    guard total > 0 else { return true }
    let hadRecorded = Self.hasRecorded
    defer { Self.hasRecorded = hadRecorded }
    var done = 0
    var size = BatchSize(from: 50, to: 1_000)
    var segments = SegmentMerge()
    var knownTerms = KnownTerms()
    while done < total {
      if end.isReached { return false }
      let batch = try read { try IndexBatch(of: size.rows, from: $0, besides: knownTerms) }
      if batch.count == 0 { break }
      var start = ContinuousClock.now
      let isOurs = try write { transaction in
        start = .now
        return try batch.write(in: transaction)
      }
      // Another process has already indexed these nodes.
      guard isOurs else { continue }
      let time = start.duration(to: .now)
      size.adapt(to: time)
      knownTerms.add(batch.terms)
      done += batch.count
      try progress?(min(done, total), total)
      try segments.afterBatch(of: self, until: end)
    }
    try segments.run(on: self, until: end)
    return true
  }
}

/// The conditions under which indexing stops before it is complete.
struct IndexingDeadline {
  var deadline: ContinuousClock.Instant?
  var interruption: Interruption?

  /// Whether indexing must stop now.
  var isReached: Bool { interruption?.isInterrupted == true || deadline.map { ContinuousClock.now >= $0 } == true }
}

extension StoreSnapshot {
  /// Returns whether the search index contains all changes of the courses.
  package func isIndexComplete() throws -> Bool {
    try value("SELECT NOT EXISTS (SELECT 1 FROM searchQueue)") ?? true
  }
}

/// A batch of nodes that are queued for the search index, with their current texts. The texts are read without a lock.
struct IndexBatch {
  private struct Entry {
    let node: NodeID
    let revision: Int
    /// The texts of the node, or `nil` if the node was removed and must be deleted from the index.
    let texts: Texts?
  }

  private struct Texts {
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

  /// The number of bytes of text from which a batch is complete. Indexing them takes about ten milliseconds.
  private static let maximumBytes = 128 << 10

  private var entries: [Entry] = []
  /// The words of the nodes.
  private(set) var terms: SearchTerms
  private var bytes = 0

  var count: Int { entries.count }

  /// Returns the number of nodes that are queued for the index.
  static func pendingCount(in snapshot: StoreSnapshot) throws -> Int {
    try snapshot.value("SELECT count(*) FROM searchQueue") ?? 0
  }

  /// Reads the first queued nodes, in the order of their IDs.
  ///
  /// - Parameters:
  ///   - size: The maximum number of nodes. The batch is smaller if the nodes have long texts.
  ///   - knownTerms: Words that the database is known to contain, which are not looked up.
  init(of size: Int, from snapshot: StoreSnapshot, besides knownTerms: KnownTerms = KnownTerms()) throws {
    terms = try SearchTerms(with: snapshot.statements.tokenizer, besides: knownTerms)
    try gather(size, from: snapshot)
    try terms.removeKnownTerms(in: snapshot)
  }

  private mutating func gather(_ size: Int, from snapshot: StoreSnapshot) throws {
    let queued = try snapshot.all("SELECT node, revision FROM searchQueue ORDER BY node LIMIT ?", size) {
      (node: $0[0] as NodeID, revision: $0[1] as Int)
    }
    for (node, revision) in queued where bytes < Self.maximumBytes {
      try add(node, revision: revision, from: snapshot)
    }
  }

  private mutating func add(_ id: NodeID, revision: Int, from snapshot: StoreSnapshot) throws {
    guard let node = try snapshot.node(id) else { return }
    let texts =
      node.isRemoved
      ? nil
      : Texts(
        title: node.title.forIndex, summary: node.summary.forIndex,
        text: node.kind == .activity ? try snapshot.content(of: id)?.searchedText.forIndex ?? "" : "",
        scope: "course\(node.course.rawValue) kind\(node.kind.rawValue)")
    bytes += texts.map { $0.title.utf8.count + $0.summary.utf8.count + $0.text.utf8.count } ?? 100
    entries.append(Entry(node: id, revision: revision, texts: texts))
    if let texts {
      terms.add(texts.title, isTitle: true)
      terms.add(texts.summary, isTitle: false)
      terms.add(texts.text, isTitle: false)
    }
  }

  /// Writes the batch into the index. A node that was queued again in the meantime stays in the queue.
  ///
  /// - Returns: Whether anything was written. `false` if another process has already indexed these nodes.
  @discardableResult
  func write(in transaction: StoreTransaction) throws -> Bool {
    let current = try entries.filter {
      try transaction.run("DELETE FROM searchQueue WHERE node = ? AND revision = ?", $0.node, $0.revision) == 1
    }
    try terms.write(in: transaction)
    let before = try current.map { try transaction.snapshot.first(Self.wordsSQL, $0.node, as: Texts.init) }
    for entry in current {
      if let texts = entry.texts {
        try transaction.run(
          "INSERT OR REPLACE INTO searchText (node, title, summary, text, scope) VALUES (?, ?, ?, ?, ?)", entry.node,
          texts.title, texts.summary, texts.text, texts.scope)
      } else {
        try transaction.run("DELETE FROM searchText WHERE node = ?", entry.node)
      }
    }
    // No other statements may run in this loop. FTS5 collects the words and writes them as one segment. It begins
    // another segment after a statement that may have to be rolled back, and at a node with a lower ID than the
    // previous one.
    for (entry, before) in zip(current, before) {
      // FTS5 deletes an entry of this index when it is given the same texts again.
      if let before {
        try transaction.run(
          "INSERT INTO nodeSearch (nodeSearch, rowid, title, summary, text, scope) VALUES ('delete', ?, ?, ?, ?, ?)",
          entry.node, before.title, before.summary, before.text, before.scope)
      }
      if let texts = entry.texts {
        try transaction.run(
          "INSERT INTO nodeSearch (rowid, title, summary, text, scope) VALUES (?, ?, ?, ?, ?)", entry.node, texts.title,
          texts.summary, texts.text, texts.scope)
      }
    }
    return !current.isEmpty
  }

  private static let wordsSQL = StatementText("SELECT title, summary, text, scope FROM searchText WHERE node = ?")
}

extension String {
  /// The text in the form in which the index stores it: scripts without spaces between words are converted by
  /// ``LetterPairs``, control characters that have a meaning there are removed, and letters are composed.
  var forIndex: String { LetterPairs.paired(withoutSigns.withComposedLetters) }

  /// The text with composed letters. macOS writes `й` as `и` with a combining mark, and the index would treat the two
  /// forms as different letters.
  var withComposedLetters: String {
    // In UTF-8, the combining marks of European scripts begin with these bytes.
    utf8.contains { $0 == 0xCC || $0 == 0xCD } ? precomposedStringWithCanonicalMapping : self
  }

  private var withoutSigns: String {
    // No other character contains these bytes.
    guard utf8.contains(where: LetterPairs.isSign) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter { !LetterPairs.isSign($0) }))
  }
}

/// Merges the segments of the search index if there are many, in steps between which other programs can write.
///
/// Each batch adds a segment, and a search reads all segments. See `0003_search.sql`.
///
/// Source: SQLite, "The 'merge' Command" of FTS5.
struct SegmentMerge {
  /// The number of segments that are merged into one. The configuration of the index has the same number.
  private static let segments = 16
  /// The number of pages that a step writes. A step continues to the end of a word.
  private var pages = BatchSize(from: 64, to: 2_000)
  private var batches = 0

  /// Counts a batch, and merges segments after every ``segments`` batches.
  mutating func afterBatch(of store: LearningStore, until end: IndexingDeadline) throws {
    batches += 1
    if batches % Self.segments == 0 { try run(on: store, until: end) }
  }

  /// Merges segments until no level of the index has ``segments`` of them, or until `end`. The next call continues.
  mutating func run(on store: LearningStore, until end: IndexingDeadline) throws {
    while true {
      if end.isReached { return }
      var start = ContinuousClock.now
      let isAnyMerged = try store.write { transaction in
        start = .now
        let database = transaction.database
        let changes = database.totalChangesCount
        try transaction.run("INSERT INTO nodeSearch (nodeSearch, rank) VALUES ('merge', ?)", pages.rows)
        // The statement itself counts as one change.
        return database.totalChangesCount - changes > 1
      }
      guard isAnyMerged else { return }
      pages.adapt(to: start.duration(to: .now))
    }
  }
}

/// Adapts the number of rows per batch so that a batch takes about ten milliseconds: halves it after a slow batch, and
/// increases it by half after a fast one.
struct BatchSize {
  private(set) var rows: Int
  private let maximum: Int

  init(from rows: Int, to maximum: Int) {
    self.rows = min(rows, maximum)
    self.maximum = maximum
  }

  /// Adapts the number of rows to the duration of the last batch.
  mutating func adapt(to time: Duration) {
    if time > .milliseconds(14) {
      rows = max(20, rows / 2)
    } else if time < .milliseconds(6) {
      rows = min(maximum, rows * 3 / 2)
    }
  }
}

extension StoreTransaction {
  /// Empties the search index and queues every current node for it. The list of words for corrections (`searchTerm`) is
  /// kept, because a running indexing depends on the words that are already there.
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
