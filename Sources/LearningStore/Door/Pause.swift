#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Lets this thread sleep.
func pause(milliseconds: UInt32) { usleep(milliseconds * 1_000) }
