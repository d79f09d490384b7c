import CourseKit
import LearningModel
import TestSupport
import Testing

@testable import NavigationKit

extension PublishedCourses {
  /// Compares the database's tree with the published courses.
  ///
  /// - Returns: The slug of each place, in reading order.
  @discardableResult
  func expect(in library: CourseLibrary) throws -> [(id: String, slug: String)] {
    let tree = try library.tree()
    let order = readingOrder
    try #require(
      tree.map { "\($0.depth) \($0.kind) \($0.title)" }
        == order.map { id in
          "\(chain(to: id).count - 1) \(kind(of: id)!) \(title(of: id))"
        })
    for (id, row) in zip(order, tree) where row.kind == .activity {
      let text = try library.content(at: row.path).plainText
      #expect(text == living[id]?.words, "\(id)")
    }
    return zip(order, tree).map { ($0, $1.path.slugs.last!) }
  }

  /// Returns the kind of a place, or the last kind of a removed place.
  func kind(_ id: String, evenGone: Bool) -> ContentKind? {
    (living[id] ?? (evenGone ? gone[id] : nil))?.kind
  }

  /// Returns the expected description of a place at the current time.
  func name(of id: String?, then kind: PlaceKind? = nil) -> String {
    guard let id else { return "/ root Courses" }
    let now = self.kind(id, evenGone: true).map(PlaceKind.init) ?? .root
    return "\(path(of: id)) \(kind ?? now) \(title(of: id))" + (living[id] == nil ? " (removed)" : "")
  }
}

extension NamedPlace {
  fileprivate var words: String { "\(path) \(kind) \(title)" + (isRemoved ? " (removed)" : "") }
}

/// Expectations between two editions.
extension EditionWalk {
  /// Compares everything that can be queried quickly with the recorded actions.
  func expectAll() throws {
    #expect(try library.check() == [])
    #expect(try frontEnds[0].service.check() == [], "the derived tables differ from the logs")
    for frontEnd in frontEnds { try expectStack(of: frontEnd) }
    for (name, person) in people {
      guard let service = frontEnds.first(where: { $0.service.learner == name })?.service else { continue }
      try expectCards(of: person, service)
      try expectHistory(of: person, service)
      try expectFacts(of: person, service)
    }
    try expectLinks()
    try expectStatements()
  }

  // MARK: - Sessions

