public import LearningModel
import LearningStore
import WholeNumbers

/// The content of a place's page, read from a single state of the database.
public struct PlacePage: Hashable, Sendable {
  /// The summary of the place, with the learner's progress.
  public let summary: PlaceSummary
  /// The ancestors of the place, the list of courses first. Empty for the list of courses.
  public let ancestors: [NamedPlace]
  /// The position among the siblings. `nil` for the list of courses.
  public let position: SiblingPosition?
  /// The ancestors without those that are skipped because they have a single child. A course is skipped only if its
  /// child has the same title.
  package let breadcrumb: [NamedPlace]
  /// The outermost place that contains nothing but this place, such as the chapter with a single section: its position
  /// among its siblings, and what readers call it. `nil` for a place without siblings.
  package let level: Level?
  /// The nearest ancestor with several children, or the list of courses.
  package let outer: Place
  /// The children, or the requested part of them.
  public let childSummaries: ChildSummaries
  /// The destination of `next`, or `nil` for the last place.
  public let next: NamedPlace?
  /// The destination of `previous`, or `nil` for the first place.
  public let previous: NamedPlace?
  /// The suggested next step from this page. `nil` if there is no course.
  public let nextStep: NextStep?

  /// The place that the page shows.
  public var place: NamedPlace { summary.place }
  /// The summaries of the children in reading order. If only some children were requested, contains only those.
  public var children: [PlaceSummary] { childSummaries.summaries }
}

extension PlacePage {
  /// The position of a place among its siblings, as in `chapter 2 of 4`.
  package struct Level: Hashable, Sendable {
    package let noun: Noun
    package let position: SiblingPosition

    /// The position as text: `chapter 2 of 4`.
    package var text: String { "\(noun.singular) \(position.number) of \(position.count)" }
  }
}

/// A summary of a place, with the learner's progress.
public struct PlaceSummary: Hashable, Sendable {
  /// The summarised place.
  public let place: NamedPlace
  /// A description of one or two sentences, or empty.
  public let summary: String
  /// The type of an activity. `nil` for other places.
  public let type: ActivityType?
  /// The number of flashcards or of quiz questions. `nil` for other places.
  public let itemCount: Int?
  /// The number of activities of the place, and how many of them are done.
  public let progress: LearningProgress
  /// Whether the learner has begun or finished the place.
  public let state: State
  /// The time that the place takes, in seconds, as given by the author or estimated from the length of its texts. 0 if
  /// it contains nothing to do.
  public let seconds: Int
  /// The time that the unfinished activities take, in seconds: the sum of the ``secondsLeft`` of all activities of the
  /// place. An activity that was begun counts with the share that is not read.
  public let secondsLeft: Int
  /// The share of an unfinished activity that counts as read, 0…1: read characters, graded cards or checked questions.
  /// 0 for quizzes that must be repeated and for other places.
  public let readShare: Double
  /// The reading position in a text that was begun. `nil` for other places.
  public let reading: ReadingPosition?
  /// The best result of a finished quiz. `nil` for other places.
  public let best: QuizResult?
  /// The state of an exercise. `nil` for other places.
  public let exercise: ExerciseState?
  /// The number of exercises that the place contains, and how many of them were passed. `nil` if it contains none.
  public let exercises: LearningProgress?
  /// Whether the learner has bookmarked the place.
  public let isBookmarked: Bool
  /// The time of the learner's last visit, or `nil` if there was none.
  public let lastVisitAt: Timestamp?

  /// The state of an exercise.
  public enum ExerciseState: String, Hashable, Sendable {
    /// The exercise was not checked since it was last marked as not done.
    case notChecked
    /// A check was passed, with an edited file.
    case passed
    /// The last check failed, and none was passed before.
    case failed
    /// The last check was passed, but no file was edited.
    case unchanged
    /// The learner marked the exercise as done, without a passed check.
    case marked
  }

  /// A learner's progress in a place.
  public enum State: String, Hashable, Codable, Sendable {
    /// The learner has begun no activity of the place: opening an activity does not begin it.
    case notBegun
    /// The learner has begun or finished a part of the place, but not all of it. An activity is begun when the position
    /// was moved beyond its start, a part of it counts as read, or something in it was answered or marked as done.
    case begun
    /// All activities of the place are done.
    case done
  }

