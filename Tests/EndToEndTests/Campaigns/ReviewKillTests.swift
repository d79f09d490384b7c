import Foundation
import GRDB
import TerminalHarness
import TestSupport
import Testing

/// Kills `waymark review answer` at random times.
struct ReviewKillTests {
  private struct NextCard: Decodable {
    let path: String
    let card: String
  }

  private struct Counts: Equatable {
    var log: Int
    var memory: Int
    var days: Int
  }

  private func counts(_ home: HomeFixture) throws -> Counts {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    return try DatabaseQueue(path: home.database.path, configuration: configuration).read { database in
      func count(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? 0 }
      return Counts(
        log: try count("SELECT count(*) FROM activityEvent WHERE kind = 'cardGraded'"),
        memory: try count("SELECT sum(answers) FROM cardMemory"), days: try count("SELECT sum(answers) FROM reviewDay"))
    }
  }

  @Test(arguments: Tier.seeds([1, 2], long: 1..<3))
  func `no answered card is lost or counted twice after 100 kills`(seed: UInt64) throws {
    let home = try HomeFixture.withBundledCourse()
    var random = SplitMix64(seed: seed)
    try #require(home.waymark("review", "add", "english-for-business").code == 0)
    var tally = KillTally()
    var answered = 0

    for round in 0..<100 {
      let cards = try JSONDecoder().decode(
        [NextCard].self, from: Data(home.waymark("review", "next", "--ahead", "--format", "json").output.utf8))
      let card = try #require(cards.first)
      let rating = ["again", "hard", "good", "easy"][random.below(4)]
      let program = try home.start(["review", "answer", card.path, card.card, rating])
      usleep(useconds_t(random.below(150_000)))
      let wasRunning = freeze(program.processIdentifier)
      let isInside = wasRunning && WriteLock(of: home.database.path)?.isHeld(by: program.processIdentifier) == true
      if wasRunning { Foundation.kill(program.processIdentifier, SIGKILL) }
      let line = try program.readLine()
      _ = try program.waitForExit()

      let counts = try counts(home)
      let isAcknowledged = line?.hasPrefix("Recorded") == true
      #expect((isAcknowledged ? 1...1 : 0...1).contains(counts.log - answered), "round \(round)")
      #expect(counts == Counts(log: counts.log, memory: counts.log, days: counts.log), "round \(round)")
      tally.count("review", isInside ? .inside : counts.log > answered ? .after : .before)
      answered = counts.log
      if round.isMultiple(of: 20) { try #require(home.waymark("database", "check").code == 0) }
    }

    #expect(try home.waymark("database", "check") == Answer(code: 0, output: "No problems found.\n"))
    #expect(tally.total == 100)
    print("Killed with seed \(seed): \(tally)")
  }
}
