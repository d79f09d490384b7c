import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Shows and changes settings.
@MainActor final class SettingsCommands: BrowserComponent {
  private let overlays: OverlayPresenter

  init(_ openPages: OpenPages, overlays: OverlayPresenter) {
    self.overlays = overlays
    super.init(openPages)
  }
}

extension SettingsCommands: CommandResponder {
  func offer(_ command: Command) -> Offer? {
    switch command {
    case .settings: return Offer { [self] in showSettings() }
    case .wider, .narrower:
      // Other pages show texts only in their previews.
      return Offer(openPages.focus is ReadingScreen ? "" : nil) { [self] in
        changeWidth(by: command == .wider ? Self.columnsAtOnce : -Self.columnsAtOnce)
      }
    default: return nil
    }
  }

  /// Shows all settings, or the values of the setting with the given name.
  func showSettings(at name: String? = nil) {
    guard let settings = context.settings else { return notify("Settings cannot be changed here.", .warn) }
    guard name != SettingsScreen.keysName else { return showKeys(settings) }
    let settingsScreen = SettingsScreen(
      settings, at: name, context: context, source: keyPlace(of: .settings),
      onKeys: { [weak self] in self?.showKeys(settings) },
      onPreview: { [weak self] preview in
        guard let self, let appearance = preview ?? (try? settings.settings()) else { return }
        context.onSettings?(appearance)
        // The colours of the whole screen are visible, also below the overlay.
        screen.dim(preview == nil)
      },
      onChange: { [weak self] in self?.apply($0) })
    settingsScreen.reloadEntries()
    overlays.present(settingsScreen)
  }

  /// Shows the commands with their keys.
  private func showKeys(_ settings: SettingsStore) {
    let keysScreen = KeySettingsScreen(
      settings, context: context, source: keyPlace(of: .settings), onLeave: { [weak self] in self?.showSettings() },
      onChange: { [weak self] in self?.apply($0) })
    keysScreen.reloadEntries()
    overlays.present(keysScreen)
  }

  /// The number of columns by which a key changes the line length.
  static let columnsAtOnce = 4

  /// Changes the maximum line length of texts, and writes it into the settings file.
  func changeWidth(by columns: Int) {
    guard let settingsStore = context.settings else { return notify("Settings cannot be changed here.", .warn) }
    trying {
      let currentWidth = try settingsStore.settings().width
      let measures = ReadingLayout.measures
      // If the maximum line length exceeds the width of the window, a change would have no visible effect. The change
      // therefore starts from the width of the window.
      let availableColumns = PageMetrics(size: size).textWidth
      guard columns < 0 || currentWidth < availableColumns || currentWidth == measures.upperBound else {
        return notify("Lines already fill this window: \(availableColumns) columns.")
      }
      let newWidth = min(max(min(currentWidth, availableColumns) + columns, measures.lowerBound), measures.upperBound)
      guard newWidth != currentWidth else {
        return notify(
          "Lines of \(currentWidth) columns are the \(columns > 0 ? "longest possible" : "shortest possible").")
      }
      let settings = try settingsStore.set("width", to: String(newWidth))
      apply(settings)
      let effectiveWidth = settings.width
      notify(
        effectiveWidth == newWidth
          ? "\(page is ReadingScreen ? "Lines" : "Lines of text") are at most \(newWidth) columns now."
          : "Saved: \(newWidth). A flag or the environment still sets \(effectiveWidth).")
    }
  }

  /// Applies changed settings, except those that take effect at the next start.
  func apply(_ settings: Settings) {
    for change in SettingRow.Change.allCases {
      switch change {
      case .motion: stage.motion = settings.motion
      case .layout: context.layout = settings.layout
      case .appearance: context.onSettings?(settings)
      case .nextStart: break
      }
    }
    if context.bindings != settings.keyBindings {
      (context.bindings, screen.bindings) = (settings.keyBindings, settings.keyBindings)
      for case let tab as TabPage in tabs.screens { tab.appearanceDidChange() }
      screen.layer.setNeedsLayout()
    }
    for case let page as PageScreen in stack.screens where page.isLayerLoaded { page.layOutPage() }
    openPages.review?.reviewSettingsDidChange()
    context.showFooter()
  }
}
