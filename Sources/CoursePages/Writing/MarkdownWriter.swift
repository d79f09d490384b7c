package import LearningModel
import TextCanvas

/// Writes a text as Markdown, in the syntax that Waymark's importers read.
///
/// Invariant: importing the output produces the same blocks, as far as Markdown can express them. Markdown cannot
/// express anchors that are not derived from headings, line breaks at the end of a line, and blanks at the ends of
/// emphasised text.
package struct MarkdownWriter {
  package init() {}

  /// Returns the Markdown of a sequence of blocks, separated by empty lines. The text ends with a line feed.
  package func text(_ blocks: [Block]) -> String {
    let lines = self.lines(blocks)
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }

  // MARK: Blocks

  private func lines(_ blocks: [Block]) -> [String] {
    var lines: [String] = []
    for (index, block) in blocks.enumerated() {
      if index > 0 { lines.append("") }
      // Adjacent lists would be merged.
      if index > 0, Self.joins(blocks[index - 1], block) { lines += ["<!-- -->", ""] }
      lines += self.lines(block)
    }
    return lines
  }

  private static func joins(_ first: Block, _ second: Block) -> Bool {
    switch (first, second) {
    case (.bulletList, .bulletList), (.orderedList, .orderedList), (.definitions, .definitions), (.tabs, .tabs): true
    default: false
    }
  }

  private func lines(_ block: Block) -> [String] {
    switch block {
    case .heading(let level, let text, _): return [String(repeating: "#", count: level) + " " + line(text)]
    case .paragraph(let text): return [block.isTarget ? line(text) : MarkdownLine.beginning(line(text))]
    case .bulletList(let items): return list(items) { _ in "-" }
    case .orderedList(let start, let items): return list(items) { "\(start + $0)." }
    case .quote(let blocks): return quoted(lines(blocks))
    case .code(let language, let text):
      let fence = String(repeating: "`", count: max(3, text.longestRun(of: "`") + 1))
      return [fence + (language ?? "").filter { !$0.isNewline && $0 != "`" }] + text.split("\n") + [fence]
    case .math(let source): return ["$$"] + source.split("\n") + ["$$"]
    case .table(let alignments, let header, let rows):
      let row = { (cells: [[Inline]]) in
        "| " + cells.map { MarkdownLine(isInTable: true).text($0) }.joined(separator: " | ") + " |"
      }
      let rule = alignments.map { [.left: "---", .centre: ":-:", .right: "--:"][$0] ?? "---" }
      return [row(header), "| " + rule.joined(separator: " | ") + " |"] + rows.map(row)
    case .rule: return ["***"]
    case .details(let summary, let blocks):
      return ["<details>", "<summary>\(HTMLWriter().line(summary))</summary>", ""] + lines(blocks) + ["", "</details>"]
    case .admonition(let box):
      let title = box.title.isEmpty ? "" : " " + line(box.title)
      return quoted(
        ["[!\(box.kind.rawValue.uppercased())]" + title] + (box.blocks.isEmpty ? [] : [""] + lines(box.blocks)))
    case .definitions(let all):
      let inner = all.flatMap { definition in
        ["<dt>\(HTMLWriter().line(definition.term))</dt>"]
          + (definition.blocks.isEmpty ? [] : ["<dd>", ""] + lines(definition.blocks) + ["", "</dd>"])
      }
      return ["<dl>"] + inner + ["</dl>"]
    case .tabs(let all):
      return ["<Tabs>"]
        + all.flatMap { tab in
          ["<TabItem label=\"\(tab.label.plainText.escapedForXML())\">", ""] + lines(tab.blocks) + [
            "", "</TabItem>",
          ]
        } + ["</Tabs>"]
    }
  }

  private func quoted(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? ">" : "> " + $0 } }

  private func list(_ items: [ListItem], marker: (Int) -> String) -> [String] {
    let isLoose = items.contains { $0.blocks.count > 1 }
    return items.enumerated().flatMap { index, item -> [String] in
      let prefix = marker(index) + " "
      let box = item.isTicked.map { $0 ? "[x] " : "[ ] " } ?? ""
      let indent = String(repeating: " ", count: prefix.count)
      let lines = item.blocks.isEmpty ? [""] : self.lines(item.blocks)
      return (index > 0 && isLoose ? [""] : [])
        + lines.enumerated().map { number, line in
          number == 0 ? prefix + box + line : line.isEmpty ? "" : indent + line
        }
    }
  }

  private func line(_ text: [Inline]) -> String { MarkdownLine().text(text) }
}

