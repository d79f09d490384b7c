/// Finds the quizzes of LiaScript in a page. They are shown as text.
///
/// Source: LiaScript, documentation, "Quizzes": `[[X]]` and `[[ ]]` for several right choices, `[(X)]` and `[( )]` for one,
/// `[[solution]]` on a line for a text, and `[[?]]` for a hint below.
enum LiaScriptQuizzes {
  /// Returns the number of quizzes in a page. A wikilink alone on a line is not a quiz.
  static func count(in text: String) -> Int {
    guard text.contains("[[") || text.contains("[(") else { return 0 }
    var (count, fence) = (0, CodeFence())
    /// Whether the lines right above are of a quiz that is counted, and whether the one above may be a solution.
    var (isInQuiz, isBelowSolution) = (false, false)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      fence.pass(line)
      guard !fence.isOpen else { continue }
      var words = line.trimmingBlanks
      if let mark = words.first, "-*+".contains(mark), words.dropFirst().first == " " {
        words = words.dropFirst(2).trimmingBlanks
      }
      let isWrong = words.hasPrefix("[[ ]] ") || words.hasPrefix("[( )] ")
      let isRight = ["[[X]] ", "[[x]] ", "[(X)] ", "[(x)] "].contains { words.hasPrefix($0) }
      let isHint = words.hasPrefix("[[?]]")
      if isWrong || isHint && isBelowSolution, !isInQuiz {
        isInQuiz = true
        count += 1
      }
      if isWrong || isRight || isHint { continue }
      isInQuiz = false
      isBelowSolution = words.hasPrefix("[[") && words.hasSuffix("]]") && words.count > 4
    }
    return count
  }
}
