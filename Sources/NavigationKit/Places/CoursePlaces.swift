public import LearningModel
import LearningStore

/// The places of all courses, with the progress of a learner.
public struct CoursePlaces: Sendable {
  let session: LearnerSession

  /// Returns the place with the given name.
  ///
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/removedPlace(title:nearest:)``.
  public func named(_ name: PlaceName) throws(NavigationError) -> NamedPlace {
    try session.readLatest { NamedPlace(try PlaceResolver(snapshot: $0, current: []).resolve(name, nearby: nil)) }
  }

  /// Returns the place with the given name, even if the place was removed and another place now contains its text. This
  /// is the place whose bookmark ``LearnerNotes/setBookmark(_:at:waitingAtMost:)`` removes.
  ///
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``.
  package func evenRemoved(_ name: PlaceName) throws(NavigationError) -> NamedPlace {
    try session.readLatest { snapshot in
      NamedPlace(try snapshot.chain(to: PlaceResolver(snapshot: snapshot, current: []).resolveEvenRemoved(name)?.id))
    }
  }

  /// Returns the place to show when a place is opened. If a place has a single child, this is the child (or,
  /// recursively, its only child); a page with nothing but that child would be a needless step.
  package func innermost(of node: NodeID) throws(NavigationError) -> NodeID {
    try session.readLatest { try $0.innermost(of: node) }
  }

  /// Returns the place at a path, or `nil` if no place has this path. The path may be a former path of the place. Fast
  /// enough to call for each typed character, because no suggestions are computed.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func at(_ path: PlacePath) throws(NavigationError) -> NamedPlace? {
    try session.read { snapshot in
      guard let place = try snapshot.place(at: path) else { return nil }
      let namedPlace = NamedPlace(try snapshot.chain(to: place.node))
      return namedPlace.isRemoved ? nil : namedPlace
    }
  }

  /// Returns the page of a place, read from a single state of the database.
  ///
  /// - Parameters:
  ///   - name: The place. If `nil`, the learner's current place.
  ///   - selection: The children to include. The list of courses always includes all courses.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/removedPlace(title:nearest:)``.
  public func page(of name: PlaceName? = nil, with selection: ChildSummaries.Selection = .all) throws(NavigationError)
    -> PlacePage
  {
    try ask(for: selection) { snapshot in
      let chain =
        try name.map { try PlaceResolver(snapshot: snapshot, current: []).resolve($0, nearby: nil) }
        ?? session.navigationState(in: snapshot, at: session.now()).chain
      return try session.pages(in: snapshot).page(of: chain, with: selection)
    }
  }

  /// Returns the summaries of a place's children, for example to add further ones to a page.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - selection: The children to include. The list of courses always includes all courses.
  /// - Throws: The errors of ``page(of:with:)``.
  public func childSummaries(of place: Place, _ selection: ChildSummaries.Selection) throws(NavigationError)
    -> ChildSummaries
  {
    try ask(for: selection) { snapshot in
      let chain = try PlaceResolver(snapshot: snapshot, current: []).resolve(.place(place), nearby: nil)
      return try session.pages(in: snapshot).childSummaries(of: chain, selection)
    }
  }

  /// Reads a part of the children on the writing connection, and all children, which can take longer, on another
  /// connection.
  private func ask<Answer>(for selection: ChildSummaries.Selection, _ body: (StoreSnapshot) throws -> Answer)
    throws(NavigationError)
    -> Answer
  {
    try selection == .all ? session.read(body) : session.readLatest(body)
  }

  /// Returns the summary of a place, with the learner's progress.
  ///
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/removedPlace(title:nearest:)``.
  public func summary(of name: PlaceName) throws(NavigationError) -> PlaceSummary {
    try session.readLatest { snapshot in
      let chain = try PlaceResolver(snapshot: snapshot, current: []).resolve(name, nearby: nil)
      return try session.pages(in: snapshot).summary(of: chain)
    }
  }

  /// Returns the summaries of places by their places. Removed places are omitted.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func summaries(of places: [Place]) throws(NavigationError) -> [Place: PlaceSummary] {
    try session.readLatest { snapshot in
      let pages = try session.pages(in: snapshot)
      return try places.reduce(into: [:]) { cards, place in
        let chain = try snapshot.chain(to: place.node)
        if let node = chain.last, !node.isRemoved { cards[place] = try pages.summary(of: chain) }
      }
    }
  }

  /// Returns how often and how recently the learner has visited a place, or `nil` if there was no visit.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func recent(at place: Place) throws(NavigationError) -> RecentPlace? {
    let time = session.now()
    return try session.read { snapshot in
      guard let node = place.node, let learner = try snapshot.learner(named: session.learner) else { return nil }
      return try snapshot.scoredPlace(node, of: learner.id, at: time).map {
        try RecentPlace($0, in: snapshot, at: time)
      }
    }
  }

  /// Returns the places that the learner has visited, the most often and most recently visited first.
  ///
  /// - Parameter limit: The maximum number of places; `nil` for all.
  /// - Throws: ``NavigationError/database(_:)``.
  public func recents(limit: Int? = nil) throws(NavigationError) -> [RecentPlace] {
    let time = session.now()
    return try session.read { snapshot in
      guard let learner = try snapshot.learner(named: session.learner) else { return [] }
      return try snapshot.scoredPlaces(of: learner.id, at: time, limit: limit).map {
        try RecentPlace($0, in: snapshot, at: time)
      }
    }
  }
}

