import CourseFormats
public import LearningModel
import LearningStore

extension CourseLibrary {
  /// Writes a course in Waymark's own JSON format, which imports back to the same course.
  ///
  /// - Parameters:
  ///   - path: The course's path.
  ///   - sink: Takes the text piece by piece.
  /// - Throws: ``CourseLibraryError`` where there is no such course, and what `sink` throws.
  public func export(_ path: PlacePath, to sink: (String) throws -> Void) throws {
    let (course, nodes) = try store.read { snapshot in
      let course = try snapshot.livingCourse(at: path)
      return (course, try snapshot.subtree(from: .node(course.id)).map(\.node))
    }
    let places = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, $0) })
    let draft = nodes.map { node in
      DraftNode(
        parent: node.parent.flatMap { places[$0] }, key: node.key, kind: node.kind, title: node.title,
        summary: node.summary, minutes: node.minutes)
    }
    let contents = StoredContents(store: store, nodes: nodes.map(\.id))
    try WaymarkWriter.write(draft, language: course.language, contents: contents, to: sink)
  }

  /// The text of an activity as an exported course has it, alone and without the course around it.
  ///
  /// - Parameter path: The activity's path.
  /// - Throws: ``CourseLibraryError`` where there is no such place, or none any more, or it is no activity.
  public func page(at path: PlacePath) throws -> String {
    let (node, content) = try store.read { snapshot in
      let place = try snapshot.livingPlace(at: path)
      guard case .node(let id) = place, let node = try snapshot.node(id), let content = try snapshot.content(of: id)
      else { throw CourseLibraryError.notAnActivity(path: path, kind: try snapshot.reference(to: place).kind) }
      return (node, content)
    }
    return try WaymarkWriter.text(
      of: DraftNode(
        parent: nil, key: node.key, kind: node.kind, title: node.title, summary: node.summary, minutes: node.minutes),
      content: content)
  }

  /// The whole text of an exported course.
  ///
  /// - Throws: ``CourseLibraryError`` where there is no such course.
  public func export(_ path: PlacePath) throws -> String {
    var text = ""
    try export(path) { text += $0 }
    return text
  }
}

/// The contents of a course as the database has them, read one at a time.
private struct StoredContents: DraftContents {
  let store: LearningStore
  let nodes: [NodeID]

  func content(at index: Int) throws -> ActivityContent {
    try store.read { try $0.content(of: nodes[index]) } ?? .reading([])
  }
}
