import CoursePages
import ScreenKit
import TextCanvas

extension OverlayPresenter {
  /// Shows the settings, or the values of one of them.
  func showSettings(at name: String? = nil) {
    guard let settings = browser.settings else { return notify("There are no settings to change here.") }
    let screen = SettingsScreen(settings, at: name, shell: shell) { [weak self] in
      self?.screen.place(ofKeyFor: .settings) ?? .zero
    }
    screen.lookAgain()
    present(screen)
  }

  /// Lets other settings count from now on, as far as they can.
  func apply(_ settings: Settings) {
    let options = settings.options
    stage.motion = options.motion
    browser.layout = options.layout
    browser.onSettings?(options)
    for case let page as PageScreen in stack.screens where page.isLayerLoaded { page.layOutPage() }
    footer.show()
  }
}
