import Foundation
import LearningModel
import Testing

@testable import CourseFormats

/// Tests of exports with progress, of the way back, and of notes that came from Anki.
struct AnkiProgressExportTests {
  private static let hour: Int64 = 3_600_000
  /// 2025-11-28 10:00 UTC.
  private static let start: Int64 = 1_764_324_000_000
  private static let now = Timestamp(milliseconds: start + 40 * 24 * hour)

  /// Returns the log of a card after answers, each at a number of hours and with an interval.
  private func log(
    _ answers: [(hours: Int64, rating: CardRating, interval: CardInterval)], isSuspended: Bool = false,
    isBuried: Bool = false
  ) -> CardLog {
    var events = answers.enumerated().map { index, answer in
      let at = Timestamp(milliseconds: Self.start + answer.hours * Self.hour)
      var detail = CardEventDetail(key: "card")
      (detail.rating, detail.day, detail.ms) = (answer.rating.rawValue, ReviewDay.number(at: at, in: .gmt), 4_000)
      switch answer.interval {
      case .seconds(let seconds): (detail.seconds, detail.phase) = (seconds, index == 0 ? .learning : .relearning)
      case .days(let days): (detail.days, detail.phase) = (days, .review)
      }
      return CardHistory.Event(uuid: "\(index)", kind: .cardGraded, detail: detail, at: at)
    }
    var detail = CardEventDetail(key: "card")
    detail.day = ReviewDay.number(at: Self.now, in: .gmt)
    if isSuspended { events.append(CardHistory.Event(uuid: "s", kind: .cardSuspended, detail: detail, at: Self.now)) }
    if isBuried { events.append(CardHistory.Event(uuid: "b", kind: .cardBuried, detail: detail, at: Self.now)) }
    return CardLog(events, model: .standard, history: CardHistory(events, model: .standard))
  }

  private func course() throws -> CourseDraft {
    let cards = "# Cards\n\n## one\n1\n\n## {{c1::two}} is {{c2::more}}\n2\n\n## three\n3\n\n## four\n4\n"
    return try TestFolder(
      [
        "course.yml": "title: Ropes\nkey: ropes", "1-tie/goal.yml": "title: Tying",
        "1-tie/1-first/lesson.yml": "title: First",
        "1-tie/1-first/1-cards.md": "---\ntype: flashcards\nkey: cards\n---\n" + cards,
      ], name: "ropes"
    ).read()
  }

  /// The progress of the four flashcards of ``course()``.
  private func progress() -> [[CardVariant: CardLog]] {
    [
      [
        .forward: log([
          (0, .good, .seconds(600)), (1, .good, .days(3)), (72, .again, .seconds(600)), (73, .good, .days(2)),
        ])
      ],
      [.gap(1): log([(3, .easy, .days(8))]), .gap(2): log([(2, .again, .seconds(60))])],
      [.forward: log([(4, .easy, .days(60))], isSuspended: true)],
      [.forward: log([], isBuried: true)],
    ]
  }

  private func export(_ draft: CourseDraft) throws -> (notes: AnkiNotes, folder: TestFolder) {
    let progress = progress()
    let notes = try AnkiNotes(draft.nodes, format: draft.format, contents: draft.contents) { _ in
      progress.enumerated().map { number, progress in
        var card = CardExport(
          activity: "cards", key: "key \(number)", changedAt: Timestamp(milliseconds: 1_700_000_000_000))
        card.progress = progress
        return card
      }
    }
    var bytes: [UInt8] = []
    try AnkiPackageWriter.write(notes, image: { _ in nil }, at: Self.now, timeZone: .gmt) { bytes += $0 }
    let folder = try TestFolder()
    try folder.write(Data(bytes), to: "ropes.apkg")
    return (notes, folder)
  }

