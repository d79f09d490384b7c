public import LearningModel
import LearningStore

/// Everything that the screen of a place shows, as of one moment.
public struct PlacePage: Hashable, Sendable {
  /// The place, with its own numbers.
  public let card: PlaceSummary
  /// The places above it, the list of courses first; none at the list of courses itself.
  public let trail: [NamedPlace]
  /// Its place among its siblings; `nil` at the list of courses.
  public let position: SiblingPosition?
  /// What it holds, or the part of it that was asked for.
  public let childCards: ChildCards
  /// The place that `next` leads to; `nil` where it leads nowhere.
  public let next: NamedPlace?
  /// The place that `previous` leads to; `nil` where it leads nowhere.
  public let previous: NamedPlace?
  /// What to do next, seen from here; `nil` where there is no course.
  public let nextStep: NextStep?

  /// The place.
  public var place: NamedPlace { card.place }
  /// What it holds, in reading order; of a part, what was asked for.
  public var children: [PlaceSummary] { childCards.cards }
}

/// A place in short: what its card, or its header, says.
public struct PlaceSummary: Hashable, Sendable {
  /// The place.
  public let place: NamedPlace
  /// One or two sentences on it.
  public let summary: String
  /// Of an activity: what it is made of.
  public let type: ActivityType?
  /// Of flashcards, how many cards; of a quiz, how many questions.
  public let itemCount: Int?
  /// How many of its activities are done.
  public let progress: LearningProgress
  /// Whether it is done, begun or neither.
  public let state: State
  /// How long it takes, in seconds, by the author's word or by the length of its texts; 0 where there is nothing to do.
  public let seconds: Int
  /// How long the rest of it takes, in seconds. A text that was begun counts by what is left of it.
  public let secondsLeft: Int
  /// Of a text that was begun: how far it was read.
  public let reading: ReadingPosition?
  /// Of a quiz that was answered to its end: how well it went at best.
  public let best: QuizResult?
  /// Whether the learner has marked it.
  public let isBookmarked: Bool
  /// When the learner was last there; `nil` where they never were.
  public let lastVisitAt: Timestamp?

  /// How far a learner has come.
  public enum State: String, Hashable, Codable, Sendable {
    /// Nothing of it was opened.
    case notBegun
    /// Some of it was opened or done.
    case begun
    /// All of it is done.
    case done
  }

  /// How long the rest takes in whole minutes, rounded up; 0 where nothing is left.
  public var minutesLeft: Int { (secondsLeft + 59) / 60 }
  /// How long all of it takes in whole minutes, rounded up.
  public var minutes: Int { (seconds + 59) / 60 }
}

/// How many questions of a quiz were answered rightly.
public struct QuizResult: Hashable, Codable, Sendable {
  /// Those that were, from 0.
  public let right: Int
  /// Those that can be right or wrong.
  public let of: Int

  /// Makes a result.
  public init(right: Int, of: Int) {
    self.right = right
    self.of = of
  }

  /// Makes the result of a score, 0…1.
  public init(score: Double, of count: Int) {
    self.init(right: Int((score * Double(count)).rounded()), of: count)
  }
}

/// A place among its siblings: `goal 2 of 4`.
public struct SiblingPosition: Hashable, Codable, Sendable {
  /// From 1.
  public let number: Int
  /// How many siblings there are, itself among them.
  public let count: Int
}

/// How far a learner has read a text.
public struct ReadingPosition: Hashable, Codable, Sendable {
  /// The first block in view, from 0.
  public var block: Int
  /// The share of that block above the first line in view, 0…1.
  public var blockOffset: Double
  /// The share of the text that was seen, 0…1.
  public var fraction: Double
  /// The heading above that block; `nil` before the first.
  public var heading: String?
  /// When it was saved.
  public var savedAt: Timestamp

  /// Makes a position.
  public init(block: Int, blockOffset: Double = 0, fraction: Double, heading: String?, savedAt: Timestamp) {
    self.block = block
    self.blockOffset = blockOffset
    self.fraction = fraction
    self.heading = heading
    self.savedAt = savedAt
  }
}

/// The one best thing to do next, seen from a page.
public struct NextStep: Hashable, Sendable {
  /// What kind of thing it is.
  public let reason: Reason
  /// The place to go to.
  public let card: PlaceSummary
  /// When the learner left it; `nil` where they were never there.
  public let leftAt: Timestamp?

  /// Why that is the thing to do.
  public enum Reason: String, Hashable, Codable, Sendable {
    /// It was begun and is not done: go on with it.
    case goOn
    /// It follows the activity on screen.
    case next
    /// It is the first thing that is not done.
    case firstUnfinished
    /// Everything is done: it is the course to look back on.
    case allDone
  }
}

/// Where to take up, with the reason.
public struct ResumePoint: Hashable, Encodable, Sendable {
  /// Where the learner was last; `nil` where they have no history.
  public let last: NamedPlace?
  /// The activity to go on with, as ``NavigationService/continuation(from:)`` returns it for ``last``; ``last`` itself if
  /// that is an activity that is not done. `nil` if everything is done.
  public let firstUnfinished: NamedPlace?
  /// What follows the last place in reading order; `nil` where nothing does.
  public let next: NamedPlace?
  /// One sentence why.
  public let reason: String

