import CourseFormats
import CourseKit
import CoursePages
import Foundation
import LearningModel
import TestSupport
import TextCanvas

/// Texts: highlighted code, formulas, and the longest page of a real book.
enum ReadingPart {
  @MainActor static func run(_ options: Options, _ print: (Table) -> Void) throws {
    if options.isAsked(for: "code", of: "reading") {
      print(code())
      print(hostileCode())
    }
    if options.isAsked(for: "page", of: "reading") { print(try pages()) }
    if options.isAsked(for: "scrolling", of: "reading"), let table = try scrolling() { print(table) }
    if options.isAsked(for: "pictures", of: "reading") { print(try PicturePages(seed: options.seed).table()) }
    if options.isAsked(for: "search", of: "reading") { print(search()) }
    if options.isAsked(for: "markdown", of: "reading") {
      print(try MarkdownSpeed(program: options.program, seed: options.seed).table())
    }
  }

  // MARK: - Code

  private static func code() -> Table {
    var table = Table(
      "Reading: highlighting of code",
      note: "Processor time, the median of nine, for 1 MB: one typical line of each language, repeated.",
      columns: ["language", "time", "speed"])
    for language in Language.all {
      let text = repeated(lines[language.name] ?? "let x = f(1, \"a\"); // end\n", bytes: 1 << 20)
      var samples = Samples()
      for _ in 0..<9 { samples.measure(.process) { _ = language.runs(of: text) } }
      let speed = Double(text.utf8.count) / samples.median * 1e3
      table.add(
        language.name, samples.median.asTime, "\(Int(speed)) MB/s", target: "≥ 20 MB/s", isMet: speed >= 20)
    }
    return table
  }

  /// Lines for languages in which the default line has no meaningful tokens.
  private static let lines = [
    "HTML": "<p class=\"a\">One &amp; <b>two</b></p><!-- end -->\n",
    "CSS": ".a > b { color: #fff; margin: 1px } /* end */\n",
    "diff": "+ one\n- two\n@@ -1 +1 @@\n", "Console": "$ ls -l \"a\"\nsome output\n", "YAML": "key: [1, \"a\"] # end\n",
    "TOML": "key = [1, \"a\"] # end\n", "JSON": "{\"key\": [1, true, \"a\"]}\n",
    "SQL": "SELECT a, 'b' FROM t; -- end\n",
  ]

  private static func hostileCode() -> Table {
    var table = Table(
      "Reading: highlighting of code designed to be slow",
      note: "Processor time, the shortest of three, for 1 MB of one pattern, in the slowest language.",
      columns: ["what", "language", "time"])
    for what in [
      "\"", "'", "`", "/*", "(", "{", "<", "#", "\\", "$", "'''", "r#\"", "<<E\n", "${", "-", "a", "0", "\n", "/",
    ] {
      let text = repeated(what, bytes: 1 << 20)
      let times = Language.all.map { language in
        var samples = Samples()
        for _ in 0..<3 { samples.measure(.process) { _ = language.runs(of: text) } }
        return (name: language.name, time: samples.quantile(0))
      }
      guard let slowest = times.max(by: { $0.time < $1.time }) else { continue }
      table.add(
        what.debugDescription, slowest.name, slowest.time.asTime, target: "≤ 100 ms", isMet: slowest.time <= 1e8)
    }
    return table
  }

  private static func repeated(_ line: String, bytes: Int) -> String {
    String(repeating: line, count: bytes / line.utf8.count)
  }

  // MARK: - Pages

  private static func pages() throws -> Table {
    var table = Table(
      "Reading: layout of a page",
      note:
        "Processor time, the median of 31, in colour, 120 columns wide. Real books are those in WAYMARK_SAMPLES, with "
        + "the longest text of each.",
      columns: ["what", "letters", "lines", "time"])
    for (name, blocks) in try texts() {
      let layouts = [120, 100].map {
        ReadingLayout(width: $0, theme: Theme(colourDepth: .truecolor, pageAppearance: .dark), symbols: .unicode)
      }
      var (first, again) = (Samples(), Samples())
      var lines = 0
      for _ in 0..<31 {
        first.measure(.process) { lines = layouts[0].text(blocks).lines.count }
        again.measure(.process) { _ = layouts[1].text(blocks) }
      }
      let letters = blocks.plainText.count.grouped
      table.add(name, letters, lines.grouped, first.median.asTime, target: "≤ 5 ms", isMet: first.median <= 5e6)
      table.add(
        "\(name), narrower", letters, "", again.median.asTime, target: "≤ 5 ms", isMet: again.median <= 5e6)
    }
    return table
  }

