import Answers
import CoursePages
import ScreenKit
import TextCanvas

/// The commands with their keys. A key that is pressed for the selected command is written to the settings file and has
/// its effect at once. The lines of the file that could not be used are listed first.
@MainActor final class KeySettingsScreen: PromptScreen {
  private let store: SettingsStore
  private let onLeave: () -> Void
  private let onChange: (Settings) -> Void
  /// The command for which a key is awaited, or `nil`.
  private var command: Command?
  /// The pressed key that other commands have, until it is pressed again.
  private var requestedKey: KeyEvent?
  private var savedText = ""

  /// Creates the overlay.
  ///
  /// - Parameters:
  ///   - onLeave: Opens the settings.
  ///   - onChange: Applies the settings after a change has been written to the file.
  init(
    _ store: SettingsStore, context: ScreenContext, source: @escaping () -> CellRect, onLeave: @escaping () -> Void,
    onChange: @escaping (Settings) -> Void
  ) {
    (self.store, self.onLeave, self.onChange) = (store, onLeave, onChange)
    super.init(title: "Keys", context: context, source: source)
  }

  private var row: KeyRow? { command.flatMap(context.bindings.row) }

  override var prefix: String { row?.name ?? "Keys" }
  override var invitation: String {
    guard row == nil else { return "press a key" }
    return savedText.isEmpty ? metrics.isNarrow ? "a command" : "a command, or a word of its description" : savedText
  }
  override var topRight: String {
    metrics.isNarrow || row != nil || !savedText.isEmpty ? "" : context.folders.short(store.path)
  }
  override var listHeight: Int { 14 }
  override var completes: Bool { false }
  override var maximumChosenRows: Int { 3 }
  override var emptyMessage: String { "No command matches. Ctrl-U clears the words." }
  override var fieldKeys: [KeyHint]? {
    guard row == nil else { return [KeyHint("Esc", "keep the keys")] }
    let enter = context.appearance.symbols.enter
    return [KeyHint(enter, "change"), KeyHint("Ctrl-R", "default"), KeyHint("Esc", "all settings")]
  }

  override func makeEntries() throws -> [Entry] {
    let (settings, text) = (try store.settings(), field.text.lowercased())
    let commands = KeyRow.Topic.allCases.flatMap { topic in context.bindings.rows.filter { $0.topic == topic } }
    let entries = commands.map { row in
      Entry(
        completion: row.name, name: row.name, detail: row.sentence,
        topRight: labels(of: row) + (settings.keys?[row.command] == nil ? "" : "  file"),
        heading: text.isEmpty ? row.topic.rawValue : "")
    }
    guard !text.isEmpty else { return mistakes(in: settings, where: \.isAboutKeys) + entries }
    // Commands that match by name come before those that match by description.
    let ranks: [(Entry) -> Bool] = [
      { $0.name == text }, { $0.name.hasPrefix(text) },
      { entry in
        (entry.name + " " + entry.detail.lowercased()).split { "-. ".contains($0) }.contains { $0.hasPrefix(text) }
      },
    ]
    return ranks.indices.flatMap { rank in entries.filter { entry in ranks.firstIndex { $0(entry) } == rank } }
  }

  private func labels(of row: KeyRow) -> String {
    row.keys.isEmpty ? "no key" : row.keys.map { $0.label(context.appearance.symbols) }.joined(separator: " ")
  }

  // MARK: - Input

  override func submit() {
    guard let entry = chosenEntry, !showMistake(entry) else { return }
    command = KeyRow.all.first { $0.name == entry.name }?.command
    guard let row else { return }
    savedText = ""
    write("")
    showMessage(
      "Press a key for \(row.name): \(row.sentence). Esc keeps \(labels(of: row)).\nA key that the command has already is removed.",
      .strong)
    context.showFooter()
  }

  override func handle(_ event: InputEvent) -> Bool {
    if command != nil, case .paste = event { return true }
    return super.handle(event)
  }

  override func handleKey(_ key: KeyEvent) -> Bool {
    if let row {
      if key.phase == .press { take(key, for: row) }
    } else if key.key == .character("r"), key.modifiers == .control {
      guard let row = KeyRow.all.first(where: { $0.name == chosenEntry?.name }) else { return true }
      save([row.command: row.keys], of: row.command)
    } else if key.key == .escape {
      close()
      onLeave()
    } else {
      return super.handleKey(key)
    }
    return true
  }

  override func handleInterrupt() -> Bool {
    guard command != nil else { return false }
    endWaiting(at: command)
    showMessage("Ctrl-C must stay the key of quit. Press it again to quit.")
    return true
  }

  private func take(_ event: KeyEvent, for row: KeyRow) {
    var key = KeyEvent(event.key, modifiers: event.modifiers)
    // The character already reflects the Shift key.
    if case .character = key.key, key.modifiers == .shift { key.modifiers = [] }
    guard key != KeyEvent(.escape) else { return endWaiting(at: row.command) }
    let label = key.label(context.appearance.symbols)
    switch context.bindings.assignment(of: key, to: row.command, in: (try? store.settings()) ?? Settings()) {
    case .refused(let reason):
      requestedKey = nil
      showMessage("\(label) \(reason) Press another key, or Esc.")
    case .changes(let changes, let losers):
      guard losers.isEmpty || requestedKey == key else {
        requestedKey = key
        let others = losers.dropFirst().map(\.name).joined(separator: ", ")
        return showMessage(
          "\(label) is the key of \(losers[0].name): \(losers[0].sentence)\(others.isEmpty ? "" : "; and of \(others)").\n"
            + "Press \(label) again to give it to \(row.name). Esc keeps \(labels(of: row)).")
      }
      save(changes, of: row.command)
    }
  }

  private func save(_ changes: [Command: [KeyEvent]], of command: Command) {
    do {
      let settings = try store.set(changes)
      onChange(settings)
      endWaiting(at: command)
      if let row = context.bindings.row(of: command) { savedText = "Saved: \(row.name) has \(labels(of: row))." }
      layer.setNeedsLayout()
    } catch {
      endWaiting(at: command)
      showMessage(CommandWords.text(error))
    }
  }

  /// Shows the list again, with a command selected.
  private func endWaiting(at command: Command?) {
    (self.command, requestedKey) = (nil, nil)
    write("")
    let name = KeyRow.all.first { $0.command == command }?.name
    if let index = entries.firstIndex(where: { $0.name == name }) { choose(index) }
    context.showFooter()
  }
}
