import CoursePages
import LearningModel
import Mathematics

/// Converts the blocks of a text to lines for a screen reader. Words replace symbols and layout.
struct LinearText {
  /// A line with the block that it belongs to.
  struct Line: Hashable {
    var text: String
    /// The index of the block in the text.
    var block: Int
    /// The anchor of a heading, or `nil` for any other line.
    var anchor: String?
    /// Whether the line is printed without wrapping. `true` for program text.
    var isVerbatim = false
    /// The names of the other targets of links on the line.
    var targets: [String] = []
  }

  /// A link. Its number is its index in ``links`` plus 1.
  struct Link: Hashable {
    var destination: String
    var title: String
  }

  private(set) var links: [Link] = []
  private(set) var lines: [Line] = []
  /// The contents of collapsed sections, such as solutions. The content of a section is printed when the reader follows
  /// its link. `nil` if all sections are expanded.
  private(set) var closed: [[Block]]?
  private var block = 0
  /// The targets that the next line contains.
  private var targets: [String] = []

  /// Converts the blocks of a text to lines.
  ///
  /// - Parameters:
  ///   - blocks: The blocks.
  ///   - links: The links that were printed before. They keep their numbers, and new links are numbered after them.
  ///   - closed: The sections that were collapsed before. They keep their numbers, and new collapsed sections are
  ///     numbered after them. If `nil`, all sections are expanded.
  init(_ blocks: [Block], links: [Link] = [], closed: [[Block]]? = nil) {
    self.links = links
    self.closed = closed
    for (index, block) in blocks.enumerated() {
      self.block = index
      append(block)
    }
    if let last = lines.indices.last { lines[last].targets += targets }
  }

  /// Converts one line of text.
  init(_ inlines: [Inline], links: [Link] = []) {
    self.links = links
    line("", inlines)
  }

  // MARK: - Blocks

  private mutating func append(_ blocks: [Block], after prefix: String = "") {
    var prefix = prefix
    for block in blocks {
      append(block, after: prefix)
      if !block.isTarget { prefix = "" }
    }
    if blocks.allSatisfy(\.isTarget) { add(prefix.trimmed) }
  }

  private mutating func append(_ block: Block, after prefix: String = "") {
    switch block {
    case .heading(_, let title, let anchor):
      add(prefix + LinearFormat.ended("Heading: " + spokenText(title)), anchor: anchor)
    case .paragraph(let inlines):
      if block.isTarget { _ = spokenText(inlines) } else { line(prefix, inlines) }
    case .bulletList(let items):
      for item in items {
        append(item.blocks, after: prefix + (item.isTicked.map { $0 ? "- Ticked: " : "- Not ticked: " } ?? "- "))
      }
    case .orderedList(let start, let items):
      for (item, number) in zip(items, items.numbers(from: start)) {
        append(item.blocks, after: "\(prefix)\(number)) ")
      }
    case .quote(let blocks):
      append(blocks, after: prefix + "Quote: ")
      if blocks.count > 1 { add("End of the quote.") }
    case .details(let summary, let blocks):
      if let count = closed?.count {
        let title = spokenText(summary)
        let link = number(of: Link(destination: DetailsLink.destination(count), title: title))
        closed?.append(blocks)
        return add("\(prefix)\(LinearFormat.ended(title)) It is closed: link \(link) opens it.")
      }
      line(prefix, summary)
      append(blocks, after: prefix)
      add(LinearFormat.ended("End of: " + spokenText(summary)))
    case .admonition(let box):
      let heading = box.heading.isEmpty ? "Box: " : LinearFormat.ended(spokenText(box.heading)) + " "
      append(box.blocks, after: prefix + heading)
      if box.blocks.count > 1 { add("End of the \(box.kind.rawValue).") }
    case .definitions(let all):
      for definition in all {
        append(definition.blocks, after: prefix + spokenText(definition.term) + (definition.blocks.isEmpty ? "" : ": "))
      }
    case .tabs(let all):
      for (index, tab) in all.enumerated() {
        let label = "Tab: " + spokenText(tab.label)
        if index > 0, let count = closed?.count {
          let link = number(of: Link(destination: DetailsLink.destination(count), title: label))
          closed?.append(tab.blocks)
          add("\(prefix)\(LinearFormat.ended(label)) It is closed: link \(link) opens it.")
        } else {
          append(tab.blocks, after: prefix + LinearFormat.ended(label) + " ")
        }
      }
      add("End of the tabs.")
    case .code(let language, let code):
      add(prefix + (language.map { $0.isEmpty ? "Code:" : "Code, \($0):" } ?? "Code:"))
      for line in code.split(whereSeparator: \.isNewline) {
        add(line.replacing("\t", with: "    ").description, isVerbatim: true)
      }
      add("End of the code.")
    case .table(_, let header, let rows):
      append(header, rows, after: prefix)
    case .math(let source):
      add(prefix + LinearFormat.ended("Formula: " + Self.spokenText(source)))
    case .rule:
      add(prefix + "Separator.")
    }
  }