  /// Scrolls the longest page of the Rust book by single lines, from the key to the bytes of the frame.
  @MainActor private static func scrolling() throws -> Table? {
    guard let book = samples.map({ $0 + "/mdbook/rust-book" }), FileManager.default.fileExists(atPath: book) else {
      return nil
    }
    let folder = try TemporaryFolder()
    let library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite"))
    _ = try library.importCourse(from: book)
    var longest: (path: PlacePath, letters: Int)?
    for row in try library.tree() where row.kind == .activity {
      guard case .reading(let blocks) = try library.content(at: row.path) else { continue }
      let letters = blocks.plainText.count
      if letters > longest?.letters ?? 0 { longest = (row.path, letters) }
    }
    guard let longest else { return nil }
    var table = Table(
      "Reading: a text scrolled by a line",
      note: "Processor time from the key to the bytes of the frame, 400 lines of \(longest.path), 120 × 40.",
      columns: ["what", "median", "99 %"])
    let page = try OpenedPage(
      database: folder.file("waymark.sqlite"), library: library, place: longest.path.description,
      size: CellSize(columns: 120, rows: 40), opensCard: false)
    let samples = try page.scroll(lines: 400)
    table.add(
      "a line", samples.median.asTime, samples.p99.asTime, target: "≤ 1 ms", isMet: samples.median <= 1e6)
    return table
  }

  // MARK: - Searching

  /// Measures a search in a text while the query is typed: the first letter with all preparation, and each further
  /// letter.
  private static func search() -> Table {
    var table = Table(
      "Reading: a search in a text of 1 MB",
      note: "Processor time, the median of nine, in laid-out lines with some thousand matches of each word.",
      columns: ["what", "found", "time"])
    let sentence = "Der erste Vorschlag ist ein Anker: Er zieht jede Zahl zu sich, die später genannt wird. "
    let paragraph = Block.paragraph([.text(repeated(sentence, bytes: 1 << 10))])
    let lines = ReadingLayout(
      width: 94, theme: Theme(colourDepth: .truecolor, pageAppearance: .dark), symbols: .unicode
    )
    .text(Array(repeating: paragraph, count: 1 << 10)).lines
    var (first, letters, drawn) = (Samples(), Samples(), Samples())
    var (matchCount, foundFirst) = (0, 0)
    for _ in 0..<9 {
      var search = TextSearch(in: [])
      first.measure(.process) {
        search = TextSearch(in: lines)
        search.search(for: "s", from: lines.count / 2)
      }
      foundFirst = search.count
      for query in ["sp", "spa", "spat", "spate", "spater"] {
        letters.measure(.process) { search.search(for: query, from: lines.count / 2) }
      }
      matchCount = search.count
      drawn.measure(.process) { _ = search.cells(in: 0..<60) }
    }
    table.add(
      "the first letter", foundFirst.grouped, first.median.asTime, target: "≤ 20 ms", isMet: first.median <= 2e7)
    table.add(
      "each further letter", matchCount.grouped, letters.median.asTime, target: "≤ 8 ms", isMet: letters.median <= 8e6)
    table.add("highlights of a page", "", drawn.median.asTime, target: "≤ 1 ms", isMet: drawn.median <= 1e6)
    return table
  }

  /// The folder of real courses, or `nil` without one.
  private static var samples: String? { ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"] }

  private static func texts() throws -> [(String, [Block])] {
    let books = samples.map { folder in
      [("mdbook/rust-book", "longest page of the Rust book"), ("jupyter/handson-ml3", "longest of the notebooks")]
        .map { (folder + "/" + $0.0, $0.1) }
    }
    return try (books ?? []).compactMap { path, name in
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      let draft = try FormatRegistry.read(CourseSource(path: path))
      let texts = try draft.nodes.indices.filter { draft.nodes[$0].kind == .activity }.compactMap { index -> [Block]? in
        if case .reading(let blocks) = try draft.contents.content(at: index) { blocks } else { nil }
      }
      return texts.max { $0.plainText.count < $1.plainText.count }.map { (name, $0) }
    }
  }
}
