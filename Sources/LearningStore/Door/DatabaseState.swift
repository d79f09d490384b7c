import GRDB
import LearningModel
import Migrations

/// What a file is found to be before anything is done to it.
enum DatabaseState: Hashable {
  /// It has no tables yet.
  case empty
  /// It has every migration.
  case current
  /// It has data of an older version, and wants the migrations from that one on.
  case older(firstMissing: String)

  /// The number by which a database is known to be Waymark's: the letters WMRK.
  static let applicationID: Int32 = 0x574D_524B
  /// Which time the tables were written down, as the first migration notes it in `user_version`.
  static let version = 3

  /// Looks at a file through a connection that cannot write, so that one that is refused stays as it is to the byte.
  init(of file: DatabaseFile, migrations: [Migrations.Migration]) throws(LearningStoreError) {
    let path = file.path
    let size = DatabaseFile.size(at: path)
    if size == 0 {
      self = .empty
      return
    }
    do {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(Double(BusyTimeout.usual) / 1000)
      configuration.label = "waymark.inspection"
      let queue = try DatabaseQueue(path: file.address, configuration: configuration)
      defer { queue.retire() }
      self = try queue.read { try Self(seenThrough: $0, at: path, size: size, migrations: migrations) }
    } catch let error as LearningStoreError {
      throw error
    } catch let error as DatabaseError {
      throw LearningStoreError(error, at: path)
    } catch {
      throw .unexpected(path: path, code: 0, detail: "\(error)")
    }
  }

  private init(
    seenThrough database: Database, at path: String, size: Int, migrations: [Migrations.Migration]
  ) throws {
    let tables = try Set(String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
    let pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
    if pageSize > 0, !size.isMultiple(of: pageSize) {
      throw LearningStoreError.damaged(path: path, detail: "its last page is cut short")
    }
    guard !tables.isEmpty else {
      self = .empty
      return
    }

    let applicationID = try Int32.fetchOne(database, sql: "PRAGMA application_id")
    guard tables.contains("grdb_migrations"), applicationID == Self.applicationID else {
      throw LearningStoreError.anotherProgram(path: path)
    }
    let applied = try String.fetchSet(database, sql: "SELECT identifier FROM grdb_migrations")
    // The tables were written down anew before the first release, under some of the same names.
    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    if version % LearningStore.told < Self.version, let last = applied.max() {
      throw LearningStoreError.tooOld(path: path, migration: last)
    }
    let known = migrations.map(\.name)
    if let newer = applied.subtracting(known).sorted().last {
      throw LearningStoreError.newer(path: path, migration: newer)
    }
    self = known.first { !applied.contains($0) }.map(Self.older) ?? .current
  }
}
