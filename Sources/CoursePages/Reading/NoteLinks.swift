package import LearningModel

/// The notes at the foot of a text, which the text names by their numbers: `[1]`. There and back, each is a link.
///
/// A text keeps its notes as words below a rule, at its end. What leads to them is found here, so that whatever was
/// imported before can be jumped in too.
package enum NoteLink {
  /// The destination of what leads to a note, and of what leads back from there.
  package static func note(_ number: Int) -> String { "#note:\(number)" }
  package static func reference(_ number: Int) -> String { "#reference:\(number)" }

  /// The destination of the link at the other end; `nil` for a link of another kind.
  package static func partner(of destination: String) -> String? {
    let pairs = [("#note:", "#reference:"), ("#reference:", "#note:")]
    return pairs.first { destination.hasPrefix($0.0) }.map { $0.1 + destination.dropFirst($0.0.count) }
  }

  /// Where one leads, in words; `nil` for a link of another kind.
  package static func words(for destination: String) -> String? {
    let parts = destination.split(separator: ":")
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case "#note": return "Go to note \(parts[1])"
    case "#reference": return "Back to where [\(parts[1])] stands"
    default: return nil
    }
  }
}

extension [Block] {
  /// The blocks with links between the notes at their end and where those are named.
  package var withNoteLinks: [Block] {
    guard let rule = lastIndex(of: .rule), index(after: rule) < endIndex, self[rule + 1].noteNumber != nil else {
      return self
    }
    let numbers = Set(self[rule...].compactMap(\.noteNumber))
    return self[..<rule].map { $0.mapText { $0.linkingNotes(numbers) } } + self[rule...].map(\.linkingBack)
  }
}

extension Block {
  /// The number that a note begins with.
  fileprivate var noteNumber: Int? {
    guard case .paragraph(let line) = self, case .text(let words) = line.first, words.hasPrefix("["),
      let end = words.firstIndex(of: "]"), words[end...].hasPrefix("] ") || words.index(after: end) == words.endIndex
    else { return nil }
    return Int(words[words.index(after: words.startIndex)..<end])
  }

  /// A note whose number leads back.
  fileprivate var linkingBack: Block {
    guard let number = noteNumber, case .paragraph(let line) = self, case .text(let words) = line.first else {
      return self
    }
    let mark = "[\(number)]"
    let link = Inline.link(destination: NoteLink.reference(number), text: [.text(mark)])
    return .paragraph([link, .text(String(words.dropFirst(mark.count)))] + line.dropFirst())
  }

  /// The block with each run of plain words replaced, at every depth.
  fileprivate func mapText(_ replace: (String) -> [Inline]) -> Block {
    func inItem(_ item: ListItem) -> ListItem {
      ListItem(isTicked: item.isTicked, blocks: item.blocks.map { $0.mapText(replace) })
    }
    return switch self {
    case .paragraph(let text): .paragraph(text.mapText(replace))
    case .bulletList(let items): .bulletList(items: items.map(inItem))
    case .orderedList(let start, let items): .orderedList(start: start, items: items.map(inItem))
    case .quote(let blocks): .quote(blocks.map { $0.mapText(replace) })
    case .details(let summary, let blocks):
      .details(summary: summary.mapText(replace), blocks: blocks.map { $0.mapText(replace) })
    case .table(let alignments, let header, let rows):
      .table(
        alignments: alignments, header: header.map { $0.mapText(replace) },
        rows: rows.map { $0.map { $0.mapText(replace) } })
    case .heading, .code, .math, .rule: self
    }
  }
}

extension [Inline] {
  fileprivate func mapText(_ replace: (String) -> [Inline]) -> [Inline] {
    flatMap { inline -> [Inline] in
      switch inline {
      case .text(let words): replace(words)
      case .emphasis(let inner): [.emphasis(inner.mapText(replace))]
      case .strong(let inner): [.strong(inner.mapText(replace))]
      case .strikethrough(let inner): [.strikethrough(inner.mapText(replace))]
      case .code, .math, .link, .image, .lineBreak: [inline]
      }
    }
  }
}

extension String {
  /// The words with a link where one of the notes is named.
  fileprivate func linkingNotes(_ numbers: Set<Int>) -> [Inline] {
    var pieces: [Inline] = []
    var rest = self[...]
    var plain = ""
    while let start = rest.firstIndex(of: "[") {
      plain += rest[..<start]
      rest = rest[start...]
      // No text has more notes than there are numbers of so many digits.
      guard let end = rest.prefix(8).firstIndex(of: "]"), let number = Int(rest[rest.index(after: start)..<end]),
        numbers.contains(number)
      else {
        plain.append(rest.removeFirst())
        continue
      }
      if !plain.isEmpty { pieces.append(.text(plain)) }
      plain = ""
      pieces.append(.link(destination: NoteLink.note(number), text: [.text(String(rest[...end]))]))
      rest = rest[rest.index(after: end)...]
    }
    plain += rest
    return plain.isEmpty ? pieces : pieces + [.text(plain)]
  }
}
