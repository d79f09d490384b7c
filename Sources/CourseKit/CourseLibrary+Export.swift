import CourseFormats
public import LearningModel
import LearningStore

extension CourseLibrary {
  /// Exports a course in Waymark's JSON format, including its images. Importing the text yields the same course.
  ///
  /// - Parameters:
  ///   - path: The course's path.
  ///   - write: Receives the next piece of the text. Returns whether to continue; on `false`, the export ends without
  ///     an error.
  /// - Throws: ``CourseLibraryError`` if there is no such course.
  public func export(_ path: PlacePath, to write: (String) -> Bool) throws(CourseLibraryError) {
    struct Stopped: Error {}
    try Self.typed(in: store) {
      let course = try exported(path)
      do {
        try course.write(images: read { try $0.images(of: course.id) }) { if !write($0) { throw Stopped() } }
      } catch is Stopped {}
    }
  }

  /// Exports a course as a zip archive with the JSON text and a file for each image. Importing the archive yields the
  /// same course.
  ///
  /// - Parameters:
  ///   - path: The course's path.
  ///   - write: Receives the next piece of the archive. Returns whether to continue; on `false`, the export ends
  ///     without an error.
  /// - Throws: ``CourseLibraryError`` if there is no such course.
  public func exportArchive(_ path: PlacePath, to write: @escaping ([UInt8]) -> Bool) throws(CourseLibraryError) {
    struct Stopped: Error {}
    try Self.typed(in: store) {
      let course = try exported(path)
      let images = try read { try $0.images(of: course.id) }
      do {
        try WaymarkArchive.write(
          images: images, bytes: { try course.contents.image($0) },
          json: { try course.write(to: $0) }, to: { if !write($0) { throw Stopped() } })
      } catch is Stopped {}
    }
  }

  /// Returns whether a course contains images.
  ///
  /// - Throws: ``CourseLibraryError`` if there is no such course.
  public func hasImages(at path: PlacePath) throws(CourseLibraryError) -> Bool {
    try read { snapshot in try !snapshot.images(of: snapshot.existingCourse(at: path).id).isEmpty }
  }

  /// Returns a course whose contents are read on demand.
  ///
  /// - Throws: ``CourseLibraryError`` if there is no such course.
  package func exported(_ path: PlacePath) throws(CourseLibraryError) -> ExportedCourse {
    let (course, nodes, types) = try read { snapshot in
      let course = try snapshot.existingCourse(at: path)
      let nodes = try snapshot.subtree(from: .node(course.id)).map(\.node)
      let types = try nodes.compactMap { node in try snapshot.activityType(of: node.id).map { (node.id, $0) } }
      return (course, nodes, Dictionary(uniqueKeysWithValues: types))
    }
    let places = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, $0) })
    let draft = nodes.map { node in
      DraftNode(
        parent: node.parent.flatMap { places[$0] }, key: node.key, kind: node.kind, title: node.title,
        summary: node.summary, minutes: node.minutes, type: types[node.id])
    }
    let contents = StoredContents(store: store, nodes: nodes.map(\.id))
    return ExportedCourse(
      id: course.id, format: course.sourceFormat, nodes: draft, language: course.language, contents: contents)
  }

  /// Returns the text of an activity in the format of an exported course, without the rest of the course.
  ///
  /// - Parameter path: The activity's path.
  /// - Throws: ``CourseLibraryError`` if there is no such place, if it was removed, or if it is not an activity.
  public func page(at path: PlacePath) throws(CourseLibraryError) -> String {
    let (node, content) = try read { snapshot in
      let place = try snapshot.existingPlace(at: path)
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

  /// Returns the text of a course in Waymark's JSON format, including its images.
  ///
  /// - Throws: ``CourseLibraryError`` if there is no such course.
  public func export(_ path: PlacePath) throws(CourseLibraryError) -> String {
    var text = ""
    try export(path) {
      text += $0
      return true
    }
    return text
  }
}

/// A course that is written to files.
package struct ExportedCourse {
  let id: NodeID
  /// The name of the format from which the course was imported.
  let format: String
  /// The nodes in reading order. The course is the first node, and every other node comes after its parent.
  package let nodes: [DraftNode]
  /// The language of the texts as a BCP 47 tag, or `nil` if the source did not specify it.
  package let language: String?
  package let contents: any DraftContents

  /// Creates a course that is not in a database.
  package init(nodes: [DraftNode], language: String?, contents: any DraftContents) {
    self.init(id: NodeID(rawValue: 0), format: "", nodes: nodes, language: language, contents: contents)
  }

  init(id: NodeID, format: String, nodes: [DraftNode], language: String?, contents: any DraftContents) {
    (self.id, self.format, self.nodes, self.language, self.contents) = (id, format, nodes, language, contents)
  }

  /// Returns the bytes of an image or a sound, and the extension for its file: that of the image format, or `media` for a
  /// sound. Returns `nil` if it is not stored.
  package func file(of image: StoredImage) throws -> (bytes: [UInt8], fileExtension: String)? {
    try contents.image(image.digest).map { ($0, WaymarkArchive.ending(of: $0)) }
  }

  func write(images: [String] = [], to sink: (String) throws -> Void) throws {
    try WaymarkWriter.write(nodes, language: language, contents: contents, images: images, to: sink)
  }
}

/// The contents of a course in the database. Each content is read when it is written, so that memory holds only one.
struct StoredContents: DraftContents {
  let store: LearningStore
  let nodes: [NodeID]

  func content(at index: Int) throws -> ActivityContent {
    try store.read { try $0.content(of: nodes[index]) } ?? .reading([])
  }

  func image(_ digest: String) throws -> [UInt8]? {
    try store.read { try $0.image(digest) }
  }
}
