import Foundation
import LearningModel

/// The decks, notes and cards of a collection, checked and in plain values.
///
/// Source: the schema of Anki's collections in the versions 11 to 18, and the messages `Notetype.Config` and
/// `Notetype.Template.Config` in Anki's `notetypes.proto`.
struct AnkiCollection {
  struct Deck {
    let id: Int64
    /// The names from the top deck down. There is at least one.
    let path: [String]
    /// `nil` for a filtered deck.
    let preset: AnkiPreset?
  }

  struct NoteType {
    let name: String
    let isCloze: Bool
    /// The names of the fields, in the order of their values in a note.
    var fields: [String] = []
    var templates: [Int: Template] = [:]
    var changedAt: Int64 = 0
    var css = ""
    /// The beginning and the end of LaTeX documents.
    var latexStart: String?
    var latexEnd: String?

    /// Whether ``AnkiPackageWriter`` has made the note type.
    var isOwn: Bool { name.hasPrefix(AnkiPackageWriter.noteType) && fields.count == 2 }
  }

  struct Template {
    let name: String
    let question: String
    let answer: String
  }

  struct Note {
    let id: Int64
    let guid: String
    let type: Int64
    let changedAt: Int64
    let tags: [String]
    let fields: [String]
  }

  struct Card {
    let id: Int64
    let note: Int64
    /// The number of the template or, for cloze deletions, their number minus 1.
    let ordinal: Int
    /// The deck in which the card is at home, even if it is in a filtered deck at the moment.
    let deck: Int64
    /// The position of a new card in its deck, or `nil` if it is unknown.
    let position: Int64?
    let state: AnkiCardState
    /// The number of the flag, or 0.
    let flag: Int
    /// The name of the flag, or `nil` if the card has none.
    var flagName: String? { flag == 0 ? nil : AnkiCollection.flags[flag - 1] }
  }

  /// The names of the flags in Anki, from number 1.
  private static let flags = ["red", "orange", "green", "blue", "pink", "turquoise", "purple"]

  private(set) var decks: [Int64: Deck] = [:]
  private(set) var noteTypes: [Int64: NoteType] = [:]
  private(set) var notes: [Int64: Note] = [:]
  private(set) var cards: [Card] = []
  /// The time at which the days of the collection begin to count, or `nil` if the log was not requested.
  private(set) var start: Timestamp?
  /// The settings of the deck with the most cards that differ from Anki's defaults.
  private(set) var settings: ReviewPreset = [:]
  /// The hour at which a day begins, if the collection contains it.
  private var dayStart: Int?
  /// The options of the preset of this deck that reviews here do not have.
  private(set) var foreignOptions: [String] = []
  /// The names of the decks with other settings.
  private(set) var otherDecks: [String] = []
  /// The answers of each card, in the order of their times.
  private(set) var answers: [Int64: [CardProgress.Answer]] = [:]

