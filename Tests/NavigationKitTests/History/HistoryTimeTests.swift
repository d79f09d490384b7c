import Foundation
import LearningModel
import NavigationKit
import Testing

struct HistoryTimeTests {
  /// Clocks in Berlin go forward on 29 March 2026 at 2:00 and back on 25 October 2026 at 3:00.
  private let berlin = TimeZone(identifier: "Europe/Berlin")!

  private func range(_ text: String, at now: String, in zone: TimeZone) throws -> [String] {
    let time = try HistoryTime(text, now: Timestamp(now)!.date, in: zone)
    return [time.start, time.end].map { Timestamp(date: $0).description }
  }

  @Test(arguments: [
    ("now", "2026-11-20T10:15:30.500Z", "2026-11-20T10:15:30.500Z"),
    ("90s", "2026-11-20T10:14:00.500Z", "2026-11-20T10:14:00.500Z"),
    ("10m", "2026-11-20T10:05:30.500Z", "2026-11-20T10:05:30.500Z"),
    ("3h", "2026-11-20T07:15:30.500Z", "2026-11-20T07:15:30.500Z"),
    ("7d", "2026-11-13T10:15:30.500Z", "2026-11-13T10:15:30.500Z"),
    ("2w", "2026-11-06T10:15:30.500Z", "2026-11-06T10:15:30.500Z"),
    ("today", "2026-11-20T00:00:00.000Z", "2026-11-20T23:59:59.999Z"),
    ("Yesterday", "2026-11-19T00:00:00.000Z", "2026-11-19T23:59:59.999Z"),
    ("tuesday", "2026-11-17T00:00:00.000Z", "2026-11-17T23:59:59.999Z"),
    ("fri", "2026-11-13T00:00:00.000Z", "2026-11-13T23:59:59.999Z"),
    ("yesterday 21:00", "2026-11-19T21:00:00.000Z", "2026-11-19T21:00:59.999Z"),
    ("Today 9:05:30", "2026-11-20T09:05:30.000Z", "2026-11-20T09:05:30.999Z"),
    ("tuesday  9:05", "2026-11-17T09:05:00.000Z", "2026-11-17T09:05:59.999Z"),
    ("sat 0:00", "2026-11-14T00:00:00.000Z", "2026-11-14T00:00:59.999Z"),
    ("9:05", "2026-11-20T09:05:00.000Z", "2026-11-20T09:05:59.999Z"),
    ("2026-02", "2026-02-01T00:00:00.000Z", "2026-02-28T23:59:59.999Z"),
    ("2026-11-03", "2026-11-03T00:00:00.000Z", "2026-11-03T23:59:59.999Z"),
    ("2026-11-03T10:15", "2026-11-03T10:15:00.000Z", "2026-11-03T10:15:59.999Z"),
    ("2026-11-03 10:15:20", "2026-11-03T10:15:20.000Z", "2026-11-03T10:15:20.999Z"),
    ("2026-11-03T10:15:20.123Z", "2026-11-03T10:15:20.123Z", "2026-11-03T10:15:20.123Z"),
    ("2026-11-03T10:15:00+02:00", "2026-11-03T08:15:00.000Z", "2026-11-03T08:15:00.000Z"),
  ])
  func `each form of a time denotes one range of times`(text: String, start: String, end: String) throws {
    #expect(try range(text, at: "2026-11-20T10:15:30.500Z", in: TimeZone(identifier: "UTC")!) == [start, end])
  }

