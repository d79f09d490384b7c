/// A format that is recognised and cannot be read, for errors that name the source and a way to convert it.
public enum ForeignFormat: String, CaseIterable, Sendable {
  case ankiPackage, ankiText, asciiDoc, cmi5, commonCartridge, contentPackage, gift, h5p, html, kindle, latex
  case moodleBackup, openDocument, openEdX, org, pdf, plainText, powerPoint, reStructuredText, rtf, scorm, sphinx,
    sqlite, word

  /// The name of one source of the format, with its article.
  public var name: String {
    switch self {
    case .ankiPackage: "an Anki package"
    case .ankiText: "notes of Anki, exported as text"
    case .asciiDoc: "an AsciiDoc text"
    case .cmi5: "a cmi5 package"
    case .commonCartridge: "a Common Cartridge"
    case .contentPackage: "an IMS content package"
    case .gift: "a GIFT question file"
    case .h5p: "an H5P package"
    case .html: "an HTML page"
    case .kindle: "a Kindle book"
    case .latex: "a LaTeX text"
    case .moodleBackup: "a Moodle course backup"
    case .openDocument: "an OpenDocument file"
    case .openEdX: "an Open edX course (OLX)"
    case .org: "an Org text"
    case .pdf: "a PDF document"
    case .plainText: "plain text"
    case .powerPoint: "a PowerPoint presentation"
    case .reStructuredText: "a reStructuredText file"
    case .rtf: "an RTF file"
    case .scorm: "a SCORM package"
    case .sphinx: "the source of a Sphinx documentation"
    case .sqlite: "an SQLite database"
    case .word: "a Word document"
    }
  }

  /// The name of a folder of such sources, with its article.
  public var folderName: String {
    let words = name.split(separator: " ")
    return "a folder of " + (["a", "an"].contains(words[0]) ? words.dropFirst() : words[...]).joined(separator: " ")
      + "s"
  }

  /// How to make a source of a supported format from it, as a sentence.
  public var advice: String {
    switch self {
    case .ankiPackage, .ankiText: "Write the cards in Waymark's own format: 'waymark formats' describes it."
    case .gift, .h5p: "Write the questions in Waymark's own format: 'waymark formats' describes it."
    case .asciiDoc:
      "Convert it to EPUB, for example with 'asciidoctor-epub3', or to Markdown with 'asciidoctor -b docbook5' and "
        + "pandoc."
    case .cmi5, .commonCartridge, .contentPackage, .scorm:
      "Unpack it, and convert its HTML pages to Markdown, for example with 'pandoc -f html -t gfm -o page.md page.html'."
    case .html: "Convert it to Markdown, for example with 'pandoc -f html -t gfm -o page.md page.html'."
    case .kindle, .pdf: "Convert it to EPUB, for example with Calibre's 'ebook-convert'."
    case .latex: Self.pandoc(from: "latex", "text.tex")
    case .moodleBackup: "In Moodle, export its books as EPUB; convert its pages to Markdown, for example with pandoc."
    case .openDocument: Self.pandoc(from: "odt", "text.odt")
    case .openEdX: "Convert its HTML texts to Markdown, for example with pandoc, in a folder of their own."
    case .org: Self.pandoc(from: "org", "text.org")
    case .plainText: "Rename it to end in .md; it is then read as Markdown."
    case .powerPoint: "Export its text, and save that as Markdown."
    case .reStructuredText: Self.pandoc(from: "rst", "text.rst")
    case .rtf: Self.pandoc(from: "rtf", "text.rtf")
    case .sphinx: "Build it with 'sphinx-build -b epub', and open the EPUB."
    case .sqlite: "Name the files that the database was made from."
    case .word: Self.pandoc(from: "docx", "text.docx")
    }
  }

  private static func pandoc(from format: String, _ file: String) -> String {
    "Convert it to Markdown, for example with 'pandoc -f \(format) -t gfm -o text.md \(file)'."
  }

  // MARK: - Recognising

  /// Returns the error of a source of a known format; `nil` if the format is unknown too.
  ///
  /// Looks at names and at the beginning of files only.
  static func error(of source: CourseSource) -> CourseFormatError? {
    let format =
      source.isFolder ? package(source) : file(source.name, head: source.head(count: 1 << 10) ?? "")
    if let format { return .foreign(source: source.name, format: format, isFolder: false) }
    guard source.isFolder else { return nil }
    return mostFiles(in: source).map { .foreign(source: source.name, format: $0, isFolder: $0 != .sphinx) }
  }

  private static let extensions: [String: ForeignFormat] = [
    "apkg": .ankiPackage, "colpkg": .ankiPackage, "adoc": .asciiDoc, "asciidoc": .asciiDoc, "imscc": .commonCartridge,
    "gift": .gift, "h5p": .h5p, "html": .html, "htm": .html, "xhtml": .html, "mobi": .kindle, "azw3": .kindle,
    "azw": .kindle, "tex": .latex, "latex": .latex, "mbz": .moodleBackup, "odt": .openDocument, "org": .org,
    "pdf": .pdf, "txt": .plainText, "text": .plainText, "pptx": .powerPoint, "rst": .reStructuredText, "rtf": .rtf,
    "docx": .word, "doc": .word,
  ]

  private static func named(_ name: String) -> ForeignFormat? {
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
    return ending.flatMap { extensions[$0] }
  }

  /// The format of one file: by its first bytes, else by its name, else text if there are no control characters.
  private static func file(_ name: String, head: String) -> ForeignFormat? {
    let text = head.drop(while: \.isWhitespace)
    let beginning = text.prefix(200).lowercased()
    if head.hasPrefix("%PDF-") { return .pdf }
    if head.hasPrefix("{\\rtf") { return .rtf }
    if beginning.hasPrefix("<!doctype html") || beginning.hasPrefix("<html") { return .html }
    if let format = named(name), format != .plainText { return format }
    if head.hasPrefix("SQLite format 3\0") { return .sqlite }
    if ["#separator:", "#html:", "#notetype:", "#deck:"].contains(where: beginning.hasPrefix) { return .ankiText }
    if text.hasPrefix("::"), text.contains("{"), text.contains("=") { return .gift }
    let isBinary = head.unicodeScalars.contains { $0.value < 0x20 && !"\t\n\u{C}\r".unicodeScalars.contains($0) }
    return named(name) == .plainText && !text.isEmpty && !isBinary ? .plainText : nil
  }

  /// The format of a folder or an unpacked archive by its manifest.
  private static func package(_ source: CourseSource) -> ForeignFormat? {
    if source.hasFile("collection.anki2") || source.hasFile("collection.anki21b") { return .ankiPackage }
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

  /// The format of most files of a folder.
  private static func mostFiles(in source: CourseSource) -> ForeignFormat? {
    var counts: [ForeignFormat: Int] = [:]
    var hasConfiguration = false
    var (folders, seen) = ([""][...], 0)
    while let folder = folders.popFirst(), seen < 2_000 {
      for entry in (try? source.entries(in: folder)) ?? [] {
        seen += 1
        if entry.isFolder {
          folders.append(entry.path)
        } else if let format = named(entry.name) {
          counts[format, default: 0] += 1
        }
        if entry.name == "conf.py" { hasConfiguration = true }
      }
    }
    if hasConfiguration, counts[.reStructuredText] != nil { return .sphinx }
    return counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
  }
}
