import LearningModel
import Testing

@testable import CourseKit
@testable import LearningStore

struct ReimportTests {
  let fixture: LibraryFixture

  init() throws {
    fixture = try LibraryFixture()
    try fixture.importOutline(Self.before)
  }

  static let before = """
    english "English"
      meetings "Meetings"
        opening "Opening"
          agenda "Agenda": Read the agenda.
          greeting "Greeting": Say good morning.
          names "Names": Repeat each name.
        closing "Closing"
          farewell "Farewell": Say goodbye.
      negotiating "Negotiating"
        offers "Offers"
          brief "Brief": Read the brief.
    """

  @Test func `edits elsewhere do not change the estimated duration of a long text`() throws {
    let long = String(repeating: "Read the brief again. ", count: 2_000) + "Then stop."
    let edition = Self.before.replacing("Read the brief.", with: long)
    let fixture = try LibraryFixture()
    try fixture.importOutline(edition)
    let before = try fixture.seconds()

    try fixture.importOutline(edition.replacing("Say goodbye.", with: "Say goodbye, and mean it."))
    let after = try fixture.seconds()
    try fixture.importOutline(edition.replacing("\"Names\": Repeat each name.", with: "\"First names\": \(long)"))

    #expect(before["brief"] == long.count / 20 && before["english"] == long.count / 20 + 4 * 60)
    #expect(after == before)
    #expect(try fixture.seconds()["english"] == 2 * (long.count / 20) + 3 * 60)
  }

