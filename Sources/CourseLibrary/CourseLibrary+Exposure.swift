import LearningStore

extension CourseLibrary {
  /// Returns whether others than this user, whose file the database is, may read or write it; `true` only once for each
  /// database, so that it is said once.
  public func isExposureNews() -> Bool { store.isExposureNews() }
}
