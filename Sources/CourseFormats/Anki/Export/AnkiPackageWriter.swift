package import Foundation
import GRDBSQLite
import JSONCoding
package import LearningModel
import WholeNumbers

/// Writes notes and their images as a package that all versions of Anki import: a collection in schema 11 with a note
/// type of two fields for each kind of notes.
///
/// Source: the schema 11 of Anki's collections.
package enum AnkiPackageWriter {
  /// The beginning of the names of the note types. ``AnkiReader`` makes one flashcard of all cards of such a note, with
  /// the identifier of the note as its key.
  static let noteType = "Waymark"
  /// The first number of notes and cards that do not come from Anki. Anki replaces numbers that are already used.
  private static let firstID: Int64 = 1_760_000_100_000

  /// Writes the package.
  ///
  /// - Parameters:
  ///   - notes: The notes.
  ///   - image: Returns the bytes of an image, or `nil` if it is no longer stored.
  ///   - preset: The name and the review settings of the learner for the decks, or `nil` for Anki's default preset.
  ///   - time: The time of the export.
  ///   - timeZone: The time zone of the learner, in which the days of reviews begin.
  ///   - sink: Receives the zip file in chunks.
  /// - Throws: The errors of `image` and `sink`, and ``CourseFormatError``.
  package static func write(
    _ notes: AnkiNotes, image: (String) throws -> [UInt8]?, preset: (name: String, settings: ReviewPreset)? = nil,
    at time: Timestamp, timeZone: TimeZone = .current, to sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/collection.anki2"
    try writeCollection(notes, preset, at: time, timeZone, to: path)
    let zip = try ZipWriter(to: sink)
    try zip.begin("collection.anki2", packed: true)
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty { try zip.add(Array(chunk)) }
    try file.close()
    var names: [String: String] = [:]
    for (name, digest) in notes.media.sorted(by: { $0.key < $1.key }) {
      guard let bytes = try image(digest) else { continue }
      let entry = String(names.count)
      names[entry] = name
      try zip.begin(entry, packed: false)
      try zip.add(bytes)
    }
    try zip.begin("media", packed: true)
    try zip.add(Array(try json(names).utf8))
    try zip.finish()
  }

  private static func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoding.sorted(value), as: UTF8.self)
  }

  // MARK: The collection

  private static func writeCollection(
    _ notes: AnkiNotes, _ preset: (name: String, settings: ReviewPreset)?, at time: Timestamp, _ timeZone: TimeZone,
    to path: String
  ) throws {
    let database = try OutputDatabase(path: path)
    try database.execute(schema)
    let seconds = time.milliseconds / 1000
    let cards = notes.notes.flatMap(\.cards)
    var presets = ["1": DeckSettings()]
    var presetID: Int64 = 1
    if let preset {
      presetID = number(of: [preset.name], used: [])
      presets[String(presetID)] = DeckSettings(id: presetID, name: preset.name, mod: seconds, preset.settings)
    }
    let rules = presets[String(presetID)]!
    var decks: [String: Deck] = ["1": Deck(id: 1, name: "Default", mod: 0, conf: 1)]
    var deckIDs: [[String]: Int64] = [:]
    for card in cards where deckIDs[card.deck] == nil {
      let id = number(of: card.deck, used: Set(deckIDs.values))
      deckIDs[card.deck] = id
      decks[String(id)] = Deck(id: id, name: card.deck.joined(separator: "::"), mod: seconds, conf: presetID)
    }
    var noteTypes = [String(AnkiNotes.Kind.basic.noteType.id): NoteType(AnkiNotes.Kind.basic.noteType)]
    for note in notes.notes { noteTypes[String(note.type.id)] = NoteType(note.type) }
    // Days count from the first day of the collection, on which no card can have been due before.
    let today = ReviewDay.number(at: time, in: timeZone)
    let dueDays = cards.compactMap(\.log?.history).filter { $0.state.phase != .new }.map(\.due)
    let firstDay = min(today, dueDays.min() ?? today)
    let start = ReviewDay.start(of: firstDay, in: timeZone)
    let offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(start.milliseconds) / 1000))
    try database.insert(
      "INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')",
      [
        .integer(start.milliseconds / 1000), .integer(time.milliseconds), .integer(time.milliseconds),
        .text(try json(Settings(creationOffset: -offset / 60))), .text(try json(noteTypes)), .text(try json(decks)),
        .text(try json(presets)),
      ])
    var noteIDs = FreeNumbers(after: firstID, taken: notes.notes.compactMap(\.id))
    var cardIDs = FreeNumbers(after: firstID, taken: cards.compactMap(\.id))
    var answers: [(answer: CardLog.Answer, card: Int64)] = []
    for (index, note) in notes.notes.enumerated() {
      let id = note.id ?? noteIDs.next()
      let tags = note.tags.isEmpty ? "" : " \(note.tags.joined(separator: " ")) "
      try database.insert(
        "INSERT INTO notes VALUES (?, ?, ?, ?, -1, ?, ?, ?, 0, 0, '')",
        [
          .integer(id), .text(note.guid), .integer(note.type.id), .integer(note.changedAt), .text(tags),
          .text(note.fields.joined(separator: "\u{1F}")), .text(note.fields.first ?? ""),
        ])
      for card in note.cards {
        let cardID = card.id ?? cardIDs.next()
        let state = CardColumns(
          card.log, position: index + 1, firstDay: firstDay, today: today,
          steps: (rules.new.delays.count, rules.lapse.delays.count))
        let numbers = [cardID, id, deckIDs[card.deck]!, Int64(card.ordinal), seconds] + state.numbers.map(Int64.init)
        try database.insert(
          "INSERT INTO cards VALUES (?, ?, ?, ?, ?, -1, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)",
          numbers.map { .integer($0) } + [
            .integer(Int64(card.flag)), .text(card.log == nil ? "" : try json(state.data)),
          ])
        answers += card.log?.answers.map { ($0, cardID) } ?? []
      }
    }
    try write(answers, to: database)
    try database.close()
  }

  /// Writes the log of answers. The time of an answer is its identifier, so the later of two answers at the same time is
  /// written as the next free millisecond.
  private static func write(
    _ answers: [(answer: CardLog.Answer, card: Int64)], to database: OutputDatabase
  ) throws {
    var last: Int64 = 0
    for (answer, card) in answers.sorted(by: { ($0.answer.at, $0.card) < ($1.answer.at, $1.card) }) {
      last = max(last + 1, answer.at.milliseconds)
      let factor = answer.difficulty.map { Int64(clamping: (($0 - 1) / 9 * 1000 + 100).rounded()) } ?? 2500
      let values: [Int64] = [
        last, card, Int64(answer.rating.rawValue), answer.interval.inAnki, answer.previousInterval.inAnki, factor,
        Int64(answer.milliseconds), answer.phase == .review ? 1 : answer.phase == .relearning ? 2 : 0,
      ]
      try database.insert("INSERT INTO revlog VALUES (?, ?, -1, ?, ?, ?, ?, ?, ?)", values.map { .integer($0) })
    }
  }

  /// Returns the number of a deck, which is derived from its name so that every export uses the same one.
  private static func number(of deck: [String], used: Set<Int64>) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in deck.joined(separator: "\u{1F}").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // JavaScript, with which Anki reads these numbers, represents integers up to 2⁵³ exactly.
    var number = Int64(1 << 30 + hash % (1 << 30))
    while used.contains(number) { number += 1 }
    return number
  }

  private static let schema = """
    CREATE TABLE col (id integer primary key, crt integer not null, mod integer not null, scm integer not null,
      ver integer not null, dty integer not null, usn integer not null, ls integer not null, conf text not null,
      models text not null, decks text not null, dconf text not null, tags text not null);
    CREATE TABLE notes (id integer primary key, guid text not null, mid integer not null, mod integer not null,
      usn integer not null, tags text not null, flds text not null, sfld integer not null, csum integer not null,
      flags integer not null, data text not null);
    CREATE TABLE cards (id integer primary key, nid integer not null, did integer not null, ord integer not null,
      mod integer not null, usn integer not null, type integer not null, queue integer not null, due integer not null,
      ivl integer not null, factor integer not null, reps integer not null, lapses integer not null,
      left integer not null, odue integer not null, odid integer not null, flags integer not null, data text not null);
    CREATE TABLE revlog (id integer primary key, cid integer not null, usn integer not null, ease integer not null,
      ivl integer not null, lastIvl integer not null, factor integer not null, time integer not null,
      type integer not null);
    CREATE TABLE graves (usn integer not null, oid integer not null, type integer not null);
    CREATE INDEX ix_notes_usn ON notes (usn);
    CREATE INDEX ix_cards_usn ON cards (usn);
    CREATE INDEX ix_revlog_usn ON revlog (usn);
    CREATE INDEX ix_cards_nid ON cards (nid);
    CREATE INDEX ix_cards_sched ON cards (did, queue, due);
    CREATE INDEX ix_revlog_cid ON revlog (cid);
    CREATE INDEX ix_notes_csum ON notes (csum);
    """

  private struct Settings: Encodable {
    let activeDecks = [1], curDeck = 1, nextPos = 1, schedVer = 2
    /// The offset of the time zone at the first day, in minutes to the west.
    let creationOffset: Int
    let rollover = ReviewDay.startHour
    let sortType = "noteFld", sortBackwards = false, newSpread = 0, dueCounts = true, estTimes = true
    let curModel = String(AnkiNotes.Kind.basic.noteType.id), collapseTime = 1200, timeLim = 0, addToCur = true,
      dayLearnFirst = false
  }

  private struct Deck: Encodable {
    let id: Int64
    let name: String
    let mod: Int64
    let conf: Int64
    let usn = -1, dyn = 0, extendNew = 0, extendRev = 0
    let desc = "", collapsed = false, browserCollapsed = false
    let lrnToday = [0, 0], newToday = [0, 0], revToday = [0, 0], timeToday = [0, 0]
  }

  private struct DeckSettings: Encodable {
    struct New: Encodable {
      var delays = [1.0, 10.0], perDay = 20, bury = false
      let ints = [1, 4, 0], initialFactor = 2500, order = 1
    }
    struct Review: Encodable {
      var maxIvl = 36_500, perDay = 200, bury = false
      let ease4 = 1.3, fuzz = 0.05, ivlFct = 1.0, hardFactor = 1.2
    }
    struct Lapse: Encodable {
      var delays = [10.0], leechFails = 8, leechAction = 1
      let mult = 0.0, minInt = 1
    }
    var id: Int64 = 1, mod: Int64 = 0, name = "Default", desiredRetention = 0.9, fsrsParams6: [Double] = []
    let usn = 0, maxTaken = 60, timer = 0, autoplay = true, replayq = true, dyn = false
    var new = New(), rev = Review(), lapse = Lapse()

    init() {}

    init(id: Int64, name: String, mod: Int64, _ settings: ReviewPreset) {
      func number<Number: LosslessStringConvertible>(_ name: ReviewSettingName, _ number: inout Number) {
        number = settings[name].flatMap { Number($0) } ?? number
      }
      func minutes(_ name: ReviewSettingName, _ minutes: inout [Double]) {
        minutes = settings[name].flatMap(ReviewSteps.steps)?.map { Double($0) / 60 } ?? minutes
      }
      (self.id, self.name, self.mod) = (id, name, mod)
      minutes(.learningSteps, &new.delays)
      minutes(.relearningSteps, &lapse.delays)
      number(.newCards, &new.perDay)
      number(.reviews, &rev.perDay)
      number(.maximumInterval, &rev.maxIvl)
      number(.leechLapses, &lapse.leechFails)
      number(.retention, &desiredRetention)
      if settings[.suspendsLeeches] == "true" { lapse.leechAction = 0 }
      let siblings = settings[.waitingSiblings]
      (new.bury, rev.bury) = (siblings != "none", siblings == "all")
      fsrsParams6 = settings[.weights].flatMap(MemoryModel.init(storedText:))?.weights ?? []
    }
  }

  private struct NoteType: Encodable {
    struct Field: Encodable {
      let name: String
      let ord: Int
      let font = "Arial", size = 20, rtl = false, sticky = false, media: [String] = []
    }
    struct Template: Encodable {
      let name: String, ord: Int, qfmt: String, afmt: String
      let bqfmt = "", bafmt = "", bfont = "", bsize = 0

      init(_ template: SourceNotes.NoteType.Template, ord: Int) {
        (name, self.ord, qfmt, afmt) = (template.name, ord, template.question, template.answer)
      }
    }
    let id: Int64, name: String, mod: Int64, type: Int
    let usn = -1, sortf = 0, did = 1
    let flds: [Field]
    let tmpls: [Template]
    let css: String
    let latexPre: String
    let latexPost: String, latexsvg = false
    let tags: [String] = [], vers: [String] = []

    init(_ type: SourceNotes.NoteType) {
      (id, name, mod, self.type) = (type.id, type.name, type.changedAt, type.isCloze ? 1 : 0)
      flds = type.fields.enumerated().map { Field(name: $1, ord: $0) }
      tmpls = type.templates.enumerated().map { Template($1, ord: $0) }
      css = type.css
      latexPre =
        type.latexStart
        ?? "\\documentclass[12pt]{article}\n\\usepackage{amssymb,amsmath}\n\\pagestyle{empty}\n\\begin{document}\n"
      latexPost = type.latexEnd ?? "\\end{document}"
    }
  }
}