  /// Reads a collection.
  ///
  /// - Parameters:
  ///   - database: The collection.
  ///   - hasLog: Whether to read the log of answers.
  /// - Throws: ``CourseFormatError`` if a table or a value is not as Anki writes it.
  init(_ database: ForeignDatabase, withLog hasLog: Bool) throws {
    if try database.hasTable("notetypes") {
      try readTables(database)
    } else {
      try readDocuments(database)
    }
    try database.rows("SELECT id, guid, mid, tags, flds, mod FROM notes", of: "notes") { row in
      let note = Note(
        id: try row.integer(0), guid: try row.text(1), type: try row.integer(2),
        changedAt: try row.integer(5),
        tags: try row.text(3).split { $0 == " " || $0 == "\u{3000}" }.map { String($0).withoutControls },
        fields: try row.text(4).split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init))
      notes[note.id] = note
    }
    let columns = "id, nid, did, ord, type, queue, due, ivl, factor, reps, lapses, odue, odid, data, flags, left"
    try database.rows("SELECT \(columns) FROM cards", of: "cards") { row in
      let state = try AnkiCardState(row, isChecked: hasLog)
      let home = try row.integer(12)
      cards.append(
        Card(
          id: try row.integer(0), note: try row.integer(1),
          ordinal: Int(clamping: max(0, min(1_000_000, try row.integer(3)))),
          deck: home == 0 ? try row.integer(2) : home, position: state.position, state: state,
          flag: Int(try row.integer(14) & 7)))
    }
    try chooseSettings(database)
    if hasLog { try readLog(database) }
  }

  /// The memory model of the course.
  private var model: MemoryModel { settings[.weights].flatMap(MemoryModel.init(storedText:)) ?? .standard }

  private mutating func chooseSettings(_ database: ForeignDatabase) throws {
    var counts: [Int64: Int] = [:]
    for card in cards { counts[card.deck, default: 0] += 1 }
    let ids = counts.keys.sorted { (-counts[$0]!, $0) < (-counts[$1]!, $1) }
    let all = try ids.compactMap { id in
      try decks[id].flatMap { deck in try deck.preset.map { (deck, $0.foreignOptions, try $0.settings(in: database)) } }
    }
    (settings, foreignOptions) = all.first.map { ($0.2, $0.1) } ?? ([:], [])
    otherDecks = all.filter { $0.2 != settings }.map { $0.0.path.joined(separator: "::") }.sorted()
    if let hour = dayStart, hour != 4 { settings[.dayStart] = String(min(23, max(0, hour))) }
  }

  /// Reads the log.
  private mutating func readLog(_ database: ForeignDatabase) throws {
    try database.rows("SELECT crt FROM col", of: "col") { row in start = try Self.time(try row.integer(0), unit: 1000) }
    guard try database.hasTable("revlog") else { return }
    var entries: [Int64: [AnkiLogEntry]] = [:]
    try database.rows("SELECT id, cid, ease, ivl, time, type, factor FROM revlog ORDER BY id", of: "revlog") { row in
      let entry = AnkiLogEntry(
        at: try Self.time(try row.integer(0), unit: 1), rating: CardRating(rawValue: Int(clamping: try row.integer(2))),
        interval: Int(clamping: max(-86_400, min(36_500, try row.integer(3)))),
        milliseconds: Int(clamping: try row.integer(4)), kind: try row.integer(5), factor: try row.integer(6))
      if !entry.isCramming { entries[try row.integer(1), default: []].append(entry) }
    }
    answers = entries.mapValues { AnkiLogEntry.answers($0, model: model) }
  }

  /// Returns a time that is given in units of milliseconds. Times before 1970 or after 2100 are limited to these years.
  private static func time(_ number: Int64, unit: Int64) throws -> Timestamp {
    Timestamp(milliseconds: min(4_102_444_800_000, max(0, number.multipliedReportingOverflow(by: unit).partialValue)))
  }

  // MARK: Schema 15 to 18

  private mutating func readTables(_ database: ForeignDatabase) throws {
    var presets: [Int64: AnkiPreset] = [:]
    func optionalRows(_ sql: String, of table: String, _ visit: (ForeignRow) throws -> Void) throws {
      if try database.hasTable(table) { try database.rows(sql, of: table, visit) }
    }
    try optionalRows("SELECT id, name, config FROM deck_config", of: "deck_config") { row in
      do {
        presets[try row.integer(0)] = try AnkiPreset(name: row.text(1), message: row.bytes(2))
      } catch is ProtobufMessage.Fault {
        throw database.fault("the preset \(quoted: try row.text(1)) is damaged")
      }
    }
    try optionalRows("SELECT KEY, val FROM config", of: "config") { row in
      guard try row.text(0) == "rollover" else { return }
      dayStart = try hour(String(decoding: row.bytes(1), as: UTF8.self), database)
    }
    try database.rows("SELECT id, name, kind FROM decks", of: "decks") { row in
      do {
        addDeck(
          id: try row.integer(0), name: try row.text(1), separator: "\u{1F}",
          try AnkiPreset.Reference(kind: row.bytes(2)), presets)
      } catch is ProtobufMessage.Fault {
        throw database.fault("the deck \(quoted: try row.text(1)) is damaged")
      }
    }
    try database.rows("SELECT id, name, config, mtime_secs FROM notetypes", of: "notetypes") { row in
      let config = try row.bytes(2)
      var type = NoteType(name: try row.text(1), isCloze: try Self.isCloze(config: config, database))
      type.changedAt = try row.integer(3)
      if let texts = try? ProtobufMessage.texts([3, 5, 6], of: config) {
        (type.css, type.latexStart, type.latexEnd) = (texts[3] ?? "", texts[5], texts[6])
      }
      noteTypes[try row.integer(0)] = type
    }
    var fields: [Int64: [(order: Int64, name: String)]] = [:]
    try database.rows("SELECT ntid, ord, name FROM fields", of: "fields") { row in
      fields[try row.integer(0), default: []].append((try row.integer(1), try row.text(2)))
    }
    for (type, names) in fields {
      noteTypes[type]?.fields = names.sorted { $0.order < $1.order }.map(\.name)
    }
    try database.rows("SELECT ntid, ord, name, config FROM templates", of: "templates") { row in
      let texts: [Int: String]
      do {
        texts = try ProtobufMessage.texts([1, 2], of: try row.bytes(3))
      } catch is ProtobufMessage.Fault {
        throw database.fault("the template \(quoted: try row.text(2)) is damaged")
      }
      noteTypes[try row.integer(0)]?.templates[Int(clamping: try row.integer(1))] = Template(
        name: try row.text(2), question: texts[1] ?? "", answer: texts[2] ?? "")
    }
  }

  private static func isCloze(config: [UInt8], _ database: ForeignDatabase) throws -> Bool {
    var message = ProtobufMessage(config)
    var kind: UInt64 = 0
    do {
      while let (field, value) = try message.next() {
        if field == 1, case .number(let number) = value { kind = number }
      }
    } catch {
      throw database.fault("a note type is damaged")
    }
    return kind == 1
  }

  private mutating func addDeck(
    id: Int64, name: String, separator: String, _ reference: AnkiPreset.Reference, _ presets: [Int64: AnkiPreset]
  ) {
    // A name may be empty or have control characters only in a damaged file; Anki calls such a deck "blank".
    let path = name.components(separatedBy: separator).map { $0.onOneLine }.map { $0.isEmpty ? "blank" : $0 }
    let preset = reference.conf.flatMap { presets[$0] }?.replacing(
      newCards: reference.newLimit, reviews: reference.reviewLimit, retention: reference.desiredRetention)
    decks[id] = Deck(id: id, path: Array(path.prefix(Self.maximumDepth)), preset: preset)
  }

  private func hour(_ text: String, _ database: ForeignDatabase) throws -> Int {
    guard let hour = Int(text) else { throw database.fault("the start of its day is \(quoted: text.onOneLine)") }
    return hour
  }

  /// The maximum depth of decks. Deeper decks are joined with the deck at this depth.
  private static let maximumDepth = 24

  // MARK: Schema 11

  private struct NoteTypeDocument: Decodable {
    struct Field: Decodable {
      let name: String
      let ord: Int?
    }
    struct Template: Decodable {
      let name: String
      let ord: Int?
      let qfmt: String
      let afmt: String
    }
    let name: String
    let type: Int?
    let mod: Int64?
    let css: String?
    let latexPre: String?
    let latexPost: String?
    let flds: [Field]
    let tmpls: [Template]
  }

  private struct DeckDocument: Decodable {
    let name: String
    let preset: AnkiPreset.Reference

    private enum CodingKeys: CodingKey { case name }

    init(from decoder: any Decoder) throws {
      name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
      preset = try AnkiPreset.Reference(from: decoder)
    }
  }

  private struct Configuration: Decodable { let rollover: Int? }

  private mutating func readDocuments(_ database: ForeignDatabase) throws {
    var documents: (models: String, decks: String, presets: String, configuration: String)?
    try database.rows("SELECT models, decks, dconf, conf FROM col", of: "col") { row in
      documents = (try row.text(0), try row.text(1), try row.text(2), try row.text(3))
    }
    guard let documents else { throw database.fault("its table 'col' is empty") }
    func decodeOne<Value: Decodable>(_ text: String, _ column: String) throws -> Value {
      guard let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) else {
        throw database.fault("\(quoted: column) in its table 'col' is not as Anki writes it")
      }
      return value
    }
    func decode<Value: Decodable>(_ text: String, _ column: String) throws -> [Int64: Value] {
      let values: [String: Value] = try decodeOne(text, column)
      return values.reduce(into: [:]) { values, entry in
        if let id = Int64(entry.key) { values[id] = entry.value }
      }
    }
    let presets = (try decode(documents.presets, "dconf") as [Int64: AnkiPreset.Document]).mapValues(AnkiPreset.init)
    dayStart = (try decodeOne(documents.configuration, "conf") as Configuration).rollover
    for (id, deck) in try decode(documents.decks, "decks") as [Int64: DeckDocument] {
      addDeck(id: id, name: deck.name, separator: "::", deck.preset, presets)
    }
    for (id, document) in try decode(documents.models, "models") as [Int64: NoteTypeDocument] {
      var type = NoteType(name: document.name, isCloze: document.type == 1)
      (type.changedAt, type.css) = (document.mod ?? 0, document.css ?? "")
      (type.latexStart, type.latexEnd) = (document.latexPre, document.latexPost)
      type.fields = document.flds.enumerated().sorted { ($0.element.ord ?? $0.offset) < ($1.element.ord ?? $1.offset) }
        .map(\.element.name)
      for (index, template) in document.tmpls.enumerated() {
        type.templates[template.ord ?? index] = Template(
          name: template.name, question: template.qfmt, answer: template.afmt)
      }
      noteTypes[id] = type
    }
  }
}

