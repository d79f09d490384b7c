import CourseFormats
import ExternalPrograms
import Foundation
import LearningModel
import Testing

/// Tests of the export for Anki: what is written is read again, by Waymark and by Anki's own library.
struct AnkiExportTests {
  private static let deck = """
    # Knots

    ## A *bend* & <b>
    Joins two ropes: $l = 3$, `a < b`.

    - one
    - two

    ## "Quoted"
    Back.
    """
  private static let gaps = "# Gaps\n\n## {{c1::Paris}} is the *capital* of {{c2::France::a country}}.\nIt is old.\n"
  private static let both = "# Both\n\n## bight\na *curve* of a rope\n"
  private static let quiz = "# Test\n\n## Which knot?\n\n- [x] bowline\n- [ ] granny\n\n> It holds."

  /// Returns a course in Waymark's own format with a text, a deck and a quiz.
  private func course() throws -> CourseDraft {
    let folder = try TestFolder(
      [
        "course.yml": "title: Ropes\nkey: ropes", "1-tie/goal.yml": "title: Tying",
        "1-tie/1-first/lesson.yml": "title: First",
        "1-tie/1-first/1-cards.md": "---\ntype: flashcards\n---\n" + Self.deck,
        "1-tie/1-first/2-quiz.md": "---\ntype: quiz\n---\n" + Self.quiz, "1-tie/1-first/3-text.md": "# Text\n\nWords.",
        "1-tie/1-first/4-gaps.md": "---\ntype: flashcards\n---\n" + Self.gaps,
        "1-tie/1-first/5-both.md": "---\ntype: flashcards\nreversed: true\n---\n" + Self.both,
      ], name: "ropes")
    return try folder.read()
  }

  private func notes(of draft: CourseDraft) throws -> AnkiNotes {
    try AnkiNotes(draft.nodes, format: draft.format, contents: draft.contents, sources: draft.sourceNotes)
  }

