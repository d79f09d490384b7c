#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// The only function of the C library that this room needs, so that no other file imports it.

func elementaryCosine(_ angle: Double) -> Double { cos(angle) }