  private enum Key: String, CodingKey {
    case last, firstUnfinished, next, reason
  }

  /// Writes `last`, `firstUnfinished`, `next` and `reason`; what is not there is null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(last, forKey: .last)
    try container.encode(firstUnfinished, forKey: .firstUnfinished)
    try container.encode(next, forKey: .next)
    try container.encode(reason, forKey: .reason)
  }
}

/// Puts pages together, out of one snapshot, for one learner.
struct Pages {
  let snapshot: StoreSnapshot
  /// Whose progress is shown; `nil` where they have never been here.
  let learner: Learner?

  /// Returns the page of the place that those nodes lead to.
  func page(of chain: [ContentNode], with part: ChildCards.Part = .all) throws -> PlacePage {
    let place = NamedPlace(chain)
    let children = try childCards(of: chain, part)
    let position = try chain.last.map { try snapshot.siblingPosition(of: $0) }
    let neighbours = try chain.last.map { node in
      (next: try snapshot.placeBeside(node, after: true), previous: try snapshot.placeBeside(node, after: false))
    }
    let next = try neighbours?.next.map { try named($0, along: chain) }
    return PlacePage(
      card: chain.isEmpty ? PlaceSummary(ofRootWith: children.cards) : try card(of: chain),
      trail: place.place == .root ? [] : NamedPlace.stack(Array(chain.dropLast())),
      position: position.map { SiblingPosition(number: $0.number, count: $0.count) }, childCards: children, next: next,
      previous: try neighbours?.previous.map { try named($0, along: chain) }, nextStep: try nextStep(from: chain))
  }

  /// Returns the card of the place that those nodes lead to.
  func card(of chain: [ContentNode]) throws -> PlaceSummary {
    guard let node = chain.last, let card = try snapshot.card(of: node.id, for: learner?.id) else {
      return PlaceSummary(
        ofRootWith: try snapshot.cards(under: nil, for: learner?.id).map { PlaceSummary($0, at: NamedPlace([$0.node])) }
      )
    }
    return PlaceSummary(card, at: NamedPlace(chain))
  }

  /// Returns the one best thing to do next from a place.
  ///
  /// From an activity that is the one after it; from the last of a course what else is to do in it. From a list: what was
  /// begun in it and not done, and was left last; else the first thing in it that is not done; else the same anywhere in
  /// the course, then in all courses.
  func nextStep(from chain: [ContentNode]) throws -> NextStep? {
    if let node = chain.last, node.kind == .activity {
      return try snapshot.placeBeside(node, after: true).map { try nextStep(.next, to: $0, along: chain) }
        ?? unfinished(besides: node, along: chain)
    }
    for place in chain.reversed() {
      if let step = try unfinished(in: place, along: chain) { return step }
    }
    if let step = try unfinished(in: nil, along: chain) { return step }
    return try (chain.first ?? snapshot.children(of: .root).first).map { try nextStep(.allDone, to: $0, along: chain) }
  }

  /// Returns the activity to go on with from a place: the next step, unless that is done and something else is not.
  ///
  /// - Returns: A step of reason ``NextStep/Reason-swift.enum/allDone`` if everything is done, `nil` after the last
  ///   activity of a finished course.
  func continuation(from chain: [ContentNode]) throws -> NextStep? {
    let step = try nextStep(from: chain)
    guard let step, let node = chain.last, step.reason == .next, step.card.state == .done else { return step }
    // The step that follows is done: the rest of the lesson comes first, then that of the goal and of the course.
    let other = try nextStep(from: Array(chain.dropLast()))
    guard let other, other.reason != .allDone, other.card.place.place != .node(node.id) else { return step }
    return other
  }

  /// Returns what is to do in a course besides its last activity; that one where nothing else is.
  private func unfinished(besides last: ContentNode, along chain: [ContentNode]) throws -> NextStep? {
    let step = try unfinished(in: chain.first, along: chain)
    guard let course = chain.first, step?.card.place.place == .node(last.id) else { return step }
    // It was left last; what is not done before it in reading order comes first.
    return try snapshot.firstToDo(in: course, for: learner?.id).map { node in
      try nextStep(.firstUnfinished, to: node, along: chain)
    }
  }

  /// Returns what is to do in a place: what was begun there and left last, else the first thing that is not done.
  private func unfinished(in place: ContentNode?, along chain: [ContentNode]) throws -> NextStep? {
    if let learner, let begun = try snapshot.unfinishedActivity(of: learner.id, under: place?.id),
      let node = try snapshot.node(begun.activity)
    {
      return try nextStep(.goOn, to: node, along: chain, leftAt: begun.leftAt)
    }
    for top in try place.map({ [$0] }) ?? snapshot.children(of: .root) {
      if let node = try snapshot.firstToDo(in: top, for: learner?.id) {
        return try nextStep(.firstUnfinished, to: node, along: chain)
      }
    }
    return nil
  }

