import CMarkGFM
import Foundation
import LearningModel
import Synchronization

/// Markdown to blocks: CommonMark with GitHub's tables, task lists, strikethrough, automatic links and footnotes.
enum MarkdownText {
  /// Maps a text.
  ///
  /// - Parameters:
  ///   - markdown: The text, without front matter.
  ///   - file: What errors call it.
  ///   - firstLine: The line of the file that the text begins at.
  ///   - limits: How deep it may be nested, and how wide a table may be.
  ///   - dialect: What the format adds to Markdown.
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` where it is nested too deeply, or has a table that is too wide.
  static func parse(
    _ markdown: String, file: String, firstLine: Int = 1, limits: SourceLimits, dialect: TextDialect = .plain
  ) throws -> ParsedText {
    var anchors = Anchor.names
    return try parse(markdown, file: file, firstLine: firstLine, limits: limits, dialect: dialect, anchors: &anchors)
  }

  /// The same for one of several texts that are one in the end.
  ///
  /// - Parameter anchors: Those of the headings before it, which no heading of it gets.
  static func parse(
    _ markdown: String, file: String, firstLine: Int, limits: SourceLimits, dialect: TextDialect,
    anchors: inout UniqueNames
  ) throws -> ParsedText {
    try TableLimits.check(markdown, file: file, firstLine: firstLine, limits: limits)
    let markdown = MarkdownMathematics.marked(in: Alerts.marked(in: markdown), isProse: true)
    let html = try Self.parsing.withLock { _ in
      try self.html(of: markdown, file: file, firstLine: firstLine, limits: limits)
    }
    return try HTMLText.parse(
      html, file: file, firstLine: firstLine, limits: limits, dialect: dialect, anchors: &anchors)
  }

  /// One text at a time: which characters begin something, such as `~`, cmark notes for the whole process while it parses.
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

  /// Finds what is nested too deeply before anything walks down it.
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
      // Leaves are entered, but never left.
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

  // As cmark's own iterator has them.
  private static let leaves: Set<UInt32> = [
    CMARK_NODE_HTML_BLOCK.rawValue, CMARK_NODE_THEMATIC_BREAK.rawValue, CMARK_NODE_CODE_BLOCK.rawValue,
    CMARK_NODE_TEXT.rawValue, CMARK_NODE_SOFTBREAK.rawValue, CMARK_NODE_LINEBREAK.rawValue, CMARK_NODE_CODE.rawValue,
    CMARK_NODE_HTML_INLINE.rawValue,
  ]
}

/// Keeps the first lines of alerts from being read as words: each becomes a title that the reader of HTML makes a frame of,
/// on the same line.
///
/// Sources: GitHub, "Basic writing and formatting syntax", "Alerts"; mdBook, "Markdown", "Admonitions"; Obsidian,
/// "Callouts", of titles and of `-` and `+`.
enum Alerts {
  /// The class of a title, and the attributes that say what it is the title of.
  static let titleClass = "admonition-title"
  static let kind = "data-kind"
  static let closed = "data-closed"

  /// A text with the alerts in it kept.
  static func marked(in text: String) -> String {
    guard text.contains("[!") else { return text }
    var fence = CodeFence()
    var depth = 0
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let above = depth
      let prefix = line.prefix { " >-*".contains($0) }
      depth = prefix.count { $0 == ">" }
      fence.pass(line.dropFirst(prefix.count))
      guard !fence.isOpen, depth > above, let alert = Alert(line[prefix.endIndex...]) else { return String(line) }
      return prefix + title(alert.title, kind: alert.name, isClosed: alert.isClosed) + "<br>"
    }.joined(separator: "\n")
  }

  /// The title of a frame, in HTML around Markdown.
  static func title(_ words: String, kind: String, isClosed: Bool = false) -> String {
    "<span class=\"\(titleClass)\" \(Self.kind)=\"\(kind)\"\(isClosed ? " \(closed)=\"\"" : "")>\(words)</span>"
  }

  private struct Alert {
    let name: String
    let title: String
    let isClosed: Bool

    /// Reads `[!NOTE] A title`; `nil` where the line is another.
    init?(_ line: Substring) {
      guard line.hasPrefix("[!"), let close = line.firstIndex(of: "]") else { return nil }
      let name = line[..<close].dropFirst(2)
      guard name.first?.isLetter == true, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else {
        return nil
      }
      var rest = line[line.index(after: close)...]
      // A link may have such words too.
      guard rest.first != "(", rest.first != "[" else { return nil }
      isClosed = rest.first == "-"
      if isClosed || rest.first == "+" { rest = rest.dropFirst() }
      (self.name, title) = (name.lowercased(), String(rest.trimmingBlanks))
    }
  }
}

/// Looks for tables in Markdown that would take the parser longer the more it has read of them.
///
/// cmark-gfm counts the cells of a row anew for each cell, and gives every row of a table as many cells as its heading
/// has: ten kilobytes may make a hundred million of them. So columns, and cells that rows leave out, have a limit, which is
/// checked before the text is parsed.
enum TableLimits {
  /// Goes through a text once.
  ///
  /// Lines are counted without looking at what they stand in, so it may refuse a block of code that looks like a table
  /// of hundreds of columns.
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` at the first line that breaks one.
  ///
  /// Source: GitHub Flavored Markdown, "Tables (extension)".
  static func check(_ markdown: String, file: String, firstLine: Int, limits: SourceLimits) throws {
    var line = firstLine
    var row = Row()
    var before = Row()
    // The pipes of the rule of the table that the line stands in, about as many as columns; 0 in none.
    var columns = 0
    var missing = 0
    func finishRow() throws {
      let pipes = row.pipes
      if row.isRule { columns = pipes } else if row.isBlank { columns = 0 }
      // A heading is known by the line below it.
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
      if byte == 0x0A { try finishRow() } else { row.take(byte) }
    }
    try finishRow()
  }

  /// What is to be known of a line.
  private struct Row {
    var pipes = 0
    var hasHyphen = false
    var hasOthers = false

    /// Whether it may be what parts the heading of a table from its rows.
    var isRule: Bool { hasHyphen && !hasOthers }
    var isBlank: Bool { pipes == 0 && !hasHyphen && !hasOthers }

    mutating func take(_ byte: UInt8) {
      switch byte {
      case UInt8(ascii: "|"): pipes += 1
      case UInt8(ascii: "-"), UInt8(ascii: ":"): hasHyphen = hasHyphen || byte == UInt8(ascii: "-")
      // A table may stand in a quotation.
      case UInt8(ascii: " "), UInt8(ascii: ">"), 0x09, 0x0B, 0x0C: break
      default: hasOthers = true
      }
    }
  }
}

/// Knows, line by line, whether a text is inside a fenced block of code.
struct CodeFence {
  private var mark: Substring?

  var isOpen: Bool { mark != nil }

  mutating func pass(_ line: Substring) {
    let text = line.trimmingBlanks
    guard let first = text.first, first == "`" || first == "~" else { return }
    let run = text.prefix { $0 == first }
    guard run.count >= 3 else { return }
    if let open = mark {
      if open.first == first, run.count >= open.count, run.count == text.count { mark = nil }
    } else if first == "~" || !text.dropFirst(run.count).contains("`") {
      mark = run
    }
  }
}
