import LearningModel
import Synchronization
import TestSupport
import Testing

@testable import CourseKit

/// Tests cancelling an import.
struct CancellationTests {
  private let fixture: LibraryFixture
  private let source: String

  init() throws {
    fixture = try LibraryFixture()
    let activities = (1...300).map { #"{"key": "a\#($0)", "title": "Map \#($0)", "reading": ["Paper \#($0)."]}"# }
    source =
      #"{"waymark": 1, "course": {"key": "atlas", "title": "Atlas", "children": [{"key": "g", "title": "Maps", "#
      + #""children": [{"key": "l", "title": "Old", "children": [\#(activities.joined(separator: ","))]}]}]}}"#
  }

  /// Imports the source, and cancels as soon as `isEnough` returns `true` for the progress.
  private func importCourse(_ text: String? = nil, until isEnough: @escaping @Sendable (ImportProgress) -> Bool)
    throws -> ImportReport
  {
    let cancellation = ImportCancellation()
    return try fixture.library.importCourse(
      named: "atlas.json", bytes: Array((text ?? source).utf8), cancellation: cancellation
    ) { progress in
      if isEnough(progress) { cancellation.cancel() }
    }
  }

  static let stages: [@Sendable (ImportProgress) -> Bool] = [
    { if case .reading = $0 { true } else { false } },
    { if case .comparing = $0 { true } else { false } },
    { if case .writing = $0 { true } else { false } },
  ]

  @Test(arguments: stages.indices)
  func `cancelling a first import before its commit changes nothing`(stage: Int) throws {
    try fixture.importOutline(ReimportTests.before)
    let before = try fixture.everything()

    let error = #expect(throws: CourseLibraryError.self) { try importCourse(until: Self.stages[stage]) }

    #expect(error == .importCancelled(source: "atlas.json"))
    #expect(
      error?.description
        == "Could not import 'atlas.json': it was cancelled. Nothing was changed. Import it again if needed.")
    #expect(error?.kind == .refused)
    #expect(try fixture.everything() == before)
    #expect(try fixture.library.check() == [])
    #expect(try importCourse { _ in false }.counts.total == 303)
  }

  @Test(arguments: stages.indices)
  func `cancelling a repeated import leaves the course unchanged`(stage: Int) throws {
    _ = try importCourse { _ in false }
    let before = try fixture.everything()

    #expect(throws: CourseLibraryError.importCancelled(source: "atlas.json")) {
      try importCourse(source.replacing("Paper", with: "Sheet"), until: Self.stages[stage])
    }

    #expect(try fixture.everything() == before)
  }

  @Test func `an import can be cancelled inside one large text`() throws {
    let paragraphs = [String](repeating: #""Paper, and more paper.""#, count: 60_000).joined(separator: ",")
    let large = source.replacing(#"["Paper 200."]"#, with: "[\(paragraphs)]")
    let before = try fixture.everything()
    let looks = Mutex<[Int]>([])

    #expect(throws: CourseLibraryError.importCancelled(source: "atlas.json")) {
      try importCourse(large) { progress in
        guard case .reading(let nodes) = progress else { return true }
        // The same count is reported several times, so the reader is inside a single node.
        return looks.withLock { looks in
          looks.append(nodes)
          return looks.suffix(3) == [nodes, nodes, nodes] && nodes > 0
        }
      }
    }

    #expect(try fixture.everything() == before)
    #expect(looks.withLock { $0.last! } < 303)
  }

  @Test func `cancelling during indexing keeps the import for the next search`() throws {
    let report = try importCourse { if case .indexing = $0 { true } else { false } }

    #expect(report.imported)
    #expect(
      report.diagnostics.map(\.message) == [
        "The course was imported, but cannot be searched yet. Indexing was cancelled. The next search completes the index."
      ])
    // A search without time for indexing returns the results of the existing index, and reports that it is incomplete.
    for _ in 0..<2 {
      let result = try fixture.library.search("map 300", indexingFor: .zero)
      #expect(result.hits.first?.title != "Map 300" && !result.isComplete)
    }
    // Each search indexes for a limited time, so several searches can be necessary on a slow machine.
    var searches = 0
    while searches < 1_000, try fixture.library.search("map 300").hits.first?.title != "Map 300" { searches += 1 }
    #expect(searches < 1_000)
    #expect(try fixture.library.search("map 300", indexingFor: .seconds(60)).isComplete)
    #expect(try fixture.library.check() == [])
  }
}
