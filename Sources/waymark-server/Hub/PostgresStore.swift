import Foundation
import LearningModel
import LearningStore
import NavigationKit

/// The store of a hub on PostgreSQL. Learners are identified by their UUIDs.
struct PostgresStore: HubStore {
  let pool: PostgresPool
  let tenant: String

  /// Creates a store without connecting. The first operation connects.
  ///
  /// - Parameter tenant: The tenant whose learners the store contains: 1 to 40 characters from `a` to `z`, digits and
  ///   hyphens.
  /// - Throws: ``HubError/unusableTenant(_:)``.
  init(_ address: PostgresAddress, tenant: String) throws {
    guard (try? /[a-z0-9-]{1,40}/.wholeMatch(in: tenant)) != nil else { throw HubError.unusableTenant(tenant) }
    pool = PostgresPool(address)
    self.tenant = tenant
  }

  // If the database is a proxy, only the proxy is checked. While a shard is down, learners of the other shards can
  // still be served.
  func check(after failure: DatabaseHealth.Failure?) throws {
    guard try pool.call("checks_tokens", []) == "t" else { throw HubError.notMigrated(host: pool.address.host) }
    if failure == .storage { _ = try pool.call("check_writing", []) }
  }

  // MARK: - Tokens

  func addToken(
    for name: String, _ scope: AccessScope, at now: Timestamp, expiresAt end: Timestamp?
  ) throws -> (secret: String, token: AccessToken) {
    let name = LearnerName.trimmed(name)
    let learner = try uuid(ofLearnerNamed: name, at: now)
    // The secret contains the tenant and the learner, so that a lookup reads only rows of this learner.
    let secret = "\(TokenSecret.make()).\(tenant).\(learner)"
    let digest = TokenSecret.digest(of: secret)
    _ = try pool.call(
      "add_token_audited",
      [tenant, learner, digest, scope.rawValue, end?.description] + Self.values(of: .command("tokens add"), at: now))
    return (
      secret,
      AccessToken(
        id: Self.number(of: digest), learner: name, scope: scope, createdAt: now, expiresAt: end, revokedAt: nil)
    )
  }

  /// Returns the UUID of the learner with the given name. Creates the learner if it is missing.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``, ``NavigationError/similarName(name:known:)``.
  func uuid(ofLearnerNamed name: String, at now: Timestamp) throws -> String {
    let name = try NavigationService.checked(name, besides: knownNames())
    return try pool.call("learner_named", [tenant, name, RandomIdentifier.make(), now.description]) ?? ""
  }

  func tokens() throws -> [AccessToken] {
    try value([TokenRow].self, "tokens", [tenant]).map {
      AccessToken(
        id: Self.number(of: $0.digest), learner: $0.learner ?? "", scope: $0.scope, createdAt: $0.createdAt,
        expiresAt: $0.expiresAt, revokedAt: $0.revokedAt)
    }
  }

  func revokeToken(_ id: Int64, at now: Timestamp) throws -> Bool {
    guard (0..<1 << (4 * Self.digits)).contains(id) else { return false }
    return try pool.call(
      "revoke_token_audited",
      [tenant, Self.beginning(of: id)] + Self.values(of: .command("tokens revoke \(id)"), at: now)) != "0"
  }

  func validToken(_ secret: String, at now: Timestamp) throws -> AccessToken? {
    let components = secret.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let digest = TokenSecret.digest(of: secret)
    let text: String?
    switch components.count {
    case 3 where components[1] == tenant && UUID(uuidString: components[2]) != nil:
      text = try pool.call("token", [tenant, components[2], digest, now.description])
    // The token was created by a hub on SQLite and moved here. Its secret does not contain the learner.
    case 1: text = try pool.call("moved_token", [tenant, digest, now.description])
    default: return nil
    }
    guard let row = try text.map({ try Self.value(TokenRow.self, in: $0) }),
      let learner = row.learner ?? components.last
    else { return nil }
    return AccessToken(
      id: Self.number(of: digest), learner: learner, scope: row.scope, createdAt: row.createdAt, expiresAt: nil,
      revokedAt: nil)
  }

  private struct TokenRow: Decodable {
    let digest: String
    let learner: String?
    let scope: AccessScope
    let createdAt: Timestamp
    let expiresAt: Timestamp?
    let revokedAt: Timestamp?
  }

  /// The number of hexadecimal digits of a token's digest from which the token's number is formed. 48 bits make the
  /// number unique, so that the shards need no common counter.
  private static let digits = 12

