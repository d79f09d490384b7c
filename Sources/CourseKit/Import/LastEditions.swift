import CourseFormats
import LearningModel
import LearningStore

extension StoreSnapshot {
  /// Returns the stored edition of a page: its lesson and the activities of the lesson.
  ///
  /// - Parameters:
  ///   - page: The key of the page in the source.
  ///   - key: The key of the course.
  /// - Returns: `nil` if the course does not contain the page, or if the page has no activities.
  func lastEdition(of page: String, inCourse key: String) throws -> PageEdition? {
    guard let course = try course(withKey: key), !course.node.isRemoved else { return nil }
    let other = try sourceKeys(of: course.id)[page]
    guard let lesson = try other ?? node(withKey: page, inCourse: course.id), !lesson.isRemoved, lesson.kind == .lesson
    else { return nil }
    let authorTitles = try authorTitles(in: course.id)
    func title(of node: ContentNode) -> String { authorTitles[node.id] ?? node.title }
    let activities = try children(of: .node(lesson.id)).filter { $0.kind == .activity }.compactMap { node in
      try content(of: node.id).map {
        PageEdition.Activity(
          key: node.key, title: title(of: node), summary: node.summary, minutes: node.minutes, content: $0)
      }
    }
    guard !activities.isEmpty else { return nil }
    return PageEdition(title: title(of: lesson), summary: lesson.summary, activities: activities)
  }
}
