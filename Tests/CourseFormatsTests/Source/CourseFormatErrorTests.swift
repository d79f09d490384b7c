import CourseFormats
import LearningModel
import Testing

struct CourseFormatErrorTests {
  private static let messages: [(CourseFormatError, String)] = [
    (
      CourseFormatError.sourceMissing(path: "a/b"),
      "Could not import 'a/b': there is no such file or folder. Check the path."
    ),
    (
      .noPermission(path: "a/b"),
      "Could not read 'a/b': reading it is not permitted. Ask its owner for permission to read it."
    ),
    (
      .readFailed(path: "a", reason: "the system reports 'Input/output error'"),
      "Could not read 'a': the system reports 'Input/output error'. Check the disk, and try again."
    ),
    (
      .unknownFormat(name: "word", known: ["waymark", "mdbook"]),
      "Could not import from format 'word': there is no such format. Name one of: waymark, mdbook."
    ),
    (
      .unrecognised(source: "notes", needs: ["a file 'course.yml'", "a Markdown file, such as 'notes.md'"]),
      "Could not import 'notes': nothing in it is a course of a format that Waymark reads. Looked for: a file 'course.yml'; a Markdown file, such as 'notes.md'."
    ),
    (
      ForeignFormat.kindle.refusal(of: "book.mobi"),
      "Could not import 'book.mobi': it is a Kindle book, a format that Waymark does not read. Convert it to EPUB, for example with Calibre's 'ebook-convert'."
    ),
    (
      ForeignFormat.pdf.missingProgram(for: "book.pdf"),
      "Could not import 'book.pdf': it is a PDF document, a format that Waymark reads through 'pdftotext', which is not installed. Install the package 'poppler-utils'. Or: Convert it to EPUB, for example with Calibre's 'ebook-convert'."
    ),
    (
      .cannotConvert(file: "notes.org", program: "pandoc", reason: "it reports 'Error at line 3'"),
      "Could not convert 'notes.org': pandoc fails: it reports 'Error at line 3'. Check the file with pandoc, or "
        + "remove it from the course."
    ),
    (
      ForeignFormat.powerPoint.refusal(of: "slides", isFolder: true),
      "Could not import 'slides': it is a folder of PowerPoint presentations, a format that Waymark does not read. Export its text, and save that as Markdown."
    ),
    (
      .unsupportedAddress("ext::sh -c id"),
      "Could not open 'ext::sh -c id': only Git repositories can be opened by URL, over https, ssh, git or file. "
        + "Download it, and open the file."
    ),
    (
      .cannotFetch("https://example.org/a.git", reason: "git reports 'repository not found'"),
      "Could not fetch 'https://example.org/a.git': git reports 'repository not found'. Check the address and the "
        + "network. Install git if it is missing, and download files that are not in a repository."
    ),
    (
      .notOfFormat(source: "notes", format: "mdbook", needs: "a file 'book.toml'"),
      "Could not import 'notes': it is not of the format 'mdbook', which needs a file 'book.toml'."
    ),
    (
      .fileMissing(file: "src/a.md"),
      "Could not read 'src/a.md': the file does not exist. Add the file, or remove the references to it."
    ),
    (
      .leavesSource(file: "../a"),
      "Could not read '../a': the path leads outside the course's folder. Copy the file into the folder and use its "
        + "new path."
    ),
    (
      .notAFile(file: "pipe"),
      "Could not read 'pipe': it is neither a file nor a folder. Remove it, or save its content in a file."
    ),
    (
      .linkInCircles(file: "a/b", target: ".."),
      "Could not read 'a/b': it is a symbolic link to '..', a folder that contains it. Remove it from the course's "
        + "folder."
    ),
    (
      .notText(file: "a.md", line: 3, byte: 0x0E, offset: 21),
      "Could not read 'a.md' at line 3: byte 0x0E at offset 21 is not UTF-8 text. Save the file as UTF-8."
    ),
    (
      .limit(.sourceSize(64 << 20), file: "a.json", line: nil),
      "Could not read 'a.json': it is larger than 64 MiB. Split the course, or import it as a folder."
    ),
    (
      .limit(.fileSize(8 << 20), file: "a.md", line: nil),
      "Could not read 'a.md': the file is larger than 8 MiB. Split the file, or remove it from the course."
    ),
    (
      .limit(.unpackedSize(2 << 30), file: "a.zip", line: nil),
      "Could not read 'a.zip': it unpacks to more than 2 GiB. Unpack it yourself, and import the folder."
    ),
    (
      .limit(.unpackedRatio(200), file: "a.zip", line: nil),
      "Could not read 'a.zip': it unpacks to more than 200 times its own size. If you trust it, unpack it yourself, and import the folder."
    ),
    (
      .limit(.entries(10), file: "a", line: nil),
      "Could not read 'a': it has more than 10 files and folders. Import a folder that contains only the course."
    ),
    (
      .limit(.pathDepth(24), file: "a", line: nil),
      "Could not read 'a': its folders are nested more than 24 levels deep. Move the content up."
    ),
    (
      .limit(.nestingDepth(64), file: "a.md", line: 7),
      "Could not read 'a.md' at line 7: its content is nested more than 64 levels deep. Reduce the nesting."
    ),
    (
      .limit(.nodes(9), file: "a", line: nil),
      "Could not read 'a': the course has more than 9 goals, lessons and activities. Split the course."
    ),
    (
      .limit(.aliases(64), file: "a.yml", line: 2),
      "Could not read 'a.yml' at line 2: the YAML uses more than 64 aliases. Write short values without aliases."
    ),
    (
      .limit(.yamlSize(64 << 10), file: "a.yml", line: 1),
      "Could not read 'a.yml' at line 1: the YAML is longer than 64 KiB. Write short values without aliases."
    ),
    (
      .limit(.includeDepth(10), file: "a.md", line: nil),
      "Could not read 'a.md': its includes are nested more than 10 levels deep. Check for files that include "
        + "themselves."
    ),
    (
      .limit(.elements(400_000), file: "a.md", line: nil),
      "Could not read 'a.md': it has more than 400000 tags, lines or signs of markup. Split the page."
    ),
    (
      .limit(.attributes(4_000), file: "a.html", line: nil),
      "Could not read 'a.html': a tag has more than 4000 attributes. Close the tag."
    ),
    (
      .limit(.tableColumns(256), file: "a.md", line: 4),
      "Could not read 'a.md' at line 4: a table has more than 256 columns. Split the table, or convert it to a list."
    ),
    (
      .limit(.tableGaps(50_000), file: "a.md", line: 4),
      "Could not read 'a.md' at line 4: rows of tables leave out more than 50000 cells. Write as many cells in each "
        + "row as in the header, or use narrower tables."
    ),
    (
      .limit(.expandedSize(300), file: "a.md", line: nil),
      "Could not read 'a.md': with its includes and notes, the page is larger than 300 bytes. Include less, or split "
        + "the page."
    ),
    (
      .limit(.includedSize(16 << 20, ratio: 16), file: "a.md", line: nil),
      "Could not read 'a.md': the includes of all pages add 16 MiB more than 16 times the size of the pages. Include "
        + "less."
    ),
    (
      .limit(.cardSize(1 << 20), file: "collection.anki2", line: nil),
      "Could not read 'collection.anki2': its template makes a side of a card larger than 1 MiB. Use each field fewer "
        + "times in the templates of its note types."
    ),
    (
      .limit(.cardsRatio(50), file: "collection.anki2", line: nil),
      "Could not read 'collection.anki2': its templates make cards that are larger than 50 times the collection. Use "
        + "each field fewer times in the templates of its note types."
    ),
    (
      .limit(.repeatedSize(4 << 20), file: "SUMMARY.md", line: 7),
      "Could not read 'SUMMARY.md' at line 7: the pages that are listed repeatedly are larger than 4 MiB in total. "
        + "List each page once."
    ),
    (
      .malformed(file: "a.yml", line: 4, problem: "the field 'title' occurs twice", advice: "Remove one of them."),
      "Could not read 'a.yml' at line 4: the field 'title' occurs twice. Remove one of them."
    ),
    (
      .badArchive(source: "a.zip", reason: "'x' occurs in it twice"),
      "Could not unpack 'a.zip': 'x' occurs in it twice. Create the archive again, or unpack it yourself and import "
        + "the folder."
    ),
    (
      .noTemporarySpace(reason: "the system reports 'No space left on device'"),
      "Could not store the course temporarily: the system reports 'No space left on device'. Set TMPDIR to a folder "
        + "that you can write, on a disk with free space."
    ),
  ]

  @Test(arguments: messages)
  func `each message has the failed task, the cause and a remedy`(_ error: CourseFormatError, _ words: String) {
    #expect("\(error)" == words)
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
