import Testing

/// What computed reference values are held to.
let computed = 1e-6

/// What measured reference values are held to.
let measured = 1e-5

/// Expects two lists of numbers to be the same within a tolerance, and names the first that is not.
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

/// Expects two numbers to be the same within a tolerance.
func expect(
  _ actual: Double, near expected: Double, within tolerance: Double, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(abs(actual - expected) <= tolerance, "\(actual) instead of \(expected)", sourceLocation: sourceLocation)
}
