import CourseFormats
public import LearningModel
import LearningStore

extension CourseLibrary {
  /// The courses in their order.
  ///
  /// - Parameter learner: Whose progress to show; nobody's where `nil`. Asking about a learner makes none.
  public func courses(for learner: String? = nil) throws(CourseLibraryError) -> [CourseEntry] {
    try read { snapshot in
      let learner = try learner.flatMap(snapshot.learner(named:))?.id
      return try snapshot.courses().map { course in
        CourseEntry(
          path: PlacePath(slugs: [course.node.slug]), kind: .course, title: course.node.title,
          revision: course.revision, counts: try snapshot.counts(of: course.id),
          progress: try snapshot.fraction(of: course.id, for: learner))
      }
    }
  }

  /// A place and all below it in reading order; every course and all below it where no place is named.
  ///
  /// - Parameters:
  ///   - path: Where to begin; its row is the first one.
  ///   - depth: How many levels below the first row to show, from 0; `nil` for all.
  ///   - learner: Whose progress to show; nobody's where `nil`.
  /// - Throws: ``CourseLibraryError`` where there is no such place, or none any more.
  public func tree(
    from path: PlacePath? = nil, depth: Int? = nil, for learner: String? = nil
  ) throws(CourseLibraryError) -> [TreeEntry] {
    try tree(from: path, depth: depth, for: learner, rows: 0..<Int.max).entries
  }

  /// Some rows of a tree, in the time that those before them and they themselves take.
  ///
  /// - Parameter rows: Which, counted from 0, at least one.
  /// - Returns: The rows, and whether there are more behind them.
  package func tree(
    from path: PlacePath?, depth: Int?, for learner: String?, rows: Range<Int>
  ) throws(CourseLibraryError) -> (entries: [TreeEntry], hasMore: Bool) {
    try read { snapshot in
      let start = try snapshot.livingPlace(at: path ?? .root)
      let learner = try learner.flatMap(snapshot.learner(named:))?.id
      let root = try path?.isRoot == true ? [snapshot.rootEntry(for: learner)] : []
      var above = [try snapshot.path(of: start).parent ?? .root]
      let most = rows.upperBound == .max ? .max : rows.upperBound + 1
      let below =
        !root.isEmpty && depth == 0
        ? [] : try snapshot.subtree(from: start, depth: depth.map { $0 - root.count }, limit: most)
      var entries = root.filter { _ in rows.contains(0) }
      for (index, (node, depth)) in below.enumerated() {
        above.removeLast(above.count - 1 - depth)
        let path = above[depth].appending(node.slug)
        above.append(path)
        guard rows.contains(index + root.count) else { continue }
        entries.append(
          TreeEntry(
            path: path, kind: PlaceKind(node.kind), title: node.title, depth: depth + root.count,
            position: node.position, progress: try snapshot.fraction(of: node.id, for: learner)))
      }
      return (entries, root.count + below.count > rows.upperBound)
    }
  }

  /// The place at a path, or at a path that it had before it was moved.
  ///
  /// - Throws: ``CourseLibraryError`` where there is no such place, or none any more.
  public func place(at path: PlacePath) throws(CourseLibraryError) -> FoundPlace {
    try read { snapshot in
      let place = try snapshot.livingPlace(at: path)
      guard case .node(let id) = place, let node = try snapshot.node(id) else {
        return FoundPlace(place: .root, reference: .root, node: nil, ancestors: [])
      }
      var path = PlacePath.root
      let above = try snapshot.ancestors(of: id).map { node in
        path = path.appending(node.slug)
        return PlaceReference(path: path, kind: PlaceKind(node.kind), title: node.title)
      }
      return FoundPlace(
        place: place,
        reference: PlaceReference(path: path.appending(node.slug), kind: PlaceKind(node.kind), title: node.title),
        node: node, ancestors: [.root] + above)
    }
  }

  /// The living children of a place in their order; the courses, of the root.
  public func children(of place: Place) throws(CourseLibraryError) -> [ContentNode] {
    try read { try $0.children(of: place) }
  }

  /// The first living children of a place whose slugs begin so, and how far the slugs of all those are the same. It takes
  /// no longer where there are thousands.
  ///
  /// - Parameters:
  ///   - place: Of which place; the courses, of the root.
  ///   - beginning: How their slugs begin; empty for any.
  ///   - limit: How many at most, from 0.
  package func children(
    of place: Place, beginningWith beginning: String, limit: Int
  ) throws(CourseLibraryError) -> (nodes: [ContentNode], common: String) {
    let children = try read { try $0.children(of: place, beginningWith: beginning, limit: limit) }
    return (children.nodes, children.common)
  }

  /// Where the course of a place came from; `nil` for the list of courses.
  public func origin(of place: Place) throws(CourseLibraryError) -> CourseOrigin? {
    try read { snapshot in
      guard let id = place.node, let node = try snapshot.node(id) else { return nil }
      return try snapshot.origin(of: node.course)
    }
  }

  /// What an activity is made of; `nil` for what is no activity.
  public func content(of activity: NodeID) throws(CourseLibraryError) -> ActivityContent? {
    try Self.typed(in: store) { try store.glance { try $0.content(of: activity) } }
  }

  /// What the activity at a path is made of.
  ///
  /// - Throws: ``CourseLibraryError`` where there is no such place, or none any more, or it is no activity.
  public func content(at path: PlacePath) throws(CourseLibraryError) -> ActivityContent {
    try read { snapshot in
      let place = try snapshot.livingPlace(at: path)
      guard case .node(let id) = place, let content = try snapshot.content(of: id) else {
        throw CourseLibraryError.notAnActivity(path: path, kind: try snapshot.reference(to: place).kind)
      }
      return content
    }
  }

