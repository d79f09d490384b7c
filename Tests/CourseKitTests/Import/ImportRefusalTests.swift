import Foundation
import LearningModel
import Testing

@testable import CourseKit
@testable import LearningStore

struct ImportRefusalTests {
  let fixture: LibraryFixture

  init() throws {
    fixture = try LibraryFixture()
    try fixture.importOutline(ReimportTests.before)
  }

  private func refusal(_ body: () throws -> ImportReport) -> CourseLibraryError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? CourseLibraryError
    }
  }

  private static let little = """
    english "English"
      meetings "Meetings"
        opening "Opening"
          agenda "Agenda": Read the agenda.
          greeting "Greeting": Say good morning.
    """

  @Test func `an import that removes more than half of a course needs the replace option`() throws {
    let before = try fixture.everything()

    let error = try #require(refusal { try fixture.importOutline(Self.little) })

    guard case .importRefused(.removesMost(removed: 6, of: 11), let report) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(report.imported == false && report.revision == 1)
    #expect(error.kind == .badData)
    #expect(
      error.description
        == "Could not import 'english': it would remove 6 of the 11 places of 'english'.")
    #expect(error.remedy == .replaceOrChooseKey)
    #expect(try fixture.everything() == before)

    let done = try fixture.importOutline(Self.little, ImportOptions(replaces: true))
    #expect(done.difference == DifferenceCounts(removed: 6, unchanged: 5))
    #expect(try fixture.drawing() == Self.little)
    #expect(try fixture.library.check() == [])
  }

  @Test func `a removed course can be imported again in any format`() throws {
    try fixture.library.remove(PlacePath("english"))
    let source = """
      {"waymark": 1, "course": {"key": "english", "title": "English", "children": [
      {"key": "g", "title": "G", "children": [{"key": "l", "title": "L", "children": [
      {"key": "agenda", "title": "Agenda", "reading": "x"}]}]}]}}
      """

    let report = try fixture.library.importCourse(named: "english.json", bytes: Array(source.utf8))

    #expect(report.imported)
    #expect(report.format == "waymark")
    #expect(try fixture.library.check() == [])
  }

  @Test func `an import may remove exactly half of a course`() throws {
    try fixture.importOutline(Self.little, ImportOptions(replaces: true))
    let four = """
      english "English"
        meetings "Meetings"
      """
    let report = try fixture.importOutline(
      Self.little.replacing("      greeting \"Greeting\": Say good morning.", with: ""))
    #expect(report.difference.removed == 1)

    #expect(try fixture.importOutline(four).difference == DifferenceCounts(removed: 2, unchanged: 2))
  }

  @Test func `importing a course in another format needs the replace option`() throws {
    let before = try fixture.everything()
    let draft = CourseDraft(ReimportTests.before, format: "other")

    let error = try #require(refusal { try fixture.importDraft(draft) })

    #expect(
      error.description
        == "Could not import 'english': the course 'english' was imported from the format 'outline', and this source "
        + "has the format 'other'.")
    #expect(error.remedy == .replaceOrChooseKey)
    #expect(try fixture.everything() == before)
    #expect(try fixture.importDraft(draft, ImportOptions(replaces: true)).revision == 2)
    #expect(refusal { try fixture.importDraft(draft) } == nil)
  }

  @Test func `a source with errors is refused with its diagnostics`() throws {
    let before = try fixture.everything()
    let diagnostics = [
      Diagnostic(severity: .warning, file: "a.md", line: 3, message: "Odd."),
      Diagnostic(severity: .error, file: "b.md", line: 1, message: "Wrong."),
    ]
    let draft = CourseDraft(Self.little, diagnostics: diagnostics)

    let error = try #require(refusal { try fixture.importDraft(draft, ImportOptions(replaces: true)) })

    guard case .importRefused(.badSource(errors: 1), let report) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(report.diagnostics == diagnostics)
    #expect(
      error.description
        == "Could not import 'english': it has an error. Correct it and import again. Nothing was "
        + "changed.")
    #expect(try fixture.everything() == before)
  }

  @Test(arguments: ReimportTests.edits.indices)
  func `a dry run reports the changes and makes none`(number: Int) throws {
    let before = try fixture.everything()

    let preview = try fixture.importOutline(ReimportTests.edits[number].after, ImportOptions(isDryRun: true))

    #expect(preview.imported == false && preview.revision == 1)
    #expect(try fixture.everything() == before)
    let done = try fixture.importOutline(ReimportTests.edits[number].after)
    #expect(preview.changes == done.changes && preview.difference == done.difference && preview.counts == done.counts)
  }

  @Test func `an import that fails halfway changes no row`() throws {
    struct Lost: Error {}
    struct LosingContents: DraftContents {
      func content(at index: Int) throws -> ActivityContent {
        if index > 4 { throw Lost() }
        return .reading([.paragraph([.text("Anew \(index).")])])
      }
    }
    let before = try fixture.everything()
    var draft = CourseDraft(ReimportTests.before)
    draft.contents = LosingContents()

    #expect(throws: CourseLibraryError.self) { try fixture.importDraft(draft) }

    #expect(try fixture.everything() == before)
  }

  @Test func `a draft with an invalid tree is refused and changes nothing`() throws {
    let before = try fixture.everything()
    var draft = CourseDraft(ReimportTests.before.replacing("brief \"Brief\"", with: "brief2 \"Brief\""))
    draft.nodes[draft.nodes.count - 1].parent = 0

    #expect(throws: CourseLibraryError.self) { try fixture.importDraft(draft) }

    #expect(try fixture.everything() == before)
  }

  @Test func `a second course with the same title gets its own slug`() throws {
    try fixture.importOutline(ReimportTests.before.replacing("english \"English\"", with: "other \"English\""))

    #expect(try fixture.library.courses().map(\.path.description) == ["english", "english-2"])
    #expect(try fixture.library.check() == [])
  }

  @Test func `a removed course stays in the history and can be restored`() throws {
    let id = try #require(try fixture.id("agenda"))

    #expect(try fixture.library.remove(PlacePath("english")) == 11)
    #expect(try fixture.library.courses() == [])
    #expect(try fixture.path("agenda") == "english/meetings/opening/agenda")
    #expect(throws: CourseLibraryError.self) { try fixture.library.remove(PlacePath("english")) }
    #expect(try fixture.library.check() == [])

    let preview = try fixture.importOutline(ReimportTests.before, ImportOptions(isDryRun: true))
    #expect(preview.difference == DifferenceCounts(added: 11))
    #expect(preview.revision == 0, "a dry run reports revision 0 for a removed course")

    let report = try fixture.importOutline(ReimportTests.before)
    #expect(report.difference == DifferenceCounts(added: 11))
    #expect(report.revision == 3)
    #expect(try fixture.id("agenda") == id)
    #expect(try fixture.drawing() == ReimportTests.before)
    #expect(try fixture.library.check() == [])
  }

  @Test func `a restored course has the changes of its source and is searchable`()
    throws
  {
    let id = try #require(try fixture.id("opening"))
    try fixture.library.remove(PlacePath("english"))

    // Meetings and Agenda are renamed, Names is moved to the first position, and Brief has another text.
    let after = """
      english "English"
        meetings "Meetings and more"
          opening "Opening"
            names "Names": Repeat each name.
            agenda "Programme": Read the agenda.
            greeting "Greeting": Say good morning.
          closing "Closing"
            farewell "Farewell": Say goodbye.
        negotiating "Negotiating"
          offers "Offers"
            brief "Brief": Read the brief aloud.
      """
    let report = try fixture.importOutline(after)

    #expect(report.difference.added == 11)
    #expect(report.difference.changed == 0)
    #expect(try fixture.drawing() == after)
    #expect(try fixture.id("opening") == id)
    #expect(try fixture.library.check() == [])
    for (query, titles) in [
      ("goodbye ", ["Farewell"]), ("aloud", ["Brief"]), ("programme", ["Programme"]), ("opening", ["Opening"]),
    ] {
      #expect(try fixture.library.search(query).hits.map(\.title) == titles, "\(query)")
    }
    #expect(try fixture.path("agenda") == "english/meetings/opening/agenda", "a renamed place keeps its path")
  }
}
