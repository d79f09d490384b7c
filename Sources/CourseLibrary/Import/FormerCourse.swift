import CourseFormats
public import LearningModel
import LearningStore

/// A course as it was before an import changed it. Its texts stand in a temporary file without a name, which goes with it.
public struct FormerCourse: Sendable {
  /// What its author called it.
  public var title: String { draft.nodes.first?.title ?? "" }
  let draft: CourseDraft
}

extension CourseLibrary {
  /// Keeps a course as it is, so that it can be had again after an import.
  ///
  /// - Parameter path: The course's path.
  /// - Throws: ``CourseLibraryError`` where there is no such course, or where the temporary folder has no room.
  public func former(_ path: PlacePath) throws -> FormerCourse {
    let (course, nodes, titles, origin, pictures) = try store.read { snapshot in
      let course = try snapshot.livingCourse(at: path)
      return (
        course, try snapshot.subtree(from: .node(course.id)).map(\.node), try snapshot.authorTitles(in: course.id),
        try snapshot.origin(of: course.id), try snapshot.pictures(of: course.id)
      )
    }
    let places = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, $0) })
    do {
      var spool = try ContentSpool()
      var types: [Int: ActivityType] = [:]
      for (index, node) in nodes.enumerated() where node.kind == .activity {
        guard let content = try store.read({ try $0.content(of: node.id) }) else { continue }
        try spool.keep(content, at: index)
        types[index] = content.type
      }
      for digest in pictures {
        if let bytes = try store.read({ try $0.picture(digest) }) { try spool.keep(picture: bytes, digest: digest) }
      }
      let draft = CourseDraft(
        format: origin?.format ?? "waymark", sourceName: origin?.source ?? "", sourceDigest: "",
        language: course.language,
        nodes: nodes.enumerated().map { index, node in
          DraftNode(
            parent: node.parent.flatMap { places[$0] }, key: node.key, kind: node.kind,
            title: titles[node.id] ?? node.title, summary: node.summary, minutes: node.minutes, type: types[index])
        }, contents: try spool.finish())
      return FormerCourse(draft: draft)
    } catch let error as CourseFormatError {
      throw CourseLibraryError.unreadableSource(kind: .inputOutput, words: error.description)
    }
  }

  /// Imports a course as it was: it has its former places, texts and source again. What learners did in it stays.
  ///
  /// - Throws: ``CourseLibraryError``, and other `ExplainedError` where the database cannot be written.
  @discardableResult
  public func bringBack(_ former: FormerCourse) throws -> ImportReport {
    try importDraft(former.draft, options: ImportOptions(replaces: true))
  }
}
