import JSONCoding
import LearningModel

/// The content of a notebook file.
struct Notebook: Equatable {
  /// The title in the metadata.
  var title: String?
  /// The language of the code.
  var language: String?
  var cells: [Cell] = []

  /// A text, or a part of a program with its outputs.
  struct Cell: Equatable {
    var kind: Kind
    var source = ""
    var outputs: [Output] = []
    /// The language of the code if it differs from the language of the notebook, otherwise `nil`.
    var language: String?
    /// The parts that are folded or left out.
    var hiding: Hiding = []
    /// The attached images as `data:` URLs, by their names.
    var attachments: [String: String] = [:]
    /// The line number in the file at which the source begins, from 1.
    var line: Int?
  }

  enum Kind: Equatable {
    case markdown, code
    /// Text for an export format. `format` is `nil` if the cell does not specify it.
    case raw(format: String?)
    /// An unknown type.
    case other(String)
  }

  /// The parts of a cell that are folded (`input`, `output`) or left out (`removedInput`, `removedOutput`).
  ///
  /// Source: Jupyter Book, "Hide or remove content"; nbformat, "Cell metadata".
  struct Hiding: OptionSet {
    let rawValue: Int
    static let input = Hiding(rawValue: 1)
    static let output = Hiding(rawValue: 2)
    static let removedInput = Hiding(rawValue: 4)
    static let removedOutput = Hiding(rawValue: 8)
    static let removed: Hiding = [.removedInput, .removedOutput]
    static let all: Hiding = [.input, .output]
  }

  /// An output of running a cell.
  enum Output: Equatable {
    /// Text that the program printed to the named stream.
    case stream(name: String, text: String)
    /// A value in one or more forms: the content of the supported forms, by media type, and the media types of all
    /// forms.
    case value(texts: [String: String], kinds: Set<String>)
    case error(name: String, message: String, traceback: String)
    /// An unknown type.
    case other(String)
  }
}

extension Notebook.Output {
  /// The media types whose content is read. For other media types, only the type is recorded.
  static let readTypes: Set<String> = Set(["text/plain", "text/html", "text/markdown", "text/latex"] + imageTypes)

  /// The media types of supported images, best first.
  static let imageTypes = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/svg+xml"]

  /// Returns a `data:` URL for an image.
  ///
  /// - Parameters:
  ///   - text: The image in Base64. An SVG image may also be XML.
  ///   - kind: The media type.
  ///
  /// Source: nbformat, "display_data"; RFC 2397.
  static func address(of text: String, kind: String) -> String {
    let isDrawing = kind == "image/svg+xml" && text.contains("<")
    guard isDrawing else { return "data:\(kind);base64,\(text)" }
    return "data:\(kind)," + text.replacing("%", with: "%25")
  }
}

extension Notebook {
  /// Returns the front matter in the first cell, and the notebook without the front matter.
  func separatingFrontMatter(file: String, limits: SourceLimits, findings: inout Findings) -> (
    PageFrontMatter, Notebook
  ) {
    guard let first = cells.first, first.kind != .code, Self.beginsWithFields(first.source) else {
      return (PageFrontMatter("", file: file, limits: limits, findings: &findings), self)
    }
    let matter = PageFrontMatter(first.source.withoutControls, file: file, limits: limits, findings: &findings)
    var rest = self
    rest.cells[0].source = String(matter.body)
    if matter.body.allSatisfy(\.isWhitespace) { rest.cells.removeFirst() }
    return (matter, rest)
  }

  /// Returns whether the source begins with a line of three hyphens and a field. If no field follows, the line is a
  /// thematic break.
  private static func beginsWithFields(_ source: String) -> Bool {
    guard source.hasPrefix("---\n") || source.hasPrefix("---\r\n") else { return false }
    let line = source.split(whereSeparator: \.isNewline).dropFirst().first ?? ""
    let name = line.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    return !name.isEmpty && line[name.endIndex...].hasPrefix(":")
  }

  /// The title in the text of the notebook, as Markdown: the heading or the strong text at the beginning, otherwise the
  /// only heading of level 1. `nil` if there is no such text. Other headings are titles of sections.
  var writtenTitle: String? {
    let texts = cells.lazy.filter { $0.kind == .markdown }.map { MarkdownMathematics.withFormulaMarkup(in: $0.source) }
    for text in texts {
      for line in text.split(separator: "\n").lazy.map(\.trimmingBlanks) {
        // Images and badges are often above the title.
        if line.isEmpty || line.hasPrefix("<") || line.hasPrefix("![") || line.hasPrefix("[![") { continue }
        if let first = text[line.startIndex...].headings(limit: 1).first, first.line == 0 {
          return first.words
        }
        return Self.strongText(of: line) ?? onlyMainHeading(among: texts)
      }
    }
    return nil
  }

