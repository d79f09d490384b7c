import GRDB
import LearningModel
import LearningStore
import Synchronization
import Testing

@testable import NavigationKit

/// Tests that the navigation state is read again only if the database has changed since the last step.
struct NavigationStateTests {
  let fixture: NavigationFixture
  let service: NavigationService

  init() throws {
    fixture = try NavigationFixture.withCourses()
    service = try fixture.service()
  }

  /// Returns the state that a step uses, the state in the database, and whether the cached state is still valid.
  private func situation() throws -> (taken: NavigationState, read: NavigationState, isKnown: Bool) {
    try service.session.write { transaction in
      (
        try service.session.navigationState(in: transaction, at: fixture.now),
        try service.session.navigationState(in: transaction.snapshot, at: fixture.now),
        service.session.cache.withLock { $0.cachedState?.state == transaction.state }
      )
    }
  }

  @Test(
    arguments: [
      [.push("english")], [.push("english"), .push("meetings"), .pop],
      [.open("english/meetings/opening/agenda"), .next],
      [.open("rust"), .open("english/meetings/middle"), .back], [.open("rust"), .open("english"), .back, .forward],
      [.open("english"), .popToRoot],
    ] as [[NavigationRequest]])
  func `the cached state after a step equals the state in the database`(requests: [NavigationRequest]) throws {
    try service.perform(.resume)

    for request in requests {
      fixture.advance(seconds: 7)
      try service.perform(request, cause: .key, animated: true)
    }

    let states = try situation()
    #expect(states.isKnown && states.taken == states.read)
    #expect(states.taken.lastEvent?.event.operation == requests.last?.operation)
  }

  @Test func `the cached state after an activity event equals the state in the database`() throws {
    try service.perform(.open("english"))
    for seconds in [7.0, 400, 20] {
      fixture.advance(seconds: seconds)
      try service.progress.record(.markedDone, in: "english/meetings/opening/agenda")

      let states = try situation()
      #expect(states.isKnown && states.taken == states.read)
    }
    // At most five minutes of a pause count.
    #expect(try situation().read.record?.presence.activeMilliseconds == 327_000)
  }

  @Test func `any other write invalidates the cached state`() throws {
    try service.perform(.open("english"))
    let others: [() throws -> Void] = [
      { try fixture.write { try $0.execute(sql: "UPDATE contentNode SET title = 'English!' WHERE slug = 'english'") } },
      { try fixture.service("ben").perform(.open("rust")) },
      {
        fixture.advance(seconds: 60)
        try service.recordInput()
      },
      { #expect(throws: NavigationError.self) { try service.perform(.push("rust")) } },
    ]

    for change in others {
      try service.perform(.open("rust"))
      try service.perform(.open("english"))
      try change()

      let states = try situation()
      #expect(!states.isKnown && states.taken == states.read)
    }
    #expect(try situation().taken.chain.map(\.title) == ["English!"])
  }

  @Test func `a cached session that was idle for too long is not continued`() throws {
    try service.perform(.resume)
    try service.perform(.open("english"))
    fixture.advance(seconds: 4 * 3_600)

    let states = try situation()

    #expect(states.isKnown && states.taken == states.read && states.taken.record == nil)
  }
}

extension NavigationState {
  fileprivate static func == (first: NavigationState, second: NavigationState) -> Bool {
    first.learner == second.learner && first.record == second.record && first.lastEvent == second.lastEvent
      && first.chain == second.chain
      && first.from == second.from && first.note == second.note
  }
}
