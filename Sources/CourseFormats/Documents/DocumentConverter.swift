import ExternalPrograms
import Foundation
import LearningModel

/// Converts the pages of a source with programs of the system, each page once.
///
/// A program reads the document from standard input and writes to standard output. It is confined (see ``ProgramLimits``),
/// its home is an empty temporary folder, and it gets no variable of the caller.
final class DocumentConverter {
  /// The findings about the conversions.
  private(set) var findings = Findings()
  private let source: CourseSource
  private let options: ReadOptions
  private let folder: TemporaryFolder
  private var programs: [DocumentConversion.Program: ExternalProgram] = [:]
  /// The number of the file with the converted text of each page.
  private var converted: [String: Int] = [:]
  private var isNetworkNoted = false

  /// - Throws: ``CourseFormatError/noTemporarySpace(reason:)``.
  init(_ source: CourseSource, options: ReadOptions) throws {
    self.source = source
    self.options = options
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
  }

  private var home: String { folder.path + "/home" }

  /// Converts a page.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - path: The path below the source.
  /// - Throws: ``CourseFormatError/programMissing(source:format:)``,
  ///   ``CourseFormatError/cannotConvert(file:program:reason:)``, and the error of ``ReadOptions/progress``.
  func convert(_ bytes: [UInt8], of path: String) throws -> PageContent {
    let format =
      source.isFolder ? ForeignFormat.converted(named: SourcePath.name(of: path)) : ForeignFormat.converted(source)
    guard let format, let conversion = format.conversion else {
      throw CourseFormatError.notOfFormat(source: path, format: DocumentReader().name, needs: DocumentReader().needs)
    }
    let text: String
    if let number = converted[path] {
      let bytes = try FileAccess.read(file(number), as: path, limit: .max, broken: .expandedSize(0))
      text = String(decoding: bytes, as: UTF8.self)
    } else {
      text = try run(conversion, format, bytes, path)
      converted[path] = converted.count
      try Data(text.utf8).write(to: URL(filePath: file(converted.count - 1)))
    }
    return conversion.isTextOnly ? .text(PlainText(pages: text)) : .html(text)
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
        conversion.arguments, input: bytes, environment: variables, folder: home, limits: DocumentConversion.limits
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
      throw failure(
        result.code > 128
          ? "it was ended because it takes more than \(limit) seconds or too much memory"
          : "it reports '\(messages.first.map { String($0).onOneLine } ?? "error \(result.code)")'")
    }
    note(messages, of: name, path)
    note(conversion, name, result.hadNetwork)
    return String(decoding: result.output, as: UTF8.self)
  }

  private func program(
    for conversion: DocumentConversion, _ format: ForeignFormat, _ path: String
  ) throws -> ExternalProgram {
    if let known = programs[conversion.program] { return known }
    guard let program = ExternalProgram(named: conversion.program.rawValue, searchPath: options.searchPath) else {
      throw CourseFormatError.programMissing(source: path, format: format)
    }
    programs[conversion.program] = program
    return program
  }

  private var variables: [String: String] {
    [
      "PATH": ExternalProgram.usualFolders, "HOME": home, "TMPDIR": home, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
    ]
  }

  // MARK: - Findings

  /// The number of a program's messages that are shown for a page.
  private static let mostMessages = 5

  /// Notes the warnings of a program about the document.
  private func note(_ messages: [Substring], of program: String, _ path: String) {
    var shown = 0
    for message in messages {
      guard let start = message.range(of: "WARNING") ?? message.range(of: "ERROR") else { continue }
      let words = message[start.upperBound...].drop { "]: ".contains($0) }
      guard !Self.unimportant.contains(where: words.contains), !words.isEmpty else { continue }
      shown += 1
      if shown <= Self.mostMessages { findings.warning(path, nil, "\(program) reports: \(words).") }
    }
    findings.lose("message of \(program)", "not shown", count: shown - Self.mostMessages)
  }

  /// Messages about pandoc itself and about parts of its page that are not read.
  private static let unimportant = ["translation", "<title>", "eprecated", "defaulting to"]

  private func note(_ conversion: DocumentConversion, _ name: String, _ hadNetwork: Bool) {
    if conversion.isTextOnly {
      findings.lose("PDF document", "read as text only, without images, tables and formulas")
    }
    guard hadNetwork, !isNetworkNoted else { return }
    isNetworkNoted = true
    findings.warning(
      source.name, nil,
      "\(name) was not separated from the network, because this system allows no network namespace.")
  }
}
