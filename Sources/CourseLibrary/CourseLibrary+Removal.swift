public import LearningModel
import LearningStore

extension CourseLibrary {
  /// Removes a course. Its places are kept as removed, with titles and paths, so that history still reads; imported
  /// again, they come back as themselves.
  ///
  /// It goes in one transaction, for which other writers wait.
  ///
  /// - Parameter path: The course's path.
  /// - Returns: How many places were removed.
  /// - Throws: ``CourseLibraryError`` where there is no such course.
  @discardableResult
  public func remove(_ path: PlacePath) throws -> Int {
    let course = try store.read { try $0.livingCourse(at: path) }
    try store.checkWritable()
    let removed = try store.removeCourse(course.id, at: now())
    // Where another process was quicker, it is told as it is now.
    if removed == 0 { _ = try store.read { try $0.livingCourse(at: path) } }
    store.announceCourses()
    try store.indexSearch()
    return removed
  }
}
