#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// The functions of the C library that this target needs. No other file of the folder imports the C library.

func exponential(_ x: Double) -> Double { exp(x) }

/// e to the power of x minus 1, without the loss of digits near x = 0.
func exponentialMinusOne(_ x: Double) -> Double { expm1(x) }

func naturalLogarithm(_ x: Double) -> Double { log(x) }

func sine(_ x: Double) -> Double { sin(x) }

func cosine(_ x: Double) -> Double { cos(x) }

extension Double {
  /// Returns the number limited to a range.
  ///
  /// NaN becomes the lower bound, because an invalid input may result in a wrong frame but must not stop the program.
  func limited(to range: ClosedRange<Double>) -> Double {
    if self >= range.upperBound { return range.upperBound }
    return self > range.lowerBound ? self : range.lowerBound
  }

  /// Returns the value at this fraction of the distance between two numbers; exactly `end` at fraction 1.
  func interpolated(_ start: Double, _ end: Double) -> Double {
    self == 1 ? end : start + (end - start) * self
  }
}
