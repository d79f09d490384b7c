@testable import waymark_server
import Foundation
import LearningModel
import LearningStore
import NavigationKit

extension HubStore {
  /// Returns all rows of a hub in a fixed order, without numbers that differ between databases.
  ///
  /// The rows are accounts with tokens and classes, erased learners, and the nodes, sessions, events, facts and versions
  /// of each learner.
  ///
  /// - Parameter learners: Only the rows of these learners are returned. If `nil`, the rows of all learners.
  func rows(of learners: Set<String>? = nil, at now: Timestamp) throws -> [String] {
    let accounts = try accounts(after: nil, limit: 10_000).filter { learners?.contains($0.name) ?? true }
    var lines = try accounts.flatMap { try rows(of: $0, at: now) }
    guard learners == nil else { return lines.sorted() }
    lines += try accounts.map { "account " + (try Self.text($0)) }
    lines += try classes().map { "class " + (try Self.text($0)) }
    lines += try erasedLearners().map { "erased \($0)" }
    return lines.sorted()
  }

  private func rows(of account: LearnerAccount, at now: Timestamp) throws -> [String] {
    let name = name(of: account)
    let comparison = try SyncCoding.value(SyncMessage.self, from: Data(Self.comparison(account.uuid).utf8))
    guard case .comparison(let all) = try answer(comparison, about: name, by: nil, at: now) else {
      throw SyncError.unexpectedAnswer
    }
    var delta = RecordDelta(
      sessions: all.sessions.map { SessionDelta(uuid: $0.uuid, steps: 0, acts: 0) }, facts: all.facts.map(\.key))
    var lines = try all.sessions.map { "mark " + (try Self.text($0)) }
    lines += try all.facts.map { "fact " + (try Self.text($0)) }
    lines.append("erasures " + (try Self.text(all.erased)))
    while !delta.isEmpty {
      let request = """
        {"pull":{"learner":"\(account.uuid)","limit":100000,"part":\(try Self.text(delta))},"version":2}
        """
      let message = try SyncCoding.value(SyncMessage.self, from: Data(request.utf8))
      guard case .payload(let payload) = try answer(message, about: name, by: nil, at: now) else {
        throw SyncError.unexpectedAnswer
      }
      // A session whose events continue in the next message is listed again there, with its end.
      var record = payload.record
      record.sessions.removeAll { session in payload.rest.sessions.contains { $0.uuid == session.uuid } }
      lines += try Self.lines(of: record)
      delta = payload.rest
    }
    // Several messages may list a node.
    return Array(Set(lines))
  }

  private static func comparison(_ learner: String) -> String {
    """
    {"compare":{"erased":{"sessions":[],"spans":[]},"learner":"\(learner)","summary":{"facts":[],"sessions":[]}},"version":2}
    """
  }

  private static func text(_ value: some Encodable) throws -> String {
    String(decoding: try SyncCoding.data(value), as: UTF8.self)
  }

  /// Returns the rows of a record. Nodes are replaced by their keys, since each message numbers them differently.
  private static func lines(of record: LearnerRecord) throws -> [String] {
    let object = try JSONSerialization.jsonObject(with: SyncCoding.data(record)) as? [String: Any] ?? [:]
    let keys = record.nodes.map { "\($0.course)/\($0.key)" }
    func named(_ value: Any, _ key: String) -> Any {
      if ["node", "stack", "parent"].contains(key) {
        if let number = value as? Int { return keys[number] }
        if let numbers = value as? [Int] { return numbers.map { keys[$0] } }
      }
      if let members = value as? [String: Any] {
        return Dictionary(uniqueKeysWithValues: members.map { ($0.key, named($0.value, $0.key)) })
      }
      return value
    }
    var lines: [String] = []
    for (list, values) in object {
      guard let values = values as? [[String: Any]] else { continue }
      for value in values {
        let data = try JSONSerialization.data(
          withJSONObject: named(value, ""), options: [.sortedKeys, .withoutEscapingSlashes])
        lines.append("\(list) \(String(decoding: data, as: UTF8.self))")
      }
    }
    lines += record.settings.map { "setting \($0.key) \($0.value)" }
    return lines
  }
}