  /// Whether this is a quiz that the learner has neither finished nor marked as done. Search results then do not show its
  /// answers.
  package var hidesAnswers: Bool { type == .quiz && best == nil && state != .done }

  /// ``secondsLeft`` in minutes, rounded up.
  public var minutesLeft: Int { (secondsLeft + 59) / 60 }
  /// ``seconds`` in minutes, rounded up.
  public var minutes: Int { (seconds + 59) / 60 }
}

/// The result of a quiz: the number of right answers.
public struct QuizResult: Hashable, Codable, Sendable {
  /// The number of questions that were answered correctly.
  public let right: Int
  /// The number of questions that have right and wrong answers.
  public let of: Int

  /// Creates a result.
  public init(right: Int, of: Int) {
    self.right = right
    self.of = of
  }

  /// Creates the result with a score, rounded to whole questions.
  ///
  /// - Parameters:
  ///   - score: The share of right answers, 0…1.
  ///   - count: The number of questions that have right and wrong answers.
  public init(score: Double, of count: Int) {
    self.init(right: Int(clamping: (score * Double(count)).rounded()), of: count)
  }
}

/// The position of a place among its siblings, as in `goal 2 of 4`.
public struct SiblingPosition: Hashable, Codable, Sendable {
  /// The number of the place, from 1.
  public let number: Int
  /// The number of siblings, including the place.
  public let count: Int
}

extension SiblingPosition {
  init(_ position: (number: Int, count: Int)) {
    self.init(number: position.number, count: position.count)
  }
}

/// A learner's reading position in a text.
public struct ReadingPosition: Hashable, Codable, Sendable {
  /// The index of the first visible block.
  public var block: Int
  /// The share of the first visible block that is above the first visible line, 0…1.
  public var blockOffset: Double
  /// The share of the activity that counts as read, 0…1.
  public var fraction: Double
  /// The last heading at or before the block, or `nil` before the first heading.
  public var heading: String?
  /// The time at which the position was saved.
  public var savedAt: Timestamp

  /// Creates a position.
  public init(block: Int, blockOffset: Double = 0, fraction: Double, heading: String?, savedAt: Timestamp) {
    self.block = block
    self.blockOffset = blockOffset
    self.fraction = fraction
    self.heading = heading
    self.savedAt = savedAt
  }
}

/// The suggested next step from a page.
public struct NextStep: Hashable, Sendable {
  /// The reason for the suggestion.
  public let reason: Reason
  /// The suggested place.
  public let summary: PlaceSummary
  /// The time at which the learner last left the place, or `nil` if the learner has not visited it.
  public let leftAt: Timestamp?

  /// The reason for suggesting a place.
  public enum Reason: String, Hashable, Codable, Sendable {
    /// The learner has begun the activity but not finished it.
    case goOn
    /// The activity follows the activity on screen.
    case next
    /// The activity is the first one that is not done.
    case firstUnfinished
    /// Everything is done. The place is the course.
    case allDone
  }
}

/// The place at which a learner should resume, with the reason.
public struct ResumePoint: Hashable, Encodable, Sendable {
  /// The last visited place, or `nil` if the learner has no history.
  public let last: NamedPlace?
  /// The step to the activity to continue with: to ``last`` if that is an unfinished activity, otherwise the step that
  /// ``NavigationService/continuation(from:)`` returns for ``last``. `nil` if everything is done.
  package let step: NextStep?
  /// The place after ``last`` in reading order, or `nil` for the last place.
  public let next: NamedPlace?
  /// The reason, as a sentence for the learner.
  public let reason: String

  /// The activity to continue with, or `nil` if everything is done.
  public var firstUnfinished: NamedPlace? { step?.summary.place }

  private enum Key: String, CodingKey {
    case last, firstUnfinished, next, reason
  }

  /// Encodes `last`, `firstUnfinished`, `next` and `reason`. Missing values are encoded as `null`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(last, forKey: .last)
    try container.encode(firstUnfinished, forKey: .firstUnfinished)
    try container.encode(next, forKey: .next)
    try container.encode(reason, forKey: .reason)
  }
}

/// Creates pages from one snapshot for one learner.
struct Pages {
  let snapshot: StoreSnapshot
  /// The learner whose progress is shown, or `nil` if the learner has no history.
  let learner: Learner?
  /// The current time. Later visits are ignored.
  let now: Timestamp
  private let readTimes = ReadTimes()

