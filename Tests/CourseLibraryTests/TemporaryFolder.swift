import Foundation

/// A folder that goes when the test ends.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "waymark-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    // What a test compares with is the path without symbolic links.
    precondition(URL(filePath: path).resolvingSymlinksInPath().path == path)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of that file in it.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The bytes of that file.
  func bytes(of name: String) throws -> Data {
    try Data(contentsOf: URL(filePath: file(name)))
  }

  /// Puts those bytes there.
  func write(_ bytes: Data, to name: String) throws {
    try bytes.write(to: URL(filePath: file(name)))
  }

  /// The names of what is in it, sorted.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// The permissions of that file, such as 0o600.
  func permissions(of name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }
}
