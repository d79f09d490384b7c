import Foundation
import LearningModel
import LearningStore

/// Databases that take long to make, kept beside the build from run to run: each belongs to a seed and to the tables as
/// they are.
struct Databases {
  private let folder: URL
  /// What the names of this run's copies have in them.
  private static let run = ProcessInfo.processInfo.processIdentifier

  init() throws {
    // Beside the folder that the benchmark was built into.
    folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "benchmark-data")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The path of a database, which is made where there is none yet.
  func path(_ name: String, seed: UInt64, _ make: (String) throws -> Void) throws -> String {
    let final = folder.appending(path: "\(name)-\(seed)-\(try tables()).sqlite")
    guard !FileManager.default.fileExists(atPath: final.path) else { return final.path }
    let draft = folder.appending(path: "draft-\(Self.run)-\(UUID().uuidString.lowercased()).sqlite")
    FileHandle.standardError.write(Data("Making \(name) …\n".utf8))
    try make(draft.path)
    try FileManager.default.moveItem(at: draft, to: final)
    for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: draft.path + end) }
    return final.path
  }

  /// A copy of a database, to be changed.
  func copy(_ path: String) throws -> String {
    let copy = folder.appending(path: "copy-\(Self.run)-\(UUID().uuidString.lowercased()).sqlite").path
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    return copy
  }

  /// A path where there is nothing yet.
  func new() -> String { folder.appending(path: "copy-\(Self.run)-\(UUID().uuidString.lowercased()).sqlite").path }

  /// Removes the copies of this run; another one may be under way.
  func removeCopies() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    where ["copy-\(Self.run)-", "draft-\(Self.run)-"].contains(where: name.hasPrefix) {
      try? FileManager.default.removeItem(at: folder.appending(path: name))
    }
  }

  /// A digest of the tables of an empty database.
  private func tables() throws -> String {
    let path = new()
    _ = try LearningStore.open(at: path)
    var digest = Digest()
    digest.add(try Shell.column("SELECT sql FROM sqlite_schema WHERE sql <> '' ORDER BY name", in: path).joined())
    // A migration may change how a table works, and nothing of what it is called.
    digest.add(try Shell.column("SELECT identifier FROM grdb_migrations ORDER BY identifier", in: path).joined())
    return digest.description
  }
}
