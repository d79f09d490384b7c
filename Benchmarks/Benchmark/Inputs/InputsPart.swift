import CourseBrowser
import CourseFormats
import CourseKit
import CoursePages
import Foundation
import LearningModel
import TerminalHarness
import TerminalIO
import TestSupport
import TextCanvas

/// Inputs that are designed to be slow, each measured at one size and at twice that size.
enum InputsPart {
  private static let mostGrowth = 2.5

  @MainActor static func run(_ options: Options, _ print: (Table) -> Void) throws {
    var table = Table(
      "Inputs: growth with the size of the input",
      note: "Processor time, the shortest of five runs. Linear growth doubles the time at 2 n; quadratic growth "
        + "quadruples it.",
      columns: ["what", "n", "time", "time at 2 n", "ratio"])
    let bench = try Bench(program: options.program)
    for (what, count, prepare) in rows(bench) {
      let (once, twice) = (try prepare(count), try prepare(2 * count))
      var (short, long) = (Samples(), Samples())
      for _ in 0..<5 {
        try short.measure(.process, once)
        try long.measure(.process, twice)
      }
      let ratio = long.quantile(0) / short.quantile(0)
      table.add(
        what, count.grouped, short.quantile(0).asTime, long.quantile(0).asTime, ratio.asRatio,
        target: "≤ \(mostGrowth) ×", isMet: ratio <= mostGrowth)
    }
    print(table)
  }

