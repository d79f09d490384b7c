import LearningModel

extension PageMarks {
  /// Words without the marks of Markdown around them.
  static func words(_ markdown: String, _ limits: SourceLimits) -> String {
    guard markdown.contains(where: { "*_`[<&\\{$!~".contains($0) }) else { return markdown.onOneLine }
    var marks = PageMarks()
    let plain = marks.inline(markdown)
    let dialect = TextDialect(hasHeadingAttributes: true)
    let parsed = try? MarkdownText.parse(
      "# " + plain.replacing("\n", with: " "), file: "", limits: limits, dialect: dialect)
    return parsed?.blocks.map(\.block).plainText.onOneLine ?? markdown.onOneLine
  }
}
