import GRDB
public import LearningModel

/// Writes one course, on a connection of its own: everything is staged beside the database, where it is in nobody's way.
/// A new course then comes in pieces that nobody sees before the last one. Where much of a course that is there changes,
/// what its nodes say and are made of, and who comes, comes back and goes, is an edition, in pieces too; what only moves
/// is written in one transaction, in few statements.
///
/// Source: SQLite, "Temporary Files Used By SQLite", of the temporary database that stages the contents.
public final class CourseWriter {
  private let connection: DatabaseQueue
  private let path: String
  private let patience: Patience
  /// How long the staged contents are, by their index in the plan.
  private var measures: [CourseStaging.Measure] = []
  /// Contents that are still to be staged: many at once take less time than one after the other.
  private var waiting: [(index: Int, content: StoredContent)] = []
  private var waitingBytes = 0

  init(at path: String, _ keeper: LogKeeper) throws {
    self.path = path
    var configuration = Configuration()
    configuration.label = "waymark.import"
    let patience = Patience(for: path)
    self.patience = patience
    configuration.busyMode = .callback { patience.tryAgain(after: $0) }
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      // A database without a name is a file that goes with the connection. It is attached before temporary things are
      // put in memory, so that the contents are not; what then is in memory are the notes by which SQLite would take a
      // single statement back, a quarter of the time of each.
      try database.execute(
        sql: """
          ATTACH '' AS staging;
          PRAGMA staging.journal_mode = OFF;
          \(CourseStaging.tables)
          PRAGMA temp_store = MEMORY;
          PRAGMA synchronous = NORMAL;
          PRAGMA cache_size = -16000;
          """)
      keeper.watch(database)
    }
    connection = try DatabaseQueue(path: path, configuration: configuration)
  }

  deinit { connection.retire() }

  /// Keeps the content of the node of that index in the plan until ``commit(_:at:progress:)``. Nothing is locked.
  public func stage(_ content: StoredContent, at index: Int) throws {
    if measures.count <= index {
      measures.append(contentsOf: repeatElement(CourseStaging.Measure(), count: index + 1 - measures.count))
    }
    measures[index] = CourseStaging.Measure(bytes: content.json.utf8.count, letters: content.letters)
    waiting.append((index, content))
    waitingBytes += measures[index].bytes
    if waitingBytes >= Self.mostWaiting { try stageWaiting() }
  }

  /// How many bytes wait to be staged, at most.
  private static let mostWaiting = 256 << 10

  private func stageWaiting() throws {
    do {
      try connection.inDatabase { database in
        if !database.isInsideTransaction { try database.execute(sql: "BEGIN") }
        let statement = try database.cachedStatement(
          sql: "INSERT OR REPLACE INTO staging.stagedContent VALUES (?, ?, ?, ?)")
        for (index, content) in waiting {
          try PreparedStatements.run(statement.sqliteStatement, in: database) { parameters in
            parameters.add(index)
            parameters.add(content.type.rawValue)
            parameters.add(content.json)
            parameters.add(content.letters)
          }
        }
      }
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
    waiting.removeAll(keepingCapacity: true)
    waitingBytes = 0
  }

  /// Makes the course what the plan says: all of it, or nothing.
  ///
  /// The search index knows of it, and follows with ``LearningStore/indexSearch(for:progress:)``.
  ///
  /// - Parameters:
  ///   - plan: What to make of the course.
  ///   - time: When it happens.
  ///   - progress: Is told how many nodes are written, now and then, where they are many. What it throws ends the import,
  ///     and nothing of it is left.
  /// - Throws: ``LearningStoreError/changedMeanwhile(path:course:)`` where somebody changed the course after the plan
  ///   was made, and ``LearningStoreError``.
  public func commit(
    _ plan: CoursePlan, at time: Timestamp, progress: (Int) throws -> Void = { _ in }
  ) throws -> (course: NodeID, revision: Int) {
    try stageWaiting()
    do {
      return try connection.inDatabase { database in
        if database.isInsideTransaction { try database.execute(sql: "COMMIT") }
        let turns = ShortTurns(database, patience)
        if let course = plan.nodes[0].id { try CourseEdition.finishPublished(of: course, at: path, turns) }
        var staging = CourseStaging(plan, measures)
        try database.inTransaction(.deferred) {
          try staging.write(to: database)
          return .commit
        }
        try progress(0)
        do {
          guard plan.base != nil else {
            return try CourseArrival(plan, staging, at: time, path: path, turns).run(progress)
          }
          return try CourseChange(plan, staging, at: time, path: path, turns).run(progress)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
          guard try plan.isOutdated(in: database) else { throw error }
          throw LearningStoreError.changedMeanwhile(path: path, course: plan.key)
        }
      }
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
  }

  /// Removes a course.
  ///
  /// - Returns: How many nodes went; 0 where it is not there.
  /// - Throws: ``LearningStoreError/changedMeanwhile(path:course:)`` where somebody changed it meanwhile; then it is there.
  func remove(_ course: NodeID, at time: Timestamp, progress: () throws -> Void) throws -> Int {
    do {
      return try connection.inDatabase { database in
        let snapshot = try StoreTransaction(database: database).snapshot
        guard let course = try snapshot.course(course), !course.node.isRemoved else { return 0 }
        return try CourseRemoval(of: course, at: time, path: path, ShortTurns(database, patience)).run(progress)
      }
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
  }

  /// Takes away what imports have left that were killed, and finishes what they have published.
  ///
  /// - Parameter milliseconds: When to stop, behind a piece; `nil` to finish.
  func clearAbandoned(for milliseconds: Int? = nil) throws {
    let deadline = milliseconds.map { ContinuousClock.now + .milliseconds($0) }
    try connection.inDatabase { database in
      let turns = ShortTurns(database, patience)
      for edition in try CourseEdition.abandoned(in: database, at: path) {
        try edition.finish(turns, until: deadline)
        if let deadline, ContinuousClock.now >= deadline { return }
      }
      let abandoned = try AbandonedArrival.all(in: database, at: path)
      guard !abandoned.isEmpty else { return }
      try turns.withoutForeignKeys {
        for arrival in abandoned {
          try arrival.clear(turns, until: deadline)
          if let deadline, ContinuousClock.now >= deadline { return }
        }
      }
    }
  }
}

@available(*, unavailable)
extension CourseWriter: Sendable {}

extension LearningStore {
  /// Opens a connection for one import, for as long as `body` runs. What earlier ones have left that were killed is taken
  /// away first, or finished.
  public func importing<Answer>(_ body: (CourseWriter) throws -> Answer) throws -> Answer {
    do {
      let writer = try CourseWriter(at: path, keeper)
      try writer.clearAbandoned()
      return try body(writer)
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
  }

  /// Takes away some of what imports have left that were killed, where there is something. Whoever opens the database
  /// does as much as nobody feels; an import does all of it.
  func clearSomeOfWhatWasAbandoned() {
    let isThereAny = try? glance {
      try $0.value("SELECT EXISTS (SELECT 1 FROM arrival) OR EXISTS (SELECT 1 FROM edition)") ?? false
    }
    guard isThereAny == true else { return }
    // Where it does not work now, it does another time; nobody sees the difference.
    try? CourseWriter(at: path, keeper).clearAbandoned(for: 20)
  }
}
