extension FixedWidthInteger {
  /// Converts a floating-point number. Unlike the initialisers of the standard library, this one never traps.
  ///
  /// The fraction is removed. A number outside the range of this type or of `Int` becomes the nearest number inside
  /// both ranges, and NaN becomes 0.
  @inlinable
  package init(clamping value: Double) {
    // NaN is outside of every range.
    let whole = value > -0x1p63 && value < 0x1p63 ? Int(value) : value > 0 ? .max : value < 0 ? .min : 0
    self.init(clamping: whole)
  }
}
