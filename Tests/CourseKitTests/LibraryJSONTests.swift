import Foundation
import LearningModel
import Snapshots
import TestSupport
import Testing

@testable import CourseKit

struct LibraryJSONTests {
  let fixture: LibraryFixture

  init() throws {
    fixture = try LibraryFixture()
    try fixture.importOutline(ReimportTests.before)
  }

  @Test func `a tree starts at the requested place`() throws {
    #expect(
      try fixture.library.tree(depth: 1).map { "\($0.depth) \($0.path)" } == [
        "0 english", "1 english/meetings", "1 english/negotiating",
      ])
    #expect(
      try fixture.library.tree(from: PlacePath("english/meetings/closing")).map { "\($0.depth) \($0.path)" } == [
        "0 english/meetings/closing", "1 english/meetings/closing/farewell",
      ])
    #expect(
      try fixture.library.tree(from: .root, depth: 1).map { "\($0.depth) \($0.kind) \($0.path)" } == [
        "0 root /", "1 course english",
      ])
    #expect(try fixture.library.tree(from: .root, depth: 0).map(\.title) == ["Courses"])
    #expect(try fixture.library.tree(from: PlacePath("english"), depth: 0).count == 1)
  }

  @Test func `a place is returned with its node and its ancestors`() throws {
    let place = try fixture.library.place(at: PlacePath("english/negotiating/offers"))

    #expect(
      place.reference == PlaceReference(path: PlacePath("english/negotiating/offers"), kind: .lesson, title: "Offers"))
    #expect(
      place.ancestors == [
        .root, PlaceReference(path: PlacePath("english"), kind: .course, title: "English"),
        PlaceReference(path: PlacePath("english/negotiating"), kind: .goal, title: "Negotiating"),
      ])
    #expect(place.place == .node(try #require(place.node).id))
    #expect(
      try fixture.library.place(at: .root) == FoundPlace(place: .root, reference: .root, node: nil, ancestors: []))
    #expect(try fixture.library.children(of: place.place).map(\.title) == ["Brief"])
  }

  @Test func `each error states its cause and a remedy, and has a kind`() {
    let errors: [CourseLibraryError] = [
      .unknownPlace(path: PlacePath("a/b"), suggestions: [PlacePath("a/c"), PlacePath("b")]),
      .unknownPlace(path: PlacePath("a/b"), suggestions: []),
      .removedPlace(path: PlacePath("a/b"), title: "B", survivor: PlacePath("a")),
      .removedPlace(path: PlacePath("a"), title: "A", survivor: .root),
      .removedPlace(path: PlacePath("a/b"), title: "B", survivor: .root),
      .notAnActivity(path: PlacePath("a/b"), kind: .goal),
      .notACourse(path: .root, kind: .root),
      .notACourse(path: PlacePath("a/b"), kind: .goal),
      .noCards(path: PlacePath("a")),
      .missingNotes(path: PlacePath("a")),
      .unreadableSource(kind: .notFound, description: "Could not import 'x'."),
      .cannotWatch(path: "x", reason: "the system reports 'no'"),
    ]

    expectSnapshot(errors.map { "\($0.kind): \($0)" })
  }

  @Test func `requests for a place of an unsuitable kind are refused`() throws {
    let library = fixture.library
    #expect(throws: CourseLibraryError.notAnActivity(path: PlacePath("english/meetings"), kind: .goal)) {
      try library.content(at: PlacePath("english/meetings"))
    }
    #expect(throws: CourseLibraryError.notAnActivity(path: .root, kind: .root)) { try library.content(at: .root) }
    #expect(throws: CourseLibraryError.notACourse(path: PlacePath("english/meetings"), kind: .goal)) {
      try library.export(PlacePath("english/meetings"))
    }
    #expect(throws: CourseLibraryError.notACourse(path: .root, kind: .root)) { try library.remove(.root) }
    #expect(throws: CourseLibraryError.unknownPlace(path: PlacePath("englsh"), suggestions: [PlacePath("english")])) {
      try library.search("x", in: PlacePath("englsh"))
    }
    #expect(throws: CourseLibraryError.unknownPlace(path: PlacePath("x"), suggestions: [])) {
      try library.tree(from: PlacePath("x"))
    }
  }

  @Test func `a link inside a course leads to the node with its key`() throws {
    let course = try #require(try fixture.id("english"))

    let target = try fixture.library.target(of: "waymark:brief#top", inCourse: course)

    #expect(target?.node.title == "Brief")
    #expect(target?.anchor == "top")
    #expect(try fixture.library.target(of: "waymark:nothing", inCourse: course) == nil)
    #expect(try fixture.library.target(of: "https://example.org", inCourse: course) == nil)
  }

  @Test func `every place reports the source of its course and the last import`() throws {
    let lesson = try #require(try fixture.id("brief"))
    try fixture.importOutline(ReimportTests.edits[0].after)

    let origin = try fixture.library.origin(of: .node(lesson))

    #expect(
      origin
        == CourseOrigin(
          format: "outline", source: "english", revision: 2, importedAt: Timestamp(milliseconds: 1_000), language: "en")
    )
    #expect(try fixture.library.origin(of: .root) == nil)
  }

  @Test func `a missing or unreadable source is distinguished from an invalid one`() throws {
    func error(_ path: String, _ options: ImportOptions = ImportOptions()) -> CourseLibraryError? {
      do throws(CourseLibraryError) {
        _ = try fixture.library.importCourse(from: path, options: options)
        return nil
      } catch {
        return error
      }
    }
    try fixture.folder.write(Data([1, 2]), to: "notes.bin")

    #expect(error(fixture.folder.file("nothing"))?.kind == .notFound)
    #expect(error(fixture.folder.file("notes.bin"))?.kind == .badData)
    #expect(error(fixture.folder.file("notes.bin"), ImportOptions(format: "word"))?.kind == .refused)
    guard case .importRefused(.badSource(errors: 1), let report) = error(fixture.folder.file("notes.bin")) else {
      Issue.record("the import was not refused")
      return
    }
    #expect(report.diagnostics.map(\.file) == ["notes.bin"])
  }
}
