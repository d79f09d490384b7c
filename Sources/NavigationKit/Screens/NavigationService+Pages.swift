public import LearningModel
import LearningStore

extension NavigationService {
  /// Returns the current place; the one that a new session would begin at where none is open.
  public func currentPlace() throws(NavigationError) -> NamedPlace {
    try read { NamedPlace(try Situation(of: self, in: $0, at: now()).chain) }
  }

  /// Returns the places from the root to the current one.
  public func currentStack() throws(NavigationError) -> [NamedPlace] {
    try read { NamedPlace.stack(try Situation(of: self, in: $0, at: now()).chain) }
  }

  /// Returns the place of that name.
  ///
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/removedPlace(title:nearest:)``.
  public func place(named name: PlaceName) throws(NavigationError) -> NamedPlace {
    try glance { NamedPlace(try PlaceResolver(snapshot: $0, current: []).resolve(name, nearby: nil)) }
  }

  /// Returns what a place opens to: where it holds one thing alone, of its own title, that thing. A page for the two of
  /// them would only have to be opened, and closed, once more.
  package func innermost(of node: NodeID) throws(NavigationError) -> NodeID {
    try glance { try $0.innermost(of: node) }
  }

  /// Returns the place at a path, also at a former one; `nil` where none is there now. Nothing is suggested, so that it
  /// may be asked for each letter that somebody types.
  public func place(at path: PlacePath) throws(NavigationError) -> NamedPlace? {
    try read { snapshot in
      guard let place = try snapshot.place(at: path) else { return nil }
      let named = NamedPlace(try snapshot.chain(to: place.node))
      return named.isRemoved ? nil : named
    }
  }

  /// Returns everything that the screen of a place shows; of the current place where `nil`. One read, so that nothing on
  /// the screen contradicts anything else.
  ///
  /// - Parameters:
  ///   - name: Which place.
  ///   - part: Which of its children come along. Of the list of courses that is always all.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/removedPlace(title:nearest:)``.
  public func page(of name: PlaceName? = nil, with part: ChildCards.Part = .all) throws(NavigationError) -> PlacePage {
    try ask(for: part) { snapshot in
      let chain =
        try name.map { try PlaceResolver(snapshot: snapshot, current: []).resolve($0, nearby: nil) }
        ?? Situation(of: self, in: snapshot, at: now()).chain
      return try Pages(snapshot: snapshot, learner: snapshot.learner(named: learner)).page(of: chain, with: part)
    }
  }

  /// Returns the cards of what a place holds, such as those beside others that are shown already.
  ///
  /// - Throws: As ``page(of:with:)`` does.
  public func childCards(of place: Place, _ part: ChildCards.Part) throws(NavigationError) -> ChildCards {
    try ask(for: part) { snapshot in
      let chain = try PlaceResolver(snapshot: snapshot, current: []).resolve(.place(place), nearby: nil)
      return try Pages(snapshot: snapshot, learner: snapshot.learner(named: learner)).childCards(of: chain, part)
    }
  }

  /// A part of what a place holds is little; all of it may be very much.
  private func ask<Answer>(for part: ChildCards.Part, _ body: (StoreSnapshot) throws -> Answer) throws(NavigationError)
    -> Answer
  {
    try part == .all ? read(body) : glance(body)
  }

  /// Returns a place in short, with the learner's progress.
  public func card(of name: PlaceName) throws(NavigationError) -> PlaceSummary {
    try glance { snapshot in
      let chain = try PlaceResolver(snapshot: snapshot, current: []).resolve(name, nearby: nil)
      return try Pages(snapshot: snapshot, learner: snapshot.learner(named: learner)).card(of: chain)
    }
  }

  /// Returns the cards of places that were found; those that are not there any more are left out.
  public func cards(of places: [Place]) throws(NavigationError) -> [Place: PlaceSummary] {
    try glance { snapshot in
      let pages = Pages(snapshot: snapshot, learner: try snapshot.learner(named: learner))
      return try places.reduce(into: [:]) { cards, place in
        let chain = try snapshot.chain(to: place.node)
        if let node = chain.last, !node.isRemoved { cards[place] = try pages.card(of: chain) }
      }
    }
  }

  /// Returns the activity to continue with from a place, or from the current place if `name` is `nil`.
  ///
  /// It is ``PlacePage/nextStep``, unless that one is done and something else is not.
  ///
  /// - Returns: A step of reason ``NextStep/Reason-swift.enum/allDone`` if everything is done; `nil` without a course, and
  ///   after the last activity of a finished course.
  /// - Throws: As ``page(of:with:)`` does.
  public func continuation(from name: PlaceName? = nil) throws(NavigationError) -> NextStep? {
    try read { snapshot in
      let chain =
        try name.map { try PlaceResolver(snapshot: snapshot, current: []).resolve($0, nearby: nil) }
        ?? Situation(of: self, in: snapshot, at: now()).chain
      return try Pages(snapshot: snapshot, learner: snapshot.learner(named: learner)).continuation(from: chain)
    }
  }

