import Foundation
import GRDB
import TestSupport
import Testing

/// A home in which programs are killed at random times, and the checks after each kill.
final class KillCampaign {
  let home: HomeFixture
  var random: SplitMix64
  private(set) var tally = KillTally()
  /// The course for navigation.
  let walked = GeneratedCourse(key: "walked", goals: 2, lessons: 2, activities: 3)
  /// The course that is repeatedly imported and removed. Every third version has many more lessons.
  var edited = GeneratedCourse(key: "edited", goals: 3, lessons: 6, activities: 30, extraLessons: 18)
  /// Whether the edited course is in the database.
  var isEditedThere = true
  /// The duration of an import in seconds.
  private(set) var importSeconds = 0.0
  var removalSeconds = 0.5
  var answerSeconds = 0.005
  var mergeSeconds = 0.1

  /// Creates a home with both courses.
  init(seed: UInt64) throws {
    home = try HomeFixture()
    random = SplitMix64(seed: seed)
    try home.write(walked.json, to: "walked.json")
    try home.write(edited.json, to: "edited.json")
    try #require(home.waymark("import", home.path("walked.json")).code == 0)
    let start = ContinuousClock.now
    try #require(home.waymark("import", home.path("edited.json")).code == 0)
    importSeconds = start.duration(to: .now) / .seconds(1)
  }

  /// Kills a random program and checks the database.
  func round() throws {
    switch random.below(10) {
    case 0..<3: try killNavigation()
    case 3..<6: try killImport()
    case 6: try killRemoval()
    case 7: try killMerge()
    default: try killBrowser()
    }
  }

  // MARK: - All kills

  /// Kills a process immediately, at a random time, or as soon as it holds the write lock.
  ///
  /// - Parameter wait: Waits for a number of seconds.
  /// - Returns: Whether the process held the write lock, and whether it was still running.
  func kill(_ process: Int32, within seconds: Double, wait: (Double) -> Void) -> (isInside: Bool, wasRunning: Bool) {
    let deadline = ContinuousClock.now + .seconds(seconds)
    if random.oneIn(5) {
      // The process is killed immediately.
    } else if random.oneIn(2) {
      var lock: WriteLock?
      while ContinuousClock.now < deadline, lock?.isHeld(by: process) != true {
        lock = lock ?? WriteLock(of: home.database.path)
      }
      if random.oneIn(2) { wait(part(of: 0.01)) }
    } else {
      wait(part(of: seconds))
    }
    let wasRunning = freeze(process)
    let isInside = wasRunning && WriteLock(of: home.database.path)?.isHeld(by: process) == true
    if wasRunning { Foundation.kill(process, SIGKILL) }
    return (isInside, wasRunning)
  }

  private func part(of seconds: Double) -> Double { seconds * Double(random.below(1000)) / 1000 }

  func note(_ program: String, isInside: Bool, isWritten: Bool) {
    tally.count(program, isInside ? .inside : isWritten ? .after : .before)
  }

  /// Expects that the database can be opened and has no errors.
  func expectOrder(_ what: String) throws {
    let check = try home.waymark("database", "check")
    try #require(check == Answer(code: 0, output: "No problems found.\n"), "\(what)")
  }

  /// Reads the database directly.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    return try DatabaseQueue(path: home.database.path, configuration: configuration).read(body)
  }

  /// Returns the navigation events of the newest session with the given name: their IDs by sequence number.
  func steps(of learner: String, session: String) throws -> [Int: Int64] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT sequence, id FROM navigationEvent WHERE session = (
            SELECT session.id FROM session JOIN learner ON learner.id = session.learner
            WHERE session.name = ? AND learner.name = ? ORDER BY session.id DESC LIMIT 1)
          """, arguments: [session, learner])
      return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }
  }
}
