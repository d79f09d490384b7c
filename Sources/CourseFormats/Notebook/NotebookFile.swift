/// Reads the JSON of a notebook, and skips what is not shown of it: films, what widgets keep.
///
/// Source: nbformat, "The Notebook file format", of versions 4.0 to 4.5, and of 3.0.
struct NotebookFile {
  private let file: String
  private var notebook = Notebook()
  private var version: Int?
  private var hasCells = false

  /// Reads a whole file.
  ///
  /// - Throws: ``CourseFormatError`` where it is no JSON, no notebook, or one of a version that is not known.
  static func read(_ bytes: [UInt8], file: String, limits: SourceLimits) throws -> Notebook {
    let bytes = try TextDecoding.utf8(bytes, file: file)
    var scanner = JSONScanner(bytes, in: 0..<bytes.count, file: file, deepest: limits.nestingDepth, isForeign: true)
    var reading = NotebookFile(file: file)
    try reading.read(&scanner)
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
      throw scanner.malformed("something stands behind the notebook", "Take it out, or save the notebook again.")
    }
    if let version, !(3...4).contains(version) {
      throw CourseFormatError.malformed(
        file: file, line: nil, found: "it is a notebook of version \(version), and Waymark reads 3 and 4",
        advice: "Open it in Jupyter, and save it again.")
    }
    guard hasCells else {
      throw CourseFormatError.malformed(
        file: file, line: nil, found: "it is no notebook, for it has no 'cells'",
        advice: "Save it from Jupyter, or take it out of the folder.")
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
      case "cell_type": kind = try scanner.words()
      case "source", "input":
        (cell.source, cell.line) = try scanner.lines()
      case "outputs": try scanner.array { cell.outputs.append(try output(&$0)) }
      case "attachments" where scanner.peek() == UInt8(ascii: "{"): cell.attachments = try attachments(&scanner)
      case "language": cell.language = try scanner.words().onOneLine
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
    default: cell.kind = .other(String(kind.onOneLine.prefix(longestName)))
    }
    return cell
  }

  private static let longestName = 40

  /// The pictures that are kept with a cell: by their names, in one or more forms.
  private static func attachments(_ scanner: inout JSONScanner) throws -> [String: String] {
    var attachments: [String: String] = [:]
    try scanner.object { scanner, name in
      guard scanner.peek() == UInt8(ascii: "{") else { return try scanner.skip() }
      try scanner.object { scanner, kind in
        guard Notebook.Output.pictureKinds.contains(kind) else { return try scanner.skip() }
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
      case "format", "raw_mimetype": format = try scanner.words()
      case "tags" where scanner.peek() == UInt8(ascii: "["):
        try scanner.array { cell.hiding.formUnion(Notebook.Hiding(tag: try $0.words())) }
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
      if Notebook.Output.readKinds.contains(kind) { texts[kind] = try scanner.lines().text } else { try scanner.skip() }
    }
    try scanner.object { scanner, name in
      switch name {
      case "output_type", "name", "stream", "ename", "evalue": fields[name] = try scanner.words()
      case "text": fields[name] = try scanner.lines().text
      case "traceback":
        var lines: [String] = []
        try scanner.array { lines.append(try $0.words()) }
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
    case let other: return .other(String((other ?? "").onOneLine.prefix(longestName)))
    }
  }

  /// The forms that stood beside the other fields in version 3, and stand in `data` in version 4.
  private static let oldKinds = [
    "html": "text/html", "latex": "text/latex", "svg": "image/svg+xml", "png": "image/png", "jpeg": "image/jpeg",
    "javascript": "application/javascript", "json": "application/json", "pdf": "application/pdf",
  ]

  // MARK: The notebook's own

  private mutating func readMetadata(_ scanner: inout JSONScanner) throws {
    var languages: [String: String] = [:]
    try scanner.object { scanner, name in
      switch name {
      case "title": self.notebook.title = try scanner.words().onOneLine
      case "language": languages[name] = try scanner.words()
      case "kernelspec", "language_info":
        guard scanner.peek() == UInt8(ascii: "{") else { return try scanner.skip() }
        try scanner.object { scanner, field in languages[name + "." + field] = try scanner.words() }
      default: try scanner.skip()
      }
    }
    // A kernel's name has its version behind it: "python3".
    let kernel = languages["kernelspec.name"].map { String($0.prefix { $0.isLetter }) }
    notebook.language = [
      languages["language_info.name"], languages["kernelspec.language"], kernel, languages["language"],
    ].compactMap { $0?.onOneLine.lowercased() }.first { !$0.isEmpty }
  }
}

extension Notebook.Hiding {
  /// What a tag of a cell asks for; nothing where it is another one.
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
  /// The next value where it is a text; an empty one for any other value.
  fileprivate mutating func words() throws -> String {
    if peek() == UInt8(ascii: "\"") { return try string() }
    try skip()
    return ""
  }

  /// The next value, a text or a list of its lines, and the line that it begins at.
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
