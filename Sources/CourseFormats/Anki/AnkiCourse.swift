import Foundation
import Images
package import LearningModel

/// Makes a course of a collection: decks become goals and lessons, and the cards of a deck become activities.
struct AnkiCourse {
  private let source: CourseSource
  private let options: ReadOptions
  private var package: AnkiPackage
  private var builder: DraftBuilder
  private let collection: AnkiCollection
  private var sides: CardSides
  /// The parsed templates by note type and ordinal.
  private var templates: [TemplateName: (question: CardTemplate, answer: CardTemplate)] = [:]
  private var keys = UniqueNames(numberedFrom: 2)
  /// The keys and activities of the flashcards that were made of notes from Waymark.
  private var ownFlashcards: [Int64: (key: String, activity: String)] = [:]
  private var progress: [CardProgress] = []
  /// The cards of the database that were exported as notes of this collection, by the identifiers of the notes.
  private let exported: [String: ExportedCard]
  /// The numbers of these cards by their courses.
  private var exportedCards: [String: Int] = [:]
  /// The notes whose cards are in the course.
  private var shownNotes: Set<Int64> = []
  /// The number of bytes that the templates may still make.
  private var remainingSize: Int
  /// The number of cards that were shown.
  private var shownCards = 0
  /// The masks and the image of the last note with an image occlusion. The image is `nil` if it cannot be shown.
  private var occlusion: (note: Int64, masks: ImageOcclusion?, image: PixelImage?)?

  private struct TemplateName: Hashable {
    let type: Int64
    let ordinal: Int
  }

  /// The maximum number of cards in an activity.
  static let cardsPerActivity = 200

  init(_ source: CourseSource, options: ReadOptions) throws {
    self.source = source
    self.options = options
    var findings = Findings()
    package = try AnkiPackage(source, findings: &findings)
    let database = try package.database()
    collection = try AnkiCollection(database, withLog: options.includesProgress)
    exported = try options.exportedCards?(Set(collection.notes.values.map(\.guid))) ?? [:]
    let media = try package.mediaSource()
    builder = try DraftBuilder(media, options: options)
    builder.findings = findings
    builder.imagePaths = { [package] name, _ in [package.file(ofMedia: name) ?? name] }
    builder.imagePath = { [package] name in
      package.file(ofMedia: name) ?? name.removingPercentEncoding.flatMap(package.file)
    }
    sides = CardSides(file: package.collection, limits: source.limits)
    remainingSize = max(16 << 20, database.size * source.limits.cardsRatio)
  }

  mutating func read(format: String) throws -> CourseDraft {
    let decks = try filledDecks()
    let tops = decks.children.filter(\.hasCards)
    let title = tops.count == 1 ? tops[0].title : PageKeys.title(of: source.stem)
    let key = builder.courseKey(written: Slug.make(from: source.stem, fallback: "deck"))
    keys = UniqueNames(usedNames: [key], numberedFrom: 2)
    let course = try builder.add(
      DraftNode(parent: nil, key: key, kind: .course, title: title), file: package.collection)
    for deck in tops { try add(deck, kind: .goal, parent: course) }
    let count = exportedCards.values.reduce(0, +)
    if !tops.isEmpty {
      builder.findings.countLoss("card from a course here", "its progress is recorded there", count: count)
    } else if count == 0, builder.findings.errors == 0 {
      builder.findings.error(package.collection, nil, "The package contains no cards that can be shown.")
    }
    builder.findings.countLoss(
      "deck with another preset", "reviewed with the preset of the deck with the most cards",
      count: collection.otherDecks.count, examples: collection.otherDecks)
    builder.findings.countLoss(
      "option of the preset", "not taken over, because reviews here do not have it",
      count: collection.foreignOptions.count, examples: collection.foreignOptions)
    builder.findings.add(sides.findings)
    try builder.resolveLinks { _, _, destination in
      switch LinkTarget(destination) {
      case .address(let address): .link(address)
      case .unsafe, .node: .unresolved("unsafe link")
      case .anchor, .file: .unresolved("link to a file or a place in a card")
      }
    }
    var draft = try builder.finish(format: format, digest: package.digest.hexadecimal(), language: nil)
    draft.sourceName = source.name
    draft.progress.cards = progress
    draft.exportedCards = exportedCards
    draft.sourceNotes = collection.sourceNotes(shownNotes)
    draft.progress.preset = collection.settings
    draft.progress.otherDecks = collection.otherDecks
    if !options.includesProgress { draft.progress.unreadCards = collection.cards.count(where: \.state.hasProgress) }
    return draft
  }

  // MARK: Decks

  /// A deck with its subdecks, in the order in which they are shown.
  private final class Deck {
    let title: String
    var key: String
    var cards: [AnkiCollection.Card] = []
    private(set) var children: [Deck] = []
    private var childrenByTitle: [String: Deck] = [:]

