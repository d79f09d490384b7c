import Foundation
import LearningModel
import Testing

@testable import waymark

struct WordsTests {
  @Test(arguments: [(0.0, "0 %"), (0.001, "1 %"), (0.5, "50 %"), (0.999, "99 %"), (1.0, "100 %")])
  func `a percentage is 0 or 100 only if nothing or everything is done`(fraction: Double, text: String) {
    #expect(Percent.text(fraction) == text)
  }

  @Test(arguments: [
    (Int64(0), "0 s"), (999, "0 s"), (12_000, "12 s"), (2_880_000, "48 min"), (5_400_000, "1 h 30 min"),
    (90_000_000, "1 d 1 h"),
  ])
  func `a duration has the largest fitting unit`(milliseconds: Int64, text: String) {
    #expect(TimeSpent.text(milliseconds) == text)
  }

  @Test func `a time is printed in the requested time zone, with daylight saving`() throws {
    let lisbon = try #require(TimeZone(identifier: "Europe/Lisbon"))
    let summer = try #require(Timestamp("2026-07-01T12:00:00Z"))
    let winter = try #require(Timestamp("2026-12-01T12:00:00Z"))

    #expect(LocalTime.text(summer, in: lisbon) == "2026-07-01 13:00:00")
    #expect(LocalTime.text(winter, in: lisbon) == "2026-12-01 12:00:00")
  }
}
