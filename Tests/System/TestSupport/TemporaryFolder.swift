public import Foundation

/// A temporary folder that is removed when the object is released.
public final class TemporaryFolder: Sendable {
  /// The absolute path.
  public let path: String

  /// Creates an empty folder.
  public init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "waymark-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    // Tests compare paths without symbolic links.
    precondition(URL(filePath: path).resolvingSymlinksInPath().path == path)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Returns the path of a file in the folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Returns the content of a file.
  public func bytes(of name: String) throws -> Data {
    try Data(contentsOf: URL(filePath: file(name)))
  }

  /// Writes a file.
  public func write(_ bytes: Data, to name: String) throws {
    try bytes.write(to: URL(filePath: file(name)))
  }

  /// The names of the files in the folder, sorted.
  public var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// Returns the permissions of a file, for example 0o600.
  public func permissions(of name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }
}
