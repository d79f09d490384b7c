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
  /// Returns the commands of the page.
  private let commands: () -> [CommandPath.Entry]

  init(
    _ openPages: OpenPages, overlays: OverlayPresenter, navigator: Navigator,
    settings: SettingsCommands, commands: @escaping () -> [CommandPath.Entry]
  ) {
    (self.overlays, self.navigator, self.settings, self.commands) = (overlays, navigator, settings, commands)
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
    let palette = PaletteScreen(
      commands: commands(), headings: headings, context: context, source: keyPlace(of: .showPalette)
    ) { [weak self] in self?.perform($0) }
    palette.write(text)
    overlays.present(palette)
  }

  private func perform(_ target: PaletteScreen.Target) {
    switch target {
    case .command(let command): context.perform(command)
    case .place(let place): navigator.go(to: place)
    case .heading(let anchor): (page as? ActivityScreen)?.show(anchor: anchor)
    case .search(let query): navigator.find(query)
    case .manual(let name): _ = context.manual?.open(name)
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
  func offer(_ command: Command) -> Offer? {
    switch command {
    case .showPalette: Offer { [self] in showPalette() }
    case .headings where !headings.isEmpty: Offer { [self] in showPalette(writing: PaletteScreen.headingsSign) }
    default: nil
    }
  }
}
