import Foundation
import LearningModel
import LearningStore

/// The part of a learner's cards at a place, and what the learner may do there today.
struct ReviewScope {
  let snapshot: StoreSnapshot
  let learner: LearnerID?
  /// The chain to the place, or empty for all courses.
  let chain: [ContentNode]
  let cards: CardScope
  let today: Int
  /// The cards with the tag to which the scope is limited, or `nil` if it is not limited to a tag.
  let tagged: Set<CardReference>?
  /// The settings of all courses.
  let settings: ReviewSettings
  /// The notes of the cards that were answered today, the newest answer first.
  private(set) var answeredNotes: [CardReference]
  /// The cards that ``assumeAnswer(to:)`` has added.
  private var assumed: [(card: CardReference, course: NodeID?, counts: ReviewCounts)] = []
  private let siblingSettings = SiblingSettings()

  init(_ snapshot: StoreSnapshot, learner: LearnerID?, at name: PlaceName?, today: Int) throws {
    self.snapshot = snapshot
    self.learner = learner
    self.today = today
    settings = try ReviewSettingsReader(snapshot: snapshot, learner: learner).settings(of: nil)
    tagged = try name?.tag.map { try snapshot.existingCards(tagged: $0) }
    answeredNotes = try learner.map { try snapshot.notes(answeredBy: $0, on: today) } ?? []
    chain = try name.map { try PlaceResolver(snapshot: snapshot, current: []).resolve($0, nearby: nil) } ?? []
    if let node = chain.last {
      cards =
        node.kind == .course
        ? .courses([node.id]) : .activities(try snapshot.activitiesWithCards(under: node.id, madeBy: learner))
    } else {
      cards = .courses(try learner.map { try snapshot.coursesWithCards(of: $0) } ?? [])
    }
  }

  /// Whether a card has the tag to which the scope is limited, and was not assumed to be answered.
  func contains(_ card: CardReference) -> Bool {
    (tagged?.contains(card) ?? true) && !assumed.contains { $0.card == card }
  }

  /// Changes the scope as if the learner had answered a card that does not come back today.
  mutating func assumeAnswer(to card: CardReference) throws {
    let phase = try learner.flatMap { try snapshot.storedMemory(of: card.key, in: card.node, by: $0) }?.history.state
      .phase
    var counts = ReviewCounts()
    counts.new = phase ?? .new == .new ? 1 : 0
    counts.reviews = phase == .review ? 1 : 0
    assumed.append((card, try snapshot.chain(to: card.node).first?.id, counts))
    answeredNotes.insert(try snapshot.note(of: card), at: 0)
  }

  /// The numbers of new cards and reviews that are still permitted today.
  struct Allowance {
    var newCards: Int
    var reviews: Int

    /// Returns the smaller of each number of two allowances.
    func limited(by other: Allowance) -> Allowance {
      Allowance(newCards: min(newCards, other.newCards), reviews: min(reviews, other.reviews))
    }
  }

  /// The key of each course by its node.
  func key(of course: NodeID) throws -> String? { try snapshot.node(course)?.key }

  func done(in course: NodeID? = nil) throws -> ReviewCounts {
    guard let learner else { return ReviewCounts() }
    let counts = try snapshot.reviewDays(of: learner, in: course, days: today...today).first?.counts ?? ReviewCounts()
    return assumed.filter { course == nil || $0.course == course }.map(\.counts).reduce(counts, +)
  }

  /// Returns the remaining daily limits over all courses.
  ///
  /// - Parameter due: The number of due cards for which new cards wait. If `nil`, ``dueReviews()``.
  func allowance(due: Int? = nil) throws -> Allowance {
    try allowance(settings.newCards, settings.reviews, after: done()) { try due ?? dueReviews() }
  }

  /// Returns the number of due cards without those in steps and without those beyond the limit of their course.
  func dueReviews() throws -> Int {
    guard case .courses(let courses) = cards else { return try waitingCards(in: cards).reviews }
    return try courses.reduce(0) { sum, course in
      let due = try waitingCards(in: .courses([course])).reviews
      return try sum + (due == 0 ? 0 : min(due, allowance(of: course).reviews))
    }
  }

  /// Returns the numbers of due cards of a part of the scope, without those that wait until tomorrow: see ``waits(_:isNew:)``.
  ///
  /// - Parameter time: The current time. If `nil`, all steps have ended.
  func waitingCards(in cards: CardScope, at time: Timestamp? = nil) throws -> WaitingCards {
    guard let learner else { return WaitingCards() }
    var waiting = try snapshot.waitingCards(of: learner, in: cards, until: today, at: time, among: tagged)
    for isNew in [true, false] where (isNew ? waiting.touchedNew : waiting.reviews) > 0 {
      var hidden = Set(assumed.map(\.card))
      for note in Set(answeredNotes) where try waitsForAnswered(note, isNew: isNew) {
        hidden.formUnion(try snapshot.cards(ofNote: note))
      }
      if let tagged { hidden.formIntersection(tagged) }
      guard !hidden.isEmpty else { continue }
      let counts = try snapshot.waitingCards(of: learner, in: cards, until: today, among: hidden)
      if isNew { waiting.touchedNew -= counts.touchedNew } else { waiting.reviews -= counts.reviews }
    }
    return waiting
  }

