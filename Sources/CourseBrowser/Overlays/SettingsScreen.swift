import Answers
import CoursePages
import NavigationKit
import ScreenKit
import TextCanvas

/// The settings, each with its value and the source of the value. Selecting a value writes it to the settings file. If
/// possible, the value takes effect at once.
@MainActor final class SettingsScreen: PromptScreen {
  private let store: SettingsStore
  private let page: SettingsPage
  /// The setting whose values are listed, or `nil` if all settings are listed.
  private var name: String?
  /// The text about the last change. It is shown in the empty field until a setting is opened.
  private var savedText = ""
  private var listed: [SettingsPage.Row] = []

  private let onKeys: () -> Void
  private let onChange: (Settings) -> Void
  /// Shows the screen with settings that are not written, or with the written ones again if the argument is `nil`.
  private let onPreview: (Settings?) -> Void
  /// Whether the screen shows a theme that is not written.
  private var isPreviewing = false

  /// Creates the overlay.
  ///
  /// - Parameters:
  ///   - name: The setting whose values are listed first, or `nil` for all settings.
  ///   - onKeys: Opens the list of commands with their keys.
  ///   - onPreview: Shows the screen with settings that are not written, or with the written ones again if its argument
  ///     is `nil`.
  ///   - onChange: Applies the settings after a change has been written to the file.
  init(
    _ store: SettingsStore, at name: String? = nil, context: ScreenContext, source: @escaping () -> CellRect,
    onKeys: @escaping () -> Void, onPreview: @escaping (Settings?) -> Void, onChange: @escaping (Settings) -> Void
  ) {
    (self.store, self.name, self.onKeys, self.onChange, self.onPreview) = (store, name, onKeys, onChange, onPreview)
    page = SettingsPage(store, context.navigation)
    super.init(title: "Settings", context: context, source: source)
  }

  /// The entry that opens the list of commands with their keys.
  static let keysName = "keys"

  override var prefix: String { name ?? "Settings" }
  override var invitation: String {
    guard let name else {
      guard savedText.isEmpty else { return savedText }
      return metrics.isNarrow ? "a setting" : "a setting, or a word of its description"
    }
    guard let entry = listed.first(where: { $0.name == name }), entry.values.isEmpty else { return "a value" }
    return entry.expected
  }
  override var listHeight: Int { 12 }
  override var topRight: String {
    guard !metrics.isNarrow, name == nil, savedText.isEmpty else { return "" }
    return listed.contains { $0.name == chosenEntry?.name && $0.isOfLearner }
      ? "stored for \(context.navigation.learner)" : context.folders.short(store.path)
  }

  override var fieldKeys: [KeyHint]? {
    let enter = context.appearance.symbols.enter
    return name == nil
      ? [KeyHint(enter, "change"), KeyHint("Esc", "close")]
      : [KeyHint(enter, "save"), KeyHint("Esc", "all settings")]
  }

  override var emptyMessage: String {
    guard let name else { return "No setting matches. Ctrl-U clears the words." }
    return listed.contains { $0.name == name && !$0.values.isEmpty } ? "No value matches. Ctrl-U clears the words." : ""
  }

  override func makeEntries() throws -> [Entry] {
    listed = try page.rows()
    let text = field.text.lowercased()
    guard let name, let entry = listed.first(where: { $0.name == name }) else {
      if !text.isEmpty {
        // Settings that match by name come before those that match by description.
        let nameMatches = listed.filter { $0.name.hasPrefix(text) }
        listed = nameMatches + listed.filter { !$0.name.hasPrefix(text) && $0.matches(by: text) }
      }
      let settings = try store.settings()
      let mistakes = text.isEmpty ? mistakes(in: settings) { !$0.isAboutKeys } : []
      let heading = mistakes.isEmpty ? "" : "Settings"
      var entries = listed.map { entry in
        Entry(
          completion: entry.name, name: entry.name, detail: entry.explanation,
          topRight: "\(entry.value)  \(entry.source)", heading: heading)
      }
      if [Self.keysName, "shortcuts", "commands"].contains(where: { $0.hasPrefix(text) }) {
        let keyErrors = settings.mistake?.each.count(where: \.isAboutKeys) ?? 0
        let entry = Entry(
          completion: Self.keysName, name: Self.keysName, detail: "keys of the commands",
          topRight: keyErrors > 0
            ? "\(DisplayFormat.count(keyErrors, "error"))  file"
            : settings.keys.map { "\($0.count) changed  file" } ?? "default", heading: heading)
        entries.insert(entry, at: min(SettingName.allCases.count, entries.count))
      }
      return mistakes + entries
    }
    return entry.values.filter { $0.hasPrefix(text) }.map { value in
      Entry(
        completion: value, name: value, detail: entry.notes[value] ?? "",
        topRight: value == entry.value ? "current, set by \(entry.source)" : "")
    }
  }

  override func reloadEntries() {
    super.reloadEntries()
    do { _ = try page.rows() } catch { showMessage(CommandWords.text(error)) }
  }

  override func handleKey(_ key: KeyEvent) -> Bool {
    guard key.key == .escape, name != nil else { return super.handleKey(key) }
    endPreview()
    showAll()
    return true
  }

  // MARK: - Preview of themes

  override func choose(_ index: Int) {
    super.choose(index)
    // The title shows where the selected setting is stored.
    layer.setNeedsLayout()
    guard name == "theme", let chosenEntry, var settings = try? store.settings() else { return }
    let theme = PageAppearance(rawValue: chosenEntry.name)
    guard isPreviewing || settings.theme != theme else { return }
    isPreviewing = true
    settings.theme = theme
    onPreview(settings)
  }

  private func endPreview() {
    guard isPreviewing else { return }
    isPreviewing = false
    onPreview(nil)
  }

  override func close() {
    endPreview()
    super.close()
  }

  private func showAll() {
    name = nil
    write("")
    context.showFooter()
  }

  override func submit() {
    guard let name else {
      guard let entry = chosenEntry, !showMistake(entry) else { return }
      if entry.name == Self.keysName {
        close()
        return onKeys()
      }
      let value = field.text.lowercased()
      self.name = entry.name
      savedText = ""
      write("")
      // The current value is selected, or the first value that begins with the typed text.
      let currentValue = listed.first { $0.name == entry.name }?.value
      if let index = entries.firstIndex(where: { value.isEmpty ? $0.name == currentValue : $0.name.hasPrefix(value) }) {
        choose(index)
      }
      return context.showFooter()
    }
    do {
      savedText = try page.set(name, to: chosenEntry?.name ?? field.text)
      endPreview()
      onChange(try store.settings())
      showAll()
      if let index = entries.firstIndex(where: { $0.name == name }) { choose(index) }
    } catch {
      showMessage(CommandWords.text(error))
    }
  }
}

/// The lines of the settings file that could not be used, as entries of a list.
extension PromptScreen {
  func mistakes(in settings: Settings, where isIncluded: (SettingsError) -> Bool) -> [Entry] {
    (settings.mistake?.each ?? []).filter(isIncluded).compactMap(\.inLine).map { line in
      Entry(
        completion: "", name: "line \(line.number)", detail: line.reason, topRight: "",
        heading: "Lines that could not be used")
    }
  }

  /// Shows the reason of an entry of ``mistakes(in:where:)``. Returns `false` for other entries.
  func showMistake(_ entry: Entry) -> Bool {
    guard entry.completion.isEmpty else { return false }
    showMessage("\(entry.name): \(entry.detail)")
    return true
  }
}
