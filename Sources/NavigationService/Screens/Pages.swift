import LearningModel
import LearningStore

/// Puts pages together, out of one snapshot, for one learner.
struct Pages {
  let snapshot: StoreSnapshot
  /// Whose progress is shown; `nil` where they have never been here.
  let learner: Learner?

  /// Returns the page of the place that those nodes lead to.
  func page(of chain: [ContentNode], with part: ChildCards.Part = .all) throws -> Page {
    let place = NamedPlace(chain)
    let children = try childCards(of: chain, part)
    let position = try chain.last.map { try snapshot.siblingPosition(of: $0) }
    let neighbours = try chain.last.map { node in
      (next: try snapshot.placeBeside(node, after: true), previous: try snapshot.placeBeside(node, after: false))
    }
    let next = try neighbours?.next.map { try named($0, along: chain) }
    return Page(
      card: chain.isEmpty ? Card(ofRootWith: children.cards) : try card(of: chain),
      trail: place.place == .root ? [] : NamedPlace.stack(Array(chain.dropLast())),
      position: position.map { SiblingPosition(number: $0.number, count: $0.count) }, childCards: children, next: next,
      previous: try neighbours?.previous.map { try named($0, along: chain) }, nextStep: try nextStep(from: chain))
  }

  /// Returns the card of the place that those nodes lead to.
  func card(of chain: [ContentNode]) throws -> Card {
    guard let node = chain.last, let card = try snapshot.card(of: node.id, for: learner?.id) else {
      return Card(
        ofRootWith: try snapshot.cards(under: nil, for: learner?.id).map { Card($0, at: NamedPlace([$0.node])) })
    }
    return Card(card, at: NamedPlace(chain))
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

extension Card {
  init(_ card: StoredCard, at place: NamedPlace) {
    let sums = card.progress
    let unread = card.type == .link ? 1 : 1 - (card.reading?.fraction ?? 0)
    let left = Double(sums.seconds - sums.secondsDone) * unread
    self.init(
      place: place, summary: card.node.summary, type: card.type, itemCount: card.itemCount,
      progress: Progress(done: sums.done, total: sums.total),
      state: sums.total > 0 && sums.done == sums.total ? .done : sums.begun > 0 ? .begun : .notBegun,
      seconds: sums.seconds, secondsLeft: Int(left.rounded(.up)),
      // What was an activity once keeps it for the day when it is one again.
      reading: card.node.kind == .activity ? card.reading.map(ReadingPosition.init) : nil,
      best: card.best.map { QuizResult(score: $0.score, of: $0.of) }, isBookmarked: card.isBookmarked,
      lastVisitAt: card.lastVisitAt)
  }

  /// The list of courses, with the sums of them all.
  init(ofRootWith courses: [Card]) {
    let progress = courses.reduce(into: Progress(done: 0, total: 0)) { sum, card in
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
