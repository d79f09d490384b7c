import LearningModel
import Testing

@testable import CourseKit
@testable import LearningStore

/// Tests paths that were recorded before a course was edited.
struct FormerPathTests {
  private let fixture: LibraryFixture

  init() throws {
    fixture = try LibraryFixture()
    try fixture.importOutline(ReimportTests.before)
  }

  @Test func `slugs survive new titles, and former paths survive moves`() throws {
    try fixture.importOutline(
      """
      english "English for all"
        meetings "Good meetings"
          closing "The end"
            farewell "So long": Say goodbye.
            agenda "The plan": Read the agenda.
        negotiating "Negotiating"
          opening "The start"
            greeting "Greeting": Say good morning.
            names "Names": Repeat each name.
          offers "Offers"
            brief "Brief": Read the brief.
      """)

    #expect(try fixture.path("farewell") == "english/meetings/closing/farewell")
    #expect(try fixture.path("names") == "english/negotiating/opening/names")
    #expect(try fixture.key(at: "english/meetings/opening/names") == "names")
    #expect(try fixture.key(at: "english/meetings/opening/agenda") == "agenda")
    #expect(try fixture.library.place(at: PlacePath("english/meetings/opening/agenda")).reference.title == "The plan")
  }

  @Test func `if a slug of one course is the key of another, the path leads to the course with the slug`() throws {
    try fixture.importOutline(
      """
      book-7 "A book of maps"
        hills "Hills"
          lines "Lines"
            close "Close": The closer, the steeper.
      """)
    try fixture.importOutline(
      """
      book-8 "Book 7"
        rivers "Rivers"
          down "Down"
            run "Run": They run down.
      """)

    #expect(try fixture.library.courses().map(\.path.description) == ["english", "a-book-of-maps", "book-7"])
    #expect(try fixture.key(at: "a-book-of-maps") == "book-7")
    #expect(try fixture.key(at: "book-7") == "book-8")
    #expect(try fixture.key(at: "book-8/rivers/down/run") == "run")
    #expect(try fixture.library.export(PlacePath("book-8")).contains("They run down."))
  }

  @Test func `a new node does not take the slug of a moved one`() throws {
    let after = """
      english "English"
        meetings "Meetings"
          opening "Opening"
            second "Agenda": Another agenda.
            greeting "Greeting": Say good morning.
            names "Names": Repeat each name.
          closing "Closing"
            farewell "Farewell": Say goodbye.
            agenda "Agenda": Read the agenda.
            third "Agenda": A third agenda.
        negotiating "Negotiating"
          offers "Offers"
            brief "Brief": Read the brief.
      """
    try fixture.importOutline(after)

    #expect(try fixture.path("agenda") == "english/meetings/closing/agenda")
    #expect(try fixture.path("second") == "english/meetings/opening/agenda-2")
    #expect(try fixture.path("third") == "english/meetings/closing/agenda-2")
    #expect(try fixture.key(at: "english/meetings/opening/agenda") == "agenda")
  }

  @Test func `a former path leads to the node that left it last`() throws {
    let agenda = "      agenda \"Agenda\": Read the agenda.\n"
    let second = "      second \"Agenda\": Another agenda.\n"
    let without = ReimportTests.before.replacing(agenda, with: "")
    try fixture.importOutline(
      ReimportTests.before.replacing(agenda, with: second), ImportOptions(joinsRenamed: false))
    try #require(try fixture.key(at: "english/meetings/opening/agenda") == "second")
    try fixture.importOutline(without.replacing("      farewell", with: second + "      farewell"))

    try fixture.importOutline(
      without.replacing("      farewell", with: second + "      farewell")
        .replacing("      brief", with: agenda + "      brief"))

    #expect(try fixture.path("agenda") == "english/negotiating/offers/agenda")
    #expect(try fixture.path("second") == "english/meetings/closing/agenda")
    #expect(
      try fixture.key(at: "english/meetings/opening/agenda") == "second", "the second activity left this path last")
  }

  @Test func `every path of a place that was moved and then removed reports the removal`() throws {
    let agenda = "      agenda \"Agenda\": Read the agenda.\n"
    let without = ReimportTests.before.replacing(agenda, with: "")
    try fixture.importOutline(without.replacing("      farewell", with: agenda + "      farewell"))

    try fixture.importOutline(without)

    for address in ["opening", "closing"].map({ PlacePath("english/meetings/\($0)/agenda") }) {
      #expect(
        throws: CourseLibraryError.removedPlace(
          path: address, title: "Agenda", survivor: PlacePath("english/meetings/closing"))
      ) {
        try fixture.library.place(at: address)
      }
    }
  }
}
