import LearningStore

extension CourseLibrary {
  /// What is wrong with the database file and the courses in it: nothing, as a rule. One sentence each.
  public func check() throws -> [String] {
    try store.read { try $0.fileProblems() + $0.contentProblems() }
  }

  /// Makes the search index anew from the courses.
  public func rebuildSearch() throws {
    try store.write { try $0.rebuildSearch() }
    try store.indexSearch()
  }
}
