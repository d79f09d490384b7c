import Foundation
package import LearningModel

/// The cards of a course as notes of Anki: flashcards, and questions of quizzes. The notes of a course from Anki are unchanged.
package struct AnkiNotes {
  /// The note types of cards that were not imported from Anki.
  package enum Kind: CaseIterable, Sendable {
    /// One card, from front to back.
    case basic
    /// A second card from back to front.
    case reversed
    /// One card for each number of gaps in the front: `{{c1::…}}`.
    case cloze
  }

  package struct Card: Hashable {
    /// The number of the template, from 0. That of a gap is its number minus 1.
    package let ordinal: Int
    /// The names of the deck from the top deck down.
    package let deck: [String]
    /// The progress of the learner, or `nil` for a new card.
    package var log: CardLog?
    /// The number of the card in Anki, or `nil` for a card that does not come from there.
    package var id: Int64?
    /// The number of the flag, or 0.
    package var flag = 0
  }

  package struct Note: Hashable {
    package let type: SourceNotes.NoteType
    package fileprivate(set) var cards: [Card]
    /// The name by which Anki recognises the note in a later import.
    package let guid: String
    /// When the note was changed, in seconds since 1970. Anki updates its note only if that is older.
    package let changedAt: Int64
    /// The values of the fields of the note type, as HTML.
    package let fields: [String]
    package let tags: [String]
    /// The number of the note in Anki, or `nil` for a note that does not come from there.
    package var id: Int64?
  }

  package private(set) var notes: [Note] = []
  /// The digests of the media by their names.
  package var media: [String: String] { mediaNames.digests }
  /// The number of activities without cards.
  package private(set) var omittedActivities = 0
  /// The number of cards from Anki whose notes are not in the database.
  package private(set) var missingNotes = 0
  private let mediaNames = MediaNames()
  private var guids = UniqueNames(numberedFrom: 2)
  private let course: String
  private let sources: [String: SourceNotes.Note]
  private let sourceTypes: [Int64: SourceNotes.NoteType]
  /// The indices of the notes from Anki.
  private var indices: [String: Int] = [:]

  /// Makes the notes of a course.
  ///
  /// - Parameters:
  ///   - nodes: The nodes in reading order, the course first.
  ///   - format: The name of the format from which the course was imported. The decks of a course that was imported
  ///     from Anki keep their names. The decks of other courses are inside a deck with the title of the course.
  ///   - contents: The contents of the activities. Only one is requested at a time.
  ///   - sources: The notes of a course that was imported from Anki. They are exported unchanged.
  ///   - cards: Returns the flashcards or questions of an activity as the database stores them, or `nil` if the course
  ///     is not in a database.
  package init(
    _ nodes: [DraftNode], format: String, contents: any DraftContents, sources: SourceNotes? = nil,
    cards: (_ index: Int) throws -> [CardExport]? = { _ in nil }
  ) throws {
    course = nodes.first?.key ?? ""
    self.sources = Dictionary(sources?.notes.map { ($0.guid.onOneLine, $0) } ?? []) { first, _ in first }
    sourceTypes = Dictionary(sources?.types.map { ($0.id, $0) } ?? []) { first, _ in first }
    let isFromAnki = format == AnkiKeys.format
    for index in nodes.indices where nodes[index].kind == .activity {
      let activity = nodes[index]
      guard let lesson = activity.parent else { continue }
      var deck = AnkiKeys.deckPath(of: lesson, in: nodes)
      if !isFromAnki { deck = [nodes[0].title] + deck + [activity.title] }
      // A lesson with a single activity often has the same title.
      deck = deck.reduce(into: []) { path, title in
        let name = title.replacing("::", with: ":").onOneLine
        if isFromAnki || path.last != name { path.append(name) }
      }
      let content = try contents.content(at: index)
      let stored = content.type == .flashcards || content.type == .quiz ? try cards(index) : nil
      func makeExport(_ item: Int, _ key: String?, _ front: [Inline]) -> CardExport {
        if let stored, item < stored.count { return stored[item] }
        return CardExport(
          activity: activity.key, key: key ?? CardDigest.digest(front.plainText), changedAt: Timestamp(milliseconds: 0))
      }
      switch content {
      case .flashcards(_, let cards):
        for (item, card) in cards.enumerated() {
          let export = makeExport(item, card.key, card.front)
          if isFromAnki, !export.key.hasPrefix(CardHistory.madePrefix) {
            addSource(of: card, export, deck: deck, contents)
          } else {
            add(
              card.variants, export, front: card.front, details: [], back: card.back, tags: card.tags, deck: deck,
              contents)
          }
        }
      case .quiz(_, let questions, _):
        for (item, question) in questions.enumerated() {
          add(
            [.forward], makeExport(item, nil, question.question), front: question.question,
            details: question.details + Self.list(question.choices),
            back: Self.list(question.choices.filter(\.isRight)) + question.explanation, tags: [], deck: deck, contents)
        }
      default: omittedActivities += 1
      }
    }
  }

  /// Adds a card to the note from which it was imported.
  private mutating func addSource(
    of card: Flashcard, _ export: CardExport, deck: [String], _ contents: any DraftContents
  ) {
    let base = CardKeys.note(of: export.key, isFromAnki: true)
    guard let note = sources[export.key] ?? sources[base], let type = sourceTypes[note.type] else {
      missingNotes += 1
      return
    }
    // The names of images and sounds are in the fields already.
    let media = CardHTML { [mediaNames] image, source in try? mediaNames.add(image, source, contents) }
    _ = media.html(card.front) + media.html(card.back)
    let index = indices[note.guid] ?? notes.count
    if index == notes.count {
      indices[note.guid] = index
      notes.append(
        Note(
          type: type, cards: [], guid: note.guid, changedAt: note.changedAt, fields: note.fields, tags: note.tags,
          id: note.id == 0 ? nil : note.id))
    }
    func exported(_ ordinal: Int, _ log: CardLog?) -> Card {
      let source = note.cards.first { $0.ordinal == ordinal }
      return Card(ordinal: ordinal, deck: deck, log: log, id: source?.id, flag: source?.flag ?? 0)
    }
    if note.guid.onOneLine == export.key {
      notes[index].cards += card.variants.map { exported($0.ordinal, export.progress[$0]) }
    } else {
      let ordinal = Int(export.key.dropFirst(base.count + 1)) ?? 0
      notes[index].cards.append(exported(ordinal, export.progress[.forward]))
    }
  }

  private static func list(_ choices: [QuizQuestion.Choice]) -> [Block] {
    choices.isEmpty ? [] : [.bulletList(items: choices.map { ListItem(blocks: [.paragraph($0.text)]) })]
  }

  private mutating func add(
    _ variants: [CardVariant], _ export: CardExport, front: [Inline], details: [Block], back: [Block], tags: [String],
    deck: [String], _ contents: any DraftContents
  ) {
    let html = CardHTML { [names = mediaNames] image, source in try? names.name(of: image, source, contents) }
    let tags = tags.map { tag in
      String(tag.map { $0.isWhitespace ? "_" : $0 })
    }
    let hasGaps = variants.contains { if case .gap = $0 { true } else { false } }
    let kind: Kind = hasGaps ? .cloze : variants.contains(.reversed) ? .reversed : .basic
    let name = ExportedCard(course: course, activity: export.activity, key: export.key)
    notes.append(
      Note(
        type: kind.noteType,
        cards: variants.map { Card(ordinal: $0.ordinal, deck: deck, log: export.progress[$0]) },
        guid: guids.makeUnique(name.guid), changedAt: export.changedAt.milliseconds / 1000,
        fields: [html.html(front) + html.html(details), html.html(back)], tags: tags))
  }
}