  /// Adds the rows of a table. Each cell follows the heading of its column.
  private mutating func append(_ header: [[Inline]], _ rows: [[[Inline]]], after prefix: String) {
    let names = header.map { spokenText($0) }
    let headings = names.filter { !$0.isEmpty }.joined(separator: ", ")
    add(
      prefix
        + LinearFormat.ended(
          "Table, \(DisplayFormat.count(rows.count, "row"))" + (headings.isEmpty ? "" : ": " + headings))
    )
    for (number, row) in rows.enumerated() {
      let cells = row.enumerated().map { column, cell in
        let name = column < names.count && !names[column].isEmpty ? names[column] + ": " : ""
        return LinearFormat.ended(name + (cell.isEmpty ? "empty" : spokenText(cell)))
      }
      add("Row \(number + 1). " + cells.joined(separator: " "))
    }
    add("End of the table.")
  }

  // MARK: - Lines

  private mutating func line(_ prefix: String, _ inlines: [Inline]) {
    // Each line break in the source text starts a new line.
    for (index, segment) in spokenText(inlines).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      add((index == 0 ? prefix : "") + segment)
    }
  }

  private mutating func add(_ text: String, anchor: String? = nil, isVerbatim: Bool = false) {
    lines.append(Line(text: text, block: block, anchor: anchor, isVerbatim: isVerbatim, targets: targets))
    targets = []
  }

  private mutating func spokenText(_ inlines: [Inline]) -> String {
    var text = ""
    for inline in inlines {
      switch inline {
      case .text(let string): text += string.map { $0.isNewline ? " " : String($0) }.joined()
      case .code(let string), .key(let string): text += string
      case .math(let source): text += Self.spokenText(source)
      case .emphasis(let inner), .strong(let inner): text += spokenText(inner)
      case .strikethrough(let inner): text += "(struck out: \(spokenText(inner)))"
      case .link(let destination, let inner):
        let title = inner.isEmpty ? destination : spokenText(inner)
        text += "\(title) (link \(number(of: Link(destination: destination, title: title))))"
      case .image where inline.soundName != nil: text += "(sound: \(inline.soundName ?? ""))"
      case .image(_, let alternative, _): text += alternative.isEmpty ? "(image)" : "(image: \(alternative))"
      case .lineBreak: text += "\n"
      case .target(let name): targets.append(name)
      }
    }
    return text
  }

  /// Returns a formula in words. A comma at the end of the formula is omitted, because the surrounding text has its own
  /// punctuation.
  private static func spokenText(_ formula: String) -> String {
    let text = Formula(latex: formula).spokenText
    return text.hasSuffix(",") ? String(text.dropLast()) : text
  }

  private mutating func number(of link: Link) -> Int {
    if let index = links.firstIndex(of: link) { return index + 1 }
    links.append(link)
    return links.count
  }
}