/// Numbers in ascending order that are not taken.
private struct FreeNumbers {
  private var last: Int64
  private let taken: Set<Int64>

  init(after first: Int64, taken: [Int64]) { (last, self.taken) = (first - 1, Set(taken)) }

  mutating func next() -> Int64 {
    repeat { last += 1 } while taken.contains(last)
    return last
  }
}

/// The scheduling of a card in the columns of Anki's table `cards`.
private struct CardColumns {
  /// The member of the column `data`. The keys are Anki's.
  struct Data: Encodable {
    var pos: Int
    var s: Double?
    var d: Double?
    var decay: Double?
    var lrt: Int64?
  }

  /// `type`, `queue`, `due`, `ivl`, `factor`, `reps`, `lapses` and `left`.
  let numbers: [Int]
  let data: Data

  /// - Parameters:
  ///   - position: The position of a new card.
  ///   - firstDay: The day from which the collection counts.
  ///   - counts: The numbers of learning and relearning steps.
  init(_ log: CardLog?, position: Int, firstDay: Int, today: Int, steps counts: (learning: Int, relearning: Int)) {
    let history = log?.history ?? CardHistory()
    let state = history.state
    let step = history.stepEndsAt.map { Int($0.milliseconds / 1000) }
    let type = CardPhase.allCases.firstIndex(of: state.phase) ?? 0
    let isBuried = history.buriedUntil.map { $0 > today } ?? false
    let queue = history.isSuspended ? -1 : isBuried ? -2 : type == 0 || type == 2 ? type : step == nil ? 3 : 1
    let steps =
      type == 1 ? max(1, counts.learning - state.step) : type == 3 ? max(1, counts.relearning - state.step) : 0
    numbers = [
      type, queue, type == 0 ? position : step ?? history.due - firstDay,
      type < 2 ? 0 : max(1, state.intervalDays), type == 0 ? 0 : 2500, state.answers, state.lapses,
      steps * 1001,
    ]
    data = Data(
      pos: position, s: state.memory?.stability, d: state.memory?.difficulty,
      decay: state.memory.flatMap { _ in log?.decay }, lrt: history.lastAt.map { $0.milliseconds / 1000 })
  }
}

