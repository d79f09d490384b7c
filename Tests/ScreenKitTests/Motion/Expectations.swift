import Testing

/// The tolerance for computed reference values.
let computed = 1e-6

/// The tolerance for measured reference values.
let measured = 1e-5

/// Expects that two lists are equal within a tolerance, and reports each index that differs.
func expect(
  _ actual: [Double], near expected: [Double], within tolerance: Double,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(actual.count == expected.count, sourceLocation: sourceLocation)
  for (index, pair) in zip(actual, expected).enumerated() {
    #expect(
      abs(pair.0 - pair.1) <= tolerance, "number \(index): \(pair.0) instead of \(pair.1)",
      sourceLocation: sourceLocation)
  }
}

/// Expects that two numbers are equal within a tolerance.
func expect(
  _ actual: Double, near expected: Double, within tolerance: Double, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(abs(actual - expected) <= tolerance, "\(actual) instead of \(expected)", sourceLocation: sourceLocation)
}
