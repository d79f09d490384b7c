public import LearningModel

/// Everything that the screen of a place shows, as of one moment.
public struct Page: Hashable, Sendable {
  /// The place, with its own numbers.
  public let card: Card
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
  public var children: [Card] { childCards.cards }
}

/// A place in short: what its card, or its header, says.
public struct Card: Hashable, Sendable {
  /// The place.
  public let place: NamedPlace
  /// One or two sentences on it.
  public let summary: String
  /// Of an activity: what it is made of.
  public let type: ActivityType?
  /// Of flashcards, how many cards; of a quiz, how many questions.
  public let itemCount: Int?
  /// How many of its activities are done.
  public let progress: Progress
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

  /// Makes a position.
  public init(number: Int, count: Int) {
    self.number = number
    self.count = count
  }
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
  public let card: Card
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
public struct Resume: Hashable, Encodable, Sendable {
  /// Where the learner was last; `nil` where they have no history.
  public let last: NamedPlace?
  /// The first activity from there on that is not done; `nil` where all of the course is.
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