  init(snapshot: StoreSnapshot, learner: Learner?, at now: Timestamp) {
    (self.snapshot, self.learner, self.now) = (snapshot, learner, now)
  }

  /// The time that counts as read in unfinished activities, by place. It is read once for each course.
  private final class ReadTimes {
    var ofCourses: [NodeID: [NodeID: Int]] = [:]
    /// The passed exercises by course. Those of all courses have the key `nil`.
    var exercises: [NodeID?: [NodeID: LearningProgress]] = [:]
  }

  /// Returns the passed exercises of a place. A course is usually shown with others, so all courses are counted at once.
  private func exercises(in node: ContentNode) throws -> LearningProgress? {
    let key: NodeID? = node.kind == .course ? nil : node.course
    if let known = readTimes.exercises[nil] ?? readTimes.exercises[key] { return known[node.id] }
    let counts = try snapshot.passedExercises(by: learner?.id, in: key)
    readTimes.exercises[key] = counts
    return counts[node.id]
  }

  /// Returns the summary of a card. The time left is that of all activities, less the part that counts as read.
  func makeSummary(of card: StoredCard, at place: NamedPlace) throws -> PlaceSummary {
    let (node, progress) = (card.node, card.progress)
    let exercises = node.kind == .activity ? nil : try exercises(in: node)
    guard let learner, node.kind != .activity, progress.begun > progress.done else {
      return PlaceSummary(card, at: place, secondsRead: progress.secondsRead, exercises: exercises)
    }
    let seconds = try readTimes.ofCourses[node.course] ?? snapshot.secondsRead(by: learner.id, in: node.course)
    readTimes.ofCourses[node.course] = seconds
    return PlaceSummary(card, at: place, secondsRead: seconds[node.id] ?? 0, exercises: exercises)
  }

  /// Returns the page of the last node of a chain. An empty chain is the list of courses.
  func page(of chain: [ContentNode], with selection: ChildSummaries.Selection = .all) throws -> PlacePage {
    let place = NamedPlace(chain)
    let children = try childSummaries(of: chain, selection)
    let position = try chain.last.map { SiblingPosition(try snapshot.siblingPosition(of: $0)) }
    let ancestors = place.place == .root ? [] : NamedPlace.stack(Array(chain.dropLast()))
    let skipped = try Set(ancestors.filter { try $0.place.node.map { try snapshot.onlyChild(of: $0) } ?? nil != nil })
    let outermost = chain.indices.last { !skipped.contains(ancestors[$0]) }
    let neighbours = try chain.last.map { node in
      (next: try snapshot.neighbour(node, after: true), previous: try snapshot.neighbour(node, after: false))
    }
    let next = try neighbours?.next.map { try named($0, along: chain) }
    return PlacePage(
      summary: chain.isEmpty ? PlaceSummary(ofRootWith: children.summaries) : try summary(of: chain),
      ancestors: ancestors, position: position,
      breadcrumb: zip(ancestors, ancestors.dropFirst() + [place]).filter { ancestor, child in
        !skipped.contains(ancestor) || ancestor.kind == .course && ancestor.title != child.title
      }.map(\.0),
      // The order of courses is that of their last visits, so a course has no number.
      level: try outermost.flatMap { index in
        if chain[index].kind == .course { return nil }
        let shown =
          try (index == chain.count - 1 ? position : nil)
          ?? SiblingPosition(snapshot.siblingPosition(of: chain[index]))
        return shown.count == 1 ? nil : PlacePage.Level(noun: NamedPlace([chain[index]]).noun, position: shown)
      }, outer: ancestors.last { !skipped.contains($0) }?.place ?? .root, childSummaries: children, next: next,
      previous: try neighbours?.previous.map { try named($0, along: chain) }, nextStep: try nextStep(from: chain))
  }

  /// Returns the summary of the last node of a chain. An empty chain is the list of courses.
  func summary(of chain: [ContentNode]) throws -> PlaceSummary {
    guard let node = chain.last, let card = try snapshot.card(of: node.id, for: learner?.id, at: now) else {
      return PlaceSummary(
        ofRootWith: try snapshot.cards(under: nil, for: learner?.id, at: now).map {
          try makeSummary(of: $0, at: NamedPlace([$0.node]))
        })
    }
    return try makeSummary(of: card, at: NamedPlace(chain))
  }

