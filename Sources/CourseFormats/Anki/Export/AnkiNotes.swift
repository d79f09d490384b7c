import Foundation
package import LearningModel

/// The cards of a course as notes of Anki: flashcards, and questions of quizzes.
package struct AnkiNotes {
  /// The note type, which determines the cards of a note.
  package enum Kind: CaseIterable, Sendable {
    /// One card, from front to back.
    case basic
    /// A second card from back to front.
    case reversed
    /// One card for each number of gaps in the front: `{{c1::…}}`.
    case cloze
  }

  package struct Note: Equatable {
    package let kind: Kind
    /// The ordinals of the cards, from 0. Those of gaps are their numbers minus 1.
    package let cards: [Int]
    /// The name by which Anki recognises the note in a later import.
    package let guid: String
    /// The names of the deck from the top deck down.
    package let deck: [String]
    package let front: String
    package let back: String
    package let tags: [String]
  }

  package private(set) var notes: [Note] = []
  /// The names of the media by the digests of the images.
  package var media: [String: String] { mediaNames.names }
  /// The number of activities without cards.
  package private(set) var omittedActivities = 0
  private let mediaNames = MediaNames()
  private var guids = UniqueNames(numberedFrom: 2)

  /// Makes the notes of a course.
  ///
  /// - Parameters:
  ///   - nodes: The nodes in reading order, the course first.
  ///   - format: The name of the format from which the course was imported. The decks of a course that was imported
  ///     from Anki keep their names. The decks of other courses are inside a deck with the title of the course.
  ///   - contents: The contents of the activities. Only one is requested at a time.
  package init(_ nodes: [DraftNode], format: String, contents: any DraftContents) throws {
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
      switch try contents.content(at: index) {
      case .flashcards(_, let cards):
        for card in cards {
          try add(
            card.variants, key: card.key, front: card.front, details: [], back: card.back, tags: card.tags, deck: deck,
            place: nodes[0].key + "\0" + activity.key, contents)
        }
      case .quiz(_, let questions, _):
        for question in questions {
          try add(
            [.forward], key: nil, front: question.question, details: question.details + Self.list(question.choices),
            back: Self.list(question.choices.filter(\.isRight)) + question.explanation, tags: [], deck: deck,
            place: nodes[0].key + "\0" + activity.key, contents)
        }
      default: omittedActivities += 1
      }
    }
  }

  private static func list(_ choices: [QuizQuestion.Choice]) -> [Block] {
    choices.isEmpty ? [] : [.bulletList(items: choices.map { ListItem(blocks: [.paragraph($0.text)]) })]
  }

  private mutating func add(
    _ variants: [CardVariant], key: String?, front: [Inline], details: [Block], back: [Block], tags: [String],
    deck: [String], place: String,
    _ contents: any DraftContents
  ) throws {
    let html = CardHTML { [names = mediaNames] image, source in try? names.name(of: image, source, contents) }
    var digest = SourceDigest()
    digest.add(Array("\(place)\0\(front.plainText)".utf8))
    let tags = tags.map { tag in
      String(tag.map { $0.isWhitespace ? "_" : $0 })
    }
    let gaps = variants.compactMap { if case .gap(let number) = $0 { number - 1 } else { nil } }
    let kind: Kind = !gaps.isEmpty ? .cloze : variants.contains(.reversed) ? .reversed : .basic
    notes.append(
      Note(
        kind: kind, cards: gaps.isEmpty ? Array(variants.indices) : gaps,
        guid: guids.makeUnique(key ?? String(digest.hexadecimal().prefix(20))), deck: deck,
        front: html.html(front) + html.html(details), back: html.html(back), tags: tags))
  }
}

/// Gives each image or sound of a package a name: that of the author's file, or its digest.
private final class MediaNames {
  private(set) var names: [String: String] = [:]
  private var usedNames: Set<String> = []

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
    names[image.digest] = name
    return name
  }
}
