import Foundation

/// A file into which Swift's runtime writes the stack of a crash.
///
/// Source: Swift, "Backtracing support", `SWIFT_BACKTRACE`.
public struct CrashStack {
  private let path: String

  /// - Parameter path: The path of the file, without commas.
  public init(at path: String) { self.path = path }

  /// The variables with which a program writes its stack.
  public var environment: [String: String] {
    [
      "SWIFT_BACKTRACE":
        "enable=yes,color=no,interactive=no,threads=all,images=none,registers=none,limit=64,timeout=120s,output-to=\(path)"
    ]
  }

  /// The stacks of the program's threads, the crashed one first. `nil` if there was no crash.
  public var text: String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
