import Foundation
import LearningModel
import Testing

@testable import CourseFormats

/// Tests of courses with images in a zip file.
struct WaymarkArchiveTests {
  private static func folder() throws -> TestFolder {
    let folder = try TestFolder([
      "course.yml": "title: C\nkey: c", "g/goal.yml": "title: G", "g/l/lesson.yml": "title: L",
      "g/l/a.md": "---\ntitle: A\n---\n![x](x.png) ![y](y.svg)", "g/l/y.svg": "<svg></svg>",
    ])
    try folder.write(tinyPNG(), to: "g/l/x.png")
    return folder
  }

  private static func zip(_ draft: CourseDraft) throws -> Data {
    var zip = Data()
    let digests = Array(Set(try draft.digests())).sorted()
    try WaymarkArchive.write(
      images: digests, bytes: { try draft.contents.image($0) },
      json: { try WaymarkWriter.write(draft.nodes, language: nil, contents: draft.contents, to: $0) },
      to: { zip.append(contentsOf: $0) })
    return zip
  }

  @Test func `a written archive is read back with equal content and images`() throws {
    let folder = try Self.folder()
    let draft = try folder.read()
    let packed = try TestFolder()
    try packed.write(Self.zip(draft), to: "c.zip")

    let back = try FormatRegistry.read(CourseSource(path: packed.path + "/c.zip"))

    #expect(back.format == "waymark")
    #expect(back.nodes == draft.nodes)
    #expect(try back.allContents() == draft.allContents())
    #expect(back.losses == [])
    #expect(back.diagnostics == [])
    for digest in try draft.digests() {
      #expect(try back.contents.image(digest) == draft.contents.image(digest))
    }
  }

  @Test func `equal courses produce equal archives`() throws {
    #expect(try Self.zip(Self.folder().read()) == Self.zip(Self.folder().read()))
  }

  @Test func `a course whose image files are missing is read with losses`() throws {
    let folder = try Self.folder()
    var text = ""
    let draft = try folder.read()
    try WaymarkWriter.write(draft.nodes, language: nil, contents: draft.contents) { text += $0 }

    let alone = try FormatRegistry.read(CourseSource(name: "c.json", bytes: Array(text.utf8)))

    #expect(try alone.images() == ["x.png|x", "y.svg|y"])
    #expect(alone.lost == ["2 image: shown as its description because its file is missing"])
  }

  @Test func `images embedded in the JSON are read`() throws {
    let folder = try Self.folder()
    let draft = try folder.read()
    let text = try WaymarkWriter.text(of: draft)

    let alone = try FormatRegistry.read(CourseSource(name: "c.json", bytes: Array(text.utf8)))

    #expect(alone.diagnostics == [] && alone.losses == [])
    #expect(try alone.allContents() == draft.allContents())
    for digest in try draft.digests() {
      #expect(try alone.contents.image(digest) == draft.contents.image(digest))
    }
  }

  @Test func `an embedded image that does not match its digest is omitted`() throws {
    let folder = try Self.folder()
    let text = try WaymarkWriter.text(of: folder.read()).replacing("PHN2Zz48L3N2Zz4=", with: "PHN2Zz4gPC9zdmc+")

    let alone = try FormatRegistry.read(CourseSource(name: "c.json", bytes: Array(text.utf8)))

    #expect(
      alone.said.map { $0.replacing(/'[0-9a-f]{12}…'/, with: "'…'") } == [
        "warning c.json:4: The image '…' is left out because its data has another digest. Export the course again."
      ])
    #expect(alone.lost == ["1 image: shown as its description because its file is missing"])
  }

  @Test func `an image file that does not match its digest is not used`() throws {
    let folder = try Self.folder()
    let draft = try folder.read()
    var text = ""
    try WaymarkWriter.write(draft.nodes, language: nil, contents: draft.contents) { text += $0 }
    let unpacked = try TestFolder(["course.json": text])
    try unpacked.write(tinyPNG(grey: 1), to: "pictures/\(draft.digests()[0]).png")

    let back = try unpacked.read()

    #expect(
      back.lost.sorted() == [
        "1 image: shown as its description because its file has another digest",
        "1 image: shown as its description because its file is missing",
      ])
  }

  @Test func `an error of the sink stops the writer`() throws {
    struct Full: Error {}
    let draft = try Self.folder().read()

    #expect(throws: Full.self) {
      try WaymarkArchive.write(
        images: [], bytes: { _ in nil }, json: { try $0(WaymarkWriter.text(of: draft)) }, to: { _ in throw Full() })
    }
  }
}