  /// Returns the suggested next step from a place.
  ///
  /// - For an activity, this is the next activity. For the last activity of a course, it is another unfinished
  ///   activity.
  /// - For other places, it is the activity in the place that the learner began, did not finish and left last. If there
  ///   is no such activity, it is the first activity that is not done. If everything in the place is done, the
  ///   ancestors are searched in the same way, then all courses.
  func nextStep(from chain: [ContentNode]) throws -> NextStep? {
    if let node = chain.last, node.kind == .activity {
      return try snapshot.neighbour(node, after: true).map { try nextStep(.next, to: $0, along: chain) }
        ?? unfinished(besides: node, along: chain)
    }
    for place in chain.reversed() {
      if let step = try unfinished(in: place, along: chain) { return step }
    }
    if let step = try unfinished(in: nil, along: chain) { return step }
    return try (chain.first ?? snapshot.children(of: .root).first).map { try nextStep(.allDone, to: $0, along: chain) }
  }

  /// Returns the activity to continue with from a place: the suggested next step, unless that activity is done and
  /// another one is not.
  ///
  /// - Returns: The activity. If everything is done, a step with the reason ``NextStep/Reason-swift.enum/allDone``.
  ///   `nil` after the last activity of a finished course.
  func continuation(from chain: [ContentNode]) throws -> NextStep? {
    let step = try nextStep(from: chain)
    guard let step, let node = chain.last, step.reason == .next, step.summary.state == .done else { return step }
    // The next activity is done. Unfinished activities of the lesson come first, then those of the goal and of the
    // course.
    let other = try nextStep(from: Array(chain.dropLast()))
    guard let other, other.reason != .allDone, other.summary.place.place != .node(node.id) else { return step }
    return other
  }

  /// Returns an unfinished activity of a course other than its last activity, or the last activity if no other is
  /// unfinished.
  private func unfinished(besides last: ContentNode, along chain: [ContentNode]) throws -> NextStep? {
    let step = try unfinished(in: chain.first, along: chain)
    guard let course = chain.first, step?.summary.place.place == .node(last.id) else { return step }
    // The last activity was suggested because the learner left it most recently. An unfinished activity before it in
    // reading order takes precedence.
    return try snapshot.firstToDo(in: course, for: learner?.id).map { node in
      try nextStep(.firstUnfinished, to: node, along: chain)
    }
  }

  /// Returns the activity to continue with in a place, or `nil` if everything is done.
  ///
  /// If the learner has begun activities without finishing them, returns the one that the learner left last. Otherwise
  /// returns the first activity that is not done.
  ///
  /// - Parameter place: The place, or `nil` for all courses.
  private func unfinished(in place: ContentNode?, along chain: [ContentNode]) throws -> NextStep? {
    if let learner, let begun = try snapshot.unfinishedActivity(of: learner.id, under: place?.id, at: now),
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

  func nextStep(
    _ reason: NextStep.Reason, to node: ContentNode, along chain: [ContentNode], leftAt: Timestamp? = nil
  ) throws -> NextStep {
    let card = try summary(of: snapshot.chain(to: node, along: chain))
    return NextStep(reason: reason, summary: card, leftAt: leftAt ?? card.lastVisitAt)
  }

  /// Returns the place of a node with its name.
  ///
  /// - Parameter chain: A chain that may contain ancestors of the node, which are then not read again.
  func named(_ node: ContentNode, along chain: [ContentNode] = []) throws -> NamedPlace {
    NamedPlace(try snapshot.chain(to: node, along: chain))
  }
}

extension PlaceSummary {
  /// - Parameters:
  ///   - secondsRead: The time in the unfinished activities of the place that counts as read, in seconds.
  ///   - exercises: The passed exercises of the place.
  init(_ card: StoredCard, at place: NamedPlace, secondsRead: Int, exercises: LearningProgress?) {
    let progress = card.progress
    self.init(
      place: place, summary: card.node.summary, type: card.type, itemCount: card.itemCount,
      progress: LearningProgress(done: progress.done, total: progress.total),
      state: progress.total > 0 && progress.done == progress.total ? .done : progress.begun > 0 ? .begun : .notBegun,
      seconds: progress.seconds, secondsLeft: progress.seconds - progress.secondsDone - secondsRead,
      readShare: card.readShare,
      // A node that is no longer an activity keeps its stored reading position, because a later version of the course
      // may make it an activity again.
      reading: card.node.kind == .activity ? card.reading.map(ReadingPosition.init) : nil,
      best: card.best.map { QuizResult(score: $0.score, of: $0.of) },
      exercise: card.type == .exercise ? ExerciseState(card) : nil, exercises: exercises,
      isBookmarked: card.isBookmarked,
      lastVisitAt: card.lastVisitAt)
  }

