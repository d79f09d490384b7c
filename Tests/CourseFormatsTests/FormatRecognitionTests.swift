import CourseFormats
import LearningModel
import TestSupport
import Testing

/// Tests of the format that is recognised for folders, files and archives.
struct FormatRecognitionTests {
  /// A folder given by its files, or a file given by its name and text, with the expected format; `nil` if none is
  /// recognised.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let files: [String: String]
    let format: String?
    var isFile = false
    var testDescription: String { name }

    init(_ name: String, _ files: [String: String], _ format: String?) {
      (self.name, self.files, self.format) = (name, files, format)
    }

    init(file: String, _ text: String, _ format: String?) {
      (name, files, self.format, isFile) = (file, [file: text], format, true)
    }
  }

  private static let cell = "{\"cells\": [{\"cell_type\": \"markdown\", \"source\": \"Words.\"}], \"nbformat\": 4}"
  private static let tree =
    "{\"waymark\": 1, \"course\": {\"key\": \"a\", \"title\": \"A\", \"goals\": []}}"
  private static let summary = "- [A](a.md)\n"

  private static let container =
    "<container><rootfiles><rootfile full-path='b.opf' media-type='application/oebps-package+xml'/></rootfiles></container>"
  private static let typed = "application/epub+zip"

  static let folders: [Case] = [
    // Sources that match exactly one format.
    Case("Waymark's folder", ["course.yml": "title: A", "1-g/1-l/1-a.md": "Words."], "waymark"),
    Case(
      "Waymark's folder with the longer ending", ["course.yaml": "title: A", "1-g/1-l/1-a.md": "Words."], "waymark"),
    Case("a book of mdBook", ["book.toml": "", "src/SUMMARY.md": summary, "src/a.md": "# A\n\nWords."], "mdbook"),
    Case("a page", ["a.md": "Words."], "markdown"),
    Case("a page with the longer ending", ["a.markdown": "Words."], "markdown"),
    Case("a page in capitals", ["A.MD": "Words."], "markdown"),
    Case("a page of MDX", ["a.mdx": "Words."], "markdown"),
    Case("a page of Quarto", ["a.qmd": "Words."], "markdown"),
    Case("a page of R Markdown", ["a.Rmd": "Words."], "markdown"),
    Case("a page in folders", ["a/b/c/d.md": "Words."], "markdown"),
    Case("a README alone", ["README.md": "Words."], "markdown"),
    Case("MkDocs", ["mkdocs.yml": "nav: []", "docs/a.md": "Words."], "markdown"),
    Case("Hugo", ["hugo.toml": "title = 'A'", "content/_index.md": "Words."], "markdown"),
    Case("Jekyll", ["_config.yml": "title: A", "_posts/2026-01-01-a.md": "Words."], "markdown"),
    Case("Docusaurus", ["docusaurus.config.js": "", "docs/a.md": "Words."], "markdown"),
    Case("The Carpentries", ["config.yaml": "title: A", "episodes/a.md": "Words."], "markdown"),
    Case("GitBook", ["SUMMARY.md": summary, "a.md": "Words."], "markdown"),
    Case("sidebars", ["sidebars.json": "{}", "docs/a.md": "Words."], "markdown"),
    Case("Jupyter Book of Markdown", ["_toc.yml": "root: a", "a.md": "Words."], "markdown"),
    Case("a notebook", ["a.ipynb": cell], "jupyter"),
    Case("notebooks in folders", ["1/a.ipynb": cell, "2/b.ipynb": cell], "jupyter"),
    Case("a notebook in capitals", ["A.IPYNB": cell], "jupyter"),
    Case("a book in EPUB", ["mimetype": typed, "META-INF/container.xml": container, "b.opf": ""], "epub"),
    Case("a book in EPUB without its type", ["META-INF/container.xml": container, "b.opf": ""], "epub"),
    Case("a book in EPUB without its container", ["mimetype": typed, "b.opf": ""], "epub"),
    Case("Jupyter Book of notebooks", ["_toc.yml": "root: a", "a.ipynb": cell], "jupyter"),
    Case("rustlings", ExerciseFixtures.rustlings, "rustlings"),
    Case("golings", ExerciseFixtures.golings, "rustlings"),
    Case("a workspace of rustlings", ExerciseFixtures.workspace, "rustlings"),
    Case("a track of Exercism", ExerciseFixtures.track, "exercism"),
    Case("a learner's folder of Exercism", ExerciseFixtures.learner, "exercism"),
    Case("an assignment", ExerciseFixtures.classroom, "github-classroom"),
    Case("an assignment with a workflow", ExerciseFixtures.workflow, "github-classroom"),
    // Sources that match two formats: the more specific one wins.
    Case("notebooks with a README", ["README.md": "Words.", "a.ipynb": cell], "jupyter"),
    Case("notebooks with an index", ["index.md": "Words.", "a.ipynb": cell], "jupyter"),
    Case(
      "notebooks with a licence", ["LICENSE.md": "Words.", "CONTRIBUTING.md": "Words.", "a.ipynb": cell], "jupyter"),
    Case("notebooks with READMEs in folders", ["1/README.md": "Words.", "1/a.ipynb": cell], "jupyter"),
    Case("notebooks with what was made of them", ["a.ipynb": cell, "_build/a.md": "Words."], "jupyter"),
    Case("notebooks with their checkpoints", ["a.ipynb": cell, ".ipynb_checkpoints/a.ipynb": cell], "jupyter"),
    Case("a page among notebooks", ["1.ipynb": cell, "2.ipynb": cell, "3.md": "Words."], "markdown"),
    Case("a notebook among pages", ["1.md": "Words.", "2.md": "Words.", "3.ipynb": cell], "markdown"),
    Case("Jupyter Book of both", ["_toc.yml": "root: a", "a.md": "Words.", "b.ipynb": cell], "markdown"),
    Case("a book with a README", ["book.toml": "", "src/SUMMARY.md": summary, "README.md": "Words."], "mdbook"),
    Case("a book with a notebook", ["book.toml": "", "src/SUMMARY.md": summary, "a.ipynb": cell], "mdbook"),
    Case("a book with the file of MkDocs", ["book.toml": "", "src/SUMMARY.md": summary, "mkdocs.yml": ""], "mdbook"),
    Case("Waymark's folder with a README", ["course.yml": "title: A", "README.md": "Words."], "waymark"),
    Case("Waymark's folder with a book.toml", ["course.yml": "title: A", "book.toml": ""], "waymark"),
    Case("Waymark's folder with a notebook", ["course.yml": "title: A", "a.ipynb": cell], "waymark"),
    Case("a book in EPUB with a README", ["META-INF/container.xml": container, "README.md": "Words."], "epub"),
    Case("a book in EPUB with a notebook", ["META-INF/container.xml": container, "a.ipynb": cell], "epub"),
    Case("a book of mdBook beside what it was printed as", ["book.toml": "", "META-INF/container.xml": ""], "mdbook"),
    // Sources that resemble one format but have another.
    Case("a program's archive", ["META-INF/MANIFEST.MF": "x", "README.md": "Words."], "markdown"),
    Case("a mimetype of something else", ["mimetype": "text/plain", "a.md": "Words."], "markdown"),
    Case("a course.yml below the top", ["docs/course.yml": "title: A", "docs/a.md": "Words."], "markdown"),
    Case("a book.toml below the top", ["guide/book.toml": "", "guide/src/SUMMARY.md": summary], "markdown"),
    Case("a summary without a book.toml", ["src/SUMMARY.md": summary, "src/a.md": "Words."], "markdown"),
    Case("a folder called book.toml", ["book.toml/a.md": "Words."], "markdown"),
    Case("a folder called a.ipynb", ["a.ipynb/b.md": "Words."], "markdown"),
    Case("pages among programs", ["main.swift": "x", "Makefile": "x", "a.md": "Words."], "markdown"),
    Case("a project of Rust", ["Cargo.toml": "[package]", "a.md": "Words."], "markdown"),
    Case("an info.toml of something else", ["info.toml": "[a]\nb = 1", "a.md": "Words."], "markdown"),
    Case("a config.json of something else", ["config.json": "{}", "exercises/a.md": "Words."], "markdown"),
    Case("a workflow of something else", [".github/workflows/classroom.yml": "jobs: {}", "a.md": "x"], "markdown"),
    // Other documents.
    Case("plain text", ["a.txt": "Words."], "text"),
    Case("a README without an extension", ["README": "Words.", "main.c": "x"], "text"),
    Case("HTML pages", ["index.html": "<p>x", "a.html": "<p>x"], "html"),
    Case("HTML pages with a README", ["index.html": "<p>x", "README.md": "x"], "html"),
    Case("pages of Markdown with an HTML page", ["index.html": "<p>x", "a.md": "x"], "markdown"),
    Case("Sphinx's source", ["conf.py": "", "index.rst": "A", "a.html": "x", "b.rst": "x"], "document"),
    Case("Org", ["a.org": "* A"], "document"),
    Case("texts with one document", ["a.txt": "x", "b.txt": "x", "c.pdf": "%PDF-1.4"], "document"),
    // Sources without a recognised format.
    Case("nothing", [:], nil),
    Case("programs", ["main.swift": "x", "Package.swift": "x"], nil),
    Case("pictures", ["a.png": "x", "b/c.jpeg": "x"], nil),
    Case("a name that only ends alike", ["readmemd": "x", ".md": "x", "ipynb": "x"], nil),
    Case("pages of tools", ["node_modules/a/README.md": "x", "_build/b.md": "x", ".git/c.md": "x"], nil),
    Case("JSON that is nobody's", ["a.json": "{}"], nil),
  ]

  static let files: [Case] = [
    Case(file: "a.json", tree, "waymark"), Case(file: "course.txt", tree, "waymark"),
    Case(file: "spaced.json", "\n  " + tree, "waymark"), Case(file: "a.md", "Words.", "markdown"),
    Case(file: "B.MARKDOWN", "Words.", "markdown"), Case(file: "a.epub", "Words.", "epub"),
    Case(file: "a.ipynb", cell, "jupyter"),
    Case(file: "of waymark.md", "{\"waymark\": 1}", "waymark"), Case(file: "a.txt", "Words.", "text"),
    Case(file: "README", "Words.", "text"), Case(file: "README", "# A\n\nWords.", "markdown"),
    Case(file: "a.html", "<p>x", "html"), Case(file: "page", "<!doctype html><p>x", "html"),
    Case(file: "a.org", "* A", "document"), Case(file: "a.pdf", "%PDF-1.4", "document"),
    Case(file: "a.json", "{\"course\": 1}", nil), Case(file: "empty", "", nil),
    Case(file: "noise.bin", "\u{1}\u{2}", nil),
  ]

  private func found(_ path: String) throws -> String? {
    do {
      return try FormatRegistry.reader(for: CourseSource(path: path)).name
    } catch CourseFormatError.unrecognised(_, let needs) {
      #expect(needs == FormatRegistry.readers.map(\.requirements))
      return nil
    } catch CourseFormatError.foreign {
      return nil
    }
  }

  @Test func `there are at least sixty test cases`() {
    #expect(Self.folders.count + Self.files.count >= 60)
  }

  @Test(arguments: folders + files) func `a source is recognised by its content`(_ source: Case) throws {
    let folder = try TestFolder(source.files)

    #expect(try found(folder.path + (source.isFile ? "/" + source.name : "")) == source.format)
  }

  @Test(arguments: folders.filter { !$0.files.isEmpty }, ["zip", "tar", "tar.gz"])
  func `an archive is recognised by its content`(_ source: Case, _ kind: String) throws {
    let folder = try TestFolder()
    let names = source.files.keys.sorted()
    let packed =
      kind == "zip"
      ? Archives.zip(names.map { ("course/" + $0, source.files[$0]!) })
      : Archives.tar(names.map { ("course/" + $0, "0", source.files[$0]!) })
    let data = kind == "tar.gz" ? try Archives.gzip(packed, in: folder) : packed
    try folder.write(data, to: "course." + kind)

    #expect(try found(folder.path + "/course." + kind) == source.format)
  }

  @Test(arguments: [
    ("markdown", ["course.yml": "title: A", "a.md": "Words."]),
    ("markdown", ["book.toml": "", "src/SUMMARY.md": "- [A](a.md)", "src/a.md": "# A\n\nWords."]),
    ("markdown", ["META-INF/container.xml": container, "a.md": "Words."]),
    ("markdown", ["a.ipynb": cell, "README.md": "Words."]), ("markdown", ["a.ipynb": cell]),
    ("jupyter", ["a.ipynb": cell, "b.md": "Words."]), ("jupyter", ["book.toml": "", "a.ipynb": cell]),
    (
      "mdbook",
      ["course.yml": "title: A", "book.toml": "", "src/SUMMARY.md": "- [A](a.md)", "src/a.md": "# A\n\nWords."]
    ),
  ])
  func `a requested format is used even if another one is recognised`(
    _ format: String, _ files: [String: String]
  ) throws {
    let folder = try TestFolder(files)

    try withExtendedLifetime(folder) {
      let draft = try FormatRegistry.read(CourseSource(path: folder.path), from: format)
      #expect(draft.format == format && !draft.isRefused)
    }
  }

  @Test func `notebooks have the same keys whether read as Jupyter or as Markdown`() throws {
    let folder = try TestFolder(["1-a.ipynb": Self.cell, "2/b.ipynb": Self.cell])

    try withExtendedLifetime(folder) {
      let keys = try ["jupyter", "markdown"].map { format in
        try FormatRegistry.read(CourseSource(path: folder.path), from: format).nodes.map(\.key)
      }
      #expect(keys[0] == keys[1])
      #expect(FormatRegistry.haveSameKeys("jupyter", "markdown"))
      #expect(!FormatRegistry.haveSameKeys("jupyter", "waymark"))
    }
  }
}
