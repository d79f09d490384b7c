import Answers
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Asks for the question of a card that the learner makes of a passage or of a quiz question.
@MainActor final class MakeCardScreen: PromptScreen {
  private let answer: String
  private let onMake: (_ question: String) throws -> Void

  /// Creates the overlay.
  ///
  /// - Parameters:
  ///   - question: The text of the field at the beginning.
  ///   - answer: The answer of the card, which is shown below the field.
  ///   - onMake: Makes the card. If it throws an error, the overlay stays open and shows it.
  init(
    question: String, answer: String, context: ScreenContext, source: @escaping () -> CellRect,
    onMake: @escaping (_ question: String) throws -> Void
  ) {
    (self.answer, self.onMake) = (answer, onMake)
    super.init(title: "New card", context: context, source: source)
    write(question, selected: true)
  }

  override var prefix: String { "Question" }
  override var role: Role { .activity }
  override var invitation: String { "the question of the card" }
  override var fieldKeys: [KeyHint]? {
    [
      KeyHint(context.appearance.symbols.enter, "save"), KeyHint("Ctrl-U", "clear", rank: 1), KeyHint("Esc", "cancel"),
    ]
  }
  override var completes: Bool { false }
  override var emptyMessage: String { "Answer: " + answer.onSingleRow }
  override var listHeight: Int { 5 }

  override func submit() {
    do {
      try onMake(field.text)
      close()
    } catch {
      showMessage(CommandWords.text(error))
    }
  }
}