  private func expectStack(of frontEnd: FrontEnd) throws {
    guard let expected = frontEnd.learnerModel, let session = try frontEnd.service.currentSession() else { return }
    let stack = try frontEnd.service.currentStack()
    #expect(stack.dropFirst().map { names[$0.place] } == expected.stack)
    #expect(
      expected.stack == world.currentAncestors(to: expected.place), "the expected stack is not a chain of parents")
    #expect(try frontEnd.service.history.replay(session: session.uuid).last?.stack == stack)
    for request in [Request.back, .forward] {
      let step = try frontEnd.service.predict(request.request("/"))
      switch expected.outcome(of: request, in: world, newest: nil) {
      case .move(let chain, _): #expect(step.stack.dropFirst().map { names[$0.place] } == chain)
      case .nothing(let reason): #expect(step.outcome == .nothingToDo(reason))
      default: Issue.record("\(request) is never refused")
      }
    }
  }

  // MARK: - Screens

  private func expectCards(of person: PersonModel, _ service: NavigationService) throws {
    let order = world.readingOrder
    let holders = [nil] + order.filter { !world.children(of: $0).isEmpty }.map(Optional.some)
    for holder in holders {
      let page = try service.places.page(of: .place(holder.map { places[$0]! } ?? .root), with: .all)
      let children = world.children(of: holder)
      try #require(page.children.map { names[$0.place.place] } == children)
      for (card, id) in zip(page.children, children) {
        #expect(card.progress == person.progress(of: id, in: world), "\(id)")
        #expect(card.state == person.state(of: id, in: world), "\(id)")
        #expect(card.isBookmarked == person.bookmarks.contains(id), "\(id)")
        #expect(card.lastVisitAt == person.lastVisit(of: id, in: world), "\(id)")
        #expect(card.reading == (world.kind(of: id) == .activity ? person.positions[id] : nil), "\(id)")
      }
    }
    let rows = try service.progress.rows(of: nil)
    #expect(rows.map(\.progress) == world.children(of: nil).map { person.progress(of: $0, in: world) })
  }

  // MARK: - The history

  private func expectHistory(of person: PersonModel, _ service: NavigationService) throws {
    let rows = try service.history.page().rows
    #expect(
      rows.reversed().map { row in
        "\(row.operation) \(row.cause) \(row.at) \(row.from?.path.description ?? "") \(row.to.words) "
          + "\(row.stack.map(\.path))"
      }
        == person.rows.map { row in
          let stack = [PlacePath.root] + row.stack.map { world.path(of: $0) }
          return "\(row.operation) \(row.cause) \(row.at) \(row.from.map { world.path(of: $0).description } ?? "") "
            + "\(world.name(of: row.to, then: row.toKind)) \(stack)"
        })

    for id in some(5, of: Array(places.keys)) {
      let under = try service.history.page(HistoryFilter(under: .place(places[id]!))).rows
      #expect(under.count == person.rows.count { world.isInside($0.to, id) }, "under \(id)")
    }
    for row in some(3, of: person.rows) {
      let last = person.rows.last { $0.at <= row.at }
      #expect(try service.history.location(at: row.at.date).place?.path == world.path(of: last?.to))
    }
    let goals = try service.history.statistics(by: .goal).filter { $0.visits > 0 }
    #expect(
      Dictionary(
        uniqueKeysWithValues: goals.map { row -> (String, Int) in
          guard case .place(let place) = row.key else { return ("", 0) }
          return (names[place.place] ?? "", row.visits)
        }) == person.visitsOfGoals(in: world))
  }

  // MARK: - Facts

  private func expectFacts(of person: PersonModel, _ service: NavigationService) throws {
    #expect(try service.notes.bookmarks().map(\.words) == person.bookmarks.reversed().map { world.name(of: $0) })
    #expect(
      try service.progress.attempts().reversed().map { "\($0.place.words) \($0.kind) \($0.score ?? -1) \($0.at)" }
        == person.attempts.map { "\(world.name(of: $0.id)) \($0.kind) \($0.score) \($0.at)" })
    for (id, position) in person.positions {
      #expect(try service.progress.readingPosition(in: places[id]!) == position, "\(id)")
    }
    let recents = try service.places.recents()
    #expect(
      Dictionary(
        uniqueKeysWithValues: recents.map { recent in
          (names[recent.place.place] ?? "", PersonModel.VisitCount(count: recent.visits, last: recent.lastVisit))
        }) == person.visits(in: world))
  }

  /// Expects that exported statements never change, except in the name and type of a place.
  ///
  /// Source: xAPI 1.0.3, Part Two, section 2.3.1.
  private func expectStatements() throws {
    var now: [String: String] = [:]
    try frontEnds[0].service.history.forEachStatement(HistoryFilter(learner: .everyone)) { statement in
      let text =
        "\(statement.learner) \(statement.verb) \(statement.object.address) \(statement.ancestors.map(\.address)) "
        + "\(statement.timestamp) \(statement.duration ?? -1) \(statement.score ?? -1) \(statement.session)"
      #expect(now.updateValue(text, forKey: statement.id) == nil, "two statements have the same identifier")
      return true
    }
    for (id, text) in exported { #expect(now[id] == text) }
    exported = now
  }

  // MARK: - Links

  private func expectLinks() throws {
    let service = frontEnds[0].service
    for (path, links) in world.links {
      let target = world.resolve(path)
      for link in links where world.mustLead(link) {
        #expect(target == link.chain.last, "\(path) leads to \(target ?? "nobody")")
      }
      let result = Result { try service.places.named(.text(path.description)) }
      switch result {
      case .success(let place): #expect(place.words == world.name(of: target), "\(path)")
      case .failure(NavigationError.removedPlace(let title, let nearest)):
        #expect(target.map { world.living[$0] == nil && world.title(of: $0) == title } == true, "\(path)")
        #expect(nearest.words == world.name(of: world.currentAncestors(to: target).last), "\(path)")
      case .failure(let error): Issue.record("\(path): \(error)")
      }
    }
    for (id, place) in places {
      let result = Result { try service.places.named(.place(place)) }
      if world.kind(of: id) != nil {
        #expect(try result.get().words == world.name(of: id))
      } else {
        #expect(throws: NavigationError.self) { try result.get() }
      }
      guard let top = world.chain(to: id).first, let course = places[top]?.node else { continue }
      let key = String(id.drop { $0 != ":" }.dropFirst())
      let target = try library.target(of: CourseLink(key: key, anchor: nil).destination, inCourse: course)
      // A link to a lesson opens its first activity.
      let first = world.kind(of: id) == .lesson ? world.children(of: id).first : nil
      let shown = first.flatMap { world.kind(of: $0) == .activity ? $0 : nil } ?? id
      #expect((target?.node.id).map(Place.node) == (world.kind(of: id) == nil ? nil : places[shown]))
    }
  }

  private func some<Element>(_ count: Int, of elements: [Element]) -> [Element] {
    elements.isEmpty ? [] : (0..<count).map { _ in elements[random.below(elements.count)] }
  }
}
