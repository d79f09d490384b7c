import Foundation

/// What programs for tests and compilers print about failures.
package enum TestReport {
  /// Returns a sentence with the number of tests that failed, or that the code does not compile. `nil` if the output contains
  /// neither.
  ///
  /// Sources: the last line of pytest; `test result` of Rust's test harness; `Tests:` of Jest; `Ran` and `FAILED` of Python's
  /// unittest; "Test Anything Protocol", which bats and prove print.
  static func sentence(in output: String) -> String? {
    if output.contains("error: could not compile") || output.contains("error: aborting due to") {
      return "The code does not compile."
    }
    var (failed, passed) = (0, 0)
    for line in output.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("not ok ") { failed += 1 }
      if line.hasPrefix("ok ") { passed += 1 }
      if let ran = line.prefixMatch(of: /Ran (\d+) tests?/) { passed += Int(ran.output.1) ?? 0 }
      if line.hasPrefix("FAILED (") {
        let count = line.matches(of: /(?:failures|errors)=(\d+)/).reduce(0) { $0 + (Int($1.output.1) ?? 0) }
        (failed, passed) = (failed + count, max(0, passed - count))
      }
      guard
        line.hasPrefix("test result: ") || line.hasPrefix("Tests: ")
          || line.prefixMatch(of: /=*\s*(?:\d+ \w+(?:, )?)+ in [\d.]+s/) != nil
      else { continue }
      for match in line.matches(of: /(\d+) (passed|failed|error)/) {
        if match.output.2 == "passed" { passed += Int(match.output.1) ?? 0 } else { failed += Int(match.output.1) ?? 0 }
      }
    }
    return failed > 0 ? "\(failed) of \(failed + passed) tests failed." : nil
  }

  /// Returns whether a line of an output is the first about a failure.
  package static func beginsFailure(_ line: String) -> Bool {
    line.prefixMatch(
      of: /_{3,} .+ _{3,}|error(?:\[|:)|\S+:\d+: error: |---- .+ ----|not ok |\s*● |(?:FAIL|ERROR): |--- FAIL/) != nil
  }
}
