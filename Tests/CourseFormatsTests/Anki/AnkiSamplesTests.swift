import CourseFormats
import Foundation
import LearningModel
import Testing

private let samples = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"]

/// Tests with packages that Anki and genanki wrote, which are not part of this project. `WAYMARK_SAMPLES` is the folder
/// that contains `anki`. Its `expected.json` contains each card as Anki renders it.
@Suite(.enabled(if: samples != nil, "WAYMARK_SAMPLES does not name the folder of samples"))
struct AnkiSamplesTests {
  private static let packages = [
    "anki21.apkg", "anki21-scheduled.apkg", "anki21b.apkg", "anki21b-scheduled.apkg", "collection-anki21b.colpkg",
  ]

  private struct Expected: Decodable {
    struct Card: Decodable {
      let guid: String
      let ord: Int
      let deck: String
      let tags: [String]
      let fields: [String: String]
      let question: String
      let answer: String
    }
    let cards: [Card]
  }

  private func expected() throws -> [Expected.Card] {
    let file = URL(filePath: try #require(samples)).appending(path: "anki/expected.json")
    return try JSONDecoder().decode(Expected.self, from: Data(contentsOf: file)).cards
  }

  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: try #require(samples) + "/anki/" + name))
  }

  /// A card of a draft as text, with its deck.
  private struct CardText: Equatable {
    var deck: String
    var front: String
    var back: String
    var tags: [String]
  }

