#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The clock of everything that moves: never set, never running backwards, the same in every thread.
public enum MonotonicClock {
  /// Seconds since some moment in the past, to the nanosecond.
  ///
  /// Source: POSIX, `clock_gettime`, CLOCK_MONOTONIC.
  public static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
