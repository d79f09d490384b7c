import Foundation
import LearningModel
import Testing

@testable import waymark

struct WordsTests {
  @Test func `a time is printed in the requested time zone, with daylight saving`() throws {
    let lisbon = try #require(TimeZone(identifier: "Europe/Lisbon"))
    let summer = try #require(Timestamp("2026-07-01T12:00:00Z"))
    let winter = try #require(Timestamp("2026-12-01T12:00:00Z"))

    #expect(LocalTime.text(summer, in: lisbon) == "2026-07-01 13:00")
    #expect(LocalTime.text(winter, in: lisbon) == "2026-12-01 12:00")
  }
}
