import LearningModel
import NavigationKit

/// A navigation request by the keys of places. The root is `nil`.
enum Request: Hashable {
  case push(String?), pop, popTo(String?), popToRoot, select(String?), next, previous, open(String?), back, forward,
    resume

  /// The place that the request names, or `.none` if it names none.
  var target: String?? {
    switch self {
    case .push(let key), .popTo(let key), .select(let key), .open(let key): .some(key)
    default: .none
    }
  }

  /// Returns the request for the service, with `name` as its place.
  func request(_ name: PlaceName) -> NavigationRequest {
    switch self {
    case .push: .push(name)
    case .pop: .pop
    case .popTo: .popTo(name)
    case .popToRoot: .popToRoot
    case .select: .select(name)
    case .next: .next
    case .previous: .previous
    case .open: .open(name)
    case .back: .back
    case .forward: .forward
    case .resume: .resume
    }
  }
}

/// The result of a request according to the table of operations.
enum ExpectedOutcome: Hashable {
  /// The keys from the course down to the new place. For back and forward, also the visit to which the step returns.
  case move([String], visit: Int? = nil)
  case nothing(NavigationStep.NothingToDo)
  case removed(nearest: [String])
  case notAChild, notOnStack, notASibling
}

/// The expected state of a session: its visits, and the index of the current one.
struct ExpectedSession {
  private(set) var visits: [String?]
  private(set) var current = 0
  /// The keys on the stack, without the root.
  private(set) var stack: [String]

  /// Starts a session at the last place of the stack.
  init(at stack: [String]) {
    self.stack = stack
    visits = [stack.last]
  }

  var place: String? { visits[current] }

  /// Returns the result of a request. `newest` is the learner's newest place.
  func outcome(of request: Request, in courses: some CourseMap, newest: String?) -> ExpectedOutcome {
    if case .some(let target) = request.target {
      let living = courses.currentAncestors(to: target)
      if living.last != target { return .removed(nearest: living) }
      if target == place { return .nothing(.alreadyThere) }
    }
    switch request {
    case .push(let key):
      guard let key, courses.parent(of: key) == place else { return .notAChild }
      return .move(stack + [key])
    case .pop:
      return stack.isEmpty ? .nothing(.atRoot) : .move(stack.dropLast())
    case .popTo(let key):
      guard let key else { return .move([]) }
      guard let index = stack.firstIndex(of: key) else { return .notOnStack }
      return .move(Array(stack[...index]))
    case .popToRoot:
      return stack.isEmpty ? .nothing(.atRoot) : .move([])
    case .select(let key):
      guard let key, let place, courses.parent(of: key) == courses.parent(of: place) else { return .notASibling }
      return .move(stack.dropLast() + [key])
    case .next, .previous:
      guard let place, let key = courses.beside(place, after: request == .next) else {
        return .nothing(request == .next ? .lastOfCourse : .firstOfCourse)
      }
      return .move(courses.chain(to: key))
    case .open(let key):
      return .move(courses.chain(to: key))
    case .back, .forward:
      let positions =
        request == .back ? Array((0..<current).reversed()) : Array((current + 1)..<max(current + 1, visits.count))
      let visit = positions.first { visits[$0] != place && (visits[$0].map { courses.kind(of: $0) != nil } ?? true) }
      guard let visit else { return .nothing(request == .back ? .noVisitBefore : .noVisitAfter) }
      return .move(courses.chain(to: visits[visit]), visit: visit)
    case .resume:
      let chain = courses.currentAncestors(to: newest)
      return chain == stack ? .nothing(.alreadyThere) : .move(chain)
    }
  }

  /// Applies an outcome.
  mutating func follow(_ outcome: ExpectedOutcome) {
    guard case .move(let chain, let visit) = outcome else { return }
    stack = chain
    if let visit {
      current = visit
    } else {
      visits.removeLast(visits.count - current - 1)
      visits.append(chain.last)
      current += 1
    }
  }

  /// Moves the session if an edition removed or moved its place.
  ///
  /// - Returns: Whether a repair was necessary.
  mutating func repair(in courses: some CourseMap) -> Bool {
    let chain = courses.currentAncestors(to: place)
    guard chain != stack else { return false }
    stack = chain
    visits[current] = chain.last
    return true
  }

  /// Returns the transition of a step from the current place to the last place of `chain`.
  func transition(to chain: [String], by request: Request, in courses: some CourseMap) -> TransitionShape {
    func card(_ key: String, _ direction: TransitionDirection) -> TransitionShape {
      let kinds: [ContentKind: TransitionKind] = [
        .course: .courseCard, .goal: .goalCard, .lesson: .lessonCard, .activity: .activityCard,
      ]
      return TransitionShape(kind: kinds[courses.kind(of: key)!]!, direction: direction, node: key)
    }
    func slide(isLater: Bool) -> TransitionShape {
      TransitionShape(kind: .siblingSlide, direction: isLater ? .right : .left, node: chain.last)
    }
    if chain.count > stack.count, chain.starts(with: stack) { return card(chain[stack.count], .down) }
    if stack.count > chain.count, stack.starts(with: chain) { return card(stack[chain.count], .up) }
    if request == .next || request == .previous { return slide(isLater: request == .next) }
    if let from = stack.last, let to = chain.last, from != to, stack.dropLast() == chain.dropLast() {
      let siblings = courses.children(of: courses.parent(of: from))
      return slide(isLater: siblings.firstIndex(of: to)! > siblings.firstIndex(of: from)!)
    }
    return TransitionShape(kind: .crossFade, direction: nil, node: nil)
  }
}

/// A transition with the key of the moving node.
struct TransitionShape: Hashable {
  let kind: TransitionKind
  let direction: TransitionDirection?
  let node: String?
}
