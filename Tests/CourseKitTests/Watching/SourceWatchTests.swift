import CourseKit
import Foundation
import LearningModel
import TestSupport
import Testing

/// Tests watching a source while its author saves files. Changes before the call of `waitForChange()` are reported too,
/// so a second thread is only needed to test that no change is reported.
struct SourceWatchTests {
  private let folder: TemporaryFolder
  private let cancellation = ImportCancellation()

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("bread/flour"), withIntermediateDirectories: true)
    try write("Words.", to: "bread/dough.md")
    try write("Words.", to: "bread/flour/rye.md")
  }

  private func write(_ text: String, to name: String) throws { try folder.write(Data(text.utf8), to: name) }

  private func watch(_ name: String = "bread") throws -> SourceWatch {
    try SourceWatch(path: folder.file(name), until: cancellation)
  }

  /// Returns whether the watch reports no change until it is cancelled after 0.3 s.
  private func sleeps(_ watch: SourceWatch) throws -> Bool {
    let cancellation = cancellation
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.3)
      cancellation.cancel()
    }
    return try !watch.waitForChange()
  }

  @Test func `saving, creating, renaming or deleting a file is a change`() throws {
    let watch = try watch()

    try write("Other words.", to: "bread/dough.md")
    #expect(try watch.waitForChange())
    try write("Words.", to: "bread/oven.md")
    #expect(try watch.waitForChange())
    try FileManager.default.moveItem(atPath: folder.file("bread/oven.md"), toPath: folder.file("bread/stove.md"))
    #expect(try watch.waitForChange())
    try FileManager.default.removeItem(atPath: folder.file("bread/stove.md"))
    #expect(try watch.waitForChange())
    try write("Other words.", to: "bread/flour/rye.md")
    #expect(try watch.waitForChange())
    #expect(try sleeps(watch))
  }

  @Test func `a new folder and its subfolders are watched too`() throws {
    let watch = try watch()

    try FileManager.default.createDirectory(atPath: folder.file("bread/oven/hot"), withIntermediateDirectories: true)
    #expect(try watch.waitForChange())
    try write("Words.", to: "bread/oven/hot/stone.md")

    #expect(try watch.waitForChange())
    #expect(try sleeps(watch))
  }

  @Test func `several files saved together are one change`() throws {
    let watch = try watch()

    for name in ["a", "b", "c"] { try write("Words.", to: "bread/\(name).md") }

    #expect(try watch.waitForChange())
    #expect(try sleeps(watch))
  }

  @Test(arguments: ["bread/.dough.md.swp", "bread/dough.md~", "beside.md"])
  func `editor backups and files outside the folder are ignored`(_ name: String) throws {
    let watch = try watch()

    try write("Words.", to: name)

    #expect(try sleeps(watch))
  }

  @Test func `watching a file ignores other files and notices its replacement`() throws {
    let watch = try watch("bread/dough.md")

    try write("Words.", to: "bread/oven.md")
    try write("Words.", to: "bread/next.tmp")
    #expect(rename(folder.file("bread/next.tmp"), folder.file("bread/dough.md")) == 0)

    #expect(try watch.waitForChange())
    try write("Words.", to: "bread/oven.md")
    #expect(try sleeps(watch))
  }

  @Test func `a symbolic link to an ancestor folder is followed once`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("bread/flour/round"), withDestinationPath: folder.file("bread"))

    let watch = try watch()

    try write("Other words.", to: "bread/dough.md")
    #expect(try watch.waitForChange())
    #expect(try sleeps(watch))
  }

  @Test func `the removal and the return of the watched folder are changes`() throws {
    let watch = try watch()

    try FileManager.default.moveItem(atPath: folder.file("bread"), toPath: folder.file("away"))
    #expect(try watch.waitForChange())
    #expect(throws: CourseLibraryError.missing(folder.file("bread"))) { try self.watch() }
    try FileManager.default.moveItem(atPath: folder.file("away"), toPath: folder.file("bread"))
    #expect(try watch.waitForChange())
    try write("Other words.", to: "bread/flour/rye.md")

    #expect(try watch.waitForChange())
    #expect(try sleeps(watch))
  }

  @Test func `another folder with the path of the watched folder is watched instead`() throws {
    let watch = try watch()

    try FileManager.default.moveItem(atPath: folder.file("bread"), toPath: folder.file("away"))
    try FileManager.default.createDirectory(atPath: folder.file("bread"), withIntermediateDirectories: false)
    try write("Words.", to: "bread/dough.md")
    #expect(try watch.waitForChange())
    try write("Words.", to: "away/dough.md")

    try write("Other words.", to: "bread/dough.md")
    #expect(try watch.waitForChange())
    try write("Other words.", to: "away/dough.md")
    #expect(try sleeps(watch))
  }

  @Test func `changes next to the path of the watched folder are ignored while the folder is away`() throws {
    let watch = try watch()
    try FileManager.default.removeItem(atPath: folder.file("bread"))
    #expect(try watch.waitForChange())

    try write("Words.", to: "other.md")

    #expect(try sleeps(watch))
  }
}

extension CourseLibraryError {
  fileprivate static func missing(_ path: String) -> CourseLibraryError {
    .unreadableSource(
      kind: .notFound, description: "Could not import '\(path)': there is no such file or folder. Check the path.")
  }
}
