#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Returns the processor time of the current thread for a function, in seconds.
///
/// Unlike elapsed time, it does not depend on other programs, so tests can compare the cost of two functions.
public func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  try body()
  return now() - start
}
