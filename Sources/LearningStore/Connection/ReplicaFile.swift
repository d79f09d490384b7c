#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file `NAME-sessions/replica` next to a database, which distinguishes the database from its copies.
///
/// It contains the UUID of the database and the last row numbers of both logs that have left the database. If a database
/// has another UUID or has not reached these numbers, it is a copy or was replaced by an older copy. It then takes another
/// UUID at its first write, so that it never adds events to a session that another database continues.
///
/// The numbers are those of committed rows and only grow, so no other program that writes at the same time causes a
/// difference. A power cut that undoes commits causes one, and must: the numbers of the lost events are given again. If
/// the folder cannot be written, the database keeps its UUID, and a copy is recognised by the UUIDs of its events, like the
/// copy of a whole folder.
struct ReplicaFile: Sendable {
  /// The content of the file.
  struct Content: Hashable, Sendable {
    var uuid: String
    /// The last row IDs of navigation events and activity events.
    var steps: Int64
    var activityEvents: Int64
  }

  private let database: String
  private let folder: String
  private var path: String { folder + "/replica" }

  /// - Parameter database: The path of the database.
  init(of database: String) {
    (self.database, folder) = (database, database + "-sessions")
  }

  /// Returns whether a database must take another UUID.
  ///
  /// - Parameter state: The state of the database while it cannot be changed by others.
  func isOfAnotherDatabase(than state: Content) -> Bool {
    var status = stat()
    guard stat(folder, &status) != 0 || faccessat(AT_FDCWD, folder, R_OK | W_OK | X_OK, AT_EACCESS) == 0 else {
      return false
    }
    guard let content else { return true }
    return content.uuid != state.uuid || content.steps > state.steps || content.activityEvents > state.activityEvents
  }

  /// Stores the state of a database. Creates the folder, with the owner and the permissions of the database, because it
  /// remains after the session that created it. Has no effect if that is impossible.
  func record(_ state: Content) {
    mkdir(folder, 0o700)
    shareWithDatabase(folder)
    locked { replace(by: state) }
  }

  /// Stores the row numbers of records that leave the database. Has no effect if the file is of another database, which
  /// takes another UUID at its next write.
  func raise(to state: Content) {
    locked {
      guard var content, content.uuid == state.uuid else { return }
      content.steps = max(content.steps, state.steps)
      content.activityEvents = max(content.activityEvents, state.activityEvents)
      replace(by: content)
    }
  }

  /// Deletes the file, so that the database takes another UUID.
  func remove() { unlink(path) }

  private var content: Content? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let text = String(unsafeUninitializedCapacity: 128) { max(0, read(descriptor, $0.baseAddress, 128)) }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, let steps = Int64(words[1]), let activityEvents = Int64(words[2]) else { return nil }
    return Content(uuid: String(words[0]), steps: steps, activityEvents: activityEvents)
  }

  private func replace(by content: Content) {
    let new = path + ".new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let text = Array("\(content.uuid) \(content.steps) \(content.activityEvents)".utf8)
    let isWritten = write(descriptor, text, text.count) == text.count
    shareWithDatabase(new)
    close(descriptor)
    if isWritten { rename(new, path) }
  }

  /// Gives a file or the folder the owner and the permissions of the database, as SQLite does with its log.
  private func shareWithDatabase(_ path: String) {
    var (source, target) = (stat(), stat())
    guard stat(database, &source) == 0, stat(path, &target) == 0 else { return }
    if geteuid() == 0 { _ = chown(path, source.st_uid, source.st_gid) }
    let access = source.st_mode & 0o777
    // Who may read the database may search the folder.
    chmod(path, target.st_mode & S_IFMT == S_IFDIR ? access | (access & 0o444) >> 2 : access)
  }

  private func locked(_ body: () -> Void) {
    guard let lock = try? FolderLock(for: path, until: .now + .seconds(1)) else { return }
    body()
    _ = consume lock
  }
}

extension StoreSnapshot {
  /// Returns the state that ``ReplicaFile`` compares.
  func replicaState() throws -> ReplicaFile.Content {
    try first(Self.replicaSQL) { ReplicaFile.Content(uuid: $0[0], steps: $0[1], activityEvents: $0[2]) }
      ?? ReplicaFile.Content(uuid: "", steps: 0, activityEvents: 0)
  }

  private static let replicaSQL = StatementText(
    """
    SELECT uuid, ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'navigationEvent'), 0),
      ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'activityEvent'), 0)
    FROM replica
    """)
}
