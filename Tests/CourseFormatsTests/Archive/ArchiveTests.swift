import CourseFormats
import Foundation
import LearningModel
import TestSupport
import Testing

struct ArchiveTests {
  private let course = [
    ("bees/course.yml", "title: Bees"), ("bees/1-start/goal.yml", "title: Start"),
    ("bees/1-start/1-hive/lesson.yml", "title: The hive"),
    ("bees/1-start/1-hive/1-parts.md", "---\ntitle: Parts\n---\nA floor."),
  ]
  private let outline = [
    "c bees | Bees", "  g start | Start", "    l start/hive | The hive", "      a start/hive/parts | Parts",
  ]
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func read(_ data: Data, as name: String, limits: SourceLimits = .standard) throws -> CourseDraft {
    try folder.write(data, to: name)
    return try FormatRegistry.read(CourseSource(path: folder.path + "/" + name, limits: limits))
  }

  @Test func `a zipped course is read like its folder`() throws {
    let draft = try read(Archives.zip(course), as: "bees.zip")

    #expect(draft.outline == outline)
    #expect(draft.sourceName == "bees.zip")
    #expect(try draft.content("start/hive/parts") == .reading([.paragraph([.text("A floor.")])]))
  }

  @Test func `tar files and compressed tar files are read like their folder`() throws {
    let tar = Archives.tar(course.map { ($0, "0", $1) })

    #expect(try read(tar, as: "bees.tar").outline == outline)
    #expect(try read(Archives.gzip(tar, in: TestFolder()), as: "bees.tar.gz").outline == outline)
  }

  @Test func `an archive with a single file is read as that file`() throws {
    let json = #"{"waymark": 1, "course": {"key": "c", "title": "C", "children": []}}"#

    #expect(try read(Archives.zip([("course.json", json)]), as: "bees.zip").outline == ["c c | C"])
  }