    init(title: String, key: String) {
      self.title = title
      self.key = key
    }

    var hasCards: Bool { !cards.isEmpty || children.contains(where: \.hasCards) }

    func child(_ title: String) -> Deck {
      if let child = childrenByTitle[title] { return child }
      let child = Deck(title: title, key: key + "/" + title)
      childrenByTitle[title] = child
      children.append(child)
      return child
    }

    func sort(order: [Int64: (Int64, Int64)]) {
      children.sort { NaturalOrder.precedes($0.title, $1.title) }
      cards.sort { left, right in
        let (one, other) = (order[left.note] ?? (0, 0), order[right.note] ?? (0, 0))
        return (one.0, one.1, left.ordinal, left.id) < (other.0, other.1, right.ordinal, right.id)
      }
      for child in children { child.sort(order: order) }
    }
  }

  /// Returns the root of the tree of decks, with the cards.
  private mutating func filledDecks() throws -> Deck {
    let root = Deck(title: "", key: "deck")
    var byID: [Int64: Deck] = [:]
    for deck in collection.decks.values.sorted(by: { $0.id < $1.id }) {
      let node = deck.path.reduce(root) { $0.child($1) }
      // Two decks whose names differ only in characters that are not shown are one deck.
      if byID.values.allSatisfy({ $0 !== node }) { node.key = "deck-\(deck.id)" }
      byID[deck.id] = node
    }
    for card in collection.cards where !takeBack(card) {
      guard let deck = byID[card.deck] else {
        builder.findings.countLoss("card without a deck", "left out")
        continue
      }
      deck.cards.append(card)
    }
    root.sort(order: positions())
    let empty =
      exportedCards.isEmpty ? collection.decks.values.count { $0.id != 1 && byID[$0.id]?.hasCards == false } : 0
    builder.findings.countLoss("deck without cards", "left out", count: empty)
    return root
  }

  /// Records the progress of a card that was exported from the database.
  ///
  /// - Returns: Whether the card is one.
  private mutating func takeBack(_ card: AnkiCollection.Card) -> Bool {
    guard let note = collection.notes[card.note], let own = exported[note.guid] else { return false }
    exportedCards[own.course, default: 0] += 1
    let variant: CardVariant =
      collection.noteTypes[note.type]?.isCloze == true
      ? .gap(card.ordinal + 1) : card.ordinal == 0 ? .forward : .reversed
    let key = variant.word.isEmpty ? own.key : "\(own.key)/\(variant.word)"
    if var entry = collection.progress(of: card, key: key, activity: own.activity) {
      entry.course = own.course
      progress.append(entry)
    }
    return true
  }

  /// Returns the position of each note. A note without a position follows the note that was added before it.
  private func positions() -> [Int64: (Int64, Int64)] {
    var known: [Int64: Int64] = [:]
    for card in collection.cards {
      guard let position = card.position else { continue }
      known[card.note] = min(known[card.note] ?? .max, position)
    }
    var last: Int64 = 0
    var positions: [Int64: (Int64, Int64)] = [:]
    for note in collection.notes.keys.sorted() {
      last = known[note] ?? last
      positions[note] = (last, note)
    }
    return positions
  }

  private mutating func add(_ deck: Deck, kind: ContentKind, parent: Int) throws {
    let node = try builder.add(
      DraftNode(parent: parent, key: deck.key, kind: kind, title: deck.title), file: package.collection)
    if !deck.cards.isEmpty {
      // A goal cannot contain activities, so its own cards are in a lesson of the same name.
      let lesson =
        kind == .lesson
        ? node
        : try builder.add(
          DraftNode(parent: node, key: deck.key + AnkiKeys.ownCards, kind: .lesson, title: deck.title),
          file: package.collection)
      try addCards(of: deck, lesson: lesson)
    }
    for child in deck.children where child.hasCards { try add(child, kind: .lesson, parent: node) }
  }

  private mutating func addCards(of deck: Deck, lesson: Int) throws {
    let path = AnkiKeys.deckPath(of: lesson, in: builder.nodes)
    let size = Self.cardsPerActivity
    for (number, start) in stride(from: 0, to: deck.cards.count, by: size).enumerated() {
      let part = deck.cards[start..<min(start + size, deck.cards.count)]
      var cards: [Flashcard] = []
      for card in part {
        let activity = "\(deck.key)#\(number + 1)"
        guard let shown = try show(card, deck: path, activity: activity) else { continue }
        if let flashcard = shown.flashcard { cards.append(flashcard) }
        shownNotes.insert(card.note)
        if let entry = collection.progress(of: card, key: shown.key, activity: shown.activity) {
          progress.append(entry)
        }
      }
      guard !cards.isEmpty else { continue }
      let title = deck.cards.count > size ? "\(deck.title) \(number + 1)" : deck.title
      let index = try builder.add(
        DraftNode(parent: lesson, key: "\(deck.key)#\(number + 1)", kind: .activity, title: title),
        file: package.collection)
      try builder.store(.flashcards(introduction: [], cards: cards), at: index)
      shownCards += cards.count
      try options.progress?(builder.nodes.count)
    }
  }

