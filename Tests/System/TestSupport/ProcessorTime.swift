#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Returns the processor's time that this thread needs for something, in seconds.
///
/// Unlike a clock on the wall it does not tell what other programs do meanwhile, so that a test may hold work against it
/// that must not be out of proportion.
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
