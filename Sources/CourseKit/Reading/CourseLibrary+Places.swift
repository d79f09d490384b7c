import CourseFormats
public import LearningModel
import LearningStore

extension CourseLibrary {
  /// Returns the courses in their order.
  ///
  /// - Parameter learner: The name of the learner whose progress is returned. If `nil` or unknown, the progress is 0.
  ///   An unknown learner is not created.
  /// - Throws: ``CourseLibraryError/database(_:)``.
  public func courses(for learner: String? = nil) throws(CourseLibraryError) -> [CourseRow] {
    try read { snapshot in
      let learner = try learner.flatMap(snapshot.learner(named:))?.id
      return try snapshot.courses().map { course in
        CourseRow(
          path: PlacePath(slugs: [course.node.slug]), kind: .course, title: course.node.title,
          revision: course.revision, counts: try snapshot.counts(of: course.id),
          progress: try snapshot.fraction(of: course.id, for: learner), levels: course.node.levels)
      }
    }
  }

  /// Returns a place and its descendants in reading order.
  ///
  /// - Parameters:
  ///   - path: The first place. If `nil`, all courses and their descendants are returned.
  ///   - depth: The maximum depth below the first place, or `nil` for all descendants.
  ///   - learner: The name of the learner whose progress is returned. If `nil` or unknown, the progress is 0.
  /// - Throws: ``CourseLibraryError`` if there is no such place, or if it was removed.
  public func tree(
    from path: PlacePath? = nil, depth: Int? = nil, for learner: String? = nil
  ) throws(CourseLibraryError) -> [PlaceRow] {
    try tree(from: path, depth: depth, for: learner, rows: 0..<Int.max).entries
  }

  /// Returns a range of the rows of a tree. The duration grows with the upper bound of the range.
  ///
  /// - Parameters:
  ///   - path: The first place, or `nil` for all courses.
  ///   - depth: The maximum depth below the first place, or `nil` for all descendants.
  ///   - learner: The name of the learner whose progress is returned.
  ///   - rows: The indices of the rows. Must not be empty.
  /// - Returns: The rows, and whether there are further rows after them.
  package func tree(
    from path: PlacePath?, depth: Int?, for learner: String?, rows: Range<Int>
  ) throws(CourseLibraryError) -> (entries: [PlaceRow], hasMore: Bool) {
    try read { snapshot in
      let start = try snapshot.existingPlace(at: path ?? .root)
      let learner = try learner.flatMap(snapshot.learner(named:))?.id
      let exercises = try snapshot.passedExercises(
        by: learner, in: start.node.flatMap { try snapshot.node($0)?.course })
      let root = try path?.isRoot == true ? [snapshot.rootEntry(for: learner, exercises)] : []
      var ancestorPaths = [try snapshot.path(of: start).parent ?? .root]
      let limit = rows.upperBound == .max ? .max : rows.upperBound + 1
      let below =
        !root.isEmpty && depth == 0
        ? [] : try snapshot.subtree(from: start, depth: depth.map { $0 - root.count }, limit: limit)
      var entries = root.filter { _ in rows.contains(0) }
      for (index, (node, depth)) in below.enumerated() {
        ancestorPaths.removeLast(ancestorPaths.count - 1 - depth)
        let path = ancestorPaths[depth].appending(node.slug)
        ancestorPaths.append(path)
        guard rows.contains(index + root.count) else { continue }
        entries.append(
          PlaceRow(
            path: path, kind: PlaceKind(node.kind), title: node.title, depth: depth + root.count,
            position: node.position, progress: try snapshot.fraction(of: node.id, for: learner),
            exercises: exercises[node.id]?.total ?? 0, passed: exercises[node.id]?.done ?? 0, levels: node.levels))
      }
      return (entries, root.count + below.count > rows.upperBound)
    }
  }