  /// Returns the first digits of the digest of a token.
  private static func beginning(of number: Int64) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: digits - text.count) + text
  }

  private static func number(of digest: String) -> Int64 { Int64(digest.prefix(digits), radix: 16) ?? 0 }

  // MARK: - Learners

  func eraseLearner(_ learner: String, by actor: AuditActor, at now: Timestamp) throws -> ErasedLearner {
    try value(
      ErasedLearner.self, "erase_learner_by",
      [tenant, learner, Self.values(of: actor.token == 0 ? nil : actor.token, at: now)[0]]
        + Self.values(of: actor, at: now))
  }

  // MARK: - Audit

  func noteAudit(command: String, at now: Timestamp) throws {
    _ = try pool.call("note_audit", [tenant, Self.everyone] + Self.values(of: .command(command), at: now))
  }

  func audit() throws -> [AuditEntry] { try value([AuditEntry].self, "audit", [tenant]) }

  /// The learner UUID in audit entries that concern all learners.
  private static let everyone = "00000000-0000-0000-0000-000000000000"

  /// Returns the last four arguments of the functions that append to the audit.
  static func values(of actor: AuditActor, at now: Timestamp) -> [String?] {
    [String(actor.token), actor.name, actor.request, now.description]
  }

  /// Returns the last two arguments of the functions that check a token: the beginning of its digest, and the time.
  private static func values(of token: Int64?, at now: Timestamp) -> [String?] {
    [token.map(beginning), now.description]
  }

  /// A time after all recorded times. Passed as the limit for the times of bookmarks, settings and positions if these
  /// times must not be changed.
  private static let farFuture = "4000-01-01T00:00:00.000Z"

  func answer(
    _ message: SyncMessage, about learner: String, by token: AccessToken?, at now: Timestamp, trustsTimes: Bool
  ) throws -> SyncAnswer {
    let authority = Self.values(of: token?.id, at: now)
    do {
      switch message {
      case .hello:
        guard let text = try pool.call("greet", [tenant, learner]) else {
          throw SyncError.anotherLearner(name: nil)
        }
        let greeting = try Self.value(Greeting.self, in: text)
        return .hello(SyncAnswer.Hello(learner: greeting.learner, name: greeting.name, steps: greeting.steps))
      case .compare(let comparison):
        let all = try value(
          Everything.self, "compare_by",
          [tenant, learner, comparison.learner, Self.text(comparison.erased)] + authority)
        let state = SyncState(sessions: all.sessions, facts: all.facts)
        return .comparison(
          SyncAnswer.Difference(
            summary: state.summary, sessions: state.sessions(differingFrom: comparison.summary),
            facts: state.facts(differingFrom: comparison.summary), erased: all.erased))
      case .push(let payload):
        return .acknowledged(
          try value(
            SyncAnswer.Acknowledgement.self, "push_by",
            [tenant, learner, Self.text(payload.record), trustsTimes ? Self.farFuture : now.description] + authority))
      case .pull(let request): return .payload(try pullPayload(request, about: learner))
      case .names(let name):
        return .names(try value(SyncAnswer.Names.self, "names", [tenant, learner, name.learner, name.session]))
      }
    } catch SyncError.erasedHere {
      return .erased
    } catch SyncError.fork(let session) {
      return .fork(session)
    }
  }

  private struct Greeting: Decodable {
    let learner: String
    let name: String
    let steps: Int
  }

  private struct Everything: Decodable {
    let sessions: [SessionVersion]
    let facts: [FactVersion]
    let erased: LearnerRecord.Erasure
  }

  /// Returns as many of the requested events and other records as fit into a message. If they do not fit, halves the
  /// number of rows and tries again.
  private func pullPayload(_ request: SyncMessage.PullRequest, about learner: String) throws -> SyncAnswer.PullPayload {
    var limit = min(
      max(2, request.limit ?? NavigationService.maximumItemsPerMessage), NavigationService.maximumItemsPerMessage)
    while true {
      let payload = try value(
        SyncAnswer.PullPayload.self, "pull", [tenant, learner, request.learner, Self.text(request.part), String(limit)])
      let size = try SyncCoding.data(payload.record).count
      if size <= NavigationService.maximumMessageBytes * 9 / 10 { return payload }
      guard limit > 2 else { throw SyncError.tooLarge(bytes: size) }
      limit /= 2
    }
  }

  // MARK: - JSON

  func value<Value: Decodable>(_ type: Value.Type, _ function: String, _ values: [String?]) throws -> Value {
    try Self.value(type, in: pool.call(function, values) ?? "null")
  }

  private static func value<Value: Decodable>(_ type: Value.Type, in text: String) throws -> Value {
    do {
      return try SyncCoding.value(type, from: Data(text.utf8))
    } catch {
      throw SyncError.contradictory(detail: "\(error)")
    }
  }

  static func text(_ value: some Encodable) throws -> String {
    String(decoding: try SyncCoding.data(value), as: UTF8.self)
  }
}

extension PostgresStore {
  func addClass(_ name: String, at now: Timestamp) throws -> Bool {
    try isTrue("add_class", [tenant, NavigationService.className(name), now.description])
  }

  func removeClass(_ name: String) throws {
    guard try isTrue("remove_class", [tenant, name]) else { throw HubError.unknownClass(name) }
  }

  func classes() throws -> [LearnerClass] { try value([LearnerClass].self, "classes", [tenant]) }

  func join(_ learners: [String], toClass name: String, at now: Timestamp) throws -> [Bool] {
    try find(name)
    // Each learner is added in a transaction, so all names are checked first.
    var names = try knownNames()
    for learner in learners { names.append(try NavigationService.checked(learner, besides: names)) }
    return try learners.map {
      try isTrue("join_class", [tenant, name, uuid(ofLearnerNamed: $0, at: now), now.description])
    }
  }

  func leave(_ learners: [String], fromClass name: String) throws {
    try find(name, with: learners)
    for learner in learners { _ = try isTrue("leave_class", [tenant, name, learner]) }
  }

  /// Calls a function that returns a Boolean value.
  func isTrue(_ function: String, _ values: [String?]) throws -> Bool { try pool.call(function, values) == "t" }
}
