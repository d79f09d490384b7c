public import LearningModel
import LearningStore

extension CourseLibrary {
  /// Removes a course. Its places are kept as removed, with titles and paths, so that history still reads; imported
  /// again, they come back as themselves.
  ///
  /// - Parameter path: The course's path.
  /// - Returns: How many places were removed.
  /// - Throws: ``CourseLibraryError`` where there is no such course.
  @discardableResult
  public func remove(_ path: PlacePath) throws -> Int {
    let removed = try store.write(surviving: .powerCut) { transaction in
      let course = try transaction.snapshot.livingCourse(at: path)
      return try transaction.removeCourse(course.id, at: now())
    }
    try store.indexSearch()
    return removed
  }
}