  /// Returns the place at a path. The path may be a former path of a place that was moved.
  ///
  /// - Throws: ``CourseLibraryError`` if there is no such place, or if it was removed.
  public func place(at path: PlacePath) throws(CourseLibraryError) -> FoundPlace {
    try read { snapshot in
      let place = try snapshot.existingPlace(at: path)
      guard case .node(let id) = place, let node = try snapshot.node(id) else {
        return FoundPlace(place: .root, reference: .root, node: nil, ancestors: [])
      }
      var path = PlacePath.root
      let ancestors = try snapshot.ancestors(of: id).map { node in
        path = path.appending(node.slug)
        return PlaceReference(path: path, kind: PlaceKind(node.kind), title: node.title)
      }
      return FoundPlace(
        place: place,
        reference: PlaceReference(path: path.appending(node.slug), kind: PlaceKind(node.kind), title: node.title),
        node: node, ancestors: [.root] + ancestors)
    }
  }

  /// Returns the children of a place in their order, without removed ones. The children of the root are the courses.
  ///
  /// - Throws: ``CourseLibraryError/database(_:)``.
  public func children(of place: Place) throws(CourseLibraryError) -> [ContentNode] {
    try read { try $0.children(of: place) }
  }

  /// Returns the first children of a place whose slugs have a prefix, and the longest common prefix of all such slugs.
  /// The duration does not depend on the number of children.
  ///
  /// - Parameters:
  ///   - place: The place. The children of the root are the courses.
  ///   - beginning: The prefix; empty for all children.
  ///   - limit: The maximum number of children.
  package func children(
    of place: Place, beginningWith beginning: String, limit: Int
  ) throws(CourseLibraryError) -> (nodes: [ContentNode], common: String) {
    let children = try read { try $0.children(of: place, beginningWith: beginning, limit: limit) }
    return (children.nodes, children.common)
  }

  /// Returns the source of the course that contains a place, or `nil` for the list of courses.
  ///
  /// - Throws: ``CourseLibraryError/database(_:)``.
  public func origin(of place: Place) throws(CourseLibraryError) -> CourseOrigin? {
    try read { snapshot in
      guard let id = place.node, let node = try snapshot.node(id) else { return nil }
      return try snapshot.origin(of: node.course)
    }
  }

  /// Returns the content of an activity, or `nil` if the node is not an activity.
  ///
  /// - Throws: ``CourseLibraryError/database(_:)``.
  public func content(of activity: NodeID) throws(CourseLibraryError) -> ActivityContent? {
    try Self.typed(in: store) { try store.readLatest { try $0.content(of: activity) } }
  }

  /// Returns the content of the activity at a path.
  ///
  /// - Throws: ``CourseLibraryError`` if there is no such place, if it was removed, or if it is not an activity.
  public func content(at path: PlacePath) throws(CourseLibraryError) -> ActivityContent {
    try read { snapshot in
      let place = try snapshot.existingPlace(at: path)
      guard case .node(let id) = place, let content = try snapshot.content(of: id) else {
        throw CourseLibraryError.notAnActivity(path: path, kind: try snapshot.reference(to: place).kind)
      }
      return content
    }
  }

  /// Returns the destination of a link inside the database: a node of this or another course, and the anchor in its
  /// text. For a lesson with activities, this is its first activity.
  ///
  /// - Parameters:
  ///   - destination: A link destination that begins with `waymark:`.
  ///   - course: The course that contains the link.
  /// - Returns: The destination, or `nil` if it does not exist or its course is not in the database.
  /// - Throws: ``CourseLibraryError/database(_:)``.
  public func target(of destination: String, inCourse course: NodeID) throws(CourseLibraryError) -> (
    node: ContentNode, anchor: String?
  )? {
    try read { snapshot in
      for link in CourseLink.interpretations(of: destination) {
        var home = course
        if let name = link.course {
          guard let other = try snapshot.course(withKey: name)?.node, !other.isRemoved else { continue }
          if link.key.isEmpty { return (other, nil) }
          home = other.id
        }
        guard let node = try snapshot.node(withKey: link.key, inCourse: home) else { continue }
        if !node.isRemoved {
          // A page whose sections are activities of their own is a lesson. A link to the page opens its text.
          let first = node.kind == .lesson ? try snapshot.children(of: .node(node.id)).first : nil
          return (first.flatMap { $0.kind == .activity ? $0 : nil } ?? node, link.anchor)
        }
        if let holder = try snapshot.holder(of: node) {
          let anchor = node.key.split(separator: "#", omittingEmptySubsequences: false).last.map(String.init)
          return (holder, link.anchor ?? anchor.flatMap { $0.isEmpty ? nil : $0 })
        }
      }
      return nil
    }
  }
}

