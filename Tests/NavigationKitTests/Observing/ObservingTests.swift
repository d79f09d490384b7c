import Foundation
import GRDB
import LearningModel
import LearningStore
import NavigationKit
import TestSupport
import Testing

/// Tests changes and pages as asynchronous sequences, with changes by a second connection. Every wait is bounded.
struct ObservingTests {
  private let interval = Duration.milliseconds(5)

  @Test func `changes by any connection are reported, several changes between two reads as one element`() async throws {
    let (fixture, ada) = try NavigationFixture.withService()
    let changes = try ada.changes(every: interval)

    let count = try await bounded { [interval] in
      var iterator = changes.makeAsyncIterator()
      var count = 0
      try await ada.perform(.open("english"))
      try await ada.perform(.push("meetings"))
      if try await iterator.next() != nil { count += 1 }
      try fixture.write { try $0.execute(sql: "UPDATE contentNode SET summary = 'new' WHERE slug = 'agenda'") }
      if try await iterator.next() != nil { count += 1 }
      // Nothing has changed since: the next element does not arrive, and the task is cancelled.
      let waiting = Task { [iterator] in
        var iterator = iterator
        return try await iterator.next() == nil
      }
      try await Task.sleep(for: interval)
      waiting.cancel()
      return try await waiting.value ? count : -1
    }

    #expect(count == 2)
  }

  @Test func `the sequence of changes ends with an error when the file is deleted`() async throws {
    let (fixture, ada) = try NavigationFixture.withService()
    let changes = try ada.changes(every: interval)
    let path = try #require(ada.database.path)

    try FileManager.default.removeItem(atPath: fixture.database)

    await #expect(throws: NavigationError.database(.removed(path: path))) {
      try await bounded { for try await _ in changes {} }
    }
  }

  @Test func `the sequence of pages begins with the current page and continues with each changed page`() async throws {
    let (fixture, ada) = try NavigationFixture.withService()
    let pages = try ada.places.pages(of: "english/meetings", every: interval)

    let titles = try await bounded {
      var titles: [String] = []
      for try await page in pages {
        titles.append(page.summary.place.title + " " + page.children.map(\.place.title).joined(separator: ","))
        switch titles.count {
        case 1:
          // This changes the database, but not the page of Meetings.
          try fixture.write { try $0.execute(sql: "UPDATE contentNode SET summary = 'new' WHERE slug = 'anchor'") }
          try fixture.write { try $0.execute(sql: "UPDATE contentNode SET title = 'Start' WHERE slug = 'opening'") }
        case 2: try fixture.write { try $0.execute(sql: "UPDATE contentNode SET title = 'End' WHERE slug = 'closing'") }
        default: return titles
        }
      }
      return titles
    }

    #expect(
      titles == ["Meetings Opening,Middle,Closing", "Meetings Start,Middle,Closing", "Meetings Start,Middle,End"])
  }

  @Test func `if no place is given, the sequence of pages follows the steps of the session`() async throws {
    let (_, ada) = try NavigationFixture.withService()
    try await ada.perform(.open("english"))
    let other = try NavigationService(ada.database, learner: "ada", now: { Timestamp("2026-11-20T10:00:00Z")! })
    let pages = try ada.places.pages(every: interval)

    let titles = try await bounded {
      var titles: [String] = []
      for try await page in pages {
        titles.append(page.place.title)
        if titles.count == 1 { _ = try await other.perform(.push("meetings")) } else { break }
      }
      return titles
    }

    #expect(titles == ["English", "Meetings"])
  }

  @Test func `the sequence of pages ends with an error when the place is removed`() async throws {
    let (fixture, ada) = try NavigationFixture.withService()
    let node = try fixture.node("english")
    let library = try LearningStore.open(at: fixture.database)

    await #expect(throws: NavigationError.self) {
      try await bounded { [interval] in
        for try await _ in try ada.places.pages(of: "english", every: interval) {
          _ = try library.removeCourse(node, at: fixture.now)
        }
      }
    }
  }

  @Test func `the sequence of pages ends when its task is cancelled`() async throws {
    let (_, ada) = try NavigationFixture.withService()
    let pages = try ada.places.pages(of: "english", every: interval)
    let task = Task {
      var count = 0
      for try await _ in pages {
        count += 1
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return count
    }

    let count = try await bounded { try await task.value }

    #expect(count == 1)
  }
}

/// Tests the asynchronous variants of steps.
struct AsyncStepTests {
  /// Holds the write lock, as another program does.
  private func lock(_ fixture: NavigationFixture) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: fixture.database, configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    return other
  }

  @Test func `a step waits for another writer without blocking the calling thread`() async throws {
    let (fixture, ada) = try NavigationFixture.withService()
    let other = try lock(fixture)

    let step = try await bounded {
      async let step = ada.perform(.open("english"), waitingAtMost: .seconds(60))
      try other.inDatabase { try $0.execute(sql: "COMMIT") }
      return try await step
    }

    #expect(step.isPerformed && step.to.title == "English")
    #expect(try ada.currentPlace().title == "English")
  }

  @Test func `a cancelled step stops waiting, and nothing is recorded`() async throws {
    let (fixture, ada) = try NavigationFixture.withService()
    let other = try lock(fixture)
    let step = Task { try await ada.perform(.open("english"), waitingAtMost: .seconds(60)) }

    step.cancel()
    await #expect(throws: NavigationError.cancelled) { _ = try await bounded { try await step.value } }
    try other.inDatabase { try $0.execute(sql: "ROLLBACK") }

    #expect(try ada.history.page().rows.isEmpty)
  }

  @Test func `an activity event is recorded, or refused after the timeout`() async throws {
    let (fixture, ada) = try NavigationFixture.withService()
    let other = try lock(fixture)

    await #expect(throws: NavigationError.busy) {
      try await ada.progress.record(.markedDone, in: "english/meetings/opening/agenda", waitingAtMost: .zero)
    }
    try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
    let card = try await ada.progress.record(.markedDone, in: "english/meetings/opening/agenda")

    #expect(card.state == .done)
  }
}
