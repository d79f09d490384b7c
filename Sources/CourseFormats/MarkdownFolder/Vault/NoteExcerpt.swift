import LearningModel

/// The parts of a note that another note may embed.
struct NoteExcerpt {
  private let text: String
  private let title: String
  private let lines: [Substring]

  /// - Parameters:
  ///   - text: The note without its front matter.
  ///   - title: The name of the note. A first heading with the same text is omitted.
  init(_ text: String, title: String) {
    self.text = text
    self.title = title
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The note without blank lines at its beginning and without a first heading that repeats its title.
  var whole: String {
    let start = lines.firstIndex { $0.contains { !$0.isWhitespace } } ?? lines.endIndex
    guard start < lines.endIndex else { return "" }
    let first = lines[start]
    let isTitle = first.hasPrefix("#") && first.drop { $0 == "#" }.trimmingBlanks.lowercased() == title.lowercased()
    return lines[(isTitle ? start + 1 : start)...].joined(separator: "\n")
  }

  /// Returns the text below a heading, without the heading, or `nil` if there is no such heading.
  func section(_ heading: String) -> String? {
    let headings = text[...].headings(limit: .max)
    let wanted = Anchor.make(from: heading)
    guard let index = headings.firstIndex(where: { Anchor.make(from: $0.words) == wanted }) else { return nil }
    let next = headings[(index + 1)...].first { $0.level <= headings[index].level }
    let start = headings[index].line + 1
    return withFootnotes(lines[start..<max(start, next?.line ?? lines.endIndex)])
  }

  /// Returns the block with an identifier: a paragraph, or an item of a list with the items below it. If the identifier
  /// is alone on a line, the block is above it. Returns `nil` if there is no such block.
  func block(_ identifier: String) -> String? {
    let mark = "^" + identifier
    guard
      let index = lines.firstIndex(where: { line in
        line.hasSuffix(mark)
          && (BlockIdentifier.atEnd(of: PageLine(line).content)?.identifier == identifier
            || BlockIdentifier.alone(PageLine(line).content) == identifier)
      })
    else { return nil }
    let line = PageLine(lines[index])
    var (start, end) = (index, index + 1)
    if BlockIdentifier.alone(line.content) != nil {
      while start > 0, Self.isBlank(lines[start - 1]) { start -= 1 }
      end = start
      while start > 0, !Self.isBlank(lines[start - 1]) { start -= 1 }
      return withFootnotes(lines[start..<end])
    }
    if !line.hasListMarker {
      while start > 0, !Self.isBlank(lines[start - 1]), PageLine(lines[start - 1]).content.first != "#",
        !PageLine(lines[start]).hasListMarker
      {
        start -= 1
      }
    }
    let first = PageLine(lines[start])
    if first.hasListMarker {
      let indent = PageLine.columns(of: lines[start])
      while end < lines.count, !Self.isBlank(lines[end]), PageLine.columns(of: lines[end]) > indent { end += 1 }
      return withFootnotes(lines[start..<end].map { PageLine.dropping(indent, of: $0) })
    }
    return withFootnotes(lines[start..<end])
  }

  private static func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }

  /// Returns lines, followed by the footnotes of the note to which the lines refer.
  private func withFootnotes(_ chosen: some Collection<Substring>) -> String {
    let text = chosen.joined(separator: "\n")
    guard text.contains("[^") else { return text }
    var labels = Set(("." + text).split(separator: "[^").dropFirst().map { $0.prefix { $0 != "]" } })
    let own = Set(chosen.compactMap(Self.footnoteLabel))
    labels.subtract(own)
    let notes = lines.filter { Self.footnoteLabel(of: $0).map(labels.contains) ?? false }
    return notes.isEmpty ? text : text + "\n\n" + notes.prefix(100).joined(separator: "\n\n")
  }

  /// Returns the label of the footnote that begins on a line.
  private static func footnoteLabel(of line: Substring) -> Substring? {
    guard line.hasPrefix("[^"), let close = line.firstIndex(of: "]"), line[close...].hasPrefix("]:") else { return nil }
    return line[..<close].dropFirst(2)
  }

  /// Returns a text with its headings replaced by paragraphs in bold.
  static func withoutHeadings(_ text: String) -> String {
    var fence = CodeFence()
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
      fence.process(line)
      guard !fence.isOpen, line.contains("#") else { return String(line) }
      let parsed = PageLine(line)
      let level = parsed.content.prefix { $0 == "#" }.count
      guard (1...6).contains(level), parsed.content.dropFirst(level).first == " " else { return String(line) }
      let heading = "\(parsed.prefix)**\(parsed.content.dropFirst(level).trimmingBlanks.replacing("**", with: ""))**"
      return parsed.prefix.isEmpty ? "\n\(heading)\n" : heading
    }.joined(separator: "\n")
  }
}
