import LearningModel

/// What a format adds to plain HTML and Markdown.
struct TextDialect: Sendable {
  /// The words above what an element holds, for elements that the format makes up; `nil` where it is none of them.
  var caption: @Sendable (_ element: String, _ attributes: [String: String]) -> [Inline]? = { _, _ in nil }
  /// Classes whose elements are stressed.
  var stressedClasses: Set<String> = []
  /// Classes whose elements are frames, in lower case; the class says what the frame is.
  var frameClasses: Set<String> = []
  /// Whether a heading may end in `{#anchor .class}`.
  var hasHeadingAttributes = false
  /// What is known of the page of a publication; `nil` for any other text.
  var publication: PublicationPage?
  /// The rules for a page of a web site; `nil` for any other text.
  var webPage: WebPage?

  /// HTML and Markdown as they are.
  static let plain = TextDialect()
}

/// A text with what a reader must know of it besides its blocks.
struct ParsedText {
  /// The blocks at its top, each with the line of its source where that is known.
  var blocks: [LocatedBlock] = []
  /// For every anchor in it, of a heading or any other element, the index of the block that it stands in or before.
  var anchors: [String: Int] = [:]
  /// The notes at its foot; see ``Footnote``.
  var footnotes = Footnotes()
  /// What could not be shown.
  var findings = Findings()
}

/// A block and where it comes from.
struct LocatedBlock: Equatable {
  var block: Block
  /// From 1; `nil` where it is not known.
  var line: Int?
}