  private func read(
    _ folder: TestFolder, exported: (@Sendable (Set<String>) throws -> [String: ExportedCard])? = nil
  ) throws -> CourseDraft {
    var options = ReadOptions()
    options.includesProgress = true
    options.exportedCards = exported
    return try FormatRegistry.read(CourseSource(path: folder.path + "/ropes.apkg"), options: options)
  }

  @Test func `answers, due dates, intervals and memories are equal after the export is imported`() throws {
    let (notes, folder) = try export(course())

    let cards = try read(folder).progress.cards

    let logs = progress()
    let expected = [
      ("", logs[0][.forward]!), ("/c1", logs[1][.gap(1)]!), ("/c2", logs[1][.gap(2)]!), ("", logs[2][.forward]!),
      ("", logs[3][.forward]!),
    ]
    let guids = [0, 1, 1, 2, 3].map { notes.notes[$0].guid }
    let firstDay = ReviewDay.number(at: Timestamp(milliseconds: Self.start), in: .gmt)
    let begin = ReviewDay.start(of: firstDay, in: .gmt)
    #expect(
      cards
        == zip(guids, expected).map { guid, card in
          let (history, word) = (card.1.history, card.0)
          var due: CardProgress.Due? = .day(history.due - firstDay, after: begin)
          if let step = history.stepEndsAt { due = .time(step) }
          if history.state.phase == .new { due = nil }
          return CardProgress(
            activity: cards[0].activity, card: guid + word,
            answers: card.1.answers.map {
              CardProgress.Answer(at: $0.at, rating: $0.rating, milliseconds: 4_000, interval: $0.interval)
            },
            phase: history.state.phase,
            remainingSteps: history.state.phase == .learning ? 2 : history.state.phase == .relearning ? 1 : 0, due: due,
            intervalDays: history.state.intervalDays,
            memory: history.state.memory, answerCount: history.state.answers, lapses: history.state.lapses,
            isSuspended: history.isSuspended, isBuried: history.buriedUntil != nil)
        })
  }

  @Test func `answers at the same time are written as the next free milliseconds`() throws {
    let draft = try course()
    let twice = log([(0, .easy, .days(8))])
    let notes = try AnkiNotes(draft.nodes, format: draft.format, contents: draft.contents) { _ in
      (0..<4).map { number in
        var card = CardExport(activity: "cards", key: "key \(number)", changedAt: Self.now)
        card.progress = [.forward: twice]
        return card
      }
    }
    let folder = try TestFolder()
    var bytes: [UInt8] = []
    try AnkiPackageWriter.write(notes, image: { _ in nil }, at: Self.now, timeZone: .gmt) { bytes += $0 }
    try folder.write(Data(bytes), to: "ropes.apkg")

    let times = try read(folder).progress.cards.flatMap(\.answers).map(\.at.milliseconds)

    #expect(times == [Self.start, Self.start + 1, Self.start + 2])
  }

  @Test func `the progress of exported cards belongs to the cards of the database`() throws {
    let (notes, folder) = try export(course())
    let known = Dictionary(
      uniqueKeysWithValues: notes.notes.enumerated().map { number, note in
        (note.guid, ExportedCard(course: "ropes", activity: "cards", key: "key \(number)"))
      })
    #expect(known.map { $0.value.guid }.sorted() == known.keys.sorted())

    let draft = try read(folder) { guids in known.filter { guids.contains($0.key) } }
    let first = notes.notes[0].guid
    let mixed = try read(folder) { _ in [first: known[first]!] }

    #expect(draft.nodes.count == 1 && draft.diagnostics == [] && draft.losses == [])
    #expect(draft.exportedCards == ["ropes": 5])
    #expect(
      draft.progress.cards.map { [$0.course, $0.activity, $0.card] }
        == ["key 0", "key 1/c1", "key 1/c2", "key 2", "key 3"].map { ["ropes", "cards", $0] })
    #expect(mixed.nodes.count > 1 && mixed.exportedCards == ["ropes": 1])
    #expect(
      mixed.losses.map { "\($0.count) \($0.what): \($0.treatment)" }
        == ["1 card from a course here: its progress is recorded there"])
    #expect(mixed.progress.cards.map(\.course) == ["ropes", nil, nil, nil, nil])
  }

  @Test(arguments: ["knots-anki2.apkg", "knots-anki21.apkg", "knots.apkg"])
  func `a note from Anki is exported with its identifier, type and fields`(_ name: String) throws {
    let draft = try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "anki/" + name).path))

    let notes = try AnkiNotes(
      draft.nodes, format: draft.format, contents: draft.contents, sources: draft.sourceNotes)

    let hitch = try #require(notes.notes.first { $0.guid == "hitch" })
    #expect(
      hitch.type.isCloze && hitch.fields[0].hasPrefix("A {{c1::clove {{c2::hitch}}::two words}} ties"), "\(hitch)")
    let source = try #require(draft.sourceNotes?.notes.first { $0.guid == "hitch" })
    #expect(hitch.id == source.id && source.id > 0 && Set(source.cards.map(\.id)).count == 2)
    #expect(
      hitch.cards
        == source.cards.sorted { $0.ordinal < $1.ordinal }.map {
          AnkiNotes.Card(ordinal: $0.ordinal, deck: ["Knots", "2. Hitches"], id: $0.id, flag: $0.flag)
        })
    let loop = try #require(notes.notes.first { $0.guid == "loop" })
    #expect(loop.fields == ["<img src=\"bowline.svg\" alt=\"a loop\"> the king of knots [sound:rope.mp3]", "bowline"])
    #expect(notes.media.keys.sorted() == ["bowline.svg", "rope.mp3"])
    #expect(try Set(notes.notes.map(\.type)) == Set(#require(draft.sourceNotes).types) && notes.missingNotes == 0)
  }

  @Test func `a deck from Anki goes back with the numbers and flags of its cards, and with the preset of the course`()
    throws
  {
    let source = try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "anki/knots.apkg").path))
    var sources = try #require(source.sourceNotes)
    sources.notes = sources.notes.map { note in
      SourceNotes.Note(
        id: note.id, guid: note.guid, type: note.type, changedAt: note.changedAt, tags: note.tags, fields: note.fields,
        cards: note.cards.map { SourceNotes.Card(ordinal: $0.ordinal, id: $0.id, flag: $0.ordinal + 1) })
    }
    let notes = try AnkiNotes(source.nodes, format: source.format, contents: source.contents, sources: sources)
    let settings: ReviewPreset = [
      .retention: "0.92", .newCards: "4", .reviews: "100", .learningSteps: "15m 1d", .relearningSteps: "20m",
      .maximumInterval: "365", .leechLapses: "6", .suspendsLeeches: "true", .waitingSiblings: "all",
      .weights: MemoryModel.standard.storedText.replacing("8.2956", with: "8.5"),
    ]
    let folder = try TestFolder()
    var bytes: [UInt8] = []
    try AnkiPackageWriter.write(
      notes, image: { _ in nil }, preset: ("Knots", settings), at: Self.now, timeZone: .gmt
    ) { bytes += $0 }
    try folder.write(Data(bytes), to: "ropes.apkg")

    let back = try read(folder)

    func numbers(_ notes: [SourceNotes.Note]) -> [String] {
      notes.map { "\($0.guid) \($0.id) \($0.cards.sorted { $0.ordinal < $1.ordinal }.map { "\($0.id) \($0.flag)" })" }
        .sorted()
    }
    #expect(try numbers(#require(back.sourceNotes).notes) == numbers(sources.notes))
    #expect(back.progress.preset == settings)
  }

  @Test func `cards from Anki without their notes are counted and not exported`() throws {
    let draft = try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "anki/knots.apkg").path))

    let notes = try AnkiNotes(draft.nodes, format: draft.format, contents: draft.contents)

    let cards = try draft.allContents().compactMap(\.itemLines?.count).reduce(0, +)
    #expect(notes.notes == [] && notes.missingNotes == cards && cards > 5)
  }
}
