package import LearningModel

/// The notes at the foot of a text, which the text names by their numbers: `[1]`. Each is a link that opens the note
/// below the words that name it; at its end the note's own number leads back there.
///
/// A text keeps its notes as words below a rule, at its end. What leads to them is found here, so that whatever was
/// imported before can be read so too.
package enum NoteLink {
  private static let (opening, leadingBack) = ("#note:", "#reference:")

  /// The destination of what opens a note.
  package static func note(_ number: Int) -> String { opening + String(number) }

  /// The destination of what leads back to where a note is named.
  package static func reference(_ number: Int) -> String { leadingBack + String(number) }

  /// The number of the note that a link opens; `nil` for a link of another kind.
  package static func number(of destination: String) -> Int? { number(of: destination, opening) }

  /// The number of the note that a link leads back from; `nil` for a link of another kind.
  package static func numberLeadingBack(_ destination: String) -> Int? { number(of: destination, leadingBack) }

  private static func number(of destination: String, _ prefix: String) -> Int? {
    destination.hasPrefix(prefix) ? Int(destination.dropFirst(prefix.count)) : nil
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

  /// What the notes at their end say, by their numbers; of blocks ``withNoteLinks``.
  var notes: [Int: [Block]] {
    guard let rule = lastIndex(of: .rule) else { return [:] }
    var (notes, open): ([Int: [Block]], Int?) = ([:], nil)
    for block in self[index(after: rule)...] {
      if case .paragraph(let line) = block, case .link(let destination, _) = line.first,
        let number = NoteLink.numberLeadingBack(destination)
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
  /// The numbers of the notes that its own lines name, in order.
  var notesNamed: [Int] {
    if case .admonition = self { return [] }
    return parts.flatMap { part -> [Int] in
      if case .line(let line) = part { line.linkDestinations.compactMap(NoteLink.number) } else { [] }
    }
  }

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
    if case .heading = self { return self }
    return mapParts(line: { $0.mapText(replace) }, blocks: { $0.map { $0.mapText(replace) } })
  }
}

extension Sequence<Inline> {
  /// The pieces without a blank before the first word.
  fileprivate var withoutLeadingBlank: [Inline] {
    var pieces = Array(self)
    if case .text(let words) = pieces.first { pieces[0] = .text(String(words.drop { $0 == " " })) }
    return pieces
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
      case .code, .key, .math, .link, .image, .lineBreak: [inline]
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
