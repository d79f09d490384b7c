import Foundation
import LearningModel
import Testing

@testable import NavigationKit

/// Tests the text for the day on which a learner left.
struct WeekdayTests {
  @Test(arguments: [
    ("2026-11-20T00:00:00Z", "today"), ("2026-11-19T23:59:59Z", "yesterday"), ("2026-11-18T12:00:00Z", "on Wednesday"),
    ("2026-11-14T12:00:00Z", "on Saturday"), ("2026-11-13T12:00:00Z", "on 13 November"),
    ("2026-10-09T12:00:00Z", "on 9 October"), ("2026-09-10T12:00:00Z", "on 10 September"),
    ("2025-01-01T12:00:00Z", "on 1 January 2025"),
  ])
  func `days of the last week are named, earlier ones are dates`(time: String, day: String) throws {
    let (leftAt, now) = (try #require(Timestamp(time)), try #require(Timestamp("2026-11-20T10:00:00Z")))
    let utc = try #require(TimeZone(identifier: "UTC"))

    #expect(RelativeDateFormat(timeZone: utc, now: now).on(leftAt) == day)
  }
}
