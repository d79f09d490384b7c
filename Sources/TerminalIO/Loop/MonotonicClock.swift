#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The clock of input events and frames. It never goes back, and changes of the system time do not affect it.
public enum MonotonicClock {
  /// The current time in seconds since an arbitrary point in the past, with a resolution of nanoseconds.
  ///
  /// Source: POSIX, `clock_gettime`, CLOCK_MONOTONIC.
  public static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
