/// Frames: their time and their bytes.
enum RendererPart {
  @MainActor static func run(_ options: Options, _ print: (Table) -> Void) throws {
    func isAsked(_ table: String) -> Bool { options.isAsked(for: table, of: "renderer") }
    if isAsked("speed") { print(try FrameSpeed(seed: options.seed).table()) }
    if isAsked("bytes") { try FrameBytes(seed: options.seed).tables().forEach(print) }
    if isAsked("search") {
      print(SearchComparison(seed: options.seed, count: options.isLong ? 10_000 : 1_000).table())
    }
  }
}

/// An error that invalidates a measurement.
enum BenchmarkError: Error, CustomStringConvertible {
  /// The reference and the project give different results.
  case differs(String)
  /// A required file, program or input is missing.
  case missing(String)

  var description: String {
    switch self {
    case .differs(let what): "the result differs from the reference: \(what)"
    case .missing(let what): "missing: \(what)"
    }
  }
}
