import Foundation
import GRDB
import LearningModel
import Images
import TestSupport
import Testing

@testable import CourseKit
@testable import LearningStore

/// Tests that images are stored and removed with the courses that contain them.
struct ImageImportTests {
  private let folder: TemporaryFolder
  private let fixture: LibraryFixture

  init() throws {
    folder = try TemporaryFolder()
    fixture = try LibraryFixture()
  }

  private static func png(_ grey: UInt8) -> Data {
    Data(PixelImage(width: 1, height: 1, pixels: [grey, grey, grey, 255]).png)
  }

  /// Creates a course with one page that contains an image.
  private func course(_ name: String, grey: UInt8, words: String = "x") throws -> String {
    let path = folder.file(name)
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try folder.write(Data("# A\n\n![\(words)](x.png)".utf8), to: "\(name)/a.md")
    try folder.write(Self.png(grey), to: "\(name)/x.png")
    return path
  }

  /// Returns the number of courses that contain each image, by the image's bytes.
  private func storedImages() throws -> [Data: Int] {
    try fixture.library.store.read { snapshot in
      let rows = try Row.fetchAll(
        snapshot.database,
        sql: "SELECT bytes, (SELECT count(*) FROM coursePicture AS c WHERE c.digest = p.digest) FROM picture AS p")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as Data, $0[1] as Int) })
    }
  }

  private func problems() throws -> [String] {
    try fixture.library.store.read { try $0.fileProblems() + $0.contentProblems() }
  }

  @Test func `an image is stored once and removed with its last course`() throws {
    try fixture.library.importCourse(from: course("one", grey: 1))
    try fixture.library.importCourse(from: course("two", grey: 1))
    #expect(try storedImages() == [Self.png(1): 2])

    try fixture.library.remove(PlacePath("one"))
    #expect(try storedImages() == [Self.png(1): 1])
    #expect(try problems() == [])

    try fixture.library.remove(PlacePath("two"))
    #expect(try storedImages() == [:])
    #expect(try problems() == [])
  }

  @Test func `importing the same image changes nothing, and importing another one is a change`() throws {
    try fixture.library.importCourse(from: course("one", grey: 1))

    let again = try fixture.library.importCourse(from: course("one", grey: 1))
    #expect(again.difference.isEmpty)
    #expect(again.revision == 1)

    let changed = try fixture.library.importCourse(from: course("one", grey: 2))
    #expect(changed.difference.changed == 1)
    #expect(try storedImages() == [Self.png(2): 1])
  }

  @Test func `changing a text keeps its image`() throws {
    try fixture.library.importCourse(from: course("one", grey: 1))

    try fixture.library.importCourse(from: course("one", grey: 1, words: "other"))

    #expect(try storedImages() == [Self.png(1): 1])
  }

  @Test func `a dry run stores nothing`() throws {
    try fixture.library.importCourse(from: course("one", grey: 1), options: ImportOptions(isDryRun: true))

    #expect(try storedImages() == [:])
  }

  @Test func `an exported course is imported with its images`() throws {
    try fixture.library.importCourse(from: course("one", grey: 1))
    var zip = Data()
    try fixture.library.exportArchive(PlacePath("one")) {
      zip.append(contentsOf: $0)
      return true
    }
    try folder.write(zip, to: "one.zip")
    let other = try LibraryFixture()

    try other.library.importCourse(from: folder.file("one.zip"))

    #expect(try other.library.hasImages(at: PlacePath("one")))
    #expect(try other.drawing() == fixture.drawing())
    var again = Data()
    try other.library.exportArchive(PlacePath("one")) {
      again.append(contentsOf: $0)
      return true
    }
    #expect(again == zip)
  }

  @Test func `an import whose image was removed concurrently is refused as a whole`() throws {
    try fixture.library.importCourse(from: course("one", grey: 1))
    let store = fixture.library.store
    let digest = try #require(try store.read { try $0.images(of: $0.course(withKey: "one")!.node.id).first })
    #expect(throws: LearningDatabaseError.self) {
      try store.importing { writer in
        try writer.stage(image: digest, bytes: nil)
        _ = try fixture.library.remove(PlacePath("one"))
        let node = PlannedNode(
          id: nil, parent: nil, key: "two", kind: .course, position: 0, slug: "two", title: "Two", summary: "",
          minutes: nil, changes: [])
        _ = try writer.commit(
          CoursePlan(
            key: "two", base: nil, format: "waymark", sourceName: "two", sourceDigest: "", language: nil,
            nodes: [node], removed: [], counts: DifferenceCounts(added: 1)),
          at: Timestamp(milliseconds: 1))
      }
    }
    #expect(try store.read { try $0.courses() }.isEmpty)
  }

  @Test func `a former version of a course is restored completely`()
    throws
  {
    let path = try course("one", grey: 1)
    try fixture.library.importCourse(from: path)
    try fixture.library.rename(PlacePath("one/a"), to: "Mine")
    let export = try fixture.library.export(PlacePath("one"))
    let place = try #require(try fixture.library.store.read { try $0.place(at: PlacePath("one")) })
    let origin = try #require(try fixture.library.origin(of: place))

    let former = try fixture.library.snapshot(PlacePath("one"))
    try folder.write(Data("# Z\n\nAll new.".utf8), to: "one/z.md")
    try FileManager.default.removeItem(atPath: folder.file("one/a.md"))
    try fixture.library.importCourse(from: path, options: ImportOptions(replaces: true))
    try #require(try fixture.library.export(PlacePath("one")) != export)
    try #require(try storedImages().values.allSatisfy { $0 == 0 })
    let report = try fixture.library.restore(former)

    #expect(report.imported && former.title == "One")
    #expect(try fixture.library.export(PlacePath("one")) == export)
    #expect(try storedImages() == [Self.png(1): 1])
    let now = try #require(try fixture.library.origin(of: place))
    #expect([now.format, now.source, "\(now.revision)"] == [origin.format, origin.source, "\(origin.revision + 2)"])
    #expect(try fixture.library.rename(PlacePath("one/a"), to: nil).now == "A")
    #expect(try problems() == [])
  }
}