  // MARK: Cards

  /// A card of the collection in the course.
  private struct ShownCard {
    /// The flashcard, or `nil` if another card of the same note has already made it.
    var flashcard: Flashcard?
    /// The key of the card in reviews.
    let key: String
    let activity: String
  }

  private mutating func show(
    _ card: AnkiCollection.Card, deck: [String], activity: String
  ) throws -> ShownCard? {
    guard let note = collection.notes[card.note] else {
      builder.findings.countLoss("card without a note", "left out")
      return nil
    }
    // All cards of a note type with cloze deletions have the same template.
    guard let type = collection.noteTypes[note.type],
      case let ordinal = type.isCloze ? 0 : card.ordinal, let template = type.templates[ordinal]
    else {
      builder.findings.countLoss("card without a template", "left out")
      return nil
    }
    if type.isOwn { return try show(card, of: note, type, activity: activity) }
    let parsed = parse(template, TemplateName(type: note.type, ordinal: ordinal), of: type)
    var fields = Dictionary(zip(type.fields, note.fields)) { first, _ in first }
    for name in type.fields where fields[name] == nil { fields[name] = "" }
    fields.merge([
      "Tags": note.tags.joined(separator: " ").escapedInHTML, "Type": type.name.escapedInHTML,
      "Deck": deck.joined(separator: "::").escapedInHTML, "Subdeck": (deck.last ?? "").escapedInHTML,
      "Card": template.name.escapedInHTML, "CardFlag": "",
    ]) { own, _ in own }
    let isOccluded = type.isCloze && hasOcclusion(note)
    var values = CardTemplate.Values(fields: fields, cloze: card.ordinal + 1, isQuestion: true)
    func filled(_ template: CardTemplate, isQuestion: Bool) throws -> String? {
      values.isQuestion = isQuestion
      if isOccluded {
        guard let occluded = try occluded(fields, of: card, isQuestion: isQuestion) else { return nil }
        values.fields = occluded
      }
      let limit = source.limits.cardSize
      guard let text = template.filled(with: values, limit: limit) else { throw tooLarge(.cardSize(limit)) }
      // Anki draws the masks with a script on a canvas.
      return isOccluded ? text.replacing(/(?s)<(canvas|script)\b.*?<\/\1>/, with: "") : text
    }
    guard let question = try filled(parsed.question, isQuestion: true) else { return nil }
    values.frontSide = question
    guard let answer = try filled(parsed.answer, isQuestion: false) else { return nil }
    remainingSize -= question.utf8.count + answer.utf8.count
    guard remainingSize >= 0 else { throw tooLarge(.cardsRatio(source.limits.cardsRatio)) }
    let key = keys.makeUnique("\(note.guid)/\(card.ordinal)".onOneLine)
    let flashcard = try sides.card(
      key: key, question: question,
      answer: CardSides.withoutQuestion(
        answer, question: question, repeatsQuestion: parsed.answer.beginsWithFrontSide),
      tags: Self.tags(of: card, note), typed: parsed.question.typed(with: values))
    return ShownCard(flashcard: flashcard, key: key, activity: activity)
  }

  /// Makes a flashcard of the two fields of a note from ``AnkiPackageWriter``, for the first of its cards.
  private mutating func show(
    _ card: AnkiCollection.Card, of note: AnkiCollection.Note, _ type: AnkiCollection.NoteType, activity: String
  ) throws -> ShownCard {
    let variant: CardVariant = type.isCloze ? .gap(card.ordinal + 1) : card.ordinal == 0 ? .forward : .reversed
    func shown(_ flashcard: Flashcard?, _ own: (key: String, activity: String)) -> ShownCard {
      let word = variant.word
      return ShownCard(
        flashcard: flashcard, key: word.isEmpty ? own.key : "\(own.key)/\(word)", activity: own.activity)
    }
    if let own = ownFlashcards[note.id] { return shown(nil, own) }
    let size = note.fields.reduce(0) { $0 + $1.utf8.count }
    guard size <= source.limits.cardSize else { throw tooLarge(.cardSize(source.limits.cardSize)) }
    let own = (key: keys.makeUnique(note.guid.onOneLine), activity: activity)
    ownFlashcards[note.id] = own
    let flashcard = try sides.card(
      key: own.key, question: note.fields.first ?? "", answer: note.fields.dropFirst().first ?? "",
      tags: Self.tags(of: card, note), isReversed: !type.isCloze && type.templates.count > 1, hasGaps: type.isCloze)
    return shown(flashcard, own)
  }

