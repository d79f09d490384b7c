import CourseFormats
import Foundation
import LearningModel
import Testing

/// Tests with the packages in `Fixtures/anki`, which `make-packages.py` writes in each version of the format.
struct AnkiFixtureTests {
  private static let packages = ["knots-anki2.apkg", "knots-anki21.apkg", "knots.apkg"]

  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "anki/" + name).path))
  }

  private func cards(_ key: String, of draft: CourseDraft) throws -> [Flashcard] {
    guard case .flashcards(let introduction, let cards)? = try draft.content(key) else { return [] }
    #expect(introduction == [])
    return cards
  }

  @Test(arguments: packages) func `decks become goals and lessons, and their cards activities`(_ name: String) throws {
    let draft = try read(name)

    #expect(draft.format == "anki" && draft.sourceName == name && draft.diagnostics == [])
    #expect(
      draft.outline == [
        "c \(name.dropLast(5)) | Knots", "  g deck-10 | Knots", "    l deck-10! | Knots", "      a deck-10#1 | Knots",
        "    l deck-11 | 1. Bends", "      a deck-11#1 | 1. Bends", "    l deck-12 | 2. Hitches",
        "      a deck-12#1 | 2. Hitches", "    l deck-13 | 10. Loops", "      a deck-13#1 | 10. Loops",
      ])
    #expect(draft.losses.map { "\($0.count) \($0.what): \($0.treatment)" } == ["1 deck without cards: left out"])
  }

  @Test(arguments: packages) func `a card has the identifier of its note and the number of its template`(_ name: String)
    throws
  {
    let cards = try cards("deck-11#1", of: read(name))

    #expect(
      cards == [
        Flashcard(
          key: "sheet/0", front: [.text("sheet bend"), .lineBreak, .text("Hint")],
          back: [
            .details(summary: [.text("Hint")], blocks: [.paragraph([.text("used on sails")])]),
            .paragraph([.text("joins ropes of different thickness")]),
          ], tags: ["rope::two", "basics"]),
        Flashcard(
          key: "sheet/1", front: [.text("joins ropes of different thickness")],
          back: [.paragraph([.text("sheet bend Knots::1. Bends rope::two basics")])], tags: ["rope::two", "basics"]),
      ])
  }

  @Test(arguments: packages) func `a cloze deletion asks for one number and shows the others`(_ name: String) throws {
    let cards = try cards("deck-12#1", of: read(name))

    #expect(cards.map(\.key) == ["hitch/0", "hitch/1"])
    #expect(
      cards.map(\.front) == [
        [.text("A "), .emphasis([.text("[two words]")]), .text(" ties a rope to a post.")],
        [
          .text("A clove "), .emphasis([.text("[...]")]), .text(" ties a rope to a "), .emphasis([.text("[...]")]),
          .text("."),
        ],
      ])
    #expect(
      cards[0].back == [
        .paragraph([
          .text("A "), .emphasis([.text("clove hitch")]), .text(" ties a rope to a post."), .lineBreak,
          .text("It slips."),
        ])
      ])
  }

  @Test(arguments: packages) func `images and sounds are stored`(_ name: String) throws {
    let draft = try read(name)
    let cards = try cards("deck-13#1", of: draft)

    #expect(cards.map { $0.front.plainText } == ["a loop the king of knots rope.mp3", "tension in a loop"])
    #expect(cards[0].back == [.paragraph([.text("bowline")])])
    #expect(cards[1].back == [.paragraph([.math("T = \\frac{F}{2}"), .text(" in each leg")])])
    guard case .image("bowline.svg", "a loop", let stored?) = cards[0].front[0] else {
      Issue.record("no image: \(cards[0].front)")
      return
    }
    #expect(stored.size == StoredImage.PixelSize(width: 40, height: 20))
    #expect(try draft.contents.image(stored.digest)?.starts(with: Array("<svg".utf8)) == true)
    guard case .image("rope.mp3", "rope.mp3", let sound?)? = cards[0].front.last else {
      Issue.record("no sound: \(cards[0].front)")
      return
    }
    #expect(sound.size == nil && cards[0].front.last?.soundName == "rope.mp3")
    #expect(try draft.contents.image(sound.digest) == Array("not really a sound".utf8))
  }

  @Test func `the placeholder in a package for older versions of Anki is not read`() throws {
    for name in Self.packages {
      let text = try read(name).allContents().map(\.plainText).joined()
      #expect(!text.contains("update Anki"))
    }
  }

  @Test func `all versions of a package make the same course`() throws {
    let drafts = try Self.packages.map(read)

    for draft in drafts.dropFirst() {
      #expect(draft.nodes.dropFirst() == drafts[0].nodes.dropFirst())
      #expect(try draft.allContents() == drafts[0].allContents())
    }
  }
}
