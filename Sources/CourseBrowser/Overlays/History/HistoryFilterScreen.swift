import CoursePages
import ScreenKit
import TextCanvas

/// Asks which steps of the history to show: one of the choices, or those at places that are called so.
@MainActor final class HistoryFilterScreen: PromptScreen {
  private let history: HistoryScreen
  private var choices: [HistoryChoice] = []
  /// From so many letters on a choice that begins so comes before the places that have them in their titles.
  private static let lettersOfName = 3

  init(_ history: HistoryScreen, shell: any OverlayShell, source: @escaping () -> CellRect) {
    self.history = history
    super.init(title: "Filter", shell: shell, source: source)
  }

  override var prefix: String { "Only" }
  override var invitation: String { metrics.isNarrow ? "a word of a title" : "a word of a title, or one of these" }

  override var keys: [KeyHint] {
    [KeyHint(shell.appearance.symbols.enter, "show these"), KeyHint("Esc", "close")]
  }

  override func look() throws -> [Entry] {
    let quotes = shell.appearance.symbols.quotes
    let text = field.text.lowercased()
    let all = HistoryChoice.all(at: history.chosenStep, days: shell.dayNames, quotes: quotes)
    let titled = text.isEmpty ? [] : [(choice: HistoryChoice.titled(field.text, quotes: quotes), kind: "")]
    // Few letters may begin any title, more of them are meant as the name of a choice.
    let isNamed = { (choice: (choice: HistoryChoice, kind: String)) in
      let name = choice.choice.name.lowercased()
      let isBegun =
        name.hasPrefix(text) || choice.kind.isEmpty && name.split(separator: " ").contains { $0.hasPrefix(text) }
      return text.count >= Self.lettersOfName && isBegun
    }
    let found = all.filter { text.isEmpty || $0.choice.name.lowercased().contains(text) }
    let named = found.filter(isNamed)
    let written = HistoryChoice(written: field.text, days: shell.dayNames).map { [(choice: $0, kind: "")] } ?? []
    let listed = named + written + titled + found.filter { !isNamed($0) }
    choices = listed.map(\.choice)
    return listed.map {
      Entry(completion: $0.name, name: $0.name, detail: "", topRight: $0 == history.choice ? "now" : $1)
    }
  }

  override func submit() {
    guard choices.indices.contains(chosen) else { return }
    let choice = choices[chosen]
    close()
    history.show(only: choice)
  }
}
