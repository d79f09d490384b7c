import Foundation
import Testing

/// Days, hours and times of the history around clock changes, in the zone of the environment and in a named zone.
struct TimeZoneTests {
  /// A change of the clocks in a zone.
  struct Change: CustomTestStringConvertible {
    let zone: String
    /// The time of the change in UTC.
    let at: String
    /// The offsets from UTC in minutes, before and after the change.
    let offsets: (before: Int, after: Int)

    var testDescription: String { "\(zone) \(at)" }
  }

  /// Source: the time zone database, 2025.
  static let changes = [
    Change(zone: "Europe/Berlin", at: "2025-03-30T01:00:00Z", offsets: (60, 120)),
    Change(zone: "Europe/Berlin", at: "2025-10-26T01:00:00Z", offsets: (120, 60)),
    Change(zone: "America/New_York", at: "2025-03-09T07:00:00Z", offsets: (-300, -240)),
    Change(zone: "America/New_York", at: "2025-11-02T06:00:00Z", offsets: (-240, -300)),
    Change(zone: "Australia/Lord_Howe", at: "2025-10-04T15:30:00Z", offsets: (630, 660)),
    Change(zone: "Australia/Lord_Howe", at: "2025-04-05T15:00:00Z", offsets: (660, 630)),
    // These changes are at midnight: one day starts at 1:00, and another one repeats its last hour.
    Change(zone: "America/Santiago", at: "2025-09-07T04:00:00Z", offsets: (-240, -180)),
    Change(zone: "America/Santiago", at: "2025-04-06T03:00:00Z", offsets: (-180, -240)),
    Change(zone: "Africa/Cairo", at: "2025-04-24T22:00:00Z", offsets: (120, 180)),
  ]

  /// Returns the times of the events: every quarter of an hour, from thirty hours before the change to thirty hours
  /// after.
  private static func moments(around change: Change) throws -> [Date] {
    let middle = try Date(change.at, strategy: .iso8601)
    return (-120...120).map { middle.addingTimeInterval(Double($0) * 900) }
  }

  /// Returns the date whose UTC representation equals the local time at a date.
  private static func wall(_ date: Date, _ change: Change) throws -> Date {
    let isBefore = try date < Date(change.at, strategy: .iso8601)
    return date.addingTimeInterval(Double(isBefore ? change.offsets.before : change.offsets.after) * 60)
  }

  /// Returns an exported learner with navigation events at the given times.
  private static func file(_ dates: [Date]) -> String {
    let course = #"{"course":"c","key":"c","kind":"course","slug":"c","title":"C"}"#
    let steps = dates.enumerated().map { number, date in
      let uuid = UUID().uuidString.lowercased()
      let at = date.formatted(.iso8601)
      let down = number.isMultiple(of: 2) == false
      let from = number == 0 ? "" : #""from":\#(down ? #"{"kind":"root"}"# : #"{"kind":"course","node":0}"#),"#
      let transition = #"{"kind":"courseCard","direction":"\#(down ? "down" : "up")","reason":"matched","node":0}"#
      let leftAt = number + 1 < dates.count ? dates[number + 1].formatted(.iso8601) : at
      return #"{"uuid":"\#(uuid)","session":"S","sequence":\#(number + 1),"animated":false,"cause":"shell","#
        + #""operation":"\#(number == 0 ? "resume" : down ? "push" : "pop")",\#(from)"#
        + (number == 0 ? "" : #""transition":\#(transition),"#)
        + #""to":\#(down ? #"{"kind":"course","node":0}"# : #"{"kind":"root"}"#),"stack":[\#(down ? "0" : "")],"#
        + #""at":"\#(at)","leftAt":"\#(leftAt)","activeMs":0}"#
    }
    let session = UUID().uuidString.lowercased()
    let first = dates[0].formatted(.iso8601)
    let last = dates[dates.count - 1].formatted(.iso8601)
    return """
      {"format":"waymark-learner","version":2,"uuid":"\(UUID().uuidString.lowercased())","name":"ada","createdAt":"\(first)","nodes":[\(course)],
      "sessions":[{"uuid":"S","name":"shell","timeZone":"UTC","startedAt":"\(first)","lastInputAt":"\(last)","activeMs":0,
      "endedAt":"\(last)","replica":"other"}],
      "steps":[\(steps.joined(separator: ",\n"))],"activities":[],"bookmarks":[],"positions":[],
      "quizzes":[],"passages":[],"changes":[],"erased":{"sessions":[],"spans":[]},"settings":{}}
      """.replacing("\"S\"", with: "\"\(session)\"")
  }

  /// A database with the learner's events for each change.
  private static let databases = changes.map { change in
    Result {
      try HomeFixture.original { home in
        let imported = try home.waymark(
          "learners", "import", home.write(file(moments(around: change)), to: "ada.json"))
        guard imported.code == 0 else { throw Unexpected(answer: imported) }
      }
    }
  }

  @Test(arguments: zip(changes, changes.indices))
  func `days and hours are counted in local time`(change: Change, number: Int) throws {
    let home = try HomeFixture(copying: Self.databases[number])
    let dates = try Self.moments(around: change)
    let localTimes = try dates.map { try Self.wall($0, change).formatted(.iso8601) }
    let days = Dictionary(grouping: localTimes) { String($0.prefix(10)) }.mapValues(\.count)
    let hours = Dictionary(grouping: localTimes) { String(Int($0.dropFirst(11).prefix(2))!) }.mapValues(\.count)

    for group in ["day", "hour"] {
      let named = try home.waymark("history", "stats", "--by", group, "--time-zone", change.zone, "--format", "json")
      home.environment["TZ"] = change.zone
      let local = try home.waymark("history", "stats", "--by", group, "--format", "json")
      home.environment["TZ"] = "UTC"

      let rows = try #require(named.output.json as? [[String: Any]])
      let counts = Dictionary(uniqueKeysWithValues: rows.map { ("\($0[group]!)", $0["visits"] as? Int ?? 0) })
      #expect(local == named)
      #expect(counts == (group == "day" ? days : hours))
    }
  }

  @Test(arguments: zip(changes, changes.indices))
  func `since and until with local times select the events in between`(change: Change, number: Int) throws {
    let home = try HomeFixture(copying: Self.databases[number])
    let dates = try Self.moments(around: change)
    home.environment["TZ"] = change.zone
    // The midnights before and after the change.
    let day = try Self.wall(Date(change.at, strategy: .iso8601), change).formatted(.iso8601).prefix(10)
    let expected = try dates.filter { try Self.wall($0, change).formatted(.iso8601).hasPrefix(day) }

    let byDay = try home.waymark("history", "--since", "\(day)", "--until", "\(day)", "--format", "json")
    let byTime = try home.waymark(
      "history", "--since", "\(day)T00:00", "--until", "\(day) 23:59:59", "--format", "json")
    let last = try home.waymark("history", "at", "\(day)", "--format", "json")

    let rows = try #require(byDay.output.json as? [[String: Any]])
    #expect(
      rows.map { $0["at"] as? String ?? "" }.reversed().map { $0.replacing(".000Z", with: "Z") }
        == expected.map { $0.formatted(.iso8601) })
    #expect(byTime == byDay)
    let event = (last.output.json as? [String: Any])?["event"] as? [String: Any]
    #expect((event?["at"] as? String)?.replacing(".000Z", with: "Z") == expected.last?.formatted(.iso8601))
    // A day with a change has 23, 23.5, 24.5 or 25 hours.
    let minutes = 1440 - (change.offsets.after - change.offsets.before)
    #expect(expected.count == minutes / 15)
  }
}
