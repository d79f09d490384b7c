import Foundation
import LearningModel
import Testing

struct ReviewDayTests {
  private let berlin = TimeZone(identifier: "Europe/Berlin")!

  private func day(_ time: String, in timeZone: TimeZone? = nil) throws -> String {
    ReviewDay.date(of: ReviewDay.number(at: try #require(Timestamp(time)), in: timeZone ?? berlin))
  }

  @Test func `a day begins at 4 in the morning, local time`() throws {
    #expect(try day("2026-11-28T02:59:59.999Z") == "2026-11-27")
    #expect(try day("2026-11-28T03:00:00.000Z") == "2026-11-28")
    #expect(try day("2026-06-28T01:59:59.999Z") == "2026-06-27")
    #expect(try day("2026-06-28T02:00:00.000Z") == "2026-06-28")
  }

  @Test func `the change to and from daylight saving time moves the boundary in UTC by an hour`() throws {
    // Berlin: 2026-03-29 at 02:00, and 2026-10-25 at 03:00.
    #expect(try day("2026-03-29T01:59:59Z") == "2026-03-28")
    #expect(try day("2026-03-29T02:00:00Z") == "2026-03-29")
    #expect(try day("2026-10-25T02:59:59Z") == "2026-10-24")
    #expect(try day("2026-10-25T03:00:00Z") == "2026-10-25")
  }

  @Test(arguments: [
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati", "Pacific/Pago_Pago",
  ])
  func `each day begins where the previous one ends`(identifier: String) throws {
    let timeZone = try #require(TimeZone(identifier: identifier))

    for day in 20_400..<20_800 {
      let start = ReviewDay.start(of: day, in: timeZone)
      #expect(ReviewDay.number(at: start, in: timeZone) == day)
      let before = Timestamp(milliseconds: start.milliseconds - 1)
      #expect(ReviewDay.number(at: before, in: timeZone) == day - 1)
    }
  }

  @Test func `dates are converted in both directions`() {
    #expect(ReviewDay.number(ofDate: "2026-11-28") == 20_785)
    #expect(ReviewDay.date(of: 20_785) == "2026-11-28")
    #expect(ReviewDay.month(of: 20_785) == "2026-11")
    #expect(ReviewDay.number(ofDate: "28.11.2026") == nil)
  }
}
