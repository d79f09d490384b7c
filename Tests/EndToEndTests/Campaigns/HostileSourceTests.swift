import Foundation
import TerminalHarness
import TestSupport
import Testing

private let samples = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"]

/// Damaged courses in all formats, imported by the built program.
struct HostileSourceTests {
  /// The course to damage.
  struct Victim: Sendable, CustomTestStringConvertible {
    let path: String
    var testDescription: String { path }
  }

  /// The maximum memory of an import in bytes.
  private static let memory = 150 << 20

  private static let fixtures = [
    "english-for-business", "english-for-business.json", "mdbook/with-parts", "epub/tea", "jupyter/notebooks",
    "markdown-folder/docusaurus", "markdown-folder/docc",
  ].map { Victim(path: Fixtures.path($0)) }

  private static let real = [
    "mdbook/rust-book", "epub3/internallinks", "epub-w3c/w3c-pub-foreign_image.epub", "jupyter/handson-ml3",
    "markdown/carpentries-shell-novice", "markdown/jupyterbook-scientific-python",
  ].map { Victim(path: (samples ?? "") + "/" + $0) }

  /// Imports a source, and returns the answer with the process's resource usage.
  private func importing(_ path: String, in home: HomeFixture) throws -> (answer: Answer, usage: PipedProgram.Usage) {
    let program = try home.start(["import", path, "--key", "course"])
    program.closeInput()
    let ending = try program.waitForExit()
    return (Answer(ending, program), try #require(program.usage))
  }

  /// Returns the maximum processor time of an import in seconds, which depends on the time for the undamaged course.
  private func seconds(for victim: Victim) throws -> Double {
    let undamagedSeconds = try importing(victim.path, in: HomeFixture.withDatabase()).usage.processorSeconds
    return max(2, 2 + 2 * undamagedSeconds)
  }

  private func expectGoodManners(_ victim: Victim, _ seeds: [UInt64]) throws {
    let limit = try seconds(for: victim)
    for seed in seeds {
      let home = try HomeFixture.withDatabase()
      var source = try DamagedSource(URL(filePath: victim.path), seed: seed)
      let path = try source.write(below: home.folder.path + "/in")

      let (answer, usage) = try importing(path, in: home)

      let output = answer.output + answer.errors
      #expect([0, 65].contains(answer.code), "seed \(seed): \(answer)")
      if answer.code == 65 { #expect(answer.errors.contains(": error: "), "seed \(seed): \(answer)") }
      #expect(output.isHarmless, "seed \(seed): \(answer)")
      #expect(usage.processorSeconds <= limit, "seed \(seed): \(usage)")
      #expect(usage.memory <= max(Self.memory, usage.ownMemory), "seed \(seed): \(usage)")
      if answer.code == 0 {
        let tree = try home.waymark("tree")
        #expect(tree.code == 0 && tree.output.isHarmless, "seed \(seed)")
      } else {
        #expect(try home.waymark("courses", "--format", "jsonl").output == "", "seed \(seed)")
      }
    }
  }

  @Test(arguments: fixtures)
  func `a damaged fixture is imported or refused with a position, within time and memory limits`(_ victim: Victim)
    throws
  {
    try expectGoodManners(victim, Tier.seeds(Array(0..<5), long: 0..<300))
  }

  /// A long run damages each of the three packages a hundred times.
  @Test(arguments: ["knots-anki2.apkg", "knots-anki21.apkg", "knots.apkg"])
  func `a damaged package of Anki is imported or refused, packed and unpacked`(_ name: String) throws {
    let package = Victim(path: Fixtures.path("anki/" + name))
    let home = try HomeFixture()
    let folder = home.folder.path + "/unpacked"
    #expect(try home.run("/usr/bin/env", ["unzip", "-q", package.path, "-d", folder]).code == 0)

    try withExtendedLifetime(home) {
      try expectGoodManners(package, Tier.seeds(Array(0..<3), long: 0..<50))
      try expectGoodManners(Victim(path: folder), Tier.seeds(Array(0..<5), long: 0..<50))
    }
  }

  @Test(.enabled(if: samples != nil, "WAYMARK_SAMPLES does not name the folder of samples"), arguments: real)
  func `a damaged real course is imported or refused, within the same limits`(_ victim: Victim) throws {
    try expectGoodManners(victim, Tier.seeds(Array(0..<2), long: 0..<300))
  }
}

extension String {
  /// Whether the text has no control characters except line feeds.
  fileprivate var isHarmless: Bool {
    unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
  }
}
