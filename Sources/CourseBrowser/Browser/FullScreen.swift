package import CourseKit
package import CoursePages
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
  /// Two frames used in turn: the previous one is needed to encode the difference.
  private var frames: [Frame]
  private var turn = 0
  private var pacing: FramePacing
  /// Whether an input has been handled that no frame shows yet.
  private var owesAnswer = false
  /// What ended it, where it was not the learner.
  private var signal: EndingSignal?
  /// A text to edit in an external editor after the current event is handled.
  private var edit: (text: String, done: (Result<String, TextEditor.Failure>) -> Void)?
  private var pictureEncoding: PicturePresenter.PictureEncoding?
  private lazy var pictures = PicturePresenter(
    browser.context, picturesInView: { [overlays = browser.overlays] in overlays.picturesInView }
  ) { [weak self] in self?.pictureEncoding }

  private init(browser: Browser, settings: Settings, capabilities: Capabilities, size: CellSize) {
    self.browser = browser
    self.settings = settings
    self.capabilities = capabilities
    compositor = Compositor(fading: browser.context.appearance.theme.fading, levels: .four)
    frames = Self.frames(of: size)
    pacing = FramePacing(rate: settings.frameRate)
    // A response to a key is drawn at once, as it looks after one frame: the first frame of an animation looks like no
    // change.
    browser.stage.headStart = pacing.interval
  }

  private static func frames(of size: CellSize) -> [Frame] { (0..<2).map { _ in Frame(surface: Surface(size)) } }

  /// Runs the browser until the learner quits or a signal arrives.
  ///
  /// - Parameters:
  ///   - settings: The settings at the start.
  ///   - recording: The file into which the session is recorded as asciicast v2, or `nil` for no recording.
  ///   - environment: The source of `TERM` and related variables.
  ///   - first: The place to open, or `nil` for the place where the last session ended.
  ///   - export: Writes the history into files, or `nil` if that is not available.
  ///   - courseExport: Writes courses into files, or `nil` if that is not available.
  ///   - keeper: The settings that can be changed while the browser runs, or `nil` if none can.
  ///   - synchronising: Starts synchronisation in the background. It may call its argument on any thread. `nil` if
  ///     synchronisation is off.
  /// - Returns: Lines to print about the last changes and unsaved ones, and the signal that ended the session. The
  ///   process must end with that signal after the database is closed.
  /// - Throws: `TerminalError` if there is no terminal or the recording could not be completed, and errors of the
  ///   services. The terminal is restored before.
  package static func run(
    _ settings: Settings, recording: String? = nil, navigation: NavigationService, library: CourseLibrary,
    environment: TerminalEnvironment = .process, opening first: PlaceName? = nil,
    exporting export: HistoryExport? = nil, exportingCourses courseExport: CourseExport? = nil,
    changing keeper: SettingsKeeper? = nil,
    synchronising: ((_ telling: @escaping @Sendable (SyncNews) -> Void) -> Void)? = nil
  ) async throws -> (lastWords: [String], signal: EndingSignal?) {
    let capabilities = Capabilities(environment: environment)
    let browser = Browser(
      navigation: navigation, library: library, appearance: appearance(settings, capabilities),
      size: CellSize(columns: 80, rows: 24), options: settings)
    browser.stage.clock = { MonotonicClock.now }
    // Otherwise the time is 0 until the first frame, and every notice that `begin` shows would expire in that frame.
    browser.stage.advance(to: MonotonicClock.now)
    browser.context.inBackground = .onThreads
    (browser.context.export, browser.context.courseExport) = (export, courseExport)
    browser.context.settings = keeper
    try browser.begin(at: first)
    let screen = FullScreen(browser: browser, settings: settings, capabilities: capabilities, size: browser.stage.size)
    screen.environment = environment
    let session = try TerminalSession.open(
      TerminalOptions(
        colourDepth: settings.colour, usesMouse: settings.usesMouse, usesHyperlinks: settings.usesHyperlinks,
        asksAboutPictures: asksAboutPictures(settings, capabilities), title: "Waymark",
        recordingPath: recording),
      environment: environment
    ) { session, event in
      screen.take(event, from: session)
    }
    browser.context.onChange = { [weak screen, weak session] in
      guard let screen, let session else { return }
      screen.owesAnswer = true
      screen.schedule(on: session)
    }
    let following = library.followImports { [weak browser] in
      browser?.stage.advance(to: MonotonicClock.now)
      browser?.steps.followImport()
    }
    defer { withExtendedLifetime(following) {} }
    browser.context.onSettings = { [weak screen, weak session] in if let session { screen?.take($0, on: session) } }
    browser.context.onCopy = { [weak session] in session?.copy($0) ?? false }
    browser.context.onEdit = { [weak screen] in screen?.edit = ($0, $1) }
    browser.context.onOpen = { SystemOpener.open($0, environment: environment) }
    screen.resize(to: session.size)
    screen.comeIntoView()
    screen.draw(on: session, at: MonotonicClock.now)
    synchronising?(browser.hearing())
    try await session.closed()
    if let failure = session.recordingFailure { throw failure }
    return (browser.lastWords, screen.signal)
  }

  private static func appearance(_ settings: Settings, _ capabilities: Capabilities) -> Appearance {
    let tone = settings.theme ?? capabilities.isDark.map { $0 ? .dark : .light } ?? .unknown
    let isAscii = settings.usesAscii ?? (!capabilities.drawsAllCharacters || capabilities.ambiguousWidth != 1)
    return Appearance(
      theme: Theme(
        depth: settings.colour ?? capabilities.colourDepth, tone: tone, own: settings.colours ?? OwnColours()),
      symbols: isAscii ? .ascii : .unicode,
      pictureCell: settings.pictures == PictureWay.none ? nil : capabilities.cellPixels ?? PictureStyle.usualCell,
      measure: settings.width)
  }

  /// Whether the terminal is queried for image protocols: only if images are drawn, and not set to half blocks.
  private static func asksAboutPictures(_ settings: Settings, _ capabilities: Capabilities) -> Bool {
    settings.pictures != .blocks && appearance(settings, capabilities).pictures(rows: 1) != .frames
  }

  // MARK: - Events

  private func take(_ event: TerminalEvent, from session: TerminalSession) {
    if case .input = event {
      owesAnswer = true
      pictures.inputCame(on: session)
    }
    switch event {
    case .input(.resize(let size), let moment):
      browser.stage.advance(to: moment)
      resize(to: size)
    case .input(.key(let key), let moment) where Self.stops(key):
      browser.stage.advance(to: moment)
      session.suspend()
    case .input(let event, let moment):
      browser.handle(event, at: moment)
    case .frameDue(let moment):
      // A frame is drawn after the last pending input.
      guard !session.hasWaitingInput else { return }
      draw(on: session, at: max(moment, MonotonicClock.now))
      return
    case .capabilities(let capabilities):
      self.capabilities = capabilities
      showAppearance(on: session)
    case .resumed:
      comeIntoView()
      compositor.forgetPrevious()
      draw(on: session, at: MonotonicClock.now)
      return
    case .ending(let signal):
      self.signal = signal
      end(session)
      return
    }
    if let edit {
      self.edit = nil
      let editor = TextEditor(environment: environment)
      let result = session.lend { editor.edit(edit.text) }
      browser.stage.advance(to: MonotonicClock.now)
      browser.context.besideInput { edit.done(result) }
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

  /// Applies changed settings that concern the appearance.
  private func take(_ settings: Settings, on session: TerminalSession) {
    self.settings = settings
    showAppearance(on: session)
  }

  private func showAppearance(on session: TerminalSession) {
    let appearance = Self.appearance(settings, capabilities)
    let drawsFrames = appearance.pictures(rows: 1) == .frames
    pictureEncoding = drawsFrames ? nil : PicturePresenter.PictureEncoding(settings.pictures, capabilities)
    browser.show(appearance)
    compositor.fading = browser.context.appearance.theme.fading
    let page = appearance.theme.ownPage(onDark: capabilities.isDark)
    session.paintPage(page.map { Colour.hex($0) })
  }

  /// Whether a key is Control-Z. It suspends the program, which raw mode does not do by itself.
  private static func stops(_ key: KeyEvent) -> Bool {
    key.key == .character("z") && key.modifiers == .control && key.phase != .release
  }

  /// Reports a focus loss and a new focus: before the first frame and while suspended, nothing was visible.
  private func comeIntoView() {
    browser.handle(.focus(false), at: browser.stage.now)
    browser.handle(.focus(true), at: MonotonicClock.now)
  }

  private func resize(to size: CellSize) {
    browser.stage.resize(to: size)
    frames = Self.frames(of: size)
    compositor.forgetPrevious()
  }

  // MARK: - Frames

  /// Draws the response to an input at once, unless the last frame was drawn very recently. Requests a later frame for
  /// everything else. Pending input is handled first.
  private func schedule(on session: TerminalSession) {
    guard !session.hasWaitingInput else { return }
    pictures.lookAgain(on: session)
    guard let due = browser.stage.nextFrameTime else {
      owesAnswer = false
      return session.cancelFrameRequest()
    }
    let now = MonotonicClock.now
    // A frame that is due later is not a response to this input.
    let moment = owesAnswer && due <= now ? pacing.momentOfAnswer(dueAt: due) : pacing.momentOfMotion(dueAt: due)
    if moment <= now, !session.isBusy { draw(on: session, at: now) } else { session.requestFrame(at: moment) }
  }

  private func draw(on session: TerminalSession, at moment: Double) {
    let tree = browser.stage.tick(at: moment)
    if compositor.composeIfChanged(tree, into: &frames[turn]) {
      session.present(frames[turn])
      turn = 1 - turn
    }
    owesAnswer = false
    pacing.drew(at: moment)
    pictures.lookAgain(on: session)
    if let due = browser.stage.nextFrameTime {
      session.requestFrame(at: pacing.momentOfMotion(dueAt: due))
    } else {
      session.cancelFrameRequest()
    }
  }
}

/// Schedules frames: animations on an even time grid, responses to input at once.
///
/// A late frame does not shift the grid, so the frame rate of an animation stays even on average, however late the
/// system wakes the process. A response between two frames of an animation delays neither.
struct FramePacing {
  /// Seconds between two frames of an animation.
  let interval: Double
  /// The shortest time between any two frames, in seconds. It limits the work for fast key repeat and scrolling.
  let leastGap: Double
  /// The last grid point that was reached.
  private var beat = -Double.infinity
  /// When the last frame of any kind was drawn.
  private var drawnAt = -Double.infinity

  /// Creates a scheduler without any frame drawn.
  ///
  /// - Parameter rate: Frames per second of animations, at least 1.
  init(rate: Int) {
    interval = 1 / Double(max(1, rate))
    leastGap = min(1.0 / 240, interval / 4)
  }

  /// Returns when to draw the next frame of an animation.
  ///
  /// - Parameter due: The earliest time at which there is something new to draw.
  func momentOfMotion(dueAt due: Double) -> Double {
    let next = max(due, beat + interval)
    return next < drawnAt + leastGap ? next + interval : next
  }

  /// Returns when to draw the response to an input.
  ///
  /// - Parameter due: The earliest time at which there is something new to draw.
  func momentOfAnswer(dueAt due: Double) -> Double { max(due, drawnAt + leastGap) }

  /// Records that a frame was drawn.
  mutating func drew(at now: Double) {
    drawnAt = max(drawnAt, now)
    let beats = ((now - beat) / interval).rounded(.down)
    if beats > 2 { beat = now } else if beats > 0 { beat += beats * interval }
  }
}
