import Highlighting

extension ReadingText {
  /// What is typed of program text: of a sitting at a shell the commands without their prompts and answers, so that they
  /// can be pasted into one; of anything else all of it.
  ///
  /// A sitting is text of a shell, or of no language, whose first line begins with the prompt `$`. A line that begins
  /// with `>` right below a command goes on with it.
  package static func typed(_ code: String, in language: String?) -> String {
    let isOfShell = language.map { ["Shell", "Console"].contains(Language.named($0)?.name) } ?? true
    guard isOfShell else { return code }
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.first(where: { !$0.isEmpty })?.hasPrefix(prompt) == true else { return code }
    var typed: [Substring] = []
    var isCommand = false
    for line in lines {
      isCommand = line.hasPrefix(prompt) || isCommand && line.hasPrefix(continuation)
      if isCommand { typed.append(line.dropFirst(prompt.count)) }
    }
    return typed.joined(separator: "\n")
  }

  private static let prompt = "$ "
  private static let continuation = "> "
}
