import LearningModel

/// The diagnostics and losses that a reader collects while it reads a source.
struct Findings {
  private(set) var diagnostics: [Diagnostic] = []
  private var counts: [Kind: Int] = [:]
  private var order: [Kind] = []
  private var examples: [Kind: [String]] = [:]
  /// The maximum number of examples of each kind.
  private static let maximumExamples = 5

  private struct Kind: Hashable {
    let what: String
    let treatment: String
  }

  /// The number of errors. An import fails if there are any.
  private(set) var errors = 0

  /// Adds an error, which makes the import fail.
  mutating func error(_ file: String, _ line: Int? = nil, _ message: String) {
    add(.error, file, line, message)
    errors += 1
  }

  /// Adds a warning for the author.
  mutating func warning(_ file: String, _ line: Int? = nil, _ message: String) {
    add(.warning, file, line, message)
  }

  private mutating func add(_ severity: Diagnostic.Severity, _ file: String, _ line: Int?, _ message: String) {
    // Text of a source must not control the terminal, even in a message.
    diagnostics.append(
      Diagnostic(severity: severity, file: file.escapingControls, line: line, message: message.onOneLine))
  }

  /// Adds an error about a single file, which makes the import fail.
  mutating func error(_ error: CourseFormatError) {
    diagnostics.append(error.diagnostic)
    errors += 1
  }

  /// Counts content that cannot be shown in a terminal.
  ///
  /// - Parameter examples: Occurrences, such as `page.md: a.png`. The report names the first ones.
  mutating func countLoss(_ what: String, _ treatment: String, count: Int = 1, examples new: [String] = []) {
    guard count > 0 else { return }
    let kind = Kind(what: what, treatment: treatment)
    if counts[kind] == nil { order.append(kind) }
    counts[kind, default: 0] += count
    let known = examples[kind] ?? []
    if !new.isEmpty, known.count < Self.maximumExamples {
      examples[kind] = Array((known + new.map(\.onOneLine)).prefix(Self.maximumExamples))
    }
  }

  /// Reverts one call of ``countLoss(_:_:count:examples:)``. It may be called before that call.
  mutating func revertLoss(_ what: String, _ treatment: String) {
    let kind = Kind(what: what, treatment: treatment)
    if counts[kind] == nil { order.append(kind) }
    counts[kind, default: 0] -= 1
  }

  /// Adds the diagnostics and losses of other findings.
  mutating func add(_ other: Findings) {
    diagnostics += other.diagnostics
    errors += other.errors
    for loss in other.losses { countLoss(loss.what, loss.treatment, count: loss.count, examples: loss.examples) }
  }

  /// The losses, in the order in which their kinds were first counted.
  var losses: [Loss] {
    order.filter { counts[$0]! > 0 }.map {
      Loss(what: $0.what, count: counts[$0]!, treatment: $0.treatment, examples: examples[$0] ?? [])
    }
  }
}
