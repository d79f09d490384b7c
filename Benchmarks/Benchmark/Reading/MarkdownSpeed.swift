import CMarkGFM
import Foundation
import TerminalHarness
import TestSupport

/// The processor time for reading the same folders of Markdown with Waymark and with other programs.
///
/// The other programs are optional. They are the packages `pandoc` and `mkdocs` of Debian.
struct MarkdownSpeed {
  let program: String
  let seed: UInt64

  func table() throws -> Table {
    var table = Table(
      "Reading: folders of Markdown",
      note: "Processor time with that of the system, the median of three, for the whole folder and for a page of 4 kB. "
        + "cmark-gfm converts the texts in memory. Real folders are measured if `WAYMARK_SAMPLES` names their folder.",
      columns: ["folder", "size", "what", "time", "for 4 kB", "peak memory"])
    let folder = try TemporaryFolder()
    try writePages(to: folder)
    try add("300 generated pages", folder.file("docs"), to: &table)
    guard let samples = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"] else { return table }
    for name in ["mdbook/rust-book", "markdown/mkdocs-cs-self-learning", "markdown/hugo-docs"] {
      let path = samples + "/" + name
      guard FileManager.default.fileExists(atPath: path) else { continue }
      try add(name, path, to: &table)
    }
    return table
  }

  private func add(_ name: String, _ path: String, to table: inout Table) throws {
    let pages = try Self.pages(in: path)
    let size = pages.reduce(0) { $0 + $1.count }
    func row(_ what: String, _ samples: Samples, memory: Int?, target: Double? = nil) {
      let onePage = samples.median * 4096 / Double(size)
      table.add(
        name, "\(pages.count) pages, \(size.asMegabytes)", what, samples.median.asTime, onePage.asTime,
        memory?.asMegabytes ?? "–", target: target.map { "≤ " + $0.asTime } ?? "", isMet: target.map { onePage <= $0 })
    }

    var converting = Samples()
    for _ in 0..<3 {
      converting.measure(.process) {
        for page in pages {
          page.withUnsafeBytes { bytes in
            free(cmark_markdown_to_html(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, 0))
          }
        }
      }
    }
    row("cmark-gfm to HTML", converting, memory: nil)

    for (what, arguments, target) in [
      ("`waymark import --dry-run`", ["import", "--dry-run", path], 2.5e6 as Double?),
      ("`waymark import`", ["import", path], nil),
    ] {
      let (samples, memory) = try measure { try Run(program, arguments, Guest(program: program).home.path) }
      row(what, samples, memory: memory, target: target)
    }

    let work = try TemporaryFolder()
    let whole = work.file("whole.md")
    try Data(pages.joined(separator: Array("\n\n".utf8))).write(to: URL(filePath: whole))
    try Data("site_name: Pages\ndocs_dir: \(path)\n".utf8).write(to: URL(filePath: work.file("mkdocs.yml")))
    for (name, what, arguments) in [
      ("mkdocs", "`mkdocs build`", ["build", "-q", "-f", work.file("mkdocs.yml"), "-d", work.file("site")]),
      ("pandoc", "`pandoc -f gfm -t html`, one document", ["-f", "gfm", "-t", "html", "-o", "/dev/null", whole]),
    ] {
      guard let tool = ["/usr/local/bin/", "/usr/bin/"].map({ $0 + name }).first(where: isProgram) else { continue }
      let (samples, memory) = try measure { Run(tool, arguments, work.path) }
      row(what, samples, memory: memory)
    }
  }

  private func isProgram(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

  /// A program with its arguments and its home folder.
  private struct Run {
    let program: String
    let arguments: [String]
    let home: String

    init(_ program: String, _ arguments: [String], _ home: String) {
      (self.program, self.arguments, self.home) = (program, arguments, home)
    }
  }

  /// Runs a program three times.
  ///
  /// - Returns: The processor times, and the peak memory in bytes.
  private func measure(_ run: () throws -> Run) throws -> (Samples, memory: Int) {
    var samples = Samples()
    var memory = 0
    for _ in 0..<3 {
      let run = try run()
      let start = Self.childrenTime()
      let process = try PipedProgram(
        run.program, run.arguments,
        environment: ["HOME": run.home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "WAYMARK_LEARNER": "ada"])
      process.closeInput()
      let ending = try process.waitForExit(within: 900) {
        memory = max(memory, ProcessFacts.peakMemory(of: process.processIdentifier))
      }
      guard ending == .exited(0) else {
        throw BenchmarkError.missing("\(run.program): \(String(decoding: process.errors, as: UTF8.self).suffix(400))")
      }
      samples.add(nanoseconds: Self.childrenTime() - start)
    }
    return (samples, memory)
  }

  /// Returns the processor time of all programs that this process has started and waited for, in nanoseconds.
  ///
  /// Source: POSIX, `getrusage`.
  private static func childrenTime() -> Double {
    var usage = rusage()
    getrusage(.init(RUSAGE_CHILDREN.rawValue), &usage)
    func nanoseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e9 + Double(time.tv_usec) * 1e3 }
    return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime)
  }

  /// Returns the texts of all Markdown pages in a folder and its subfolders.
  private static func pages(in path: String) throws -> [[UInt8]] {
    let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return try files.filter { $0.hasSuffix(".md") }.sorted().map {
      Array(try Data(contentsOf: URL(filePath: path + "/" + $0)))
    }
  }

  // MARK: Generated pages

  /// Writes 300 pages of about 4 kB with the usual markup.
  private func writePages(to folder: TemporaryFolder) throws {
    let language = Words(20_000, seed: seed)
    var random = SplitMix64(seed: seed)
    try FileManager.default.createDirectory(atPath: folder.file("docs"), withIntermediateDirectories: true)
    for index in 0..<300 {
      var text = "# \(language.text(3, &random).capitalized)\n\n"
      while text.utf8.count < 4096 {
        text += block(language, &random, pages: 300)
      }
      try Data(text.utf8).write(to: URL(filePath: folder.file("docs/page-\(index).md")))
    }
  }

  private func block(_ language: Words, _ random: inout SplitMix64, pages: Int) -> String {
    func words(_ count: Int) -> String { language.text(count, &random) }
    switch random.below(8) {
    case 0: return "## \(words(3).capitalized)\n\n"
    case 1:
      return "```python\n" + (0..<6).map { _ in "\(words(1)) = \(words(1))(\(words(1)), 1)\n" }.joined() + "```\n\n"
    case 2: return (0..<5).map { _ in "- \(words(8))\n" }.joined() + "\n"
    case 3:
      return "| \(words(1)) | \(words(1)) |\n|---|--:|\n"
        + (0..<4).map { _ in "| \(words(3)) | \(random.below(1000)) |\n" }.joined() + "\n"
    case 4: return "> \(words(20))\n\n"
    default:
      return "\(words(12)), *\(words(2))* \(words(10)) [\(words(2))](page-\(random.below(pages)).md) \(words(9)) "
        + "`\(words(1))` \(words(14)) **\(words(2))**.\n\n"
    }
  }
}