  @Test func `a day has the length that daylight saving time gives it`() throws {
    #expect(
      try range("yesterday", at: "2026-03-30T09:00:00Z", in: berlin)
        == ["2026-03-28T23:00:00.000Z", "2026-03-29T21:59:59.999Z"])
    #expect(
      try range("yesterday", at: "2026-10-26T09:00:00Z", in: berlin)
        == ["2026-10-24T22:00:00.000Z", "2026-10-25T22:59:59.999Z"])
  }

  @Test func `subtracting days keeps the local time of day, subtracting hours does not`() throws {
    #expect(try range("1d", at: "2026-03-29T12:00:00Z", in: berlin)[0] == "2026-03-28T13:00:00.000Z")
    #expect(try range("24h", at: "2026-03-29T12:00:00Z", in: berlin)[0] == "2026-03-28T12:00:00.000Z")
    #expect(try range("7d", at: "2026-10-28T12:00:00Z", in: berlin)[0] == "2026-10-21T11:00:00.000Z")
  }

  @Test func `a repeated local time covers both occurrences, and a skipped one moves forward`()
    throws
  {
    #expect(
      try range("2026-10-25T02:30", at: "2026-11-20T10:00:00Z", in: berlin)
        == ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:59.999Z"])
    #expect(
      try range("2026-10-25T01:59:59", at: "2026-11-20T10:00:00Z", in: berlin)
        == ["2026-10-24T23:59:59.000Z", "2026-10-24T23:59:59.999Z"])
    #expect(
      try range("2026-10-25T03:00", at: "2026-11-20T10:00:00Z", in: berlin)
        == ["2026-10-25T02:00:00.000Z", "2026-10-25T02:00:59.999Z"])
    #expect(try range("2026-03-29T02:30", at: "2026-11-20T10:00:00Z", in: berlin)[0] == "2026-03-29T01:30:00.000Z")
  }

  // Each case has the UTC offsets of its zone on those days.
  // Source: the time zone database, 2026 unless noted otherwise.
  @Test(arguments: [
    // New York: clocks go forward on 8 March at 2:00 and back on 1 November at 2:00.
    ("America/New_York", "2026-03-09T12:00:00Z", "yesterday", "2026-03-08T05:00:00.000Z", "2026-03-09T03:59:59.999Z"),
    ("America/New_York", "2026-11-02T12:00:00Z", "yesterday", "2026-11-01T04:00:00.000Z", "2026-11-02T04:59:59.999Z"),
    (
      "America/New_York", "2026-03-08T12:00:00Z", "2026-03-08 02:30", "2026-03-08T07:30:00.000Z",
      "2026-03-08T07:30:59.999Z"
    ),
    ("America/New_York", "2026-11-02T12:00:00Z", "sunday 1:30", "2026-11-01T05:30:00.000Z", "2026-11-01T06:30:59.999Z"),
    ("America/New_York", "2026-11-07T12:00:00Z", "7d", "2026-10-31T11:00:00.000Z", "2026-10-31T11:00:00.000Z"),
    ("America/New_York", "2026-11-01T07:30:00Z", "3h", "2026-11-01T04:30:00.000Z", "2026-11-01T04:30:00.000Z"),
    // Lord Howe: clocks go half an hour forward on 4 October at 2:00 and back on 5 April at 2:00.
    (
      "Australia/Lord_Howe", "2026-10-05T00:00:00Z", "yesterday", "2026-10-03T13:30:00.000Z", "2026-10-04T12:59:59.999Z"
    ),
    (
      "Australia/Lord_Howe", "2026-04-06T00:00:00Z", "yesterday", "2026-04-04T13:00:00.000Z", "2026-04-05T13:29:59.999Z"
    ),
    ("Australia/Lord_Howe", "2026-10-05T00:00:00Z", "1d", "2026-10-04T00:00:00.000Z", "2026-10-04T00:00:00.000Z"),
    ("Australia/Lord_Howe", "2026-10-04T12:00:00Z", "1d", "2026-10-03T12:30:00.000Z", "2026-10-03T12:30:00.000Z"),
    (
      "Australia/Lord_Howe", "2026-10-05T00:00:00Z", "2026-10-04T02:15", "2026-10-03T15:45:00.000Z",
      "2026-10-03T15:45:59.999Z"
    ),
    // Santiago has no midnight on 6 September: the day begins at 1:00.
    ("America/Santiago", "2026-09-07T12:00:00Z", "yesterday", "2026-09-06T04:00:00.000Z", "2026-09-07T02:59:59.999Z"),
    ("America/Santiago", "2026-09-07T12:00:00Z", "2026-09-06", "2026-09-06T04:00:00.000Z", "2026-09-07T02:59:59.999Z"),
    ("America/Santiago", "2026-09-07T12:00:00Z", "2026-09", "2026-09-01T04:00:00.000Z", "2026-10-01T02:59:59.999Z"),
    // The UTC offset of Kathmandu is 5 hours and 45 minutes.
    ("Asia/Kathmandu", "2026-09-07T12:00:00Z", "today", "2026-09-06T18:15:00.000Z", "2026-09-07T18:14:59.999Z"),
  ])
  func `days and times follow the local clocks in any time zone`(
    zone: String, now: String, text: String, start: String, end: String
  ) throws {
    #expect(try range(text, at: now, in: TimeZone(identifier: zone)!) == [start, end])
  }

  @Test(arguments: [
    "", "soon", "7", "d", "-7d", "7y", "2026", "2026-13", "2026-02-30", "20-11-2026", "2026-11-20T", "24:00", "10:60",
    "2026-11-20T10:15:00+", "yesterday noon", "yesterday 25:00", "noday 10:00", "7d 10:00", "2026-11 10:00", "٣h",
  ])
  func `text in any other form is refused as a time`(text: String) {
    #expect(throws: NavigationError.unknownTime(text: text)) {
      try HistoryTime(text, now: Timestamp("2026-11-20T10:15:30Z")!.date, in: TimeZone(identifier: "UTC")!)
    }
  }
}
