import LearningModel
import LearningStore

extension CourseLibrary {
  /// Copies the whole database, the history with it, as it is at one moment, while everybody goes on using it.
  ///
  /// - Parameter path: Where the copy shall be. Folders that are missing are made; a file that is there is kept.
  /// - Throws: An `ExplainedError`; then there is no copy.
  public func backUp(to path: String) throws {
    try store.backUp(to: path)
  }
}
