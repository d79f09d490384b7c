package import CourseKit
package import CoursePages
import LearningModel
package import NavigationKit
import ScreenKit
package import TerminalIO
import TextCanvas

/// The browser on a whole terminal: input goes in, frames come out, and nothing happens while nothing happens.
@MainActor package final class FullScreen {
  private var settings: Settings
  private var capabilities: Capabilities
  private let browser: Browser
  private var environment = Environment.process
  private var compositor: Compositor
  /// Two, drawn by turns: while one is drawn, the other is still needed to see what changed.
  private var frames: [Frame]
  private var turn = 0
  private var pacing: FramePacing
  /// Whether somebody did something that no frame shows yet.
  private var owesAnswer = false
  private var ending: CheckedContinuation<Void, Never>?
  /// What ended it, where it was not the learner.
  private var signal: EndingSignal?
  /// A text that is to be written in an editor, once what asked for that is through.
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
    // What a key begins is drawn at once, as it looks when one frame has passed: its beginning looks like what was there.
    browser.stage.headStart = pacing.interval
  }

  private static func frames(of size: CellSize) -> [Frame] { (0..<2).map { _ in Frame(surface: Surface(size)) } }

  /// Opens the browser, and returns when the learner leaves.
  ///
  /// - Parameters:
  ///   - settings: The settings at the start.
  ///   - recording: The file into which the session is recorded as asciicast v2; `nil` for no recording.
  ///   - environment: Where `TERM` and its like are looked up.
  ///   - first: A place to open at once; `nil` for where the learner left off.
  ///   - export: Writes the history into files; `nil` where nothing does.
  ///   - courseExport: Writes courses into files; `nil` where nothing does.
  ///   - keeper: The settings that can be changed while it runs; `nil` if none can.
  ///   - synchronising: Begins to synchronise in the background, and tells what becomes of it, on any thread; `nil` where
  ///     nothing is synchronised.
  /// - Returns: What was done as it ended, and what is not kept: lines to be said now; and the signal that ended it, which
  ///   the process shall end by once the database is closed.
  /// - Throws: `TerminalError` where there is no terminal, or a recording could not be written to its end, and what the
  ///   services throw. The terminal is then as it was.
  package static func run(
    _ settings: Settings, recording: String? = nil, navigation: NavigationService, library: CourseLibrary,
    environment: Environment = .process, opening first: PlaceName? = nil, exporting export: HistoryExport? = nil,
    exportingCourses courseExport: CourseExport? = nil, changing keeper: SettingsKeeper? = nil,
    synchronising: ((_ telling: @escaping @Sendable (SyncNews) -> Void) -> Void)? = nil
  ) async throws -> (lastWords: [String], signal: EndingSignal?) {
    let capabilities = Capabilities(environment: environment)
    let browser = Browser(
      navigation: navigation, library: library, appearance: appearance(settings, capabilities),
      size: CellSize(columns: 80, rows: 24), options: settings)
    browser.stage.clock = { MonotonicClock.now }
    // Without this the time is 0 until the first frame, which would end every notice of `begin`.
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
    await withCheckedContinuation { screen.ending = $0 }
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

  /// Whether the answer would matter: where pictures are drawn, and not said to be half blocks.
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
      // The last of the inputs that wait draws.
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
    ending?.resume()
    ending = nil
  }

  /// Applies the appearance of changed settings.
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

  /// Whether a key stops the program until the shell continues it, as Control and Z do wherever a terminal is not raw.
  private static func stops(_ key: KeyEvent) -> Bool {
    key.key == .character("z") && key.modifiers == .control && key.phase != .release
  }

  /// Before the first frame, and while the program stood still, nothing was in view.
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

  /// Draws the answer to an input now, unless the last frame was a moment ago; requests a later frame for everything
  /// else. Inputs that have arrived are handled before.
  private func schedule(on session: TerminalSession) {
    guard !session.hasWaitingInput else { return }
    pictures.lookAgain(on: session)
    guard let due = browser.stage.nextFrameTime else {
      owesAnswer = false
      return session.cancelFrameRequest()
    }
    let now = MonotonicClock.now
    // What will happen later answers no event.
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

/// When frames are drawn: what moves by itself on an even grid of moments, what answers somebody at once.
///
/// A frame that comes late does not move the grid, so frames of a motion are even on average, however late the system
/// wakes a program; and an answer between two frames of a motion delays neither.
struct FramePacing {
  /// Seconds from one frame of a motion to the next.
  let interval: Double
  /// Seconds between any two frames at least. Nobody sees more, however fast keys repeat and wheels turn.
  let leastGap: Double
  /// The moment of the grid that was reached last.
  private var beat = -Double.infinity
  /// When the last frame was drawn, in a motion or between.
  private var drawnAt = -Double.infinity

  /// Begins with nothing drawn.
  ///
  /// - Parameter rate: Frames a second of what moves by itself, from 1.
  init(rate: Int) {
    interval = 1 / Double(max(1, rate))
    leastGap = min(1.0 / 240, interval / 4)
  }

  /// The moment to draw a frame at that no input asked for.
  ///
  /// - Parameter due: From when on there is something new to see.
  func momentOfMotion(dueAt due: Double) -> Double {
    let next = max(due, beat + interval)
    return next < drawnAt + leastGap ? next + interval : next
  }

  /// The moment to draw a frame at that answers somebody.
  ///
  /// - Parameter due: From when on there is something new to see.
  func momentOfAnswer(dueAt due: Double) -> Double { max(due, drawnAt + leastGap) }

  /// Notes that a frame was drawn.
  mutating func drew(at now: Double) {
    drawnAt = max(drawnAt, now)
    let beats = ((now - beat) / interval).rounded(.down)
    if beats > 2 { beat = now } else if beats > 0 { beat += beats * interval }
  }
}
