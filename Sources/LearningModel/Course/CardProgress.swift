/// The progress of a learner in the program from which a source comes.
package struct SourceProgress: Hashable, Sendable {
  package var cards: [CardProgress] = []
  /// The keys of the exercises that the learner has passed.
  package var passedExercises: [String] = []
  /// The review settings of the course in the other program.
  package var preset: ReviewPreset = [:]
  /// The names of the decks with other review settings there.
  package var otherDecks: [String] = []
  /// The number of cards with progress that was not read.
  package var unreadCards = 0

  package init() {}

  package var isEmpty: Bool { cards.isEmpty && passedExercises.isEmpty && preset.isEmpty }
}

/// The progress of a card in another program: its answers, and its state after them.
package struct CardProgress: Hashable, Sendable {
  package struct Answer: Hashable, Sendable {
    package let at: Timestamp
    package let rating: CardRating
    /// The time from the question to the answer, in milliseconds.
    package let milliseconds: Int
    /// The interval that followed the answer.
    package let interval: CardInterval
    /// Whether the card became new again before the answer.
    package let isReset: Bool
    /// The memory after the answer, if it does not follow from the answers because earlier ones are missing.
    package let memory: CardMemory?

    package init(
      at: Timestamp, rating: CardRating, milliseconds: Int, interval: CardInterval, isReset: Bool = false,
      memory: CardMemory? = nil
    ) {
      (self.at, self.rating, self.milliseconds, self.interval) = (at, rating, milliseconds, interval)
      (self.isReset, self.memory) = (isReset, memory)
    }
  }

  /// When the card is shown again.
  package enum Due: Hashable, Sendable {
    /// At a time within the next days, while the card is in its steps.
    case time(Timestamp)
    /// A number of days after a day on which the other program began to count.
    case day(Int, after: Timestamp)
  }

  /// The key of the course from which the card was exported, or `nil` if the card is part of the imported course.
  package var course: String?
  /// The key of the activity.
  package var activity: String
  /// The key of the card in the activity.
  package let card: String
  /// The answers in the order of their times.
  package let answers: [Answer]
  package let phase: CardPhase
  /// The number of remaining learning or relearning steps, including the current one.
  package let remainingSteps: Int
  package let due: Due?
  /// The last interval in days.
  package let intervalDays: Int
  package let memory: CardMemory?
  package let answerCount: Int
  package let lapses: Int
  package let isSuspended: Bool
  package let isBuried: Bool

  package init(
    activity: String, card: String, answers: [Answer], phase: CardPhase, remainingSteps: Int = 0, due: Due?,
    intervalDays: Int, memory: CardMemory?, answerCount: Int, lapses: Int, isSuspended: Bool, isBuried: Bool
  ) {
    self.activity = activity
    self.card = card
    self.answers = answers
    self.phase = phase
    self.remainingSteps = remainingSteps
    self.due = due
    self.intervalDays = intervalDays
    self.memory = memory
    self.answerCount = answerCount
    self.lapses = lapses
    self.isSuspended = isSuspended
    self.isBuried = isBuried
  }
}
