import LearningModel

/// The SQL of a query: a walk down one index, newest first, from where the last page ended. Of several learners it is
/// one walk each, merged as they go. Nothing is sorted, so a page costs what it holds.
struct HistoryStatement {
  private(set) var sql = ""
  private(set) var values: [any ColumnValue] = []

  /// How many walks SQLite merges at most; its own limit is 500.
  private static let mostWalks = 400

  /// - Parameter columns: What is selected of `event`. The first column is the row's id whatever they are.
  /// - Returns: `nil` where nothing can match.
  init?(
    _ query: HistoryQuery, columns: String = LoggedStep.columns, limit: Int?, in snapshot: StoreSnapshot
  ) throws {
    let rest = columns.split(separator: ",", maxSplits: 1)[1]
    var learners: [LearnerID] = []
    if let session = query.session {
      guard let record = try snapshot.session(session)?.session else { return nil }
      if let learner = query.learner, learner != record.learner { return nil }
      learners = [record.learner]
    } else if let learner = query.learner {
      learners = [learner]
    } else if query.isNarrowed {
      learners = try snapshot.learners().map(\.id)
      // Of so many the log itself is walked.
      if learners.count > Self.mostWalks { learners = [] }
    }
    var walks = try learners.compactMap { learner in
      try HistoryWalk(query, of: learner, amongst: learners.count, in: snapshot)
    }
    if learners.isEmpty { walks = [HistoryWalk(ofEveryone: query)] }
    guard !walks.isEmpty else { return nil }

    sql = walks.map {
      "SELECT \($0.id) AS id,\(rest) FROM \($0.source) WHERE \($0.conditions.joined(separator: " AND "))"
    }
    .joined(separator: "\nUNION ALL\n")
    for walk in walks { values += walk.values }
    sql += "\nORDER BY id DESC"
    if let limit {
      sql += " LIMIT ?"
      values.append(limit)
    }
  }
}

extension HistoryQuery {
  /// Whether an index of each learner is walked rather than the log itself.
  fileprivate var isNarrowed: Bool {
    !under.isEmpty || sessionName != nil || kind != nil || operation != nil || transition != nil || cause != nil
      || since != nil || until != nil
  }
}
