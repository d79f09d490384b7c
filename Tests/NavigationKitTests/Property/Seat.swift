import LearningModel
import NavigationKit

/// What somebody asks for, by the keys of places; no key means the root.
enum Wish: Hashable {
  case push(String?), pop, popTo(String?), popToRoot, select(String?), next, previous, open(String?), back, forward,
    resume

  /// The place that it names, where it names one.
  var target: String?? {
    switch self {
    case .push(let key), .popTo(let key), .select(let key), .open(let key): .some(key)
    default: .none
    }
  }

  /// The same as the service is asked, with the place under that name.
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

/// What the table of operations says that a wish comes to.
enum Outcome: Hashable {
  /// The keys from the course down to the place after; of a traversal, the visit that it returns to.
  case move([String], visit: Int? = nil)
  case nothing(Step.NothingToDo)
  case removed(nearest: [String])
  case notAChild, notOnStack, notASibling
}

/// A session as the table of operations sees it: its visits, and which of them it is at.
struct Seat {
  private(set) var visits: [String?]
  private(set) var current = 0
  /// The keys on the stack, without the root.
  private(set) var stack: [String]

  /// Begins a session at the end of that stack.
  init(at stack: [String]) {
    self.stack = stack
    visits = [stack.last]
  }

  var place: String? { visits[current] }

  /// Where a wish leads, with `newest` as the learner's newest place.
  func outcome(of wish: Wish, in atlas: some CourseMap, newest: String?) -> Outcome {
    if case .some(let target) = wish.target {
      let living = atlas.livingChain(to: target)
      if living.last != target { return .removed(nearest: living) }
      if target == place { return .nothing(.alreadyThere) }
    }
    switch wish {
    case .push(let key):
      guard let key, atlas.parent(of: key) == place else { return .notAChild }
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
      guard let key, let place, atlas.parent(of: key) == atlas.parent(of: place) else { return .notASibling }
      return .move(stack.dropLast() + [key])
    case .next, .previous:
      guard let place, let key = atlas.beside(place, after: wish == .next) else {
        return .nothing(wish == .next ? .lastOfCourse : .firstOfCourse)
      }
      return .move(atlas.chain(to: key))
    case .open(let key):
      return .move(atlas.chain(to: key))
    case .back, .forward:
      let way = wish == .back ? Array((0..<current).reversed()) : Array((current + 1)..<max(current + 1, visits.count))
      let visit = way.first { visits[$0] != place && (visits[$0].map { atlas.kind(of: $0) != nil } ?? true) }
      guard let visit else { return .nothing(wish == .back ? .noVisitBefore : .noVisitAfter) }
      return .move(atlas.chain(to: visits[visit]), visit: visit)
    case .resume:
      let chain = atlas.livingChain(to: newest)
      return chain == stack ? .nothing(.alreadyThere) : .move(chain)
    }
  }

  /// Goes where an outcome leads.
  mutating func follow(_ outcome: Outcome) {
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

  /// Takes whoever sits here out of what an edition has taken away, or moved.
  ///
  /// - Returns: Whether that needed a repair.
  mutating func repair(in atlas: some CourseMap) -> Bool {
    let chain = atlas.livingChain(to: place)
    guard chain != stack else { return false }
    stack = chain
    visits[current] = chain.last
    return true
  }

  /// The transition of a step from here to the end of that stack.
  func transition(to chain: [String], by wish: Wish, in atlas: some CourseMap) -> TransitionShape {
    func card(_ key: String, _ direction: TransitionDirection) -> TransitionShape {
      let kinds: [ContentKind: TransitionKind] = [
        .course: .courseCard, .goal: .goalCard, .lesson: .lessonCard, .activity: .activityCard,
      ]
      return TransitionShape(kind: kinds[atlas.kind(of: key)!]!, direction: direction, node: key)
    }
    func slide(isLater: Bool) -> TransitionShape {
      TransitionShape(kind: .siblingSlide, direction: isLater ? .right : .left, node: chain.last)
    }
    if chain.count > stack.count, chain.starts(with: stack) { return card(chain[stack.count], .down) }
    if stack.count > chain.count, stack.starts(with: chain) { return card(stack[chain.count], .up) }
    if wish == .next || wish == .previous { return slide(isLater: wish == .next) }
    if let from = stack.last, let to = chain.last, from != to, stack.dropLast() == chain.dropLast() {
      let siblings = atlas.children(of: atlas.parent(of: from))
      return slide(isLater: siblings.firstIndex(of: to)! > siblings.firstIndex(of: from)!)
    }
    return TransitionShape(kind: .crossFade, direction: nil, node: nil)
  }
}

/// A transition by the key of what moves.
struct TransitionShape: Hashable {
  let kind: TransitionKind
  let direction: TransitionDirection?
  let node: String?
}