  private func package(of draft: CourseDraft) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try AnkiPackageWriter.write(
      notes(of: draft), image: { try draft.contents.image($0) }, at: Timestamp(milliseconds: 1_700_000_000_000),
      timeZone: .gmt
    ) { bytes += $0 }
    return bytes
  }

  private func fixture() throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "anki/knots.apkg").path))
  }

  private func cards(of draft: CourseDraft) throws -> [Flashcard] {
    try draft.allContents().flatMap { content -> [Flashcard] in
      if case .flashcards(_, let cards) = content { cards } else { [] }
    }
  }

  @Test func `flashcards and questions become notes in decks inside the course`() throws {
    let notes = try notes(of: course())

    #expect(notes.omittedActivities == 1)
    #expect(
      notes.notes.map { $0.cards[0].deck.joined(separator: "::") } == Array(
        repeating: "Ropes::Tying::First::Knots", count: 2)
        + ["Ropes::Tying::First::Test", "Ropes::Tying::First::Gaps", "Ropes::Tying::First::Both"])
    #expect(
      notes.notes.map(\.type.name)
        == ["Waymark", "Waymark", "Waymark", "Waymark Cloze", "Waymark (and reversed card)"])
    #expect(notes.notes.map { $0.cards.map(\.ordinal) } == [[0], [0], [0], [0, 1], [0, 1]])
    #expect(
      notes.notes.map(\.fields[0]) == [
        "A <em>bend</em> &amp;", "&quot;Quoted&quot;",
        "Which knot?<ul><li><p>bowline</p></li><li><p>granny</p></li></ul>",
        "{{c1::Paris}} is the <em>capital</em> of {{c2::France::a country}}.", "bight",
      ])
    #expect(
      notes.notes.map(\.fields[1]) == [
        "<p>Joins two ropes: \\(l = 3\\), <code>a &lt; b</code>.</p><ul><li><p>one</p></li><li><p>two</p></li></ul>",
        "<p>Back.</p>", "<ul><li><p>bowline</p></li></ul><p>It holds.</p>", "<p>It is old.</p>",
        "<p>a <em>curve</em> of a rope</p>",
      ])
  }

  @Test func `a course from Anki is equal after its export is imported`() throws {
    let draft = try fixture()
    let folder = try TestFolder()
    try folder.write(Data(package(of: draft)), to: "knots.apkg")

    let copy = try FormatRegistry.read(CourseSource(path: folder.path + "/knots.apkg"))

    #expect(copy.diagnostics == [] && copy.losses == [])
    let (copied, original) = (try cards(of: copy), try cards(of: draft))
    #expect(copied == original)
    #expect(copy.nodes.map(\.title) == draft.nodes.map(\.title))
    let images = try copy.allContents().flatMap(\.storedImages).map(\.digest)
    #expect(try images == draft.allContents().flatMap(\.storedImages).map(\.digest) && images.count == 2)
    let loop = try #require(notes(of: draft).notes.first { $0.fields[0].contains("king of knots") })
    #expect(loop.fields[0].hasSuffix(" the king of knots [sound:rope.mp3]"))
    #expect(try copy.contents.image(images[1]) == Array("not really a sound".utf8))
  }

  @Test func `gaps and both directions are equal after the export is imported`() throws {
    let draft = try course()
    let folder = try TestFolder()
    try folder.write(Data(package(of: draft)), to: "ropes.apkg")

    let copy = try FormatRegistry.read(CourseSource(path: folder.path + "/ropes.apkg"))

    func cardsWithoutKeys(_ draft: CourseDraft) throws -> [Flashcard] {
      try cards(of: draft).map { Flashcard(front: $0.front, back: $0.back, tags: $0.tags, isReversed: $0.isReversed) }
    }
    // A question of a quiz becomes a flashcard.
    let copied = try cardsWithoutKeys(copy).filter { !$0.front.plainText.hasPrefix("Which knot?") }
    #expect(copy.diagnostics == [] && copy.losses == [])
    #expect(try Set(copied) == Set(cardsWithoutKeys(draft)))
    #expect(copied.map(\.variants.count).reduce(0, +) == copied.count + 2)
  }

  @Test func `equal courses make equal packages`() throws {
    #expect(try package(of: course()) == package(of: course()))
  }

  @Test func `the text has a header, and quotes fields with quotation marks`() throws {
    var text = ""
    try AnkiText.write(notes(of: course())) { text += $0 }

    let lines = text.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(6) == [
        "#separator:tab", "#html:true", "#guid column:1", "#notetype column:2", "#deck column:3", "#tags column:4",
      ])
    #expect(lines.count == 11)
    #expect(lines[9].contains("\tCloze\t") && lines[10].contains("\tBasic (and reversed card)\t"))
    #expect(lines[7].hasSuffix("\tBasic\tRopes::Tying::First::Knots\t\t&quot;Quoted&quot;\t<p>Back.</p>"))
  }

  @Test func `a sound is kept by Waymark's own formats, and the reference to a missing one by the export`() throws {
    let draft = try fixture()
    let text = try WaymarkWriter.text(of: draft)
    let folder = try TestFolder(["knots.json": text])

    let copy = try FormatRegistry.read(CourseSource(path: folder.path + "/knots.json"))

    #expect(try cards(of: copy).map(\.front) == cards(of: draft).map(\.front))
    #expect(copy.losses == [])
    let missing = try TestFolder([
      "course.yml": "title: Ropes", "1-tie/goal.yml": "title: Tying", "1-tie/1-first/lesson.yml": "title: First",
      "1-tie/1-first/1-cards.md": "---\ntype: flashcards\n---\n# Bell\n\n## Listen\n![a.mp3](a.mp3)\n",
    ]).read()
    #expect(
      missing.losses.map { "\($0.count) \($0.what): \($0.treatment)" }
        == ["1 sound or video: shown as its name because its file is missing"])
    let sides = try notes(of: missing).notes.map { $0.fields.joined(separator: "|") }
    #expect(sides == ["Listen|<p>[sound:a.mp3]</p>"], "\(sides)")
  }

  // MARK: Anki's library

  static let python = fixtures.deletingLastPathComponent().appending(path: ".build/test-python/bin/python").path
  /// Whether Anki's library is installed.
  static let hasAnki: Bool = {
    guard let output = try? run(["-c", "import anki.collection; print(1)"]) else { return false }
    return output == "1\n"
  }()

  static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self)
  }

  /// A card or a media file, as Anki's library reports it.
  private struct Line: Decodable {
    let guid: String?
    let ord: Int?
    let deck: String?
    let tags: [String]?
    let question: String?
    let answer: String?
    let media: String?
    let bytes: String?
  }

  /// Compares the cards that Anki's library shows with the cards of notes.
  private func expectCards(_ lines: [Line], of notes: AnkiNotes) throws {
    let cards = lines.filter { $0.guid != nil }.sorted { ($0.guid!, $0.ord!) < ($1.guid!, $1.ord!) }
    let expected = notes.notes.flatMap { note in note.cards.map { (note: note, card: $0) } }
      .sorted { ($0.note.guid, $0.card.ordinal) < ($1.note.guid, $1.card.ordinal) }
    #expect(cards.map(\.guid) == expected.map(\.note.guid) && cards.map(\.ord) == expected.map(\.card.ordinal))
    #expect(cards.map(\.deck) == expected.map { $0.card.deck.joined(separator: "::") })
    #expect(cards.map { Set($0.tags ?? []) } == expected.map { Set($0.note.tags) })
    // The templates of notes from Anki are Anki's own.
    for (card, (note, place)) in zip(cards, expected) where note.type.name.hasPrefix("Waymark") {
      let ordinal = place.ordinal
      let (question, answer) = (try #require(card.question), try #require(card.answer))
      if note.type.isCloze {
        let texts = [
          ("[...] is the <em>capital</em> of France.", "Paris is the <em>capital</em> of France."),
          ("Paris is the <em>capital</em> of [a country].", "Paris is the <em>capital</em> of France."),
        ]
        #expect(question.replacing(#/<\/?span[^>]*>/#, with: "") == texts[ordinal].0)
        #expect(answer.replacing(#/<\/?span[^>]*>/#, with: "") == texts[ordinal].1 + "<br>\n<p>It is old.</p>")
      } else {
        // Anki's library replaces the reference to a sound by a button.
        let front = note.fields[0].replacing("[sound:rope.mp3]", with: "[anki:play:q:0]")
        let sides = ordinal == 0 ? (front, note.fields[1]) : (note.fields[1], front)
        #expect(question == sides.0)
        let shown = answer.replacing("[anki:play:a:", with: "[anki:play:q:")
        #expect(shown == "\(sides.0)\n\n<hr id=answer>\n\n\(sides.1)")
      }
    }
  }

  private func oracle(_ path: String) throws -> [Line] {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "anki-oracle.py").path
    return try Self.run([script, path]).split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }

  @Test(.enabled(if: hasAnki, "Anki's library is not installed in .build/test-python"))
  func `Anki opens an exported package with the same cards, decks, tags and media`() throws {
    for draft in [try fixture(), try course()] {
      let notes = try notes(of: draft)
      let folder = try TestFolder()
      try folder.write(Data(package(of: draft)), to: "deck.apkg")

      let lines = try oracle(folder.path + "/deck.apkg")

      try expectCards(lines, of: notes)
      let media = lines.filter { $0.media != nil }
      #expect(media.map { $0.media! } == notes.media.keys.sorted())
      for (name, digest) in notes.media {
        let bytes = try #require(try draft.contents.image(digest))
        #expect(media.first { $0.media == name }?.bytes == bytes.map { String(format: "%02x", $0) }.joined())
      }
    }
  }

  @Test(.enabled(if: hasAnki, "Anki's library is not installed in .build/test-python"))
  func `Anki opens an exported text with the same cards, decks and tags`() throws {
    // The note types of other courses are only in the collection from which they come.
    let notes = try notes(of: course())
    let folder = try TestFolder()
    var text = ""
    AnkiText.write(notes) { text += $0 }
    try folder.write(Data(text.utf8), to: "deck.txt")

    try expectCards(oracle(folder.path + "/deck.txt"), of: notes)
  }
}
