import CMarkGFM
import Foundation
import LearningModel
import Synchronization

/// Converts Markdown to blocks: CommonMark with GitHub's tables, task lists, strikethrough, autolinks and footnotes.
enum MarkdownText {
  /// Parses a text.
  ///
  /// - Parameters:
  ///   - markdown: The text, without front matter.
  ///   - file: The file name for errors.
  ///   - firstLine: The line number of the file at which the text begins.
  ///   - limits: The maximum nesting depth and width of tables.
  ///   - dialect: The extensions of Markdown in the format.
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if the text is nested too deeply or has a table that is too
  ///   wide.
  static func parse(
    _ markdown: String, file: String, firstLine: Int = 1, limits: SourceLimits, dialect: TextDialect = .plain
  ) throws -> ParsedText {
    var anchors = Anchor.names
    return try parse(markdown, file: file, firstLine: firstLine, limits: limits, dialect: dialect, anchors: &anchors)
  }

  /// Parses one of several texts that are joined later.
  ///
  /// - Parameter anchors: The anchors of the previous texts, which are not used again. The new anchors are added.
  static func parse(
    _ markdown: String, file: String, firstLine: Int, limits: SourceLimits, dialect: TextDialect,
    anchors: inout UniqueNames
  ) throws -> ParsedText {
    try TableLimits.check(markdown, file: file, firstLine: firstLine, limits: limits)
    let markdown = MarkdownMathematics.withFormulaMarkup(
      in: Alerts.convertedToMarkdown(in: markdown), rule: dialect.formulas)
    let html = try Self.parsing.withLock { _ in
      try self.html(of: markdown, file: file, firstLine: firstLine, limits: limits)
    }
    return try HTMLText.parse(
      html, file: file, firstLine: firstLine, limits: limits, dialect: dialect, anchors: &anchors)
  }

  /// Serialises parsing, because cmark registers the special characters of extensions, such as `~`, in global
  /// variables while it parses.
  ///
  /// Source: cmark-gfm, `manage_extensions_special_characters` in `blocks.c` and `inlines.c`.
  private static let parsing = Mutex(())

  private static let options =
    CMARK_OPT_UNSAFE | CMARK_OPT_FOOTNOTES | CMARK_OPT_SOURCEPOS | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE

  private static let isRegistered: Bool = {
    cmark_gfm_core_extensions_ensure_registered()
    return true
  }()

  private static func html(of markdown: String, file: String, firstLine: Int, limits: SourceLimits) throws -> String {
    guard isRegistered, let parser = cmark_parser_new(options) else { return "" }
    defer { cmark_parser_free(parser) }
    for name in ["table", "strikethrough", "autolink", "tasklist"] {
      cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(name))
    }
    var markdown = markdown
    markdown.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { cmark_parser_feed(parser, $0.baseAddress, $0.count) }
    }
    guard let document = cmark_parser_finish(parser) else { return "" }
    defer { cmark_node_free(document) }
    try checkDepth(of: document, file: file, firstLine: firstLine, limits: limits)
    guard let html = cmark_render_html(document, options, cmark_parser_get_syntax_extensions(parser)) else { return "" }
    defer { free(html) }
    return String(cString: html)
  }

  /// Throws if the document is nested too deeply. Must be called before any recursive function processes the document.
  private static func checkDepth(
    of document: OpaquePointer, file: String, firstLine: Int, limits: SourceLimits
  ) throws {
    guard let iterator = cmark_iter_new(document) else { return }
    defer { cmark_iter_free(iterator) }
    var depth = 0
    while true {
      let event = cmark_iter_next(iterator)
      if event == CMARK_EVENT_DONE { return }
      let node = cmark_iter_get_node(iterator)
      // The iterator emits no exit event for leaves.
      let isLeaf = cmark_node_first_child(node) == nil && event == CMARK_EVENT_ENTER
      if event == CMARK_EVENT_EXIT {
        depth -= 1
      } else if !isLeaf || !leaves.contains(cmark_node_get_type(node).rawValue) {
        depth += 1
      }
      guard depth <= limits.nestingDepth else {
        let line = Int(cmark_node_get_start_line(node)) + firstLine - 1
        throw CourseFormatError.limit(.nestingDepth(limits.nestingDepth), file: file, line: max(line, firstLine))
      }
    }
  }

  // The same types as in cmark's `iterator.c`.
  private static let leaves: Set<UInt32> = [
    CMARK_NODE_HTML_BLOCK.rawValue, CMARK_NODE_THEMATIC_BREAK.rawValue, CMARK_NODE_CODE_BLOCK.rawValue,
    CMARK_NODE_TEXT.rawValue, CMARK_NODE_SOFTBREAK.rawValue, CMARK_NODE_LINEBREAK.rawValue, CMARK_NODE_CODE.rawValue,
    CMARK_NODE_HTML_INLINE.rawValue,
  ]
}