  /// Returns the tags of a note and, for a card with a flag, a tag such as `flag::red`.
  private static func tags(of card: AnkiCollection.Card, _ note: AnkiCollection.Note) -> [String] {
    note.tags + (card.flagName.map { ["flag::" + $0] } ?? [])
  }

  // MARK: Image occlusion

  private mutating func hasOcclusion(_ note: AnkiCollection.Note) -> Bool {
    if occlusion?.note != note.id {
      let masks = note.fields.lazy.compactMap(ImageOcclusion.init).first
      let name = masks == nil ? nil : note.fields.lazy.compactMap { $0.firstMatch(of: Self.imageTag)?.1 }.first
      let file = name.map { String($0).replacing("&amp;", with: "&") } ?? ""
      let bytes = package.bytes(ofMedia: file) ?? file.removingPercentEncoding.flatMap(package.bytes)
      occlusion = (note.id, masks, bytes.flatMap { ImageOcclusion.image($0, named: file) })
    }
    return occlusion?.masks != nil
  }

  /// `nonisolated(unsafe)` because `Regex` is not `Sendable`, although this one holds no closure and never changes.
  private nonisolated(unsafe) static let imageTag = /<img\b[^>]*?\bsrc=["']?([^"'>]+)["']?[^>]*>/

  /// Returns the fields without the texts of the masks, and with the picture of a side of a card instead of the image. `nil`
  /// if the picture cannot be drawn; the card is then counted as left out.
  private mutating func occluded(
    _ fields: [String: String], of card: AnkiCollection.Card, isQuestion: Bool
  ) throws -> [String: String]? {
    let number = card.ordinal + 1
    guard let masks = occlusion?.masks, let image = occlusion?.image,
      let (picture, cost) = masks.picture(of: image, asking: number, isQuestion: isQuestion)
    else {
      builder.findings.countLoss("card with an image occlusion whose image or mask is missing", "left out")
      return nil
    }
    let bytes = picture.png
    remainingSize -= bytes.count + cost / 16
    guard remainingSize >= 0 else { throw tooLarge(.cardsRatio(source.limits.cardsRatio)) }
    let name = "occlusion-\(card.id)-\(isQuestion ? "question" : "answer").png"
    try package.add(bytes, named: name)
    let words = masks.description(asking: number, isQuestion: isQuestion)
    return fields.mapValues { text in
      ImageOcclusion(text) == nil
        ? text.replacing(Self.imageTag, with: "<img src=\"\(name)\" alt=\"\(words)\">", maxReplacements: 1) : ""
    }
  }

  private func tooLarge(_ limit: ExceededLimit) -> CourseFormatError {
    .limit(limit, file: package.collection, line: nil)
  }

  /// Returns the parsed templates of a card. Mistakes in a template are reported once.
  private mutating func parse(
    _ template: AnkiCollection.Template, _ name: TemplateName, of type: AnkiCollection.NoteType
  ) -> (question: CardTemplate, answer: CardTemplate) {
    if let known = templates[name] { return known }
    let depth = source.limits.nestingDepth
    let parsed = (
      question: CardTemplate(template.question, depth: depth), answer: CardTemplate(template.answer, depth: depth)
    )
    templates[name] = parsed
    let place = "The template \(quoted: template.name.onOneLine) of \(quoted: type.name.onOneLine)"
    for side in [parsed.question, parsed.answer] {
      if let problem = side.problem {
        builder.findings.warning(package.collection, nil, "\(place) is malformed. \(problem)")
      }
      let unknown = side.fieldNames.subtracting(type.fields).subtracting(Self.specialFields)
      for field in unknown.sorted() where field.firstMatch(of: /^c[0-9]+$/) == nil {
        builder.findings.warning(
          package.collection, nil, "\(place) refers to the field \(quoted: field.onOneLine), which does not exist.")
      }
    }
    return parsed
  }

  private static let specialFields: Set<String> = [
    "FrontSide", "Tags", "Type", "Deck", "Subdeck", "Card", "CardFlag", "CardID",
  ]
}

/// The keys of the nodes of a course that was imported from Anki, which the export uses too.
package enum AnkiKeys {
  /// The name of the format.
  package static let format = "anki"
  /// The end of the key of a lesson that contains the cards of the goal above it.
  static let ownCards = "!"

  /// Returns the names of a deck from the top deck down.
  ///
  /// - Parameters:
  ///   - index: The lesson that contains the cards of the deck.
  ///   - nodes: The nodes of the course.
  package static func deckPath(of index: Int, in nodes: [DraftNode]) -> [String] {
    var path: [String] = []
    var current: Int? = index
    while let node = current.map({ nodes[$0] }), let parent = node.parent {
      if node.key != nodes[parent].key + ownCards { path.append(node.title) }
      current = parent
    }
    return path.reversed()
  }
}
