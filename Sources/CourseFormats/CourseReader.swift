package import LearningModel

/// Reads one format of courses.
///
/// A reader turns a source into a draft, independent of the database. Mistakes in the content become diagnostics of the
/// draft. An error is thrown only if the source cannot be read at all.
package protocol CourseReader: Sendable {
  /// The name of the format, which `--from` accepts: lower-case letters and hyphens.
  var name: String { get }
  /// A description of the format and its origin, in one sentence.
  var summary: String { get }
  /// The file or text that identifies a source of the format, as a noun phrase for error messages.
  var requirements: String { get }
  /// The parts of a source that become goals, lessons and activities.
  var mapping: FormatMapping { get }
  /// Whether the keys are the paths of pages and the anchors of headings. If the source of a course changes from one
  /// such format to another, the keys remain the same.
  var hasPathKeys: Bool { get }

  /// Whether sources can contain the progress of a learner.
  var hasProgress: Bool { get }
  /// The file name extensions of this format only, in lower case, with the description of such a file: `a book`.
  var fileExtensions: [String: String] { get }

  /// Returns whether the source looks like this format. Only file names and the beginnings of files are examined.
  func recognises(_ source: CourseSource) -> Bool

  /// Reads the whole source.
  ///
  /// - Throws: ``CourseFormatError`` if the source cannot be read completely or exceeds a limit.
  func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft
}

extension CourseReader {
  package var hasProgress: Bool { false }
  package var fileExtensions: [String: String] { [:] }

  /// Returns whether a file name has one of the extensions of the format.
  func hasExtension(_ name: String) -> Bool { fileExtensions.keys.contains { SourcePath.hasExtension($0, name) } }
}

/// The parts of a format that become each kind of node: a row of the output of `waymark formats`.
package struct FormatMapping: Hashable, Sendable {
  /// A description of the parts that become goals, for example `a folder at the top`.
  package let goal: String
  /// A description of the parts that become lessons.
  package let lesson: String
  /// A description of the parts that become activities.
  package let activity: String

  package init(goal: String, lesson: String, activity: String) {
    self.goal = goal
    self.lesson = lesson
    self.activity = activity
  }
}

/// The options for reading a source.
package struct ReadOptions: Sendable {
  /// The key of the course. If `nil`, the key is taken from the source or, if the source contains none, made from its
  /// name.
  package var key: String?
  /// The keys of the courses that were imported from this source before.
  package var formerKeys: [String] = []
  /// Called repeatedly on the reading thread with the number of nodes read so far. If it throws an error, reading ends
  /// with this error.
  package var progress: (@Sendable (_ nodes: Int) throws -> Void)?
  /// The folders in which programs that convert documents are searched, separated by colons. If `nil`, the value of
  /// the environment variable `PATH`.
  package var searchPath: String?
  /// Whether a page that cannot be read makes the import fail. If `false`, the last good edition of the page is used;
  /// if there is no such edition, the page is left out.
  package var isStrict: Bool
  /// Whether the draft contains the progress of the learner, if the source has any.
  package var includesProgress = false
  /// Returns the cards of the database that were exported as notes with some of these names, by their names. Their progress
  /// belongs to the cards of the database. If `nil`, all notes become cards of the draft.
  package var exportedCards: (@Sendable (_ guids: Set<String>) throws -> [String: ExportedCard])?
  /// Returns the last good edition of a page, or `nil` if the page was never imported. The parameters are the keys of
  /// the course and of the page. Called on the reading thread.
  package var lastEdition: (@Sendable (_ course: String, _ page: String) throws -> PageEdition?)?

  package init(
    key: String? = nil, isStrict: Bool = false, progress: (@Sendable (_ nodes: Int) throws -> Void)? = nil
  ) {
    self.key = key
    self.isStrict = isStrict
    self.progress = progress
  }
}
