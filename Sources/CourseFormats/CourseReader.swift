public import LearningModel

/// Reads one format of courses.
///
/// A reader turns a source into a draft and knows nothing of the database. What is wrong with the content becomes a
/// diagnostic in the draft, as many as there are; what makes reading impossible is thrown.
public protocol CourseReader: Sendable {
  /// The format's name, as `--from` takes it: lower-case letters and hyphens.
  var name: String { get }
  /// What the format is and where it comes from, in one sentence.
  var summary: String { get }
  /// What a source of it has, as the middle of a sentence: what was looked for where nothing is recognised.
  var needs: String { get }
  /// What becomes a goal, a lesson and an activity.
  var mapping: FormatMapping { get }

  /// Whether the source looks like this format. Looks at names and at the beginning of files only.
  func recognises(_ source: CourseSource) -> Bool

  /// Reads the whole source.
  ///
  /// - Throws: ``CourseFormatError`` where the source cannot be read to its end or breaks a limit.
  func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft
}

/// What of a format becomes which kind of node: a row of what `waymark formats` prints.
public struct FormatMapping: Hashable, Sendable {
  /// What becomes a goal.
  public let goal: String
  /// What becomes a lesson.
  public let lesson: String
  /// What becomes an activity.
  public let activity: String

  /// Makes a mapping.
  public init(goal: String, lesson: String, activity: String) {
    self.goal = goal
    self.lesson = lesson
    self.activity = activity
  }
}

/// What a person may say about a reading.
public struct ReadOptions: Sendable {
  /// The course's key, where the source's own or its name shall not be taken.
  public var key: String?
  /// Is told the number of nodes read so far, now and then, on the reading thread. What it throws ends the reading.
  public var progress: (@Sendable (_ nodes: Int) throws -> Void)?
  /// The folders in which programs that convert documents are searched, separated by colons. If `nil`, the value of `PATH`.
  package var searchPath: String?

  /// Makes options.
  public init(key: String? = nil, progress: (@Sendable (_ nodes: Int) throws -> Void)? = nil) {
    self.key = key
    self.progress = progress
  }
}
