import Foundation
import LearningModel
import Synchronization
import TestSupport
import Testing

@testable import CourseKit
@testable import LearningStore

struct BundledCourseTests {
  let fixture: LibraryFixture
  var library: CourseLibrary { fixture.library }

  init() throws {
    fixture = try LibraryFixture()
  }

  private static let fixtures = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

  @Test func `the bundled course is imported completely`() throws {
    let report = try library.importBundled()

    #expect(report.imported)
    #expect(report.revision == 1)
    #expect(report.course == PlacePath("english-for-business"))
    #expect(report.difference == DifferenceCounts(added: report.counts.total))
    #expect(report.diagnostics.filter { $0.severity == .error } == [])
    #expect(try library.courses().map(\.counts) == [report.counts])
    #expect(try library.check() == [])
  }

  @Test func `an exported course is imported without changes, from JSON and from an archive`() throws {
    let report = try library.importCourse(from: Self.fixtures.appending(path: "english-for-business").path)
    #expect(report.counts.goal >= 4 && report.counts.lesson >= 12 && report.counts.activity >= 50)
    var zip = Data()
    try library.exportArchive(PlacePath("english-for-business")) {
      zip.append(contentsOf: $0)
      return true
    }
    let other = try LibraryFixture()
    try other.folder.write(zip, to: "copy.zip")

    let copied = try other.library.importCourse(from: other.folder.file("copy.zip"))
    let again = try library.importCourse(from: other.folder.file("copy.zip"))

    #expect(copied.counts == report.counts)
    #expect(try other.library.tree() == library.tree())
    #expect(try other.drawing() == fixture.drawing())
    #expect(again.difference == DifferenceCounts(unchanged: report.counts.total))
    #expect(try library.check() == [])
  }

  @Test func `each activity of the course is found by its title`() throws {
    try library.importCourse(from: Self.fixtures.appending(path: "english-for-business").path)

    for entry in try library.tree() where entry.kind == .activity {
      let hits = try library.search("\(entry.title) ").hits
      #expect(hits.first.map(\.title) == entry.title, "\(entry.path)")
    }
  }

  @Test func `an import reports its progress`() throws {
    let progress = ProgressLog()

    try library.importCourse(from: Self.fixtures.appending(path: "english-for-business").path) { progress.note($0) }

    #expect(progress.last == .indexing(done: progress.total, total: progress.total))
    #expect(progress.total > 50)
    #expect(progress.all.contains(.writing(total: progress.total)))
    #expect(progress.all.contains(.comparing(done: progress.total, total: progress.total)))
  }

  @Test func `the same source under another key is another course`() throws {
    let source = Self.fixtures.appending(path: "english-for-business").path
    try library.importCourse(from: source)

    let report = try library.importCourse(from: source, options: ImportOptions(key: "mine"))

    #expect(report.course == PlacePath("english-for-business-2"))
    #expect(report.difference == DifferenceCounts(added: report.counts.total))
    #expect(try library.courses().map(\.path.description) == ["english-for-business", "english-for-business-2"])
    #expect(try library.check() == [])
  }

  @Test func `a search completes an index that an interrupted import left incomplete`() throws {
    try library.importCourse(from: Self.fixtures.appending(path: "english-for-business").path)
    let before = try library.search("meeting").hits
    try library.store.write { try $0.rebuildSearch() }

    // Each search may index for 0.2 s, which can be too short on a busy machine.
    var searches = 1
    while try library.search("meeting").hits != before, searches < 50 { searches += 1 }

    #expect(try library.search("meeting").hits == before)
    #expect(try library.store.indexSearch(for: 0), "the index is complete")
    #expect(!before.isEmpty)
  }

  @Test func `the library lists the formats of the registry`() {
    #expect(CourseLibrary.formats.map(\.name).first == "waymark")
    #expect(CourseLibrary.formats.allSatisfy { !$0.summary.isEmpty && !$0.activity.isEmpty })
  }
}

/// Records the progress that an import reports.
private final class ProgressLog: Sendable {
  private let notes = Mutex<[ImportProgress]>([])

  func note(_ progress: ImportProgress) {
    notes.withLock { $0.append(progress) }
  }

  var all: [ImportProgress] { notes.withLock { $0 } }
  var last: ImportProgress? { all.last }
  /// The number of indexed nodes that was reported last.
  var total: Int {
    guard case .indexing(_, let total) = last else { return 0 }
    return total
  }
}
