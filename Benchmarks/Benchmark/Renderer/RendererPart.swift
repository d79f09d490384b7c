/// Frames: how long they take, and how many bytes they are.
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

/// What makes a measurement worthless.
enum BenchmarkError: Error, CustomStringConvertible {
  /// The reference and the project do not do the same.
  case differs(String)
  /// Something that is needed is not there.
  case missing(String)

  var description: String {
    switch self {
    case .differs(let what): "the reference does something else: \(what)"
    case .missing(let what): "there is no \(what)"
    }
  }
}
