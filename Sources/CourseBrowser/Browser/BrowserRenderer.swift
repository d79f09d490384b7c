package import CourseKit
package import CoursePages
import Foundation
import LearningModel
package import NavigationKit
package import ScreenKit
package import TextCanvas

/// Renders the browser without a terminal: a place, an overlay, or a frame of a transition.
///
/// Rendering does not record any steps. The exception is ``surface(of:pressing:after:)``.
@MainActor package struct BrowserRenderer {
  let navigation: NavigationService
  let library: CourseLibrary
  /// The theme and the symbols.
  package var appearance: Appearance
  /// The size of the rendered screen in cells.
  package var size: CellSize
  /// How much motion is shown.
  package var motion = MotionPreference.full

  /// Creates a renderer.
  package init(navigation: NavigationService, library: CourseLibrary, appearance: Appearance, size: CellSize) {
    self.navigation = navigation
    self.library = library
    self.appearance = appearance
    self.size = size
  }

  /// An overlay, or a tab other than Learn, that can be rendered.
  package enum Overlay: String, CaseIterable, Sendable {
    /// The list of keys.
    case help
    /// The details of the place, or of its selected card.
    case info
    /// The command palette.
    case palette
    /// The form that adds a course.
    case add
    /// The Find tab.
    case find
    /// The History tab.
    case history
    /// The Review tab.
    case review
  }

  /// Renders an overlay on a place, or a tab.
  ///
  /// - Parameters:
  ///   - place: The place below the overlay.
  ///   - overlay: The overlay or tab to show.
  ///   - fraction: The progress of the transition to the overlay or tab, 0…1.
  /// - Throws: Errors of the services.
  package func surface(of place: PlaceName, showing overlay: Overlay, at fraction: Double = 1) throws -> Surface {
    let browser = browser()
    try browser.steps.show(try navigation.step(from: "/", to: place), animated: false)
    _ = browser.stage.tick(at: 0)
    show(overlay, in: browser)
    let duration =
      (browser.openPages.root.overlay?.transitionCoordinator ?? browser.openPages.tabs.transitionCoordinator)?
      .transitionDuration ?? 0
    if fraction >= 1 { browser.stage.settleAnimations() } else { _ = browser.stage.tick(at: duration * fraction) }
    return snapshot(of: browser)
  }

  /// Renders a place, or a frame of the transition from it to another place.
  ///
  /// - Parameters:
  ///   - place: The place at the start.
  ///   - target: The destination of the transition, or `nil` for none.
  ///   - fraction: The progress of the transition, 0…1.
  /// - Throws: Errors of the services.
  package func surface(of place: PlaceName, to target: PlaceName? = nil, at fraction: Double = 0) throws -> Surface {
    let browser = browser()
    try browser.steps.show(try navigation.step(from: "/", to: place), animated: false)
    _ = browser.stage.tick(at: 0)
    if let target {
      let interaction = PercentDrivenInteractiveTransition()
      browser.steps.transitions.interactiveTransition = interaction
      try browser.steps.show(try navigation.step(from: place, to: target), animated: true)
      // If motion is off, or the target is the place itself, no transition starts.
      if interaction.state == .interactive {
        interaction.update(fraction)
        if fraction >= 1 { interaction.finish() }
      }
      if fraction >= 1 { browser.stage.settleAnimations() }
    }
    return snapshot(of: browser)
  }

  func browser() -> Browser {
    var options = Settings()
    options.motion = motion
    return Browser(navigation: navigation, library: library, appearance: appearance, size: size, options: options)
  }

  func snapshot(of browser: Browser) -> Surface {
    var compositor = Compositor(fading: appearance.theme.fading, levels: .four)
    return compositor.compose(browser.stage.tick(at: browser.stage.now), size: size).surface
  }
}

extension BrowserRenderer {
  private func show(_ overlay: Overlay, in browser: Browser) {
    let command: Command =
      switch overlay {
      case .help: .help
      case .info: .info
      case .palette: .showPalette
      case .add: .add
      case .find: .tab(1)
      case .history: .tab(2)
      case .review: .tab(3)
      }
    browser.context.perform(command)
  }
}

extension Stage {
  /// Advances the clock until all animations have ended, at most ten seconds.
  fileprivate func settleAnimations() {
    let end = now + 10
    while let due = nextFrameTime, due < end { _ = tick(at: max(due, now + 0.02)) }
  }
}