/// Converts the first line of each alert to an HTML title, from which the HTML reader makes a frame. The number of
/// lines does not change.
///
/// Sources: GitHub, "Basic writing and formatting syntax", "Alerts"; mdBook, "Markdown", "Admonitions"; for titles and
/// for `-` and `+`, Obsidian, "Callouts".
enum Alerts {
  /// The class of a title, and the attributes for the kind of a frame and for frames that are collapsed.
  static let titleClass = "admonition-title"
  static let kind = "data-kind"
  static let closed = "data-closed"

  /// Returns a text with the first lines of alerts converted.
  static func convertedToMarkdown(in text: String) -> String {
    guard text.contains("[!") else { return text }
    var fence = CodeFence()
    var depth = 0
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let above = depth
      let prefix = line.prefix { " >-*".contains($0) }
      depth = prefix.count { $0 == ">" }
      fence.process(line.dropFirst(prefix.count))
      guard !fence.isOpen, depth > above, let alert = Alert(line[prefix.endIndex...]) else { return String(line) }
      return prefix + title(alert.title, kind: alert.name, isClosed: alert.isClosed) + "<br>"
    }.joined(separator: "\n")
  }

  /// Returns the title of a frame as HTML. The text of the title is Markdown.
  static func title(_ words: String, kind: String, isClosed: Bool = false) -> String {
    "<span class=\"\(titleClass)\" \(Self.kind)=\"\(kind)\"\(isClosed ? " \(closed)=\"\"" : "")>\(words)</span>"
  }

  private struct Alert {
    let name: String
    let title: String
    let isClosed: Bool

    /// Parses `[!NOTE] A title`, or returns `nil` for other lines.
    init?(_ line: Substring) {
      guard line.hasPrefix("[!"), let close = line.firstIndex(of: "]") else { return nil }
      // Obsidian allows metadata after a vertical bar, which themes use.
      let name = line[..<close].dropFirst(2).prefix { $0 != "|" }
      guard name.first?.isLetter == true, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else {
        return nil
      }
      var rest = line[line.index(after: close)...]
      // These lines begin with a link whose text begins with "!".
      guard rest.first != "(", rest.first != "[" else { return nil }
      isClosed = rest.first == "-"
      if isClosed || rest.first == "+" { rest = rest.dropFirst() }
      (self.name, title) = (name.lowercased(), String(rest.trimmingBlanks))
    }
  }
}

