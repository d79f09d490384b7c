import CourseFormats
public import LearningModel
import LearningStore

extension CourseLibrary {
  /// Writes a course in Waymark's own JSON format, which imports back to the same course. The text includes its pictures.
  ///
  /// - Parameters:
  ///   - path: The course's path.
  ///   - write: Receives the text in pieces. If it returns `false`, the export ends without an error.
  /// - Throws: ``CourseLibraryError`` if there is no such course.
  public func export(_ path: PlacePath, to write: (String) -> Bool) throws(CourseLibraryError) {
    struct Stopped: Error {}
    try Self.typed(in: store) {
      let course = try exported(path)
      do {
        try course.write(pictures: read { try $0.pictures(of: course.id) }) { if !write($0) { throw Stopped() } }
      } catch is Stopped {}
    }
  }

  /// Writes a course as a zip archive: the JSON of ``export(_:to:)`` and a file for each picture, which import back to the
  /// same course.
  ///
  /// - Parameters:
  ///   - path: The course's path.
  ///   - write: Receives the archive in pieces. If it returns `false`, the export ends without an error.
  /// - Throws: ``CourseLibraryError`` if there is no such course.
  public func exportArchive(_ path: PlacePath, to write: @escaping ([UInt8]) -> Bool) throws(CourseLibraryError) {
    struct Stopped: Error {}
    try Self.typed(in: store) {
      let course = try exported(path)
      let pictures = try read { try $0.pictures(of: course.id) }
      do {
        try WaymarkArchive.write(
          pictures: pictures, bytes: { try course.contents.picture($0) },
          json: { try course.write(to: $0) }, to: { if !write($0) { throw Stopped() } })
      } catch is Stopped {}
    }
  }

  /// Whether a course has pictures.
  ///
  /// - Throws: ``CourseLibraryError`` where there is no such course.
  public func hasPictures(at path: PlacePath) throws(CourseLibraryError) -> Bool {
    try read { snapshot in try !snapshot.pictures(of: snapshot.livingCourse(at: path).id).isEmpty }
  }

  private func exported(_ path: PlacePath) throws(CourseLibraryError) -> ExportedCourse {
    let (course, nodes) = try read { snapshot in
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
    return ExportedCourse(id: course.id, nodes: draft, language: course.language, contents: contents)
  }

  /// The text of an activity as an exported course has it, alone and without the course around it.
  ///
  /// - Parameter path: The activity's path.
  /// - Throws: ``CourseLibraryError`` where there is no such place, or none any more, or it is no activity.
  public func page(at path: PlacePath) throws(CourseLibraryError) -> String {
    let (node, content) = try read { snapshot in
      let place = try snapshot.livingPlace(at: path)
      guard case .node(let id) = place, let node = try snapshot.node(id), let content = try snapshot.content(of: id)
      else { throw CourseLibraryError.notAnActivity(path: path, kind: try snapshot.reference(to: place).kind) }
      return (node, content)
    }
    return try Self.typed(in: store) {
      try WaymarkWriter.text(
        of: DraftNode(
          parent: nil, key: node.key, kind: node.kind, title: node.title, summary: node.summary, minutes: node.minutes),
        content: content)
    }
  }

  /// The whole text of an exported course.
  ///
  /// - Throws: ``CourseLibraryError`` where there is no such course.
  public func export(_ path: PlacePath) throws(CourseLibraryError) -> String {
    var text = ""
    try export(path) {
      text += $0
      return true
    }
    return text
  }
}

/// A course that is about to be written.
private struct ExportedCourse {
  let id: NodeID
  let nodes: [DraftNode]
  let language: String?
  let contents: StoredContents

  func write(pictures: [String] = [], to sink: (String) throws -> Void) throws {
    try WaymarkWriter.write(nodes, language: language, contents: contents, pictures: pictures, to: sink)
  }
}

/// The contents of a course as the database has them, read one at a time.
private struct StoredContents: DraftContents {
  let store: LearningStore
  let nodes: [NodeID]

  func content(at index: Int) throws -> ActivityContent {
    try store.read { try $0.content(of: nodes[index]) } ?? .reading([])
  }

  func picture(_ digest: String) throws -> [UInt8]? {
    try store.read { try $0.picture(digest) }
  }
}
