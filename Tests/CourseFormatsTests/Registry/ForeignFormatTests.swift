import CourseFormats
import Foundation
import Testing

struct ForeignFormatTests {
  private static let formats: [String: (format: ForeignFormat, isFolder: Bool)] = [
    "anki.txt": (.ankiText, false), "cc.imscc": (.commonCartridge, false),
    "course.mbz": (.moodleBackup, false), "olx.tar.gz": (.openEdX, false), "q.gift": (.gift, false),
    "quiz.h5p": (.h5p, false), "scorm.zip": (.scorm, false),
  ]

  private func error(of path: String) -> CourseFormatError? {
    #expect(throws: CourseFormatError.self) { try FormatRegistry.read(CourseSource(path: path)) }
  }

  @Test func `the error for a file of another program names its format`() throws {
    let folder = fixtures.appending(path: "foreign")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)

    #expect(Set(names) == Set(Self.formats.keys))
    for (name, (format, isFolder)) in Self.formats {
      #expect(
        error(of: folder.appending(path: name).path)
          == format.refusal(of: name, isFolder: isFolder))
    }
  }

  @Test(arguments: [
    ("a.txt", "::Q:: 1 + 1 {=2 ~3}", ForeignFormat.gift), ("a.db", "SQLite format 3\0", .sqlite),
    ("a.mobi", "x", .kindle), ("a.doc", "x", .wordBefore2007),
  ])
  func `a foreign format is determined from the first bytes, otherwise from the name`(
    _ name: String, _ text: String, _ format: ForeignFormat
  ) throws {
    let folder = try TestFolder([name: text])

    #expect(
      error(of: folder.path + "/" + name) == format.refusal(of: name))
  }

  @Test(arguments: [
    ("a.docx", "x", ForeignFormat.word), ("a.rst", "A\n=", .reStructuredText), ("a.tex", "x", .latex),
    ("a", "%PDF-1.7", .pdf), ("a.txt", "%PDF-1.7", .pdf), ("a.txt", "{\\rtf1 x}", .rtf), ("a.odt", "x", .openDocument),
    ("a.1", ".TH A 1\n", .manualPage), ("a.3p", "'\\\" t\n.TH A 1\n", .manualPage), ("a.mediawiki", "x", .mediaWiki),
  ])
  func `a convertible document is recognised by its first bytes, otherwise by its name`(
    _ name: String, _ text: String, _ format: ForeignFormat
  ) throws {
    let folder = try TestFolder([name: text])
    var options = ReadOptions()
    options.searchPath = "/nowhere"

    #expect(throws: format.missingProgram(for: name)) {
      try FormatRegistry.read(CourseSource(path: folder.path + "/" + name), options: options)
    }
  }

  @Test func `a version number is not treated as the section of a manual page`() throws {
    let folder = try TestFolder(["notes-1.2": "Words.", "list.1": "Words."])

    #expect(error(of: folder.path + "/notes-1.2") != nil)
    #expect(error(of: folder.path + "/list.1") != nil)
  }

  @Test(arguments: [
    ("word/document.xml", "x", ForeignFormat.word), ("ppt/presentation.xml", "x", .powerPoint),
    ("mimetype", "application/vnd.oasis.opendocument.text", .openDocument), ("cmi5.xml", "x", .cmi5),
    ("imsmanifest.xml", "<manifest/>", .contentPackage),
  ])
  func `a package is recognised by its manifest`(_ file: String, _ text: String, _ format: ForeignFormat) throws {
    let folder = try TestFolder([file: text, "a.html": "x"])

    #expect(error(of: folder.path) == format.refusal(of: "course"))
  }

  @Test(arguments: ForeignFormat.allCases) func `every foreign format has a name and advice`(_ format: ForeignFormat) {
    #expect(!format.name.isEmpty && format.folderName.hasSuffix("s"))
    #expect(format.advice?.hasSuffix(".") ?? (format.remedy(isAlternative: false) != nil))
  }

  @Test func `a file of an unknown format is reported as unrecognised`() throws {
    let folder = try TestFolder(["a.bin": "\u{1}\u{2}"])

    #expect(
      error(of: folder.path + "/a.bin")
        == .unrecognised(source: "a.bin", needs: FormatRegistry.readers.map(\.requirements)))
  }
}
