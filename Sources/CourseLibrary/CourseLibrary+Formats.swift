import CourseFormats

/// A format that can be imported, and what becomes what.
public struct FormatDescription: Hashable, Codable, Sendable {
  /// Its name, as an import takes it.
  public let name: String
  /// What it is, in one sentence.
  public let summary: String
  /// What becomes a goal.
  public let goal: String
  /// What becomes a lesson.
  public let lesson: String
  /// What becomes an activity.
  public let activity: String
}

extension CourseLibrary {
  /// Every format that can be imported, in the order in which a source is tried.
  public static var formats: [FormatDescription] {
    FormatRegistry.readers.map { reader in
      FormatDescription(
        name: reader.name, summary: reader.summary, goal: reader.mapping.goal, lesson: reader.mapping.lesson,
        activity: reader.mapping.activity)
    }
  }
}