  private static func strongText(of line: Substring) -> String? {
    for mark in ["**", "__"] where line.hasPrefix(mark) && line.hasSuffix(mark) && line.count > 2 * mark.count {
      let words = line.dropFirst(mark.count).dropLast(mark.count)
      if !words.contains(mark) { return String(words) }
    }
    return nil
  }

  private func onlyMainHeading(among texts: some Sequence<String>) -> String? {
    let headings = texts.flatMap { $0[...].headings(limit: .max) }.filter { $0.level == 1 }
    return headings.count == 1 ? headings[0].words : nil
  }
}

/// Parses the JSON of a notebook. Skips data that is not shown, such as videos and the state of widgets.
///
/// Source: nbformat, "The Notebook file format", of versions 4.0 to 4.5, and of 3.0.
struct NotebookFile {
  private let file: String
  private var notebook = Notebook()
  private var version: Int?
  private var hasCells = false

  /// Reads a notebook file.
  ///
  /// - Throws: ``CourseFormatError`` if the bytes are not JSON or not a notebook of version 3 or 4.
  static func read(_ bytes: [UInt8], file: String, limits: SourceLimits) throws -> Notebook {
    let bytes = try TextDecoding.utf8(bytes, file: file)
    var scanner = JSONScanner(bytes, deepest: limits.nestingDepth, dialect: .python)
    var reading = NotebookFile(file: file)
    do {
      try reading.read(&scanner)
    } catch let error as JSONError {
      throw CourseFormatError(error, file: file)
    }
    return reading.notebook
  }

  private init(file: String) {
    self.file = file
  }

  private mutating func read(_ scanner: inout JSONScanner) throws {
    try scanner.object { scanner, name in
      switch name {
      case "cells": try self.readCells(&scanner)
      case "worksheets":
        self.hasCells = true
        try scanner.array { scanner in
          try scanner.object { scanner, name in
            if name == "cells" { try self.readCells(&scanner) } else { try scanner.skip() }
          }
        }
      case "metadata": try self.readMetadata(&scanner)
      case "nbformat": self.version = Int(try scanner.skipped())
      default: try scanner.skip()
      }
    }
    if scanner.peek() != nil {
      throw scanner.malformed("there is text after the notebook", "Remove it, or save the notebook again.")
    }
    if let version, !(3...4).contains(version) {
      throw CourseFormatError.malformed(
        file: file, line: nil, problem: "it is a notebook of version \(version), and Waymark reads 3 and 4",
        advice: "Open it in Jupyter, and save it again.")
    }
    guard hasCells else {
      throw CourseFormatError.malformed(
        file: file, line: nil, problem: "it is not a notebook, because it has no 'cells'",
        advice: "Save it from Jupyter, or remove it from the folder.")
    }
  }

  // MARK: Cells

  private mutating func readCells(_ scanner: inout JSONScanner) throws {
    hasCells = true
    try scanner.array { self.notebook.cells.append(try Self.cell(&$0)) }
  }

  private static func cell(_ scanner: inout JSONScanner) throws -> Notebook.Cell {
    var kind = ""
    var level = 1
    var format: String?
    var cell = Notebook.Cell(kind: .code)
    try scanner.object { scanner, name in
      switch name {
      case "cell_type": kind = try scanner.stringOrEmpty()
      case "source", "input":
        (cell.source, cell.line) = try scanner.lines()
      case "outputs": try scanner.array { cell.outputs.append(try output(&$0)) }
      case "attachments" where scanner.peek() == UInt8(ascii: "{"): cell.attachments = try attachments(&scanner)
      case "language": cell.language = try scanner.stringOrEmpty().onOneLine
      case "level": level = min(6, max(1, Int(try scanner.skipped()) ?? 1))
      case "metadata": try readMetadata(&scanner, of: &cell, &format)
      default: try scanner.skip()
      }
    }
    switch kind {
    case "markdown": cell.kind = .markdown
    case "code": cell.kind = .code
    case "raw": cell.kind = .raw(format: format?.onOneLine)
    case "heading":
      cell.kind = .markdown
      cell.source = String(repeating: "#", count: level) + " " + cell.source.onOneLine
    default: cell.kind = .other(String(kind.onOneLine.prefix(maximumNameLength)))
    }
    return cell
  }

  private static let maximumNameLength = 40

  /// Reads the images that are attached to a cell: by name, in one or more forms.
  private static func attachments(_ scanner: inout JSONScanner) throws -> [String: String] {
    var attachments: [String: String] = [:]
    try scanner.object { scanner, name in
      guard scanner.peek() == UInt8(ascii: "{") else { return try scanner.skip() }
      try scanner.object { scanner, kind in
        guard Notebook.Output.imageTypes.contains(kind) else { return try scanner.skip() }
        attachments[name] = Notebook.Output.address(of: try scanner.lines().text, kind: kind)
      }
    }
    return attachments
  }

