import LearningModel

/// The extensions of HTML and Markdown in a format.
struct TextDialect: Sendable {
  /// Returns the caption of an element that the format defines, or `nil` for any other element. The caption is placed
  /// above the content of the element.
  var caption: @Sendable (_ element: String, _ attributes: [String: String]) -> [Inline]? = { _, _ in nil }
  /// The classes of elements that are emphasised.
  var stressedClasses: Set<String> = []
  /// The classes of elements that are frames, in lower case. The name of the frame is its class.
  var frameClasses: Set<String> = []
  /// Whether a heading may end in `{#anchor .class}`.
  var hasHeadingAttributes = false
  /// The rule for text between two dollar signs in Markdown.
  var formulas = FormulaRule.tight
  /// The properties of a page of a publication. `nil` for other texts.
  var publication: PublicationPage?
  /// The rules for a page of a web site; `nil` for other texts.
  var webPage: WebPage?

  /// HTML and Markdown without extensions.
  static let plain = TextDialect()
}

/// A parsed text: its blocks, anchors, footnotes and findings.
struct ParsedText {
  /// The top-level blocks, each with its line number or `nil`.
  var blocks: [LocatedBlock] = []
  /// For each anchor, the index of the block that contains or follows the heading or other element with this anchor.
  var anchors: [String: Int] = [:]
  /// The footnotes; see ``Footnote``.
  var footnotes = Footnotes()
  /// The kinds of content that could not be shown, with counts.
  var findings = Findings()
}

struct LocatedBlock: Equatable {
  var block: Block
  /// The line number, from 1, or `nil` if it is unknown.
  var line: Int?
}
