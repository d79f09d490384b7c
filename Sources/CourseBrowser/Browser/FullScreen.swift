package import CourseKit
package import CoursePages
import Exercises
import LearningModel
package import NavigationKit
import ScreenKit
package import TerminalIO
import TextCanvas

/// The browser in full-screen mode on a terminal: passes input to ``Browser`` and draws frames.
///
/// Event-driven: no timer runs while the screen is idle.
@MainActor package final class FullScreen {
  private var settings: Settings
  private var capabilities: Capabilities
  private let browser: Browser
  private var environment = TerminalEnvironment.process
  private var compositor: Compositor
  /// Two frames that are used alternately. The previous frame is needed to encode the difference to the new one.
  private var frames: [Frame]
  private var frameIndex = 0
  private var pacing: FramePacing
  /// Whether an input was handled and no frame has been drawn since.
  private var hasUnansweredInput = false
  /// The signal that ended the browser, or `nil` if the learner quit.
  private var signal: EndingSignal?
  /// Uses the terminal after the current event is handled, for example with an editor, and returns the change to make
  /// afterwards.
  private var terminalUse: (() -> () -> Void)?
  private var imageEncoding: ImagePresenter.Encoding?
  private lazy var imagePresenter = ImagePresenter(
    browser.context, visibleImages: { [overlays = browser.overlays] in overlays.visibleImages }
  ) { [weak self] in self?.imageEncoding }

  private init(browser: Browser, settings: Settings, capabilities: Capabilities, size: CellSize) {
    self.browser = browser
    self.settings = settings
    self.capabilities = capabilities
    let theme = browser.context.appearance.theme
    compositor = Compositor(fading: theme.fading, levels: .four)
    compositor.page = theme.pageToPaint(onDark: capabilities.isDark)
    frames = Self.frames(of: size)
    pacing = FramePacing(rate: settings.frameRate)
    // The response to a key is drawn at once. It shows the state of animations one frame after their start, because
    // their first frame does not differ from the previous screen.
    browser.stage.headStart = pacing.interval
  }

  private static func frames(of size: CellSize) -> [Frame] { (0..<2).map { _ in Frame(surface: Surface(size)) } }

  /// Runs the browser until the learner quits or a signal arrives.
  ///
  /// - Parameters:
  ///   - settings: The settings at the start.
  ///   - recording: The file into which the session is recorded as asciicast v2, or `nil` for no recording.
  ///   - environment: The source of `TERM` and related variables.
  ///   - place: The place to open, or `nil` for the place where the last session ended.
  ///   - query: Words in the text of the place, which is shown at their best match.
  ///   - export: Writes the history to files, or `nil` if this is not available.
  ///   - courseExport: Writes courses to files, or `nil` if this is not available.
  ///   - settingsStore: The settings that can be changed while the browser runs, or `nil` if they cannot be changed.
  ///   - isUnprotectedAllowed: Whether checks of exercises may run if the system does not confine them, or as root.
  ///   - lossReason: Why the learner's changes are lost at the end, or `nil` if they are kept.
  ///   - manual: The manual, which uses the terminal while it is open, or `nil` if it is not available.
  ///   - synchronising: Starts synchronisation in the background. It may call its argument on any thread. `nil` if
  ///     synchronisation is off.
  /// - Returns: Lines to print about the last changes and about changes that could not be saved, and the signal that
  ///   ended the session. After the database is closed, the process must end itself with that signal.
  /// - Throws: `TerminalError` if there is no terminal or the recording could not be completed, and errors of the
  ///   services. The terminal is restored before an error is thrown.
  package static func run(
    _ settings: Settings, recording: String? = nil, navigation: NavigationService, library: CourseLibrary,
    environment: TerminalEnvironment = .process, opening place: PlaceName? = nil,
    matching query: String? = nil, reviewing review: ReviewRequest? = nil,
    exporting export: HistoryExport? = nil, exportingCourses courseExport: CourseExport? = nil,
    changing settingsStore: SettingsStore? = nil, checkingUnprotected isUnprotectedAllowed: Bool = false,
    losingChanges lossReason: String? = nil, manual: Manual? = nil,
    synchronising: ((_ telling: @escaping @Sendable (SyncEvent) -> Void) -> Void)? = nil
  ) async throws -> (lastWords: [String], signal: EndingSignal?) {
    let capabilities = Capabilities(environment: environment)
    let browser = Browser(
      navigation: navigation, library: library, appearance: appearance(settings, capabilities),
      size: CellSize(columns: 80, rows: 24), options: settings)
    browser.stage.clock = { MonotonicClock.now }
    // Without this, the time would be 0 until the first frame, and every notice that `begin` shows would expire in that
    // frame.
    browser.stage.advance(to: MonotonicClock.now)
    browser.context.runInBackground = .onThreads
    (browser.context.export, browser.context.courseExport) = (export, courseExport)
    (browser.context.settings, browser.context.lossReason) = (settingsStore, lossReason)
    browser.context.isUnprotectedAllowed = isUnprotectedAllowed
    browser.context.editor = WorkEditor(setting: settings.editor) { environment[$0] }
    try browser.begin(at: place, matching: query, reviewing: review)
    let screen = FullScreen(browser: browser, settings: settings, capabilities: capabilities, size: browser.stage.size)
    screen.environment = environment
    let session = try TerminalSession.open(
      TerminalOptions(
        colourDepth: settings.colour, usesMouse: settings.usesMouse, usesHyperlinks: settings.usesHyperlinks,
        queriesImageSupport: needsImageQuery(settings, capabilities), title: "Waymark",
        recordingPath: recording),
      environment: environment
    ) { session, event in
      screen.handle(event, from: session)
    }
    browser.context.onChange = { [weak screen, weak session] in
      guard let screen, let session else { return }
      screen.hasUnansweredInput = true
      screen.schedule(on: session)
    }
    let importObserver = library.followImports { [weak browser] in
      browser?.stage.advance(to: MonotonicClock.now)
      browser?.steps.followImport()
    }
    defer { withExtendedLifetime(importObserver) {} }
    browser.context.onSettings = { [weak screen] in screen?.apply($0) }
    browser.context.onCopy = { [weak session] in session?.copy($0) ?? false }
    browser.context.onTerminal = { [weak screen] in screen?.terminalUse = $0 }
    browser.context.onEdit = { [weak screen] text, done in
      screen?.terminalUse = {
        let result = TextEditor(environment: environment).edit(text)
        return { done(result) }
      }
    }
    browser.context.manual = manual.map { manual in
      Manual(pages: manual.pages) { [weak screen, weak browser] page in
        screen?.terminalUse = {
          let isShown = manual.open(page)
          let isPage = page.isEmpty || manual.pages.contains { $0.name == page }
          return {
            guard !isShown, let context = browser?.context else { return }
            context.notify(
              isPage
                ? "Could not show the manual. Run 'waymark manual'."
                : "Could not find \(context.appearance.symbols.quotes.around(page)) in the manual.", .warn)
          }
        }
        return true
      }
    }
    browser.context.onOpen = { SystemOpener.open($0, environment: environment) }
    browser.context.canOpen = { SystemOpener.command(for: $0, environment: environment) != nil }
    screen.resize(to: session.size)
    screen.becomeVisible()
    screen.draw(on: session, at: MonotonicClock.now)
    synchronising?(browser.syncHandler())
    try await session.closed()
    if let failure = session.recordingFailure { throw failure }
    return (browser.closingMessages, screen.signal)
  }

  private static func appearance(_ settings: Settings, _ capabilities: Capabilities) -> Appearance {
    let pageAppearance = settings.theme ?? capabilities.isDark.map { $0 ? .dark : .light } ?? .unknown
    let isAscii = settings.usesAscii ?? (!capabilities.drawsAllCharacters || capabilities.ambiguousWidth != 1)
    return Appearance(
      theme: Theme(
        colourDepth: settings.colour ?? capabilities.colourDepth, pageAppearance: pageAppearance,
        customColours: settings.colours ?? CustomColours()),
      symbols: isAscii ? .ascii : .unicode,
      imageCellSize: settings.pictures == ImageRenderingMode.none
        ? nil : capabilities.cellPixels ?? ImageStyle.usualCell,
      measure: settings.width)
  }

  /// Returns whether to query the terminal for image protocols. It is queried only if images are drawn and the setting
  /// does not require half blocks.
  private static func needsImageQuery(_ settings: Settings, _ capabilities: Capabilities) -> Bool {
    settings.pictures != .blocks && appearance(settings, capabilities).imageStyle(rows: 1) != .frames
  }

  /// Returns how images are shown on a terminal.
  package static func imageMode(_ settings: Settings, _ capabilities: Capabilities) -> ImageRenderingMode {
    guard appearance(settings, capabilities).imageStyle(rows: 1) != .frames else { return .none }
    return switch ImagePresenter.Encoding(settings.pictures, capabilities) {
    case .kitty: .kitty
    case .sixel: .sixel
    case nil: .blocks
    }
  }

  // MARK: - Events

  private func handle(_ event: TerminalEvent, from session: TerminalSession) {
    if case .input = event {
      hasUnansweredInput = true
      imagePresenter.inputDidArrive(on: session)
    }
    switch event {
    case .input(.resize(let size), let time):
      browser.stage.advance(to: time)
      resize(to: size)
    case .input(.key(let key), let time) where Self.stops(key):
      browser.stage.advance(to: time)
      session.suspend()
    case .input(let event, let time):
      browser.handle(event, at: time)
    case .frameDue(let time):
      // If more input is waiting, the frame is drawn only after all input has been handled.
      guard !session.hasWaitingInput else { return }
      draw(on: session, at: max(time, MonotonicClock.now))
      return
    case .capabilities(let capabilities):
      self.capabilities = capabilities
      showAppearance()
    case .resumed:
      becomeVisible()
      compositor.reset()
      draw(on: session, at: MonotonicClock.now)
      return
    case .ending(let signal):
      self.signal = signal
      end(session)
      return
    }
    if let use = terminalUse {
      terminalUse = nil
      let change = session.yieldTerminal(use)
      browser.stage.advance(to: MonotonicClock.now)
      browser.context.performWithoutInput(change)
    }
    if browser.isFinished {
      end(session)
    } else {
      schedule(on: session)
      if case .input = event { browser.noteInput() }
    }
  }

  private func end(_ session: TerminalSession) {
    browser.close()
    session.close()
  }

  /// Applies the changed settings that affect the appearance.
  private func apply(_ settings: Settings) {
    self.settings = settings
    showAppearance()
  }

  private func showAppearance() {
    let appearance = Self.appearance(settings, capabilities)
    let drawsFrames = appearance.imageStyle(rows: 1) == .frames
    imageEncoding = drawsFrames ? nil : ImagePresenter.Encoding(settings.pictures, capabilities)
    browser.show(appearance)
    browser.context.distinguishesAlt = capabilities.hasKittyKeyboard
    compositor.fading = appearance.theme.fading
    compositor.page = appearance.theme.pageToPaint(onDark: capabilities.isDark)
  }

  /// Returns whether a key is Control-Z. The program must handle this key itself, because raw mode prevents the
  /// terminal driver from suspending the process.
  private static func stops(_ key: KeyEvent) -> Bool {
    key.key == .character("z") && key.modifiers == .control && key.phase != .release
  }

  /// Reports to the browser that the terminal lost the focus and has regained it. Nothing was visible before the first
  /// frame or while the program was suspended.
  private func becomeVisible() {
    browser.handle(.focus(false), at: browser.stage.now)
    browser.handle(.focus(true), at: MonotonicClock.now)
  }

  private func resize(to size: CellSize) {
    browser.stage.resize(to: size)
    frames = Self.frames(of: size)
    compositor.reset()
  }

  // MARK: - Frames

  /// Draws the response to an input at once, unless the last frame was drawn very recently. For all other changes,
  /// requests a later frame. Pending input is handled before a frame is drawn.
  private func schedule(on session: TerminalSession) {
    guard !session.hasWaitingInput else { return }
    imagePresenter.refresh(on: session)
    guard let due = browser.stage.nextFrameTime else {
      hasUnansweredInput = false
      return session.cancelFrameRequest()
    }
    let now = MonotonicClock.now
    // If the next change is due later than now, its frame is not a response to this input.
    let time =
      hasUnansweredInput && due <= now ? pacing.responseFrameTime(dueAt: due) : pacing.animationFrameTime(dueAt: due)
    if time <= now, !session.isBusy { draw(on: session, at: now) } else { session.requestFrame(at: time) }
  }

  private func draw(on session: TerminalSession, at time: Double) {
    let tree = browser.stage.tick(at: time)
    if compositor.composeIfChanged(tree, into: &frames[frameIndex]) {
      session.present(frames[frameIndex])
      frameIndex = 1 - frameIndex
    }
    hasUnansweredInput = false
    pacing.frameWasDrawn(at: time)
    imagePresenter.refresh(on: session)
    if let due = browser.stage.nextFrameTime {
      session.requestFrame(at: pacing.animationFrameTime(dueAt: due))
    } else {
      session.cancelFrameRequest()
    }
  }
}