  @Test func `a first import adds everything`() throws {
    #expect(try fixture.drawing() == Self.before)
    #expect(try fixture.path("farewell") == "english/meetings/closing/farewell")
    #expect(try fixture.library.check() == [])
    #expect(
      try fixture.library.courses() == [
        CourseRow(
          path: PlacePath("english"), kind: .course, title: "English", revision: 1,
          counts: ContentCounts(course: 1, goal: 2, lesson: 3, activity: 5), progress: 0)
      ])
  }

  @Test func `importing the same source again changes nothing`() throws {
    let before = try fixture.everything()

    let report = try fixture.importOutline(Self.before)

    #expect(
      report
        == ImportReport(
          source: "english", format: "outline", key: "english", course: PlacePath("english"), title: "English",
          revision: 1,
          imported: true,
          difference: DifferenceCounts(unchanged: 11),
          counts: ContentCounts(course: 1, goal: 2, lesson: 3, activity: 5), losses: [], diagnostics: []))
    #expect(try fixture.everything() == before)
  }

  static let edits: [(edit: String, after: String, changes: [NodeChange], unchanged: Int)] = [
    (
      "a title", Self.before.replacing("\"Agenda\"", with: "\"The plan\""),
      [NodeChange(change: .renamed, kind: .activity, key: "agenda", title: "The plan")], 10
    ),
    (
      "a text", Self.before.replacing("Say goodbye", with: "Thank them"),
      [NodeChange(change: .changed, kind: .activity, key: "farewell", title: "Farewell")], 10
    ),
    (
      "a place added in front",
      Self.before.replacing("      agenda", with: "      hello \"Hello\": Hello.\n      agenda"),
      [NodeChange(change: .added, kind: .activity, key: "hello", title: "Hello")], 11
    ),
    (
      "a place taken away", Self.before.replacing("      agenda \"Agenda\": Read the agenda.\n", with: ""),
      [NodeChange(change: .removed, kind: .activity, key: "agenda", title: "Agenda")], 10
    ),
    (
      "the last sibling put first",
      Self.before.replacing("      names \"Names\": Repeat each name.\n", with: "")
        .replacing("      agenda", with: "      names \"Names\": Repeat each name.\n      agenda"),
      [NodeChange(change: .moved, kind: .activity, key: "names", title: "Names")], 10
    ),
    (
      "a place moved to another lesson",
      Self.before.replacing("      greeting \"Greeting\": Say good morning.\n", with: "")
        .replacing("      farewell", with: "      greeting \"Greeting\": Say good morning.\n      farewell"),
      [NodeChange(change: .moved, kind: .activity, key: "greeting", title: "Greeting")], 10
    ),
    (
      "a goal made a lesson of another goal",
      """
      english "English"
        meetings "Meetings"
          opening "Opening"
            agenda "Agenda": Read the agenda.
            greeting "Greeting": Say good morning.
            names "Names": Repeat each name.
          closing "Closing"
            farewell "Farewell": Say goodbye.
          negotiating "Negotiating"
            offers "Offers"
              brief "Brief": Read the brief.
      """,
      [
        NodeChange(change: .moved, kind: .lesson, key: "negotiating", title: "Negotiating"),
        NodeChange(change: .changed, kind: .lesson, key: "negotiating", title: "Negotiating"),
      ], 10
    ),
    (
      "an activity split into a lesson",
      Self.before.replacing(
        "      brief \"Brief\": Read the brief.",
        with: "      brief \"Brief\"\n        first \"First\": Read the brief."),
      [
        NodeChange(change: .changed, kind: .lesson, key: "brief", title: "Brief"),
        NodeChange(change: .added, kind: .activity, key: "first", title: "First"),
      ], 10
    ),
    (
      "a lesson made an activity, its own going elsewhere",
      """
      english "English"
        meetings "Meetings"
          opening "Opening"
            agenda "Agenda": Read the agenda.
            greeting "Greeting": Say good morning.
            names "Names": Repeat each name.
            closing "Closing": Say goodbye.
        negotiating "Negotiating"
          offers "Offers"
            brief "Brief": Read the brief.
            farewell "Farewell": Say goodbye.
      """,
      [
        NodeChange(change: .moved, kind: .activity, key: "closing", title: "Closing"),
        NodeChange(change: .changed, kind: .activity, key: "closing", title: "Closing"),
        NodeChange(change: .moved, kind: .activity, key: "farewell", title: "Farewell"),
      ], 9
    ),
    (
      "a lesson and the goal's other lesson nested the other way round",
      """
      english "English"
        meetings "Meetings"
          closing "Closing"
            opening "Opening"
              agenda "Agenda": Read the agenda.
              greeting "Greeting": Say good morning.
              names "Names": Repeat each name.
            farewell "Farewell": Say goodbye.
        negotiating "Negotiating"
          offers "Offers"
            brief "Brief": Read the brief.
      """,
      [NodeChange(change: .moved, kind: .lesson, key: "opening", title: "Opening")], 10
    ),
  ]

  @Test func `a changed summary or duration is reported and stored`() throws {
    func source(_ summary: String, _ minutes: Int) -> [UInt8] {
      Array(
        """
        {"waymark": 1, "course": {"key": "bees", "title": "Bees", "children": [
        {"key": "g", "title": "G", "summary": "\(summary)", "children": [{"key": "l", "title": "L", "children": [
        {"key": "a", "title": "A", "minutes": \(minutes), "reading": "x"}]}]}]}}
        """.utf8)
    }
    try fixture.library.importCourse(named: "bees.json", bytes: source("One.", 3))

    let report = try fixture.library.importCourse(named: "bees.json", bytes: source("Two.", 4))

    #expect(
      report.changes == [
        NodeChange(change: .changed, kind: .goal, key: "g", title: "G"),
        NodeChange(change: .changed, kind: .activity, key: "a", title: "A"),
      ])
    #expect(try fixture.library.place(at: PlacePath("bees/g")).node?.summary == "Two.")
    #expect(try fixture.library.place(at: PlacePath("bees/g/l/a")).node?.minutes == 4)
  }

  @Test(arguments: edits.indices)
  func `each edit is reported and applied, and nodes keep their identifiers`(number: Int) throws {
    let edit = Self.edits[number]
    let ids = try ["agenda", "brief", "farewell", "opening", "closing", "negotiating"].map(fixture.id)

    let report = try fixture.importOutline(edit.after)

    #expect(report.changes == edit.changes, "\(edit.edit)")
    #expect(report.difference.unchanged == edit.unchanged, "\(edit.edit)")
    #expect(report.revision == 2)
    #expect(try fixture.drawing() == edit.after)
    #expect(try ["agenda", "brief", "farewell", "opening", "closing", "negotiating"].map(fixture.id) == ids)
    #expect(try fixture.library.check() == [])
    #expect(try fixture.library.tree().filter { $0.depth > 0 }.count == report.counts.total - 1)
  }

  @Test(arguments: edits.indices)
  func `undoing an edit restores the course and its paths`(number: Int) throws {
    let paths = try fixture.library.tree().map(\.path)

    try fixture.importOutline(Self.edits[number].after)
    let report = try fixture.importOutline(Self.before)

    #expect(report.revision == 3)
    #expect(try fixture.drawing() == Self.before)
    #expect(try fixture.library.tree().map(\.path) == paths)
    #expect(try fixture.library.check() == [])
  }

  @Test func `a removed place keeps title and path and can be restored`() throws {
    let id = try fixture.id("agenda")
    try fixture.importOutline(Self.edits[3].after)

    let removed = try #require(
      try fixture.library.store.read { try $0.node(id!) })
    #expect(removed.title == "Agenda")
    #expect(removed.removedInRevision == 2)
    #expect(try fixture.path("agenda") == "english/meetings/opening/agenda")
    #expect(
      throws: CourseLibraryError.removedPlace(
        path: PlacePath("english/meetings/opening/agenda"), title: "Agenda",
        survivor: PlacePath("english/meetings/opening"))
    ) {
      try fixture.library.place(at: PlacePath("english/meetings/opening/agenda"))
    }

    let report = try fixture.importOutline(Self.before)
    #expect(report.changes == [NodeChange(change: .added, kind: .activity, key: "agenda", title: "Agenda")])
    #expect(try fixture.id("agenda") == id)
    #expect(
      try fixture.library.content(at: PlacePath("english/meetings/opening/agenda")).plainText == "Read the agenda.")
  }

  @Test func `the search follows each import`() throws {
    try fixture.importOutline(Self.edits[1].after)

    #expect(try fixture.library.search("goodbye ").hits == [])
    #expect(
      try fixture.library.search("thank").hits.map { [$0.path.description] + $0.breadcrumb } == [
        ["english/meetings/closing/farewell", "English", "Meetings", "Closing"]
      ])
  }
}