/// Rejects texts in Markdown for which the parser would take quadratic time or too much memory.
///
/// cmark-gfm counts the cells of a row again for each of its cells, and pads every row to the length of the header. Ten
/// kilobytes can therefore produce a hundred million cells. The numbers of columns and of missing cells are limited
/// before the text is parsed.
enum TableLimits {
  /// Checks a text in one pass.
  ///
  /// Every line that looks like a row of a table is checked. A code block that looks like a table with hundreds of
  /// columns is therefore rejected too.
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` for the first line that exceeds a limit.
  ///
  /// Source: GitHub Flavored Markdown, "Tables (extension)".
  static func check(_ markdown: String, file: String, firstLine: Int, limits: SourceLimits) throws {
    try checkElements(markdown, file: file, limits: limits)
    var line = firstLine
    var row = Row()
    var before = Row()
    // The number of pipes in the delimiter row of the current table, which approximates the number of columns. 0
    // outside tables.
    var columns = 0
    var missing = 0
    func finishRow() throws {
      let pipes = row.pipes
      if row.isRule { columns = pipes } else if row.isBlank { columns = 0 }
      // A header row can be recognised only from the line after it.
      guard columns == 0 || max(pipes, row.isRule ? before.pipes : 0) <= limits.tableColumns + 1 else {
        throw CourseFormatError.limit(.tableColumns(limits.tableColumns), file: file, line: line)
      }
      if columns > 0, !row.isRule { missing += max(0, columns - pipes) }
      guard missing <= limits.tableGaps else {
        throw CourseFormatError.limit(.tableGaps(limits.tableGaps), file: file, line: line)
      }
      (before, row) = (row, Row())
      line += 1
    }
    for byte in markdown.utf8 {
      if byte == 0x0A { try finishRow() } else { row.process(byte) }
    }
    try finishRow()
  }

  /// Throws if a text has more lines and signs of markup than the limit allows.
  static func checkElements(_ markdown: some StringProtocol, file: String, limits: SourceLimits) throws {
    var (count, last) = (0, UInt8(ascii: "\n"))
    for byte in markdown.utf8 {
      // A line may contain several markers of lists and block quotes.
      count +=
        byte == 0x20 && "-+.)".utf8.contains(last) || byte == 0x3E && "\n >".utf8.contains(last)
        ? 1 : elementCounts[Int(byte)]
      last = byte
    }
    guard count <= limits.elements else {
      throw CourseFormatError.limit(.elements(limits.elements), file: file, line: nil)
    }
  }

  /// The number of elements that each byte can begin. An address of mail takes as much memory as 40 other elements.
  private static let elementCounts = (0...255).map { (byte: UInt8) in
    byte == UInt8(ascii: "@") ? 40 : byte == UInt8(ascii: "|") ? 2 : "\n\\*_~`[<!&:".utf8.contains(byte) ? 1 : 0
  }

  private struct Row {
    var pipes = 0
    var hasHyphen = false
    var hasOtherCharacters = false

    /// Whether the line may be the delimiter row between the header and the rows of a table.
    var isRule: Bool { hasHyphen && !hasOtherCharacters }
    var isBlank: Bool { pipes == 0 && !hasHyphen && !hasOtherCharacters }

    mutating func process(_ byte: UInt8) {
      switch byte {
      case UInt8(ascii: "|"): pipes += 1
      case UInt8(ascii: "-"), UInt8(ascii: ":"): hasHyphen = hasHyphen || byte == UInt8(ascii: "-")
      // A table may be in a block quote.
      case UInt8(ascii: " "), UInt8(ascii: ">"), 0x09, 0x0B, 0x0C: break
      default: hasOtherCharacters = true
      }
    }
  }
}

/// Tracks whether the current line of a text is inside a fenced code block.
struct CodeFence {
  private var delimiter: Substring?

  var isOpen: Bool { delimiter != nil }

  mutating func process(_ line: Substring) {
    // Most lines cannot be a fence, and are examined only up to their first letter.
    guard let byte = line.utf8.first(where: { $0 != 0x20 && $0 != 0x09 }),
      byte == UInt8(ascii: "`") || byte == UInt8(ascii: "~") || byte < 0x20 || byte >= 0x80
    else { return }
    let text = line.trimmingBlanks
    guard let first = text.first, first == "`" || first == "~" else { return }
    let run = text.prefix { $0 == first }
    guard run.count >= 3 else { return }
    if let open = delimiter {
      if open.first == first, run.count >= open.count, run.count == text.count { delimiter = nil }
    } else if first == "~" || !text.dropFirst(run.count).contains("`") {
      delimiter = run
    }
  }
}
