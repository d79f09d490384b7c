import Foundation
import TerminalHarness
import TestSupport

/// An import of a folder with 100,000 nodes by the command-line program.
struct Importing {
  let language: Words
  let seed: UInt64
  /// A description of unusual texts, for the title of the table.
  var kind = ""

  func table(_ guest: Guest) throws -> Table {
    let course = GrownCourse(activities: 99, words: 60)
    let folder = try TemporaryFolder()
    try course.write(to: folder, from: language, seed: seed)
    var table = Table(
      "Program: an import of a folder of \(course.count.grouped) nodes\(kind)",
      note: "`waymark import`: reading, rows and search index.", columns: ["what", "time", "peak memory"])
    for what in ["from the folder", "the same again"] {
      let start = Clock.wall.now
      let process = try PipedProgram(guest.program, ["import", folder.file("course")], environment: guest.environment)
      process.closeInput()
      var peak = 0
      let ending = try process.waitForExit(within: 900) {
        peak = max(peak, ProcessFacts.peakMemory(of: process.processIdentifier))
      }
      guard ending == .exited(0) else {
        throw BenchmarkError.missing("import: \(String(decoding: process.errors, as: UTF8.self).suffix(400))")
      }
      table.add(
        what, Double(Clock.wall.now - start).asTime, peak.asMegabytes, target: "≤ 150 MB", isMet: peak <= 150_000_000)
    }
    return table
  }
}

extension GrownCourse {
  /// Writes the course to the subfolder `course` in Waymark's folder format.
  func write(to folder: TemporaryFolder, from language: Words, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let files = FileManager.default
    func put(_ text: String, _ path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }
    func title() -> String { language.text(2 + random.below(3), &random).capitalized }
    func number(_ value: Int) -> String { String(value + 100) }

    let top = folder.file("course")
    try files.createDirectory(atPath: top, withIntermediateDirectories: true)
    try put("key: large\ntitle: \(title())\nsummary: A large course.\n", top + "/course.yml")
    for index in 0..<goals {
      let goal = top + "/\(number(index))-goal-\(index)"
      try files.createDirectory(atPath: goal, withIntermediateDirectories: true)
      try put("title: \(title())\n", goal + "/goal.yml")
      for index in 0..<lessons {
        let lesson = goal + "/\(number(index))-lesson-\(index)"
        try files.createDirectory(atPath: lesson, withIntermediateDirectories: true)
        try put("title: \(title())\n", lesson + "/lesson.yml")
        for index in 0..<innerLessons {
          let inner = lesson + "/\(number(index))-inner-\(index)"
          try files.createDirectory(atPath: inner, withIntermediateDirectories: true)
          try put("title: \(title())\n", inner + "/lesson.yml")
          for activity in 0..<activities {
            try put(
              "---\ntitle: \(title())\nminutes: 5\n---\n\(language.text(words, &random))\n",
              inner + "/\(number(activity))-activity-\(activity).md")
          }
        }
      }
    }
  }
}
