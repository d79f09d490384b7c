import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A yes-or-no question on the terminal.
enum Confirmation {
  /// Whether standard input and standard error are terminals.
  static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && StandardError.isTerminal }

  /// Asks the question. If the answer is not yes, prints that nothing was changed and returns `false`.
  ///
  /// - Parameters:
  ///   - question: The text of the question.
  ///   - task: The task that needs confirmation, for the error message.
  /// - Throws: ``CommandFailure/unconfirmed(what:)`` if there is no terminal.
  static func ask(_ question: String, orFail task: String) throws -> Bool {
    guard isPossible else { throw CommandFailure.unconfirmed(what: task) }
    StandardError.write(question.harmless + " [y/N] ")
    let answer = readLine()?.lowercased() ?? ""
    let isYes = answer == "y" || answer == "yes"
    if !isYes { StandardError.write("Nothing was changed.\n") }
    return isYes
  }
}
