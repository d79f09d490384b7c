import CTerminal
import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension TerminalSession {
  /// Stops the program as Control+Z does in a shell, with the terminal given back meanwhile; returns when it goes on,
  /// after ``TerminalEvent/resumed``. Keys typed in between belong to others.
  public func suspend() {
    guard isOpen else { return }
    loop?.stop()
    drainAnswers()
    leave()
    cterminal_stop_process()
    do {
      try startLoop()
      try comeBack()
    } catch {
      // The terminal that it left is gone.
      handler(self, .ending(.hangup))
    }
  }

  /// Gives the terminal back and ends the session. Doing so again does nothing.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    loop?.stop()
    drainAnswers()
    leave()
    closeDevice()
  }

  /// Ends the session, and the process by a signal, so that whoever started it sees that.
  public func close(endingBy signal: EndingSignal) -> Never {
    close()
    cterminal_die_of(signal.rawValue)
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
    var beginning = modes.beginning(probe: hasAsked || !capabilities.isUnicode ? "" : Capabilities.widthProbe)
    if !hasAsked { beginning += Array(Capabilities.questions(environment: environment).utf8) }
    if let title = options.title { beginning += Array("\u{1B}]2;\(title.harmless)\u{1B}\\".utf8) }
    if !hasAsked { askedAt = MonotonicClock.now }
    hasAsked = true
    record(beginning)
    device.write(beginning, within: 1)
    output.encoder.terminalWasCleared()
  }

  /// Gives the terminal back, for a while or for good.
  func leave() {
    let wasCut = output.abandon()
    // CAN breaks off a sequence that only half of was written. Source: ECMA-48, 8.3.6.
    let ending = (wasCut ? [0x18] : []) + modes.ending
    record(ending)
    device.write(ending, within: 1)
    device.restoreSettings()
    cterminal_guard_disarm()
  }

  private func comeBack() throws(TerminalError) {
    continuesSeen = cterminal_continue_count()
    try enter()
    noteSize()
    if let moment = frameRequest { loop?.request(.frame, at: moment) }
    repaint()
    handler(self, .resumed)
  }

  /// The program was stopped by a signal that cannot be caught, and somebody else may have used the terminal.
  func noteContinued() {
    guard cterminal_continue_count() != continuesSeen else { return }
    // Nothing was undone when it was stopped. Undoing first keeps what is stacked (titles, keyboard flags) in balance.
    leave()
    do { try comeBack() } catch { handler(self, .ending(.hangup)) }
  }

  /// Shows the last frame again, after the terminal has lost it.
  func repaint() {
    fulfil(output.repaint(now: MonotonicClock.now) { write($0) })
  }

  /// Reads the answers that are still on their way, for a moment: after us they would be typed into the shell.
  private func drainAnswers() {
    var open = output.flow.openQuestions
    var isSettled = capabilities.isSettled || !capabilities.answers && MonotonicClock.now - (askedAt ?? 0) > 1
    let deadline = MonotonicClock.now + 0.1
    var decoder = InputDecoder()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)
    defer { buffer.deallocate() }
    while open > 0 || !isSettled {
      let left = deadline - MonotonicClock.now
      guard left > 0 else { return }
      device.wait(for: Int16(POLLIN), seconds: left)
      switch device.read(into: buffer) {
      case .count(let count):
        for result in decoder.feed(buffer[..<count]) {
          if result == .answer(.status) { open -= 1 }
          if case .answer(.attributes) = result { isSettled = true }
        }
      case .wouldBlock: continue
      case .gone: return
      }
    }
  }

  private func record(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { recorder?.record($0[...], now: MonotonicClock.now) }
  }
}
