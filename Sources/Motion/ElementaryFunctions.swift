#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// The only functions of the C library that this room needs, under one roof, so that no other file imports it.

func exponential(_ x: Double) -> Double { exp(x) }

/// e to the power of x, less one, without the loss of digits near x = 0.
func exponentialLessOne(_ x: Double) -> Double { expm1(x) }

func naturalLogarithm(_ x: Double) -> Double { log(x) }

func sine(_ x: Double) -> Double { sin(x) }

func cosine(_ x: Double) -> Double { cos(x) }