  @Test func `a single file that gzip has compressed is read by its own name, and its size is limited`() throws {
    let packed = try Archives.gzip(Data("# Bees\n\nA floor.\n".utf8), in: TestFolder())
    var limits = SourceLimits()
    limits.sourceSize = 10

    let draft = try read(packed, as: "bees.md.gz")

    #expect(draft.sourceName == "bees.md")
    #expect(
      draft.outline == ["c bees | Bees", "  g bees.md! | Bees", "    l bees.md | Bees", "      a bees.md# | Bees"])
    #expect(throws: CourseFormatError.limit(.sourceSize(10), file: "bees.md", line: nil)) {
      try read(packed, as: "bees.md.gz", limits: limits)
    }
  }

  @Test func `the metadata files of macOS are ignored`() throws {
    let entries = course + [("__MACOSX/bees/._course.yml", "x"), (".DS_Store", "x")]

    #expect(try read(Archives.zip(entries), as: "bees.zip").outline == outline)
  }

  @Test func `file names with characters outside ASCII are kept`() throws {
    let entries = course + [("bees/1-start/1-hive/2-größe.md", "---\ntitle: Größe\n---\nx")]

    #expect(try read(Archives.zip(entries), as: "bees.zip").outline.last == "      a start/hive/größe | Größe")
  }

  @Test(arguments: ["../evil.md", "bees/../../evil.md", "/tmp/evil.md", "..\\evil.md", "C:\\evil.md", "bees/.."])
  func `an archive entry outside the archive's folder is rejected`(_ name: String) {
    // Zip replaces backslashes in names by slashes.
    let path = name.replacing("\\", with: "/")
    #expect(
      throws: CourseFormatError.badArchive(source: "a.zip", reason: "the name '\(path)' in it leads outside its folder")
    ) {
      try read(Archives.zip(course + [(name, "x")]), as: "a.zip")
    }
    #expect(!FileManager.default.fileExists(atPath: "/tmp/evil.md"))
  }

  @Test(arguments: [("1", "course.yml"), ("2", "/etc/passwd"), ("3", ""), ("6", "")] as [(Character, String)])
  func `links, devices and pipes in an archive are rejected`(_ type: Character, _ target: String) {
    let reason = "'bees/x' in it is a link or a device, and only files and folders are unpacked"

    #expect(throws: CourseFormatError.badArchive(source: "a.tar", reason: reason)) {
      try read(Archives.tar([("bees/course.yml", "0", "title: A"), ("bees/x", type, target)]), as: "a.tar")
    }
  }

  @Test func `an archive entry that occurs twice, or as both file and folder, is rejected`() {
    #expect(throws: CourseFormatError.badArchive(source: "a.zip", reason: "'bees/course.yml' occurs in it twice")) {
      try read(Archives.zip(course + [course[0]]), as: "a.zip")
    }
    #expect(
      throws: CourseFormatError.badArchive(
        source: "a.zip", reason: "'bees/course.yml/x.md' in it is both a file and a folder")
    ) {
      try read(Archives.zip(course + [("bees/course.yml/x.md", "x")]), as: "a.zip")
    }
  }

  @Test func `a decompression bomb fails at the ratio limit`() throws {
    let zeros = String(repeating: "\0", count: 40 << 20)
    let bomb = try Archives.gzip(Archives.tar([("course.yml", "0", zeros)]), in: TestFolder())

    #expect(bomb.count < 100_000)
    #expect(throws: CourseFormatError.limit(.unpackedRatio(200), file: "bomb.tar.gz", line: nil)) {
      try read(bomb, as: "bomb.tar.gz")
    }
  }

  @Test func `size, entries and depth of an archive are limited`() {
    var limits = SourceLimits()
    limits.unpackedSize = 30
    #expect(throws: CourseFormatError.limit(.unpackedSize(30), file: "a.zip", line: nil)) {
      try read(Archives.zip(course), as: "a.zip", limits: limits)
    }
    limits = SourceLimits()
    limits.entries = 3
    #expect(throws: CourseFormatError.limit(.entries(3), file: "a.zip", line: nil)) {
      try read(Archives.zip(course), as: "a.zip", limits: limits)
    }
    let deep = String(repeating: "x/", count: 25) + "a.md"
    #expect(throws: CourseFormatError.limit(.pathDepth(24), file: "a.zip", line: nil)) {
      try read(Archives.zip(course + [(deep, "x")]), as: "a.zip")
    }
  }

  @Test func `an error thrown by the check stops unpacking even within a file`() throws {
    struct Enough: Error {}
    let folder = try TestFolder()
    try folder.write(Archives.zip([("course.yml", String(repeating: "x", count: 1 << 20))]), to: "a.zip")
    var looks = 0

    #expect(throws: Enough.self) {
      _ = try CourseSource(path: folder.path + "/a.zip") {
        looks += 1
        if looks == 5 { throw Enough() }
      }
    }

    #expect(looks == 5)
  }

  @Test func `discarding a source removes its unpacked files immediately`() throws {
    let folder = try TestFolder()
    try folder.write(Archives.zip(course), to: "a.zip")
    let source = try CourseSource(path: folder.path + "/a.zip")
    #expect(source.hasFile("course.yml"))

    source.discard()

    #expect(!source.hasFile("course.yml"))
  }

  @Test(arguments: ["tar.gz", "zip"], 0..<4)
  func `a flipped bit leads to a rejection or does not change the content`(_ kind: String, _ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let whole =
      kind == "zip"
      ? Archives.zip(course) : try Archives.gzip(Archives.tar(course.map { ($0, "0", $1) }), in: TestFolder())
    let expected = try read(whole, as: "bees." + kind)
    var refused = 0

    // Flips one random bit at a time, once for each byte.
    for offset in whole.indices {
      var flipped = whole
      flipped[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      do {
        let draft = try read(flipped, as: "bees." + kind)
        #expect(draft.outline == expected.outline, "byte \(offset)")
        #expect(try draft.allContents() == expected.allContents(), "byte \(offset)")
      } catch let error as CourseFormatError {
        #expect(error.kind == .badData, "byte \(offset): \(error)")
        refused += 1
      }
    }

    // Only changes of times, versions and the like are not detected.
    #expect(refused > whole.count / 2)
  }

  @Test func `a compressed tar that is truncated or has a wrong checksum is rejected`() throws {
    let tar = try Archives.gzip(Archives.tar(course.map { ($0, "0", $1) }), in: TestFolder())
    var changed = tar
    changed[changed.count - 8] ^= 1

    #expect(
      throws: CourseFormatError.badArchive(
        source: "a.tgz", reason: "reading it failed with 'incorrect data check'")
    ) {
      try read(changed, as: "a.tgz")
    }
    #expect(
      throws: CourseFormatError.badArchive(
        source: "a.tgz", reason: "reading it failed with 'unexpected end of file'")
    ) {
      try read(tar.dropLast(4), as: "a.tgz")
    }
  }

  @Test func `a checksum far after the last file of a compressed tar is verified`() throws {
    var random = SplitMix64(seed: 4)
    let filling = Data((0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) })
    let tar = try Archives.gzip(Archives.tar(course.map { ($0, "0", $1) }) + filling, in: TestFolder())
    var changed = tar
    changed[changed.count - 8] ^= 1

    #expect(try read(tar, as: "bees.tgz").outline == outline)
    let reason = "reading it failed with 'incorrect data check'"
    #expect(throws: CourseFormatError.badArchive(source: "bees.tgz", reason: reason)) {
      try read(changed, as: "bees.tgz")
    }
  }

  @Test func `concatenated gzip members are read as one tar`() throws {
    let tar = Archives.tar(course.map { ($0, "0", $1) })
    let folder = try TestFolder()
    let packed = try Archives.gzip(tar.prefix(700), in: folder) + Archives.gzip(tar.dropFirst(700), in: folder)

    #expect(try read(packed, as: "bees.tar.gz").outline == outline)
  }

  @Test func `a zip whose directory differs from its headers is rejected`() throws {
    let zip = Archives.zip(course)
    // The name of the second entry in the central directory.
    var renamed = zip
    let name = renamed.range(of: Data("goal.yml".utf8), options: .backwards)!
    renamed[name.lowerBound] = UInt8(ascii: "m")
    let reason = "its list and the header of entry 2 differ"
    #expect(throws: CourseFormatError.badArchive(source: "a.zip", reason: reason)) { try read(renamed, as: "a.zip") }
    // The type of the first entry, which becomes a folder.
    var folded = zip
    let list = folded.range(of: Data([0x50, 0x4B, 0x01, 0x02]))!.lowerBound
    folded[list + 38] = 0x10
    #expect(
      throws: CourseFormatError.badArchive(
        source: "a.zip", reason: "entry 1 in it is a folder by its name or by its type, but not by both")
    ) { try read(folded, as: "a.zip") }
    // The number of entries.
    var fewer = zip
    fewer[zip.count - 12] -= 1
    #expect(
      throws: CourseFormatError.badArchive(source: "a.zip", reason: "the list of entries at its end is damaged")
    ) { try read(fewer, as: "a.zip") }
  }

  @Test func `a truncated tar is rejected with the message of libarchive`() throws {
    #expect {
      try read(Archives.tar(course.map { ($0, "0", $1) }).prefix(700), as: "a.tar")
    } throws: {
      guard case CourseFormatError.badArchive("a.tar", let reason) = $0 else { return false }
      return reason.hasPrefix("reading it failed with '")
    }
  }
}
