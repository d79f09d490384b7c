import CourseFormats
import Foundation
import LearningModel
import TestSupport
import Testing

@testable import CourseKit
@testable import LearningStore

/// Tests which renamed pages are recognised, by kinds of changes that occur in published courses.
struct RenamedPageKindsTests {
  /// A folder before and after an edit. The value of each file is its title and the ranges of words of its text, such as
  /// `Rye: rye 0-60`.
  struct Change: CustomTestStringConvertible {
    let testDescription: String
    let before: [String: String]
    let after: [String: String]
    /// The joined lessons: the old key, the new key and the evidence.
    let joined: [String]

    init(_ name: String, _ before: [String: String], _ after: [String: String], _ joined: [String] = []) {
      (testDescription, self.before, self.after, self.joined) = (name, before, after, joined)
    }
  }

  static let changes = [
    Change(
      "a page in another folder", ["bread/rye.md": "Rye: rye 0-60"], ["cakes/rye.md": "Rye: rye 0-55 new 0-5"],
      ["bread/rye > cakes/rye name"]),
    Change(
      "a page in another folder with another title", ["bread/rye.md": "Rye: rye 0-60"],
      ["cakes/rye.md": "Dark bread: rye 0-60"], ["bread/rye > cakes/rye name"]),
    Change(
      "another page with the same name in another folder", ["bread/notes.md": "Notes: rye 0-60"],
      ["cakes/notes.md": "Notes: plum 0-60"]),
    Change(
      "a rewritten page with another number", ["p/1.1 - rye.md": "Rye: rye 0-60"],
      ["p/part 2 rye.md": "Dark: new 0-60"],
      ["p/1.1 - rye > p/part 2 rye name"]),
    Change(
      "another spelling of a path", ["My notes/Rye_bread.md": "Rye: rye 0-60"],
      ["my-notes/rye-bread.md": "Rye: rye 0-60"],
      ["My notes/Rye_bread > my-notes/rye-bread path"]),
    Change(
      "a page with another name and title", ["p/rye.md": "Rye: rye 0-60"], ["p/dark.md": "Dark: rye 0-40 new 0-20"],
      ["p/rye > p/dark text"]),
    Change("a page whose text is mostly new", ["p/rye.md": "Rye: rye 0-60"], ["p/dark.md": "Dark: rye 0-20 new 0-40"]),
    Change(
      "a page with another name and mostly new text", ["p/rye.md": "Rye: rye 0-60"],
      ["p/dark.md": "Rye: rye 0-20 new 0-40"], ["p/rye > p/dark title"]),
    Change("another page with the same title", ["p/rye.md": "Rye: rye 0-60"], ["p/dark.md": "Rye: new 0-60"]),
    Change(
      "a page that is split unevenly", ["p/rye.md": "Rye: rye 0-100"],
      ["p/dark.md": "Dark: rye 0-65", "p/light.md": "Light: rye 65-100"], ["p/rye > p/dark text"]),
    Change(
      "a page that is split evenly", ["p/rye.md": "Rye: rye 0-100"],
      ["p/dark.md": "Dark: rye 0-50", "p/light.md": "Light: rye 50-100"]),
    Change(
      "two pages that are merged", ["p/rye.md": "Rye: rye 0-70", "p/oats.md": "Oats: oats 0-30"],
      ["p/grain.md": "Grain: rye 0-70 oats 0-30"], ["p/rye > p/grain text"]),
    Change(
      "two equally long pages that are merged", ["p/rye.md": "Rye: rye 0-50", "p/oats.md": "Oats: oats 0-50"],
      ["p/grain.md": "Grain: rye 0-50 oats 0-50"]),
    Change(
      "titles that are swapped", ["p/one.md": "Rye: rye 0-60", "p/two.md": "Oats: oats 0-60"],
      ["p/three.md": "Oats: rye 0-60", "p/four.md": "Rye: oats 0-60"], ["p/one > p/three text", "p/two > p/four text"]),
    Change(
      "names that are swapped between folders", ["p/rye.md": "Rye: rye 0-60", "p/oats.md": "Oats: oats 0-60"],
      ["q/oats.md": "Rye: rye 0-60", "q/rye.md": "Oats: oats 0-60"], ["p/oats > q/rye text", "p/rye > q/oats text"]),
    Change(
      "two pages of one title", ["p/a.md": "Bread: rye 0-60", "p/b.md": "Bread: oats 0-60"],
      ["p/c.md": "Bread: oats 0-50", "p/d.md": "Bread: rye 0-50"], ["p/a > p/d text", "p/b > p/c text"]),
    Change(
      "two short pages of one title", ["p/a.md": "Bread: rye 0-5", "p/b.md": "Bread: oats 0-5"],
      ["p/c.md": "Bread: oats 0-5", "p/d.md": "Bread: rye 0-5"]),
    Change(
      "an introduction in every chapter",
      ["a/introduction.md": "Introduction: rye 0-60", "b/introduction.md": "Introduction: oats 0-60"],
      ["c/introduction.md": "Introduction: oats 0-50", "d/introduction.md": "Introduction: rye 0-50"],
      ["a/introduction > d/introduction text", "b/introduction > c/introduction text"]),
    Change(
      "a short introduction in every chapter",
      ["a/introduction.md": "Introduction: rye 0-5", "b/introduction.md": "Introduction: oats 0-5"],
      ["c/introduction.md": "Introduction: oats 0-5", "d/introduction.md": "Introduction: rye 0-5"]),
    Change(
      "a removed introduction and a new one", ["a/introduction.md": "Introduction: rye 0-60", "z.md": "Z: z 0-9"],
      ["b/introduction.md": "Introduction: oats 0-60", "z.md": "Z: z 0-9"]),
    Change(
      "a page whose text is now on another page", ["p/rye.md": "Rye: rye 0-60", "p/oats.md": "Oats: oats 0-60"],
      ["p/oats.md": "Oats: oats 0-60 rye 0-60", "p/new.md": "Rye: rye 0-15 new 0-60"]),
    Change(
      "a short page with the same title", ["p/soon.md": "Soon: wait 0-2"], ["p/later.md": "Soon: wait 0-2"],
      ["p/soon > p/later title"]),
    Change(
      "a short page with another title and name", ["p/soon.md": "Soon: wait 0-2"], ["p/later.md": "Later: wait 0-2"]),
    Change(
      "a short page with the same name elsewhere", ["p/soon.md": "Soon: wait 0-2"], ["q/soon.md": "Later: wait 0-2"]),
    Change(
      "template pages of which one is replaced",
      ["p/a.md": "A: form 0-90 a 0-15", "p/b.md": "B: form 0-90 b 0-15"],
      ["p/a.md": "A: form 0-90 a 0-15", "p/c.md": "C: form 0-90 c 0-15"]),
    Change(
      "template pages that are all renamed",
      Dictionary(uniqueKeysWithValues: "abcde".map { ("p/\($0).md", "\($0): form 0-90 \($0) 0-20") }),
      Dictionary(uniqueKeysWithValues: "abcde".map { ("p/x\($0).md", "x\($0): form 0-90 \($0) 0-20") }),
      "abcde".map { "p/\($0) > p/x\($0) text" }),
    Change(
      "template pages that are all replaced",
      Dictionary(uniqueKeysWithValues: "abcde".map { ("p/\($0).md", "\($0): form 0-90 \($0) 0-20") }),
      Dictionary(uniqueKeysWithValues: "vwxyz".map { ("p/\($0).md", "\($0): form 0-90 \($0) 0-20") })),
    Change(
      "reports of two years", ["p/2025-01-10-report.md": "Report of 2025: form 0-60"],
      ["p/2026-01-10-report.md": "Report of 2026: next 0-60"]),
    Change(
      "two copies of a page", ["p/rye.md": "Rye: rye 0-60"], ["p/a.md": "A: rye 0-60", "p/b.md": "B: rye 0-60"]),
    Change(
      "a renamed page in two languages", ["en/rye.md": "Rye: rye 0-60", "de/rye.md": "Roggen: roggen 0-60"],
      ["en/dark.md": "Dark: rye 0-60", "de/dark.md": "Dunkel: roggen 0-60"], ["en/rye > en/dark text"]),
    Change(
      "a text without spaces between words", ["p/rye.md": "黒: 小麦粉を水とこねて一晩寝かせてから高温の窯で焼くとパンの皮が厚くなり香りが増す"],
      ["p/dark.md": "白: 小麦粉を水とこねて一晩寝かせてから高温の窯で焼くとパンの皮が厚くなり香りが残る"], ["p/rye > p/dark text"]),
  ]

