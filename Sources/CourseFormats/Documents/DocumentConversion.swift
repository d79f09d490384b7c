import ExternalPrograms

/// A conversion of a format by a program of the system.
struct DocumentConversion: Hashable, Sendable {
  /// A program that converts documents.
  enum Program: String, Sendable {
    case pandoc, asciidoctor, pdftotext

    /// The package that contains the program, by Debian's name.
    var package: String { self == .pdftotext ? "poppler-utils" : rawValue }
  }

  let program: Program
  /// The arguments; the document is read from standard input.
  let arguments: [String]
  /// Whether the output is text instead of HTML.
  let isTextOnly: Bool

  /// The limits of a conversion.
  static let limits = ProgramLimits(
    processorSeconds: 120, seconds: 600, memory: 3 << 30, output: 64 << 20, isConfined: true)

  /// A conversion by pandoc.
  ///
  /// - Parameters:
  ///   - format: The name of the format for `--from`.
  ///   - isPackage: Whether the document contains its images. They are then embedded, because `--extract-media` writes files
  ///     under names of the document's choice.
  ///
  /// Source: pandoc, "User's Guide", `--sandbox`, `--self-contained`, "A note on security".
  static func pandoc(from format: String, isPackage: Bool = false) -> DocumentConversion {
    DocumentConversion(
      program: .pandoc,
      arguments: [
        "--sandbox", "--from", format, "--to", "html5", "--standalone", "--wrap=none", "--no-highlight",
      ] + (isPackage ? ["--self-contained", "--mathml"] : ["--mathjax"]),
      isTextOnly: false)
  }

  /// The conversion by Asciidoctor, which in the mode `secure` reads no other file.
  ///
  /// Source: Asciidoctor, "Safe Modes"; `asciidoctor(1)`.
  static let asciidoctor = DocumentConversion(
    program: .asciidoctor,
    arguments: ["--safe-mode", "secure", "--backend", "html5", "--embedded"]
      + ["showtitle", "toc!", "sectanchors!", "sectlinks!", "source-highlighter!", "icons!"].flatMap {
        ["--attribute", $0]
      } + ["--out-file", "-", "-"],
    isTextOnly: false)

  /// The conversion of PDF to text without images, tables and formulas.
  ///
  /// Source: pdftotext(1).
  static let pdftotext = DocumentConversion(
    program: .pdftotext, arguments: ["-enc", "UTF-8", "-", "-"], isTextOnly: true)
}

extension ForeignFormat {
  /// The conversion by a program of the system; `nil` if no program converts the format.
  ///
  /// To add a format that pandoc reads: add a case to ``ForeignFormat``, its extension, and a row here.
  var conversion: DocumentConversion? {
    switch self {
    case .asciiDoc: .asciidoctor
    case .latex: .pandoc(from: "latex")
    case .manualPage: .pandoc(from: "man")
    case .mediaWiki: .pandoc(from: "mediawiki")
    case .openDocument: .pandoc(from: "odt", isPackage: true)
    case .org: .pandoc(from: "org")
    case .pdf: .pdftotext
    case .reStructuredText: .pandoc(from: "rst")
    case .rtf: .pandoc(from: "rtf", isPackage: true)
    case .word: .pandoc(from: "docx", isPackage: true)
    default: nil
    }
  }

  /// The program that converts the format, and the package that contains it; empty if no program does.
  var program: String { conversion?.program.rawValue ?? "" }
  var package: String { conversion?.program.package ?? "" }

  /// The extensions of the formats that can be converted.
  static let convertedExtensions: [String] = extensions.filter { $0.value.conversion != nil }.map(\.key).sorted()

  /// The format that a name has, if it can be converted.
  static func converted(named name: String) -> ForeignFormat? {
    guard let format = named(name), format.conversion != nil else { return nil }
    return format
  }

  /// The format of a source that is one file, if it can be converted.
  static func converted(_ source: CourseSource) -> ForeignFormat? {
    guard !source.isFolder, let format = file(source.name, head: source.head(count: 1 << 10) ?? ""),
      format.conversion != nil
    else { return nil }
    return format
  }

  /// Whether a name is that of a document that is a zip archive. Such a file is converted and not unpacked.
  static func isPackage(named name: String) -> Bool { [.word, .openDocument].contains(named(name)) }
}