  /// Creates the summary of the list of courses, with the sums of all courses.
  init(ofRootWith courses: [PlaceSummary]) {
    let progress = courses.reduce(into: LearningProgress(done: 0, total: 0)) { sum, card in
      sum.done += card.progress.done
      sum.total += card.progress.total
    }
    self.init(
      place: .root, summary: "", type: nil, itemCount: nil, progress: progress,
      state: progress.isComplete ? .done : courses.allSatisfy { $0.state == .notBegun } ? .notBegun : .begun,
      seconds: courses.reduce(0) { $0 + $1.seconds }, secondsLeft: courses.reduce(0) { $0 + $1.secondsLeft },
      readShare: 0, reading: nil, best: nil, exercise: nil, exercises: nil, isBookmarked: false,
      lastVisitAt: courses.compactMap(\.lastVisitAt).max())
  }
}

extension PlaceSummary.ExerciseState {
  fileprivate init(_ card: StoredCard) {
    self =
      switch card.lastCheck {
      case _ where card.progress.done > 0: card.isPassed ? .passed : .marked
      case (isPassed: false, _)?: .failed
      case (isPassed: true, isChanged: false)?: .unchanged
      // The learner has marked the exercise as not done since.
      case (isPassed: true, isChanged: true)?, nil: .notChecked
      }
  }
}

extension ReadingPosition {
  init(_ stored: StoredReadingPosition) {
    self.init(
      block: stored.block, blockOffset: stored.blockOffset, fraction: stored.fraction, heading: stored.heading,
      savedAt: stored.savedAt)
  }
}

/// The summaries of a place's children in reading order: all of them, or a consecutive part.
public struct ChildSummaries: Hashable, Sendable {
  /// The summaries of the children.
  public let summaries: [PlaceSummary]
  /// The number of children before the first summary.
  public let before: Int
  /// The number of all children.
  public let count: Int
  /// The index of the child around which a part was requested, among all children. `nil` if there is no such child, or
  /// if all children were requested.
  public let focus: Int?

  /// The children to return. Places can have tens of thousands of children, so screens request a part.
  public enum Selection: Hashable, Sendable {
    /// All children.
    case all
    /// At most the given number of children, with about as many before the focus as after it.
    case some(Int, around: Focus)
  }

  /// The child around which a part is requested.
  public enum Focus: Hashable, Sendable {
    /// The child with the given index, or the last child if the index is too large.
    case index(Int)
    /// The child that is a node. If the node is not a child of the place, the first children are returned, without a
    /// focus.
    case node(NodeID)
    /// The first child that was begun but is not done, otherwise the first child that is not done.
    case nextToDo
  }
}

extension Pages {
  /// Returns the summaries of a place's children. Always returns all courses of the list of courses, because its own
  /// summary is their sum.
  func childSummaries(of chain: [ContentNode], _ selection: ChildSummaries.Selection) throws -> ChildSummaries {
    func cards(_ range: Range<Int>?) throws -> [PlaceSummary] {
      try snapshot.cards(under: chain.last?.id, for: learner?.id, in: range, at: now).map {
        try makeSummary(of: $0, at: NamedPlace(chain + [$0.node]))
      }
    }
    let parent = chain.last?.id
    guard case .some(let limit, let around) = selection else {
      let all = try cards(nil)
      return ChildSummaries(summaries: all, before: 0, count: all.count, focus: nil)
    }
    let focus =
      switch around {
      case .index(let index): index
      case .node(let node): try snapshot.index(of: node, in: parent)
      case .nextToDo: try snapshot.indexOfNextToDo(in: parent, for: learner?.id)
      }
    let count = try snapshot.childCount(of: parent)
    let last = max(0, count - 1)
    let focusIndex = focus.map { max(0, min($0, last)) }
    let first = parent == nil ? 0 : max(0, min((focusIndex ?? 0) - limit / 2, count - limit))
    let range = parent == nil ? nil : first..<first + max(0, limit)
    return ChildSummaries(
      summaries: try cards(range), before: first, count: count, focus: count == 0 ? nil : focusIndex)
  }
}
