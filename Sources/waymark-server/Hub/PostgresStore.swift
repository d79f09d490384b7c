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
    guard try isTrue("has_migration", [PostgresMigration.files.last?.name]) else {
      throw HubError.notMigrated(host: pool.address.host)
    }
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
      "add_token",
      [
        tenant, learner, digest, scope.rawValue, now.description, end?.description, nil,
        Self.entry(of: .command("tokens add"), at: now),
      ])
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
    let name = try LearnerName.checked(name, besides: knownNames())
    return try pool.call("learner_named", [tenant, name, RandomIdentifier.make(), now.description]) ?? ""
  }

  func tokens() throws -> [AccessToken] {
    try allAccounts().flatMap { account in account.tokens.map { (account.name, $0) } }
      .sorted { ($0.1.createdAt, $0.1.digest) < ($1.1.createdAt, $1.1.digest) }
      .map { name, token in
        AccessToken(
          id: Self.number(of: token.digest), learner: name, scope: token.scope, createdAt: token.createdAt,
          expiresAt: token.expiresAt, revokedAt: token.revokedAt)
      }
  }

  func revokeToken(_ id: Int64, at now: Timestamp) throws -> Bool {
    guard (0..<1 << (4 * Self.digits)).contains(id) else { return false }
    let entry = try Self.entry(of: .command("tokens revoke \(id)"), at: now)
    return try !rows(String.self, "revoke_token", [tenant, Self.beginning(of: id), now.description, entry]).isEmpty
  }

  func validToken(_ secret: String, at now: Timestamp) throws -> AccessToken? {
    let components = secret.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let digest = TokenSecret.digest(of: secret)
    let row: TokenRow?
    switch components.count {
    case 3 where components[1] == tenant && UUID(uuidString: components[2]) != nil:
      row = try pool.call("token", [tenant, components[2], digest, now.description])
        .map { try Self.value(TokenRow.self, in: $0) }
    // The token was created by a hub on SQLite and moved here. Its secret does not contain the learner.
    case 1:
      row = try rows(TokenRow?.self, "moved_tokens", [tenant, digest, now.description]).compactMap(\.self).first
    default: return nil
    }
    return row.map {
      AccessToken(
        id: Self.number(of: digest), learner: $0.learner, scope: $0.scope, createdAt: $0.createdAt, expiresAt: nil,
        revokedAt: nil)
    }
  }

  private struct TokenRow: Decodable {
    let learner: String
    let scope: AccessScope
    let createdAt: Timestamp
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
    let token = actor.token == 0 ? nil : Self.beginning(of: actor.token)
    guard let erased = try erase(learner, by: actor, token, at: now) else { throw SyncError.anotherLearner(name: nil) }
    let totals = try Self.value(Greeting.self, in: erased)
    return ErasedLearner(learner: totals.name, steps: totals.steps, activities: totals.activities)
  }

  /// Erases a learner with all data and tokens, and stores that the learner must not be restored.
  ///
  /// - Parameter token: The beginning of the digest of the token that must be valid. `nil` for a command.
  /// - Returns: The totals of the learner, or `nil` if the erasure was known.
  private func erase(
    _ learner: String, by actor: AuditActor, _ token: String? = nil, at now: Timestamp
  ) throws -> String? {
    try pool.call("erase_learner", [tenant, learner, Self.entry(of: actor, at: now), token, now.description])
  }

  // MARK: - Audit

  func noteAudit(command: String, at now: Timestamp) throws {
    _ = try pool.call("note_audit", [tenant, Self.everyone, Self.entry(of: .command(command), at: now)])
  }

  func audit() throws -> [AuditEntry] { try rows(AuditEntry.self, "audit", [tenant]).sorted { $0.at > $1.at } }

  /// The learner UUID in audit entries that concern all learners.
  private static let everyone = "00000000-0000-0000-0000-000000000000"

  private static func entry(of actor: AuditActor, at now: Timestamp) throws -> String {
    try text(AuditEntry(actor, of: nil, at: now))
  }

  // MARK: - Synchronisation

  /// The number of milliseconds by which the timestamp of a change may be ahead of the clock. A later one is reduced.
  private static let tolerance: Int64 = 300_000

  func answer(
    _ message: SyncMessage, about learner: String, by token: AccessToken?, at now: Timestamp, trustsTimes: Bool
  ) throws -> SyncAnswer {
    // The functions that write check the token whose digest begins so.
    let authority = [token.map { Self.beginning(of: $0.id) }, now.description]
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
          Everything.self, "compare",
          [tenant, learner, comparison.learner, Self.text(comparison.erased)] + authority)
        let state = SyncState(sessions: all.sessions, facts: all.facts)
        return .comparison(
          SyncAnswer.Difference(
            summary: state.summary, sessions: state.sessions(differingFrom: comparison.summary),
            facts: state.facts(differingFrom: comparison.summary), erased: all.erased))
      case .push(let payload):
        var record = payload.record
        if let rule = RecordRule.broken(by: record) { throw SyncError.contradictory(detail: rule.contradiction) }
        let numbers = try record.numberNodes().map(String.init).joined(separator: ",")
        // Above the 16 bits that count within a millisecond.
        let latest = trustsTimes ? nil : String((now.milliseconds + Self.tolerance) << 16)
        return .acknowledged(
          try value(
            SyncAnswer.Acknowledgement.self, "push",
            [tenant, learner, Self.text(record), "{\(numbers)}", latest] + authority))
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
    let activities: Int
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
      max(LearnerSync.minimumItemsPerMessage, request.limit ?? LearnerSync.maximumItemsPerMessage),
      LearnerSync.maximumItemsPerMessage)
    while true {
      var answer = try value(
        NumberedPayload.self, "pull", [tenant, learner, request.learner, Self.text(request.part), String(limit)])
      try answer.payload.record.indexNodes(numbered: answer.numbers)
      let payload = answer.payload
      let size = try SyncCoding.data(payload.record).count
      if size <= LearnerSync.maximumMessageBytes * 9 / 10 { return payload }
      guard limit > LearnerSync.minimumItemsPerMessage else { throw SyncError.tooLarge(bytes: size) }
      limit = max(LearnerSync.minimumItemsPerMessage, limit / 2)
    }
  }

  /// A payload that refers to nodes by their numbers.
  private struct NumberedPayload: Decodable {
    var payload: SyncAnswer.PullPayload
    /// The number of each node.
    let numbers: [Int]
  }

  // MARK: - JSON

  func value<Value: Decodable>(_ type: Value.Type, _ function: String, _ values: [String?]) throws -> Value {
    try Self.value(type, in: pool.call(function, values) ?? "null")
  }

  /// Returns the rows of a function that reads all databases. They are in no particular order.
  func rows<Row: Decodable>(_ type: Row.Type, _ function: String, _ values: [String?]) throws -> [Row] {
    try Self.value([Row].self, in: pool.call(function, values, isSet: true) ?? "[]")
  }

  private static func value<Value: Decodable>(_ type: Value.Type, in text: String) throws -> Value {
    do {
      return try SyncCoding.value(type, from: Data(text.utf8))
    } catch {
      throw SyncError.contradictory(detail: "\(error)")
    }
  }

  private static func text(_ value: some Encodable) throws -> String {
    String(decoding: try SyncCoding.data(value), as: UTF8.self)
  }
}

