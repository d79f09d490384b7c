import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A question to be answered with yes or no.
enum Question {
  /// Whether anybody can be asked: standard input and standard error are terminals.
  static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && StandardError.isTerminal }

  /// Asks on the terminal; without a yes it says that nothing was changed.
  ///
  /// - Parameters:
  ///   - question: What is asked.
  ///   - task: What could not be done where nobody can be asked, for the error's words.
  /// - Throws: ``CommandFailure/unconfirmed(what:)`` where nobody can be asked.
  static func ask(_ question: String, orFail task: String) throws -> Bool {
    guard isPossible else { throw CommandFailure.unconfirmed(what: task) }
    StandardError.write(question.harmless + " [y/N] ")
    let answer = readLine()?.lowercased() ?? ""
    let isYes = answer == "y" || answer == "yes"
    if !isYes { StandardError.write("Nothing was changed.\n") }
    return isYes
  }
}
