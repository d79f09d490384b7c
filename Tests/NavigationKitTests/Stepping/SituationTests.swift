import GRDB
import LearningModel
import LearningStore
import Synchronization
import Testing

@testable import NavigationKit

/// Where somebody is, is not read again where nobody has changed the database since their last step.
struct SituationTests {
  let desk: Desk
  let service: NavigationService

  init() throws {
    desk = try Desk.withCourses()
    service = try desk.service()
  }

  /// Where the learner is: as a step would take it, as it is read, and whether it was known.
  private func situation() throws -> (taken: Situation, read: Situation, isKnown: Bool) {
    try service.write { transaction in
      (
        try service.situation(in: transaction, at: desk.now),
        try Situation(of: service, in: transaction.snapshot, at: desk.now),
        service.sitting.withLock { $0.known?.state == transaction.state }
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
  func `what is known after a step is what would be read`(requests: [NavigationRequest]) throws {
    try service.perform(.resume)

    for request in requests {
      desk.pass(seconds: 7)
      try service.perform(request, cause: .key, animated: true)
    }

    let found = try situation()
    #expect(found.isKnown && found.taken == found.read)
    #expect(found.taken.last?.event.operation == requests.last?.operation)
  }

  @Test func `whatever anybody writes, it is read again`() throws {
    try service.perform(.open("english"))
    let others: [() throws -> Void] = [
      { try desk.write { try $0.execute(sql: "UPDATE contentNode SET title = 'English!' WHERE slug = 'english'") } },
      { try desk.service("ben").perform(.open("rust")) },
      { try service.record(.markedDone, in: "english/meetings/opening/agenda") },
      {
        desk.pass(seconds: 60)
        try service.touch()
      },
      { #expect(throws: NavigationError.self) { try service.perform(.push("rust")) } },
    ]

    for change in others {
      try service.perform(.open("rust"))
      try service.perform(.open("english"))
      try change()

      let found = try situation()
      #expect(!found.isKnown && found.taken == found.read)
    }
    #expect(try situation().taken.chain.map(\.title) == ["English!"])
  }

  @Test func `a session that has been idle for too long is not gone on with, though it is known`() throws {
    try service.perform(.resume)
    try service.perform(.open("english"))
    desk.pass(seconds: 4 * 3_600)

    let found = try situation()

    #expect(found.isKnown && found.taken == found.read && found.taken.record == nil)
  }
}

extension Situation {
  fileprivate static func == (one: Situation, other: Situation) -> Bool {
    one.learner == other.learner && one.record == other.record && one.last == other.last && one.chain == other.chain
      && one.from == other.from && one.note == other.note
  }
}