  private func cards(of draft: CourseDraft) throws -> [String: CardText] {
    var cards: [String: CardText] = [:]
    for index in draft.nodes.indices where draft.nodes[index].kind == .activity {
      guard case .flashcards(_, let all) = try draft.contents.content(at: index) else { continue }
      let deck = AnkiKeys.deckPath(of: try #require(draft.nodes[index].parent), in: draft.nodes)
      for card in all {
        cards[card.key ?? ""] = CardText(
          deck: deck.joined(separator: "::"), front: Self.text(card.front), back: Self.text(card.back),
          // The expected tags are those of the note, without the flag of the card.
          tags: card.tags.filter { !$0.hasPrefix("flag::") })
      }
    }
    return cards
  }

  // MARK: Text without markup

  private static func text(_ line: [Inline]) -> String {
    line.map { inline in
      switch inline {
      case .text(let text), .code(let text), .key(let text), .math(let text): text
      case .emphasis(let inner), .strong(let inner), .strikethrough(let inner), .link(_, let inner): text(inner)
      // The names of sounds are shown in addition.
      case .image(_, let alternative, _): inline.soundName == nil ? alternative : ""
      case .lineBreak: " "
      case .target: ""
      }
    }.joined().normalized
  }

  private static func text(_ blocks: [Block]) -> String {
    blocks.map { block -> String in
      switch block {
      case .paragraph(let line), .heading(_, let line, _): text(line)
      case .math(let source), .code(_, let source): source
      case .bulletList(let items), .orderedList(_, let items):
        items.map { "• " + text($0.blocks) }.joined(separator: " ")
      case .table(_, let header, let rows):
        ([header] + rows).map { $0.map(text).joined(separator: " ") }.joined(separator: " ")
      case .details(let summary, let inner): text(summary) + " " + text(inner)
      default: ""
      }
    }.joined(separator: " ").normalized
  }

  /// Returns the text that a reader of Anki's HTML sees: without formulas' delimiters, sounds, hidden hints, scripts and
  /// the field for typing.
  private static func text(html: String, typed: String) -> String {
    var html = html
    html.replace(#/<(script|style)>.*?</\1>/#, with: "")
    html.replace(#/<img class=latex alt="([^"]*)"[^>]*>LaTeX image generation is disabled in the preferences\./#) {
      "\($0.1)"
    }
    html.replace(#/<img [^>]*alt="([^"]*)"[^>]*>/#) { "\($0.1)" }
    html.replace(#/(?s)<a class=hint.*?>\n(\w+)</a>\n<div.*?>.*?</div>/#) { "\($0.1)" }
    html.replace(#/<rt>(.*?)<\/rt>/#) { "(\($0.1))" }
    html.replace("<li>", with: " • ")
    html.replace(#/\[\[type:[^\]]*\]\]/#, with: typed)
    html.replace(#/\[anki:play:.:\d+\]/#, with: "")
    html.replace(#/\\[()\[\]]/#, with: " ")
    html.replace(#/<(/?(div|p|br|hr|ul|table|tr|td|pre)\b)[^>]*>/#, with: " ")
    html.replace(#/<[^>]*>/#, with: "")
    for (name, letter) in [("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", "\u{A0}"), ("&quot;", "\"")] {
      html.replace(name, with: letter)
    }
    html.replace(#/&#x([0-9A-F]+);/#) { String(UnicodeScalar(UInt32($0.1, radix: 16)!)!) }
    return html.replacing("&amp;", with: "&").normalized
  }

  /// Returns a card as Anki shows it.
  ///
  /// - Parameter isScheduled: Whether the package contains the scheduling. Otherwise Anki omits the tag of a leech.
  private func text(of card: Expected.Card, isScheduled: Bool) -> CardText {
    let leech = "leech"
    // The answer of a flashcard does not repeat the question that Anki shows above the line.
    var answer = card.answer
    for line in ["\n\n<hr id=answer>", "<hr id=answer>"] where answer.hasPrefix(card.question + line) {
      answer.removeFirst(card.question.count)
    }
    if answer.hasPrefix("2 + 2\n\n<hr id=answer>") { answer.removeFirst("2 + 2".count) }
    var wanted = CardText(
      deck: card.deck, front: Self.text(html: card.question, typed: ""),
      back: Self.text(html: answer, typed: card.fields["Back"] ?? ""), tags: card.tags)
    if !isScheduled {
      wanted.tags.removeAll { $0 == leech }
      wanted.back.replace(leech + " ", with: "")
    }
    // A hint in the question is a collapsed section of the answer.
    if let hint = card.fields["Hint"], card.question.contains("class=hint") {
      wanted.back = "Hint \(hint) " + wanted.back
    }
    return wanted
  }

  @Test(arguments: packages) func `every card has the deck, tags, question and answer that Anki shows`(_ name: String)
    throws
  {
    let cards = try cards(of: read(name))
    let expected = try expected()
    // Anki exports cards without their scheduling without this tag.
    let isScheduled = name.contains("scheduled") || name.hasPrefix("collection")

    #expect(cards.count == expected.count)
    for card in expected {
      let found = try #require(cards["\(card.guid)/\(card.ord)"], "\(card.guid)")
      #expect(found == text(of: card, isScheduled: isScheduled))
    }
  }

  @Test(arguments: packages) func `decks are goals and lessons in their natural order`(_ name: String) throws {
    let titles = try read(name).nodes.filter { $0.kind != .activity && $0.kind != .course }.map {
      "\($0.kind.rawValue) \($0.title)"
    }

    #expect(
      titles == [
        "goal Languages", "lesson German", "lesson 1. Wörter", "lesson 2. Sätze", "lesson 10. Grammar", "goal Maths",
        "lesson Maths",
      ])
  }

  @Test(arguments: packages) func `images and sounds are stored, and scripts and empty decks are counted`(
    _ name: String
  )
    throws
  {
    let draft = try read(name)
    let images = try draft.allContents().flatMap(\.storedImages)

    #expect(images.map(\.size) == [StoredImage.PixelSize(width: 1, height: 1), nil])
    #expect(draft.diagnostics == [])
    let decks = name.hasPrefix("collection") ? ["1 deck without cards: left out"] : []
    #expect(
      draft.losses.map { "\($0.count) \($0.what): \($0.treatment)" } == decks + [
        "1 script: left out", "1 style sheet: left out",
      ])
  }

  @Test(
    .enabled(if: AnkiExportTests.hasAnki, "Anki's library is not installed in .build/test-python"),
    arguments: ["anki21-scheduled.apkg", "anki21b-scheduled.apkg"])
  func `cards are due on the days on which Anki shows them`(_ name: String) throws {
    struct Card: Decodable {
      let guid: String?
      let ord: Int?
      let due: String?
    }
    let path = try #require(samples) + "/anki/" + name
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "anki-oracle.py").path
    let cards = try AnkiExportTests.run([script, path, "--progress"]).split(separator: "\n").map {
      try JSONDecoder().decode(Card.self, from: Data($0.utf8))
    }
    var options = ReadOptions()
    options.includesProgress = true

    let progress = try FormatRegistry.read(CourseSource(path: path), options: options).progress.cards

    var dates: [String: String] = [:]
    for card in progress where card.phase == .review {
      guard case .day(let days, let start)? = card.due else { continue }
      dates[card.card] = ReviewDay.date(of: ReviewDay.number(at: start, in: .current) + days)
    }
    let expected = cards.filter { $0.due != nil }
    #expect(expected.count > 0)
    #expect(dates == Dictionary(uniqueKeysWithValues: expected.map { ("\($0.guid!)/\($0.ord!)", $0.due!) }))
    #expect(progress.map(\.answers.count).reduce(0, +) == 8)
  }

  @Test func `every card of a package of genanki and of a package of one deck is as Anki shows it`() throws {
    let genanki = try read("anki2-genanki.apkg")
    let deck = try read("one-deck-anki21b.apkg")

    #expect(genanki.diagnostics.isEmpty && deck.diagnostics.isEmpty)
    #expect(
      try cards(of: genanki) == [
        "ID!#kyrD%b/0": CardText(deck: "Genanki::Capitals", front: "France", back: "Paris", tags: []),
        "rdX{0WFfk|/0": CardText(deck: "Genanki::Capitals", front: "Spain", back: "Madrid", tags: []),
      ])
    let expected = try expected().filter { $0.deck == "Languages::German::1. Wörter" }
    let texts = expected.map { ("\($0.guid)/\($0.ord)", text(of: $0, isScheduled: false)) }
    #expect(try cards(of: deck) == Dictionary(uniqueKeysWithValues: texts))
  }
}

extension String {
  /// The text with each run of white space replaced by one space.
  fileprivate var normalized: String {
    split { $0 == " " || $0.isNewline || $0 == "\t" }.joined(separator: " ")
  }
}
