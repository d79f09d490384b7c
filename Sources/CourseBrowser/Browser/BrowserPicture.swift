package import CourseKit
package import CoursePages
import Foundation
import LearningModel
package import NavigationKit
package import ScreenKit
package import TextCanvas

/// Draws the browser without a terminal: a place, or a moment of the way from one place to another.
///
/// Nothing is recorded: whoever looks at a picture has not been there.
@MainActor package struct BrowserPicture {
  let navigation: NavigationService
  let library: CourseLibrary
  /// Colours and signs.
  package var appearance: Appearance
  /// Of the picture, in cells.
  package var size: CellSize
  /// How much moves.
  package var motion = MotionPreference.full

  /// Makes a maker of pictures.
  package init(navigation: NavigationService, library: CourseLibrary, appearance: Appearance, size: CellSize) {
    self.navigation = navigation
    self.library = library
    self.appearance = appearance
    self.size = size
  }

  /// What can be seen of a place beside its page.
  package enum Addition: String, CaseIterable, Sendable {
    /// Every key.
    case help
    /// All that is known of the place, or of its chosen card.
    case info
    /// Where a path or a command is written.
    case palette
    /// Where a course is added.
    case add
    /// The tab that finds.
    case find
    /// The tab with the history.
    case history
  }

  /// Draws what lies on top of a place, or the tab beside it.
  ///
  /// - Parameters:
  ///   - place: Where to be.
  ///   - addition: What to show there.
  ///   - fraction: How far it has come, 0…1.
  /// - Throws: What the services throw.
  package func surface(of place: PlaceName, showing addition: Addition, at fraction: Double = 1) throws -> Surface {
    let browser = browser()
    try browser.steps.show(try navigation.step(from: "/", to: place), animated: false)
    _ = browser.stage.tick(at: 0)
    show(addition, in: browser)
    let way =
      (browser.openPages.root.overlay?.transitionCoordinator ?? browser.openPages.tabs.transitionCoordinator)?
      .transitionDuration ?? 0
    if fraction >= 1 { browser.stage.comeToRest() } else { _ = browser.stage.tick(at: way * fraction) }
    return picture(of: browser)
  }

  /// Draws a place, or a moment on the way from it to another.
  ///
  /// - Parameters:
  ///   - place: Where to be.
  ///   - target: Where to go from there; `nil` to stay.
  ///   - fraction: How far on the way, 0…1.
  /// - Throws: What the services throw.
  package func surface(of place: PlaceName, to target: PlaceName? = nil, at fraction: Double = 0) throws -> Surface {
    let browser = browser()
    try browser.steps.show(try navigation.step(from: "/", to: place), animated: false)
    _ = browser.stage.tick(at: 0)
    if let target {
      let hand = PercentDrivenInteractiveTransition()
      browser.steps.transitions.hand = hand
      try browser.steps.show(try navigation.step(from: place, to: target), animated: true)
      // With no motion, or where the target is the place itself, there is no transition to hold.
      if hand.state == .interactive {
        hand.update(fraction)
        if fraction >= 1 { hand.finish() }
      }
      if fraction >= 1 { browser.stage.comeToRest() }
    }
    return picture(of: browser)
  }

  func browser() -> Browser {
    var options = Settings()
    options.motion = motion
    return Browser(navigation: navigation, library: library, appearance: appearance, size: size, options: options)
  }

  func picture(of browser: Browser) -> Surface {
    var compositor = Compositor(fading: appearance.theme.fading, levels: .four)
    return compositor.compose(browser.stage.tick(at: browser.stage.now), size: size).surface
  }
}

extension BrowserPicture {
  private func show(_ addition: Addition, in browser: Browser) {
    switch addition {
    case .help: browser.overlays.showHelp()
    case .info: browser.overlays.showInfo()
    case .palette: browser.palette.showPalette()
    case .add: browser.courses.showAddCourse()
    case .find: browser.steps.selectTab(1)
    case .history: browser.steps.selectTab(2)
    }
  }
}

extension Stage {
  /// Advances until nothing moves any more.
  fileprivate func comeToRest() {
    let end = now + 10
    while let due = nextFrameTime, due < end { _ = tick(at: max(due, now + 0.02)) }
  }
}

/// What keys show: anything that a learner can bring about, at any moment after.
///
/// The keys are pressed, so what they do is done and written: to only look, give services that stand on a
/// copy of the database.
extension BrowserPicture {
  /// Seconds between two keys: whatever the first moved has come to rest, and nobody has waited long.
  package static let pace = 1.0

  /// Draws what is seen some time after the last of some keys.
  ///
  /// - Parameters:
  ///   - place: Where the learner is before the first key.
  ///   - keys: What is pressed there, ``pace`` apart.
  ///   - seconds: How long after the last key; less than 0 counts as 0.
  /// - Throws: What the services throw.
  package func surface(of place: PlaceName, pressing keys: [KeyEvent], after seconds: Double) throws -> Surface {
    let browser = browser()
    try browser.begin(at: place)
    var time = 0.0
    for key in keys {
      time += Self.pace
      play(browser, until: time)
      browser.handle(.key(key), at: time)
    }
    play(browser, until: time + max(0, seconds))
    return picture(of: browser)
  }

  /// Shows every frame until a time, as a terminal would: what one frame brings about, the next one finds done.
  private func play(_ browser: Browser, until time: Double) {
    while let due = browser.stage.nextFrameTime, due < time {
      _ = browser.stage.tick(at: min(time, max(due, browser.stage.now + 1.0 / 60)))
    }
    _ = browser.stage.tick(at: time)
  }
}
