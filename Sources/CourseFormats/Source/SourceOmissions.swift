import Synchronization

/// The files and folders that no format can read, gathered while a source is listed.
final class SourceOmissions: Sendable {
  /// Why something is left out.
  enum Reason: Hashable {
    /// Its name is not UTF-8.
    case nameNotUTF8
    /// It is a folder below more than so many others.
    case tooDeep(Int)
  }

  /// Warnings of one reason at most; all are counted.
  private static let mostWarnings = 20

  private let reasons = Mutex<[String: Reason]>([:])

  /// Notes something that is left out. Listing it again does not count it again.
  ///
  /// - Parameter path: Its path below the source, fit to be printed.
  func note(_ path: String, _ reason: Reason) { reasons.withLock { $0[path] = reason } }

  /// The error for a source in which nothing else was found; `nil` if nothing is left out.
  var error: CourseFormatError? {
    let reasons = reasons.withLock { $0 }.sorted { $0.key < $1.key }
    return reasons.first.map { path, reason in
      switch reason {
      case .nameNotUTF8: .nameNotUTF8(file: path)
      case .tooDeep(let depth): .limit(.pathDepth(depth), file: path, line: nil)
      }
    }
  }

  /// Counts and names everything that is left out.
  func add(to findings: inout Findings) {
    var warnings: [Reason: Int] = [:]
    for (path, reason) in reasons.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      let (what, message) =
        switch reason {
        case .nameNotUTF8:
          ("file or folder whose name is not UTF-8", "The name is not UTF-8, so this is left out. Rename it.")
        case .tooDeep(let depth):
          (
            "folder more than \(depth) deep",
            "The folder is more than \(depth) deep, and is left out with all that is in it. Move the content up."
          )
        }
      findings.lose(what, "left out")
      warnings[reason, default: 0] += 1
      if warnings[reason, default: 0] <= Self.mostWarnings { findings.warning(path, nil, message) }
    }
  }
}
