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

extension Double {
  /// Returns this number brought to the nearest end of a range that it lies outside of.
  ///
  /// What is not a number becomes the lower bound: a nonsense input may draw a wrong frame, never stop the program.
  func limited(to range: ClosedRange<Double>) -> Double {
    if self >= range.upperBound { return range.upperBound }
    return self > range.lowerBound ? self : range.lowerBound
  }

  /// Returns the value this fraction of the way from one number to another; exactly `end` at fraction 1.
  func between(_ start: Double, _ end: Double) -> Double {
    self == 1 ? end : start + (end - start) * self
  }
}
