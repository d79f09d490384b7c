import Foundation
import LearningModel
import TestSupport
import Testing

@testable import CourseKit

/// Tests pages that are renamed, moved or damaged between two imports of a folder.
struct RenamedPageTests {
  private let folder: TemporaryFolder
  private let library: CourseLibrary
  private static let text = (1...25).map { "word\($0)" }.joined(separator: " ")
  private static let other = (26...50).map { "word\($0)" }.joined(separator: " ")

  init() throws {
    folder = try TemporaryFolder()
    library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite")) { Timestamp(milliseconds: 1_000) }
    try write([
      "bread/rye.md": "# Rye\n\n\(Self.text) [oats](oats.md)", "bread/oats.md": "# Oats\n\n\(Self.other)",
      "cake.md": "# Cake\n\nSee [rye](bread/rye.md#rye) and [oats](bread/oats.md).",
    ])
    try importNotes()
  }

  private func write(_ files: [String: String]) throws {
    for (name, text) in files {
      let path = folder.file("notes/" + name)
      try FileManager.default.createDirectory(
        atPath: String(path[..<path.lastIndex(of: "/")!]), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: path))
    }
  }

  private func move(_ path: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: folder.file("notes/" + path), toPath: folder.file("notes/" + other))
  }

  @discardableResult
  private func importNotes(_ options: ImportOptions = ImportOptions()) throws -> ImportReport {
    try library.importCourse(from: folder.file("notes"), options: options)
  }

  private func nodes() throws -> [ContentNode] {
    try library.tree().compactMap { try library.place(at: $0.path).node }
  }

  private func id(_ path: String) throws -> NodeID? { try library.place(at: PlacePath(path)).node?.id }

  @Test func `a renamed page keeps its places, paths and keys, and the report names it`() throws {
    let before = (paths: try library.tree().map(\.path), ids: try nodes().map(\.id))
    try move("bread/rye.md", to: "bread/dark.md")
    try write(["cake.md": "# Cake\n\nSee [rye](bread/dark.md#rye) and [oats](bread/oats.md)."])

    let preview = try importNotes(ImportOptions(isDryRun: true))
    let report = try importNotes()

    let joined = [
      JoinedPlace(kind: .lesson, title: "Rye", key: "bread/rye", sourceKey: "bread/dark", evidence: .title),
      JoinedPlace(kind: .activity, title: "Rye", key: "bread/rye#", sourceKey: "bread/dark#", evidence: .title),
    ]
    #expect(report.joined == joined && preview.joined == joined)
    #expect(report.difference.added == 0 && report.difference.removed == 0)
    #expect(report.diagnostics == [])
    #expect(Set(try library.tree().map(\.path)) == Set(before.paths))
    #expect(Set(try nodes().map(\.id)) == Set(before.ids))
    let course = try #require(try id("notes"))
    let target = try #require(try library.target(of: "waymark:bread/rye#rye", inCourse: course))
    #expect(target.node.key == "bread/rye#")
    let links = try library.content(at: PlacePath("notes/cake/cake/cake")).plainText
    #expect(links == "See rye and oats.")
    #expect(try library.check() == [])
  }

  @Test func `a renamed page keeps its places when its text is edited later, and when it is renamed again`() throws {
    let place = try id("notes/bread/rye/rye")
    try move("bread/rye.md", to: "bread/dark.md")
    try importNotes()
    try write(["bread/dark.md": "# Rye\n\n\(Self.text) and more"])

    let edited = try importNotes()
    try move("bread/dark.md", to: "bread/black.md")
    let again = try importNotes()

    #expect(edited.joined == [] && edited.difference.changed == 1 && edited.difference.added == 0)
    #expect(again.joined.map(\.sourceKey) == ["bread/black", "bread/black#"])
    #expect(try id("notes/bread/rye/rye") == place)
    #expect(try importNotes().difference.isEmpty)
    #expect(try library.check() == [])
  }

  @Test func `a page with the former name of a renamed page is a new page`() throws {
    let place = try id("notes/bread/rye/rye")
    try move("bread/rye.md", to: "bread/dark.md")
    try importNotes()
    try write(["bread/rye.md": "# Another\n\nA different text."])

    let report = try importNotes()

    #expect(report.joined == [])
    #expect(
      try nodes().map(\.key).filter { $0.hasPrefix("bread/") }.sorted() == [
        "bread/", "bread/dark", "bread/dark#", "bread/oats", "bread/oats#", "bread/rye", "bread/rye#",
      ])
    #expect(try library.place(at: PlacePath("notes/bread/rye/rye")).node?.id == place)
    #expect(try library.check() == [])
  }

  @Test func `the pages of a renamed folder are joined although links between them break`() throws {
    let before = try nodes().filter { $0.kind == .activity }.map(\.id)
    try move("bread", to: "loaves")

    let report = try importNotes()

    #expect(
      report.joined.map(\.key).sorted() == ["bread/", "bread/oats", "bread/oats#", "bread/rye", "bread/rye#"])
    #expect(Set(try nodes().filter { $0.kind == .activity }.map(\.id)) == Set(before))
  }

  @Test func `pages are not joined without permission, if the text is short, or if several have the same text`() throws
  {
    try move("bread/rye.md", to: "bread/dark.md")
    let forbidden = try importNotes(ImportOptions(isDryRun: true, joinsRenamed: false))
    try write(["bread/darker.md": "# Rye\n\n\(Self.text) [oats](oats.md)"])
    let ambiguous = try importNotes(ImportOptions(isDryRun: true))
    try move("bread/dark.md", to: "bread/rye.md")
    try FileManager.default.removeItem(atPath: folder.file("notes/bread/darker.md"))
    try move("cake.md", to: "tart.md")
    try write(["tart.md": "# Tart\n\nSee [rye](bread/rye.md#rye) and [oats](bread/oats.md)."])
    let short = try importNotes(ImportOptions(isDryRun: true))

    #expect(forbidden.joined == [] && forbidden.difference.added == 2 && forbidden.difference.removed == 2)
    #expect(ambiguous.joined == [] && ambiguous.difference.added == 4 && ambiguous.difference.removed == 2)
    #expect(short.joined == [] && short.difference.removed > 0)
  }

  @Test func `a page that is damaged later keeps its last good edition until it is repaired`() throws {
    let place = try id("notes/bread/rye/rye")
    let good = try Data(contentsOf: URL(filePath: folder.file("notes/bread/rye.md")))
    try (good + [0xFF]).write(to: URL(filePath: folder.file("notes/bread/rye.md")))

    let damaged = try importNotes()
    let text = try library.content(at: PlacePath("notes/bread/rye/rye")).plainText
    #expect(throws: CourseLibraryError.self) { try importNotes(ImportOptions(isStrict: true)) }
    try Data("# Rye\n\nRepaired.".utf8).write(to: URL(filePath: folder.file("notes/bread/rye.md")))
    let repaired = try importNotes()

    #expect(damaged.difference.isEmpty)
    #expect(
      damaged.losses == [
        Loss(what: "page that cannot be read", count: 1, treatment: "shown as its last good edition")
      ])
    #expect(damaged.diagnostics.count == 1)
    #expect(damaged.diagnostics[0].message.hasSuffix(" The last good edition of the page stays."))
    #expect(text == "\(Self.text) oats")
    #expect(repaired.difference.changed == 2 && repaired.difference.added == 0)
    #expect(try id("notes/bread/rye/rye") == place)
    #expect(try library.check() == [])
  }

  @Test func `a renamed page that is damaged keeps its last good edition`() throws {
    try move("bread/rye.md", to: "bread/dark.md")
    try importNotes()
    let good = try Data(contentsOf: URL(filePath: folder.file("notes/bread/dark.md")))
    try (good + [0xFF]).write(to: URL(filePath: folder.file("notes/bread/dark.md")))

    let damaged = try importNotes()

    #expect(damaged.difference.isEmpty)
    #expect(
      damaged.losses.filter { $0.what == "page that cannot be read" }.map(\.treatment) == [
        "shown as its last good edition"
      ])
    #expect(try library.check() == [])
  }
}
