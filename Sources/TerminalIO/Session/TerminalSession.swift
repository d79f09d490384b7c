import CTerminal
import Foundation
public import TextCanvas
import WholeNumbers

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The full screen of a terminal, from ``open(_:environment:handler:)`` to ``close()``.
///
/// ```swift
/// let session = try TerminalSession.open { session, event in
///   switch event {
///   case .input(.key(let key), _) where key.key == .character("q"): session.close()
///   case .frameDue(let time): session.present(frame(at: time))
///   case .ending: session.close()
///   default: break
///   }
/// }
/// session.present(firstFrame)
/// try await session.closed()
/// ```
///
/// No call waits for the terminal: events are delivered to the handler on the main actor, and frames are sent as fast
/// as the terminal receives them. The terminal is restored whenever the program ends (normally, by an error, a signal
/// or a crash), and while it is stopped (Ctrl-Z). A process can have one open session; it lives until it is closed.
@MainActor
public final class TerminalSession {
  /// Receives the events of a session, on the main actor.
  public typealias Handler = @MainActor (TerminalSession, TerminalEvent) -> Void

  /// The size of the terminal. Changes are delivered as ``TerminalEvent/input(_:at:)``.
  public private(set) var size: CellSize
  /// The capabilities of the terminal. They can change until ``Capabilities/isSettled`` is `true`.
  public private(set) var capabilities: Capabilities
  /// Whether the session is open.
  public internal(set) var isOpen = false
  /// Whether more inputs have arrived after the event that is being handled. If `true`, the handler can skip a frame:
  /// the inputs follow immediately, and for the last one the value is `false`. In a burst of more than a thousand
  /// inputs, it is `false` for one in a thousand.
  public private(set) var hasWaitingInput = false

  /// The open session. It lives until it is closed, even without other references.
  static var current: TerminalSession?

  let device: TerminalDevice
  let options: TerminalOptions
  let environment: TerminalEnvironment
  let modes: TerminalModes
  let handler: Handler
  var output: OutputQueue
  var loop: TerminalEventLoop?
  var recorder: AsciicastRecorder?
  /// The reason why the recording ended before the session, or `nil` if it did not.
  public internal(set) var recordingFailure: TerminalError?
  var hasSentQueries = false
  private var queryTime: Double?
  /// The time at which the session finished writing the initial queries.
  var queriesSent = 0.0
  /// The number of replies to DA1 and DSR that were handled.
  private var repliesReceived = 0
  /// The number of queries (DSR) that followed frames, and the number of replies to them.
  var (frameQueries, frameReplies) = (0, 0)
  private var frameRequest: Double?
  private var deferredFrameTime: Double?
  private var continueCount: Int32 = 0
  /// The tasks that wait in ``closed()``, by number. A value of `true` means that the session was closed.
  private var closeWaits: [Int: CheckedContinuation<Bool, Never>] = [:]
  private var lastCloseWait = 0

  /// Opens a session on the first of these that is available: the terminal of standard output, the terminal of standard
  /// input, the controlling terminal of the process.
  ///
  /// The session queries the capabilities of the terminal. Replies are delivered as ``TerminalEvent/capabilities(_:)``.
  /// The first frame can be presented immediately.
  ///
  /// - Parameters:
  ///   - options: The options.
  ///   - environment: The variables that describe the terminal, such as `TERM`.
  ///   - handler: Receives the events on the main actor, after this method has returned.
  /// - Returns: The open session.
  /// - Throws: ``TerminalError``. The terminal is unchanged then.
  public static func open(
    _ options: TerminalOptions = TerminalOptions(), environment: TerminalEnvironment = .process,
    handler: @escaping Handler
  ) throws(TerminalError) -> TerminalSession {
    guard current == nil else { throw .alreadyOpen }
    let session = try TerminalSession(
      device: TerminalDevice(), options: options, environment: environment, handler: handler)
    try session.start()
    current = session
    return session
  }