extension StoreSnapshot {
  /// Returns the place at a path.
  ///
  /// - Throws: ``CourseLibraryError`` if there is no such place, or if it was removed.
  func existingPlace(at path: PlacePath) throws -> Place {
    guard let place = try place(at: path) else {
      throw CourseLibraryError.unknownPlace(path: path, suggestions: try suggestions(for: path))
    }
    if case .node(let id) = place, let node = try node(id), node.isRemoved {
      if let holder = try holder(of: node) { return .node(holder.id) }
      throw CourseLibraryError.removedPlace(
        path: path, title: node.title, survivor: try self.path(of: try nearestExisting(of: id)))
    }
    return place
  }

  /// Returns the course at a path.
  ///
  /// - Throws: ``CourseLibraryError`` if there is no such course.
  func existingCourse(at path: PlacePath) throws -> Course {
    let place = try existingPlace(at: path)
    guard case .node(let id) = place, let course = try course(id) else {
      throw CourseLibraryError.notACourse(path: path, kind: try reference(to: place).kind)
    }
    return course
  }

  /// Returns the row of the list of courses.
  fileprivate func rootEntry(for learner: LearnerID?, _ exercises: [NodeID: LearningProgress]) throws -> PlaceRow {
    let courseProgress = try learner.map { learner in
      try children(of: .root).map { try progress(of: $0.id, for: learner) }
    }
    let all = LearningProgress(
      done: courseProgress?.map(\.done).reduce(0, +) ?? 0, total: courseProgress?.map(\.total).reduce(0, +) ?? 0)
    let counts = try children(of: .root).compactMap { exercises[$0.id] }
    return PlaceRow(
      path: .root, kind: .root, title: PlaceReference.root.title, depth: 0, position: 0, progress: all.fraction,
      exercises: counts.map(\.total).reduce(0, +), passed: counts.map(\.done).reduce(0, +))
  }

  /// Returns a learner's progress in a place, 0…1. Returns 0 if `learner` is `nil`.
  fileprivate func fraction(of node: NodeID, for learner: LearnerID?) throws -> Double {
    guard let learner else { return 0 }
    let progress = try progress(of: node, for: learner)
    return LearningProgress(done: progress.done, total: progress.total).fraction
  }
}

/// A row of the list of courses.
public struct CourseRow: Hashable, Codable, Sendable {
  /// The course's path.
  public let path: PlacePath
  /// Always `course`.
  public let kind: PlaceKind
  /// The course's title.
  public let title: String
  /// The number of imports that have changed the course, from 1.
  public let revision: Int
  /// The number of nodes of each kind, without removed nodes.
  public let counts: ContentCounts
  /// The share of the activities of the course that are done, 0…1.
  public let progress: Double
  /// The names of the levels of the course.
  package var levels = LevelNames.course

  private enum CodingKeys: String, CodingKey { case path, kind, title, revision, counts, progress }
}

/// A row of a tree.
public struct PlaceRow: Hashable, Codable, Sendable {
  /// The place's path.
  public let path: PlacePath
  /// The place's kind.
  public let kind: PlaceKind
  /// The place's title.
  public let title: String
  /// The depth below the first row, from 0.
  public let depth: Int
  /// The place's index among its siblings.
  public let position: Int
  /// The share of the activities of the place that are done, 0…1.
  public let progress: Double
  /// The number of exercises in the place.
  public let exercises: Int
  /// The number of exercises that the learner has passed.
  public let passed: Int
  /// The names of the levels of the place's course.
  package var levels = LevelNames.course

