import LearningModel

/// What a reader has to say about a source, gathered while it reads.
struct Findings {
  private(set) var diagnostics: [Diagnostic] = []
  private var counts: [Kind: Int] = [:]
  private var order: [Kind] = []

  private struct Kind: Hashable {
    let what: String
    let treatment: String
  }

  /// How much of it refuses the import.
  private(set) var errors = 0

  /// Notes something that refuses the import.
  mutating func error(_ file: String, _ line: Int? = nil, _ message: String) {
    add(.error, file, line, message)
    errors += 1
  }

  /// Notes something that the author will want to know.
  mutating func warning(_ file: String, _ line: Int? = nil, _ message: String) {
    add(.warning, file, line, message)
  }

  private mutating func add(_ severity: Diagnostic.Severity, _ file: String, _ line: Int?, _ message: String) {
    // What a source says must not speak to the terminal, not even in a message about it.
    diagnostics.append(
      Diagnostic(severity: severity, file: file.onOneLine, line: line, message: message.onOneLine))
  }

  /// Notes an error of a single file, which refuses the import as any other.
  mutating func error(_ error: CourseFormatError) {
    diagnostics.append(error.diagnostic)
    errors += 1
  }

  /// Counts something that cannot be shown in a terminal.
  mutating func lose(_ what: String, _ treatment: String, count: Int = 1) {
    guard count > 0 else { return }
    let kind = Kind(what: what, treatment: treatment)
    if counts[kind] == nil { order.append(kind) }
    counts[kind, default: 0] += count
  }

  /// Takes back that one thing is lost, which may be counted before or behind this.
  mutating func regain(_ what: String, _ treatment: String) {
    let kind = Kind(what: what, treatment: treatment)
    if counts[kind] == nil { order.append(kind) }
    counts[kind, default: 0] -= 1
  }

  /// Takes over what another gathering has.
  mutating func add(_ other: Findings) {
    diagnostics += other.diagnostics
    errors += other.errors
    for loss in other.losses { lose(loss.what, loss.treatment, count: loss.count) }
  }

  /// What was lost, in the order of the first of each.
  var losses: [Loss] {
    order.filter { counts[$0]! > 0 }.map { Loss(what: $0.what, count: counts[$0]!, treatment: $0.treatment) }
  }
}
