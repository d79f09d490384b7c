import CourseFormats
import Foundation
import LearningModel
import Testing

struct EPUBReaderTests {
  // MARK: Recognition

  @Test func `a folder with an unpacked book and other texts is read as the larger of both`() throws {
    let files = SmallBook(["a.xhtml": "<p>A</p>"]).files
    let around = try TestFolder(["LICENSE.md": "x"])
    let less = try TestFolder(["notes/a.md": "x"])
    let more = try TestFolder(["notes/a.md": String(repeating: "x ", count: 1_000)])
    for (path, bytes) in files {
      for folder in [around, less, more] { try folder.write(bytes, to: "src/" + path) }
    }

    #expect(try FormatRegistry.reader(for: CourseSource(path: around.path)).name == "epub")
    #expect(try around.read().counts == ContentCounts(course: 1, goal: 1, lesson: 1, activity: 1))
    #expect(try less.read().format == "epub")
    #expect(try less.read().lost == ["1 Markdown text: left out"])
    #expect(try more.read().format == "markdown")
    #expect(try more.read().lost == ["1 EPUB book: left out"])
  }

  @Test func `a file or folder that only claims to be a book is rejected`() throws {
    let folder = try TestFolder(["a.epub": "words", "b/mimetype": "application/epub+zip\n"])

    #expect(
      throws: CourseFormatError.malformed(
        file: "a.epub", line: nil, problem: "its name is that of an EPUB book, but it is not a zip archive",
        advice: "Get the book again, because the file is incomplete.")
    ) { try FormatRegistry.read(CourseSource(path: folder.path + "/a.epub")) }
    #expect(throws: CourseFormatError.fileMissing(file: "META-INF/container.xml")) {
      try FormatRegistry.read(CourseSource(path: folder.path + "/b"))
    }
  }

  @Test func `a container without a package or a reading order is rejected`() throws {
    var book = SmallBook(["a.xhtml": "<p>A</p>"])
    book["book.opf"] = "<package xmlns='http://www.idpf.org/2007/opf'><metadata/></package>"

    #expect(
      throws: CourseFormatError.malformed(
        file: "O/book.opf", line: nil, problem: "it is not a package document with a reading order",
        advice: "Get the book again.")
    ) { try book.read() }
    book["book.opf"] = "<package>\n<metadata>\n</package>"
    #expect(
      throws: CourseFormatError.malformed(
        file: "O/book.opf", line: 3,
        problem: "it is not well-formed XML: Opening and ending tag mismatch: metadata line 2 and package",
        advice: "Get the book again, or correct the file.")
    ) { try book.read() }
    book.files["META-INF/container.xml"] = Data("<container/>".utf8)
    #expect(
      throws: CourseFormatError.malformed(
        file: "META-INF/container.xml", line: nil, problem: "it does not name a package document",
        advice: "Get the book again.")
    ) { try book.read() }
  }

  @Test func `a book without any text is rejected`() throws {
    let draft = try SmallBook(["a.xhtml": "<p> </p>", "b.xhtml": "<img src='b.png'/>"]).read()

    #expect(draft.said == ["error O/book.opf: No page of the book has a text that can be read."])
    #expect(draft.isRefused)
  }

  // MARK: Encryption

  private func encrypted(_ path: String, _ method: String) -> Data {
    Data(
      """
      <encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:e="http://www.w3.org/2001/04/xmlenc#">
      <e:EncryptedData><e:EncryptionMethod Algorithm="\(method)"/><e:CipherData><e:CipherReference URI="\(path)"/>
      </e:CipherData></e:EncryptedData></encryption>
      """.utf8)
  }

  private static let aes = "http://www.w3.org/2001/04/xmlenc#aes256-cbc"

  @Test(arguments: [
    ("META-INF/license.lcpl", "{}", "Readium LCP"), ("META-INF/sinf.xml", "<x/>", "Apple FairPlay"),
    ("META-INF/rights.xml", "<rights xmlns='http://ns.adobe.com/adept'/>", "Adobe ADEPT"),
    ("META-INF/other.xml", "<x/>", "an unknown protection"),
  ])
  func `the error for an encrypted book names its protection`(_ file: String, _ text: String, _ name: String) {
    var book = SmallBook(["a.xhtml": "<p>A</p>"])
    book.files["META-INF/encryption.xml"] = encrypted("O/a.xhtml", Self.aes)
    book.files[file] = Data(text.utf8)

    #expect(
      throws: CourseFormatError.malformed(
        file: "O/a.xhtml", line: nil, problem: "it is encrypted with \(name)",
        advice: "Import a copy of the book that is not protected.")
    ) { try book.read() }
  }

  @Test(arguments: [
    ("O/a.ttf", "http://www.idpf.org/2008/embedding"), ("O/a.ttf", "http://ns.adobe.com/pdf/enc#RC"),
    ("O/a.mp3", aes),
  ])
  func `encrypted fonts and sounds do not prevent reading a book`(
    _ path: String, _ method: String
  ) throws {
    var book = SmallBook(["a.xhtml": "<p>A</p>"])
    book.files["META-INF/encryption.xml"] = encrypted(path, method)

    #expect(try book.read().counts.activity == 1)
  }

  // MARK: The tree

  @Test func `pages without a table of contents are titled by heading, title or name`() throws {
    let book = SmallBook([
      "x1.xhtml": "<h2>One</h2><p>A</p>", "2-two.xhtml": "<p>B</p>", "x3.xhtml": "<h1>Three</h1><p>C</p>",
    ])

    #expect(
      try book.read().outline.filter { $0.contains("  l ") } == [
        "    l x1.xhtml | One", "    l 2-two.xhtml | T", "    l x3.xhtml | Three",
      ])
  }

  @Test func `an entry with the same target as its child has no text of its own`() throws {
    let book = SmallBook(
      ["a.xhtml": "<h1>Part</h1><p>A</p>", "b.xhtml": "<p>B</p>", "c.xhtml": "<p>C</p>"],
      contents: """
        <li><a href='a.xhtml'>Part</a><ol><li><a href='a.xhtml'>One</a></li><li><a href='b.xhtml'>Two</a></li></ol></li>
        <li><a href='b.xhtml'>Two again</a></li><li><a href='a.xhtml#x'>Nowhere</a></li><li><a href='c.xhtml'>C</a></li>
        """)

    let draft = try book.read()

    #expect(
      draft.outline == [
        "c b | Book", "  g a.xhtml! | Part", "    l a.xhtml | One", "      a a.xhtml# | One", "    l b.xhtml | Two",
        "      a b.xhtml# | Two", "  g c.xhtml! | C", "    l c.xhtml | C", "      a c.xhtml# | C",
      ])
    #expect(
      draft.lost == [
        "1 missing target of the table of contents: shown as a link to its page",
        "2 entry of the table of contents without a text: left out",
      ])
  }

  @Test func `text before the first entry of a page is appended to the previous text`() throws {
    let book = SmallBook(
      [
        "a.xhtml": "<p>A</p>", "b.xhtml": "<p>still A</p><div id='x'><h2>B</h2><p>b</p></div>",
        "c.xhtml": "<h1>Part</h1><p id='y'>c</p>",
      ],
      contents: "<li><a href='a.xhtml'>A</a></li><li><a href='b.xhtml#x'>B</a></li><li><a href='c.xhtml#y'>C</a></li>")

    let draft = try book.read()

    #expect(try draft.sketch("a.xhtml#") == ["A", "still A"])
    #expect(try draft.sketch("b.xhtml#x#") == ["b"])
    #expect(try draft.sketch("c.xhtml#y#") == ["# Part {part}", "c"])
  }

  @Test func `an entry with only a heading keeps it as its text`() throws {
    let book = SmallBook(
      ["a.xhtml": "<h1>Part One</h1>", "b.xhtml": "<h2>Chapter 1</h2><h3>The start</h3><p>b</p>"],
      contents: "<li><a href='a.xhtml'>Part One</a></li><li><a href='b.xhtml'>Chapter 1: The Start</a></li>")

    let draft = try book.read()

    #expect(try draft.sketch("a.xhtml#") == ["# Part One {part-one}"])
    #expect(try draft.sketch("b.xhtml#") == ["b"])
  }

  @Test func `many chapters share goals, and front and back matter have separate goals`() throws {
    let names = ["Cover page", "Dedication"] + (1...25).map { "Chapter \($0)" } + ["About the author"]
    let entries = names.indices.map { "<li><a href='a.xhtml#i\($0)'>\(names[$0])</a></li>" }.joined()
    let text = names.indices.map { "<p id='i\($0)'>Words \($0).</p>" }.joined()

    let draft = try SmallBook(["a.xhtml": text], contents: entries).read()

    #expect(
      draft.nodes.filter { $0.kind == .goal }.map(\.title) == [
        "Cover page – Dedication", "Chapter 1 – Chapter 8", "Chapter 9 – Chapter 16", "Chapter 17 – Chapter 25",
        "About the author",
      ])
  }

  @Test func `a long entry is split at headings, and links lead to its sections`() throws {
    let words = String(repeating: "word ", count: 1_500)
    let book = SmallBook(
      [
        "a.xhtml": "<h1>A</h1><h2 id='x'>X</h2><p>\(words)</p><section id='s'><h2>Y</h2><p>\(words)</p></section>",
        "b.xhtml": "<p><a href='a.xhtml#s'>to Y</a> <a href='a.xhtml#none'>lost</a> <a href='nav.xhtml'>all</a></p>",
      ], contents: "<li><a href='a.xhtml'>A</a></li><li><a href='b.xhtml'>B</a></li>")

    let draft = try book.read()

    #expect(
      draft.outline.filter { $0.contains("a a.xhtml") } == ["      a a.xhtml# | A", "      a a.xhtml#y | Y"])
    #expect(try draft.sketch("b.xhtml#") == ["[to Y](waymark:a.xhtml#y) [lost](waymark:a.xhtml) [all](waymark:b)"])
    #expect(draft.lost == ["1 link to a missing place in a page: shown as a link to the page"])
  }

  // MARK: Pages

  @Test func `a page in UTF-16 is read whatever encoding it declares`() throws {
    var book = SmallBook(["a.xhtml": ""])
    let page = "<?xml version='1.0' encoding='utf-8'?>" + SmallBook.page("<p>Grüße 茶</p>")
    book.files["O/a.xhtml"] = Data([0xFE, 0xFF]) + page.data(using: .utf16BigEndian)!

    #expect(try book.read().sketch("a.xhtml#") == ["Grüße 茶"])
  }

  @Test func `a page in an unsupported encoding is an error that names the byte`() throws {
    var book = SmallBook(["a.xhtml": ""])
    book.files["O/a.xhtml"] = Data("<p>Gr".utf8) + [0xFC] + Data("n</p>".utf8)

    let draft = try book.read()

    #expect(draft.said.first == "error O/a.xhtml:1: Byte 0xFC at offset 5 is not UTF-8 text. Save the file as UTF-8.")
    #expect(draft.isRefused)
  }

  @Test func `entities that a page declares are not expanded`() throws {
    var book = SmallBook(["a.xhtml": "", "b.xhtml": "<p>secret</p>"])
    let bombs = (1...20).map { "<!ENTITY e\($0) '&e\($0 - 1);&e\($0 - 1);'>" }.joined()
    book["a.xhtml"] =
      "<!DOCTYPE html [<!ENTITY x SYSTEM 'b.xhtml'><!ENTITY e0 'boom'>\(bombs)]>"
      + SmallBook.page("<p>A&x;&e0;B</p><p title='&e0;'>C</p>")

    let draft = try book.read()

    #expect(try draft.sketch("a.xhtml#") == ["AB", "C"])
    #expect(draft.lost == ["2 entity: left out"])
  }

  @Test func `footnotes that only refer to each other remain in place`() throws {
    let note = { (name: String, other: String) in
      "<aside id='\(name)' epub:type='footnote'><p>\(name) <a epub:type='noteref' href='#\(other)'>see</a></p></aside>"
    }
    let draft = try SmallBook(["a.xhtml": "<p>A</p>" + note("x", "y") + note("y", "x")]).read()

    #expect(
      try draft.sketch("a.xhtml#") == [
        "A", "> x [see](waymark:a.xhtml##y)", "> y [see](waymark:a.xhtml##x)",
      ])
  }

  @Test func `footnotes are moved below the text that refers to them, and their list is removed`() throws {
    let draft = try SmallBook([
      "a.xhtml": """
      <p>A<a epub:type="noteref" href="#x">1</a> B<a role="doc-noteref" href="#y" id="back">2</a></p>
      <ol><li id="x"><p>[1] first <a role="doc-backlink" href="#q">↩</a></p></li>
      <li id="y"><p>second <a href="#back">back</a></p></li></ol>
      """
    ]).read()

    #expect(try draft.sketch("a.xhtml#") == ["A[1] B[2]", "---", "[1] first", "[2] second"])
  }

  @Test func `endnotes on a separate page are shown in both places`() throws {
    let reference = { (number: Int) in "<a id='r\(number)' epub:type='noteref' href='n.xhtml#n\(number)'>\(number)</a>"
    }
    let note = { (number: Int, page: String) in
      "<li id='n\(number)' epub:type='endnote'><p>Note \(number). <a epub:type='backlink' href='\(page).xhtml#r\(number)'>↩</a></p></li>"
    }
    let book = SmallBook([
      "a.xhtml": "<p>A\(reference(1))</p>", "b.xhtml": "<p>B\(reference(2)) C\(reference(9))</p>",
      "n.xhtml": "<section epub:type='endnotes'><h2>Notes</h2><ol>\(note(1, "a"))\(note(2, "b"))</ol></section>",
    ])

    let draft = try book.read()

    #expect(try draft.sketch("a.xhtml#") == ["A[1]", "---", "[1] Note 1."])
    #expect(try draft.sketch("b.xhtml#") == ["B[2] C[9](waymark:n.xhtml)", "---", "[2] Note 2."])
    #expect(
      try draft.sketch("n.xhtml#") == ["1. Note 1. [↩](waymark:a.xhtml##r1)", "2. Note 2. [↩](waymark:b.xhtml##r2)"])
  }

  @Test func `a word that refers to a footnote remains in the text`() throws {
    let draft = try SmallBook([
      "a.xhtml": "<p>The <a epub:type='annoref' href='#x'>dryad</a> sang.</p>"
        + "<aside epub:type='annotation' id='x'><p>A nymph of the trees.</p></aside>"
    ]).read()

    #expect(try draft.sketch("a.xhtml#") == ["The dryad[1] sang.", "---", "[1] A nymph of the trees."])
  }

  @Test func `reading a book twice produces equal drafts with unique keys`() throws {
    let folder = fixtures.appending(path: "epub/tea").path
    let first = try FormatRegistry.read(CourseSource(path: folder))
    let second = try FormatRegistry.read(CourseSource(path: folder))

    #expect(first.nodes == second.nodes && first.sourceDigest == second.sourceDigest)
    #expect(try first.allContents() == second.allContents())
    #expect(Set(first.nodes.map(\.key)).count == first.nodes.count)
  }
}
