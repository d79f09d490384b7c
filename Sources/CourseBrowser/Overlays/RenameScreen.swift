import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Asks for a new title of a place. An empty title restores the author's title.
@MainActor final class RenameScreen: PromptScreen {
  /// A place, and the author's title if the place was renamed.
  struct Candidate {
    let place: NamedPlace
    let authorTitle: String?
  }

  /// The places that can be renamed, starting with the most likely, and the index of the current one.
  private let candidates: [Candidate]
  private var number = 0
  private var place: NamedPlace { candidates[number].place }
  private var authorTitle: String? { candidates[number].authorTitle }

  private let onRename: (NamedPlace, _ title: String?) -> Void

  /// Creates the overlay.
  ///
  /// - Parameters:
  ///   - candidates: The places that can be renamed, at least one.
  ///   - onRename: Renames a place, or restores the author's title if the title is `nil`.
  init(
    _ candidates: [Candidate], context: ScreenContext, source: @escaping () -> CellRect,
    onRename: @escaping (NamedPlace, _ title: String?) -> Void
  ) {
    (self.candidates, self.onRename) = (candidates, onRename)
    super.init(title: "Rename", context: context, source: source)
  }

  override var prefix: String { metrics.isNarrow ? "Name" : "Name of the \(place.noun.singular)" }
  override var role: Role { Role(place.kind) }
  override var invitation: String { authorTitle ?? place.title }
  override var fieldKeys: [KeyHint]? {
    let next = candidates[(number + 1) % candidates.count].place.noun.singular
    return [
      KeyHint(context.appearance.symbols.enter, "rename"), KeyHint("Ctrl-U", "clear", rank: 1),
      candidates.count > 1 ? KeyHint("Tab", "rename \(next)") : nil, KeyHint("Esc", "close"),
    ].compactMap { $0 }
  }
  override var listHeight: Int { 3 }

  override var emptyMessage: String {
    let quotes = context.appearance.symbols.quotes
    let author = authorTitle.map { ", \(quotes.around($0))" } ?? ""
    return "The path \(place.path) does not change, and later imports keep the name. "
      + "An empty name restores the author's name\(author)."
  }

  override func handleKey(_ key: KeyEvent) -> Bool {
    guard key.key == .tab, candidates.count > 1 else { return super.handleKey(key) }
    number = (number + 1) % candidates.count
    write(place.title, selected: true)
    context.showFooter()
    return true
  }

  override func submit() {
    let name = field.text.allSatisfy(\.isWhitespace) ? nil : field.text
    guard (name?.count ?? 0) <= CourseLibrary.maximumTitleLength else {
      return showMessage("A name has at most \(CourseLibrary.maximumTitleLength) characters.")
    }
    close()
    onRename(place, name)
  }
}
