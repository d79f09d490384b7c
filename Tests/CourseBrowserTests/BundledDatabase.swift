import CourseLibrary
import Foundation
import TestSupport

/// A database with the bundled course, imported once for all tests; each gets a copy of its own.
enum BundledDatabase {
  private static let original = Result { () -> (folder: TemporaryFolder, bytes: Data) in
    let folder = try TemporaryFolder()
    let library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite"))
    _ = try library.importBundled()
    try library.backUp(to: folder.file("copy.sqlite"))
    return (folder, try folder.bytes(of: "copy.sqlite"))
  }

  /// Puts a copy into a folder, and returns its path.
  static func copy(into folder: TemporaryFolder) throws -> String {
    try folder.write(original.get().bytes, to: "waymark.sqlite")
    return folder.file("waymark.sqlite")
  }
}
