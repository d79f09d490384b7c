package import LearningModel

/// The links between a text and its footnotes. The text refers to a footnote by its number, such as `[1]`.
///
/// Each reference becomes a link that shows the footnote below the paragraph. The number of the footnote at the end of
/// the text becomes a link back to the reference.
///
/// Footnotes are stored as ordinary paragraphs after a rule at the end of a text. References are detected when the text
/// is shown, so that courses imported by earlier versions have links too.
package enum FootnoteLink {
  private static let (notePrefix, backlinkPrefix) = ("#note:", "#reference:")

  /// Returns the destination of the link that opens a footnote.
  package static func destination(_ number: Int) -> String { notePrefix + String(number) }

  /// Returns the destination of the link from a footnote back to its reference.
  package static func backlinkDestination(_ number: Int) -> String { backlinkPrefix + String(number) }

  /// Returns the number of the footnote that a link opens, or `nil` for any other link.
  package static func number(of destination: String) -> Int? { number(of: destination, notePrefix) }

  /// Returns the number of the footnote from which a link leads back, or `nil` for any other link.
  package static func backlinkNumber(_ destination: String) -> Int? { number(of: destination, backlinkPrefix) }

  private static func number(of destination: String, _ prefix: String) -> Int? {
    destination.hasPrefix(prefix) ? Int(destination.dropFirst(prefix.count)) : nil
  }
}

extension [Block] {
  /// The blocks with links from references to footnotes, and from the footnotes at the end back to the references.
  package var withFootnoteLinks: [Block] {
    guard let rule = lastIndex(of: .rule), index(after: rule) < endIndex, self[rule + 1].noteNumber != nil else {
      return self
    }
    let numbers = Set(self[rule...].compactMap(\.noteNumber))
    return self[..<rule].map { $0.mapText { $0.linkingNotes(numbers) } } + self[rule...].map(\.withBacklink)
  }

  /// The contents of the footnotes by number. Requires the blocks of ``withFootnoteLinks``.
  var notes: [Int: [Block]] {
    guard let rule = lastIndex(of: .rule) else { return [:] }
    var (notes, open): ([Int: [Block]], Int?) = ([:], nil)
    for block in self[index(after: rule)...] {
      if case .paragraph(let line) = block, case .link(let destination, _) = line.first,
        let number = FootnoteLink.backlinkNumber(destination)
      {
        open = number
        notes[number] = [.paragraph(line.dropFirst().withoutLeadingBlank)]
      } else if let open {
        notes[open]?.append(block)
      }
    }
    return notes
  }
}

extension Block {
  /// The numbers of the footnotes to which this block itself refers, in order. Nested blocks are not included.
  var footnoteReferences: [Int] {
    if case .admonition = self { return [] }
    return children.flatMap { child -> [Int] in
      if case .line(let line) = child { line.linkDestinations.compactMap(FootnoteLink.number) } else { [] }
    }
  }

  /// The number of the footnote that begins with this block, or `nil` if no footnote begins here.
  fileprivate var noteNumber: Int? {
    guard case .paragraph(let line) = self, case .text(let text) = line.first, text.hasPrefix("["),
      let end = text.firstIndex(of: "]"), text[end...].hasPrefix("] ") || text.index(after: end) == text.endIndex
    else { return nil }
    return Int(text[text.index(after: text.startIndex)..<end])
  }

  /// The first block of a footnote, with a link on its number.
  fileprivate var withBacklink: Block {
    guard let number = noteNumber, case .paragraph(let line) = self, case .text(let text) = line.first else {
      return self
    }
    let label = "[\(number)]"
    let link = Inline.link(destination: FootnoteLink.backlinkDestination(number), text: [.text(label)])
    return .paragraph([link, .text(String(text.dropFirst(label.count)))] + line.dropFirst())
  }

  /// Returns the block with `replace` applied to each run of plain text, at every nesting depth. Headings are
  /// unchanged.
  fileprivate func mapText(_ replace: (String) -> [Inline]) -> Block {
    if case .heading = self { return self }
    return mapChildren(line: { $0.mapText(replace) }, blocks: { $0.map { $0.mapText(replace) } })
  }
}

extension Sequence<Inline> {
  /// The elements without blanks at the start.
  fileprivate var withoutLeadingBlank: [Inline] {
    var inlines = Array(self)
    if case .text(let text) = inlines.first { inlines[0] = .text(String(text.drop { $0 == " " })) }
    return inlines
  }
}

extension [Inline] {
  fileprivate func mapText(_ replace: (String) -> [Inline]) -> [Inline] {
    flatMap { inline -> [Inline] in
      switch inline {
      case .text(let text): replace(text)
      case .link: [inline]
      default: [inline.mapChildren { $0.mapText(replace) }]
      }
    }
  }
}

extension String {
  /// Returns the text with links in place of references to existing footnotes.
  fileprivate func linkingNotes(_ numbers: Set<Int>) -> [Inline] {
    var inlines: [Inline] = []
    var remaining = self[...]
    var plain = ""
    while let start = remaining.firstIndex(of: "[") {
      plain += remaining[..<start]
      remaining = remaining[start...]
      // Longer texts in brackets are not footnote numbers.
      guard let end = remaining.prefix(8).firstIndex(of: "]"),
        let number = Int(remaining[remaining.index(after: start)..<end]),
        numbers.contains(number)
      else {
        plain.append(remaining.removeFirst())
        continue
      }
      if !plain.isEmpty { inlines.append(.text(plain)) }
      plain = ""
      inlines.append(.link(destination: FootnoteLink.destination(number), text: [.text(String(remaining[...end]))]))
      remaining = remaining[remaining.index(after: end)...]
    }
    plain += remaining
    return plain.isEmpty ? inlines : inlines + [.text(plain)]
  }
}
