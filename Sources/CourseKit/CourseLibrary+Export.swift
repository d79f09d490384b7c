import CourseFormats
public import LearningModel
import LearningStore

extension CourseLibrary {
  /// Exports a course in Waymark's JSON format, including its images. Importing the text yields the same course.
  ///
  /// - Parameters:
  ///   - path: The course's path.
  ///   - learner: The learner whose own cards are exported too, as decks; `nil` for none.
  ///   - write: Receives the next piece of the text. Returns whether to continue; on `false`, the export ends without
  ///     an error.
  /// - Throws: ``CourseLibraryError`` if there is no such course.
  public func export(
    _ path: PlacePath, ownCardsOf learner: String? = nil, to write: (String) -> Bool
  ) throws(CourseLibraryError) {
    struct Stopped: Error {}
    try Self.typed(in: store) {
      let course = try exported(path, of: learner)
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
  ///   - learner: The learner whose own cards are exported too, as decks; `nil` for none.
  ///   - write: Receives the next piece of the archive. Returns whether to continue; on `false`, the export ends
  ///     without an error.
  /// - Throws: ``CourseLibraryError`` if there is no such course.
  public func exportArchive(
    _ path: PlacePath, ownCardsOf learner: String? = nil, to write: @escaping ([UInt8]) -> Bool
  ) throws(CourseLibraryError) {
    struct Stopped: Error {}
    try Self.typed(in: store) {
      let course = try exported(path, of: learner)
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
  /// - Parameters:
  ///   - path: The course's path.
  ///   - learner: The learner, or `nil` for none.
  ///   - hasOwnCards: Whether the course contains the cards that the learner has made, as a deck after each activity.
  ///   - hasProgress: Whether ``ExportedCourse/cards`` have the progress of the learner.
  /// - Throws: ``CourseLibraryError`` if there is no such course.
  package func exported(
    _ path: PlacePath, of learner: String? = nil, withOwnCards hasOwnCards: Bool = true,
    withProgress hasProgress: Bool = false
  ) throws(CourseLibraryError) -> ExportedCourse {
    let store = store
    let (course, nodes, types, own, learner) = try read { snapshot in
      let course = try snapshot.existingCourse(at: path)
      let nodes = try snapshot.subtree(from: .node(course.id)).map(\.node)
      let types = try nodes.compactMap { node in try snapshot.activityType(of: node.id).map { (node.id, $0) } }
      let learner = try learner.flatMap { try snapshot.learner(named: $0)?.id }
      let own =
        try !hasOwnCards
        ? [:] : learner.map { try OwnCards.all(in: nodes, of: $0, withProgress: hasProgress, snapshot) } ?? [:]
      return (course, nodes, Dictionary(uniqueKeysWithValues: types), own, learner)
    }
    let places = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, $0) })
    // Decks of own cards follow the other nodes of their lesson, so that the indices of parents do not change before them.
    var draft: [DraftNode] = []
    var entries: [StoredContents.Entry] = []
    var indices: [Int: Int] = [:]
    for (index, node) in nodes.enumerated() {
      indices[index] = draft.count
      let parent = node.parent.flatMap { places[$0] }.flatMap { indices[$0] }
      draft.append(
        DraftNode(
          parent: parent, key: node.key, kind: node.kind, title: node.title,
          summary: node.summary, minutes: node.minutes, type: types[node.id]))
      entries.append(.stored(node))
      guard let cards = own[node.id] else { continue }
      draft.append(OwnCards.node(of: node, parent: parent))
      entries.append(.own(cards))
    }
    let exportedEntries = entries
    return ExportedCourse(
      id: course.id, format: course.sourceFormat, nodes: draft, language: course.language,
      contents: StoredContents(store: store, entries: exportedEntries)
    ) { index in
      switch exportedEntries[index] {
      case .stored(let node): try store.read { try $0.cardExports(of: node, for: hasProgress ? learner : nil) }
      case .own(let cards): cards.cards
      }
    }
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
  /// Returns the flashcards or questions of a node as the database stores them.
  let cards: (_ index: Int) throws -> [CardExport]?

  /// Creates a course that is not in a database.
  package init(nodes: [DraftNode], language: String?, contents: any DraftContents) {
    self.init(id: NodeID(rawValue: 0), format: "", nodes: nodes, language: language, contents: contents) { _ in nil }
  }

  init(
    id: NodeID, format: String, nodes: [DraftNode], language: String?, contents: any DraftContents,
    cards: @escaping (Int) throws -> [CardExport]?
  ) {
    (self.id, self.format, self.nodes, self.language, self.contents) = (id, format, nodes, language, contents)
    self.cards = cards
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
  enum Entry {
    case stored(ContentNode)
    case own(OwnCards)
  }

  let store: LearningStore
  let entries: [Entry]

  func content(at index: Int) throws -> ActivityContent {
    switch entries[index] {
    case .stored(let node): try store.read { try $0.content(of: node.id) } ?? .reading([])
    case .own(let cards): cards.content
    }
  }

  func image(_ digest: String) throws -> [UInt8]? {
    try store.read { try $0.image(digest) }
  }
}
