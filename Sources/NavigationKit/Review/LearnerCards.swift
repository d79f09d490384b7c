import Foundation
public import LearningModel
import LearningStore

/// A card of a place, with its state.
public struct CardRow: Hashable, Encodable, Sendable {
  /// The identity of the card.
  public let id: CardID
  /// The activity that contains the card.
  public let place: NamedPlace
  /// The question without markup, on one line.
  public let question: String
  /// The state of the card.
  public let state: CardState
  /// Whether the card is suspended.
  public let isSuspended: Bool
  /// Whether the card is a leech: it was forgotten often.
  public let isLeech: Bool
  /// The probability of recall today, 0…1, or `nil` for a new card.
  public let retrievability: Double?
  /// The day on which the card is due: `2026-11-28`. `nil` for a new card.
  public let due: String?

  private enum Key: String, CodingKey {
    case card, question, phase, suspended, leech, due, interval, stability, difficulty, retrievability, answers, lapses
  }

  /// Encodes `path`, `kind` and `title` of the activity, followed by the card. `interval` is in days.
  public func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id.key, forKey: .card)
    try container.encode(question, forKey: .question)
    try container.encode(state.phase, forKey: .phase)
    try container.encode(isSuspended, forKey: .suspended)
    try container.encode(isLeech, forKey: .leech)
    try container.encode(due, forKey: .due)
    try container.encode(state.intervalDays, forKey: .interval)
    try container.encode(state.memory?.stability, forKey: .stability)
    try container.encode(state.memory?.difficulty, forKey: .difficulty)
    try container.encode(retrievability, forKey: .retrievability)
    try container.encode(state.answers, forKey: .answers)
    try container.encode(state.lapses, forKey: .lapses)
  }
}

/// The cards of a learner in reviews: lists, makes, adds, suspends and buries them.
public struct LearnerCards: Sendable {
  let session: LearnerSession

