import Foundation

extension CourseSource {
  /// Opens a file or folder at a path, or a Git repository at an address.
  ///
  /// - Parameters:
  ///   - thing: The path or the address. An address is fetched into a temporary folder.
  ///   - limits: How much of it is read before it is refused.
  ///   - check: Called repeatedly while an archive is unpacked or a repository is fetched; an error that it throws ends
  ///     that.
  /// - Throws: ``CourseFormatError``.
  public init(opening thing: String, limits: SourceLimits = .standard, check: () throws -> Void = {}) throws {
    guard let address = try GitAddress(thing) else {
      try self.init(path: thing, limits: limits, unpacking: check)
      return
    }
    self.init(
      folder: address.name, in: try GitRepository.fetch(address, limits: limits, check: check), limits: limits)
  }

  /// Returns where a path or an address leads, in one form for all ways to write it: the address without a password, or
  /// the absolute path without symbolic links.
  ///
  /// - Throws: ``CourseFormatError/sourceMissing(path:)``, ``CourseFormatError/unsupportedAddress(_:)``.
  public static func origin(of thing: String) throws -> String {
    if let address = try GitAddress(thing) { return address.withoutPassword }
    guard let path = FileAccess.realPath(thing) else { throw CourseFormatError.sourceMissing(path: thing) }
    return path
  }

  /// Returns the number of files that an import looks at, but not more than a maximum.
  public func fileCount(upTo most: Int) -> Int {
    guard isFolder else { return 1 }
    var count = 0
    var folders = [""]
    while let folder = folders.popLast() {
      for entry in (try? entries(in: folder)) ?? [] {
        if !entry.isFolder {
          count += 1
          if count >= most { return most }
        } else if !PageFiles.isLeftOut(entry.name) {
          folders.append(entry.path)
        }
      }
    }
    return count
  }
}
