import Foundation
import GRDB
import LearningModel
import Synchronization
import TestSupport
import Testing

@testable import CourseKit

/// Tests the asynchronous variants of import and backup.
struct AsyncImportTests {
  private let fixture: LibraryFixture
  private let source = #"{"waymark": 1, "course": {"key": "atlas", "title": "Atlas", "children": []}}"#

  init() throws { fixture = try LibraryFixture() }

  @Test func `an import and a backup run while the calling task waits`() async throws {
    let library = fixture.library
    let (source, copy) = (source, fixture.folder.file("copy.sqlite"))

    let report = try await bounded {
      let report = try await library.importCourse(named: "atlas.json", bytes: Array(source.utf8))
      try await library.backUp(to: copy)
      return report
    }

    #expect(report.imported && report.title == "Atlas")
    #expect(try CourseLibrary(databaseAt: copy).courses().map(\.title) == ["Atlas"])
  }

  @Test func `a cancelled import stops waiting for another writer and changes nothing`() async throws {
    let library = fixture.library
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: library.path, configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let source = source
    let isWriting = Atomic(false)
    let task = Task {
      try await library.importCourse(named: "atlas.json", bytes: Array(source.utf8)) { progress in
        if case .writing = progress { isWriting.store(true, ordering: .relaxed) }
      }
    }

    try await bounded { while !isWriting.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(1)) } }
    task.cancel()
    await #expect(throws: CourseLibraryError.importCancelled(source: "atlas.json")) {
      try await bounded { try await task.value }
    }
    try other.inDatabase { try $0.execute(sql: "ROLLBACK") }

    #expect(try library.courses().isEmpty)
    #expect(try await library.importCourse(named: "atlas.json", bytes: Array(source.utf8)).imported)
  }

  @Test func `a cancelled backup leaves no copy`() async throws {
    let library = fixture.library
    let copy = fixture.folder.file("copy.sqlite")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await library.backUp(to: copy)
    }

    await #expect(throws: CourseLibraryError.backupCancelled(path: copy)) {
      try await bounded { try await task.value }
    }

    #expect(!FileManager.default.fileExists(atPath: copy))
  }
}
