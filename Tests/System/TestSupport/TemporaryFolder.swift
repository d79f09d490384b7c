public import Foundation

/// A folder that goes when the test ends.
public final class TemporaryFolder: Sendable {
  /// Its absolute path.
  public let path: String

  /// Makes an empty folder.
  public init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "waymark-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    // What a test compares with is the path without symbolic links.
    precondition(URL(filePath: path).resolvingSymlinksInPath().path == path)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of that file in it.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The bytes of that file.
  public func bytes(of name: String) throws -> Data {
    try Data(contentsOf: URL(filePath: file(name)))
  }

  /// Puts those bytes there.
  public func write(_ bytes: Data, to name: String) throws {
    try bytes.write(to: URL(filePath: file(name)))
  }

  /// The names of what is in it, sorted.
  public var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// The permissions of that file, such as 0o600.
  public func permissions(of name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }
}
