import CourseFormats
import Foundation
import LearningModel
import TestSupport
import Testing

/// Tests with damaged and malicious packages.
struct AnkiHostileTests {
  // MARK: Random damage

  /// Returns the bytes of a file with one random modification.
  private static func broken(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    guard !bytes.isEmpty else { return [UInt8(random.below(256))] }
    let at = random.below(bytes.count)
    let length = min(bytes.count - at, 1 + random.below(200))
    switch random.below(8) {
    case 0: bytes[at] = UInt8(random.below(256))
    case 1: bytes[at] ^= 1 << UInt8(random.below(8))
    case 2: bytes.removeSubrange(at..<at + length)
    case 3: bytes.insert(contentsOf: bytes[at..<at + length], at: random.below(bytes.count))
    case 4: bytes.removeSubrange(at...)
    case 5: bytes.replaceSubrange(at..<at + length, with: repeatElement(bytes[at], count: length))
    case 6: for index in at..<at + length { bytes[index] = UInt8(random.below(256)) }
    default:
      let words = [
        "{{c1::", "}}", "{{#", "{{/", "::", "\u{1F}", "<p>", "[sound:", "\\(", "CREATE VIEW", "{", "\u{1B}[31m",
      ]
      let word = Array(words[random.below(words.count)].utf8)
      bytes.replaceSubrange(at..<min(bytes.count, at + word.count), with: word)
    }
    return bytes
  }

  /// Returns the files of a package in `Fixtures`.
  static func files(_ name: String) throws -> [(path: String, bytes: [UInt8])] {
    let source = try CourseSource(path: fixtures.appending(path: "anki/" + name).path)
    return try source.entries().map { ($0.path, try source.bytes(of: $0.path)) }
  }

  @Test(arguments: Tier.seeds(Array(0..<300), long: 0..<3_000))
  func `a damaged package is either read or rejected with an error that names a file`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let name = ["knots-anki2.apkg", "knots-anki21.apkg", "knots.apkg"][random.below(3)]
    let folder = try TestFolder(name: "package")
    let path: String
    if random.oneIn(4) {
      // The archive itself.
      let bytes = Array(try Data(contentsOf: fixtures.appending(path: "anki/" + name)))
      try folder.write(Data(Self.broken(bytes, &random)), to: name)
      path = folder.path + "/" + name
    } else {
      let files = try Self.files(name)
      // Most often the collection, on a page that is read.
      let chosen =
        random.oneIn(3) ? random.below(files.count) : files.firstIndex { $0.path.hasPrefix("collection.anki2") }!
      for (index, file) in files.enumerated() {
        var bytes = file.bytes
        if index == chosen { for _ in 0...random.below(3) { bytes = Self.broken(bytes, &random) } }
        try folder.write(Data(bytes), to: file.path)
      }
      path = folder.path
    }

    var draft: CourseDraft?
    let seconds = try processorSeconds {
      do {
        draft = try FormatRegistry.read(CourseSource(path: path), from: "anki")
      } catch let error as CourseFormatError {
        #expect(error.kind == .badData)
        #expect(!error.diagnostic.file.isEmpty && error.description == error.description.withoutEscapes)
      }
    }

