import LearningModel
import LearningStore

extension CourseLibrary {
  /// Copies the whole database, the history with it, as it is at one moment, while it is used.
  ///
  /// - Parameter path: Where the copy shall be, in a folder that is there. A file that has the name already is kept.
  /// - Throws: An `ExplainedError`; then there is no copy.
  public func backUp(to path: String) throws {
    try store.backUp(to: path)
  }
}