extension AnkiCollection {
  /// Returns notes with their note types, for the way back to Anki.
  ///
  /// - Parameter ids: The notes.
  func sourceNotes(_ ids: Set<Int64>) -> SourceNotes {
    let used = ids.sorted().compactMap { notes[$0] }
    let types = Set(used.map(\.type)).sorted().compactMap { id in
      noteTypes[id].map { type in
        SourceNotes.NoteType(
          id: id, name: type.name, changedAt: type.changedAt, isCloze: type.isCloze, css: type.css,
          latexStart: type.latexStart, latexEnd: type.latexEnd, fields: type.fields,
          templates: type.templates.sorted { $0.key < $1.key }.map {
            SourceNotes.NoteType.Template(
              name: $0.value.name, question: $0.value.question, answer: $0.value.answer)
          })
      }
    }
    let cardsByNote = Dictionary(grouping: cards, by: \.note)
    return SourceNotes(
      types: types,
      notes: used.map {
        SourceNotes.Note(
          id: $0.id, guid: $0.guid, type: $0.type, changedAt: $0.changedAt, tags: $0.tags, fields: $0.fields,
          cards: cardsByNote[$0.id]?.map { SourceNotes.Card(ordinal: $0.ordinal, id: $0.id, flag: $0.flag) } ?? [])
      })
  }

