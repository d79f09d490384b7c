import Foundation
import LearningModel

/// Reads the cells of a notebook in order. Each cell is parsed as a separate text, so markup that is not closed ends
/// with its cell.
struct NotebookText {
  /// The blocks of all cells.
  private(set) var parsed = ParsedText()
  /// The labels in the notebook to which other pages may refer.
  private(set) var labels: Set<String> = []
  /// The numbers and titles of the labels in all cells.
  private(set) var references = LabelledContent()
  /// The files whose text is included.
  private(set) var included: Set<String> = []

  private let context: PageMarkup.Context
  private let dialect: TextDialect
  private let language: String?
  private var anchors = Anchor.names
  /// The included files of the cells before the current one.
  private var includes: IncludeStack?
  /// The size of the text in bytes, with included files.
  private var size = 0
  /// The index of a block that was opened in one cell and is closed in a later cell, such as a solution that contains
  /// code cells. `nil` if no block is open.
  private var openBox: Int?

  /// Reads all cells.
  ///
  /// - Parameters:
  ///   - notebook: The notebook without its front matter.
  ///   - context: The context of the page.
  ///   - dialect: The extensions of Markdown in the format.
  /// - Throws: ``CourseFormatError`` if a cell is nested too deeply, or if the text of all cells is too large.
  init(_ notebook: Notebook, _ context: PageMarkup.Context, dialect: TextDialect) throws {
    self.context = context
    self.dialect = dialect
    language = notebook.language
    for cell in notebook.cells { try add(cell) }
  }

  private mutating func add(_ cell: Notebook.Cell) throws {
    let isCode = cell.kind == .code
    if cell.hiding.isSuperset(of: isCode ? .removed : .removedInput) {
      parsed.findings.countLoss("hidden cell", "left out")
      return parsed.findings.countLoss("hidden output", "left out", count: cell.outputs.count)
    }
    let isEmpty = cell.source.allSatisfy(\.isWhitespace)
    if isEmpty, cell.outputs.isEmpty { return parsed.findings.countLoss("empty cell", "left out") }
    switch cell.kind {
    case .markdown: try addMarkdown(cell)
    case .code:
      if cell.hiding.contains(.removedInput) {
        parsed.findings.countLoss("hidden cell", "left out")
      } else if !isEmpty {
        let code = code(cell)
        append(cell.hiding.contains(.input) ? [.details(summary: [.text("Code")], blocks: code)] : code, cell.line)
      }
      try addOutputs(of: cell)
    case .raw(let format):
      let name = format.map { Self.languages[$0] ?? $0 }
      append(shortened(cell.source, language: name.flatMap { $0.contains("/") ? nil : $0 }), cell.line)
    case .other(let kind): parsed.findings.countLoss("cell of the kind \(quoted: kind)", "left out")
    }
  }

  private mutating func append(_ blocks: [Block], _ line: Int?) {
    parsed.blocks += blocks.map { LocatedBlock(block: $0, line: line) }
  }

  // MARK: Text

  private mutating func addMarkdown(_ cell: Notebook.Cell) throws {
    var marks = PageMarkup(context)
    marks.references = references
    if let includes { marks.includes = includes }
    let source = marks.withLabelledFormulas(cell.source)
    let expanded = marks.expanded(MarkdownMathematics.withFormulaMarkup(in: source))
    includes = marks.includes
    if let error = marks.includes.error { throw error }
    size += expanded.utf8.count
    guard size <= context.limits.expandedSize else {
      throw CourseFormatError.limit(.expandedSize(context.limits.expandedSize), file: context.file, line: cell.line)
    }
    var text = try MarkdownText.parse(
      expanded, file: context.file, firstLine: cell.line ?? 1, limits: context.limits, dialect: dialect,
      anchors: &anchors)
    labels.formUnion(marks.labels)
    references = marks.references
    included.formUnion(marks.included)
    parsed.findings.add(marks.findings)
    if marks.endsUnbegun { closeBox() }
    if let badges = text.blocks.map(\.block).badges {
      return parsed.findings.countLoss("badge", "left out", count: badges)
    }
    parsed.findings.add(text.findings)
    for (anchor, index) in text.anchors where parsed.anchors[anchor] == nil {
      parsed.anchors[anchor] = parsed.blocks.count + index
    }
    let blocks = try text.footnotes.attached(
      to: text.blocks.map { attached($0.block, of: cell) }, file: context.file, limits: context.limits)
    if cell.hiding.contains(.input) {
      append([.details(summary: [.text("More")], blocks: blocks)], cell.line)
    } else {
      // Footnotes follow the blocks that have line numbers.
      let lines = text.blocks.map(\.line)
      parsed.blocks += blocks.enumerated().map { index, block in
        LocatedBlock(block: block, line: index < lines.count ? lines[index] : cell.line)
      }
    }
    if marks.hasUnended { openBox = parsed.blocks.indices.last }
  }

