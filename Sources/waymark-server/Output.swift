import Answers
import Foundation

/// Standard output.
enum Output {
  /// Writes a line, harmless whatever names are in it, at once.
  static func line(_ text: String) { self.text(text.harmlessLines + "\n") }

  /// Writes a text as it is.
  static func text(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }
}

/// How many files and connections the process may have open.
enum OpenFiles {
  /// Takes as many as the system allows: most systems begin with 1,024.
  static func raise() {
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
  }
}