  @Test(arguments: changes)
  func `renamed pages are joined and others are not`(change: Change) throws {
    let edition = try Edition(change.before)
    let before = try edition.library.tree().count
    try edition.replace(change.after)

    let report = try edition.importFolder()

    let lessons = report.joined.filter { $0.kind == .lesson && !$0.key.hasSuffix("/") }
    #expect(lessons.map { "\($0.key) > \($0.sourceKey) \($0.evidence)" }.sorted() == change.joined.sorted())
    #expect(report.joined.count { $0.kind == .activity } == lessons.count)
    #expect(Set(report.joined.map(\.key)).count == report.joined.count)
    #expect(try edition.library.tree().count + report.difference.removed - report.difference.added == before)
    #expect(try edition.library.check() == [])
  }

  @Test func `the evidence is used in the documented order`() throws {
    let edition = try Edition(["p/rye.md": "Rye: rye 0-100", "p/rest.md": "Rest: rest 0-50"])
    var pages = [
      ("q/declared.md", "Declared: rye 0-25 d 0-60", "---\naliases: [p/rye]\n---\n", "declared"),
      ("P/RYE.md", "Path: rye 20-45 c 0-60", "", "path"),
      ("q/rye.md", "Name: rye 40-65 b 0-60", "", "name"),
      ("p/title.md", "Rye: rye 60-85 a 0-60", "", "title"),
      ("q/text.md", "Text: rye 0-50", "", "text"),
    ]

    var order: [String] = []
    while !pages.isEmpty {
      try edition.replace(["p/rest.md": "Rest: rest 0-50"].merging(pages.map { ($0.0, $0.1) }) { $1 })
      for page in pages where !page.2.isEmpty { try edition.prepend(page.2, to: page.0) }
      let joined = try edition.importFolder(ImportOptions(isDryRun: true)).joined.filter { $0.key == "p/rye" }
      order += joined.map { "\($0.sourceKey) \($0.evidence)" }
      pages.removeFirst()
    }

    #expect(order == ["q/declared declared", "P/RYE path", "q/rye name", "p/title title", "q/text text"])
  }

