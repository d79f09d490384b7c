import Foundation
import LearningModel
import Testing

@testable import NavigationKit

/// On which day somebody left, as the service says it.
struct WeekdayTests {
  @Test(arguments: [
    ("2026-11-20T00:00:00Z", "today"), ("2026-11-19T23:59:59Z", "yesterday"), ("2026-11-18T12:00:00Z", "on Wednesday"),
    ("2026-11-14T12:00:00Z", "on Saturday"), ("2026-11-13T12:00:00Z", "on 2026-11-13"),
    ("2026-10-09T12:00:00Z", "on 2026-10-09"), ("2026-09-10T12:00:00Z", "on 2026-09-10"),
    ("2025-01-01T12:00:00Z", "on 2025-01-01"),
  ])
  func `days of this week have names, those before it dates of ten characters`(moment: String, day: String) throws {
    let (left, now) = (try #require(Timestamp(moment)), try #require(Timestamp("2026-11-20T10:00:00Z")))
    let utc = try #require(TimeZone(identifier: "UTC"))

    #expect(Calendar.weekday(of: left, seenFrom: now, in: utc) == day)
  }
}
