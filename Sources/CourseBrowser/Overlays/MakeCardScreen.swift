import Answers
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Asks for the question and the answer of a card that the learner makes of a passage or of a quiz question, or changes.
@MainActor final class MakeCardScreen: PromptScreen {
  private let isNew: Bool
  private let onSave: (_ question: String, _ answer: String) throws -> Void
  /// Whether the field contains the answer.
  private var isAnswer = false
  /// The text that is not in the field.
  private var otherText: String
  /// The title of the activity to which the card belongs.
  private let activity: String
  /// Makes another card of the same passage. `nil` if the card is new.
  var onAnother: (() -> Void)?

  /// Creates the overlay.
  ///
  /// - Parameters:
  ///   - isNew: Whether the card does not exist yet. The first letter then replaces the suggested question.
  ///   - activity: The title of the activity to which the card belongs.
  ///   - onSave: Saves the card. If it throws an error, the overlay stays open and shows it.
  init(
    question: String, answer: String, isNew: Bool, of activity: String, context: ScreenContext,
    source: @escaping () -> CellRect,
    onSave: @escaping (_ question: String, _ answer: String) throws -> Void
  ) {
    (self.isNew, self.activity, self.onSave, otherText) = (isNew, activity, onSave, answer.joinedLines)
    super.init(title: isNew ? "New card" : "Change card", context: context, source: source)
    limitText(to: LearnerCards.maximumLength)
    write(question.joinedLines, selected: isNew)
  }

  override var prefix: String { isAnswer ? "Answer" : "Question" }
  override var role: Role { .activity }
  override var topRight: String {
    guard !metrics.isNarrow else { return title }
    if onAnother != nil { return "\(title), Ctrl-N: another" }
    return "\(title) in "
      + context.appearance.symbols.quotes.around(
        activity.truncated(to: 24, ellipsis: context.appearance.symbols.ellipsis))
  }
  override var invitation: String {
    isAnswer ? "the answer of the card" : isNew ? "the question of the card" : "empty: deletes the card"
  }
  override var fieldKeys: [KeyHint]? {
    let deletes = !isNew && !isAnswer && field.text.allSatisfy(\.isWhitespace)
    return [
      KeyHint(context.appearance.symbols.enter, deletes ? "delete" : lacksAnswer ? "answer" : "save"),
      KeyHint("Tab", isAnswer ? "question" : "answer"),
    ] + (onAnother == nil ? [] : [KeyHint("Ctrl-N", "another card", rank: 2)])
      + [KeyHint("Ctrl-U", "clear", rank: 1), KeyHint("Esc", "cancel")]
  }
  override var completes: Bool { false }
  override var emptyMessage: String { (isAnswer ? "Question: " : "Answer: ") + otherText.separatedLines.onSingleRow }
  override var listHeight: Int { 5 }

  override func reloadEntries() {
    super.reloadEntries()
    // While the question is empty, Enter deletes the card, so the keys in the footer change.
    if appearance == .appeared { context.showFooter() }
  }

  /// Whether the question of a new card is being typed and there is no answer, so that Enter leads to the answer.
  private var lacksAnswer: Bool {
    isNew && !isAnswer && !field.text.allSatisfy(\.isWhitespace) && otherText.allSatisfy(\.isWhitespace)
  }

  private func switchField() {
    let text = field.text
    isAnswer.toggle()
    write(otherText)
    otherText = text
    reloadEntries()
  }

  override func handleKey(_ key: KeyEvent) -> Bool {
    switch (key.key, key.modifiers.subtracting(.shift)) {
    case (.tab, []), (.up, []), (.down, []): switchField()
    case (.character("n"), .control) where onAnother != nil:
      close()
      onAnother?()
    default: return super.handleKey(key)
    }
    return true
  }

  override func submit() {
    if lacksAnswer { return switchField() }
    let texts = [field.text.separatedLines, otherText.separatedLines]
    do {
      try onSave(texts[isAnswer ? 1 : 0], texts[isAnswer ? 0 : 1])
      close()
    } catch {
      showMessage(CommandWords.text(error))
    }
  }
}
