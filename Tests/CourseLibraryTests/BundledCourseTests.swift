import Foundation
import LearningModel
import Testing

@testable import CourseLibrary

struct BundledCourseTests {
  let folder: TemporaryFolder
  let library: CourseLibrary

  init() throws {
    folder = try TemporaryFolder()
    library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite")) { Timestamp(milliseconds: 1_000) }
  }

  private static let fixtures = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

  @Test func `the fixture folder imports whole`() throws {
    let report = try library.importCourse(from: Self.fixtures.appending(path: "english-for-business").path)

    #expect(report.imported)
    #expect(report.revision == 1)
    #expect(report.course == "english-for-business")
    #expect(report.difference == DifferenceCounts(added: report.counts.total))
    #expect(report.diagnostics == [])
    #expect(try library.courses().map(\.counts) == [report.counts])
    #expect(report.counts.goal >= 4 && report.counts.lesson >= 12 && report.counts.activity >= 50)
  }
}
