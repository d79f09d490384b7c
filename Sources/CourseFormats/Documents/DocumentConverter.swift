import ExternalPrograms
import Foundation
import LearningModel

/// Converts the pages of a source with installed programs. Each page is converted only once.
///
/// A program reads the document from standard input and writes to standard output. The program is confined (see
/// ``ProgramLimits``). Its home folder is an empty temporary folder, and it inherits no environment variables.
final class DocumentConverter {
  private(set) var findings = Findings()
  private let source: CourseSource
  private let options: ReadOptions
  private let folder: TemporaryFolder
  private var programs: [DocumentConversion.Program: ExternalProgram] = [:]
  /// The number of the file with the text of each converted page, by the path of the page.
  private var converted: [String: Int] = [:]
  private var isWeaknessNoted = false
  /// The attributes or macros that are added to documents.
  var preambles: [DocumentNavigation.Preamble] = []
  /// The files that are inserted into documents.
  private(set) var included: Set<String> = []

  /// Creates the temporary folder.
  ///
  /// - Throws: ``CourseFormatError/noTemporarySpace(reason:)``.
  init(_ source: CourseSource, options: ReadOptions) throws {
    self.source = source
    self.options = options
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
  }

  private var home: String { folder.path + "/home" }

  /// Converts a page, or returns the stored result of an earlier conversion.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - path: The path relative to the source.
  /// - Throws: ``CourseFormatError/programMissing(source:name:program:package:advice:remedy:)``,
  ///   ``CourseFormatError/cannotConvert(file:program:reason:)``, and the error of ``ReadOptions/progress``.
  func convert(_ bytes: [UInt8], of path: String) throws -> PageContent {
    let format =
      source.isFolder ? ForeignFormat.converted(named: SourcePath.name(of: path)) : ForeignFormat.converted(source)
    guard let format, let conversion = format.conversion else {
      throw CourseFormatError.notOfFormat(
        source: path, format: DocumentReader().name, needs: DocumentReader().requirements)
    }
    let text: String
    if let number = converted[path] {
      let bytes = try FileAccess.read(file(number), as: path, limit: .max, broken: .expandedSize(0))
      text = String(decoding: bytes, as: UTF8.self)
    } else {
      text = try convert(bytes, of: path, format, conversion)
      converted[path] = converted.count
      try Data(text.utf8).write(to: URL(filePath: file(converted.count - 1)))
    }
    return conversion.isTextOnly ? .text(PlainText(pages: text)) : .html(text)
  }

  /// Inserts the files that a document includes, and converts it. If the document cannot be converted with the macros of
  /// the main document, it is converted without them.
  private func convert(
    _ bytes: [UInt8], of path: String, _ format: ForeignFormat, _ conversion: DocumentConversion
  ) throws -> String {
    let folder = preambles.first?.folder ?? SourcePath.folder(of: path)
    guard source.isFolder, let document = DocumentText(bytes, of: path, in: source, main: folder) else {
      return try run(conversion, format, bytes, path)
    }
    if let error = document.error { throw error }
    included.formUnion(document.included)
    findings.add(document.findings)
    if let preamble = preambles.first(where: { $0.applies(to: path, format) }),
      let text = try? run(conversion, format, Array((preamble.text + "\n\n" + document.text).utf8), path)
    {
      return text
    }
    let html = try run(conversion, format, Array(document.text.utf8), path)
    // pandoc drops the labels of a heading that it makes the title of the document.
    let labels = document.titleLabels.map { "<span id=\"\($0)\"></span>" }.joined()
    let title = "<h1 class=\"title\">"
    return labels.isEmpty ? html : html.replacing(title, with: title + labels, maxReplacements: 1)
  }

  private func file(_ number: Int) -> String { folder.path + "/\(number)" }