  private init(
    device: TerminalDevice, options: TerminalOptions, environment: TerminalEnvironment, handler: @escaping Handler
  ) {
    self.device = device
    self.options = options
    self.environment = environment
    self.handler = handler
    var detected = Capabilities(environment: environment).following(options)
    detected.cellPixels = device.cellPixels
    if detected.font != nil, let font = ConsoleFont(of: device.descriptor) { detected.font = font }
    capabilities = detected
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
      // From here on, all changes of the size are reported. The size is read after that, so that no earlier change is
      // missed.
      size = device.size
      output.encoder.resize(to: size)
      try enter()
      isOpen = true
    } catch {
      // Nothing has been written yet, so the terminal need not be restored.
      loop?.stop()
      closeDevice()
      throw error
    }
  }

  func startLoop() throws(TerminalError) {
    let loop = try TerminalEventLoop(device: device) { [weak self] event, precedesInput in
      self?.hasWaitingInput = precedesInput
      self?.handle(event)
    }
    self.loop = loop
    try loop.start()
  }

  // MARK: Frames

  /// Shows a frame as soon as the terminal can receive it. It replaces a frame that is still waiting.
  ///
  /// - Parameter frame: A frame of the session's ``size``. A frame of another size is ignored.
  public func present(_ frame: Frame) {
    guard isOpen, frame.surface.size == size else { return }
    fulfil(output.present(frame, now: MonotonicClock.now) { write($0) })
  }

  /// Shows an image over the cells that it covers. It is sent in chunks after the frame, and removed when a later frame
  /// changes a cell below it.
  ///
  /// - Parameter image: The encoded image.
  /// - Returns: `false` if sending the image would take more than four seconds.
  @discardableResult
  public func show(_ image: TerminalImage) -> Bool {
    guard isOpen, Double(image.count) <= output.rate * Self.maximumImageSendTime else { return false }
    fulfil(output.show(image, now: MonotonicClock.now) { write($0) })
    return true
  }

  /// The maximum number of seconds for sending an image.
  private static let maximumImageSendTime = 4.0

  /// The cells of the images that are visible or being sent.
  package var imageCells: [CellRect] { output.images.all.map(\.cells) }

  /// The number of times that all images were removed since the session began.
  package var imageRemovalCount: Int { output.imageRemovalCount }

  /// Whether images are being sent.
  package var isSendingImages: Bool { output.images.isSending }

  /// Removes all images.
  public func hideImages() {
    guard isOpen else { return }
    fulfil(output.hideImages(now: MonotonicClock.now) { write($0) })
  }

  /// Requests ``TerminalEvent/frameDue(_:)`` at a time. Replaces an earlier request.
  ///
  /// - Parameter time: The time in seconds of ``MonotonicClock``. A time in the past is due immediately.
  public func requestFrame(at time: Double) {
    guard isOpen else { return }
    deferredFrameTime = nil
    frameRequest = time
    loop?.request(.frame, at: time)
  }

  /// Cancels the request of ``requestFrame(at:)``.
  public func cancelFrameRequest() {
    deferredFrameTime = nil
    frameRequest = nil
    loop?.request(.frame, at: nil)
  }

  /// Whether a frame that is presented now would have to wait for the terminal.
  public var isBusy: Bool { output.isBusy }

  /// The number of bytes written since the session began.
  package private(set) var bytesWritten = 0

  func write(_ bytes: UnsafeRawBufferPointer) -> TerminalDevice.Outcome {
    let asks = bytes.suffix(OutputQueue.statusQuery.count).elementsEqual(OutputQueue.statusQuery)
    if asks { cterminal_answers_asked() }
    let outcome = device.write(bytes)
    if case .count(let count) = outcome {
      if asks, count == bytes.count { frameQueries += 1 }
      bytesWritten += count
      recorder?.record(bytes[..<count], now: MonotonicClock.now)
    }
    return outcome
  }

  func fulfil(_ condition: OutputQueue.WaitCondition) {
    if condition.writable { loop?.requestWritable() }
    loop?.request(.output, at: condition.deadline)
    updatePendingReplies()
    if let frameTime = deferredFrameTime, !output.isBusy {
      deferredFrameTime = nil
      handler(self, .frameDue(frameTime))
    }
  }

  // MARK: Events

  private func handle(_ event: TerminalEventLoop.LoopEvent) {
    guard isOpen else { return }
    switch event {
    case .input(let event, let time): handler(self, .input(event, at: time))
    case .answer(let answer, let time): handle(answer, at: time)
    case .deadlineReached(.frame, let time):
      frameRequest = nil
      // If the output is delayed, the frame becomes due when the output is no longer busy. The frame rate thus adapts
      // to the terminal.
      if output.isBusy { deferredFrameTime = time } else { handler(self, .frameDue(time)) }
    case .deadlineReached(.output, _), .writable:
      fulfil(output.advance(now: MonotonicClock.now) { write($0) })
    case .disconnected: handler(self, .ending(.hangup))
    case .signal(SIGWINCH): updateSize()
    case .signal(SIGTSTP): suspend()
    case .signal(SIGCONT): handleContinue()
    case .signal(let number):
      if let signal = EndingSignal(rawValue: number) { handler(self, .ending(signal)) }
    }
  }

  private func handle(_ answer: TerminalReply, at time: Double) {
    if answer.isCounted { repliesReceived += 1 }
    if answer == .status {
      frameReplies += 1
      fulfil(output.replyArrived(now: time) { write($0) })
    } else if let sentTime = queryTime {
      // The time until the first reply is the delay of the connection.
      output.flow.recordRoundTrip(time - sentTime)
      queryTime = nil
    }
    guard capabilities.update(answer) else { return }
    capabilities = capabilities.following(options)
    if output.encoder.setFeatures(OutputFeatures(capabilities)) { repaint() }
    handler(self, .capabilities(capabilities))
  }

  func updateSize() {
    let now = device.size
    guard now != size else { return }
    size = now
    if let pixels = device.cellPixels, pixels != capabilities.cellPixels {
      capabilities.cellPixels = pixels
      handler(self, .capabilities(capabilities))
    }
    hideImages()
    output.encoder.resize(to: size)
    recorder?.recordResize(size, now: MonotonicClock.now)
    handler(self, .input(.resize(size), at: MonotonicClock.now))
  }
}

