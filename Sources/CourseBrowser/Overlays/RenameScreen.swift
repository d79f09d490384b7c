import CourseLibrary
import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// Asks for the name of a place. Emptied, it is called as its author calls it.
@MainActor final class RenameScreen: PromptScreen {
  private let place: NamedPlace
  /// What its author calls it, where it has another name.
  private let authorTitle: String?

  init(
    _ place: NamedPlace, authorTitle: String?, shell: any OverlayShell, source: @escaping () -> CellRect
  ) {
    (self.place, self.authorTitle) = (place, authorTitle)
    super.init(title: "Rename", shell: shell, source: source)
  }

  override var prefix: String { metrics.isNarrow ? "Name" : "Name of the \(place.kind.rawValue)" }
  override var role: Role { Role(place.kind) }
  override var invitation: String { authorTitle ?? place.title }
  override var keys: [KeyHint] {
    [KeyHint(shell.appearance.symbols.enter, "do it"), KeyHint("Ctrl-U", "clear", rank: 1), KeyHint("Esc", "close")]
  }
  override var listHeight: Int { 3 }

  override var wordsForNothing: String {
    let quotes = shell.appearance.symbols.quotes
    let author = authorTitle.map { " Its author calls it \(quotes.around($0))." } ?? ""
    return "The path \(place.path) stays, and so does the name when it is imported again. "
      + "Emptied, its author's comes back." + author
  }

  override var bodyHeight: Int {
    guard said.isEmpty else { return super.bodyHeight }
    return min(listHeight, wordsForNothing.wrapped(to: max(1, metrics.textWidth)).count)
  }

  override func submit() {
    let name = field.text.allSatisfy(\.isWhitespace) ? nil : field.text
    guard (name?.count ?? 0) <= CourseLibrary.longestTitle else {
      return say("A name has at most \(CourseLibrary.longestTitle) characters.")
    }
    close()
    shell.rename(place, to: name)
  }
}
