import Foundation
import LearningModel
import LearningStore
import NavigationKit

/// A copy of the learners of a hub on PostgreSQL in an SQLite database, from which reports are computed.
///
/// Each report first makes the replica equal to the hub, so a replica can be deleted at any time. Only data that the
/// replica lacks is transferred. An interrupted update is continued by the next one.
///
/// The replica is a folder with two files. `hub` names the hub and the tenant, and is locked during a report.
/// `replica.sqlite` contains the learners, their events, reading positions and classes, and no tokens.
struct ReportingReplica {
  private let hub: any HubStore
  private let folder: String
  private let content: String
  private let now: Timestamp
  private let notify: (Event) -> Void

  /// An event that a user may want to see while a report takes long.
  enum Event: Hashable {
    /// Another report has locked the replica.
    case waiting
    /// The number of learners that were compared with the hub, and the number of all learners.
    case compared(Int, of: Int)
    /// The replica lacks records of a learner, because a database on SQLite refuses them.
    case refused(learner: String, reason: SyncError)
  }

  /// Creates a replica without accessing the hub or the folder.
  ///
  /// - Parameters:
  ///   - hub: The hub. Its data is only read.
  ///   - name: The name of the hub and its tenant, without secrets. A folder contains the replica of one name.
  ///   - folder: The path of the folder, which is created if missing.
  ///   - notify: Called for each event.
  init(
    of hub: any HubStore, named name: String, in folder: String, at now: Timestamp,
    notify: @escaping (Event) -> Void = { _ in }
  ) {
    (self.hub, self.folder, self.now, self.notify) = (hub, folder, now, notify)
    content = "reporting replica of \(name)"
  }

  /// Makes the replica equal to the hub, and computes a report. Other reports on the replica wait until this one ends.
  ///
  /// - Throws: ``HubError``, `NavigationError`, ``SyncError``, and the errors of `body`.
  func report<Answer>(_ body: (EmbeddedStore) throws -> Answer) throws -> Answer {
    let lock = try lockFolder()
    defer { withExtendedLifetime(lock) {} }
    let path = folder + "/replica.sqlite"
    do {
      return try report(from: path, body)
    } catch NavigationError.database(.tooOld), NavigationError.database(.newer), NavigationError.database(.damaged) {
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      return try report(from: path, body)
    }
  }

  private func report<Answer>(from path: String, _ body: (EmbeddedStore) throws -> Answer) throws -> Answer {
    let navigation = try NavigationService(
      databaseAt: path, learner: "server", session: .process(named: "report"))
    // A migration keeps a copy of the database, which is not needed here.
    for copy in navigation.database.store.copiesBeforeMigrations() { try? FileManager.default.removeItem(atPath: copy) }
    try update(EmbeddedStore(navigation))
    // Removes the remains of learners and events that were erased on the hub.
    if try navigation.access.isSweepPending() { _ = try navigation.sweep() }
    return try body(EmbeddedStore(navigation))
  }

  /// Locks the folder until the returned file is closed.
  private func lockFolder() throws -> FileHandle {
    // If the folder cannot be created or read, opening the file reports the reason.
    let files = FileManager.default
    try? files.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let names = (try? files.contentsOfDirectory(atPath: folder)) ?? []
    guard names.isEmpty || names.contains("hub") else { throw HubError.foreignReplica(folder: folder, content: nil) }
    let descriptor = open(folder + "/hub", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw HubError.unusableReplica(folder: folder, reason: Self.systemError) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      notify(.waiting)
      guard flock(descriptor, LOCK_EX) == 0 else {
        throw HubError.unusableReplica(folder: folder, reason: Self.systemError)
      }
    }
    let stored = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).trimmingCharacters(in: .newlines)
    if stored.isEmpty, try files.contentsOfDirectory(atPath: folder) == ["hub"] {
      try file.write(contentsOf: Data((content + "\n").utf8))
    } else if stored != content {
      throw HubError.foreignReplica(folder: folder, content: stored.isEmpty ? nil : String(stored.prefix(200)))
    }
    return file
  }

  private static var systemError: String { String(cString: strerror(errno)).lowercased() }

  /// The maximum number of learners in each request.
  private static let page = 500

  private func update(_ replica: EmbeddedStore) throws {
    // Learners whose data in the replica contradicts the hub.
    var rejected: Set<String> = []
    for attempt in 1...2 {
      let accounts = try allAccounts()
      // Read after the accounts, so that no membership refers to a missing class.
      let classes = try hub.classes()
      if !rejected.isEmpty {
        // The hub was restored from a backup. These learners are transferred from the beginning.
        _ = try replica.navigation.access.replicate(accounts.filter { !rejected.contains($0.uuid) }, [])
      }
      let names = try replica.navigation.access.replicate(accounts, classes)
      let pending = attempt == 1 ? accounts : accounts.filter { rejected.contains($0.uuid) }
      rejected = []
      for (number, account) in pending.enumerated() {
        do {
          try transfer(account, to: replica, named: names[account.uuid] ?? account.name)
        } catch let error as SyncError {
          // The learner may also have been erased after the accounts were read.
          rejected.insert(account.uuid)
          if attempt == 2 { notify(.refused(learner: account.name, reason: error)) }
        }
        notify(.compared(number + 1, of: pending.count))
      }
      if rejected.isEmpty { return }
    }
  }

  private func transfer(_ account: LearnerAccount, to replica: EmbeddedStore, named name: String) throws {
    let transfer = LearnerTransfer(
      from: { try hub.answer($0, about: hub.name(of: account), by: nil, at: now, trustsTimes: true) },
      to: { try replica.answer($0, about: name, by: nil, at: now, trustsTimes: true) })
    do {
      _ = try transfer.run(account.uuid, forReports: true)
    } catch NavigationError.database(.anotherLearner(_, let other)) {
      throw SyncError.contradictory(detail: "learner \(quoted: other) has the same session")
    }
  }

  private func allAccounts() throws -> [LearnerAccount] {
    var accounts: [LearnerAccount] = []
    while true {
      let page = try hub.accounts(after: accounts.last?.uuid, limit: Self.page)
      if page.isEmpty { return accounts }
      accounts += page
    }
  }
}