/// A place that the learner has visited.
public struct RecentPlace: Hashable, Encodable, Sendable {
  /// The visited place.
  public let place: NamedPlace
  /// The time of the last visit.
  public let lastVisit: Timestamp
  /// A measure of how often and how recently the learner visited the place: the sum of all visits, where a visit counts
  /// 1 when it happens and half as much after each week.
  public let score: Double
  /// The number of visits.
  public let visits: Int

  init(_ scored: ScoredPlace, in snapshot: StoreSnapshot, at time: Timestamp) throws {
    place = NamedPlace(try snapshot.chain(to: scored.node))
    lastVisit = scored.lastVisitAt
    score = VisitScore.decayed(of: scored.score, at: time)
    visits = scored.visits
  }

  private enum Key: String, CodingKey {
    case lastVisit, score
  }

  /// Encodes `path`, `kind`, `title`, `lastVisit` and `score`.
  public func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(lastVisit, forKey: .lastVisit)
    try container.encode(score, forKey: .score)
  }
}

/// A place that the search suggests before a text is entered.
package struct Shortcut: Hashable, Sendable {
  /// The suggested place.
  package let summary: PlaceSummary
  /// The titles of the place's ancestors, the course first.
  package let breadcrumb: [String]
}

/// The places that the search suggests before a text is entered.
package struct Shortcuts: Hashable, Sendable {
  /// The bookmarked places, the newest bookmark first.
  package let bookmarks: [Shortcut]
  /// The number of bookmarked places that match, including those beyond the limit.
  package let bookmarkCount: Int
  /// The most often and most recently visited places, without the bookmarked ones.
  package let recents: [Shortcut]
}

extension StoreSnapshot {
  /// Returns the activity with the given name, and the nodes from the course to it.
  ///
  /// - Throws: ``NavigationError/notAnActivity(place:)`` if the place is not an activity,
  ///   ``NavigationError/unknownPlace(name:nearest:)``.
  func activity(_ name: PlaceName) throws -> (node: ContentNode, chain: [ContentNode]) {
    let chain = try PlaceResolver(snapshot: self, current: []).resolve(name, nearby: nil)
    if let node = chain.last, node.kind == .activity { return (node, chain) }
    throw NavigationError.notAnActivity(place: NamedPlace(chain).path)
  }
}

extension LearnerSession {
  /// Returns the pages of the learner at the current time.
  func pages(in snapshot: StoreSnapshot) throws -> Pages {
    Pages(snapshot: snapshot, learner: try snapshot.learner(named: learner), at: now())
  }
}

extension CoursePlaces {
  /// Returns the learner's bookmarked and most visited places, read from a single state of the database.
  ///
  /// - Parameters:
  ///   - course: The course that contains the places; `nil` for all courses.
  ///   - kind: The kind of the places; `nil` for all kinds.
  ///   - bookmarks: The maximum number of bookmarked places, at least 0.
  ///   - recents: The maximum number of other places, at least 0.
  package func shortcuts(
    in course: Place? = nil, kind: ContentKind? = nil, bookmarks: Int = 50, recents: Int = 12
  ) throws(NavigationError) -> Shortcuts {
    try session.read { snapshot in
      guard let learner = try snapshot.learner(named: session.learner) else {
        return Shortcuts(bookmarks: [], bookmarkCount: 0, recents: [])
      }
      let pages = Pages(snapshot: snapshot, learner: learner, at: session.now())
      func isWanted(_ id: NodeID) throws -> Bool {
        guard let node = try snapshot.node(id), !node.isRemoved else { return false }
        return (course == nil || node.course == course?.node) && (kind == nil || node.kind == kind)
      }
      func shortcut(_ id: NodeID) throws -> Shortcut {
        let chain = try snapshot.chain(to: id)
        return Shortcut(summary: try pages.summary(of: chain), breadcrumb: chain.dropLast().map(\.title))
      }

      let marked = try snapshot.bookmarks(of: learner.id).map(\.node).filter(isWanted)
      // A learner may have visited thousands of places. The matching ones are mostly among the first, so they are read
      // in growing portions.
      var (others, limit) = ([NodeID](), 2 * recents + marked.count)
      while recents > 0 {
        let scored = try snapshot.scoredPlaces(of: learner.id, at: session.now(), limit: limit).map(\.node)
        others = try scored.filter { try !marked.contains($0) && isWanted($0) }
        if others.count >= recents || scored.count < limit { break }
        limit *= 8
      }
      return Shortcuts(
        bookmarks: try marked.prefix(bookmarks).map(shortcut), bookmarkCount: marked.count,
        recents: try others.prefix(recents).map(shortcut))
    }
  }
}
