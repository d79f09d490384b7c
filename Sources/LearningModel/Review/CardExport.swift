/// A flashcard or question that is exported for another flashcard program, as the database stores it.
package struct CardExport: Hashable, Sendable {
  /// The key of the activity.
  package let activity: String
  /// The key of the flashcard or question in the activity.
  package let key: String
  /// When its content was changed.
  package let changedAt: Timestamp
  /// The progress of the learner by variants. Empty if the progress is not exported.
  package var progress: [CardVariant: CardLog] = [:]

  package init(activity: String, key: String, changedAt: Timestamp) {
    (self.activity, self.key, self.changedAt) = (activity, key, changedAt)
  }
}

/// The permanent name of a flashcard or question, or of a card that a learner has made.
package struct ExportedCard: Hashable, Sendable {
  /// The keys of the course and the activity.
  package let course: String
  package let activity: String
  /// The key in the activity.
  package let key: String

  package init(course: String, activity: String, key: String) {
    (self.course, self.activity, self.key) = (course, activity, key)
  }

  /// The name by which another program recognises the card in a later export.
  package var guid: String {
    var digest = SourceDigest()
    digest.add(Array("\(course)\0\(activity)\0\(key)".utf8))
    return String(digest.hexadecimal().prefix(20))
  }
}

/// The answers to a card and its state after them.
package struct CardLog: Hashable, Sendable {
  /// An answer, with what preceded it.
  package struct Answer: Hashable, Sendable {
    package let at: Timestamp
    package let rating: CardRating
    package let milliseconds: Int
    package let interval: CardInterval
    package let previousInterval: CardInterval
    /// The phase of the card before the answer.
    package let phase: CardPhase
    /// The difficulty after the answer.
    package let difficulty: Double?
  }

  package let answers: [Answer]
  package let history: CardHistory
  /// The exponent of forgetting in the model of the learner.
  package let decay: Double

  /// Creates the log of a card.
  ///
  /// - Parameters:
  ///   - events: All events of the card, in their order.
  ///   - model: The memory model of the learner.
  ///   - history: The state after the events.
  package init(_ events: [CardHistory.Event], model: MemoryModel, history: CardHistory) {
    self.history = history
    decay = model.weights[20]
    let undone = Set(events.lazy.filter { $0.kind == .undone }.compactMap(\.detail.event))
    var state = CardHistory()
    var answers: [Answer] = []
    for event in events where !undone.contains(event.uuid) {
      let phase = event.detail.reset == true ? .new : state.state.phase
      let previous = answers.last?.interval ?? .days(0)
      guard state.apply(event, model: model) != nil, let rating = event.detail.rating.flatMap(CardRating.init) else {
        continue
      }
      answers.append(
        Answer(
          at: event.at, rating: rating, milliseconds: event.detail.ms ?? 0,
          interval: event.detail.days.map(CardInterval.days) ?? .seconds(event.detail.seconds ?? 0),
          previousInterval: phase == .new ? .days(0) : previous, phase: phase,
          difficulty: state.state.memory?.difficulty))
    }
    self.answers = answers
  }
}
