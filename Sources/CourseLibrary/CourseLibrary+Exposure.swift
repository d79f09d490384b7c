import LearningStore

extension CourseLibrary {
  /// Returns whether others than this user, whose file the database is, may read or write it, and nobody was told yet:
  /// `true` once for each database.
  public func isExposureNews() -> Bool { store.isExposureNews() }
}
