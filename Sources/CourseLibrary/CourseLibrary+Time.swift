import Foundation
public import LearningModel

extension CourseLibrary {
  /// The system's clock, in whole milliseconds.
  @Sendable public static func systemTime() -> Timestamp {
    Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
  }
}
