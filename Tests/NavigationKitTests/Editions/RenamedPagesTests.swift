import Foundation
import GRDB
import LearningModel
import LearningStore
import Testing

@testable import CourseKit
@testable import NavigationKit

/// Tests that everything that a learner has at a place follows the place when its page is renamed.
struct RenamedPagesTests {
  private static let flour = "bread/flour/flour/flour"
  private static let bran = "bread/bran/bran/bran"
  private let anchor = NoteAnchor(heading: "", digest: "85944171f73967e8", characters: 3..<9, quote: "ground")

  private static func text(_ word: String) -> String { (0..<40).map { "\(word)\($0)" }.joined(separator: " ") }

  /// The first edition, or the second one, in which a page is renumbered and edited, and another one is removed.
  private static func importEdition(_ edition: Int, into fixture: NavigationFixture) throws -> ImportReport {
    let folder = URL(filePath: fixture.folder + "/bread")
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder.appending(path: "src"), withIntermediateDirectories: true)
    let (summary, pages) =
      edition == 1
      ? (
        "- [Water](ch01-water.md)\n- [Flour](ch02-flour.md)\n- [Bran](ch03-bran.md)\n",
        ["ch01-water": "Water", "ch02-flour": "Flour", "ch03-bran": "Bran"]
      )
      : (
        "- [Water](ch01-water.md)\n- [Salt](ch02-salt.md)\n- [Flour](ch03-flour.md)\n",
        ["ch01-water": "Water", "ch02-salt": "Salt", "ch03-flour": "Flour"]
      )
    try Data("[book]\ntitle = \"Bread\"\n".utf8).write(to: folder.appending(path: "book.toml"))
    try Data(summary.utf8).write(to: folder.appending(path: "src/SUMMARY.md"))
    for (name, title) in pages {
      let page = "# \(title)\n\n\(text(title))\(name == "ch03-flour" ? " edited" : "")\n"
      try Data(page.utf8).write(to: folder.appending(path: "src/\(name).md"))
    }
    return try CourseLibrary(databaseAt: fixture.database) { fixture.now }.importCourse(from: fixture.folder + "/bread")
  }

  private func fixture(_ editions: Int...) throws -> NavigationFixture {
    let fixture = try NavigationFixture()
    for edition in editions { _ = try Self.importEdition(edition, into: fixture) }
    return fixture
  }

  /// Gives a place one record of each kind.
  private func mark(_ path: String, _ service: NavigationService) throws {
    let name = PlaceName.text(path)
    try service.perform(.open(name))
    let place = try service.places.named(name).place
    try service.progress.record(.markedDone, in: name)
    try service.notes.write("Ask", at: anchor, in: name)
    try service.notes.setBookmark(true, at: name)
    try service.cards.make(front: "Front", back: "Back", in: name)
    try service.progress.save(
      ReadingPosition(block: 1, blockOffset: 0, fraction: 0.5, heading: nil, savedAt: service.session.now()),
      read: ["85944171f73967e8": RangeSet(0..<9)], in: place)
    try service.progress.save(
      UnfinishedQuiz(answers: [[1]], question: 0, isChecked: false), of: Self.questions, in: place)
  }

  private static let questions = [
    QuizQuestion(
      question: [.text("?")], details: [],
      choices: [.init(text: [.text("No")], isRight: false), .init(text: [.text("Yes")], isRight: true)], explanation: []
    )
  ]

  /// Describes the records at a place.
  private func records(_ path: String, _ service: NavigationService) throws -> [String] {
    let name = PlaceName.text(path)
    let place = try service.places.evenRemoved(name).place
    return [
      "\(try service.history.page().rows.count { $0.to.path.description == path }) visits",
      "done \(try service.places.summary(of: name).progress.done)",
      "notes \(try service.notes.all(in: place).map(\.text))",
      "bookmarks \(try service.notes.bookmarks().map { "\($0.path) \($0.isRemoved)" })",
      "cards \(try service.cards.all(in: name).map(\.question))",
      "position \(try service.progress.readingPosition(in: place)?.fraction ?? 0)",
      "passages \(try service.progress.passagesRead(in: place).keys.sorted())",
      "quiz \(try service.progress.unfinishedQuiz(of: Self.questions, in: place)?.answers ?? [])",
    ]
  }

  private static let all = [
    "1 visits", "done 1", "notes [\"Ask\"]", "bookmarks [\"bread/flour/flour/flour false\"]", "cards [\"Front\"]",
    "position 0.5", "passages [\"85944171f73967e8\"]", "quiz [[1]]",
  ]

  @Test func `all records follow a renamed page`() throws {
    let fixture = try fixture(1)
    let service = try fixture.service()
    try mark(Self.flour, service)
    let before = try records(Self.flour, service)

    let report = try Self.importEdition(2, into: fixture)

    #expect(before == Self.all)
    #expect(try records(Self.flour, service) == Self.all)
    #expect(report.removedWithRecords == [])
    #expect(try service.check() == [])
  }

  @Test func `the report and a dry run name the removed places with records`() throws {
    let fixture = try fixture(1)
    let service = try fixture.service()
    try mark(Self.bran, service)
    try service.notes.setBookmark(true, at: "bread/bran")
    let library = try CourseLibrary(databaseAt: fixture.database) { [fixture] in fixture.now }
    let first = try library.snapshot(PlacePath("bread"))

    let report = try Self.importEdition(2, into: fixture)
    try library.restore(first)
    let preview = try library.importCourse(
      from: fixture.folder + "/bread", options: ImportOptions(isDryRun: true))

    let removed = [
      RemovedPlace(
        kind: .goal, title: "Bran", path: PlacePath("bread/bran"), key: "ch03-bran.md!", records: [.bookmark]),
      RemovedPlace(
        kind: .activity, title: "Bran", path: PlacePath("bread/bran/bran/bran"), key: "ch03-bran.md#",
        records: [.progress, .notes, .bookmark, .cards]),
    ]
    #expect(report.removedWithRecords == removed)
    #expect(preview.removedWithRecords == removed && preview.difference == report.difference)
    #expect(try service.places.summary(of: .text(Self.bran)).progress.done == 1)
  }

  @Test func `an undone import leaves all records at the former page, and a repeated one joins it again`() throws {
    let fixture = try fixture(1)
    let service = try fixture.service()
    try mark(Self.flour, service)
    let library = try CourseLibrary(databaseAt: fixture.database) { [fixture] in fixture.now }
    let first = try library.snapshot(PlacePath("bread"))
    let tree = try library.tree().map(\.path)

    let report = try Self.importEdition(2, into: fixture)
    try library.restore(first)
    let restored = (try library.tree().map(\.path), try records(Self.flour, service))
    let again = try library.importCourse(from: fixture.folder + "/bread")

    #expect(restored.0 == tree && restored.1 == Self.all)
    #expect(report.joined.count == 3 && again.joined == [] && again.difference == report.difference)
    #expect(try records(Self.flour, service) == Self.all)
    #expect(try library.check() == [] && service.check() == [])
  }

  @Test func `two machines that imported both editions join the same places and synchronise`() throws {
    let (home, away) = (try fixture(1), try fixture(1))
    let hub = try fixture(1, 2).service()
    let (ada, laptop) = (try home.service(), try away.service())
    try mark(Self.flour, ada)
    try SyncPair(ada, hub).run(joining: true)
    _ = try Self.importEdition(2, into: home)
    away.advance(seconds: 60)
    try SyncPair(laptop, hub).run(joining: true)
    let reports = [try Self.importEdition(2, into: away)]
    let other = try Self.importEdition(2, into: try fixture(1))

    try SyncPair(ada, hub).run()
    let last = try SyncPair(laptop, hub).run()

    #expect(reports[0].joined == other.joined && other.joined.count == 3)
    #expect(last.isEmpty)
    for service in [ada, hub, laptop] { #expect(try records(Self.flour, service) == Self.all) }
    try expectSame(ada, hub)
    try expectSame(laptop, hub)
    #expect(try laptop.check() == [] && hub.check() == [])
  }

  @Test(arguments: [[], [1, 2]])
  func `a machine that imported only the new edition finds the records at the renamed page`(hubEditions: [Int]) throws {
    let home = try fixture(1)
    let hubFixture = try NavigationFixture()
    for edition in hubEditions { _ = try Self.importEdition(edition, into: hubFixture) }
    let (ada, hub) = (try home.service(), try hubFixture.service())
    let laptop = try fixture(2).service()
    try mark(Self.flour, ada)
    _ = try Self.importEdition(2, into: home)

    try SyncPair(ada, hub).run(joining: true)
    try SyncPair(laptop, hub).run(joining: true)
    let received = try records(Self.flour, laptop)
    try laptop.notes.setBookmark(false, at: .text(Self.flour))
    try laptop.notes.write("Answer", at: anchor, in: .text(Self.flour))
    try SyncPair(laptop, hub).run()
    try SyncPair(ada, hub).run()
    let last = [try SyncPair(ada, hub).run(), try SyncPair(laptop, hub).run()]

    #expect(received == Self.all)
    #expect(try ada.notes.all().map(\.note.text).sorted() == ["Answer", "Ask"])
    #expect(try ada.notes.bookmarks() == [] && laptop.notes.bookmarks() == [])
    #expect(last.map(\.isEmpty) == [true, true])
    #expect(try ada.check() == [] && laptop.check() == [] && hub.check() == [])
  }

  @Test func `a place that was synchronised before it was renamed is found after the next visit`() throws {
    let home = try fixture(1)
    let (ada, hub) = (try home.service(), try NavigationFixture().service())
    try mark(Self.flour, ada)
    try SyncPair(ada, hub).run(joining: true)
    _ = try Self.importEdition(2, into: home)
    for place in ["bread/water/water/water", Self.flour] { try ada.perform(.open(.text(place))) }
    try SyncPair(ada, hub).run()
    let laptop = try fixture(2).service()

    try SyncPair(laptop, hub).run(joining: true)

    #expect(try records(Self.flour, laptop) == ["2 visits"] + Self.all.dropFirst())
    #expect(try SyncPair(laptop, hub).run().isEmpty)
  }

  @Test func `a client does not change the keys of a course of the server`() throws {
    let (home, hub) = (try fixture(1).service(), try fixture(1))
    let service = try hub.service()
    try SyncPair(home, service).run(joining: true)
    try home.perform(.open(.text(Self.flour)))
    var record = try home.session.read { snapshot in try snapshot.record(of: snapshot.learner(named: "ada")!.id)! }
    for index in record.nodes.indices where record.nodes[index].key == "ch02-flour.md#" {
      record.nodes[index].key = "other"
      record.nodes[index].sourceKey = "ch01-water.md#"
    }

    _ = try service.sync.respond(.push(SyncMessage.PushPayload(record: record)))

    #expect(try service.history.page().rows.first?.to.isRemoved == true)
    #expect(try hub.write { try Int.fetchOne($0, sql: "SELECT count(*) FROM sourceKey") } == 0)
  }
}