  /// A file that declares that `old/rye` is now `p/dark`, or `nil` for the front matter of the page.
  private static let declarations: [(file: String?, text: String)] = [
    (nil, "aliases: [/old/rye/]"), (nil, "redirect_from: /old/rye.html"), (nil, "old: old/rye.md"),
    (nil, "aliases:\n  - rye"),
    ("mkdocs.yml", "plugins:\n  - redirects:\n      redirect_maps:\n        old/rye.md: p/dark.md\n"),
    (".gitbook.yaml", "redirects:\n  old/rye: p/dark.md\n"), ("public/_redirects", "# x\n/old/rye /p/dark 301\n"),
    ("conf.py", "x = 1\nrediraffe_redirects = {\n    # x\n    \"old/rye\": \"p/dark\",\n}\n"),
    ("static/_redirects", "/old/rye /p/middle\n/p/middle https://bread.example/p/dark.html#top\n"),
  ]

  @Test(arguments: declarations.indices)
  func `a declared former address is evidence in spite of another text`(number: Int) throws {
    let (file, text) = Self.declarations[number]
    let edition = try Edition(["old/rye.md": "Rye: rye 0-60", "p/oats.md": "Oats: oats 0-60"])
    try edition.replace(["p/dark.md": "Dark: dark 0-60", "p/oats.md": "Oats: oats 0-60"])
    if let file {
      try edition.write(text, to: file)
    } else {
      try edition.prepend("---\n\(text)\n---\n", to: "p/dark.md")
    }

    let joined = try edition.importFolder().joined.filter { $0.key.hasPrefix("old/") && $0.kind != .goal }

    #expect(
      joined.map { "\($0.key) \($0.title) \($0.evidence)" } == ["old/rye Dark declared", "old/rye# Dark declared"])
  }

  @Test func `a page that declares two former pages joins the more similar one`() throws {
    let edition = try Edition(["p/a.md": "A: a 0-60", "p/b.md": "B: b 0-60"])
    try edition.replace(["p/c.md": "C: a 0-20 b 0-40"])
    try edition.prepend("---\naliases: [p/a, p/b]\n---\n", to: "p/c.md")

    let joined = try edition.importFolder(ImportOptions(isDryRun: true)).joined.filter { $0.kind == .lesson }

    #expect(joined.map { "\($0.key) \($0.evidence)" } == ["p/b declared"])
  }

  @Test func `a renumbered page of a book with an edited text is joined`() throws {
    let folder = try TemporaryFolder()
    let library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite")) { Timestamp(milliseconds: 1_000) }
    func write(_ pages: [String: String], _ summary: String) throws {
      try? FileManager.default.removeItem(atPath: folder.file("book"))
      try FileManager.default.createDirectory(atPath: folder.file("book/src"), withIntermediateDirectories: true)
      try folder.write(Data("[book]\ntitle = \"Bread\"\n".utf8), to: "book/book.toml")
      try folder.write(Data(summary.utf8), to: "book/src/SUMMARY.md")
      for (name, text) in pages { try folder.write(Data(text.utf8), to: "book/src/" + name) }
    }
    let flour = "# Flour\n\nFlour is ground from grain, and a miller knows by touch how fine it is."
    try write(
      ["ch01-00-water.md": "# Water\n\nWater.", "ch02-00-flour.md": flour],
      "- [Water](ch01-00-water.md)\n- [Flour](ch02-00-flour.md)\n")
    try library.importCourse(from: folder.file("book"))
    let place = try library.place(at: PlacePath("book/flour/flour/flour")).node?.id
    try write(
      [
        "ch01-00-water.md": "# Water\n\nWater.", "ch02-00-salt.md": "# Salt\n\nSalt.",
        "ch03-00-flour.md": flour + " One.",
      ],
      "- [Water](ch01-00-water.md)\n- [Salt](ch02-00-salt.md)\n- [Flour](ch03-00-flour.md)\n")

    let report = try library.importCourse(from: folder.file("book"))

    #expect(
      report.joined.map { "\($0.kind) \($0.key) > \($0.sourceKey) \($0.evidence)" } == [
        "goal ch02-00-flour.md! > ch03-00-flour.md! contents", "lesson ch02-00-flour.md > ch03-00-flour.md name",
        "activity ch02-00-flour.md# > ch03-00-flour.md# name",
      ])
    #expect(report.difference.removed == 0 && report.difference.added == 3)
    #expect(try library.place(at: PlacePath("book/flour/flour/flour")).node?.id == place)
  }

  @Test func `the work for a course with ten thousand renamed pages is proportional to its size`() throws {
    let fixture = try LibraryFixture()
    func draft(_ name: String) -> CourseDraft {
      var nodes = [DraftNode(parent: nil, key: "english", kind: .course, title: "English")]
      nodes.append(DraftNode(parent: 0, key: "\(name)/", kind: .goal, title: name))
      var contents: [Int: ActivityContent] = [:]
      for number in 0..<10_000 {
        let key = "\(name)/\(name)\(number)"
        nodes.append(DraftNode(parent: 1, key: key, kind: .lesson, title: key))
        nodes.append(DraftNode(parent: nodes.count - 1, key: key + "#", kind: .activity, title: key, type: .reading))
        contents[nodes.count - 1] = .reading([.paragraph([.text(Self.text("form 0-20 page\(number)x 0-20"))])])
      }
      return CourseDraft(
        format: "outline", sourceName: "english", sourceDigest: name, language: "en", nodes: nodes,
        contents: ContentsInMemory(contents))
    }
    try fixture.importDraft(draft("old"))
    let edited = draft("new")
    let stored = try fixture.library.store.read { try CourseComparison.StoredCourse(of: edited, in: $0) }
    var renamed = RenamedNodes(in: edited, of: stored, store: fixture.library.store)

    let pairs = try renamed.find {}

    #expect(pairs.count == 20_001)
    // Each page has 20 shingles that no other page has, and is compared as a page and as a section.
    #expect(renamed.comparisons == 10_000 * 20 * 2)
  }

  /// Returns the words that a description such as `rye 0-2 oats 5-7` names: `rye0 rye1 oats5 oats6`. Other texts are
  /// unchanged.
  static func text(_ description: String) -> String {
    let parts = description.split(separator: " ")
    guard parts.count > 1 else { return description }
    return stride(from: 0, to: parts.count, by: 2).flatMap { number in
      let bounds = parts[number + 1].split(separator: "-").compactMap { Int($0) }
      return (bounds[0]..<bounds[1]).map { "\(parts[number])\($0)" }
    }.joined(separator: " ")
  }
}

