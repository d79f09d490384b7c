package import LearningModel

/// A format of another program. Some of these formats are read with the help of an installed program. The others are
/// refused, with advice on how to convert them.
package enum ForeignFormat: String, CaseIterable, Sendable {
  case ankiText, asciiDoc, cmi5, commonCartridge, contentPackage, docBook, gift, h5p, kindle, latex, manualPage, marimo
  case mediaWiki, moodleBackup, openDocument, openEdX, org, pdf, powerPoint, reStructuredText, rtf, scorm, sqlite, typst
  case word, wordBefore2007

  /// The name of one source of the format, with an indefinite article.
  package var name: String {
    switch self {
    case .ankiText: "notes of Anki, exported as text"
    case .asciiDoc: "an AsciiDoc text"
    case .cmi5: "a cmi5 package"
    case .commonCartridge: "a Common Cartridge"
    case .contentPackage: "an IMS content package"
    case .docBook: "a DocBook text"
    case .gift: "a GIFT question file"
    case .h5p: "an H5P package"
    case .kindle: "a Kindle book"
    case .latex: "a LaTeX text"
    case .manualPage: "a manual page"
    case .marimo: "a marimo notebook"
    case .mediaWiki: "a MediaWiki page"
    case .moodleBackup: "a Moodle course backup"
    case .openDocument: "an OpenDocument file"
    case .openEdX: "an Open edX course (OLX)"
    case .org: "an Org text"
    case .pdf: "a PDF document"
    case .powerPoint: "a PowerPoint presentation"
    case .reStructuredText: "a reStructuredText file"
    case .rtf: "an RTF file"
    case .scorm: "a SCORM package"
    case .sqlite: "an SQLite database"
    case .typst: "a Typst text"
    case .word: "a Word document"
    case .wordBefore2007: "a document of Word 97 to 2003"
    }
  }

  /// The name of a folder of such sources, with an indefinite article.
  package var folderName: String { "a folder of " + noun + "s" }

  /// The name of one source of the format, without an article.
  var noun: String {
    let words = name.split(separator: " ")
    return (["a", "an"].contains(words[0]) ? words.dropFirst() : words[...]).joined(separator: " ")
  }

  /// Returns the advice on how to obtain a source of a supported format, if each front end has its own text for it.
  /// Otherwise returns `nil`.
  ///
  /// - Parameter isAlternative: Whether the advice follows other advice.
  package func remedy(isAlternative: Bool) -> Remedy? {
    switch self {
    case .ankiText: .writeInOwnFormat(content: "cards")
    case .gift, .h5p: .writeInOwnFormat(content: "questions")
    case .cmi5, .commonCartridge, .contentPackage, .scorm: .importAsFormat("html")
    case .manualPage: .importOutput(of: "man ls", isAlternative: isAlternative)
    default: nil
    }
  }

  /// How to convert the source to a supported format, as a sentence. `nil` if ``remedy(isAlternative:)`` returns the
  /// advice.
  package var advice: String? {
    switch self {
    case .ankiText, .gift, .h5p, .cmi5, .commonCartridge, .contentPackage, .scorm, .manualPage: nil
    case .asciiDoc:
      "Convert it to EPUB, for example with 'asciidoctor-epub3', or to Markdown with 'asciidoctor -b docbook5' and "
        + "pandoc."
    case .docBook: Self.pandoc(from: "docbook", "text.xml")
    case .kindle, .pdf: "Convert it to EPUB, for example with Calibre's 'ebook-convert'."
    case .latex: Self.pandoc(from: "latex", "text.tex")
    case .marimo:
      "Convert it to a Jupyter notebook, for example with 'marimo export ipynb notebook.py -o notebook.ipynb'."
    case .mediaWiki: Self.pandoc(from: "mediawiki", "text.wiki")
    case .moodleBackup: "In Moodle, export its books as EPUB; convert its pages to Markdown, for example with pandoc."
    case .openDocument: Self.pandoc(from: "odt", "text.odt")
    case .openEdX: "Convert its HTML texts to Markdown, for example with pandoc, in a folder of their own."
    case .org: Self.pandoc(from: "org", "text.org")
    case .powerPoint: "Export its text, and save that as Markdown."
    case .reStructuredText: Self.pandoc(from: "rst", "text.rst")
    case .rtf: Self.pandoc(from: "rtf", "text.rtf")
    case .sqlite: "Import the files from which the database was created."
    case .typst: Self.pandoc(from: "typst", "text.typ")
    case .word: Self.pandoc(from: "docx", "text.docx")
    case .wordBefore2007: "Save it as .docx, for example with LibreOffice."
    }
  }

  private static func pandoc(from format: String, _ file: String) -> String {
    "Convert it to Markdown, for example with 'pandoc -f \(format) -t gfm -o text.md \(file)'."
  }

  /// Whether sources of the format are written as text, such as those of a book. Others are exported or printed.
  var isWrittenAsText: Bool {
    [.asciiDoc, .docBook, .latex, .mediaWiki, .org, .reStructuredText].contains(self)
  }

  // MARK: - Recognising

  /// Returns the error for a source of a known format without a reader, or `nil` if the format is unknown.
  ///
  /// Examines only names and the beginnings of files.
  static func error(of source: CourseSource) -> CourseFormatError? {
    let format =
      source.isFolder ? package(source) : file(source.name, head: source.head(count: 1 << 10) ?? "")
    if let format { return format.refusal(of: source.name) }
    guard source.isFolder else { return nil }
    return dominantFormat(in: source)?.refusal(of: source.name, isFolder: true)
  }

  /// Returns the error for a source of this format.
  ///
  /// - Parameter isFolder: Whether the source is a folder of files of this format.
  package func refusal(of source: String, isFolder: Bool = false) -> CourseFormatError {
    .foreign(
      source: source, name: isFolder ? folderName : name, advice: advice, remedy: remedy(isAlternative: false))
  }

  static let extensions: [String: ForeignFormat] = [
    "adoc": .asciiDoc, "asc": .asciiDoc, "asciidoc": .asciiDoc, "imscc": .commonCartridge, "dbk": .docBook,
    "gift": .gift, "h5p": .h5p, "mobi": .kindle, "azw3": .kindle, "azw": .kindle, "tex": .latex, "latex": .latex,
    "man": .manualPage, "mediawiki": .mediaWiki, "wiki": .mediaWiki, "mbz": .moodleBackup, "odt": .openDocument,
    "org": .org, "pdf": .pdf, "pptx": .powerPoint, "rst": .reStructuredText, "rtf": .rtf, "typ": .typst, "docx": .word,
    "doc": .wordBefore2007,
  ]

  /// Returns the format that a file name indicates. The name of a manual page ends with its section, such as `ls.1` or
  /// `open.3p`.
  static func named(_ name: String) -> ForeignFormat? {
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    if let format = extensions[ending] { return format }
    guard let section = ending.first, ("1"..."9").contains(section), ending.count < 5,
      ending.dropFirst().allSatisfy({ $0.isASCII && $0.isLetter }), name[..<dot].last?.isLetter == true
    else { return nil }
    return .manualPage
  }

  /// Returns the format of a file. It is determined from the first bytes or, if they are not specific, from the name.
  static func file(_ name: String, head: String) -> ForeignFormat? {
    let text = head.drop(while: \.isWhitespace)
    let beginning = text.prefix(200).lowercased()
    if head.hasPrefix("%PDF-") { return .pdf }
    if head.hasPrefix("{\\rtf") { return .rtf }
    if let format = named(name) {
      switch format {
      case .manualPage: if isManualPage(head) { return format }
      // The same extension is used for keys and signatures.
      case .asciiDoc: if !head.hasPrefix("-----BEGIN PGP") { return format }
      default: return format
      }
    }
    if head.contains("import marimo"), head.contains("marimo.App(") || head.contains("__generated_with") {
      return .marimo
    }
    if beginning.hasPrefix("<"), head.contains("docbook.org/ns/docbook") || head.contains("DTD DocBook") {
      return .docBook
    }
    if head.hasPrefix("SQLite format 3\0") { return .sqlite }
    if ["#separator:", "#html:", "#notetype:", "#deck:"].contains(where: beginning.hasPrefix) { return .ankiText }
    return text.hasPrefix("::") && text.contains("{") && text.contains("=") ? .gift : nil
  }

  /// Returns the format of a file in a folder. The beginning of the file is read only if the name does not determine the
  /// format. Manual pages are recognised only as documents, because many other names end with a digit.
  static func file(at path: String, in source: CourseSource) -> ForeignFormat? {
    let name = SourcePath.name(of: path)
    if ["asc", "py", "xml"].contains(where: { SourcePath.hasExtension($0, name) }) {
      return file(name, head: source.head(of: path, count: 1 << 10) ?? "")
    }
    return named(name).flatMap { $0 == .manualPage ? nil : $0 }
  }

  /// Returns whether a text begins like the source of a manual page: with a troff comment or a title macro.
  ///
  /// Source: man(7), "TH"; mdoc(7), "Dd".
  private static func isManualPage(_ head: String) -> Bool {
    let line = head.split(separator: "\n").first { !$0.allSatisfy(\.isWhitespace) } ?? ""
    return [".\\\"", "'\\\"", ".TH", ".Dd"].contains(where: line.hasPrefix)
  }

  /// Returns the format of a folder or an unpacked archive, determined from its manifest.
  static func package(_ source: CourseSource) -> ForeignFormat? {
    if source.hasFile("h5p.json") { return .h5p }
    if source.hasFile("moodle_backup.xml") { return .moodleBackup }
    if source.hasFile("cmi5.xml") { return .cmi5 }
    if source.hasFile("word/document.xml") { return .word }
    if source.hasFile("ppt/presentation.xml") { return .powerPoint }
    if source.head(of: "mimetype", count: 64)?.hasPrefix("application/vnd.oasis.opendocument") == true {
      return .openDocument
    }
    if let manifest = source.head(of: "imsmanifest.xml", count: 1 << 16)?.lowercased() {
      if manifest.contains("common cartridge") || manifest.contains("imsccv") { return .commonCartridge }
      return manifest.contains("adlcp") || manifest.contains("scorm") ? .scorm : .contentPackage
    }
    if source.hasFile("course.xml"), source.head(of: "course.xml", count: 1 << 10)?.contains("<course") == true {
      return .openEdX
    }
    return nil
  }

  /// Returns the most frequent foreign format among the files of a folder. Examines about 2,000 entries.
  private static func dominantFormat(in source: CourseSource) -> ForeignFormat? {
    var counts: [ForeignFormat: Int] = [:]
    var (folders, seen) = ([""][...], 0)
    while let folder = folders.popFirst(), seen < 2_000 {
      for entry in (try? source.entries(in: folder)) ?? [] {
        seen += 1
        if entry.isFolder {
          folders.append(entry.path)
        } else if let format = file(at: entry.path, in: source) ?? named(entry.name) {
          counts[format, default: 0] += 1
        }
      }
    }
    return counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
  }
}
