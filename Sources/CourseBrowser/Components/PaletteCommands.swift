import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Opens the palette and performs the selected entry.
@MainActor final class PaletteCommands: BrowserComponent {
  private let overlays: OverlayPresenter
  private let navigator: Navigator
  private let settings: SettingsCommands

  init(
    _ openPages: OpenPages, overlays: OverlayPresenter, navigator: Navigator,
    settings: SettingsCommands
  ) {
    (self.overlays, self.navigator, self.settings) = (overlays, navigator, settings)
    super.init(openPages)
  }

  /// The headings of the visible text.
  private var headings: [ReadingText.Heading] {
    tabs.selectedIndex == 0 ? (page as? ReadingScreen)?.text.headings ?? [] : []
  }

  /// Opens the palette.
  ///
  /// - Parameter text: The text in its field.
  func showPalette(writing text: String = "") {
    let palette = PaletteScreen(headings: headings, context: context, source: keyPlace(of: .showPalette)) {
      [weak self] in
      self?.perform($0)
    }
    palette.write(text)
    overlays.present(palette)
  }

  private func perform(_ target: PaletteScreen.Target) {
    switch target {
    case .command(let command):
      if !overlays.performOnPage(command) { notify("This command does nothing here.") }
    case .place(let place): navigator.go(to: place)
    case .heading(let anchor): (page as? ActivityScreen)?.show(anchor: anchor)
    case .search(let query): navigator.find(query)
    case .setting(let name): settings.showSettings(at: name)
    case .value(let value, let name):
      trying {
        guard let settingsStore = context.settings else { return }
        settings.apply(try settingsStore.set(name, to: value))
        if let entry = try settingsStore.entries().first(where: { $0.name == name }) { notify(entry.savedMessage) }
      }
    }
  }
}

extension PaletteCommands: CommandResponder {
  func perform(_ command: Command) -> Bool {
    switch command {
    case .showPalette: showPalette()
    case .headings where !headings.isEmpty: showPalette(writing: PaletteScreen.headingsSign)
    default: return false
    }
    return true
  }
}
