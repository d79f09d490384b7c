import Foundation
import LearningModel
import LearningStore

/// Databases that take long to create. They are stored in the build folder and used again by later runs. Each is
/// specific to a seed and a database schema.
struct Databases {
  private let folder: URL
  /// Part of the names of this run's copies.
  private static let run = ProcessInfo.processInfo.processIdentifier

  init() throws {
    // Next to the folder of the benchmark's executable.
    folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "benchmark-data")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Returns the path of a database. The database is created if it is missing.
  func path(_ name: String, seed: UInt64, _ make: (String) throws -> Void) throws -> String {
    let final = folder.appending(path: "\(name)-\(seed)-\(try tables()).sqlite")
    guard !FileManager.default.fileExists(atPath: final.path) else { return final.path }
    let draft = folder.appending(path: "draft-\(Self.run)-\(UUID().uuidString.lowercased()).sqlite")
    FileHandle.standardError.write(Data("Creating \(name) …\n".utf8))
    try make(draft.path)
    try FileManager.default.moveItem(at: draft, to: final)
    for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: draft.path + end) }
    return final.path
  }

  /// Returns the path of a copy that may be changed.
  func copy(_ path: String) throws -> String {
    let copy = folder.appending(path: "copy-\(Self.run)-\(UUID().uuidString.lowercased()).sqlite").path
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    return copy
  }

  /// Returns a path without a file.
  func new() -> String { folder.appending(path: "copy-\(Self.run)-\(UUID().uuidString.lowercased()).sqlite").path }

  /// Removes the copies of this run. Other runs may be in progress.
  func removeCopies() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    where ["copy-\(Self.run)-", "draft-\(Self.run)-"].contains(where: name.hasPrefix) {
      try? FileManager.default.removeItem(at: folder.appending(path: name))
    }
  }

  /// Returns a digest of the schema of an empty database.
  private func tables() throws -> String {
    let path = new()
    _ = try LearningStore.open(at: path)
    var digest = Digest()
    digest.add(try Shell.column("SELECT sql FROM sqlite_schema WHERE sql <> '' ORDER BY name", in: path).joined())
    // A migration may change the meaning of a table without changing its definition.
    digest.add(try Shell.column("SELECT identifier FROM grdb_migrations ORDER BY identifier", in: path).joined())
    return digest.description
  }
}
