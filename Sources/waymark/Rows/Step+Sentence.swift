import Answers
import LearningModel
import NavigationService
import TextCanvas

extension Step {
  /// What a person is told of it: one line of what happened, and one of where it led.
  var sentence: String {
    if case .nothingToDo = outcome { return (message ?? "Nothing to do.") + "\n" }

    // One would open a place, and would go next.
    let isWay = [.next, .previous, .back, .forward].contains(operation)
    var line =
      (isPerformed ? "" : isWay ? "would go " : "would ") + operation.rawValue + ": "
      + (from.map { $0.title.harmless + " → " } ?? "")
      + to.title.harmless
    if let choice = transition?.choice { line += " (\(choice.words))" }
    let note = message.map { $0.harmless + "\n" } ?? ""
    return line + "\n" + "  " + to.path.description.harmless + "\n" + note
  }
}
