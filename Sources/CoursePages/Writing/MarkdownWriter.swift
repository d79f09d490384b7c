package import LearningModel

/// Writes a text in Markdown, in the spellings that Waymark's readers take up again.
///
/// Law: `waymark import` of what is written gives the same blocks, where Markdown can say them. It cannot say: an anchor
/// that does not follow from its heading, a line break at the end of a line, blanks at the ends of words that are stressed.
package struct MarkdownWriter {
  /// Makes a writer.
  package init() {}

  /// Returns a text, each block apart from the next by an empty line, with a line end behind the last one.
  package func text(_ blocks: [Block]) -> String {
    let lines = self.lines(blocks)
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }

  // MARK: Blocks

  private func lines(_ blocks: [Block]) -> [String] {
    var lines: [String] = []
    for (index, block) in blocks.enumerated() {
      if index > 0 { lines.append("") }
      // Side by side they would be one.
      if index > 0, Self.joins(blocks[index - 1], block) { lines += ["<!-- -->", ""] }
      lines += self.lines(block)
    }
    return lines
  }

  private static func joins(_ before: Block, _ after: Block) -> Bool {
    switch (before, after) {
    case (.bulletList, .bulletList), (.orderedList, .orderedList), (.definitions, .definitions), (.tabs, .tabs): true
    default: false
    }
  }

  private func lines(_ block: Block) -> [String] {
    switch block {
    case .heading(let level, let text, _): return [String(repeating: "#", count: level) + " " + line(text)]
    case .paragraph(let text): return [MarkdownLine.beginning(line(text))]
    case .bulletList(let items): return list(items) { _ in "-" }
    case .orderedList(let start, let items): return list(items) { "\(start + $0)." }
    case .quote(let blocks): return quoted(lines(blocks))
    case .code(let language, let text):
      let mark = String(repeating: "`", count: max(3, text.longestRun(of: "`") + 1))
      return [mark + (language ?? "").filter { !$0.isNewline && $0 != "`" }] + text.split("\n") + [mark]
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
      let inner = all.flatMap { one in
        ["<dt>\(HTMLWriter().line(one.term))</dt>"]
          + (one.blocks.isEmpty ? [] : ["<dd>", ""] + lines(one.blocks) + ["", "</dd>"])
      }
      return ["<dl>"] + inner + ["</dl>"]
    case .tabs(let all):
      return ["<Tabs>"]
        + all.flatMap { tab in
          ["<TabItem label=\"\(HTMLWriter.escaped(tab.label.plainText))\">", ""] + lines(tab.blocks) + [
            "", "</TabItem>",
          ]
        } + ["</Tabs>"]
    }
  }

  private func quoted(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? ">" : "> " + $0 } }

  private func list(_ items: [ListItem], mark: (Int) -> String) -> [String] {
    let isLoose = items.contains { $0.blocks.count > 1 }
    return items.enumerated().flatMap { index, item -> [String] in
      let mark = mark(index) + " "
      let box = item.isTicked.map { $0 ? "[x] " : "[ ] " } ?? ""
      let indent = String(repeating: " ", count: mark.count)
      let lines = item.blocks.isEmpty ? [""] : self.lines(item.blocks)
      return (index > 0 && isLoose ? [""] : [])
        + lines.enumerated().map { number, line in
          number == 0 ? mark + box + line : line.isEmpty ? "" : indent + line
        }
    }
  }

  private func line(_ text: [Inline]) -> String { MarkdownLine().text(text) }
}

extension String {
  /// Its lines, at least one.
  fileprivate func split(_ separator: Character) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }

  /// How often a character stands in a row at most.
  func longestRun(of character: Character) -> Int {
    var (longest, run) = (0, 0)
    for one in self {
      run = one == character ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
