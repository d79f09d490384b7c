/// A course: its root node, and the properties that only courses have.
package struct Course: Hashable, Sendable, Identifiable {
  /// The root node of the course.
  package let node: ContentNode
  /// The language of the texts as a BCP 47 tag, or `nil` if the source does not specify it.
  package let language: String?
  /// The name of the format from which the course was imported.
  package let sourceFormat: String
  /// The number of imports that have changed the course, from 1.
  package let revision: Int

  package init(node: ContentNode, language: String?, sourceFormat: String, revision: Int) {
    self.node = node
    self.language = language
    self.sourceFormat = sourceFormat
    self.revision = revision
  }

  /// The identifier of the root node.
  package var id: NodeID { node.id }
}

/// The numbers of nodes of each kind in a course, without removed nodes.
public struct ContentCounts: Hashable, Codable, Sendable {
  /// The number of courses: 1, or 0 if no course could be read.
  public var course: Int
  /// The number of goals.
  public var goal: Int
  /// The number of lessons, including nested ones.
  public var lesson: Int
  /// The number of activities.
  public var activity: Int

  package init(course: Int = 0, goal: Int = 0, lesson: Int = 0, activity: Int = 0) {
    self.course = course
    self.goal = goal
    self.lesson = lesson
    self.activity = activity
  }

  /// Returns the counts below the course, with the names of its levels: `4 goals`, `12 lessons`, `52 activities`.
  /// Levels of the same name are counted together.
  package func texts(_ levels: LevelNames) -> [String] {
    let counts = [ContentKind.goal, .lesson, .activity].map { (noun: levels.noun(for: PlaceKind($0)), count: self[$0]) }
    return counts.reduce(into: [(noun: Noun, count: Int)]()) { texts, level in
      if texts.last?.noun == level.noun { texts[texts.count - 1].count += level.count } else { texts.append(level) }
    }.map { $0.noun.counted($0.count) }
  }

  /// The number of nodes of the given kind.
  public subscript(kind: ContentKind) -> Int {
    get {
      switch kind {
      case .course: course
      case .goal: goal
      case .lesson: lesson
      case .activity: activity
      }
    }
    set {
      switch kind {
      case .course: course = newValue
      case .goal: goal = newValue
      case .lesson: lesson = newValue
      case .activity: activity = newValue
      }
    }
  }

  /// The number of all nodes.
  public var total: Int { course + goal + lesson + activity }
}

/// The source of a course at its last import.
public struct CourseOrigin: Hashable, Sendable {
  /// The name of the format from which the course was imported.
  public let format: String
  /// The name, path or address of the source, or `nil` if it is unknown.
  public let source: String?
  /// The number of imports that have changed the course, from 1.
  public let revision: Int
  /// The time of the last import that has changed the course.
  public let importedAt: Timestamp
  /// The language of the texts as a BCP 47 tag, or `nil` if the source does not specify it.
  public let language: String?

  package init(format: String, source: String?, revision: Int, importedAt: Timestamp, language: String?) {
    self.format = format
    self.source = source
    self.revision = revision
    self.importedAt = importedAt
    self.language = language
  }
}
