import LearningModel
import NavigationKit

/// What somebody has done, as it was done: nothing here has seen the database, and no edition changes it.
struct Person {
  /// A step, by the names of places; the root has none.
  struct Row {
    let operation: NavigationOperation
    let cause: NavigationCause
    /// The place before; `nil` twice where a session began.
    let from: String??
    let to: String?
    let toKind: PlaceKind
    let stack: [String]
    let at: Timestamp
  }

  /// A quiz that was answered, or a card that was graded.
  struct Try: Hashable {
    let id: String
    let kind: ActivityEventKind
    let score: Double
    let at: Timestamp
  }

  private(set) var rows: [Row] = []
  private(set) var tries: [Try] = []
  private(set) var begun: Set<String> = []
  private(set) var done: Set<String> = []
  private var graded: [String: Set<Int>] = [:]
  /// The marked places, the newest mark last.
  private(set) var marks: [String] = []
  var positions: [String: ReadingPosition] = [:]

  /// Where they were last, in whatever session.
  var newest: String? { rows.last?.to }

  mutating func go(
    _ operation: NavigationOperation, _ cause: NavigationCause, from: String??, to stack: [String], at: Timestamp,
    in world: World
  ) {
    let kind = stack.last.flatMap(world.kind(of:)).map(PlaceKind.init) ?? .root
    rows.append(
      Row(operation: operation, cause: cause, from: from, to: stack.last, toKind: kind, stack: stack, at: at))
    if kind == .activity { begun.insert(stack.last!) }
  }

  mutating func act(_ act: LearningAct, in id: String, at: Timestamp) {
    begun.insert(id)
    switch act {
    case .seenToEnd, .markedDone: done.insert(id)
    case .markedNotDone:
      done.remove(id)
      graded[id] = nil
    case .quizChecked(_, let score, let pass, _):
      if score >= pass { done.insert(id) }
      tries.append(Try(id: id, kind: .quizChecked, score: score, at: at))
    case .cardGraded(let card, let count, let known):
      graded[id, default: []].insert(card)
      if graded[id]!.count == count { done.insert(id) }
      tries.append(Try(id: id, kind: .cardGraded, score: known ? 1 : 0, at: at))
    case .noted, .noteRemoved: break
    }
  }

  /// - Returns: Whether that changes anything.
  mutating func mark(_ isSet: Bool, _ id: String) -> Bool {
    guard marks.contains(id) != isSet else { return false }
    if isSet { marks.append(id) } else { marks.removeAll { $0 == id } }
    return true
  }

  // MARK: - What follows from it, in the courses as they are now

  func progress(of id: String, in world: World) -> Progress {
    let activities = world.activities(in: id)
    return Progress(done: activities.count(where: done.contains), total: activities.count)
  }

  func state(of id: String, in world: World) -> Card.State {
    let progress = progress(of: id, in: world)
    if progress.isComplete { return .done }
    return world.activities(in: id).contains(where: begun.contains) ? .begun : .notBegun
  }

  /// When they were last in a place, or in what it holds now.
  func lastVisit(of id: String, in world: World) -> Timestamp? {
    rows.last { world.isInside($0.to, id) }?.at
  }

  /// How often they wanted to be in each place that is still there, and when last.
  func visits(in world: World) -> [String: Visits] {
    var visits: [String: Visits] = [:]
    for row in rows where [.push, .select, .next, .previous, .open].contains(row.operation) {
      guard let id = row.to, world.kind(of: id) != nil else { continue }
      visits[id] = Visits(count: (visits[id]?.count ?? 0) + 1, last: row.at)
    }
    return visits
  }

  struct Visits: Hashable {
    let count: Int
    let last: Timestamp
  }

  /// How often they went to the places of each goal, as the courses are now; what was taken out counts where it was last.
  func visitsOfGoals(in world: World) -> [String: Int] {
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