/// Schedules frames: animations on an even time grid, responses to input at once.
///
/// A late frame does not shift the grid, so the average frame rate of an animation stays constant even if the system
/// wakes the process late. A response between two frames of an animation does not delay either of them.
struct FramePacing {
  /// Seconds between two frames of an animation.
  let interval: Double
  /// The minimum time between any two frames, in seconds. It limits the work during fast key repeat and scrolling.
  let minimumInterval: Double
  /// The last grid point that was reached.
  private var lastGridTime = -Double.infinity
  /// The time at which the last frame of any kind was drawn.
  private var drawnAt = -Double.infinity

  /// Creates a scheduler for a screen on which no frame has been drawn yet.
  ///
  /// - Parameter rate: The frame rate of animations in frames per second, at least 1.
  init(rate: Int) {
    interval = 1 / Double(max(1, rate))
    minimumInterval = min(1.0 / 240, interval / 4)
  }

  /// Returns the time at which to draw the next frame of an animation.
  ///
  /// - Parameter due: The earliest time at which there is something new to draw.
  func animationFrameTime(dueAt due: Double) -> Double {
    let next = max(due, lastGridTime + interval)
    return next < drawnAt + minimumInterval ? next + interval : next
  }

  /// Returns the time at which to draw the response to an input.
  ///
  /// - Parameter due: The earliest time at which there is something new to draw.
  func responseFrameTime(dueAt due: Double) -> Double { max(due, drawnAt + minimumInterval) }

  /// Records that a frame was drawn.
  mutating func frameWasDrawn(at now: Double) {
    drawnAt = max(drawnAt, now)
    let intervals = ((now - lastGridTime) / interval).rounded(.down)
    if intervals > 2 { lastGridTime = now } else if intervals > 0 { lastGridTime += intervals * interval }
  }
}
