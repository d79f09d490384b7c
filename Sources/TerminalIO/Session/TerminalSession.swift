import CTerminal
public import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The whole screen of a terminal, from ``open(_:environment:handler:)`` to ``close()``.
///
/// ```swift
/// let session = try TerminalSession.open { session, event in
///   switch event {
///   case .input(.key(let key), _) where key.key == .character("q"): session.close()
///   case .frameDue(let moment): session.present(frame(at: moment))
///   …
///   }
/// }
/// session.present(firstFrame)
/// ```
///
/// Nothing here waits for the terminal: events come to the handler on the main actor, and frames leave as the terminal
/// takes them. Whatever ends the program (quit, an error, a signal, a crash) gives the terminal back as it was, and
/// stopping it (Control+Z) does so for as long as it is stopped. One session can be open at a time in a process, and it
/// lives until it is closed.
@MainActor
public final class TerminalSession {
  /// Receives what happens, on the main actor.
  public typealias Handler = @MainActor (TerminalSession, TerminalEvent) -> Void

  /// Columns and rows of the terminal now.
  public private(set) var size: CellSize
  /// What is known about the terminal now.
  public private(set) var capabilities: Capabilities
  /// Whether the session is open.
  public internal(set) var isOpen = false
  /// Whether inputs have arrived after the event that is being handled. A frame that does not show them yet is not worth
  /// making: they follow at once, and the last of them finds this `false`. So does one of them now and then in a long
  /// burst.
  public private(set) var hasWaitingInput = false

  /// The session that is open. It lives until it is closed, also without other references.
  static var current: TerminalSession?

  let device: TerminalDevice
  let options: TerminalOptions
  let environment: Environment
  let modes: TerminalModes
  let handler: Handler
  var output: OutputQueue
  var loop: TerminalEventLoop?
  var recorder: AsciicastRecorder?
  /// Why the recording that was asked for ended before the session did; `nil` where it did not.
  public internal(set) var recordingFailure: TerminalError?
  /// The colour that the page was given; `nil` where it has the terminal's own.
  var page: Colour?
  var hasAsked = false
  var askedAt: Double?
  /// When the questions of the start had been written.
  var questionsSent = 0.0
  /// How many answers to DA1 and DSR were taken.
  var answersTaken = 0
  /// How many questions (DSR) followed frames, and how many of them were answered.
  var (frameQuestions, frameAnswers) = (0, 0)
  var frameRequest: Double?
  var owedFrame: Double?
  var continuesSeen: Int32 = 0

  /// Takes the whole screen. What the terminal can do is asked now and answered later, as ``TerminalEvent``s; the first
  /// frame can be presented at once.
  ///
  /// - Parameters:
  ///   - options: What the program wishes.
  ///   - environment: Where `TERM` and its like are looked up.
  ///   - handler: Receives what happens, on the main actor, from the next time on that the main actor is free.
  /// - Throws: ``TerminalError``. The terminal is then as it was.
  public static func open(
    _ options: TerminalOptions = TerminalOptions(), environment: Environment = .process, handler: @escaping Handler
  ) throws(TerminalError) -> TerminalSession {
    guard current == nil else { throw .alreadyOpen }
    let session = try TerminalSession(
      device: TerminalDevice(), options: options, environment: environment, handler: handler)
    try session.start()
    current = session
    return session
  }

  private init(
    device: TerminalDevice, options: TerminalOptions, environment: Environment, handler: @escaping Handler
  ) {
    self.device = device
    self.options = options
    self.environment = environment
    self.handler = handler
    var known = Capabilities(environment: environment).following(options)
    known.cellPixels = device.cellPixels
    if known.font != nil, let font = ConsoleFont(of: device.descriptor) { known.font = font }
    capabilities = known
    size = device.size
    modes = TerminalModes(
      mouse: options.usesMouse ?? !capabilities.mouseDelaysEscape, title: options.title != nil)
    output = OutputQueue(encoder: FrameEncoder(size: size, features: OutputFeatures(capabilities)))
  }

  private func start() throws(TerminalError) {
    do {
      if let path = options.recordingPath {
        recorder = try AsciicastRecorder(path: path, size: size, environment: environment, now: MonotonicClock.now)
      }
      try startLoop()
      // From here on every change of size is heard; one that came before is in the size that is read now.
      size = device.size
      output.encoder.resize(to: size)
      try enter()
      isOpen = true
    } catch {
      // Nothing has been written: the terminal hears nothing of a session that did not begin.
      loop?.stop()
      closeDevice()
      throw error
    }
  }

  func startLoop() throws(TerminalError) {
    let loop = try TerminalEventLoop(device: device) { [weak self] finding, precedesInput in
      self?.hasWaitingInput = precedesInput
      self?.take(finding)
    }
    self.loop = loop
    try loop.start()
  }

  // MARK: Frames