  /// Returns the progress of a card, or `nil` if it is new and neither suspended nor buried.
  func progress(of card: Card, key: String, activity: String) -> CardProgress? {
    let state = card.state
    let answers = answers[card.id] ?? []
    guard let start, state.type != 0 || state.queue < 0 || !answers.isEmpty else { return nil }
    let phase: CardPhase = [1: .learning, 2: .review, 3: .relearning][state.type] ?? .new
    let isTime = state.due > 1_000_000_000
    let due: CardProgress.Due? =
      phase == .new
      ? nil
      : isTime
        ? .time(Timestamp(milliseconds: min(4_102_444_800, state.due) * 1000))
        : .day(Int(clamping: max(-36_500, min(73_000, state.due))), after: start)
    let memory =
      state.stability.flatMap { stability in
        state.difficulty.map { CardMemory(stability: stability, difficulty: $0) }
      }
      ?? (answers.isEmpty && state.type >= 2 && state.interval > 0
        ? AnkiLogEntry.memory(factor: state.factor, days: state.interval, model: model) : nil)
    return CardProgress(
      activity: activity, card: key, answers: answers, phase: phase, remainingSteps: state.remainingSteps, due: due,
      intervalDays: Int(clamping: max(0, min(36_500, state.interval))), memory: memory,
      answerCount: Int(clamping: max(0, state.reviews)), lapses: Int(clamping: max(0, state.lapses)),
      isSuspended: state.queue == -1, isBuried: state.queue < -1)
  }
}

/// The scheduling of a card.
///
/// Source: the columns of Anki's table `cards`, and the fields of their `data`.
struct AnkiCardState: Hashable, Sendable {
  /// 0 new, 1 learning, 2 review, 3 relearning.
  let type: Int64
  /// Negative for a suspended (-1) or buried (-2, -3) card.
  let queue: Int64
  /// The position of a new card, the day of a review since the collection was created, or the time of the next step in
  /// seconds since 1970.
  let due: Int64
  /// The interval in days; negative in seconds.
  let interval: Int64
  /// SM-2's ease in thousandths, or 0.
  let factor: Int64
  let reviews: Int64
  let lapses: Int64
  /// The number of remaining learning or relearning steps, including the current one.
  let remainingSteps: Int
  /// FSRS's stability in days and difficulty from 1 to 10, if the collection has used FSRS.
  let stability: Double?
  let difficulty: Double?
  /// The position that the card had as a new card.
  let position: Int64?

  /// Whether the card was answered, or was suspended or buried.
  var hasProgress: Bool { type != 0 || queue < 0 || reviews > 0 }

  private struct CardData: Decodable {
    let pos: Int64?
    let s: Double?
    let d: Double?
  }

  /// Reads the columns from 4 of a card.
  ///
  /// - Parameter isChecked: Whether values that are only needed for the progress are refused if they are invalid.
  init(_ row: ForeignRow, isChecked: Bool) throws {
    type = try row.integer(4)
    queue = try row.integer(5)
    let original = try row.integer(11)
    due = try row.integer(12) != 0 && original != 0 ? original : try row.integer(6)
    interval = try row.integer(7)
    guard interval >= 0 || type < 2 || !isChecked else { throw row.wrong(7, "an interval of 0 or more days") }
    factor = try row.integer(8)
    reviews = try row.integer(9)
    lapses = try row.integer(10)
    // The thousands are the steps that can be done today.
    remainingSteps = Int(max(0, try row.integer(15)) % 1000)
    let text = try row.text(13)
    let data = text.isEmpty ? nil : try? JSONDecoder().decode(CardData.self, from: Data(text.utf8))
    guard text.isEmpty || data != nil || !isChecked else { throw row.wrong(13, "JSON as Anki writes it") }
    stability = data?.s
    difficulty = data?.d
    position = type == 0 ? due : data?.pos
  }
}
