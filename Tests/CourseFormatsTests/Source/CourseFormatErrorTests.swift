import CourseFormats
import LearningModel
import Snapshots
import Testing

struct CourseFormatErrorTests {
  private static let errors: [CourseFormatError] = [
    .sourceMissing(path: "a/b"),
    .noPermission(path: "a/b"),
    .readFailed(path: "a", reason: "the system reports 'Input/output error'"),
    .unknownFormat(name: "word", known: ["waymark", "mdbook"]),
    .unrecognised(source: "notes", needs: ["a file 'course.yml'", "a Markdown file, such as 'notes.md'"]),
    ForeignFormat.kindle.refusal(of: "book.mobi"),
    ForeignFormat.pdf.missingProgram(for: "book.pdf"),
    .cannotConvert(file: "notes.org", program: "pandoc", reason: "it reports 'Error at line 3'"),
    ForeignFormat.powerPoint.refusal(of: "slides", isFolder: true),
    .unsupportedAddress("ext::sh -c id"),
    .cannotFetch("https://example.org/a.git", reason: "git reports 'repository not found'"),
    .notOfFormat(source: "notes", format: "mdbook", needs: "a file 'book.toml'"),
    .fileMissing(file: "src/a.md"),
    .leavesSource(file: "../a"),
    .notAFile(file: "pipe"),
    .linkInCircles(file: "a/b", target: ".."),
    .notText(file: "a.md", line: 3, byte: 0x0E, offset: 21),
    .limit(.sourceSize(64 << 20), file: "a.json", line: nil),
    .limit(.fileSize(8 << 20), file: "a.md", line: nil),
    .limit(.unpackedSize(2 << 30), file: "a.zip", line: nil),
    .limit(.unpackedRatio(200), file: "a.zip", line: nil),
    .limit(.entries(10), file: "a", line: nil),
    .limit(.pathDepth(24), file: "a", line: nil),
    .limit(.nestingDepth(64), file: "a.md", line: 7),
    .limit(.nodes(9), file: "a", line: nil),
    .limit(.aliases(64), file: "a.yml", line: 2),
    .limit(.yamlSize(64 << 10), file: "a.yml", line: 1),
    .limit(.includeDepth(10), file: "a.md", line: nil),
    .limit(.elements(400_000), file: "a.md", line: nil),
    .limit(.attributes(4_000), file: "a.html", line: nil),
    .limit(.tableColumns(256), file: "a.md", line: 4),
    .limit(.tableGaps(50_000), file: "a.md", line: 4),
    .limit(.expandedSize(300), file: "a.md", line: nil),
    .limit(.includedSize(16 << 20, ratio: 16), file: "a.md", line: nil),
    .limit(.cardSize(1 << 20), file: "collection.anki2", line: nil),
    .limit(.cardsRatio(50), file: "collection.anki2", line: nil),
    .limit(.repeatedSize(4 << 20), file: "SUMMARY.md", line: 7),
    .malformed(file: "a.yml", line: 4, problem: "the field 'title' occurs twice", advice: "Remove one of them."),
    .badArchive(source: "a.zip", reason: "'x' occurs in it twice"),
    .noTemporarySpace(reason: "the system reports 'No space left on device'"),
  ]

  @Test func `each message has the failed task, the cause and a remedy`() {
    expectSnapshot(Self.errors.map(\.description))
  }

  @Test func `an error about a file in a source converts to a diagnostic`() {
    let error = CourseFormatError.notText(file: "a.md", line: 3, byte: 0xE9, offset: 21)

    #expect(
      error.diagnostic
        == Diagnostic(
          severity: .error, file: "a.md", line: 3,
          message: "Byte 0xE9 at offset 21 is not UTF-8 text. Save the file as UTF-8."))
  }

  @Test func `errors have the categories that exit codes distinguish`() {
    #expect(CourseFormatError.sourceMissing(path: "").kind == .notFound)
    #expect(CourseFormatError.noPermission(path: "").kind == .noPermission)
    #expect(CourseFormatError.readFailed(path: "", reason: "").kind == .inputOutput)
    #expect(CourseFormatError.noTemporarySpace(reason: "").kind == .inputOutput)
    #expect(CourseFormatError.unknownFormat(name: "", known: []).kind == .refused)
    #expect(CourseFormatError.unrecognised(source: "", needs: []).kind == .badData)
    #expect(ForeignFormat.pdf.refusal(of: "").kind == .badData)
    #expect(ForeignFormat.pdf.missingProgram(for: "").kind == .unavailable)
    #expect(CourseFormatError.cannotConvert(file: "", program: "", reason: "").kind == .badData)
    #expect(CourseFormatError.unsupportedAddress("").kind == .refused)
    #expect(CourseFormatError.cannotFetch("", reason: "").kind == .unavailable)
  }
}
