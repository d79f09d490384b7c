import Foundation
import LearningModel
import LearningStore
import TestSupport
import Testing

@testable import NavigationKit

/// Synchronises a database with another one. Every message is encoded and decoded, as on a network.
final class SyncPair {
  struct Interruption: Error {}

  let client: NavigationService
  let hub: NavigationService
  /// The number of bytes of each message with its answer.
  private(set) var sizes: [Int] = []
  /// Called before and after the other database answers a message, with the number of the message from 0.
  var before: (Int) throws -> Void = { _ in }
  var after: (Int) throws -> Void = { _ in }
  /// The number of the message whose effect in the other database is undone before it is committed, as by a kill.
  var undone: Int?
  /// Shuffles the sessions of which parts are still to be received, and limits the size of these parts.
  var portions: SplitMix64?

  init(_ leaf: NavigationService, _ hub: NavigationService) {
    (self.client, self.hub) = (leaf, hub)
  }

  @discardableResult
  func run(joining joins: Bool = true) throws -> SyncReport {
    sizes = []
    return try Synchroniser(client, send: send).run(joining: joins)
  }

  func send(_ message: SyncMessage) throws -> SyncAnswer {
    let number = sizes.count
    try before(number)
    let data = try SyncCoding.data(message)
    let received = portioned(try SyncCoding.value(SyncMessage.self, from: data))
    if number == undone {
      try hub.session.store.groupCommit {
        _ = try hub.sync.respond(received)
        throw Interruption()
      }
    }
    var answer = try hub.sync.respond(received)
    if case .payload(var payload) = answer, portions != nil {
      payload.rest.sessions.shuffle(using: &portions!)
      answer = .payload(payload)
    }
    let answered = try SyncCoding.data(answer)
    sizes.append(data.count + answered.count)
    try after(number)
    return try SyncCoding.value(SyncAnswer.self, from: answered)
  }
}

extension SyncPair {
  private func portioned(_ message: SyncMessage) -> SyncMessage {
    guard case .pull(var request) = message, portions != nil else { return message }
    request.limit = 2 + portions!.below(9)
    return .pull(request)
  }
}

extension NavigationService {
  /// Returns all data about the learner, one item per line and sorted. Excludes numbers and names that differ between
  /// databases.
  func everything() throws -> [String] {
    let record = try session.read { snapshot in try snapshot.record(of: snapshot.learner(named: learner)!.id)! }
    func name(_ node: Int?) -> String { node.map { "\(record.nodes[$0].course)/\(record.nodes[$0].key)" } ?? "/" }
    var lines = record.sessions.map { session in
      var plain = session
      // The last input of an open session is not synchronised until another event or the end is.
      if session.endedAt == nil { (plain.lastInputAt, plain.activeMs) = (session.startedAt, 0) }
      return "session \(plain)"
    }
    for step in record.steps {
      var plain = step
      (plain.transition, plain.from, plain.to.node, plain.stack) = (nil, nil, nil, [])
      lines.append(
        "step \(plain) \(name(step.transition?.node)) \(name(step.from?.node)) \(name(step.to.node)) "
          + "\(step.stack.map { name($0) }) \(step.transition?.kind.rawValue ?? "")")
    }
    for event in record.activities {
      var plain = event
      plain.node = 0
      lines.append("act \(plain) \(name(event.node))")
    }
    lines += record.bookmarks.map { "bookmark \(name($0.node)) \($0.createdAt)" }
    lines += record.positions.map { "position \(name($0.node)) \($0.block) \($0.savedAt)" }
    lines += record.quizzes.map { "quiz \(name($0.node)) \($0.answers) \($0.savedAt)" }
    lines += record.passages.map { "passage \(name($0.node)) \($0.digest) \($0.characters) \($0.savedAt)" }
    lines += record.settings.map { "setting \($0.key) \($0.value)" }
    lines += (record.others ?? []).map {
      "\($0.kind.rawValue) \(name($0.node)) \($0.name ?? "") \($0.value) \($0.savedAt.map { "\($0)" } ?? "")"
    }
    lines += record.changes.map {
      "change \($0.kind) \(name($0.node)) \($0.name ?? "") \($0.stamp) \($0.replica)"
    }
    lines += record.erased.sessions.map { "cut \($0)" } + record.erased.spans.map { "span \($0)" }
    lines += try notes.all().map { "note \($0.note)" }
    lines += try progress.rows().map { "progress \($0.place.path) \($0.progress)" }
    return lines.sorted()
  }
}

/// Expects that both databases have the same data about the learner. Reports lines that only the first one has with a
/// minus, and lines that only the second one has with a plus.
func expectSame(
  _ first: NavigationService, _ second: NavigationService, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let (firstLines, secondLines) = (try first.everything(), try second.everything())
  let unlike =
    Set(firstLines).subtracting(secondLines).map { "- \($0)" }.sorted()
    + Set(secondLines).subtracting(firstLines).map { "+ \($0)" }.sorted()
  #expect(unlike == [], sourceLocation: sourceLocation)
}
