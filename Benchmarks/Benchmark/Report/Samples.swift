import Foundation

/// Repeated measurements of one operation, in nanoseconds.
struct Samples {
  private var values: [Double] = []

  init(reserving count: Int = 0) { values.reserveCapacity(count) }

  mutating func add(nanoseconds: Double) { values.append(nanoseconds) }

  /// Measures one call with a clock.
  @inline(__always)
  mutating func measure(_ clock: Clock, _ body: () throws -> Void) rethrows {
    let start = clock.now
    try body()
    values.append(Double(clock.now &- start))
  }

  var count: Int { values.count }
  var all: [Double] { values }

  /// Returns the value below which a share of all values is.
  func quantile(_ fraction: Double) -> Double {
    guard !values.isEmpty else { return .nan }
    return values.sorted()[min(values.count - 1, Int(Double(values.count) * fraction))]
  }

  var median: Double { quantile(0.5) }
  var p99: Double { quantile(0.99) }
}

/// A clock for measurements.
enum Clock {
  /// Wall-clock time, for operations that wait for disks, terminals or other processes.
  case wall
  /// Processor time of this thread, for computations. It excludes other use of the machine.
  case thread
  /// Processor time of the whole process, for operations that may use several threads, and of the child processes that
  /// have ended.
  case process

  @inline(__always)
  var now: UInt64 {
    var time = timespec()
    switch self {
    case .wall: clock_gettime(CLOCK_MONOTONIC, &time)
    case .thread: clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    case .process:
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      var children = rusage()
      // `RUSAGE_CHILDREN`, whose Swift type differs between platforms.
      getrusage(-1, &children)
      for part in [children.ru_utime, children.ru_stime] {
        time.tv_sec += part.tv_sec
        time.tv_nsec += Int(part.tv_usec) * 1000
      }
    }
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}

extension Double {
  /// The duration of this many nanoseconds as text: `143 µs`.
  var asTime: String {
    if isNaN { return "–" }
    let steps: [(Double, String)] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
    for (size, unit) in steps where self >= size { return (self / size).rounded(digits: 3) + " " + unit }
    return rounded(digits: 3) + " ns"
  }

  /// The ratio as text: `1.27 ×`.
  var asRatio: String { isNaN || isInfinite ? "–" : rounded(digits: 3) + " ×" }

  /// Returns the number rounded to significant digits.
  func rounded(digits: Int) -> String {
    guard isFinite, self != 0 else { return isFinite ? "0" : "–" }
    let integerDigits = Int(log10(abs(self)).rounded(.down)) + 1
    return String(format: "%.\(max(0, digits - max(1, integerDigits)))f", self)
  }
}

extension Int {
  /// The number with thousands separators.
  var grouped: String {
    var digits = String(magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (self < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }
}
