import Foundation
import GRDB
import GRDBSQLite
import LearningModel
import Testing

@testable import LearningStore
@testable import NavigationKit

/// The queries of the tabs Review and History, interrupted at each step of SQLite's virtual machine.
struct InterruptedQueryTests {
  /// A query and its result as text.
  struct Query: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let run: @Sendable (NavigationService) throws -> String
  }

  static let queries = [
    Query(testDescription: "review") { service in "\(try service.reviews.overview())" },
    Query(testDescription: "next card") { service in "\(String(describing: try service.reviews.nextCard()))" },
    Query(testDescription: "cards") { service in "\(try service.cards.all())" },
    Query(testDescription: "forecast") { service in "\(try service.reviews.forecast())" },
    Query(testDescription: "history") { service in "\(try service.history.page(limit: 20).rows)" },
    Query(testDescription: "filtered history") { service in
      "\(try service.history.page(HistoryFilter(kind: .activity, text: "w", type: .flashcards, state: .begun)).rows)"
    },
    Query(testDescription: "page") { service in "\(try service.places.named(ReviewFixture.path("words")))" },
  ]

  @Test(arguments: queries)
  func `a query that is interrupted after any number of steps throws, and the next one is complete`(
    query: Query
  ) throws {
    let fixture = try ReviewFixture()
    try fixture.begin("words")
    for rating in [CardRating.again, .good, .good] { _ = try fixture.answerNext(rating) }
    let store = fixture.service.session.store
    let expected = try query.run(fixture.service)
    var (steps, failures) = (0, 0)
    var isComplete = false
    while !isComplete {
      steps += 1 + steps / 100
      let limit = Limit(steps)
      for read in [store.read, store.readLatest] as [((StoreSnapshot) throws -> Void) throws -> Void] {
        try? read { limit.install(on: $0.database) }
      }
      let result = Result { try query.run(fixture.service) }
      isComplete = !limit.isReached
      limit.remaining = -1
      for read in [store.read, store.readLatest] as [((StoreSnapshot) throws -> Void) throws -> Void] {
        try read { sqlite3_progress_handler($0.database.sqliteConnection, 0, nil, nil) }
      }
      withExtendedLifetime(limit) {}
      switch result {
      case .success(let text) where isComplete: #expect(text == expected)
      // Some queries are optional: without their result, the answer is shorter.
      case .success: break
      case .failure(let error):
        failures += 1
        #expect(!isComplete, "\(error)")
      }
      if steps % 10 == 0 { #expect(try query.run(fixture.service) == expected, "after \(steps) steps") }
    }
    #expect(failures > 0)
  }

  /// Interrupts the statements of some connections once, after a number of steps in total.
  private final class Limit {
    var remaining: Int
    var isReached: Bool { remaining <= 0 }

    init(_ steps: Int) { remaining = steps }

    func install(on database: Database) {
      let handle = database.sqliteConnection
      let box = Box(self, handle)
      boxes.append(box)
      sqlite3_progress_handler(
        handle, 1,
        { context in
          let box = Unmanaged<Box>.fromOpaque(context!).takeUnretainedValue()
          box.limit.remaining -= 1
          if box.limit.remaining == 0 { sqlite3_interrupt(box.connection) }
          return 0
        }, Unmanaged.passUnretained(box).toOpaque())
    }

    private var boxes: [Box] = []

    private final class Box {
      unowned let limit: Limit
      let connection: OpaquePointer?
      init(_ limit: Limit, _ connection: OpaquePointer?) { (self.limit, self.connection) = (limit, connection) }
    }
  }
}