extension PostgresStore {
  func addClass(_ name: String, at now: Timestamp) throws -> Bool {
    try rows(Bool.self, "add_class", [tenant, LearnerName.className(name), now.description]).contains(true)
  }

  func removeClass(_ name: String) throws {
    guard try !rows(Bool.self, "remove_class", [tenant, name]).isEmpty else { throw HubError.unknownClass(name) }
  }

  func classes() throws -> [LearnerClass] {
    func isSorted(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
    // Each database has all classes, but only its own learners.
    return try Dictionary(grouping: rows(LearnerClass.self, "classes", [tenant]), by: \.name)
      .sorted { isSorted($0.key, $1.key) }
      .map { name, parts in
        LearnerClass(
          name: name, createdAt: parts.map(\.createdAt).min() ?? parts[0].createdAt,
          members: parts.flatMap(\.members).sorted(by: isSorted))
      }
  }

  func join(_ learners: [String], toClass name: String, at now: Timestamp) throws -> [Bool] {
    try find(name)
    // Each learner is added in a transaction, so all names are checked first.
    var names = try knownNames()
    for learner in learners { names.append(try LearnerName.checked(learner, besides: names)) }
    return try learners.map {
      try isTrue("join_class", [tenant, uuid(ofLearnerNamed: $0, at: now), name, now.description])
    }
  }

  func leave(_ learners: [String], fromClass name: String) throws {
    try find(name, with: learners)
    for learner in learners { _ = try rows(Bool.self, "leave_class", [tenant, name, learner]) }
  }

  /// Calls a function that returns a Boolean value.
  func isTrue(_ function: String, _ values: [String?]) throws -> Bool { try pool.call(function, values) == "t" }
}

extension PostgresStore {
  // Each database returns a page.
  func accounts(after uuid: String?, limit: Int) throws -> [LearnerAccount] {
    Array(
      try rows(LearnerAccount.self, "accounts", [tenant, uuid, String(limit)]).sorted { $0.uuid < $1.uuid }
        .prefix(limit))
  }

  private func allAccounts() throws -> [LearnerAccount] {
    var accounts: [LearnerAccount] = []
    while true {
      let page = try self.accounts(after: accounts.last?.uuid, limit: 1_000)
      if page.isEmpty { return accounts }
      accounts += page
    }
  }

  // An interrupted call is continued by the next one, because each part is only added if it is missing.
  func add(_ account: LearnerAccount) throws -> (learner: String, taken: TakenAccount) {
    let learner = account.uuid
    let isNew = try isTrue("add_learner", [tenant, learner, account.name, account.createdAt.description])
    let tokens = try account.tokens.count { token in
      let times = [token.createdAt, token.expiresAt, token.revokedAt].map { $0?.description }
      return try isTrue("add_token", [tenant, learner, token.digest, token.scope.rawValue] + times + [nil])
    }
    let memberships = try account.classes.count {
      try isTrue("join_class", [tenant, learner, $0.name, $0.at.description])
    }
    return (learner, TakenAccount(isNew: isNew, tokens: tokens, memberships: memberships))
  }

  func name(of account: LearnerAccount) -> String { account.uuid }

  func knownNames() throws -> [String] { try allAccounts().map(\.name).sorted() }

  func erasedLearners() throws -> [String] { try rows(String.self, "erased_learners", [tenant]).sorted() }

  func rememberErasure(_ uuid: String) throws -> Bool {
    try erase(uuid, by: .command("move"), at: Timestamp(date: Date())) != nil
  }
}
