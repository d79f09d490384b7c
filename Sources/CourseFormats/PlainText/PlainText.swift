import LearningModel

/// A text without markup: notes, RFCs, or the output of programs such as `man`.
///
/// Line breaks, indentation and blank lines are kept. An unindented paragraph becomes a paragraph with line breaks;
/// indented lines and columns become preformatted text. If most lines are indented, as in a manual page or an RFC, an
/// unindented line above indented lines is a heading.
package struct PlainText {
  /// The text without overstrikes, escape sequences and page breaks.
  let text: String
  /// The number of page breaks that were removed together with the headers and footers around them.
  let pageBreaks: Int

  /// Removes overstrikes, escape sequences and page breaks from a text.
  init(_ raw: String) {
    let clean = Self.withoutOverstrikes(raw)
    guard clean.utf8.contains(0x0C) else {
      (text, pageBreaks) = (clean, 0)
      return
    }
    (text, pageBreaks) = Self.withoutPageBreaks(clean)
  }

  // MARK: - Recognising

  /// Returns whether a text is the output of a program for a terminal or a printer.
  ///
  /// This is the case if the text contains overstrikes or escape sequences, or if most lines are indented and there is
  /// no Markdown. Only the first 65,536 characters are examined.
  package static func isProgramOutput(_ text: String) -> Bool {
    let head = text.prefix(64 << 10)
    if head.utf8.contains(0x08) || head.utf8.contains(0x1B) { return true }
    return isMostlyIndented(head.split(separator: "\n", omittingEmptySubsequences: false)) && !hasMarkdown(String(head))
  }

  /// Returns whether a text contains markup that is common in Markdown and rare elsewhere: a heading with `#`, a fence
  /// or a link.
  static func hasMarkdown(_ text: String) -> Bool {
    text.contains("](")
      || text.split(separator: "\n").contains { line in
        let level = line.prefix { $0 == "#" }.count
        if (1...6).contains(level), line.dropFirst(level).first == " " { return true }
        return line.hasPrefix("```") || line.hasPrefix("~~~")
      }
  }

  /// Returns whether a name has no extension, such as `README`.
  static func isBareName(_ name: String) -> Bool {
    let last = SourcePath.name(of: name)
    return !last.hasPrefix(".") && SourcePath.stem(of: last) == last
  }

  private static func isMostlyIndented(_ lines: [Substring]) -> Bool {
    let filled = lines.filter { !$0.allSatisfy(\.isWhitespace) }
    return filled.count > 3 && filled.count { $0.hasPrefix("   ") || $0.hasPrefix("\t") } * 2 > filled.count
  }

  // MARK: - Cleaning

  /// Removes escape sequences and each character that is followed by a backspace.
  ///
  /// Source: grotty(1), "bold characters are represented by the sequence ‘c BACKSPACE c’"; ECMA-48, 5.4.
  private static func withoutOverstrikes(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x08 || $0 == 0x1B }) else { return text }
    var scalars = String.UnicodeScalarView()
    var iterator = text.unicodeScalars.makeIterator()
    while let scalar = iterator.next() {
      switch scalar {
      case "\u{8}":
        if let last = scalars.last, last != "\n" { scalars.removeLast() }
      case "\u{1B}":
        var kind = iterator.next()
        while kind == "\u{1B}" { kind = iterator.next() }
        guard kind == "[" else { continue }
        while let next = iterator.next(), !("\u{40}"..."\u{7E}").contains(next) {}
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  /// Removes form feeds, and the footer before and the header after each of them.
  ///
  /// Source: RFC 7994, 4.2 ("running header" and "footer" of paginated RFCs).
  private static func withoutPageBreaks(_ text: String) -> (text: String, count: Int) {
    var lines: [Substring] = []
    var count = 0
    var isAfterBreak = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.unicodeScalars.contains("\u{C}") {
        let footer = lines.last { !$0.allSatisfy(\.isWhitespace) }
        let isPaginated = footer?.hasSuffix("]") == true && footer?.contains("[Page ") == true
        if isPaginated {
          while let last = lines.popLast(), last.allSatisfy(\.isWhitespace) {}
          while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
          count += 1
          // If the page ends in the middle of a sentence, the paragraph continues on the next page.
          if let end = lines.last?.last(where: { !$0.isWhitespace }), ".:!?".contains(end) { lines.append("") }
        }
        let rest = line.filter { $0 != "\u{C}" }
        isAfterBreak = isPaginated
        if !isPaginated {
          lines.append(Substring(rest))
        }
        continue
      }
      if isAfterBreak {
        guard !line.allSatisfy(\.isWhitespace) else { continue }
        isAfterBreak = false
        // A line with wide gaps is the header of a page, which has three columns: a number, a title and a date.
        if !line.hasPrefix(" "), line.contains("   ") { continue }
      }
      lines.append(line)
    }
    // The last page has a footer, but no form feed follows it.
    if count > 0 {
      while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
      if lines.last?.contains("[Page ") == true { lines.removeLast() }
    }
    return (lines.joined(separator: "\n"), count)
  }

  // MARK: - Blocks

  /// The first line, if it is short, not indented and followed by a blank line and other text; otherwise `nil`.
  var title: String? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.firstIndex(where: { !$0.allSatisfy(\.isWhitespace) }) else { return nil }
    let line = lines[first]
    guard first + 1 < lines.count, lines[first + 1].allSatisfy(\.isWhitespace), Self.isHeading(line),
      lines[(first + 1)...].contains(where: { !$0.allSatisfy(\.isWhitespace) }),
      !".,;:".contains(line.last ?? " ")
    else { return nil }
    return String(line).onOneLine
  }

  private static func isHeading(_ line: Substring) -> Bool {
    line.count <= 72 && !line.contains("   ") && line.first?.isWhitespace == false && line.contains(where: \.isLetter)
  }

  var parsed: ParsedText {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var blocks = PlainBlocks(lines)
    let hasHeadings = Self.isMostlyIndented(lines)
    let titled = title == nil ? nil : lines.firstIndex { !$0.allSatisfy(\.isWhitespace) }
    var number = 0
    while number < lines.count {
      guard !lines[number].allSatisfy(\.isWhitespace) else {
        number += 1
        continue
      }
      var start = number
      while number < lines.count, !lines[number].allSatisfy(\.isWhitespace) { number += 1 }
      let below = lines[(start + 1)...].first { !$0.allSatisfy(\.isWhitespace) }
      if start == titled || hasHeadings && Self.isHeading(lines[start]) && below?.first?.isWhitespace == true {
        blocks.addHeading(start, level: Self.level(of: lines[start]))
        start += 1
      }
      guard start < number else { continue }
      if lines[start..<number].contains(where: Self.isPreformatted) {
        blocks.addPreformatted(start..<number)
      } else {
        blocks.addParagraph(start..<number)
      }
    }
    return blocks.finished
  }

  /// Returns whether the spaces of a line are significant: it is indented or has columns.
  private static func isPreformatted(_ line: Substring) -> Bool {
    line.first?.isWhitespace == true || line.contains("   ") || line.contains("\t")
  }

  /// Returns the level of a heading such as `3.2.1.  Fields`: the number of components of its number, at most 6.
  private static func level(of words: Substring) -> Int {
    let number = words.prefix { $0.isNumber || $0 == "." }
    guard number.first?.isNumber == true, words.dropFirst(number.count).first?.isWhitespace == true else { return 1 }
    return min(6, number.split(separator: ".").count)
  }
}

