import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Somebody presses Control and C while a course comes in.
struct InterruptedImportTests {
  /// The longer an import takes the more of it an interruption may meet; its parts are the same.
  private static let large = GeneratedCourse(
    key: "large", goals: 10, lessons: Tier.count(10, long: 20), activities: Tier.count(10, long: 40))

  /// The seconds that a whole import takes.
  private static let seconds = Result {
    let home = try Home()
    let source = try home.write(large.json, to: "large.json")
    let start = ContinuousClock.now
    let answer = try home.waymark("import", source)
    guard answer.code == 0 else { throw Unexpected(answer: answer) }
    return start.duration(to: .now) / .seconds(1)
  }

  /// What the database has, as the commands tell it.
  private func sight(_ home: Home) throws -> [Answer] {
    try [["courses"], ["tree"], ["database", "check"]].map { try home.waymark($0) }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP], [0.05, 0.2, 0.5, 0.9])
  func `an import that is interrupted ends by the signal, and leaves a whole course or nothing`(
    signal: Int32, share: Double
  ) throws {
    let home = try Home.withBundledCourse()
    let before = try sight(home)
    let source = try home.write(Self.large.json, to: "large.json")
    let seconds = try Self.seconds.get()

    let program = try home.start(["import", source])
    program.closeInput()
    usleep(useconds_t(seconds * share * 1e6))
    program.signal(signal)
    let answer = Answer(try program.waitForExit(), program)

    // Where it was done already, that is no fault.
    guard answer.code != 0 else { return }
    #expect(answer.code == 128 + Int(signal))
    if answer.errors.contains("cancelled. Nothing was changed") {
      #expect(try sight(home) == before)
      #expect(answer.output == "")
    } else if !answer.errors.isEmpty {
      #expect(answer.errors.contains("cannot be searched yet. It was cancelled."))
      #expect(answer.output.contains("Large: imported"))
    }
    let folder = home.database.deletingLastPathComponent().path
    let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasSuffix("-sessions") }
    #expect(left == ["waymark.sqlite"])
    #expect(try home.waymark("import", source).code == 0)
    #expect(try !home.waymark("search", "Activity 10 10 10").output.isEmpty)
    #expect(try home.waymark("database", "check").output == "The database is in order.\n")
  }
}
