import CourseFormats
import LearningStore

extension CourseLibrary {
  /// The file of a picture that a course has; `nil` where none has it any more.
  ///
  /// - Parameter digest: What `KeptPicture.digest` says.
  public func picture(_ digest: String) throws -> [UInt8]? {
    try store.read { try $0.picture(digest) }
  }

  /// What the name of a picture's file ends with, such as `png`.
  public static func pictureEnding(of bytes: [UInt8]) -> String { WaymarkArchive.ending(of: bytes) }
}
