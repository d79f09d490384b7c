import LearningModel

extension Notebook {
  /// The fields that a first cell between lines of three hyphens gives the page, and the notebook without them.
  func withoutMatter(file: String, limits: SourceLimits, findings: inout Findings) -> (PageMatter, Notebook) {
    guard let first = cells.first, first.kind != .code, Self.beginsWithFields(first.source) else {
      return (PageMatter("", file: file, limits: limits, findings: &findings), self)
    }
    let matter = PageMatter(first.source.withoutControls, file: file, limits: limits, findings: &findings)
    var rest = self
    rest.cells[0].source = String(matter.body)
    if matter.body.allSatisfy(\.isWhitespace) { rest.cells.removeFirst() }
    return (matter, rest)
  }

  /// Whether it is more than a line that parts two texts: a name and a colon follow.
  private static func beginsWithFields(_ source: String) -> Bool {
    guard source.hasPrefix("---\n") || source.hasPrefix("---\r\n") else { return false }
    let line = source.split(whereSeparator: \.isNewline).dropFirst().first ?? ""
    let name = line.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    return !name.isEmpty && line[name.endIndex...].hasPrefix(":")
  }

  /// What its own words call it, as Markdown: the heading or the strong words that it begins with, else its only heading
  /// of the highest level; `nil` where there is none. The first of many headings is the title of a part.
  var writtenTitle: String? {
    let texts = cells.lazy.filter { $0.kind == .markdown }.map { MarkdownMathematics.marked(in: $0.source) }
    for text in texts {
      for line in text.split(separator: "\n").lazy.map(\.trimmingBlanks) {
        // Pictures and badges stand above titles.
        if line.isEmpty || line.hasPrefix("<") || line.hasPrefix("![") || line.hasPrefix("[![") { continue }
        if let first = PageHead.headings(of: text[line.startIndex...], most: 1).first, first.line == 0 {
          return first.words
        }
        return Self.strongWords(of: line) ?? onlyHighestHeading(among: texts)
      }
    }
    return nil
  }

  private static func strongWords(of line: Substring) -> String? {
    for mark in ["**", "__"] where line.hasPrefix(mark) && line.hasSuffix(mark) && line.count > 2 * mark.count {
      let words = line.dropFirst(mark.count).dropLast(mark.count)
      if !words.contains(mark) { return String(words) }
    }
    return nil
  }

  private func onlyHighestHeading(among texts: some Sequence<String>) -> String? {
    let headings = texts.flatMap { PageHead.headings(of: $0[...], most: .max) }
    guard let highest = headings.map(\.level).min() else { return nil }
    let found = headings.filter { $0.level == highest }
    return found.count == 1 ? found[0].words : nil
  }
}