extension String {
  /// Returns the lines of the text. There is always at least one.
  fileprivate func split(_ separator: Character) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }

  /// Returns the length of the longest run of a character.
  func longestRun(of character: Character) -> Int {
    var (longest, run) = (0, 0)
    for current in self {
      run = current == character ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}

/// Writes the elements of a line as Markdown.
///
/// Markdown recognises emphasis only next to certain characters. Next to other characters, emphasis is written as HTML.
struct MarkdownLine {
  /// Whether the line is a table cell, in which `|` must be escaped.
  var isInTable = false
  /// Whether the line is inside the brackets of a link.
  var isInLink = false

  func text(_ line: [Inline]) -> String {
    var text = ""
    // Between other delimiters, a formula that is the only element of its paragraph would be on lines of its own.
    if line.count == 1, case .math(let source) = line[0], Self.canBeInDollars(source) { return "$\(source)$" }
    for (index, inline) in line.enumerated() {
      let next = index + 1 < line.count ? [line[index + 1]].plainText.first : nil
      text += written(inline, after: text.last, before: next)
    }
    return text
  }

  private func written(_ inline: Inline, after previous: Character?, before next: Character?) -> String {
    switch inline {
    case .text(let text): return escaped(text)
    case .emphasis(let inner): return stressed(inner, "*", "em", previous, next)
    case .strong(let inner): return stressed(inner, "**", "strong", previous, next)
    case .strikethrough(let inner): return stressed(inner, "~~", "del", previous, next)
    case .code(let code):
      guard !code.isEmpty, !code.contains(where: \.isNewline) else { return HTMLWriter().line([inline]) }
      let backticks = String(repeating: "`", count: code.longestRun(of: "`") + 1)
      let isPadded = "` ".contains(code.first!) || "` ".contains(code.last!)
      let content = isInTable ? code.replacing("|", with: "\\|") : code
      return backticks + (isPadded ? " " : "") + content + (isPadded ? " " : "") + backticks
    case .key: return HTMLWriter().line([inline])
    case .math(let source):
      // Brackets around a text without signs of mathematics are not read as a formula.
      let isPlain = !source.contains { "\\^_=+<>{".contains($0) } && Self.canBeInDollars(source)
      return isPlain ? "$\(source)$" : "\\(" + source.collapsedToOneLine + "\\)"
    case .link(let destination, let inner):
      return "[" + MarkdownLine(isInTable: isInTable, isInLink: true).text(inner) + "](" + Self.destination(destination)
        + ")"
    case .image(let source, let alternative, _):
      return "![" + MarkdownLine(isInTable: isInTable, isInLink: true).escaped(alternative) + "]("
        + Self.destination(source) + ")"
    case .lineBreak: return "<br>"
    case .target: return HTMLWriter().line([inline])
    }
  }

  private static func canBeInDollars(_ formula: String) -> Bool {
    formula.first?.isWhitespace == false && formula.last?.isWhitespace == false
      && !formula.contains { "$`\n".contains($0) }
  }

  private func stressed(
    _ inner: [Inline], _ delimiter: String, _ element: String, _ previous: Character?, _ next: Character?
  ) -> String {
    let content = text(inner)
    func isWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
    // A delimiter between a word and a punctuation mark is recognised only next to white space or an end of the line.
    let beginsWord = isWord(content.first) || previous?.isWhitespace ?? true && "“‘\"'(".contains(content.first ?? "*")
    let endsWord = isWord(content.last) || next?.isWhitespace ?? true && ".,;:!?”’\"')".contains(content.last ?? "*")
    let isPlain = beginsWord && endsWord && !isWord(next) && !isWord(previous)
    return isPlain && previous != "*" && previous != "~" && previous != "\\" && next != "*" && next != "~"
      ? delimiter + content + delimiter : "<\(element)>\(content)</\(element)>"
  }

  /// Returns a destination, in angle brackets if necessary.
  private static func destination(_ address: String) -> String {
    let line = address.collapsedToOneLine
    guard line.isEmpty || line.contains(where: { " ()<>\\".contains($0) }) else { return line }
    return "<" + line.replacing("\\", with: "%5C").replacing("<", with: "%3C").replacing(">", with: "%3E") + ">"
  }

  /// Returns a text in which all Markdown syntax is escaped.
  ///
  /// A backslash before a bracket would begin or end a formula. Brackets that could begin or end a link, a footnote or
  /// a checkbox are therefore written as numeric character references.
  private func escaped(_ string: String) -> String {
    let characters = Array(string)
    var text = ""
    for (index, character) in characters.enumerated() {
      let previous = index > 0 ? characters[index - 1] : nil
      let next = index + 1 < characters.count ? characters[index + 1] : nil
      switch character {
      case "\\", "`", "*", "<", "~", "$", "&", "{", "}": text += "\\"
      case "_" where !(previous.map { $0.isLetter || $0.isNumber } ?? false): text += "\\"
      case "|" where isInTable: text += "\\"
      case "+" where previous == "+": text += "\\"
      case ":" where ["http", "https", "ftp"].contains { text.hasSuffix($0) }: text += "\\"
      case "." where text.hasSuffix("www"): text += "\\"
      // Text that looks like an e-mail address would become a link.
      case "@" where previous.map { !$0.isWhitespace } ?? false: text += "<!-- -->"
      case "[" where isInLink || next.map { "^[! xX".contains($0) } ?? true:
        text += "&#91;"
        continue
      case "]" where isInLink || next.map { "([:{".contains($0) } ?? true:
        text += "&#93;"
        continue
      default: break
      }
      text.append(character.isNewline ? " " : character)
    }
    // A `#` at the end of a heading would be part of its closing sequence.
    return text.hasSuffix("#") ? String(text.dropLast()) + "\\#" : text
  }

  /// Returns a paragraph with an escaped beginning if it would otherwise begin another kind of block.
  static func beginning(_ line: String) -> String {
    guard let first = line.first else { return "<!-- -->" }
    // An image begins with `![`, which is escaped in text.
    if "#>-+=|:!?%".contains(first), !line.hasPrefix("![") { return "\\" + line }
    let digits = line.prefix { ("0"..."9").contains($0) }
    guard !digits.isEmpty, let delimiter = line.dropFirst(digits.count).first, delimiter == "." || delimiter == ")"
    else {
      return line
    }
    return digits + "\\" + line.dropFirst(digits.count)
  }
}

extension String {
  /// The text with one space for each run of white space.
  var collapsedToOneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
