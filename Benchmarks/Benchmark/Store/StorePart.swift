import LearningStore
import TestSupport

/// The database: each operation compared with the same statements through SQLite's C interface.
enum StorePart {
  @MainActor static func run(_ options: Options, _ print: (Table) -> Void) throws {
    let databases = try Databases()
    defer { databases.removeCopies() }
    let grown = GrownDatabases(
      databases: databases, language: Words(20_000, seed: options.seed), seed: options.seed)
    func isAsked(_ table: String) -> Bool { options.isAsked(for: table, of: "store") }

    if isAsked("step") {
      print(
        try StepSpeed(databases: databases, base: grown.small(), seed: options.seed).table(before: options.before))
    }
    if isAsked("notes") { print(try NotesSpeed(databases: databases, base: grown.small()).table()) }
    if isAsked("review") {
      print(try ReviewSpeed(databases: databases, base: grown.small(), seed: options.seed).table())
    }
    if isAsked("tree") {
      let speed = try TreeSpeed(databases: databases, small: grown.small(), large: grown.large(), seed: options.seed)
      for table in try speed.tables() { print(table) }
    }
    if isAsked("import") {
      print(
        try ImportSpeed(
          databases: databases, course: GrownDatabases.long, language: grown.language, seed: options.seed
        ).table())
    }
    if isAsked("waiting") {
      print(try WaitingSpeed(activities: 9, limit: 250, databases: databases).table())
      if options.isLong { print(try WaitingSpeed(activities: 99, limit: 3_000, databases: databases).table()) }
    }
    if isAsked("unparted") {
      print(
        try ImportSpeed(
          databases: databases, course: GrownDatabases.long, language: grown.unparted, seed: options.seed,
          kind: ", texts without blanks"
        ).table())
      print(
        try UnpartedSearchSpeed(path: grown.searchableUnparted(), language: grown.unparted, seed: options.seed).table())
    }
    if isAsked("search") {
      print(try SearchSpeed(path: grown.searchable(), language: grown.language, seed: options.seed).table())
    }
    if isAsked("letters") {
      print(try LetterSpeed(path: grown.searchable(), language: grown.language, seed: options.seed).table())
    }
    if isAsked("sync") { print(try SyncSpeed(databases: databases, base: grown.history(40_000)).table()) }
    if isAsked("history") {
      let events = options.isLong ? 10_000_000 : 1_000_000
      let speed = HistorySpeed(path: try grown.history(events), events: events, seed: options.seed)
      for table in try speed.tables() { print(table) }
    }
  }

  /// Performs steps for the benchmark of a later version.
  static func answerSteps(_ options: Options) throws {
    let databases = try Databases()
    defer { databases.removeCopies() }
    let grown = GrownDatabases(
      databases: databases, language: Words(20_000, seed: options.seed), seed: options.seed)
    try StepSpeed(databases: databases, base: grown.small(), seed: options.seed).answer()
  }
}

/// The databases for measurements, each of which is created once.
struct GrownDatabases {
  let databases: Databases
  let language: Words
  let seed: UInt64

  /// A course of 100,111 nodes.
  static let long = GrownCourse(activities: 99)

  /// Returns a database with one course of 11,111 nodes.
  func small() throws -> String {
    try databases.path("tree-10k", seed: seed) { path in
      try write(GrownCourse(words: 5), number: 0, to: LearningStore.open(at: path))
    }
  }

  /// Returns a database with ninety courses of 11,111 nodes.
  func large() throws -> String {
    try databases.path("tree-1m", seed: seed) { path in
      let store = try LearningStore.open(at: path)
      for number in 0..<90 { try write(GrownCourse(words: 5), number: number, to: store) }
    }
  }

  /// Returns a database with a course of 100,111 nodes and its search index.
  func searchable() throws -> String {
    try databases.path("search-100k", seed: seed) { path in
      let store = try LearningStore.open(at: path)
      try write(Self.long, number: 0, to: store)
      try store.indexSearch()
    }
  }

  /// Returns a database with a course of 100,111 nodes whose indexing was interrupted halfway.
  func halfSearchable() throws -> String {
    struct Half: Error {}
    return try databases.path("search-100k-half", seed: seed) { path in
      let store = try LearningStore.open(at: path)
      try write(Self.long, number: 0, to: store)
      do { try store.indexSearch { done, total in if done > total / 2 { throw Half() } } } catch is Half {}
    }
  }

  /// A language that is written without blanks between words.
  var unparted: Words { Words(unparted: 20_000, seed: seed) }

  /// Returns a database with a course of 100,111 nodes and its search index, in texts without blanks.
  func searchableUnparted() throws -> String {
    try databases.path("search-100k-unparted", seed: seed) { path in
      let store = try LearningStore.open(at: path)
      try Self.long.grow(key: "course-0", position: 0, from: unparted, seed: seed).write(to: store)
      try store.indexSearch()
    }
  }

  /// Returns a database with a course that has one goal with 10,000 lessons, and its search index.
  func wide() throws -> String {
    try databases.path("wide-10k", seed: seed) { path in
      let store = try LearningStore.open(at: path)
      let course = GrownCourse(goals: 1, lessons: 10_000, innerLessons: 1, activities: 1, words: 5)
      try write(course, number: 0, to: store)
      try store.indexSearch()
    }
  }

  /// Returns a database with a course of 11,111 nodes and a number of steps in it.
  func history(_ events: Int) throws -> String {
    try databases.path("history-\(events)", seed: seed) { path in
      do { try write(GrownCourse(words: 5), number: 0, to: LearningStore.open(at: path)) }
      // The `do` block has closed the database before the file is written directly.
      try GrownHistory(events: events, seed: seed).write(to: path)
    }
  }

  /// Returns a database with a course of 11,111 nodes, and a number of steps in one session `shell` of the learner
  /// `ada`.
  func session(_ events: Int) throws -> String {
    try databases.path("session-\(events)", seed: seed) { path in
      do { try write(GrownCourse(words: 5), number: 0, to: LearningStore.open(at: path)) }
      try GrownHistory(events: events, seed: seed, isOneSession: true).write(to: path)
    }
  }

  private func write(_ course: GrownCourse, number: Int, to store: LearningStore) throws {
    try course.grow(key: "course-\(number)", position: number, from: language, seed: seed &+ UInt64(number))
      .write(to: store)
  }
}