extension CardInterval {
  /// Days or, if the number is negative, seconds.
  fileprivate var inAnki: Int64 {
    switch self {
    case .seconds(let seconds): Int64(-seconds)
    case .days(let days): Int64(days)
    }
  }
}

extension AnkiNotes.Kind {
  /// The note type. Anki recognises it by its number, and keeps the changes that its user makes, because the time of the last
  /// change is the same in all exports.
  var noteType: SourceNotes.NoteType {
    let line = "\n\n<hr id=answer>\n\n"
    func template(_ name: String, from question: String, to answer: String) -> SourceNotes.NoteType.Template {
      SourceNotes.NoteType.Template(
        name: name, question: "{{\(question)}}", answer: "{{FrontSide}}\(line){{\(answer)}}")
    }
    let forward = template("Card 1", from: "Front", to: "Back")
    func type(_ number: Int64, _ name: String, _ fields: [String], _ templates: [SourceNotes.NoteType.Template])
      -> SourceNotes.NoteType
    {
      SourceNotes.NoteType(
        id: 1_760_000_000_000 + number, name: AnkiPackageWriter.noteType + name, changedAt: 1_760_000_000,
        isCloze: self == .cloze,
        css:
          ".card { font-family: sans-serif; font-size: 20px; text-align: center; }\npre, ul, ol, dl, table { text-align: left; }",
        fields: fields, templates: templates)
    }
    switch self {
    case .basic: return type(1, "", ["Front", "Back"], [forward])
    case .reversed:
      return type(
        2, " (and reversed card)", ["Front", "Back"], [forward, template("Card 2", from: "Back", to: "Front")])
    case .cloze:
      return type(
        3, " Cloze", ["Text", "Back Extra"],
        [
          // The answer repeats the front with the text of the gap.
          SourceNotes.NoteType.Template(
            name: "Cloze", question: "{{cloze:Text}}", answer: "{{cloze:Text}}<br>\n{{Back Extra}}")
        ])
    }
  }
}

/// A new SQLite file.
private final class OutputDatabase {
  enum Value {
    case integer(Int64)
    case text(String)
  }

  private var connection: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  init(path: String) throws {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK else { throw failure }
    // The file is temporary, so it needs neither a journal nor to survive a power failure.
    try execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(connection)
  }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  func insert(_ sql: String, _ values: [Value]) throws {
    var statement = statements[sql]
    if statement == nil {
      guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { throw failure }
      statements[sql] = statement
    }
    let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (index, value) in values.enumerated() {
      let place = CInt(index + 1)
      let code =
        switch value {
        case .integer(let number): sqlite3_bind_int64(statement, place, number)
        case .text(let text): sqlite3_bind_text(statement, place, text, CInt(text.utf8.count), copying)
        }
      guard code == SQLITE_OK else { throw failure }
    }
    guard sqlite3_step(statement) == SQLITE_DONE, sqlite3_reset(statement) == SQLITE_OK else { throw failure }
  }

  func close() throws { try execute("COMMIT") }

  private var failure: CourseFormatError {
    .noTemporarySpace(
      reason: "SQLite reports \(quoted: sqlite3_errmsg(connection).map { String(cString: $0) } ?? "an error")")
  }
}
