import LearningModel
import NavigationKit

/// The actions of one learner. They are recorded independently of the database, and editions do not change them.
struct PersonModel {
  /// A step, by the names of places. The root is `nil`.
  struct Row {
    let operation: NavigationOperation
    let cause: NavigationCause
    /// The previous place: `.none` at the start of a session, `.some(nil)` for the root.
    let from: String??
    let to: String?
    let toKind: PlaceKind
    let stack: [String]
    let at: Timestamp
  }

  /// An attempt at a quiz, or a graded card.
  struct Attempt: Hashable {
    let id: String
    let kind: ActivityEventKind
    let score: Double
    let at: Timestamp
  }

  private(set) var rows: [Row] = []
  private(set) var attempts: [Attempt] = []
  /// The activities that were opened or in which something was done.
  private var touched: Set<String> = []
  private(set) var begun: Set<String> = []
  private(set) var done: Set<String> = []
  private var graded: [String: Set<Int>] = [:]
  /// The bookmarked places, the newest bookmark last.
  private(set) var bookmarks: [String] = []
  var positions: [String: ReadingPosition] = [:]

  /// The learner's latest place in any session.
  var newest: String? { rows.last?.to }

  mutating func go(
    _ operation: NavigationOperation, _ cause: NavigationCause, from: String??, to stack: [String], at: Timestamp,
    in world: PublishedCourses
  ) {
    let kind = stack.last.flatMap(world.kind(of:)).map(PlaceKind.init) ?? .root
    if kind == .activity { touched.insert(stack.last!) }
    rows.append(
      Row(operation: operation, cause: cause, from: from, to: stack.last, toKind: kind, stack: stack, at: at))
  }

  mutating func act(_ event: ActivityEventContent, in id: String, at: Timestamp) {
    touched.insert(id)
    switch event {
    case .seenToEnd, .quizChecked, .exerciseChecked, .cardGraded: begun.insert(id)
    default: break
    }
    switch event {
    case .seenToEnd, .markedDone: done.insert(id)
    case .markedNotDone:
      done.remove(id)
      graded[id] = nil
    case .quizChecked(_, let score, let pass, _):
      if score >= pass { done.insert(id) }
      attempts.append(Attempt(id: id, kind: .quizChecked, score: score, at: at))
    case .exerciseChecked(let check):
      if check.isPassed, check.isChanged { done.insert(id) }
      attempts.append(Attempt(id: id, kind: .exerciseChecked, score: check.isPassed ? 1 : 0, at: at))
    case .cardGraded(let card, let count, let isKnown):
      graded[id, default: []].insert(card)
      if graded[id]!.count == count { done.insert(id) }
      attempts.append(Attempt(id: id, kind: .cardGraded, score: isKnown ? 1 : 0, at: at))
    default: break
    }
  }

  /// - Returns: Whether the bookmark changed.
  mutating func mark(_ isSet: Bool, _ id: String) -> Bool {
    guard bookmarks.contains(id) != isSet else { return false }
    if isSet { bookmarks.append(id) } else { bookmarks.removeAll { $0 == id } }
    return true
  }

  // MARK: - Values derived from the current courses

  func progress(of id: String, in world: PublishedCourses) -> LearningProgress {
    let activities = world.activities(in: id)
    return LearningProgress(done: activities.count(where: done.contains), total: activities.count)
  }

  func state(of id: String, in world: PublishedCourses) -> PlaceSummary.State {
    let progress = progress(of: id, in: world)
    if progress.isComplete { return .done }
    return world.activities(in: id).contains(where: hasBegun) ? .begun : .notBegun
  }

  private func hasBegun(_ id: String) -> Bool {
    if begun.contains(id) || done.contains(id) { return true }
    guard touched.contains(id), let position = positions[id] else { return false }
    return position.block > 0 || position.blockOffset > 0 || position.fraction > 0
  }

  /// Returns the last visit to a place or to any place that is now inside it.
  func lastVisit(of id: String, in world: PublishedCourses) -> Timestamp? {
    rows.last { world.isInside($0.to, id) }?.at
  }

  /// Returns the number of navigations to each existing place, with the time of the last one.
  func visits(in world: PublishedCourses) -> [String: VisitCount] {
    var visits: [String: VisitCount] = [:]
    for row in rows where [.push, .select, .next, .previous, .open].contains(row.operation) {
      guard let id = row.to, world.kind(of: id) != nil else { continue }
      visits[id] = VisitCount(count: (visits[id]?.count ?? 0) + 1, last: row.at)
    }
    return visits
  }

  struct VisitCount: Hashable {
    let count: Int
    let last: Timestamp
  }

  /// Returns the number of visits in each goal of the current courses. A removed place counts at its last position.
  func visitsOfGoals(in world: PublishedCourses) -> [String: Int] {
    var visits: [String: Int] = [:]
    for row in rows where !row.operation.isTraversal && row.operation != .repair {
      guard let goal = world.chain(to: row.to).last(where: { world.kind($0, evenGone: true) == .goal }) else {
        continue
      }
      visits[goal, default: 0] += 1
    }
    return visits
  }
}