private struct PlainBlocks {
  private let lines: [Substring]
  private var result = ParsedText()
  private var anchors = Anchor.names
  /// The lines of adjacent preformatted paragraphs. They become one block, including the blank lines between them.
  private var preformatted: Range<Int>?

  init(_ lines: [Substring]) { self.lines = lines }

  mutating func addHeading(_ line: Int, level: Int) {
    closePreformatted()
    let words = String(lines[line]).onOneLine
    let anchor = Anchor.unique(Anchor.make(from: words), among: &anchors)
    result.anchors[anchor] = result.blocks.count
    append(.heading(level: level, text: [.text(words)], anchor: anchor), line: line)
  }

  mutating func addParagraph(_ range: Range<Int>) {
    closePreformatted()
    let texts = lines[range].map { [Inline.text(String($0).withoutControls)] }
    append(.paragraph(Array(texts.joined(separator: [.lineBreak]))), line: range.lowerBound)
  }

  mutating func addPreformatted(_ range: Range<Int>) {
    preformatted = (preformatted?.lowerBound ?? range.lowerBound)..<range.upperBound
  }

  private mutating func closePreformatted() {
    guard let range = preformatted else { return }
    preformatted = nil
    let text = lines[range].map { $0.allSatisfy(\.isWhitespace) ? "" : String($0).withoutControls }
    append(.code(language: nil, text: text.joined(separator: "\n")), line: range.lowerBound)
  }