extension TerminalSession {
  /// Stops the process, as Ctrl-Z does in a shell, and restores the terminal until the process continues. Returns after
  /// ``TerminalEvent/resumed`` was delivered.
  public func suspend() {
    guard isOpen else { return }
    loop?.stop()
    leave()
    cterminal_stop_process()
    // `bg` also continues the process, while the shell still uses the terminal.
    reclaim(when: cterminal_wait_for_foreground(device.descriptor))
  }

  /// Restores the terminal while a function such as an editor runs, then takes it over again and delivers
  /// ``TerminalEvent/resumed``. The session must be open.
  ///
  /// SIGINT and SIGQUIT are ignored while the function runs.
  ///
  /// - Parameter body: Uses the terminal. It blocks the main actor.
  /// - Returns: The result of the function.
  public func yieldTerminal<Answer>(_ body: () -> Answer) -> Answer {
    loop?.stop()
    leave()
    let interrupting = [SIGINT, SIGQUIT]
    let before = interrupting.map { signal($0, SIG_IGN) }
    let answer = body()
    for (number, action) in zip(interrupting, before) { signal(number, action) }
    reclaim(when: cterminal_wait_for_foreground(device.descriptor))
    return answer
  }

  private func reclaim(when isOurs: Bool) {
    do {
      guard isOurs else { throw TerminalError.noTerminal }
      try startLoop()
      try resume()
    } catch {
      // The terminal was disconnected.
      handler(self, .ending(.hangup))
    }
  }

