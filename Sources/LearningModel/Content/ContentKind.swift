/// What a node of a course is.
public enum ContentKind: String, Codable, CaseIterable, Hashable, Sendable {
  /// The top of a tree: its children are goals.
  case course
  /// Something a learner wants to be able to do: its children are lessons.
  case goal
  /// A unit of study: its children are activities, or lessons.
  case lesson
  /// The thing that is read, answered, turned over or followed. It has no children.
  case activity

  /// Whether a node of this kind may stand directly under one of `parent`.
  public func mayStand(under parent: ContentKind) -> Bool {
    switch (self, parent) {
    case (.goal, .course), (.lesson, .goal), (.lesson, .lesson), (.activity, .lesson): true
    default: false
    }
  }
}
