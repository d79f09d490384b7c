import Foundation
import LearningModel
import Testing

struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01", 0), ("1969-12-31T23:59:59.999Z", -1), ("2026-11-20T10:15Z", 1_795_169_700_000),
    ("2026-11-20 10:15:00.123", 1_795_169_700_123), ("2026-11-20T11:15:00.1239+01:00", 1_795_169_700_123),
    ("2026-11-20T08:45-0130", 1_795_169_700_000), ("2024-02-29", 1_709_164_800_000), ("1900-03-01", -2_203_891_200_000),
    ("0001-01-01", -62_135_596_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ("10000-01-01", 253_402_300_800_000), ("010000-01-01", 253_402_300_800_000),
    ("+010000-01-01T00:00:00.000Z", 253_402_300_800_000), ("-000001-12-31", -62_167_305_600_000),
  ])
  func `a timestamp is parsed in each of its forms`(_ text: String, _ milliseconds: Int64) {
    #expect(Timestamp(text) == Timestamp(milliseconds: milliseconds))
  }

  @Test(arguments: [
    "", "2026", "2026-11", "2026-1-20", "2026-13-01", "2026-02-29", "1900-02-29", "2026-11-31", "2026-11-00",
    "2026-11-20T24:00", "2026-11-20T10:60", "2026-11-20T10:15:60", "2026-11-20T10:15:00.Z", "2026-11-20T10:15ZZ",
    "2026-11-20T10:15+24:00", "2026-11-20T10", "20261120", " 2026-11-20", "2026-11-20T10:15:00.1\u{301}Z",
    "2026-11-20T10:15:00.१Z", "202\u{20E3}6-11-20", "2026-11-20T10:15:00.99999999999999999999999999\u{308}",
    "+2026-11-20", "-9999-01-01T00:00:00Z", "1000000-01-01", "+0010000-01-01", "٢٠٢٦-11-20",
  ])
  func `texts in other forms and nonexistent days are not parsed`(_ text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test(arguments: [-999_999, -10_000, -9_999, -1, 0, 1, 9_999, 10_000, 10_026, 99_999, 100_000, 999_999])
  func `a timestamp of any year is formatted so that it can be read again`(year: Int) throws {
    let digits = String(repeating: "0", count: 6 - String(abs(year)).count) + String(abs(year))
    let timestamp = try #require(Timestamp("\(year < 0 ? "-" : "+")\(digits)-02-28T23:59:58.765Z"))

    #expect(Timestamp(timestamp.description) == timestamp, "\(timestamp)")
    #expect(timestamp.description.hasSuffix("-02-28T23:59:58.765Z"))
    let day = Int(timestamp.milliseconds / 86_400_000) - (year < 1_970 ? 1 : 0)
    #expect(ReviewDay.number(ofDate: ReviewDay.date(of: day)) == day)
    #expect(ReviewDay.month(of: day) + "-28" == ReviewDay.date(of: day))
  }

  @Test func `every day of four centuries is formatted and parsed correctly`() {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    for day in stride(from: Int64(-80_000), to: 80_000, by: 1) {
      let timestamp = Timestamp(milliseconds: day * 86_400_000 + 45_296_007)
      let components = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
      let date = [components.year, components.month, components.day].map { String(($0 ?? 0) + 10_000).dropFirst() }

      let expected = "\(date[0])-\(date[1].suffix(2))-\(date[2].suffix(2))T12:34:56.007Z"
      guard timestamp.description == expected, Timestamp(expected) == timestamp else {
        Issue.record("\(timestamp.description) is not \(expected)")
        return
      }
    }
  }

  @Test(arguments: [0, -1, 1, 1_795_169_700_123, 1_763_633_700_001, -62_135_596_800_000, 253_402_300_799_999])
  func `a time that is converted to a date and back is the same`(milliseconds: Int64) {
    for offset in Int64(0)..<1_000 {
      let time = Timestamp(milliseconds: milliseconds - offset)
      #expect(Timestamp(date: time.date) == time)
    }
  }

  @Test func `a date is rounded down to the millisecond`() {
    #expect(Timestamp(date: Date(timeIntervalSince1970: 1.0009)) == Timestamp(milliseconds: 1_000))
    #expect(Timestamp(date: Date(timeIntervalSince1970: -0.0001)) == Timestamp(milliseconds: -1))
  }

  @Test func `a time is advanced by a duration`() {
    let time = Timestamp(milliseconds: 5_000)

    #expect(time.advanced(by: .milliseconds(1_500)) == Timestamp(milliseconds: 6_500))
    #expect(time.advanced(by: .seconds(-6)) == Timestamp(milliseconds: -1_000))
  }
}
