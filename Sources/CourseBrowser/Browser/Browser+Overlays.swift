internal import LearningModel
internal import NavigationService
internal import ScreenKit
internal import TextCanvas

/// What lies on top of the page: help, info, the palette, a course to add.
extension Browser {
  /// The overlay that has the keys now.
  var overlay: OverlayScreen? {
    guard let overlay = screen.presented as? OverlayScreen, !overlay.isBeingDismissed else { return nil }
    return overlay
  }

  func present(_ overlay: OverlayScreen) {
    trying { try screen.present(overlay, animated: motion != .none) }
    dim(true, along: overlay)
  }

  /// Takes the overlay away; what was below it wakes up.
  func dismissOverlay() {
    guard let overlay else { return }
    overlay.dismiss(animated: motion != .none)
    dim(false, along: overlay)
  }

  private func dim(_ isDimmed: Bool, along overlay: OverlayScreen) {
    let coordinator = overlay.transitionCoordinator
    let isAlongside = coordinator?.animate(alongside: { [screen] _ in screen.dim(isDimmed) }) ?? false
    if !isAlongside { screen.dim(isDimmed) }
    showFooter(alongside: coordinator)
  }

  func showPalette() {
    let palette = PaletteScreen(title: "Go to", browser: self) { [weak self] in
      self?.screen.place(ofKeyFor: .goTo) ?? .zero
    }
    palette.lookAgain()
    present(palette)
  }

  /// Goes to a place from wherever the learner is, also from another tab.
  func go(to place: Place, cause: NavigationCause = .key) {
    if tabs.selectedIndex == 0 {
      navigate(.open(.place(place)), cause: cause)
    } else {
      openFound(place, cause: cause)
    }
  }

  func showHelp() {
    present(HelpScreen(title: "Keys", browser: self) { [weak self] in self?.screen.place(ofKeyFor: .help) ?? .zero })
  }
}