  /// Returns what a course permits, which is not limited if the course has no limits of its own.
  func allowance(of course: NodeID) throws -> Allowance {
    guard let key = try key(of: course) else { return Allowance(newCards: .max, reviews: .max) }
    let own = try ReviewSettingsReader(snapshot: snapshot, learner: learner).ownLimits(of: key)
    guard own.newCards != nil || own.reviews != nil else { return Allowance(newCards: .max, reviews: .max) }
    // A review of a place inside of the course does not show the other due cards.
    let cards: CardScope = if case .activities = cards { cards } else { .courses([course]) }
    return try allowance(own.newCards, own.reviews, after: done(in: course)) { try waitingCards(in: cards).reviews }
  }

  /// Returns what is left of limits. New cards count as reviews, and wait for the reviews that are due, unless the learner has
  /// changed this setting.
  private func allowance(
    _ newCards: Int?, _ reviews: Int?, after done: ReviewCounts, due: () throws -> Int
  ) throws -> Allowance {
    var left = Allowance(
      newCards: newCards.map { max(0, $0 - done.new) } ?? .max,
      reviews: reviews.map { max(0, $0 - done.reviews) } ?? .max)
    if reviews != nil, !settings.newIgnoreLimit {
      left.reviews = max(0, left.reviews - done.new)
      left.newCards = min(left.newCards, max(0, left.reviews - (try due())))
    }
    return left
  }

  /// Returns the courses of the scope: those with cards that have events, and those with new cards.
  var courses: [NodeID] {
    switch cards {
    case .courses(let courses): courses
    case .activities: chain.first.map { [$0.id] } ?? []
    }
  }

  /// Returns the new cards of the scope, the lesson that was begun first first.
  func newCards() throws -> [StoreSnapshot.NewCards] {
    guard let learner else { return [] }
    var all = try snapshot.newCards(of: learner)
    switch cards {
    case .courses(let courses): if !chain.isEmpty { all = all.filter { courses.contains($0.course) } }
    case .activities(let nodes):
      let nodes = Set(nodes)
      all = all.filter { nodes.contains($0.node) }
    }
    guard let tagged else { return all }
    let nodes = Set(tagged.map(\.node))
    return try all.filter { nodes.contains($0.node) }.map { new in
      var new = new
      new.cards = 0
      try snapshot.forEachNewCard(in: new.node, of: learner) { card, _, _ in
        if tagged.contains(card) { new.cards += 1 }
        return true
      }
      return new
    }.filter { $0.cards > 0 }
  }

  /// Whether a card waits until tomorrow, because a sibling was answered today.
  ///
  /// - Parameter note: The note of the card.
  func waits(_ note: CardReference, isNew: Bool) throws -> Bool {
    try answeredNotes.contains(note) && waitsForAnswered(note, isNew: isNew)
  }

  private func waitsForAnswered(_ note: CardReference, isNew: Bool) throws -> Bool {
    let waiting = try waitingSiblings(in: note.node)
    return waiting == .all || waiting == .new && isNew
  }

  /// Returns the setting of the course of an activity.
  func waitingSiblings(in node: NodeID) throws -> ReviewSettings.WaitingSiblings {
    if let known = siblingSettings.byNode[node] { return known }
    let course = try snapshot.keys(of: node)?.course
    let setting = try ReviewSettingsReader(snapshot: snapshot, learner: learner).waitingSiblings(of: course)
    siblingSettings.byNode[node] = setting
    return setting
  }

  private final class SiblingSettings { var byNode: [NodeID: ReviewSettings.WaitingSiblings] = [:] }

  /// Returns the number of new cards of a course that can be shown today, at most a limit.
  func shownNewCards(of course: NodeID?, atMost limit: Int) throws -> Int {
    guard let learner, limit > 0 else { return limit }
    var (notes, count) = (Set<CardReference>(), 0)
    for new in try newCards() where count < limit && (course == nil || new.course == course) {
      let hasSiblings = try waitingSiblings(in: new.node) == .none
      try snapshot.forEachNewCard(in: new.node, of: learner) { card, note, _ in
        if contains(card), try !waits(note, isNew: true), hasSiblings || notes.insert(note).inserted { count += 1 }
        return count < limit
      }
    }
    return count
  }

  /// Returns the part of the scope in which reviews are permitted.
  func withReviewsAllowed() throws -> CardScope {
    switch cards {
    case .courses(let courses): .courses(try courses.filter { try allowance(of: $0).reviews > 0 })
    case .activities(let nodes):
      try chain.first.map { try allowance(of: $0.id).reviews > 0 } ?? true ? .activities(nodes) : .activities([])
    }
  }
}

extension StoreSnapshot {
  /// Returns the current cards with a tag.
  ///
  /// - Throws: ``NavigationError/unknownTag(name:)`` if there is none.
  func existingCards(tagged tag: String) throws -> Set<CardReference> {
    let cards = try cards(tagged: tag)
    guard cards.isEmpty else { return cards }
    throw NavigationError.unknownTag(name: tag)
  }
}
