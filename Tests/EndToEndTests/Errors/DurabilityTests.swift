import Foundation
import GRDB
import TerminalHarness
import TestSupport
import Testing

/// Acknowledged steps must be in the history even if the process is killed.
struct DurabilityTests {
  /// Returns the ids of the navigation events, oldest first.
  private func events(in home: HomeFixture) throws -> [Int] {
    let rows = try home.waymark("history", "--format", "jsonl").output.lines.compactMap { $0.json as? [String: Any] }
    return rows.compactMap { $0["id"] as? Int }.reversed()
  }

  private func event(of line: String?) -> Int? {
    ((line?.json as? [String: Any])?["event"] as? [String: Any])?["id"] as? Int
  }

  @Test func `a step survives a kill right after its answer`() throws {
    let home = try HomeFixture.withBundledCourse()
    _ = try home.waymark("nav", "open", "english-for-business/meetings/opening/why-are-we-here")
    var acknowledged: [Int] = []

    for _ in 0..<20 {
      let program = try home.start(["nav", "next", "--format", "jsonl"])
      let line = try program.readLine()
      program.signal(9)
      _ = try program.waitForExit()
      acknowledged.append(try #require(event(of: line)))
    }

    #expect(Set(try events(in: home)).isSuperset(of: acknowledged))
    #expect(acknowledged.count == 20)
  }

  @Test(arguments: [1, 7, 40, 113])
  func `a killed nav run loses no acknowledged step`(count: Int) throws {
    let home = try HomeFixture.withBundledCourse()
    let program = try home.start(["nav", "run"])
    try program.write(
      #"{"operation": "open", "place": "english-for-business/meetings/opening/why-are-we-here"}"# + "\n")
    let steps = String(repeating: #"{"operation": "next"}"# + "\n" + #"{"operation": "previous"}"# + "\n", count: 300)
    try program.write(steps)

    var acknowledged: [Int] = []
    for _ in 0..<count { acknowledged.append(try #require(event(of: try program.readLine()))) }
    program.signal(9)
    let ending = try program.waitForExit()

    // Lines that were written before the kill can still be read.
    while let line = try program.readLine() {
      if let id = event(of: line) { acknowledged.append(id) }
    }
    let logged = try events(in: home)
    #expect(ending == .signalled(9))
    #expect(Set(logged).isSuperset(of: acknowledged))
    #expect(logged == Array(1...logged.count))
    #expect(try home.waymark("database", "check").code == 0)
    #expect(try home.waymark("nav", "next").code == 0)
  }

  @Test func `a killed import leaves either the old or the new course`() throws {
    let home = try HomeFixture()
    let course = try home.writeCourse()
    #expect(try home.waymark("import", course).code == 0)
    for number in 10..<60 {
      try home.write(
        "---\ntitle: Text \(number)\n---\n" + String(repeating: "Many words. ", count: 200),
        to: "course/01-one/01-first/\(number)-text-\(number).md")
    }
    let before = try home.waymark("tree", "--format", "csv").output.lines.count
    /// Kills an import after a number of seconds, or lets it end if `nil`. Returns the number of rows in the tree
    /// afterwards.
    func killedImport(_ number: Int, after seconds: Double?) throws -> Int {
      let copy = home.path("killed-\(number).sqlite")
      try FileManager.default.copyItem(atPath: home.database.path, toPath: copy)
      // The first kill happens while another connection holds the write lock, and therefore before the import writes a
      // row.
      let other = try seconds == 0 ? WritingConnection(copy) : nil
      let program = try home.start(["import", course, "--database", copy])
      if let seconds {
        usleep(UInt32(seconds * 1e6))
        program.signal(9)
      }
      _ = try program.waitForExit()
      try other?.close()
      let rows = try home.waymark("tree", "--format", "csv", "--database", copy).output.lines.count

      #expect(try home.waymark("import", course, "--database", copy).code == 0)
      #expect(try home.waymark("search", "text 59", "--database", copy, "--format", "jsonl").output.lines.count > 0)
      #expect(try home.waymark("database", "check", "--database", copy).code == 0)
      return rows
    }

    let start = ContinuousClock.now
    let complete = try killedImport(0, after: nil)
    let seconds = start.duration(to: .now) / .seconds(1)
    // The kills are distributed over the duration of an import. `KillCampaignTests` kills at further points.
    let kills = Tier.count(12, long: 100)
    let outcomes = try (0..<kills).map { kill in
      try killedImport(kill + 1, after: seconds * Double(kill) / Double(kills))
    }

    #expect(complete == before + 50)
    #expect(outcomes.first == before)
    #expect(Set(outcomes).isSubset(of: [before, complete]))
  }

  @Test func `several learners can navigate at the same time`() throws {
    let home = try HomeFixture.withBundledCourse()
    let steps = String(repeating: #"{"operation": "next"}"# + "\n" + #"{"operation": "previous"}"# + "\n", count: 50)
    let opening = #"{"operation": "open", "place": "english-for-business/meetings/opening/why-are-we-here"}"# + "\n"

    let programs = try ["ada", "bob", "eve"].map { try home.start(["nav", "run", "--learner", $0]) }
    for program in programs {
      try program.write(opening + steps)
      program.closeInput()
    }
    for program in programs { #expect(try program.waitForExit() == .exited(0)) }

    #expect(try home.waymark("history", "--learner", "all", "--format", "jsonl").output.lines.count == 3 * 102)
  }
}

/// A connection that holds a write transaction, so that no other program can write.
private struct WritingConnection {
  private let queue: DatabaseQueue

  init(_ path: String) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
  }

  func close() throws {
    try queue.inDatabase { try $0.execute(sql: "ROLLBACK") }
    try queue.close()
  }
}