  /// Returns the rows of the table. A row has a description, a size, and a function that prepares the measured closure
  /// for a size.
  @MainActor private static func rows(_ bench: Bench) -> [(String, Int, (Int) throws -> () throws -> Void)] {
    func lines(_ count: Int, _ line: (Int) -> String) -> String { (0..<count).map(line).joined() }
    func imported(_ text: @escaping (Int) -> String) -> (Int) throws -> () throws -> Void {
      { try bench.reading(of: text($0)) }
    }
    return [
      (
        "footnotes, each referring to the next", 4_000,
        imported { "A[^0]\n\n" + lines($0) { "[^\($0)]: note [^\($0 + 1)]\n\n" } }
      ),
      (
        "rows of a table of 250 columns", 50,
        imported { count in
          let row = "|" + String(repeating: "a|", count: 250) + "\n"
          let rule = "|" + String(repeating: "-|", count: 250) + "\n"
          return row + rule + String(repeating: row, count: count)
        }
      ),
      (
        "link references, each used once", 8_000,
        imported { count in
          lines(count) { "[r\($0)]: https://example.org/\($0)\n" } + "\n" + lines(count) { "[r\($0)] " }
        }
      ),
      ("formulas of one line", 4_000, imported { lines($0) { "$x_\($0)^2$ " } }),
      (
        "rows of a table of two columns", 30_000,
        imported { "|a|b|\n|-|-|\n" + String(repeating: "|a|b|\n", count: $0) }
      ),
      (
        "terms of a definition list", 8_000,
        { try bench.reading(of: "# A\n\n" + String(repeating: "a\n: b\n\n", count: $0), as: "page.md") }
      ),
      (
        "headings without a text", 8_000,
        { try bench.reading(of: String(repeating: "# A\n\n", count: $0), as: "page.md") }
      ),
      ("letters '|'", 150_000, imported { String(repeating: "|", count: $0) }),
      ("entries of a zip", 2_000, { try bench.unpacking($0) }),
      (
        "items of a list, laid out", 4_000,
        { count in
          let items = (0..<count).map { ListItem(blocks: [.paragraph([.text("item \($0)")])]) }
          let layout = ReadingLayout(
            width: 80, theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode)
          return { _ = layout.text([.bulletList(items: items)]) }
        }
      ),
      (
        "words of a query", 36,
        { count in
          let words = lines(count) { ["anchor", "offers", "pleaze", "speak"][$0 % 4] + " " }
          return { _ = try bench.library.search(words) }
        }
      ),
      ("letters pasted into the palette", 1_000, { try bench.palette(letters: $0) }),
      ("letters typed into the palette", 250, { try bench.typing(letters: $0) }),
      ("letters pasted into Find", 500_000, { try bench.pasting($0) }),
      ("letters typed into Find", 2_000, { try bench.typing(letters: $0, after: "/") }),
      ("words of `waymark search`", 10_000, { try bench.running(["search"] + Array(repeating: "a", count: $0)) }),
      (
        "words of a tool call", 10_000,
        { count in
          try bench.running(
            ["mcp"],
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"# + "\n"
              + #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":["#
              + Array(repeating: #""a""#, count: count).joined(separator: ",") + "]}}}\n")
        }
      ),
      (
        "letters of a line of `waymark nav run`", 8_000_000,
        { try bench.running(["nav", "run"], String(repeating: "x", count: $0) + "\n") }
      ),
    ]
  }
}

/// The environment of the measurements.
@MainActor private struct Bench {
  private let folder: TemporaryFolder
  private let program: String
  let library: CourseLibrary

  init(program: String) throws {
    self.program = program
    folder = try TemporaryFolder()
    library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite"))
    _ = try library.importBundled()
  }

  /// Prepares reading a course with one text. A name without a folder is that of a page of a folder of Markdown.
  func reading(of text: String, as name: String = "1-goal/1-lesson/1-text.md") throws -> () throws -> Void {
    let path = folder.file("course-\(UUID().uuidString)")
    let file = URL(filePath: path).appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    if name.contains("/") { try Data("title: A course\n".utf8).write(to: URL(filePath: path + "/course.yml")) }
    try Data(text.utf8).write(to: file)
    return { _ = try FormatRegistry.read(CourseSource(path: path)) }
  }

  func unpacking(_ count: Int) throws -> () throws -> Void {
    let path = folder.file("\(count).zip")
    let files = (0..<count).map { ("course/1-goal/1-lesson/\($0)-text-\($0).md", "# Text \($0)\n\nWords.\n") }
    try Archives.zip([("course/course.yml", "title: A course\n")] + files).write(to: URL(filePath: path))
    return {
      // On a disk, the second run would measure ext4, which skips every inode that was freed in the last five seconds.
      // Source: Linux, fs/ext4/ialloc.c, `recently_deleted`.
      let usual = ProcessInfo.processInfo.environment["TMPDIR"]
      if FileManager.default.fileExists(atPath: "/dev/shm") { setenv("TMPDIR", "/dev/shm", 1) }
      defer { if let usual { setenv("TMPDIR", usual, 1) } else { unsetenv("TMPDIR") } }
      _ = try FormatRegistry.read(CourseSource(path: path))
    }
  }

  func palette(letters count: Int) throws -> () throws -> Void {
    let frames = try BrowserFrames(
      folder: folder, library: library, size: CellSize(columns: 80, rows: 24), features: OutputFeatures())
    let text = String(repeating: "words ", count: count / 6)
    return {
      _ = try frames.press(.character(":"))
      try frames.paste(text)
      _ = try frames.press(.escape)
    }
  }

  /// Prepares a run of the program with a text as its standard input. The program may refuse it.
  func running(_ arguments: [String], _ input: String = "") throws -> () throws -> Void {
    let guest = try Guest(program: program, database: folder.file("waymark.sqlite"))
    return {
      let process = try PipedProgram(guest.program, arguments, environment: guest.environment)
      try process.write(input)
      process.closeInput()
      _ = try process.waitForExit(within: 60)
    }
  }

  func typing(letters count: Int, after opener: Character = ":") throws -> () throws -> Void {
    let frames = try BrowserFrames(
      folder: folder, library: library, size: CellSize(columns: 80, rows: 24), features: OutputFeatures())
    let text = String(repeating: "words ", count: count / 6)
    return {
      _ = try frames.press(.character(opener))
      for letter in text { _ = try frames.press(.character(letter)) }
      _ = try frames.press(.escape)
    }
  }

  func pasting(_ count: Int) throws -> () throws -> Void {
    let frames = try BrowserFrames(
      folder: folder, library: library, size: CellSize(columns: 80, rows: 24), features: OutputFeatures())
    let text = String(repeating: "anchor ", count: count / 7)
    return {
      _ = try frames.press(.character("/"))
      try frames.paste(text)
      _ = try frames.press(.escape)
    }
  }
}
