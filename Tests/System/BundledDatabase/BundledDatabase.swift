import CourseKit
import Foundation
import LearningModel
public import TestSupport

/// A database with the bundled course. The course is imported once, and each test gets its own copy.
public enum BundledDatabase {
  private static let original = Result { () -> Data in
    let folder = try TemporaryFolder()
    let moment = Timestamp("2026-11-16T09:30:00Z")!
    let library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite"), now: { moment })
    _ = try library.importBundled()
    try library.backUp(to: folder.file("copy.sqlite"))
    return try folder.bytes(of: "copy.sqlite")
  }

  /// Writes a copy to a folder and returns its path.
  public static func copy(into folder: TemporaryFolder) throws -> String {
    try folder.write(original.get(), to: "waymark.sqlite")
    return folder.file("waymark.sqlite")
  }
}
