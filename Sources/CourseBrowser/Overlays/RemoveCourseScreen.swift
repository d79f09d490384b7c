import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Asks for confirmation before a course is removed.
@MainActor final class RemoveCourseScreen: PromptScreen {
  private let course: NamedPlace

  private let onRemove: () -> Void

  init(
    _ course: NamedPlace, context: ScreenContext, source: @escaping () -> CellRect, onRemove: @escaping () -> Void
  ) {
    (self.course, self.onRemove) = (course, onRemove)
    super.init(title: "Remove", context: context, source: source)
  }

  override var prefix: String { "Remove" }
  override var role: Role { .course }
  override var invitation: String { course.title }
  override var maximumChosenRows: Int { 3 }
  override var fieldKeys: [KeyHint]? {
    let symbols = context.appearance.symbols
    return [KeyHint(symbols.enter, "apply"), KeyHint(symbols.upDown, "select"), KeyHint("Esc", "close")]
  }

  override func makeEntries() throws -> [Entry] {
    [
      Entry(completion: "keep", name: "keep the course", detail: "", topRight: ""),
      Entry(
        completion: "remove", name: "remove the course",
        detail: "history and notes are kept; to restore the course, import it again",
        topRight: ""),
    ].filter { $0.name.hasPrefix(field.text.lowercased()) }
  }

  override func submit() {
    guard let entry = chosenEntry else { return }
    close()
    if entry.completion == "remove" { onRemove() }
  }
}
