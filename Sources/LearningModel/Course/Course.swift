/// A course as a whole: its top node and what only a course has.
package struct Course: Hashable, Sendable, Identifiable {
  /// The node at the top of its tree.
  package let node: ContentNode
  /// The language of its texts as a BCP 47 tag; `nil` where the source does not say.
  package let language: String?
  /// The name of the format that it came in.
  package let sourceFormat: String
  /// How many imports have changed it, from 1.
  package let revision: Int

  /// Makes a course from all that is known of it.
  package init(node: ContentNode, language: String?, sourceFormat: String, revision: Int) {
    self.node = node
    self.language = language
    self.sourceFormat = sourceFormat
    self.revision = revision
  }

  /// The top node's id.
  package var id: NodeID { node.id }
}

/// How many living nodes of each kind a course has.
public struct ContentCounts: Hashable, Codable, Sendable {
  /// 1, or 0 where nothing was read.
  public var course: Int
  /// Goals.
  public var goal: Int
  /// Lessons at every depth.
  public var lesson: Int
  /// Activities.
  public var activity: Int

  /// Makes counts.
  package init(course: Int = 0, goal: Int = 0, lesson: Int = 0, activity: Int = 0) {
    self.course = course
    self.goal = goal
    self.lesson = lesson
    self.activity = activity
  }

  /// The count of one kind.
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

  /// All of them together.
  public var total: Int { course + goal + lesson + activity }
}

/// Where a course came from: its last import.
public struct CourseOrigin: Hashable, Sendable {
  /// The name of the format that it came in.
  public let format: String
  /// What a person calls the source; `nil` where nobody said.
  public let source: String?
  /// How many imports have changed it, from 1.
  public let revision: Int
  /// When it was last changed.
  public let importedAt: Timestamp
  /// The language of its texts as a BCP 47 tag; `nil` where the source does not say.
  public let language: String?

  /// Makes an origin from all that is known of it.
  package init(format: String, source: String?, revision: Int, importedAt: Timestamp, language: String?) {
    self.format = format
    self.source = source
    self.revision = revision
    self.importedAt = importedAt
    self.language = language
  }
}