  /// The node that a link to a node of this or another course leads to, and the anchor in it; `nil` where the link leads
  /// nowhere, or to a course that is not in the database.
  ///
  /// - Parameters:
  ///   - destination: A link's destination that begins with `waymark:`.
  ///   - course: The course that the link is in.
  public func target(of destination: String, inCourse course: NodeID) throws(CourseLibraryError) -> (
    node: ContentNode, anchor: String?
  )? {
    try read { snapshot in
      for link in CourseLink.readings(of: destination) {
        var home = course
        if let name = link.course {
          guard let other = try snapshot.course(withKey: name)?.node, !other.isRemoved else { continue }
          if link.key.isEmpty { return (other, nil) }
          home = other.id
        }
        guard let node = try snapshot.node(withKey: link.key, inCourse: home) else { continue }
        if !node.isRemoved { return (node, link.anchor) }
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
  /// The place at a path, where it lives.
  func livingPlace(at path: PlacePath) throws -> Place {
    guard let place = try place(at: path) else {
      throw CourseLibraryError.unknownPlace(path: path, suggestions: try suggestions(for: path))
    }
    if case .node(let id) = place, let node = try node(id), node.isRemoved {
      if let holder = try holder(of: node) { return .node(holder.id) }
      throw CourseLibraryError.removedPlace(
        path: path, title: node.title, survivor: try self.path(of: try nearestLiving(of: id)))
    }
    return place
  }

  /// The course at a path.
  func livingCourse(at path: PlacePath) throws -> Course {
    let place = try livingPlace(at: path)
    guard case .node(let id) = place, let course = try course(id) else {
      throw CourseLibraryError.notACourse(path: path, kind: try reference(to: place).kind)
    }
    return course
  }

  /// The row of the list of courses.
  fileprivate func rootEntry(for learner: LearnerID?) throws -> TreeEntry {
    let sums = try learner.map { learner in
      try children(of: .root).map { try progress(of: $0.id, for: learner) }
    }
    let all = LearningProgress(
      done: sums?.map(\.done).reduce(0, +) ?? 0, total: sums?.map(\.total).reduce(0, +) ?? 0)
    return TreeEntry(
      path: .root, kind: .root, title: PlaceReference.root.title, depth: 0, position: 0, progress: all.fraction)
  }

  /// How much of a place a learner has done, 0…1; 0 where nobody is asked about.
  fileprivate func fraction(of node: NodeID, for learner: LearnerID?) throws -> Double {
    guard let learner else { return 0 }
    let progress = try progress(of: node, for: learner)
    return LearningProgress(done: progress.done, total: progress.total).fraction
  }
}

/// One row of the list of courses.
public struct CourseEntry: Hashable, Codable, Sendable {
  /// The course's path.
  public let path: PlacePath
  /// `course`.
  public let kind: PlaceKind
  /// Its title.
  public let title: String
  /// How many imports have changed it, from 1.
  public let revision: Int
  /// How many living nodes of each kind it has.
  public let counts: ContentCounts
  /// How much of it the learner has done, 0…1.
  public let progress: Double
}

/// One row of a tree.
public struct TreeEntry: Hashable, Codable, Sendable {
  /// The place's path.
  public let path: PlacePath
  /// What it is.
  public let kind: PlaceKind
  /// Its title.
  public let title: String
  /// How many levels it is below the first row's, from 0.
  public let depth: Int
  /// Its place among its siblings, from 0.
  public let position: Int
  /// How much of it the learner has done, 0…1.
  public let progress: Double
}

/// One row of what a search found.
public struct SearchHit: Hashable, Sendable {
  /// Which place.
  public let place: Place
  /// The place's path.
  public let path: PlacePath
  /// What it is.
  public let kind: PlaceKind
  /// Its title.
  public let title: String
  /// Its title, with what was searched for.
  public let markedTitle: Snippet
  /// How well it fits; more is better.
  public let score: Double
  /// Its text around what was searched for.
  public let snippet: Snippet
  /// The titles of the places above it, its course's first.
  public let breadcrumb: [String]
}

extension SearchHit: Encodable {
  private enum CodingKeys: String, CodingKey {
    case path, kind, title, score, snippet, breadcrumb
  }

  /// Writes the snippet as plain text.
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

/// What a search found.
public struct SearchResult: Hashable, Sendable {
  /// The places, the best first.
  public let hits: [SearchHit]
  /// What was probably meant, where words of the query are in no text. Where nothing was found for the query itself,
  /// the hits are those of this one.
  public let didYouMean: String?
  /// What the hits were found for: the query, or what was meant.
  public let searchedFor: String
  /// Whether everything that is there was searched; otherwise there are texts that the index does not have yet.
  public let isWhole: Bool
}

/// A place, found by its path.
public struct FoundPlace: Hashable, Sendable {
  /// Which place.
  public let place: Place
  /// How it is shown. The path is the one that it has now, also where it was asked for by a former one.
  public let reference: PlaceReference
  /// Its node; `nil` for the root.
  public let node: ContentNode?
  /// The places above it, the root first; none for the root.
  public let ancestors: [PlaceReference]
}

extension CourseLibrary {
  /// The file of a picture that a course has; `nil` where none has it any more.
  ///
  /// - Parameter digest: What `KeptPicture.digest` says.
  public func picture(_ digest: String) throws(CourseLibraryError) -> [UInt8]? {
    try read { try $0.picture(digest) }
  }

  /// What the name of a picture's file ends with, such as `png`.
  package static func pictureEnding(of bytes: [UInt8]) -> String { WaymarkArchive.ending(of: bytes) }
}