  /// Returns where to take up, with the reason.
  public func resume() throws(NavigationError) -> ResumePoint {
    try read { snapshot in
      try Pages(snapshot: snapshot, learner: snapshot.learner(named: learner)).resume(timeZone: timeZone, at: now())
    }
  }

  /// Returns how often and how lately the learner goes to a place; `nil` where they never were there.
  public func recent(at place: Place) throws(NavigationError) -> RecentPlace? {
    let moment = now()
    return try read { snapshot in
      guard let node = place.node, let learner = try snapshot.learner(named: learner) else { return nil }
      return try snapshot.scoredPlace(node, of: learner.id).map { try RecentPlace($0, in: snapshot, at: moment) }
    }
  }

  /// Returns the places that the learner goes to, those they go to most often and lately first.
  ///
  /// - Parameter limit: At most that many; all of them where `nil`.
  public func recents(limit: Int? = nil) throws(NavigationError) -> [RecentPlace] {
    let moment = now()
    return try read { snapshot in
      guard let learner = try snapshot.learner(named: learner) else { return [] }
      return try snapshot.scoredPlaces(of: learner.id, limit: limit).map {
        try RecentPlace($0, in: snapshot, at: moment)
      }
    }
  }
}

/// A place that the learner goes to.
public struct RecentPlace: Hashable, Encodable, Sendable {
  /// The place.
  public let place: NamedPlace
  /// When they last went there.
  public let lastVisit: Timestamp
  /// How often and lately: each visit counts one when it happens, and half of that a week later.
  public let score: Double
  /// How often they went there.
  public let visits: Int

  init(_ scored: ScoredPlace, in snapshot: StoreSnapshot, at moment: Timestamp) throws {
    place = NamedPlace(try snapshot.chain(to: scored.node))
    lastVisit = scored.lastVisitAt
    score = VisitScore.worth(of: scored.score, at: moment)
    visits = scored.visits
  }

  private enum Key: String, CodingKey {
    case lastVisit, score
  }

  /// Writes `path`, `kind`, `title`, `lastVisit` and `score`.
  public func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(lastVisit, forKey: .lastVisit)
    try container.encode(score, forKey: .score)
  }
}

/// A place that is offered to whoever looks for one, before a word is typed.
package struct Shortcut: Hashable, Sendable {
  /// The place.
  package let card: PlaceSummary
  /// The titles of the places above it, from the course down.
  package let breadcrumb: [String]
}

/// What is offered before a word is typed.
package struct Shortcuts: Hashable, Sendable {
  /// What the learner has marked, the newest first.
  package let marked: [Shortcut]
  /// How many places they have marked in all, of those that were asked for.
  package let markedCount: Int
  /// Where they go most and lately, without what is marked.
  package let recents: [Shortcut]
}

extension NavigationService {
  /// Returns what the learner has marked and where they go most, in one read.
  ///
  /// - Parameters:
  ///   - course: In which course; `nil` for all. What is none is in none.
  ///   - kind: For which kind of place; `nil` for all.
  ///   - marks: How many of the marked ones at most, from 0.
  ///   - recents: How many of the others at most, from 0.
  package func shortcuts(
    in course: Place? = nil, kind: ContentKind? = nil, marks: Int = 50, recents: Int = 12
  ) throws(NavigationError) -> Shortcuts {
    try read { snapshot in
      guard let learner = try snapshot.learner(named: learner) else {
        return Shortcuts(marked: [], markedCount: 0, recents: [])
      }
      let pages = Pages(snapshot: snapshot, learner: learner)
      func isWanted(_ id: NodeID) throws -> Bool {
        guard let node = try snapshot.node(id), !node.isRemoved else { return false }
        return (course == nil || node.course == course?.node) && (kind == nil || node.kind == kind)
      }
      func shortcut(_ id: NodeID) throws -> Shortcut {
        let chain = try snapshot.chain(to: id)
        return Shortcut(card: try pages.card(of: chain), breadcrumb: chain.dropLast().map(\.title))
      }

      let marked = try snapshot.bookmarks(of: learner.id).map(\.node).filter(isWanted)
      // Somebody may go to thousands of places: those that are asked for are mostly among the first.
      var (others, limit) = ([NodeID](), 2 * recents + marked.count)
      while recents > 0 {
        let scored = try snapshot.scoredPlaces(of: learner.id, limit: limit).map(\.node)
        others = try scored.filter { try !marked.contains($0) && isWanted($0) }
        if others.count >= recents || scored.count < limit { break }
        limit *= 8
      }
      return Shortcuts(
        marked: try marked.prefix(marks).map(shortcut), markedCount: marked.count,
        recents: try others.prefix(recents).map(shortcut))
    }
  }
}
