/// A point in time in whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// The milliseconds since 1970-01-01T00:00:00Z. Negative for earlier times.
  public var milliseconds: Int64

  /// Creates a time from a number of milliseconds since 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Returns whether the left time is earlier than the right one.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Returns the time after a number of milliseconds, or before it if the number is negative.
  package func advanced(byMilliseconds milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: self.milliseconds + milliseconds)
  }
}

// MARK: - ISO 8601

extension Timestamp: CustomStringConvertible {
  /// The time in ISO 8601, in UTC with milliseconds: `2026-11-20T10:15:00.123Z`. A year after 9999 has more than
  /// four digits, without a sign, as PostgreSQL reads it. A year before 0 has a sign and six digits.
  ///
  /// Source: the calendar arithmetic is Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms",
  /// `civil_from_days`.
  public var description: String {
    let day = milliseconds.floorDivided(by: 86_400_000)
    let inDay = milliseconds - day * 86_400_000
    let shifted = day + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)

    let hasFourDigits = (0...9999).contains(year)
    // An export formats two times per step. Concatenating strings took as long as the rest of the row.
    let text = String(unsafeUninitializedCapacity: 24) { text in
      var end = 0
      func add(_ number: Int64, digits: Int, then separator: Unicode.Scalar) {
        var remaining = number
        for index in (end..<end + digits).reversed() {
          text[index] = UInt8(ascii: "0") + UInt8(remaining % 10)
          remaining /= 10
        }
        text[end + digits] = UInt8(ascii: separator)
        end += digits + 1
      }
      add(hasFourDigits ? year : 0, digits: 4, then: "-")
      add(month, digits: 2, then: "-")
      add(dayOfMonth, digits: 2, then: "T")
      add(inDay / 3_600_000, digits: 2, then: ":")
      add(inDay / 60_000 % 60, digits: 2, then: ":")
      add(inDay / 1000 % 60, digits: 2, then: ".")
      add(inDay % 1000, digits: 3, then: "Z")
      return end
    }
    return hasFourDigits ? text : (year < 0 ? "-" + year.magnitude.padded(6) : String(year)) + text.dropFirst(4)
  }

  /// Reads a time in ISO 8601: a date, optionally with a time of day, fractions of a second, and `Z` or an offset.
  /// Without an offset, the time is in UTC.
  ///
  /// - Parameter text: For example `2026-11-20`, `2026-11-20T10:15Z` or `2026-11-20T10:15:00.123+01:00`. The year has four
  ///   to six digits or, with a sign, six.
  /// - Returns: `nil` if the text has another form, or if the day or time does not exist.
  ///
  /// Source: ISO 8601 as profiled by RFC 3339, and Hinnant's `days_from_civil`.
  public init?(_ text: String) {
    var remaining = text.utf8[...]
    let sign: Int64? = remaining.skip("+") ? 1 : remaining.skip("-") ? -1 : nil
    let digits = remaining.prefix { (0x30...0x39).contains($0) }.count
    guard sign == nil ? (4...6).contains(digits) : digits == 6,
      let year = remaining.parseDigits(digits).map({ $0 * (sign ?? 1) }), remaining.skip("-"),
      let month = remaining.parseDigits(2),
      remaining.skip("-"),
      let day = remaining.parseDigits(2), (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year)
    else { return nil }

    var result = Self.dayNumber(year: year, month: month, day: day) * 86_400_000
    if remaining.skip("T") || remaining.skip(" ") {
      guard let hour = remaining.parseDigits(2), hour < 24, remaining.skip(":"), let minute = remaining.parseDigits(2),
        minute < 60
      else { return nil }
      result += hour * 3_600_000 + minute * 60_000
      if remaining.skip(":") {
        guard let second = remaining.parseDigits(2), second < 60 else { return nil }
        result += second * 1000
        if remaining.skip(".") {
          guard let tenths = remaining.parseDigits(1) else { return nil }
          result += 100 * tenths + 10 * (remaining.parseDigits(1) ?? 0) + (remaining.parseDigits(1) ?? 0)
          while remaining.parseDigits(1) != nil {}
        }
      }
      if let sign: Int64 = remaining.skip("+") ? 1 : remaining.skip("-") ? -1 : nil {
        guard let hours = remaining.parseDigits(2), hours < 24 else { return nil }
        _ = remaining.skip(":")
        guard let minutes = remaining.parseDigits(2), minutes < 60 else { return nil }
        result -= (hours * 3_600_000 + minutes * 60_000) * sign
      } else {
        _ = remaining.skip("Z")
      }
    }
    guard remaining.isEmpty else { return nil }
    self.init(milliseconds: result)
  }

  private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return switch month {
    case 2: isLeap ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear.floorDivided(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

extension Timestamp: Codable {
  /// Decodes a time in ISO 8601.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let timestamp = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(quoted: text) is not an ISO 8601 time.")
    }
    self = timestamp
  }

  /// Encodes the time in ISO 8601, in UTC with milliseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Int64 {
  func floorDivided(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : (self - divisor + 1) / divisor
  }
}

extension UInt64 {
  fileprivate func padded(_ width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}

extension Substring.UTF8View {
  fileprivate mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard first == UInt8(ascii: character) else { return false }
    removeFirst()
    return true
  }

  fileprivate mutating func parseDigits(_ count: Int) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<count {
      guard let byte = first, (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int64(byte - 0x30)
      removeFirst()
    }
    return number
  }
}
