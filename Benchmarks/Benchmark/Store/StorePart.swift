import LearningStore
import TestSupport

/// The database: each thing beside the same statements through SQLite's own interface.
enum StorePart {
  @MainActor static func run(_ options: Options, _ print: (Table) -> Void) throws {
    let databases = try Databases()
    defer { databases.removeCopies() }
    let language = Words(20_000, seed: options.seed)

    let small = try databases.path("tree-10k", seed: options.seed) { path in
      let store = try LearningStore.open(at: path)
      try GrownCourse(words: 5).grow(key: "course-0", position: 0, from: language, seed: options.seed).write(to: store)
    }
    print(try StepSpeed(databases: databases, base: small, seed: options.seed).table())

    let large = try databases.path("tree-1m", seed: options.seed) { path in
      let store = try LearningStore.open(at: path)
      for number in 0..<90 {
        try GrownCourse(words: 5)
          .grow(key: "course-\(number)", position: number, from: language, seed: options.seed &+ UInt64(number))
          .write(to: store)
      }
    }
    print(try TreeSpeed(databases: databases, small: small, large: large, seed: options.seed).table())

    let course = GrownCourse(activities: 99)
    let (importing, imported) = try ImportSpeed(
      databases: databases, course: course, language: language, seed: options.seed
    ).table()
    print(importing)
    print(try SearchSpeed(path: imported, language: language, seed: options.seed).table())

    let events = options.isLong ? 10_000_000 : 1_000_000
    let history = try databases.path("history-\(events)", seed: options.seed) { path in
      let store = try LearningStore.open(at: path)
      try GrownCourse(words: 5).grow(key: "course-0", position: 0, from: language, seed: options.seed).write(to: store)
      withExtendedLifetime(store) {}
    } then: {
      try GrownHistory(events: events, seed: options.seed).write(to: $0)
    }
    for table in try HistorySpeed(path: history, events: events, seed: options.seed).tables() { print(table) }
  }
}

extension Databases {
  /// The same for a database that is made in two steps, the second when nobody has the file open any more.
  fileprivate func path(
    _ name: String, seed: UInt64, _ make: (String) throws -> Void, then finish: (String) throws -> Void
  ) throws -> String {
    try path(name, seed: seed) { path in
      try make(path)
      try finish(path)
    }
  }
}