/// A folder of Markdown that is imported repeatedly.
private struct Edition {
  let folder: TemporaryFolder
  let library: CourseLibrary

  init(_ pages: [String: String]) throws {
    folder = try TemporaryFolder()
    library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite")) { Timestamp(milliseconds: 1_000) }
    try replace(pages)
    try importFolder()
  }

  /// Replaces all pages. A page that all editions have prevents that a goal is joined by its only page.
  func replace(_ pages: [String: String]) throws {
    try? FileManager.default.removeItem(atPath: folder.file("notes"))
    for (name, page) in pages.merging(["always.md": "Always: always 0-40"], uniquingKeysWith: { own, _ in own }) {
      let parts = page.split(separator: ": ", maxSplits: 1)
      try write("# \(parts[0])\n\n\(RenamedPageKindsTests.text(String(parts[1])))\n", to: name)
    }
  }

  func write(_ text: String, to name: String) throws {
    let path = folder.file("notes/" + name)
    try FileManager.default.createDirectory(
      atPath: String(path[..<path.lastIndex(of: "/")!]), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  func prepend(_ text: String, to name: String) throws {
    try write(text + (try String(contentsOfFile: folder.file("notes/" + name), encoding: .utf8)), to: name)
  }

  @discardableResult func importFolder(_ options: ImportOptions = ImportOptions(replaces: true)) throws -> ImportReport
  {
    try library.importCourse(from: folder.file("notes"), options: options)
  }
}