  private func nextStep(
    _ reason: NextStep.Reason, to node: ContentNode, along chain: [ContentNode], leftAt: Timestamp? = nil
  ) throws -> NextStep {
    let card = try card(of: snapshot.chain(to: node, along: chain))
    return NextStep(reason: reason, card: card, leftAt: leftAt ?? card.lastVisitAt)
  }

  /// Names the place of a node.
  func named(_ node: ContentNode, along chain: [ContentNode] = []) throws -> NamedPlace {
    NamedPlace(try snapshot.chain(to: node, along: chain))
  }
}

extension PlaceSummary {
  init(_ card: StoredCard, at place: NamedPlace) {
    let sums = card.progress
    let unread = card.type == .link ? 1 : 1 - (card.reading?.fraction ?? 0)
    let left = Double(sums.seconds - sums.secondsDone) * unread
    self.init(
      place: place, summary: card.node.summary, type: card.type, itemCount: card.itemCount,
      progress: LearningProgress(done: sums.done, total: sums.total),
      state: sums.total > 0 && sums.done == sums.total ? .done : sums.begun > 0 ? .begun : .notBegun,
      seconds: sums.seconds, secondsLeft: Int(left.rounded(.up)),
      // What was an activity once keeps it for the day when it is one again.
      reading: card.node.kind == .activity ? card.reading.map(ReadingPosition.init) : nil,
      best: card.best.map { QuizResult(score: $0.score, of: $0.of) }, isBookmarked: card.isBookmarked,
      lastVisitAt: card.lastVisitAt)
  }

  /// The list of courses, with the sums of them all.
  init(ofRootWith courses: [PlaceSummary]) {
    let progress = courses.reduce(into: LearningProgress(done: 0, total: 0)) { sum, card in
      sum.done += card.progress.done
      sum.total += card.progress.total
    }
    self.init(
      place: .root, summary: "", type: nil, itemCount: nil, progress: progress,
      state: progress.isComplete ? .done : courses.allSatisfy { $0.state == .notBegun } ? .notBegun : .begun,
      seconds: courses.reduce(0) { $0 + $1.seconds }, secondsLeft: courses.reduce(0) { $0 + $1.secondsLeft },
      reading: nil, best: nil, isBookmarked: false, lastVisitAt: courses.compactMap(\.lastVisitAt).max())
  }
}

extension ReadingPosition {
  init(_ stored: StoredReadingPosition) {
    self.init(
      block: stored.block, blockOffset: stored.blockOffset, fraction: stored.fraction, heading: stored.heading,
      savedAt: stored.savedAt)
  }
}

/// The cards of what a place holds, in reading order: all of them, or some that follow one another.
public struct ChildCards: Hashable, Sendable {
  /// The cards.
  public let cards: [PlaceSummary]
  /// How many stand before the first of them.
  public let before: Int
  /// How many there are in all.
  public let count: Int
  /// The one that they were asked around, counted from 0 among all; `nil` where there is none.
  public let focus: Int?

  /// Which cards are asked for: a place may hold ten thousand.
  public enum Part: Hashable, Sendable {
    /// All.
    case all
    /// So many at most, about as many before as after one of them.
    case some(Int, around: Focus)
  }

  /// One card.
  public enum Focus: Hashable, Sendable {
    /// The one with that many before it; the last where there are not so many.
    case index(Int)
    /// That node's; where it is no child, the cards are the first, and there is no focus.
    case node(NodeID)
    /// What there is to do: the first that was begun and is not done, or else the first that is not done.
    case nextToDo
  }
}

extension Pages {
  /// Returns the cards of what a place holds. The list of courses always has all: what it says of itself is their sum.
  func childCards(of chain: [ContentNode], _ part: ChildCards.Part) throws -> ChildCards {
    func cards(_ range: Range<Int>?) throws -> [PlaceSummary] {
      try snapshot.cards(under: chain.last?.id, for: learner?.id, in: range).map {
        PlaceSummary($0, at: NamedPlace(chain + [$0.node]))
      }
    }
    let parent = chain.last?.id
    guard case .some(let limit, let around) = part else {
      let all = try cards(nil)
      return ChildCards(cards: all, before: 0, count: all.count, focus: nil)
    }
    let focus =
      switch around {
      case .index(let index): index
      case .node(let node): try snapshot.index(of: node, in: parent)
      case .nextToDo: try snapshot.indexOfNextToDo(in: parent, for: learner?.id)
      }
    let count = try snapshot.childCount(of: parent)
    let last = max(0, count - 1)
    let middle = focus.map { max(0, min($0, last)) }
    let first = parent == nil ? 0 : max(0, min((middle ?? 0) - limit / 2, count - limit))
    let range = parent == nil ? nil : first..<first + max(0, limit)
    return ChildCards(cards: try cards(range), before: first, count: count, focus: count == 0 ? nil : middle)
  }
}
