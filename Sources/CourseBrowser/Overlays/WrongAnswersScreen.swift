import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Lists the questions that were answered incorrectly in the last attempt at their quiz, and opens that attempt.
@MainActor final class WrongAnswersScreen: PromptScreen {
  private var all = WrongAnswerList()
  private var matches: [WrongAnswer] = []
  private let currentPlace: Place?
  private let onChoose: (WrongAnswer) -> Void
  /// The maximum number of listed questions. To find other questions, the learner types more letters.
  private static let maximumListed = 50

  /// Creates the overlay.
  ///
  /// - Parameter currentPlace: The quiz whose questions come first, or `nil`.
  init(
    currentPlace: Place?, context: ScreenContext, source: @escaping () -> CellRect,
    onChoose: @escaping (WrongAnswer) -> Void
  ) {
    (self.currentPlace, self.onChoose) = (currentPlace, onChoose)
    super.init(title: "Wrong answers", context: context, source: source)
  }

  override var prefix: String { "Wrong answers" }
  override var invitation: String { all.isEmpty ? "none" : "a question or a quiz" }
  override var topRight: String { field.text.isEmpty && !all.isEmpty ? "\(all.count)" : "" }
  override var fieldKeys: [KeyHint]? {
    [KeyHint(context.appearance.symbols.enter, "open"), KeyHint("Esc", "close")]
  }
  override var emptyMessage: String {
    all.isEmpty ? WrongAnswerList.emptyMessage : "No question contains these words. Ctrl-U clears them."
  }

  // Tab does not complete the text, because an entry contains much more than the text to search for.
  override var completes: Bool { false }
  override var maximumChosenRows: Int { 12 }
  /// Reads the answers: those of the quiz below the overlay first, then the others, newest first.
  func load() {
    context.trying { all = try WrongAnswerList(of: context.navigation, context.library, first: currentPlace) }
  }

  override func makeEntries() throws -> [Entry] {
    matches = all.answers(with: field.text, limit: Self.maximumListed)
    return matches.map { answer in
      let chosenTexts = answer.choiceTexts(ofTaken: true).joined(separator: ", ")
      return Entry(
        completion: answer.question.question.plainText, name: answer.question.question.plainText,
        detail: chosenTexts.isEmpty ? "" : context.appearance.symbols.wrong + " " + chosenTexts,
        topRight: answer.quiz.title)
    }
  }

  override func submit() {
    guard matches.indices.contains(chosen), chosenEntry != nil else { return }
    close()
    onChoose(matches[chosen])
  }
}
