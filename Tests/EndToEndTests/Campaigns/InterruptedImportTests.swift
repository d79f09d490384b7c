import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Imports that are interrupted by a signal.
struct InterruptedImportTests {
  /// Long tests use a larger course with the same structure, since a longer import can be interrupted at more points.
  private static let large = GeneratedCourse(
    key: "large", goals: 10, lessons: Tier.count(10, long: 20), activities: Tier.count(10, long: 40))

  /// The duration of a complete import in seconds.
  private static let seconds = Result {
    let home = try HomeFixture()
    let source = try home.write(large.json, to: "large.json")
    let start = ContinuousClock.now
    let answer = try home.waymark("import", source)
    guard answer.code == 0 else { throw Unexpected(answer: answer) }
    return start.duration(to: .now) / .seconds(1)
  }

  /// The database's content, as commands print it.
  private func sight(_ home: HomeFixture) throws -> [Answer] {
    try [["courses"], ["tree"], ["database", "check"]].map { try home.waymark($0) }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP], [0.05, 0.2, 0.5, 0.9])
  func `an interrupted import ends with its signal and leaves the whole course or none of it`(
    signal: Int32, fraction: Double
  ) throws {
    let home = try HomeFixture.withBundledCourse()
    let before = try sight(home)
    let source = try home.write(Self.large.json, to: "large.json")
    let seconds = try Self.seconds.get()

    let program = try home.start(["import", source])
    program.closeInput()
    usleep(useconds_t(seconds * fraction * 1e6))
    program.signal(signal)
    let answer = Answer(try program.waitForExit(), program)

    // The import may have ended before the signal.
    guard answer.code != 0 else { return }
    #expect(answer.code == 128 + Int(signal))
    if answer.errors.contains("cancelled. Nothing was changed") {
      #expect(try sight(home) == before)
      #expect(answer.output == "")
    } else if !answer.errors.isEmpty {
      #expect(answer.errors.contains("cannot be searched yet. Indexing was cancelled."))
      #expect(answer.output.contains("Large: imported"))
    }
    let folder = home.database.deletingLastPathComponent().path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasSuffix("-sessions") }
    #expect(files == ["waymark.sqlite"])
    #expect(try home.waymark("import", source).code == 0)
    #expect(try !home.waymark("search", "Activity 10 10 10").output.isEmpty)
    #expect(try home.waymark("database", "check").output == "No problems found.\n")
  }
}