  /// Restores the terminal and ends the session. Has no effect on a closed session.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    loop?.stop()
    leave()
    closeDevice()
    let waiting = closeWaits.values
    closeWaits = [:]
    for wait in waiting { wait.resume(returning: true) }
  }

  /// Waits until the session is closed. Returns immediately if it is closed already. Cancelling the task ends only the
  /// wait.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the session is closed.
  public func closed() async throws(CancellationError) {
    guard isOpen else { return }
    lastCloseWait += 1
    let number = lastCloseWait
    let isClosed = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        if Task.isCancelled { continuation.resume(returning: false) } else { closeWaits[number] = continuation }
      }
    } onCancel: {
      Task { @MainActor in closeWaits.removeValue(forKey: number)?.resume(returning: false) }
    }
    if !isClosed { throw CancellationError() }
  }

  func closeDevice() {
    recordingFailure = recorder?.failure
    recorder?.close()
    recorder = nil
    if Self.current === self { Self.current = nil }
    device.release()
  }

  func enter() throws(TerminalError) {
    let ending = modes.ending
    var settings = device.original.termios
    guard cterminal_guard_arm(device.descriptor, &settings, ending, ending.count) == 0 else {
      let code = errno
      cterminal_guard_disarm()
      throw .systemRefused(call: "sigaction", code: code)
    }
    do {
      try device.makeRaw()
    } catch {
      cterminal_guard_disarm()
      throw error
    }
    var probe = ""
    if !hasSentQueries {
      probe = Capabilities.probe(isUnicode: capabilities.isUnicode)
      if options.queriesImageSupport { probe += Capabilities.imageQueries(environment: environment) }
    }
    var beginning = modes.beginning(probe: probe)
    if !hasSentQueries { beginning += Array(Capabilities.queries(environment: environment).utf8) }
    if let title = options.title { beginning += Array("\u{1B}]2;\(title.harmless)\u{1B}\\".utf8) }
    let isFirst = !hasSentQueries
    hasSentQueries = true
    if isFirst { queryTime = MonotonicClock.now }
    record(beginning)
    device.write(beginning, within: 1)
    if isFirst { queriesSent = MonotonicClock.now }
    updatePendingReplies()
    output.encoder.terminalWasCleared()
  }

  /// Restores the terminal, either until ``resume()`` or at the end of the session. No other thread reads the terminal
  /// then. The shell would interpret later replies as input, so expected replies are awaited first, up to the deadline
  /// of ``PendingReplies``.
  func leave() {
    hideImages()
    updatePendingReplies()
    cterminal_answers_drain(device.descriptor)
    cterminal_answers_forget()
    (repliesReceived, frameQueries, frameReplies) = (0, 0, 0)
    let wasCut = output.abandon()
    // CAN cancels a sequence that was written only partly. Source: ECMA-48, 8.3.6.
    let ending = (wasCut ? [0x18] : []) + modes.ending
    record(ending)
    device.write(ending, within: 0.2)
    device.restoreSettings()
    cterminal_guard_disarm()
  }

  private func resume() throws(TerminalError) {
    continueCount = cterminal_continue_count()
    try enter()
    updateSize()
    if let time = frameRequest { loop?.request(.frame, at: time) }
    repaint()
    handler(self, .resumed)
  }

  /// Called after the process was stopped by a signal that cannot be caught. Another program may have used the
  /// terminal.
  func handleContinue() {
    guard cterminal_continue_count() != continueCount else { return }
    loop?.stop()
    let isOurs = cterminal_wait_for_foreground(device.descriptor)
    // The modes were not reset when the process was stopped. Resetting them before setting them again keeps the stacks
    // of titles and keyboard flags balanced.
    if isOurs { leave() }
    reclaim(when: isOurs)
  }

  /// Shows the last frame again after its contents were lost.
  func repaint() {
    fulfil(output.repaint(now: MonotonicClock.now) { write($0) })
  }

  /// Stores the number of expected replies, for all ways in which the session can end.
  func updatePendingReplies() {
    let pendingReplies = PendingReplies(
      isSettled: capabilities.isSettled, openQuestions: output.pendingReplies,
      unanswered: frameQueries - frameReplies, hasAnswered: output.flow.hasReplied, questionsSent: queriesSent,
      now: MonotonicClock.now, options: options)
    cterminal_answers_expect(
      Int32(repliesReceived + pendingReplies.count), Int64(clamping: (pendingReplies.deadline * 1000).rounded(.up)))
  }

  private func record(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { recorder?.record($0[...], now: MonotonicClock.now) }
  }
}

extension TerminalSession {
  /// Requests that the terminal copies a text to the clipboard (OSC 52). A terminal that does not support this ignores
  /// it.
  ///
  /// - Parameter text: At most 74,994 bytes of UTF-8, the limit of some terminals.
  /// - Returns: Whether the request was sent: `false` if the text is too long or the session is closed.
  @discardableResult
  public func copy(_ text: String) -> Bool {
    guard isOpen, let message = ClipboardMessage.bytes(of: text) else { return false }
    fulfil(output.send(message, now: MonotonicClock.now) { write($0) })
    return true
  }
}

/// The control string that copies a text to the clipboard.
enum ClipboardMessage {
  /// The maximum number of bytes in UTF-8. In Base64, these are a little less than 100,000.
  static let maximumBytes = 74_994

  /// Returns `OSC 52 ; c ; Base64 ST`, or `nil` if the text is too long.
  ///
  /// Source: xterm, "XTerm Control Sequences", OSC 52 (manipulate selection data); RFC 4648, section 4 (Base64).
  static func bytes(of text: String) -> [UInt8]? {
    let bytes = Array(text.utf8)
    guard bytes.count <= maximumBytes else { return nil }
    return Array("\u{1B}]52;c;".utf8) + Data(bytes).base64EncodedData() + Array("\u{1B}\\".utf8)
  }
}
