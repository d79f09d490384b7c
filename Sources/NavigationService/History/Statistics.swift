import LearningModel

/// What statistics are grouped by.
public enum StatisticsGroup: String, Codable, CaseIterable, Hashable, Sendable {
  /// The place after each step.
  case place
  /// The lesson that the place is, or is in; the innermost where lessons are in lessons.
  case lesson
  /// The goal that the place is, or is in.
  case goal
  /// The course.
  case course
  /// Whose steps.
  case learner
  /// The sitting.
  case session
  /// The day, in the asker's time zone.
  case day
  /// The week, which begins on Monday.
  case week
  /// The hour of the day, 0…23.
  case hour
  /// What was done.
  case operation
  /// What it looked like.
  case transition
}

/// The numbers of one group.
public struct StatisticsRow: Hashable, Sendable {
  /// What it is grouped by.
  public let group: StatisticsGroup
  /// Which group it is.
  public let key: Key
  /// How often somebody went to a place; going back and forth along old visits, and repairs, do not count.
  public var visits: Int
  /// How many different places.
  public var places: Int
  /// How long somebody was present, in milliseconds.
  public var activeMilliseconds: Int64
  /// The share of the visits that went back to where they came from within ten seconds, 0…1; 0 where there is no visit.
  public var turnedBack: Double

  /// Which group.
  public enum Key: Hashable, Sendable {
    /// A place.
    case place(NamedPlace)
    /// A learner's name, a day or week as its first date, an operation, a transition; `none` where a session began.
    case text(String)
    /// A session's number, or an hour.
    case number(Int64)
  }
}

extension StatisticsRow: Encodable {
  private struct Field: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Writes the group under its own name, then `visits`, `places`, `activeMs` and `turnedBack`.
  public func encode(to encoder: any Encoder) throws {
    var row = encoder.container(keyedBy: Field.self)
    let name = Field(stringValue: group.rawValue)
    switch key {
    case .place(let place): try row.encode(place, forKey: name)
    case .text(let text): try row.encode(text, forKey: name)
    case .number(let number): try row.encode(number, forKey: name)
    }
    try row.encode(visits, forKey: Field(stringValue: "visits"))
    try row.encode(places, forKey: Field(stringValue: "places"))
    try row.encode(activeMilliseconds, forKey: Field(stringValue: "activeMs"))
    try row.encode(turnedBack, forKey: Field(stringValue: "turnedBack"))
  }
}

/// Where people go next from a place.
public struct NextPlace: Hashable, Encodable, Sendable {
  /// The place they went to.
  public let to: NamedPlace
  /// How often.
  public let count: Int
  /// How often of all times that somebody went on from there, 0…1.
  public let share: Double
}