    #expect(seconds < 2)
    guard let draft else { return }
    #expect(Set(draft.nodes.map(\.key)).count == draft.nodes.count || draft.isRefused)
    for content in try draft.allContents() {
      guard case .flashcards(_, let cards) = content else {
        Issue.record("an activity is not a set of flashcards")
        continue
      }
      #expect(Set(cards.map(\.key)).count == cards.count && cards.count <= 200)
      #expect(content.plainText == content.plainText.withoutEscapes)
    }
  }

  // MARK: Malicious collections

  /// Runs SQL on the collection of a package in the oldest version, and returns the error of reading it.
  private func error(after sql: String, withProgress: Bool = false) throws -> CourseFormatError? {
    let folder = try TestFolder(name: "package")
    for file in try Self.files("knots-anki2.apkg") { try folder.write(Data(file.bytes), to: file.path) }
    try Self.runSQLite(sql, on: folder.path + "/collection.anki2")
    do {
      var options = ReadOptions()
      options.includesProgress = withProgress
      _ = try FormatRegistry.read(CourseSource(path: folder.path), options: options)
      return nil
    } catch let error as CourseFormatError {
      return error
    }
  }

  static func runSQLite(_ sql: String, on path: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-bail", path]
    let input = Pipe()
    process.standardInput = input
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(sql.utf8))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  /// Returns SQL that gives all decks a preset.
  static func preset(_ json: String) -> String {
    """
    UPDATE col SET dconf = json_object('7', json('\(json)')), decks = (
      SELECT json_group_object(key, json_set(value, '$.conf', 7)) FROM json_each(col.decks))
    """
  }

  private static let recursion =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x, x, x, x, x FROM c"

  @Test(arguments: [
    (
      "ALTER TABLE notes RENAME TO other; CREATE VIEW notes(id, guid, mid, tags, flds) AS \(recursion)",
      "it has no table 'notes'"
    ),
    (
      "ALTER TABLE notes RENAME TO other; CREATE VIRTUAL TABLE notes USING fts5(guid, mid, tags, flds)",
      "it has no table 'notes'"
    ),
    ("DROP TABLE cards", "it has no table 'cards'"),
    ("ALTER TABLE notes DROP COLUMN guid", "SQLite reports 'no such column: guid'"),
    ("UPDATE notes SET mid = 'x' WHERE id = 1002", "'mid' in row 2 of its table 'notes' is not a whole number but 'x'"),
    (
      "UPDATE notes SET flds = x'FF' WHERE id = 1002",
      "'flds' in row 2 of its table 'notes' is not a text in UTF-8 but '\u{FFFD}'"
    ),
    ("UPDATE col SET models = '{'", "'models' in its table 'col' is not as Anki writes it"),
    ("DELETE FROM col", "its table 'col' is empty"),
    ("UPDATE col SET dconf = '[1'", "'dconf' in its table 'col' is not as Anki writes it"),
    (
      preset(#"{"name": "Mine", "rev": {"perDay": -1}}"#),
      "the number of reviews a day of its preset 'Mine' is '-1.0'"
    ),
    (preset(#"{"name": "Mine", "new": {"delays": [1, -5]}}"#), "the learning steps of its preset 'Mine' is '-300.0'"),
    (preset(#"{"name": "Mine", "fsrsParams6": [1, 2]}"#), "the weights of its preset 'Mine' is '1.0 2.0'"),
  ])
  func `a collection that is not as Anki writes it is refused`(_ sql: String, _ problem: String) throws {
    #expect(
      try error(after: sql)
        == .malformed(file: "collection.anki2", line: nil, problem: problem, advice: "Export the deck from Anki again.")
    )
  }

  @Test(arguments: [
    (
      "UPDATE cards SET data = '{\"s\":' WHERE id = 2001",
      "'data' in row 2 of its table 'cards' is not JSON as Anki writes it but '{\"s\":'"
    ),
    (
      "UPDATE cards SET ivl = -3 WHERE id = 2000",
      "'ivl' in row 1 of its table 'cards' is not an interval of 0 or more days but '-3'"
    ),
  ])
  func `a scheduling value that is not as Anki writes it is refused if the progress is imported`(
    _ sql: String, _ problem: String
  ) throws {
    #expect(
      try error(after: sql, withProgress: true)
        == .malformed(file: "collection.anki2", line: nil, problem: problem, advice: "Export the deck from Anki again.")
    )
    #expect(try error(after: sql) == nil)
  }

  @Test func `a trigger in a collection does not run, and the file is unchanged`() throws {
    #expect(
      try error(after: "CREATE TRIGGER t AFTER UPDATE ON notes BEGIN DELETE FROM cards; END") == nil)
  }

  @Test func `a template that repeats a field too often exceeds a limit`() throws {
    let template = String(repeating: "{{Term}}", count: 60_000)
    let sql = """
      UPDATE col SET models = json_set(models, '$."100".tmpls[0].qfmt', '\(template)');
      UPDATE notes SET flds = printf('%.*c', 100, 'x') || char(31) || 'b' || char(31) WHERE id = 1001
      """

    #expect(try error(after: sql) == .limit(.cardSize(1 << 20), file: "collection.anki2", line: nil))
  }

  @Test func `braces of gaps on a card without gaps stay text`() throws {
    let folder = try TestFolder(name: "package")
    for file in try Self.files("knots-anki2.apkg") { try folder.write(Data(file.bytes), to: file.path) }
    try Self.runSQLite(
      "UPDATE notes SET flds = 'Write {{c1::a}} for a gap' || char(31) || 'b' || char(31) WHERE id = 1001",
      on: folder.path + "/collection.anki2")

    let cards = try folder.read().allContents().flatMap { content -> [Flashcard] in
      if case .flashcards(_, let cards) = content { cards } else { [] }
    }

    let literal = cards.filter(\.isLiteral)
    #expect(literal.map { $0.faces(.forward).question.plainText }.contains("Write {{c1::a}} for a gap"))
    #expect(literal.allSatisfy { $0.variants == [.forward] && !$0.hasGaps })
    let coded = try JSONDecoder().decode([Flashcard].self, from: JSONEncoder().encode(literal))
    #expect(coded == literal)
  }

  @Test(arguments: [Int64.max, Int64.min, -1]) func `a card with an impossible number has no template`(
    _ number: Int64
  ) throws {
    #expect(try error(after: "UPDATE cards SET ord = \(number)") == nil)
  }

  @Test func `cards without a note, a template or a deck are counted`() throws {
    let folder = try TestFolder(name: "package")
    for file in try Self.files("knots-anki2.apkg") { try folder.write(Data(file.bytes), to: file.path) }
    try Self.runSQLite(
      """
      UPDATE cards SET nid = 7 WHERE nid = 1001; UPDATE cards SET ord = 9 WHERE nid = 1002 AND ord = 1;
      UPDATE cards SET did = 99 WHERE nid = 1005
      """, on: folder.path + "/collection.anki2")

    let draft = try folder.read()

    let cards = try draft.allContents().flatMap { content -> [Flashcard] in
      if case .flashcards(_, let cards) = content { cards } else { [] }
    }
    #expect(cards.map(\.key) == ["sheet/0", "hitch/0", "hitch/1", "loop/0"])
    #expect(
      draft.losses.map { "\($0.count) \($0.what)" } == [
        "1 card without a deck", "1 deck without cards", "1 card without a note", "1 card without a template",
      ])
  }

  // MARK: Malicious archives

  @Test func `a compressed collection that unpacks to more than the limit is refused`() throws {
    let files = try Self.files("knots.apkg")
    let folder = try TestFolder(name: "package")
    for file in files { try folder.write(Data(file.bytes), to: file.path) }
    var limits = SourceLimits.standard
    limits.collectionSize = 4_096

    #expect(throws: CourseFormatError.limit(.unpackedSize(4_096), file: "collection.anki21b", line: nil)) {
      try folder.read(limits: limits)
    }
  }

  @Test func `a package without a collection is refused`() throws {
    let folder = try TestFolder(name: "package")
    try folder.write(Archives.zip([("media", "{}"), ("a.txt", "x")]), to: "deck.apkg")

    #expect(
      throws: CourseFormatError.malformed(
        file: "deck.apkg", line: nil, problem: "it contains no collection of Anki",
        advice: "Export the deck from Anki again.")
    ) {
      try FormatRegistry.read(CourseSource(path: folder.path + "/deck.apkg"))
    }
  }

  @Test func `a damaged list of media is a warning, and the cards are read`() throws {
    let folder = try TestFolder(name: "package")
    for file in try Self.files("knots.apkg") where file.path != "media" {
      try folder.write(Data(file.bytes), to: file.path)
    }
    try folder.write(Data([1, 2, 3]), to: "media")

    let draft = try folder.read()

    #expect(draft.counts.activity == 4)
    #expect(
      draft.diagnostics.map(\.description) == [
        "media: warning: The list of media is not read, so no image is shown. Zstd reports 'Unknown frame descriptor'. "
          + "Export the deck from Anki again."
      ])
  }
}

extension String {
  /// The text without control characters.
  fileprivate var withoutEscapes: String {
    filter { !$0.isASCII || $0.asciiValue! >= 0x20 || $0 == "\n" || $0 == "\t" }
  }
}
