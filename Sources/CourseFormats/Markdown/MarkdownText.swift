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