  /// Returns the block with the addresses of attached images resolved.
  ///
  /// Source: nbformat, "Cell attachments".
  private func attached(_ block: Block, of cell: Notebook.Cell) -> Block {
    guard !cell.attachments.isEmpty else { return block }
    let scheme = "attachment:"
    return [block].mapLines { line in
      line.mapImages { image in
        guard case .image(let source, let words, _) = image, source.hasPrefix(scheme) else { return image }
        let name = String(source.dropFirst(scheme.count))
        let address = cell.attachments[name] ?? cell.attachments[name.removingPercentEncoding ?? name]
        return .image(source: address ?? source, alternative: words)
      }
    }[0]
  }

  /// Moves the blocks after the open box into it.
  private mutating func closeBox() {
    guard let box = openBox else { return }
    let inside = parsed.blocks[(box + 1)...].map(\.block)
    switch parsed.blocks[box].block {
    case .quote(let blocks): parsed.blocks[box].block = .quote(blocks + inside)
    case .admonition(let frame):
      parsed.blocks[box].block = .admonition(
        Admonition(kind: frame.kind, title: frame.title, blocks: frame.blocks + inside))
    case .details(let summary, let blocks):
      parsed.blocks[box].block = .details(summary: summary, blocks: blocks + inside)
    default: return
    }
    parsed.blocks.removeSubrange((box + 1)...)
    parsed.anchors = parsed.anchors.mapValues { min($0, box) }
    openBox = nil
  }

  // MARK: Code

  private mutating func code(_ cell: Notebook.Cell) -> [Block] {
    shortened(cell.source, language: Self.magicLanguage(of: cell.source) ?? cell.language ?? language)
  }

  /// The maximum number of lines of code that are shown completely.
  private static let maximumLines = 2_000
  private static let maximumBytes = 64 << 10

  private mutating func shortened(_ source: String, language: String?) -> [Block] {
    let text = source.withoutControls.trimmingLastNewline
    guard let cut = ProgramOutput.shortened(text, lines: Self.maximumLines, bytes: Self.maximumBytes) else {
      return [.code(language: language, text: text)]
    }
    parsed.findings.countLoss("long cell", "shown as its beginning")
    return [
      .code(language: language, text: cut.text),
      .paragraph([.emphasis([.text(Self.omittedLinesText("cell", cut.lines))])]),
    ]
  }

  /// Returns the note about the omitted lines.
  static func omittedLinesText(_ what: String, _ lines: Int) -> String {
    switch lines {
    case 0: "The rest of a very long line of the \(what) is left out."
    case 1: "One more line of the \(what) is left out."
    default: "\(lines) more lines of the \(what) are left out."
    }
  }

  /// Returns the language that the first line of a cell names, such as `%%bash`.
  ///
  /// Source: IPython, "Built-in magic commands", "Cell magics".
  private static func magicLanguage(of source: String) -> String? {
    guard source.hasPrefix("%%") else { return nil }
    return magics[String(source.dropFirst(2).prefix { $0.isLetter || $0.isNumber }).lowercased()]
  }

  private static let magics = [
    "bash": "bash", "sh": "sh", "html": "html", "svg": "xml", "javascript": "javascript", "js": "javascript",
    "latex": "latex", "markdown": "markdown", "perl": "perl", "ruby": "ruby", "r": "r", "sql": "sql",
    "cython": "cython", "script": "sh",
  ]
  /// The languages of raw cells by media type.
  private static let languages = [
    "text/restructuredtext": "rst", "text/x-rst": "rst", "text/latex": "latex", "text/html": "html",
    "text/markdown": "markdown", "text/asciidoc": "asciidoc", "text/x-python": "python",
  ]

  // MARK: Outputs

  private mutating func addOutputs(of cell: Notebook.Cell) throws {
    guard !cell.outputs.isEmpty else { return }
    if cell.hiding.contains(.removedOutput) {
      return parsed.findings.countLoss("hidden output", "left out", count: cell.outputs.count)
    }
    var reading = CellOutputs(file: context.file, limits: context.limits)
    let blocks = reading.blocks(of: cell.outputs)
    parsed.findings.add(reading.findings)
    guard !blocks.isEmpty else { return }
    append(
      [cell.hiding.contains(.output) ? .details(summary: [.text("Output")], blocks: blocks) : .quote(blocks)], cell.line
    )
  }
}

extension [Block] {
  /// The number of images, if the blocks consist only of images and contain at least one link; otherwise `nil`. Such
  /// blocks are badges that link to other places where the notebook can be opened.
  fileprivate var badges: Int? {
    var count = 0
    var hasLink = false
    func areBadges(_ line: [Inline]) -> Bool {
      line.allSatisfy { piece in
        switch piece {
        case .image:
          count += 1
          return true
        case .link(_, let inner):
          hasLink = true
          return areBadges(inner)
        case .lineBreak: return true
        case .text(let words): return words.allSatisfy(\.isWhitespace)
        default: return false
        }
      }
    }
    let areAll = allSatisfy { block in
      switch block {
      case .paragraph(let line): areBadges(line)
      case .table(_, let header, let rows): ([header] + rows).allSatisfy { $0.allSatisfy(areBadges) }
      default: false
      }
    }
    return areAll && hasLink && count > 0 ? count : nil
  }
}

extension String {
  /// The text without a line break at its end.
  var trimmingLastNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
