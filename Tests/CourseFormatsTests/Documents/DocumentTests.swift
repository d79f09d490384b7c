import CourseFormats
import ExternalPrograms
import Foundation
import LearningModel
import Testing

private let hasPandoc = ExternalProgram(named: "pandoc") != nil
private let hasAsciidoctor = ExternalProgram(named: "asciidoctor") != nil
private let hasPDFToText = ExternalProgram(named: "pdftotext") != nil

struct DocumentTests {
  private func read(_ name: String, searchPath: String? = nil) throws -> CourseDraft {
    var options = ReadOptions()
    options.searchPath = searchPath
    return try FormatRegistry.read(
      CourseSource(path: fixtures.appending(path: "document/" + name).path), options: options)
  }

  private static let weakness = "ran without a part of its sandbox"

  private func messages(_ draft: CourseDraft) -> [String] {
    draft.diagnostics.map(\.message).filter { !$0.contains(Self.weakness) }
  }

  // MARK: - pandoc

  @Test(.enabled(if: hasPandoc, "pandoc is not installed"))
  func `formulas, tables, footnotes and code languages of Org are kept`() throws {
    let draft = try read("ladders.org")

    #expect(draft.format == "document")
    #expect(draft.nodes.first?.title == "Ladders")
    #expect(
      try draft.sketch("ladders.org#") == [
        "A ladder stands at an angle[1], see ropes.",
        "# Setting it up {setting-it-up}", "The length is $l = \\sqrt{a^2 + b^2}$.", "$$\\tan \\alpha = 4$$",
        "```python", "print(length ** 2)", "```", "| Height | Distance |", "| 4 m | 1 m |",
        "# Carrying {carrying}", "Two people, one at each end.",
        "---", "[1] One foot out for every four feet up.",
      ])
  }

  @Test(.enabled(if: hasPandoc, "pandoc is not installed"))
  func `formulas and footnotes of LaTeX are kept, and a skipped include causes a warning`() throws {
    let draft = try read("ladders.tex")

    #expect(draft.nodes.first?.title == "Ladders")
    #expect(
      try draft.sketch("ladders.tex#") == [
        "A ladder stands at an angle[1].", "# Setting it up {setting-it-up}", "The length is $l = \\sqrt{a^2 + b^2}$.",
        "$$\\tan \\alpha = 4$$", "```", "print(length ** 2)", "```", "---", "[1] One foot out for every four feet up.",
      ])
    #expect(messages(draft).contains { $0.contains("pandoc reports: ") && $0.contains("secret") })
  }

  @Test(.enabled(if: hasPandoc, "pandoc is not installed"), arguments: ["docx", "odt", "rtf"])
  func `images embedded in a document are stored`(_ ending: String) throws {
    let draft = try read("ladders." + ending)
    let lines = try draft.sketch("ladders.\(ending)#")

    #expect(try draft.digests().count == 1)
    #expect(lines.contains("# Setting it up {setting-it-up}") && lines.contains("| 4 m | 1 m |"))
    #expect(lines.contains("Two people, one at each end."))
    if ending == "docx" { #expect(lines.contains("The length is $l = \\sqrt{a^{2} + b^{2}}$.")) }
    #expect(ending == "rtf" || lines.last == "[1] One foot out for every four feet up.")
  }

  @Test(.enabled(if: hasPandoc, "pandoc is not installed"))
  func `tables and footnotes of MediaWiki are kept`() throws {
    #expect(
      try read("ladders.wiki").sketch("ladders.wiki#") == [
        "A **ladder** stands at an angle.[1]", "| Height | Distance |", "| 4 m | 1 m |",
        "---", "[1] One foot out for every four feet up.",
      ])
  }

  @Test(.enabled(if: hasPandoc, "pandoc is not installed"))
  func `sections and options of a manual page are kept`() throws {
    #expect(
      try read("ladder.7").sketch("ladder.7#") == [
        "2026-11-01", "# NAME {name}", "ladder - a way up", "# OPTIONS {options}", ": **--height**",
        "    The height in metres.",
        "```", "  ladder --height 4", "```",
      ])
  }

  @Test(.enabled(if: hasPandoc, "pandoc is not installed"))
  func `the source of Sphinx documentation is read in toctree order`() throws {
    let draft = try read("sphinx")

    #expect(
      draft.outline.filter { !$0.hasPrefix("      a") } == [
        "c sphinx | Safety", "  g index! | Safety", "    l ropes | Ropes", "    l ladders | Climbing",
        "  g also/ | Also in this folder", "    l archive | Old rules",
      ])
    #expect(
      try draft.sketch("ladders#") == [
        "# Ladders {ladders}", "! warning", "  Look up for power lines first.",
        "A ladder stands at an angle[1], as $l = \\sqrt{a^2 + b^2}$ shows. Read about [ropes](waymark:ropes) too.",
        "```python", "print(length ** 2)", "```", "![A ladder at a wall](ladder.png)",
        "---", "[1] One foot out for every four feet up.",
      ])
    #expect(try draft.digests().count == 1)
  }

  @Test(.enabled(if: hasPandoc, "pandoc is not installed"))
  func `a document cannot include another file`() throws {
    let folder = try TestFolder(["secret.txt": "SECRET"])
    let secret = folder.path + "/secret.txt"
    for (name, text) in [
      ("a.rst", "A\n=\n\n.. include:: \(secret)\n\n.. raw:: html\n   :file: \(secret)\n\nWords."),
      ("a.org", "Words.\n\n#+INCLUDE: \"\(secret)\"\n"),
      ("a.tex", "Words. \\input{\(secret)} \\verbatiminput{\(secret)}"),
    ] {
      let draft = try FormatRegistry.read(CourseSource(name: name, bytes: Array(text.utf8)))
      #expect(try !draft.allContents().contains { "\($0)".contains("SECRET") }, "\(name)")
    }
  }

  @Test(.enabled(if: hasPandoc, "pandoc is not installed"))
  func `a document that pandoc cannot read is rejected with its message`() throws {
    let draft = try FormatRegistry.read(CourseSource(name: "a.docx", bytes: Array("no archive".utf8)))

    #expect(draft.diagnostics.map(\.severity) == [.error])
    #expect(draft.diagnostics.first?.message.hasPrefix("Pandoc fails: it reports '") == true)
  }

  // MARK: - Asciidoctor and pdftotext

  @Test(.enabled(if: hasAsciidoctor, "asciidoctor is not installed"))
  func `formulas, frames, tables and footnotes of AsciiDoc are kept, and no file is included`() throws {
    let draft = try read("ladders.adoc")

    #expect(draft.nodes.first?.title == "Ladders")
    #expect(
      try draft.sketch("ladders.adoc#") == [
        "A ladder stands at an angle.[1] The length is $l = \\sqrt{a^2 + b^2}$.",
        "## Setting it up {_setting_it_up}", "! note", "  Look up for power lines first.",
        "```python", "print(length ** 2)", "```", "| Height | Distance |", "| 4 m | 1 m |",
        "Read on in [Carrying](waymark:ladders.adoc##_carrying).",
        "## Carrying {_carrying}", "secret.adoc",
        "---", "[1] One foot out for every four feet up.",
      ])
  }

  @Test(.enabled(if: hasPDFToText, "pdftotext is not installed"))
  func `a PDF is read as text only, and the loss is counted`() throws {
    let draft = try read("ladders.pdf")

    #expect(try draft.allContents().contains { $0.plainText.contains("Ladders") })
    #expect(
      draft.losses.contains(
        Loss(what: "PDF document", count: 1, treatment: "shown as text, without images, tables and formulas")))
  }

  // MARK: - Missing programs

  @Test(arguments: [
    ("ladders.org", ForeignFormat.org), ("ladders.adoc", .asciiDoc), ("ladders.pdf", .pdf), ("ladders.docx", .word),
    ("ladders.odt", .openDocument), ("ladders.wiki", .mediaWiki), ("ladder.7", .manualPage), ("ladders.tex", .latex),
    ("ladders.rtf", .rtf),
  ])
  func `a document without its converter is rejected with the package's name`(
    _ name: String, _ format: ForeignFormat
  ) throws {
    #expect(throws: format.missingProgram(for: name)) {
      try read(name, searchPath: "/nowhere")
    }
  }

  @Test func `without pandoc, a folder of documents contains no readable page`() throws {
    let draft = try read("sphinx", searchPath: "/nowhere")

    #expect(draft.diagnostics.contains { $0.severity == .error })
    #expect(draft.losses.contains { $0.what == "page that cannot be read" && $0.count == 4 })
  }

  /// Makes a program that replaces pandoc.
  private func program(_ script: String) throws -> TestFolder {
    let folder = try TestFolder(["pandoc": "#!/bin/sh\n" + script])
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path + "/pandoc")
    return folder
  }

  @Test func `a converter gets the document as input, an empty home and no variables`() throws {
    let folder = try program(
      "printf '<p>'; cat; printf '</p><p>'; ls -A \"$HOME\"; [ \"$PWD\" = \"$HOME\" ] && env | cut -d= -f1 | sort | xargs echo"
    )

    let lines = try read("ladders.org", searchPath: folder.path).sketch("ladders.org#")

    #expect(lines.first?.hasPrefix("#+TITLE: Ladders A ladder") == true)
    #expect(lines.last == "HOME LANG LC_ALL PATH PWD TMPDIR")
  }

  @Test func `a converter that fails is quoted with its error instead of an earlier warning`() throws {
    let folder = try program("echo 'Syntax Warning: May be damaged' >&2; echo 'Syntax Error: No trailer' >&2; exit 1")

    let draft = try read("ladders.org", searchPath: folder.path)

    #expect(
      draft.diagnostics.map(\.message) == [
        "Pandoc fails: it reports 'Syntax Error: No trailer'. Check the file with pandoc, or remove it from the course."
      ])
  }

  @Test func `a converter that is a gem finds the gems next to it`() throws {
    let folder = try TestFolder([
      "bin/pandoc": "#!/bin/sh\necho \"<p>$GEM_PATH\"\n", "specifications/tool.gemspec": "",
    ])
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path + "/bin/pandoc")

    let lines = try read("ladders.org", searchPath: folder.path + "/bin").sketch("ladders.org#")

    #expect(lines.first?.hasSuffix(":") == true && lines.first?.contains(folder.path) == true)
  }

  @Test func `only messages about the document are shown, and at most five`() throws {
    let folder = try program(
      "echo '[WARNING] Could not load translations for en' >&2; for n in 1 2 3 4 5 6 7; do echo \"[WARNING] Part $n is odd\" >&2; done; echo '<p>Words.'"
    )

    let draft = try read("ladders.org", searchPath: folder.path)

    #expect(messages(draft) == (1...5).map { "pandoc reports: Part \($0) is odd." })
    #expect(draft.losses.contains(Loss(what: "message of pandoc", count: 2, treatment: "left out")))
  }

  @Test func `a failing converter rejects the document with its first message`() throws {
    let folder = try program("echo 'Error at line 3' >&2; exit 64")

    let draft = try read("ladders.org", searchPath: folder.path)

    #expect(draft.diagnostics.map(\.severity) == [.error])
    #expect(
      messages(draft) == [
        "Pandoc fails: it reports 'Error at line 3'. Check the file with pandoc, or remove it from the course."
      ])
  }

  @Test func `cancelling an import ends the converter`() throws {
    struct Cancelled: Error {}
    let folder = try program("exec sleep 600")
    var options = ReadOptions { _ in throw Cancelled() }
    options.searchPath = folder.path

    #expect(throws: Cancelled.self) {
      try FormatRegistry.read(
        CourseSource(path: fixtures.appending(path: "document/ladders.org").path), options: options)
    }
  }
}
