#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Lets this thread sleep.
func pause(milliseconds: UInt32) {
  pause(microseconds: milliseconds * 1000)
}

/// Lets this thread sleep, for less than a second.
func pause(microseconds: UInt32) {
  usleep(microseconds)
}