/// Renders the result of key presses.
///
/// The keys are handled as in a session, and their effects are written. To leave the database unchanged, pass services
/// that use a copy of it.
extension BrowserRenderer {
  /// A key, and the time in seconds since the key before it or since the beginning of the session.
  package struct TimedKey: Sendable {
    package var key: KeyEvent
    package var delay: Double

    /// The default delay, long enough for every animation to end.
    package static let usualDelay = 1.0

    /// Creates a key.
    package init(_ key: KeyEvent, delay: Double = Self.usualDelay) { (self.key, self.delay) = (key, delay) }
  }

  /// Renders the screen some time after the last of several keys.
  ///
  /// - Parameters:
  ///   - place: The place at which the session begins.
  ///   - keys: The keys to press.
  ///   - seconds: The time after the last key. Negative values count as 0.
  /// - Throws: Errors of the services.
  package func surface(of place: PlaceName, pressing keys: [TimedKey], after seconds: Double) throws -> Surface {
    let browser = browser()
    try browser.begin(at: place)
    play(browser, pressing: keys, after: seconds)
    return snapshot(of: browser)
  }

  /// A session as the frames that differ from the frames before them. Times are in seconds from the beginning.
  package struct Film {
    package var frames: [(time: Double, surface: Surface)] = []
    package var duration = 0.0
  }

  /// Renders a session.
  ///
  /// - Parameters: As for ``surface(of:pressing:after:)``.
  /// - Throws: Errors of the services.
  package func film(of place: PlaceName, pressing keys: [TimedKey], after seconds: Double) throws -> Film {
    let browser = browser()
    try browser.begin(at: place)
    return film(of: browser, pressing: keys, after: seconds)
  }

  /// Renders a transition to another place, or an overlay or tab that opens, with a second before and after it.
  ///
  /// - Throws: Errors of the services.
  package func film(of place: PlaceName, to target: PlaceName?, showing overlay: Overlay?) throws -> Film {
    let browser = browser()
    try browser.steps.show(try navigation.step(from: "/", to: place), animated: false)
    var film = film(of: browser, pressing: [], after: TimedKey.usualDelay)
    if let target { try browser.steps.show(try navigation.step(from: place, to: target), animated: true) }
    if let overlay { show(overlay, in: browser) }
    let change = self.film(of: browser, pressing: [], after: TimedKey.usualDelay, from: film.duration)
    film.frames += change.frames
    film.duration = change.duration
    return film
  }

  private func film(
    of browser: Browser, pressing keys: [TimedKey], after seconds: Double, from start: Double = 0
  ) -> Film {
    var film = Film()
    film.duration = play(browser, pressing: keys, after: seconds, from: start) { time in
      let (time, surface) = ((time * Self.framesPerSecond).rounded(.down) / Self.framesPerSecond, snapshot(of: browser))
      // The last of several frames that are too close to each other is kept, because it can be the end of an animation.
      if film.frames.last?.time == time { film.frames.removeLast() }
      if film.frames.last?.surface != surface { film.frames.append((time, surface)) }
    }
    return film
  }

  /// The maximum number of frames of a film in a second.
  private static let framesPerSecond = 25.0

  /// Presses keys. All frames are drawn, as in a terminal, because a frame can start work whose result the next frame
  /// shows.
  ///
  /// - Parameter eachFrame: Is called with the time of each frame.
  /// - Returns: The time of the last frame.
  @discardableResult
  private func play(
    _ browser: Browser, pressing keys: [TimedKey], after seconds: Double, from start: Double = 0,
    eachFrame: (Double) -> Void = { _ in }
  ) -> Double {
    var time = start
    func advance(by seconds: Double) {
      time += max(0, seconds)
      while let due = browser.stage.nextFrameTime, due < time {
        _ = browser.stage.tick(at: min(time, max(due, browser.stage.now + 1.0 / 60)))
        eachFrame(browser.stage.now)
      }
      _ = browser.stage.tick(at: time)
      eachFrame(time)
    }
    advance(by: 0)
    for key in keys {
      advance(by: key.delay)
      browser.handle(.key(key.key), at: time)
    }
    advance(by: seconds)
    return time
  }
}
