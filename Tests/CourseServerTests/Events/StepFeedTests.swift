import Foundation
import GRDB
import LearningModel
import NIOCore
import NavigationKit
import TestSupport
import Testing

@testable import waymark_server

/// Event streams without a server. The test calls each step of the feed itself.
struct StepFeedTests {
  private let folder: TemporaryFolder
  private let navigation: NavigationService
  private let feed: NavigationEventFeed

  init() throws {
    folder = try TemporaryFolder()
    navigation = try NavigationService(databaseAt: folder.file("waymark.sqlite"), learner: "server", session: .none)
    feed = NavigationEventFeed(navigation, metrics: Metrics())
  }

  private func token(_ name: String) throws -> AccessToken {
    let digest = UUID().uuidString.replacing("-", with: "")
    return try navigation.access.addToken(digest: digest + digest, for: name, .learner, expiresAt: nil)
  }

  /// Records the first event of a new session.
  private func makeStep(_ name: String) throws {
    let session = SessionChoice.named(UUID().uuidString)
    let service = try NavigationService(sharingDatabaseOf: navigation, learner: name, session: session, timeZone: .gmt)
    _ = try service.perform(.resume)
  }

  /// Ends the stream, and returns the ids of the events that were sent.
  private func numbers(_ subscriber: NavigationEventFeed.Subscriber) async -> [String] {
    feed.unsubscribe(subscriber)
    var numbers: [String] = []
    for await event in subscriber.events { numbers.append(String(String(buffer: event).prefix { $0 != "\n" })) }
    return numbers
  }

  @Test func `a stream that is opened before its learner's first event receives that event`() async throws {
    let subscriber = try #require(feed.subscribe(by: token("ada"), knowing: 0))
    #expect(try feed.missed(by: subscriber, after: subscriber.last) == nil)

    try makeStep("ben")
    try makeStep("ada")
    try feed.deliver()

    #expect(await numbers(subscriber) == ["id: 2"])
  }

  @Test func `pending events are discarded when the token is revoked`() throws {
    let (first, second) = (try token("ada"), try token("ada"))
    let subscriber = try #require(feed.subscribe(by: first, knowing: 0))
    let other = try #require(feed.subscribe(by: second, knowing: 0))
    try makeStep("ada")
    try feed.deliver()
    try feed.checkTokens()
    #expect(!subscriber.hasEnded)

    _ = try navigation.access.revokeToken(first.id)
    try feed.checkTokens()

    #expect(subscriber.hasEnded)
    #expect(!other.hasEnded)
  }

  @Test func `missed events are not sent after the token is revoked`() throws {
    let token = try token("ada")
    try makeStep("ada")
    try makeStep("ada")
    try feed.deliver()
    let subscriber = try #require(feed.subscribe(by: token, knowing: 1))
    let page = try #require(try feed.missed(by: subscriber, after: 1))
    #expect(String(buffer: page.events).hasPrefix("id: 2\n") && page.last == 2)

    _ = try navigation.access.revokeToken(token.id)

    #expect(try feed.missed(by: subscriber, after: 1) == nil)
    #expect(subscriber.hasEnded)
  }

  @Test func `a stream ends when another learner gets the name of the stream's learner`() throws {
    let token = try token("ada")
    try makeStep("ada")
    let subscriber = try #require(feed.subscribe(by: token, knowing: 0))
    #expect(try feed.missed(by: subscriber, after: subscriber.last) == nil)
    #expect(!subscriber.hasEnded)

    // Acts like a restored or edited database: the token exists, but its name belongs to another learner.
    try DatabaseQueue(path: folder.file("waymark.sqlite")).write {
      try $0.execute(sql: "UPDATE learner SET name = 'ada of old' WHERE name = 'ada'")
    }
    try makeStep("ada")
    try feed.deliver()

    #expect(subscriber.hasEnded)
  }

  @Test func `a stream that is opened during delivery receives each event once`() async throws {
    let token = try token("ada")
    try makeStep("ada")
    let early = try #require(feed.subscribe(by: token, knowing: 0))
    try feed.deliver()
    let late = try #require(feed.subscribe(by: token, knowing: 0))
    let missed = try #require(try feed.missed(by: late, after: 0))
    try makeStep("ada")
    try feed.deliver()

    #expect(missed.last == 1)
    #expect(await numbers(early) == ["id: 1", "id: 2"])
    #expect(await numbers(late) == ["id: 2"])
  }
}