  private mutating func append(_ block: Block, line: Int) {
    result.blocks.append(LocatedBlock(block: block, line: line + 1))
  }

  var finished: ParsedText {
    var copy = self
    copy.closePreformatted()
    return copy.result
  }
}

extension PlainText {
  /// Makes a text from a document whose pages end with form feeds, such as the output of pdftotext.
  ///
  /// The lines of a paragraph are joined, because their line breaks come from the printed page.
  init(pages raw: String) {
    let clean = raw.replacing("\u{C}", with: "\n")
    var paragraphs: [String] = []
    for paragraph in clean.split(separator: "\n\n", omittingEmptySubsequences: true) {
      let lines = paragraph.split(separator: "\n").map { String($0).withoutControls }
      let longest = lines.map(\.count).max() ?? 0
      var joined = ""
      for (index, line) in lines.enumerated() {
        // A line that is much shorter than the longest line was ended by the author, so the line break after it is
        // kept.
        let isWrapped = index > 0 && lines[index - 1].count * 10 > longest * 7 && longest > 40
        joined += (index == 0 ? "" : isWrapped ? " " : "\n") + line
      }
      if joined.contains(where: { !$0.isWhitespace }) { paragraphs.append(joined) }
    }
    (text, pageBreaks) = (paragraphs.joined(separator: "\n\n"), 0)
  }
}

/// Reads plain text files and folders of them.
struct PlainTextReader: PageFolderReader {
  let name = "text"
  let summary =
    "Plain text: files that end in .txt or .text, and files such as README without an extension. Lines are not changed."
  let requirements = "a plain text, such as 'notes.txt'"
  let mapping = FormatMapping(
    goal: "a folder at the top", lesson: "a file, or a folder inside a folder",
    activity: "a file; for a long one with headings, a group of its sections")
  let pages = PageKind.text

  /// Returns whether the source is a text file, or a folder that contains one.
  func recognises(_ source: CourseSource) -> Bool {
    guard !source.isFolder else { return PageFiles.Overview(source).counts[.text] != nil }
    guard PageKind.text.isPage(source.name) || PlainText.isBareName(source.name) else { return false }
    guard let head = source.head(count: 1 << 12) else { return false }
    return Self.isText(head) && ForeignFormat.file(source.name, head: head) == nil
  }

  func hasPages(_ source: CourseSource) -> Bool {
    recognises(source) || !source.isFolder && PageKind.text.isPage(source.name)
  }

  /// Returns whether a text contains visible characters, and no control characters except those for printers and
  /// terminals.
  static func isText(_ head: String) -> Bool {
    head.contains { !$0.isWhitespace }
      && !head.unicodeScalars.contains { $0.value < 0x20 && !"\u{8}\t\n\u{C}\r\u{1B}".unicodeScalars.contains($0) }
  }
}