  private func run(
    _ conversion: DocumentConversion, _ format: ForeignFormat, _ bytes: [UInt8], _ path: String
  ) throws -> String {
    let program = try program(for: conversion, format, path)
    let name = conversion.program.rawValue
    func failure(_ reason: String) -> CourseFormatError { .cannotConvert(file: path, program: name, reason: reason) }
    let result: ProgramResult
    do {
      result = try program.run(
        conversion.arguments, input: bytes, environment: variables(of: program), folder: home,
        limits: DocumentConversion.limits
      ) { [options] in try options.progress?(0) }
    } catch ProgramFailure.cannotStart(let reason) {
      throw failure("it does not start: \(reason)")
    } catch ProgramFailure.tooSlow(let seconds) {
      throw failure("it takes more than \(seconds) seconds")
    } catch ProgramFailure.tooMuchOutput(let bytes) {
      throw failure("its output is larger than \(bytes >> 20) MiB")
    }
    let messages = String(decoding: result.errors, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard result.code == 0 else {
      let limit = DocumentConversion.limits.processorSeconds ?? 0
      // Warnings may precede the error.
      let message = messages.first { $0.lowercased().contains("error") } ?? messages.first
      throw failure(
        result.code > 128
          ? "it was stopped because it takes more than \(limit) seconds or too much memory"
          : "it reports \(quoted: message.map { String($0).onOneLine } ?? "error \(result.code)")")
    }
    recordWarnings(messages, of: name, path)
    recordResult(conversion, result.weakness(of: name))
    return String(decoding: result.output, as: UTF8.self)
  }

  private func program(
    for conversion: DocumentConversion, _ format: ForeignFormat, _ path: String
  ) throws -> ExternalProgram {
    if let known = programs[conversion.program] { return known }
    guard let program = ExternalProgram(named: conversion.program.rawValue, searchPath: options.searchPath) else {
      throw format.missingProgram(for: path)
    }
    programs[conversion.program] = program
    return program
  }

  private func variables(of program: ExternalProgram) -> [String: String] {
    var variables = [
      "PATH": ExternalProgram.usualFolders, "HOME": home, "TMPDIR": home, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
    ]
    // Ruby looks for the gems of a user in the home folder, which is replaced. The program of a gem is in `bin`, next to
    // the folder `specifications`. Source: Ruby, `Gem::PathSupport`.
    let gems = URL(filePath: program.path).deletingLastPathComponent().deletingLastPathComponent().path
    if FileManager.default.fileExists(atPath: gems + "/specifications") { variables["GEM_PATH"] = gems + ":" }
    return variables
  }

  // MARK: - Findings

  /// The maximum number of messages of a program that are reported for a page.
  private static let maximumMessages = 5

  /// Adds the warnings of a program about the document to the findings.
  private func recordWarnings(_ messages: [Substring], of program: String, _ path: String) {
    var shown = 0
    for message in messages {
      guard let start = message.range(of: "WARNING") ?? message.range(of: "ERROR") else { continue }
      let words = message[start.upperBound...].drop { "]: ".contains($0) }
      guard !Self.unimportant.contains(where: words.contains), !words.isEmpty else { continue }
      shown += 1
      if shown <= Self.maximumMessages { findings.warning(path, nil, "\(program) reports: \(words).") }
    }
    findings.countLoss("message of \(program)", "left out", count: shown - Self.maximumMessages)
  }

  /// Substrings of messages about pandoc itself, and about parts of its output that are not read.
  private static let unimportant = ["translation", "<title>", "eprecated", "defaulting to"]

  private func recordResult(_ conversion: DocumentConversion, _ weakness: String?) {
    if conversion.isTextOnly {
      findings.countLoss("PDF document", "shown as text, without images, tables and formulas")
    }
    guard let weakness, !isWeaknessNoted else { return }
    isWeaknessNoted = true
    findings.warning(source.name, nil, weakness)
  }
}

/// A conversion of a format by an installed program.
struct DocumentConversion: Hashable, Sendable {
  enum Program: String, Sendable {
    case pandoc, asciidoctor, pdftotext

    /// The Debian package that contains the program.
    var package: String { self == .pdftotext ? "poppler-utils" : rawValue }
  }

  let program: Program
  /// The arguments. The document is read from standard input.
  let arguments: [String]
  /// Whether the output is text instead of HTML.
  let isTextOnly: Bool