  private static func readMetadata(
    _ scanner: inout JSONScanner, of cell: inout Notebook.Cell, _ format: inout String?
  ) throws {
    try scanner.object { scanner, name in
      switch name {
      case "format", "raw_mimetype": format = try scanner.stringOrEmpty()
      case "tags" where scanner.peek() == UInt8(ascii: "["):
        try scanner.array { cell.hiding.formUnion(Notebook.Hiding(tag: try $0.stringOrEmpty())) }
      case "jupyter" where scanner.peek() == UInt8(ascii: "{"):
        try scanner.object { scanner, name in
          let isSet = try scanner.skipped() == "true"
          if isSet, name == "source_hidden" { cell.hiding.insert(.input) }
          if isSet, name == "outputs_hidden" { cell.hiding.insert(.output) }
        }
      default: try scanner.skip()
      }
    }
  }

  // MARK: Outputs

  private static func output(_ scanner: inout JSONScanner) throws -> Notebook.Output {
    var fields: [String: String] = [:]
    var texts: [String: String] = [:]
    var kinds: Set<String> = []
    func readForm(_ kind: String, _ scanner: inout JSONScanner) throws {
      kinds.insert(kind)
      if Notebook.Output.readTypes.contains(kind) { texts[kind] = try scanner.lines().text } else { try scanner.skip() }
    }
    try scanner.object { scanner, name in
      switch name {
      case "output_type", "name", "stream", "ename", "evalue": fields[name] = try scanner.stringOrEmpty()
      case "text": fields[name] = try scanner.lines().text
      case "traceback":
        var lines: [String] = []
        try scanner.array { lines.append(try $0.stringOrEmpty()) }
        fields[name] = lines.joined(separator: "\n")
      case "data": try scanner.object { scanner, kind in try readForm(kind, &scanner) }
      default:
        if let kind = oldKinds[name] { try readForm(kind, &scanner) } else { try scanner.skip() }
      }
    }
    switch fields["output_type"] {
    case "stream": return .stream(name: fields["name"] ?? fields["stream"] ?? "stdout", text: fields["text"] ?? "")
    case "error", "pyerr":
      return .error(
        name: fields["ename"] ?? "", message: fields["evalue"] ?? "", traceback: fields["traceback"] ?? "")
    case "execute_result", "display_data", "pyout":
      if let text = fields["text"] {
        texts["text/plain"] = text
        kinds.insert("text/plain")
      }
      return .value(texts: texts, kinds: kinds)
    case let other: return .other(String((other ?? "").onOneLine.prefix(maximumNameLength)))
    }
  }

  /// The media types of fields that are part of an output in version 3 and part of `data` in version 4.
  private static let oldKinds = [
    "html": "text/html", "latex": "text/latex", "svg": "image/svg+xml", "png": "image/png", "jpeg": "image/jpeg",
    "javascript": "application/javascript", "json": "application/json", "pdf": "application/pdf",
  ]

  // MARK: Metadata

  private mutating func readMetadata(_ scanner: inout JSONScanner) throws {
    var languages: [String: String] = [:]
    try scanner.object { scanner, name in
      switch name {
      case "title": self.notebook.title = try scanner.stringOrEmpty().onOneLine
      case "language": languages[name] = try scanner.stringOrEmpty()
      case "kernelspec", "language_info":
        guard scanner.peek() == UInt8(ascii: "{") else { return try scanner.skip() }
        try scanner.object { scanner, field in languages[name + "." + field] = try scanner.stringOrEmpty() }
      default: try scanner.skip()
      }
    }
    // The name of a kernel ends with its version, such as "python3".
    let kernel = languages["kernelspec.name"].map { String($0.prefix { $0.isLetter }) }
    notebook.language = [
      languages["language_info.name"], languages["kernelspec.language"], kernel, languages["language"],
    ].compactMap { $0?.onOneLine.lowercased() }.first { !$0.isEmpty }
  }
}

extension Notebook.Hiding {
  /// Makes the set of parts that a tag of a cell hides. Empty if the tag hides nothing.
  fileprivate init(tag: String) {
    switch tag.replacing("_", with: "-") {
    case "hide-input": self = .input
    case "hide-output": self = .output
    case "hide-cell": self = .all
    case "remove-input": self = .removedInput
    case "remove-output": self = .removedOutput
    case "remove-cell": self = .removed
    default: self = []
    }
  }
}

extension JSONScanner {
  /// Returns the next value if it is a string, otherwise skips it and returns an empty string.
  fileprivate mutating func stringOrEmpty() throws -> String {
    if peek() == UInt8(ascii: "\"") { return try string() }
    try skip()
    return ""
  }

  /// Returns the next value, a string or a list of lines, and its line number in the file.
  fileprivate mutating func lines() throws -> (text: String, line: Int) {
    guard peek() == UInt8(ascii: "[") else {
      let line = nextLine()
      return (try string(), line)
    }
    var text = ""
    var first: Int?
    try array { scanner in
      if first == nil { first = scanner.nextLine() }
      text += try scanner.string()
    }
    return (text, first ?? nextLine())
  }
}
