import CoursePages
import LearningModel
import Mathematics

/// Says the blocks of a text in lines: what a sign or a place on the page would show is said in a word.
struct SpokenText {
  /// A line, and what it is of.
  struct Line: Hashable {
    var text: String
    /// The number of the block in the text, from 0.
    var block: Int
    /// The anchor of the heading that it is.
    var anchor: String?
    /// Whether it is kept as it stands, as program text is.
    var isVerbatim = false
  }

  /// A link, by its number from 1 the one at that place.
  struct Link: Hashable {
    var destination: String
    var title: String
  }

  private(set) var links: [Link] = []
  private(set) var lines: [Line] = []
  /// The texts that are said only when the link to them is followed, such as solutions; `nil` where all is said at once.
  private(set) var closed: [[Block]]?
  private var block = 0

  /// Says a text; links and closed texts already known keep their numbers.
  init(_ blocks: [Block], links: [Link] = [], closed: [[Block]]? = nil) {
    self.links = links
    self.closed = closed
    for (index, block) in blocks.enumerated() {
      self.block = index
      say(block)
    }
  }

  /// Says one line of text.
  init(_ inlines: [Inline], links: [Link] = []) {
    self.links = links
    line("", inlines)
  }

  // MARK: - Blocks

  private mutating func say(_ blocks: [Block], after prefix: String = "") {
    var prefix = prefix
    for block in blocks {
      say(block, after: prefix)
      prefix = ""
    }
    if blocks.isEmpty { add(prefix.trimmed) }
  }

  private mutating func say(_ block: Block, after prefix: String = "") {
    switch block {
    case .heading(_, let title, let anchor):
      add(prefix + SpokenWords.ended("Heading: " + said(title)), anchor: anchor)
    case .paragraph(let inlines):
      line(prefix, inlines)
    case .bulletList(let items):
      for item in items {
        say(item.blocks, after: prefix + (item.isTicked.map { $0 ? "- Ticked: " : "- Open: " } ?? "- "))
      }
    case .orderedList(let start, let items):
      for (index, item) in items.enumerated() { say(item.blocks, after: "\(prefix)\(start + index)) ") }
    case .quote(let blocks):
      say(blocks, after: prefix + "Quote: ")
      if blocks.count > 1 { add("End of the quote.") }
    case .details(let summary, let blocks):
      if let count = closed?.count {
        let title = said(summary)
        let link = number(of: Link(destination: DetailsLink.destination(count), title: title))
        closed?.append(blocks)
        return add("\(prefix)\(SpokenWords.ended(title)) It is closed: link \(link) opens it.")
      }
      line(prefix, summary)
      say(blocks, after: prefix)
      add(SpokenWords.ended("End of: " + said(summary)))
    case .admonition(let box):
      let heading = box.heading.isEmpty ? "Box: " : SpokenWords.ended(said(box.heading)) + " "
      say(box.blocks, after: prefix + heading)
      if box.blocks.count > 1 { add("End of the \(box.kind.rawValue).") }
    case .definitions(let all):
      for one in all { say(one.blocks, after: prefix + said(one.term) + (one.blocks.isEmpty ? "" : ": ")) }
    case .tabs(let all):
      for (index, tab) in all.enumerated() {
        let label = "Tab: " + said(tab.label)
        if index > 0, let count = closed?.count {
          let link = number(of: Link(destination: DetailsLink.destination(count), title: label))
          closed?.append(tab.blocks)
          add("\(prefix)\(SpokenWords.ended(label)) It is closed: link \(link) opens it.")
        } else {
          say(tab.blocks, after: prefix + SpokenWords.ended(label) + " ")
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
      say(header, rows, after: prefix)
    case .math(let source):
      add(prefix + SpokenWords.ended("Formula: " + Self.said(source)))
    case .rule:
      add(prefix + "A new part.")
    }
  }

  /// A row says its cells, each after the heading of its column.
  private mutating func say(_ header: [[Inline]], _ rows: [[[Inline]]], after prefix: String) {
    let names = header.map { said($0) }
    let headings = names.filter { !$0.isEmpty }.joined(separator: ", ")
    add(
      prefix + SpokenWords.ended("Table, \(Words.count(rows.count, "row"))" + (headings.isEmpty ? "" : ": " + headings))
    )
    for (number, row) in rows.enumerated() {
      let cells = row.enumerated().map { column, cell in
        let name = column < names.count && !names[column].isEmpty ? names[column] + ": " : ""
        return SpokenWords.ended(name + (cell.isEmpty ? "empty" : said(cell)))
      }
      add("Row \(number + 1). " + cells.joined(separator: " "))
    }
    add("End of the table.")
  }

  // MARK: - Lines

  private mutating func line(_ prefix: String, _ inlines: [Inline]) {
    // A break that the author asked for begins a line.
    for (index, part) in said(inlines).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      add((index == 0 ? prefix : "") + part)
    }
  }

  private mutating func add(_ text: String, anchor: String? = nil, isVerbatim: Bool = false) {
    lines.append(Line(text: text, block: block, anchor: anchor, isVerbatim: isVerbatim))
  }

  private mutating func said(_ inlines: [Inline]) -> String {
    var text = ""
    for inline in inlines {
      switch inline {
      case .text(let words): text += words.map { $0.isNewline ? " " : String($0) }.joined()
      case .code(let words), .key(let words): text += words
      case .math(let source): text += Self.said(source)
      case .emphasis(let inner), .strong(let inner): text += said(inner)
      case .strikethrough(let inner): text += "(struck out: \(said(inner)))"
      case .link(let destination, let inner):
        let title = inner.isEmpty ? destination : said(inner)
        text += "\(title) (link \(number(of: Link(destination: destination, title: title))))"
      case .image(_, let alternative, _): text += alternative.isEmpty ? "(image)" : "(image: \(alternative))"
      case .lineBreak: text += "\n"
      }
    }
    return text
  }

  /// A formula in words, without the comma behind its last part: what follows has marks of its own.
  private static func said(_ formula: String) -> String {
    let words = Formula(latex: formula).words
    return words.hasSuffix(",") ? String(words.dropLast()) : words
  }

  private mutating func number(of link: Link) -> Int {
    if let index = links.firstIndex(of: link) { return index + 1 }
    links.append(link)
    return links.count
  }
}
