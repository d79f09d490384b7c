import CourseKit
import Foundation
import LearningModel
import TestSupport
import Testing

/// Tests a folder of Markdown whose author renames, moves and edits files between imports.
struct EditedFolderTests {
  private let folder: TemporaryFolder
  private let library: CourseLibrary

  init() throws {
    folder = try TemporaryFolder()
    library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite")) { Timestamp(milliseconds: 1_000) }
    for name in ["flour/rye", "flour/wheat", "loaf/crumb", "loaf/dough", "oven/stone"] {
      try write(page(name), to: name)
    }
    try write(long(), to: "oven/heat")
    try importFolder()
  }

  private func page(_ name: String) -> String { "# The \(name)\n\nWords about \(name).\n" }

  /// Returns a page with two sections that become activities.
  private func long(heading: String = "Too hot") -> String {
    let text = Array(repeating: "heat", count: 1_300).joined(separator: " ")
    return "# Heat\n\n\(text)\n\n## \(heading)\n\n\(text)\n\n## Too cold\n\n\(text)\n"
  }

  private func write(_ text: String, to name: String) throws {
    let file = URL(filePath: folder.file("bread/\(name).md"))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func move(_ old: String, to new: String) throws {
    try FileManager.default.moveItem(atPath: folder.file("bread/" + old), toPath: folder.file("bread/" + new))
  }

  @discardableResult private func importFolder() throws -> ImportReport {
    try library.importCourse(from: folder.file("bread"))
  }

  private func node(_ path: String) throws -> NodeID? { try library.place(at: PlacePath(path)).node?.id }

  @Test func `the pages of a renamed folder are joined by their names, also if a text is short or repetitive`() throws {
    let before = (try node("bread/oven/heat/too-hot"), try node("bread/oven/the-oven-stone/the-oven-stone"))
    try move("oven", to: "stove")

    let report = try importFolder()

    #expect(
      report.joined.map { "\($0.sourceKey) \($0.evidence)" } == [
        "stove/ contents", "stove/heat name", "stove/heat# name", "stove/heat#too-hot name", "stove/heat#too-cold name",
        "stove/stone name", "stove/stone# name",
      ])
    #expect(try node("bread/oven/heat/too-hot") == before.0)
    #expect(try node("bread/oven/the-oven-stone/the-oven-stone") == before.1)
  }

  @Test func `a folder that is renamed back restores its original nodes`() throws {
    let heat = try node("bread/oven/heat/too-hot")
    try move("oven", to: "stove")
    try importFolder()
    try move("stove", to: "oven")

    try importFolder()

    #expect(try node("bread/oven/heat/too-hot") == heat)
  }

  @Test func `a renumbered page is unchanged, and a moved page is joined`() throws {
    let movedNode = try node("bread/loaf/the-loaf-crumb/the-loaf-crumb")
    try move("loaf/crumb.md", to: "loaf/3-crumb.md")
    let numbered = try importFolder()
    #expect(numbered.difference.added == 0 && numbered.difference.removed == 0)
    #expect(try node("bread/loaf/the-loaf-crumb/the-loaf-crumb") == movedNode)

    try move("loaf/3-crumb.md", to: "flour/crumb.md")
    #expect(try importFolder().joined.map(\.sourceKey) == ["flour/crumb", "flour/crumb#"])
    #expect(try node("bread/flour/the-loaf-crumb/the-loaf-crumb") == movedNode)
  }

  @Test func `editing a title renames the node, and editing a heading keeps its activity`() throws {
    let editedNode = try node("bread/oven/heat/too-hot")
    try write("# All about rye\n\nWords about flour/rye.\n", to: "flour/rye")
    let renamed = try importFolder()
    #expect(renamed.difference.renamed == 2 && renamed.difference.added == 0)

    try write(long(heading: "Far too hot"), to: "oven/heat")
    let edited = try importFolder()
    #expect(edited.joined.map(\.sourceKey) == ["oven/heat#far-too-hot"])
    #expect(edited.diagnostics == [])
    #expect(try node("bread/oven/heat/too-hot") == editedNode)

    try write(long(heading: "Far too hot {#too-hot}"), to: "oven/heat")
    try importFolder()

    #expect(try node("bread/oven/heat/too-hot") == editedNode)
  }
}