  static let limits = ProgramLimits(
    processorSeconds: 120, seconds: 600, memory: 3 << 30, output: 64 << 20, sandbox: ProgramSandbox())

  /// Returns a conversion by pandoc.
  ///
  /// - Parameters:
  ///   - format: The name of the format for `--from`.
  ///   - isPackage: Whether the document contains its images. They are embedded in the output, because
  ///     `--extract-media` would write files whose names are determined by the document.
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

  /// The conversion by Asciidoctor. In the mode `secure` it reads no other files.
  ///
  /// Source: Asciidoctor, "Safe Modes"; `asciidoctor(1)`.
  static let asciidoctor = DocumentConversion(
    program: .asciidoctor,
    arguments: ["--safe-mode", "secure", "--backend", "html5", "--embedded"]
      + ["experimental", "showtitle", "toc!", "sectanchors!", "sectlinks!", "source-highlighter!", "icons!"].flatMap {
        ["--attribute", $0]
      } + ["--out-file", "-", "-"],
    isTextOnly: false)

  /// The conversion of PDF to text, without images, tables and formulas.
  ///
  /// Source: pdftotext(1).
  static let pdftotext = DocumentConversion(
    program: .pdftotext, arguments: ["-enc", "UTF-8", "-", "-"], isTextOnly: true)
}

extension ForeignFormat {
  /// The conversion by an installed program, or `nil` if the format cannot be converted.
  ///
  /// To add a format that pandoc reads, add a case and a file extension to ``ForeignFormat``, and a row here.
  var conversion: DocumentConversion? {
    switch self {
    case .asciiDoc: .asciidoctor
    case .docBook: .pandoc(from: "docbook")
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

  /// Returns the error for a source of this format if the program that converts it is not installed.
  package func missingProgram(for source: String) -> CourseFormatError {
    .programMissing(
      source: source, name: name, program: conversion?.program.rawValue ?? "",
      package: conversion?.program.package ?? "", advice: advice, remedy: remedy(isAlternative: true))
  }

  static let convertedExtensions: [String] = extensions.filter { $0.value.conversion != nil }.map(\.key).sorted()

  /// Returns the format that a file name indicates, or `nil` if that format cannot be converted.
  static func converted(named name: String) -> ForeignFormat? {
    guard let format = named(name), format.conversion != nil else { return nil }
    return format
  }

  /// Returns the format of a source that is a single file, or `nil` if that format cannot be converted.
  static func converted(_ source: CourseSource) -> ForeignFormat? {
    guard !source.isFolder, let format = file(source.name, head: source.head(count: 1 << 10) ?? ""),
      format.conversion != nil
    else { return nil }
    return format
  }
}

/// Reads documents of other programs through pandoc, Asciidoctor and pdftotext.
struct DocumentReader: PageFolderReader {
  let name = "document"
  let summary =
    "Org, reStructuredText (also the source of a Sphinx documentation), LaTeX, DocBook, Word (.docx), OpenDocument (.odt), RTF, MediaWiki and manual pages through pandoc, AsciiDoc through Asciidoctor, the text of a PDF through pdftotext, if the system has these programs."
  let requirements = "a document that pandoc, asciidoctor or pdftotext converts, such as 'notes.org'"
  let mapping = FormatMapping(
    goal: "a folder at the top, or a part of the toctree", lesson: "a document, or a folder inside a folder",
    activity: "a document; for a long one, a group of its sections")
  let pages = PageKind.document

  /// Returns whether the source is a convertible document, or a folder that contains more such documents than HTML
  /// pages and is not a package of another program.
  func recognises(_ source: CourseSource) -> Bool {
    guard source.isFolder else { return ForeignFormat.converted(source) != nil }
    let counts = PageFiles.Overview(source).counts
    return counts[.document, default: 0] > counts[.html, default: 0] && ForeignFormat.package(source) == nil
  }

  func hasPages(_ source: CourseSource) -> Bool {
    source.isFolder ? PageFiles.Overview(source).counts[.document] != nil : ForeignFormat.converted(source) != nil
  }
}
