import CourseFormats
import Foundation
import LearningModel
import Testing

struct FormatRegistryTests {
  @Test func `every format has a unique name, a summary and a mapping`() {
    let readers = FormatRegistry.readers

    #expect(
      readers.map(\.name) == [
        "waymark", "rustlings", "exercism", "github-classroom", "mdbook", "epub", "anki", "jupyter", "markdown",
        "document", "html", "text",
      ])
    for reader in readers {
      #expect(!reader.summary.isEmpty && !reader.mapping.goal.isEmpty && !reader.mapping.lesson.isEmpty)
    }
  }

  @Test func `a folder is recognised by the file at its top level`() throws {
    let book = try TestFolder(["book.toml": "", "src/SUMMARY.md": ""])
    let course = try TestFolder(["course.yml": ""])

    #expect(try FormatRegistry.reader(for: CourseSource(path: book.path)).name == "mdbook")
    #expect(try FormatRegistry.reader(for: CourseSource(path: course.path)).name == "waymark")
  }

  @Test func `the error about an unrecognised folder lists what all formats need`() throws {
    let folder = try TestFolder(["notes.bin": "hello"], name: "notes")

    #expect(
      throws: CourseFormatError.unrecognised(
        source: "notes",
        needs: [
          "a file 'course.yml', or JSON that begins with '{\"waymark\": 1, …'",
          "a file 'info.toml' with '[[exercises]]'",
          "a track of Exercism with 'config.json'",
          "a file '.github/classroom/autograding.json'", "a file 'book.toml'",
          "a file 'META-INF/container.xml'", "a package of Anki, such as 'deck.apkg'",
          "a Jupyter notebook, such as 'notes.ipynb'",
          "a Markdown file, such as 'notes.md'",
          "a document that pandoc, asciidoctor or pdftotext converts, such as 'notes.org'",
          "an HTML page, such as 'index.html'", "a plain text, such as 'notes.txt'",
        ])
    ) {
      try folder.read()
    }
  }

  @Test(arguments: ["a.md", "01-first/B.MD", "one/two/three/notes.markdown"])
  func `a folder of Markdown files is a course without any other file`(file: String) throws {
    let folder = try TestFolder([file: "Words.", "notes.txt": "hello"], name: "notes")

    #expect(try FormatRegistry.reader(for: CourseSource(path: folder.path)).name == "markdown")
    #expect(try folder.read().counts == ContentCounts(course: 1, goal: 1, lesson: 1, activity: 1))
  }

  @Test func `Markdown in folders of tools or generated files is ignored`() throws {
    let folder = try TestFolder(["node_modules/x/README.md": "Words.", ".git/a.md": "Words."])

    #expect(throws: CourseFormatError.self) { try folder.read() }
  }

  @Test func `if two formats match, the more specific one is used`() throws {
    let book = try TestFolder(["book.toml": "", "src/SUMMARY.md": "- [A](a.md)", "src/a.md": "# A", "README.md": "x"])
    let course = try TestFolder(["course.yml": "title: A", "README.md": "x", "book.toml": ""])

    #expect(try FormatRegistry.reader(for: CourseSource(path: book.path)).name == "mdbook")
    #expect(try FormatRegistry.reader(for: CourseSource(path: course.path)).name == "waymark")
    #expect(try FormatRegistry.read(CourseSource(path: book.path), from: "markdown").format == "markdown")
  }

  @Test func `a requested format is used instead of the recognised one`() throws {
    let folder = try TestFolder(["course.yml": "title: A"], name: "a")
    let source = try CourseSource(path: folder.path)

    #expect(throws: CourseFormatError.notOfFormat(source: "a", format: "mdbook", needs: "a file 'book.toml'")) {
      try FormatRegistry.read(source, from: "mdbook")
    }
    #expect(
      throws: CourseFormatError.unknownFormat(
        name: "word", known: FormatRegistry.readers.map(\.name))
    ) {
      try FormatRegistry.read(source, from: "word")
    }
    let file = CourseSource(name: "a.txt", bytes: Array("hello".utf8))
    #expect(
      throws: CourseFormatError.notOfFormat(
        source: "a.txt", format: "waymark", needs: "an object that begins with '{\"waymark\": 1, …'")
    ) {
      try FormatRegistry.read(file, from: "waymark")
    }
    let empty = try TestFolder(["a.md": ""], name: "b")
    #expect(throws: CourseFormatError.notOfFormat(source: "b", format: "waymark", needs: "a file 'course.yml'")) {
      try FormatRegistry.read(CourseSource(path: empty.path), from: "waymark")
    }
  }

  @Test func `formats for folders of pages have the same keys`() {
    let names = FormatRegistry.readers.map(\.name)

    #expect(
      names.filter { FormatRegistry.haveSameKeys("html", $0) } == ["jupyter", "markdown", "document", "html", "text"])
    #expect(names.filter { FormatRegistry.haveSameKeys("epub", $0) } == ["epub"])
    #expect(FormatRegistry.haveSameKeys("outline", "outline") && !FormatRegistry.haveSameKeys("outline", "html"))
  }

  @Test func `progress is reported repeatedly and at the end`() throws {
    let folder = try TestFolder(["course.yml": "title: A"])
    for number in 0..<200 { try folder.write(Data("---\ntitle: T\n---\nx".utf8), to: "1-goal/1-lesson/\(number)-a.md") }
    let heard = ProgressRecorder()

    _ = try FormatRegistry.read(
      CourseSource(path: folder.path), options: ReadOptions { heard.append($0) })

    #expect(heard.numbers == [64, 128, 192, 203])
  }
}

private final class ProgressRecorder: @unchecked Sendable {
  // Unchecked: the reader calls this on the thread on which the test waits.
  var numbers: [Int] = []

  func append(_ number: Int) { numbers.append(number) }
}