  /// What readers of the course call places of this kind.
  package var noun: Noun { levels.noun(for: kind) }

  private enum CodingKeys: String, CodingKey {
    case path, kind, title, depth, position, progress, exercises, passed
  }
}

/// A place that a search has found.
public struct SearchHit: Hashable, Sendable {
  /// The place's identifier.
  public let place: Place
  /// The place's path.
  public let path: PlacePath
  /// The place's kind.
  public let kind: PlaceKind
  /// The place's title.
  public let title: String
  /// The title, with the matching words marked.
  public let markedTitle: Snippet
  /// The quality of the match. Better matches have larger scores.
  public let score: Double
  /// An excerpt of the text, with the matching words marked. Empty for hits after the requested number of snippets.
  public let snippet: Snippet
  /// The titles of the ancestors, the course first.
  public let breadcrumb: [String]
  /// What readers of the course call places of this kind.
  package let noun: Noun

  /// Returns the hit with another excerpt.
  package func replacingSnippet(with snippet: Snippet) -> SearchHit {
    SearchHit(
      place: place, path: path, kind: kind, title: title, markedTitle: markedTitle, score: score, snippet: snippet,
      breadcrumb: breadcrumb, noun: noun)
  }
}

extension SearchHit: Encodable {
  private enum CodingKeys: String, CodingKey {
    case path, kind, title, score, snippet, breadcrumb
  }

  /// Encodes the hit, with the snippet as plain text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(path, forKey: .path)
    try container.encode(kind, forKey: .kind)
    try container.encode(title, forKey: .title)
    try container.encode(score, forKey: .score)
    try container.encode(snippet.text, forKey: .snippet)
    try container.encode(breadcrumb, forKey: .breadcrumb)
  }
}

/// The result of a search.
public struct SearchResult: Hashable, Sendable {
  /// The places that were found, the best first.
  public let hits: [SearchHit]
  /// A corrected query if some words of the query occur in no text, otherwise `nil`. If the original query has no hits,
  /// ``hits`` are those of the corrected query.
  public let didYouMean: String?
  /// The query for which ``hits`` were found: the original or the corrected one.
  public let searchedFor: String
  /// Whether the search index was complete. If `false`, some texts were not searched.
  public let isComplete: Bool
}

/// A place that was found by its path.
public struct FoundPlace: Hashable, Sendable {
  /// The place's identifier.
  public let place: Place
  /// The place's current path, kind and title. The path may differ from the requested path if that is a former one.
  public let reference: PlaceReference
  /// The place's node, or `nil` for the root.
  public let node: ContentNode?
  /// The place's ancestors, the root first. Empty for the root.
  public let ancestors: [PlaceReference]
}

extension CourseLibrary {
  /// Returns the content of an image file, or `nil` if no course contains the image any more.
  ///
  /// - Parameter digest: The digest of the image: `StoredImage.digest`.
  /// - Throws: ``CourseLibraryError/database(_:)``.
  public func image(_ digest: String) throws(CourseLibraryError) -> [UInt8]? {
    try read { try $0.image(digest) }
  }

  /// Returns the content of a file of an exercise, or `nil` if no course contains the file any more.
  ///
  /// - Throws: ``CourseLibraryError/database(_:)``.
  public func bytes(of file: ExerciseFile) throws(CourseLibraryError) -> [UInt8]? {
    file.digest == ExerciseFile.emptyDigest ? [] : try image(file.digest)
  }

  /// Returns the file name extension for the content of an image file, such as `png`.
  package static func imageFileExtension(of bytes: [UInt8]) -> String { WaymarkArchive.ending(of: bytes) }
}