  /// Returns the cards of a place in reading order, including new and suspended ones.
  ///
  /// - Parameters:
  ///   - name: The place. `nil` or the root for all courses.
  ///   - limit: The maximum number of cards; `nil` for all.
  ///   - isFuture: Whether only cards are returned that were answered more than a day in the future, because the clock was ahead.
  ///   - areLeeches: Whether only leeches are returned.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  public func all(
    in name: PlaceName? = nil, limit: Int? = nil, answeredInFuture isFuture: Bool = false,
    leeches areLeeches: Bool = false
  )
    throws(NavigationError) -> [CardRow]
  {
    session.settleMemories()
    return try session.read { snapshot in
      let chain = try name.map { try PlaceResolver(snapshot: snapshot, current: []).resolve($0, nearby: nil) } ?? []
      let learner = try snapshot.learner(named: session.learner)?.id
      let today = try session.reviewDay(of: learner, in: snapshot)
      let names = PlaceNames(snapshot)
      let tagged = try name?.tag.map { try snapshot.existingCards(tagged: $0) }
      var rows: [CardRow] = []
      let places = try chain.last.map { [$0] } ?? snapshot.children(of: .root)
      for place in places {
        let (rules, model) = try ReviewSettingsReader(snapshot: snapshot, learner: learner)
          .scheduling(of: snapshot.keys(of: place.id)?.course)
        for node in try snapshot.activitiesWithCards(under: place.id, madeBy: learner) {
          for card in try snapshot.cardReferences(in: node, of: learner) where tagged?.contains(card) ?? true {
            if let limit, rows.count >= limit { return rows }
            let history = try learner.flatMap { try snapshot.storedMemory(of: card.key, in: node, by: $0)?.history }
            guard !isFuture || history?.lastDay ?? 0 > today + 1, !areLeeches || rules.isLeech(history?.state ?? .new),
              let faces = try snapshot.faces(of: card, for: learner)
            else { continue }
            let state = history?.state ?? .new
            let days = history?.lastDay.map { Double(max(0, today - $0)) } ?? 0
            rows.append(
              CardRow(
                id: CardID(place: .node(node), key: card.key), place: try names.name(of: .node(node)),
                question: faces.question.plainText.split(whereSeparator: \.isWhitespace).joined(separator: " "),
                state: state, isSuspended: history?.isSuspended ?? false,
                isLeech: rules.isLeech(state),
                retrievability: state.memory.map { model.retrievability(stability: $0.stability, days: days) },
                due: state.phase == .new ? nil : history.map { ReviewDay.date(of: $0.due) }))
          }
        }
      }
      return rows
    }
  }

  /// Returns the tags of all cards and the tags above them, such as `verb` for `verb::irregular`, in alphabetical order, with the
  /// numbers of their cards.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  package func tags() throws(NavigationError) -> [(tag: String, cards: Int)] {
    try session.read { snapshot in
      let tags = try snapshot.tags()
      let names = Dictionary(tags.map { ($0.tag.lowercased(), $0.tag) }) { first, _ in first }
      var parents: [String: String] = [:]
      for (tag, _) in tags {
        var parts = tag.components(separatedBy: "::").dropLast()
        while !parts.isEmpty {
          let parent = parts.joined(separator: "::")
          parents[parent.lowercased()] = names[parent.lowercased()] ?? parents[parent.lowercased()] ?? parent
          parts.removeLast()
        }
      }
      let all = tags.filter { parents[$0.tag.lowercased()] == nil } + parents.values.map { (tag: $0, cards: 0) }
      return try all.map { (tag: $0.tag, cards: $0.cards == 0 ? try snapshot.cards(tagged: $0.tag).count : $0.cards) }
        .sorted { $0.tag.lowercased() < $1.tag.lowercased() }
    }
  }

  // MARK: - Suspending and burying

  /// Suspends or resumes a card. A suspended card keeps its memory and is not shown.
  ///
  /// - Returns: Whether the card was changed.
  /// - Throws: ``NavigationError/unknownCard(key:place:)``, and the errors of
  ///   `NavigationService.perform`.
  @discardableResult
  public func setSuspended(_ isSuspended: Bool, _ id: CardID) throws(NavigationError) -> Bool {
    try setSuspended(isSuspended, [id]) > 0
  }

  /// Suspends or resumes all cards of a place.
  ///
  /// - Returns: The number of changed cards.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, and the errors of
  ///   `NavigationService.perform`.
  @discardableResult
  public func setSuspended(_ isSuspended: Bool, in name: PlaceName) throws(NavigationError) -> Int {
    // The place is resolved first, so that an unknown place begins no session.
    try setSuspended(isSuspended, all(toSuspend: isSuspended, in: name))
  }

  /// Returns the cards of a place that suspending or resuming the place changes.
  ///
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  package func all(toSuspend isSuspended: Bool, in name: PlaceName) throws(NavigationError) -> [CardID] {
    session.settleMemories()
    return try session.read { snapshot in
      let learner = try snapshot.learner(named: session.learner)?.id
      let tagged = try name.tag.map { try snapshot.existingCards(tagged: $0) }
      return try activitiesWithCards(in: name, madeBy: learner, snapshot).flatMap { node in
        try snapshot.cardReferences(in: node, of: learner).filter { card in
          try tagged?.contains(card) ?? true
            && learner.flatMap { try snapshot.storedMemory(of: card.key, in: node, by: $0)?.history.isSuspended }
              ?? false
              != isSuspended
        }.map { CardID(place: .node(node), key: $0.key) }
      }
    }
  }

  private func activitiesWithCards(
    in name: PlaceName, madeBy learner: LearnerID?, _ snapshot: StoreSnapshot
  ) throws -> [NodeID] {
    let place = try NamedPlace(PlaceResolver(snapshot: snapshot, current: []).resolve(name, nearby: nil)).place
    let tops = try place.node.map { [$0] } ?? snapshot.children(of: .root).map(\.id)
    return try tops.flatMap { try snapshot.activitiesWithCards(under: $0, madeBy: learner) }
  }

  /// Returns the suspended cards of a place.
  ///
  /// - Parameter name: The place. `nil` or the root for all courses.
  /// - Returns: The cards, each with its course.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  package func suspended(in name: PlaceName? = nil) throws(NavigationError) -> [(course: Place, card: CardID)] {
    try session.readMemories { snapshot in
      let scope = try session.reviewScope(snapshot, name)
      guard let learner = scope.learner else { return [] }
      // A course whose cards are all suspended has no card in the queue.
      let cards: CardScope =
        scope.chain.isEmpty ? .courses(try snapshot.children(of: .root).map(\.id)) : scope.cards
      return try snapshot.suspendedCards(of: learner, in: cards).filter { scope.contains($0.card) }.map {
        course, card in
        (.node(course), CardID(place: .node(card.node), key: card.key))
      }
    }
  }

  /// Suspends or resumes cards in one transaction.
  ///
  /// - Returns: The number of changed cards.
  /// - Throws: ``NavigationError/unknownCard(key:place:)``, and the errors of
  ///   `NavigationService.perform`.
  @discardableResult
  package func setSuspended(_ isSuspended: Bool, _ ids: [CardID]) throws(NavigationError) -> Int {
    try session.beginning(waitingAtMost: nil) { transaction, record, time in
      let (snapshot, learner) = (transaction.snapshot, record.session.learner)
      let action = ids.count > 1 ? RandomIdentifier.make() : nil
      var changed = 0
      for id in ids {
        let card = try session.existing(id, for: learner, in: snapshot)
        let memory = try snapshot.storedMemory(of: card.key, in: card.node, by: learner)
        guard memory?.history.isSuspended ?? false != isSuspended else { continue }
        var detail = CardEventDetail(key: card.key)
        detail.action = action
        try session.append(
          isSuspended ? .cardSuspended : .cardResumed, detail, node: card.node, at: time, record, transaction)
        changed += 1
      }
      return changed
    }
  }

  /// Forgets a card, or sets the day on which it is due. Its answers stay in the log.
  ///
  /// - Parameter days: The days from today until the card is due, 0…36,500. `nil` makes it a new card again.
  /// - Throws: ``NavigationError/unknownCard(key:place:)``, ``NavigationError/reviewSetting(name:value:range:)``, and the errors
  ///   of `NavigationService.perform`.
  public func schedule(_ id: CardID, inDays days: Int?) throws(NavigationError) {
    if let days, !(0...36_500).contains(days) {
      throw .reviewSetting(name: "days until the card is due", value: "\(days)", range: "0 to 36500")
    }
    try session.beginning(waitingAtMost: nil) { transaction, record, time in
      let learner = record.session.learner
      let today = try session.reviewDay(of: learner, in: transaction.snapshot)
      let card = try session.existing(id, for: learner, in: transaction.snapshot)
      let history = try transaction.snapshot.storedMemory(of: card.key, in: card.node, by: learner)?.history
      var detail = CardEventDetail(key: card.key)
      detail.phase = .new
      if let days {
        detail.phase = .review
        (detail.day, detail.due) = (history?.lastDay ?? today, today + days)
        // The interval of a card in days stays the one from its last answer.
        detail.days = history.flatMap { $0.state.intervalDays > 0 ? $0.state.intervalDays : nil } ?? max(1, days)
      }
      try session.append(.cardScheduled, detail, node: card.node, at: time, record, transaction)
    }
  }

  /// Buries a card: it is not shown until the next day.
  ///
  /// - Throws: ``NavigationError/unknownCard(key:place:)``, and the errors of
  ///   `NavigationService.perform`.
  public func bury(_ id: CardID) throws(NavigationError) {
    try session.beginning(waitingAtMost: nil) { transaction, record, time in
      let card = try session.existing(id, for: record.session.learner, in: transaction.snapshot)
      var detail = CardEventDetail(key: card.key)
      detail.day = try session.reviewDay(of: record.session.learner, in: transaction.snapshot)
      try session.append(.cardBuried, detail, node: card.node, at: time, record, transaction)
    }
  }

  // MARK: - Adding cards

  /// Adds the cards of a place to the review although its lessons were not begun. This begins no activity.
  ///
  /// - Returns: The number of cards that were added.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, and the errors of
  ///   `NavigationService.perform`.
  @discardableResult
  public func include(from name: PlaceName) throws(NavigationError) -> Int {
    try include(from: activities(toInclude: name))
  }

  /// Returns the activities of a place whose cards are not part of the review yet.
  ///
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  package func activities(toInclude name: PlaceName) throws(NavigationError) -> [Place] {
    session.settleMemories()
    return try session.read { snapshot in
      let learner = try snapshot.learner(named: session.learner)?.id
      let known = Set(try learner.map { try snapshot.newCards(of: $0).map(\.node) } ?? [])
      return try activitiesWithCards(in: name, madeBy: learner, snapshot).filter { !known.contains($0) }.map(Place.node)
    }
  }

  /// Adds the cards of activities to the review in one transaction.
  ///
  /// - Returns: The number of cards that were added.
  /// - Throws: The errors of `NavigationService.perform`.
  package func include(from activities: [Place]) throws(NavigationError) -> Int {
    try session.beginning(waitingAtMost: nil) { transaction, record, time in
      let action = activities.count > 1 ? RandomIdentifier.make() : nil
      let (snapshot, learner) = (transaction.snapshot, record.session.learner)
      func count() throws -> Int { try snapshot.newCards(of: learner).map(\.cards).reduce(0, +) }
      let before = try count()
      try include(activities.compactMap(\.node), action: action, at: time, record, transaction)
      return try count() - before
    }
  }

  /// Adds the cards of activities that are not part of the review yet.
  func include(
    _ activities: [NodeID], action: String?, at time: Timestamp, _ record: SessionRecord,
    _ transaction: StoreTransaction
  ) throws {
    let (snapshot, learner) = (transaction.snapshot, record.session.learner)
    let known = Set(try snapshot.newCards(of: learner).map(\.node))
    for node in activities where !known.contains(node) {
      guard try snapshot.newCardCount(in: node, of: learner) > 0 else { continue }
      try session.append(
        .cardsIncluded, action.map { "{\"action\":\"\($0)\"}" }, node: node, at: time, record, transaction)
    }
  }

  // MARK: - Own cards

  /// Returns the cards that the learner has made, as notes on the passages of which they were made, the most recently changed
  /// first.
  ///
  /// - Parameter place: The place whose cards are returned, with those of the places below, or `nil` for all places.
  /// - Throws: ``NavigationError/database(_:)``.
  public func own(in place: Place? = nil) throws(NavigationError) -> [PlacedNote] {
    try session.readMemories { snapshot in
      guard let learner = try snapshot.learner(named: session.learner)?.id else { return [] }
      return try snapshot.madeCards(of: learner, under: place?.node).map {
        PlacedNote($0, in: try snapshot.chain(to: $0.node))
      }
    }
  }

  /// Returns the own cards that are due. The daily limits do not apply to them.
  ///
  /// - Parameter time: Cards in a step that ends until this time are included.
  /// - Throws: ``NavigationError/database(_:)``.
  package func ownDue(until time: Timestamp) throws(NavigationError) -> [CardID] {
    try session.readMemories { snapshot in
      guard let learner = try snapshot.learner(named: session.learner)?.id else { return [] }
      let today = try session.reviewDay(of: learner, in: snapshot)
      return try snapshot.madeCards(of: learner).reversed().filter { stored in
        guard let memory = try snapshot.storedMemory(of: stored.note.id, in: stored.node, by: learner) else {
          return false
        }
        let history = memory.history
        return memory.isPresent && !history.isSuspended && history.shownFrom <= today
          && history.stepEndsAt.map { $0 <= time } ?? true
      }.map { CardID(place: .node($0.node), key: $0.note.id) }
    }
  }

  /// Changes the question or the answer of a card that the learner has made. The card keeps its memory.
  ///
  /// - Parameters:
  ///   - front: The question, or `nil` to keep it.
  ///   - back: The answer, or `nil` to keep it.
  /// - Throws: The errors of ``make(front:back:replacing:at:in:)``.
  public func change(_ id: CardID, front: String? = nil, back: String? = nil) throws(NavigationError) {
    guard let card = try own(in: id.place).first(where: { $0.note.id == id.key })?.note else {
      throw try session.notOwn(id)
    }
    try make(front: front ?? card.text, back: back ?? card.answer ?? "", replacing: id, in: .place(id.place))
  }

  /// Makes a card of a passage or of a question, or changes a card that was made.
  ///
  /// - Parameters:
  ///   - front: The question, at most ``maximumLength`` characters. It must not be empty.
  ///   - back: The answer, at most ``maximumLength`` characters. Paragraphs are separated by empty lines.
  ///   - id: The card to change; `nil` makes a new card. A changed card keeps its memory and its passage.
  ///   - anchor: The passage of which a new card is made, or `nil`.
  ///   - name: The activity with the passage or the question.
  /// - Returns: The identity of the card.
  /// - Throws: ``NavigationError/cardText(problem:)``, ``NavigationError/notAnActivity(place:)``,
  ///   ``NavigationError/unknownCard(key:place:)``, and the errors of `NavigationService.perform`.
  @discardableResult
  public func make(
    front: String, back: String, replacing id: CardID? = nil, at anchor: NoteAnchor? = nil, in name: PlaceName
  ) throws(NavigationError) -> CardID {
    guard front.contains(where: { !$0.isWhitespace }) else { throw .cardText(problem: "the question is empty") }
    guard max(front.count, back.count) <= Self.maximumLength else {
      throw .cardText(problem: "a side is longer than \(Self.maximumLength) characters")
    }
    return try session.beginning(waitingAtMost: nil) { transaction, record, time in
      let (node, chain) = try transaction.snapshot.activity(name)
      if let id {
        let isMade = id.key.hasPrefix(CardHistory.madePrefix) && id.place == .node(node.id)
        guard isMade else { throw NavigationError.notOwnCard(key: id.key, place: NamedPlace(chain).path) }
        _ = try session.existing(id, for: record.session.learner, in: transaction.snapshot)
      }
      var detail = CardEventDetail(key: id?.key ?? CardHistory.madePrefix + RandomIdentifier.make())
      (detail.front, detail.back) = (front, back)
      if id == nil, let anchor { detail.setPassage(anchor) }
      try session.append(.cardMade, detail, node: node.id, at: time, record, transaction)
      return CardID(place: .node(node.id), key: detail.key)
    }
  }

  /// The maximum number of characters of each side of a made card.
  public static let maximumLength = 10_000

  /// Removes a card that the learner has made. Its answers stay in the log.
  ///
  /// - Throws: ``NavigationError/notOwnCard(key:place:)`` if the learner has not made the card,
  ///   ``NavigationError/unknownCard(key:place:)`` if there is no such card, and the errors of `NavigationService.perform`.
  public func remove(_ id: CardID, waitingAtMost timeout: Duration? = nil) throws(NavigationError) {
    guard id.key.hasPrefix(CardHistory.madePrefix) else { throw try session.notOwn(id) }
    try session.beginning(waitingAtMost: timeout) { transaction, record, time in
      let card = try session.existing(id, for: record.session.learner, in: transaction.snapshot)
      try session.append(.cardRemoved, CardEventDetail(key: card.key), node: card.node, at: time, record, transaction)
    }
  }

  /// Returns the card of a place whose key begins with a text.
  ///
  /// - Throws: ``NavigationError/unknownCard(key:place:)`` if no card, or more than one card, has such a key.
  public func id(named text: String, in name: PlaceName) throws(NavigationError) -> CardID {
    try session.readMemories { snapshot in
      let chain = try PlaceResolver(snapshot: snapshot, current: []).resolve(name, nearby: nil)
      let learner = try snapshot.learner(named: session.learner)?.id
      let nodes = try chain.last.map { try snapshot.activitiesWithCards(under: $0.id, madeBy: learner) } ?? []
      let matches = try nodes.flatMap { try snapshot.cardReferences(in: $0, of: learner) }.filter {
        $0.key.hasPrefix(text)
      }
      let equal = matches.filter { $0.key == text }
      guard let card = equal.count == 1 ? equal[0] : matches.count == 1 ? matches[0] : nil else {
        throw NavigationError.unknownCard(key: text, place: NamedPlace(chain).path)
      }
      return CardID(place: .node(card.node), key: card.key)
    }
  }
}