extension CardVariant {
  /// The number of the template of a card, or that of its gap.
  fileprivate var ordinal: Int {
    switch self {
    case .forward: 0
    case .reversed: 1
    case .gap(let number): number - 1
    }
  }
}

/// Gives each image or sound of a package a name: that of the author's file, or its digest.
private final class MediaNames {
  private(set) var digests: [String: String] = [:]
  private var names: [String: String] = [:]
  private var usedNames: Set<String> = []

  /// Adds an image or a sound under the name that a note from Anki has for it.
  ///
  /// - Returns: `nil`.
  func add(_ image: StoredImage, _ source: String, _ contents: any DraftContents) throws -> String? {
    let name = SourcePath.name(of: source.removingPercentEncoding ?? source).precomposedStringWithCanonicalMapping
    if !source.isDataURL, digests[name] == nil, try contents.image(image.digest) != nil {
      digests[name] = image.digest
      usedNames.insert(name.lowercased())
    }
    return nil
  }

  /// Returns the name of an image or a sound, or `nil` if it is no longer stored.
  func name(of image: StoredImage, _ source: String, _ contents: any DraftContents) throws -> String? {
    if let name = names[image.digest] { return name }
    guard let bytes = try contents.image(image.digest) else { return nil }
    let ending = WaymarkArchive.ending(of: bytes)
    var name = SourcePath.name(of: source.isDataURL ? "" : source.removingPercentEncoding ?? source)
      .precomposedStringWithCanonicalMapping.onOneLine
    // Characters that Anki removes from names of media.
    name.removeAll { "[]<>:\"/?*^\\|".contains($0) }
    if SourcePath.stem(of: name).isEmpty || name.utf8.count > 100 { name = String(image.digest.prefix(16)) }
    if ending != "media", !SourcePath.hasExtension(ending, name),
      !(ending == "jpg" && SourcePath.hasExtension("jpeg", name))
    {
      name += "." + ending
    }
    if !usedNames.insert(name.lowercased()).inserted {
      name = "\(image.digest.prefix(16)).\(ending)"
      usedNames.insert(name)
    }
    (names[image.digest], digests[name]) = (name, image.digest)
    return name
  }
}