  /// Shows a frame as soon as the terminal can take it; one that still waits is replaced.
  ///
  /// - Parameter frame: Has the size of the session; a frame of another size, made before a resize was heard of, is
  ///   dropped.
  public func present(_ frame: Frame) {
    guard isOpen, frame.surface.size == size else { return }
    fulfil(output.present(frame, now: MonotonicClock.now) { write($0) })
  }

  /// Shows a picture over the cells that it covers, behind all text, in pieces; it goes by itself when a frame changes
  /// something below it.
  ///
  /// - Returns: `false` where the line would take so long that nobody waits for it.
  @discardableResult
  public func show(_ picture: TerminalPicture) -> Bool {
    guard isOpen, Double(picture.count) <= output.rate * Self.longestPicture else { return false }
    fulfil(output.show(picture, now: MonotonicClock.now) { write($0) })
    return true
  }

  /// Seconds that sending a picture may take.
  private static let longestPicture = 4.0

  /// The cells of the pictures that are seen, or being sent.
  public var pictureCells: [CellRect] { output.pictures.all.map(\.cells) }

  /// How often pictures were taken away since the session began: after each, none is seen.
  public var pictureRemovals: Int { output.pictureRemovals }

  /// Whether pictures are still being sent.
  public var isSendingPictures: Bool { output.pictures.isSending }

  /// Takes all pictures away.
  public func hidePictures() {
    guard isOpen else { return }
    fulfil(output.hidePictures(now: MonotonicClock.now) { write($0) })
  }

  /// Asks for ``TerminalEvent/frameDue(_:)`` at a moment, in place of one asked for before.
  ///
  /// - Parameter moment: Seconds of ``MonotonicClock``; one that is past is due at once.
  public func requestFrame(at moment: Double) {
    guard isOpen else { return }
    owedFrame = nil
    frameRequest = moment
    loop?.request(.frame, at: moment)
  }

  /// Takes back what ``requestFrame(at:)`` asked for.
  public func cancelFrameRequest() {
    owedFrame = nil
    frameRequest = nil
    loop?.request(.frame, at: nil)
  }

  /// Whether a frame presented now would have to wait for the terminal.
  public var isBusy: Bool { output.isBusy }

  /// Bytes written since the session began.
  public private(set) var bytesWritten = 0

  func write(_ bytes: UnsafeRawBufferPointer) -> TerminalDevice.Outcome {
    let asks = bytes.suffix(OutputQueue.question.count).elementsEqual(OutputQueue.question)
    if asks { cterminal_answers_asked() }
    let outcome = device.write(bytes)
    if case .count(let count) = outcome {
      if asks, count == bytes.count { frameQuestions += 1 }
      bytesWritten += count
      recorder?.record(bytes[..<count], now: MonotonicClock.now)
    }
    return outcome
  }

  func fulfil(_ wish: OutputQueue.Wish) {
    if wish.writable { loop?.requestWritable() }
    loop?.request(.output, at: wish.moment)
    expectAnswers()
    if let owed = owedFrame, !output.isBusy {
      owedFrame = nil
      handler(self, .frameDue(owed))
    }
  }

  // MARK: Events

  private func take(_ finding: TerminalEventLoop.Finding) {
    guard isOpen else { return }
    switch finding {
    case .input(let event, let moment): handler(self, .input(event, at: moment))
    case .answer(let answer, let moment): take(answer, at: moment)
    case .due(.frame, let moment):
      frameRequest = nil
      // A terminal that is behind gets frames when it has caught up, and the rate of frames follows it.
      if output.isBusy { owedFrame = moment } else { handler(self, .frameDue(moment)) }
    case .due(.output, _), .writable:
      fulfil(output.advance(now: MonotonicClock.now) { write($0) })
    case .gone: handler(self, .ending(.hangup))
    case .signal(SIGWINCH): noteSize()
    case .signal(SIGTSTP): suspend()
    case .signal(SIGCONT): noteContinued()
    case .signal(let number):
      if let signal = EndingSignal(rawValue: number) { handler(self, .ending(signal)) }
    }
  }

  private func take(_ answer: TerminalAnswer, at moment: Double) {
    if answer.isCounted { answersTaken += 1 }
    if answer == .status {
      frameAnswers += 1
      fulfil(output.answered(now: moment) { write($0) })
    } else if let asked = askedAt {
      // The first answer tells how long the line itself takes.
      output.flow.noteRoundTrip(moment - asked)
      askedAt = nil
    }
    guard capabilities.learn(answer) else { return }
    capabilities = capabilities.following(options)
    if output.encoder.setFeatures(OutputFeatures(capabilities)) { repaint() }
    handler(self, .capabilities(capabilities))
  }

  func noteSize() {
    let now = device.size
    guard now != size else { return }
    size = now
    if let pixels = device.cellPixels, pixels != capabilities.cellPixels {
      capabilities.cellPixels = pixels
      handler(self, .capabilities(capabilities))
    }
    hidePictures()
    output.encoder.resize(to: size)
    recorder?.recordResize(size, now: MonotonicClock.now)
    handler(self, .input(.resize(size), at: MonotonicClock.now))
  }
}
