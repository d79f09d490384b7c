import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

/// Tests that each change of a course is one transaction of any size, followed by many short transactions for the
/// search index. Measures the pages that each transaction writes, because times depend on the machine.
struct ImportTransactionTests {
  private let edited: EditedCourse

  init() throws { edited = try EditedCourse(Self.course(1...6)) }

  private static func course(_ lessons: ClosedRange<Int>) -> CourseOutlines {
    CourseOutlines(
      "atlas\n  maps\n"
        + lessons.map { lesson in
          "    l\(lesson)\n" + (1...100).map { "      map\(lesson)x\($0)\n" }.joined()
        }.joined())
  }

  /// Returns the number of pages that each transaction of `work` has written.
  private func pages(of work: () throws -> Void) throws -> [Int] {
    // The log does not restart while a connection reads.
    let reader = try DatabaseQueue(path: edited.store.path)
    return try reader.read { database in
      _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM course")
      let before = try WriteAheadLog(of: edited.store.path).pages.count
      try work()
      return Array(try WriteAheadLog(of: edited.store.path).pages.dropFirst(before))
    }
  }

  @Test func `an import is one transaction, and its indexing many short ones`()
    throws
  {
    let works: [(name: String, work: () throws -> Void)] = [
      ("as much again comes", { try edited.bring(Self.course(1...12)) }),
      ("half of it goes", { try edited.bring(Self.course(7...12)) }),
      ("that half comes back, and the other goes", { try edited.bring(Self.course(1...6)) }),
      ("all of it goes", { _ = try edited.store.removeCourse(edited.course, at: Timestamp(milliseconds: 9)) }),
      ("all of it comes back", { try edited.bring(Self.course(1...12)) }),
      ("another course comes", { try CourseOutlines.sample.write(to: edited.store, key: "second") }),
    ]

    for (name, work) in works {
      #expect(try pages(of: work).count == 1, "\(name)")
      let index = try pages { try edited.store.indexSearch() }
      #expect(index.max() ?? 0 <= 400, "\(name): \(index)")
      #expect(try edited.problems() == [], "\(name)")
    }
  }

  @Test func `other writes succeed while an import is staging`() throws {
    let (store, learner) = (edited.store, LearnerID(rawValue: 1))

    try store.importing { writer in
      try writer.stage(StoredContent(.reading([])), at: 0)
      try store.write(waitingAtMost: .milliseconds(20)) {
        try $0.set("1", forSetting: "a", of: learner, at: Timestamp(milliseconds: 1))
      }
    }

    #expect(try store.read { try $0.setting("a", of: learner) } == "1")
  }
}
