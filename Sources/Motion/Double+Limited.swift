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
