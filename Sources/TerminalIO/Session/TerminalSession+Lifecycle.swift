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
    leave()
    cterminal_stop_process()
    // `bg` continues it too, while the terminal is still the shell's.
    takeBack(when: cterminal_wait_for_foreground(device.descriptor))
  }

  /// Gives the terminal back while a function runs, such as one that lets another program have it, then takes it again and
  /// tells the handler ``TerminalEvent/resumed``. Not to be called while the session is closed.
  ///
  /// Keys that interrupt are the other program's: what they send to this one does nothing meanwhile.
  public func lend<Answer>(_ body: () -> Answer) -> Answer {
    loop?.stop()
    leave()
    let interrupting = [SIGINT, SIGQUIT]
    let before = interrupting.map { signal($0, SIG_IGN) }
    let answer = body()
    for (number, action) in zip(interrupting, before) { signal(number, action) }
    takeBack(when: cterminal_wait_for_foreground(device.descriptor))
    return answer
  }

  private func takeBack(when isOurs: Bool) {
    do {
      guard isOurs else { throw TerminalError.noTerminal }
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
    leave()
    closeDevice()
  }

  func closeDevice() {
    recordingFailure = recorder?.failure
    recorder?.close()
    recorder = nil
    if Self.current === self { Self.current = nil }
    device.release()
  }

  func enter() throws(TerminalError) {
    let ending = ending
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
    if !hasAsked {
      probe = Capabilities.probe(isUnicode: capabilities.isUnicode)
      if options.asksAboutPictures { probe += Capabilities.pictureQuestions(environment: environment) }
    }
    var beginning = modes.beginning(probe: probe)
    if !hasAsked { beginning += Array(Capabilities.questions(environment: environment).utf8) }
    if let page { beginning += PageMessage.bytes(painting: page) ?? [] }
    if let title = options.title { beginning += Array("\u{1B}]2;\(title.harmless)\u{1B}\\".utf8) }
    let isFirst = !hasAsked
    hasAsked = true
    if isFirst { askedAt = MonotonicClock.now }
    record(beginning)
    device.write(beginning, within: 1)
    if isFirst { questionsSent = MonotonicClock.now }
    expectAnswers()
    output.encoder.terminalWasCleared()
  }

  /// Gives the terminal back, until ``comeBack()`` or for good, while no other thread reads it. The shell would take
  /// answers that arrive later for input, so they are awaited first, as long as ``OwedAnswers`` allows.
  func leave() {
    hidePictures()
    expectAnswers()
    cterminal_answers_drain(device.descriptor)
    cterminal_answers_forget()
    (answersTaken, frameQuestions, frameAnswers) = (0, 0, 0)
    let wasCut = output.abandon()
    // CAN breaks off a sequence that only half of was written. Source: ECMA-48, 8.3.6.
    let ending = (wasCut ? [0x18] : []) + ending
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

  /// The program was stopped by a signal that cannot be caught, and another program may have used the terminal.
  func noteContinued() {
    guard cterminal_continue_count() != continuesSeen else { return }
    loop?.stop()
    let isOurs = cterminal_wait_for_foreground(device.descriptor)
    // Nothing was undone when it was stopped. Undoing first keeps what is stacked (titles, keyboard flags) in balance.
    if isOurs { leave() }
    takeBack(when: isOurs)
  }

  /// Shows the last frame again, after the terminal has lost it.
  func repaint() {
    fulfil(output.repaint(now: MonotonicClock.now) { write($0) })
  }

  /// Notes how many answers the terminal owes, for every way in which the session can end.
  func expectAnswers() {
    let owed = OwedAnswers(
      isSettled: capabilities.isSettled, openQuestions: output.owedAnswers,
      unanswered: frameQuestions - frameAnswers, hasAnswered: output.flow.hasAnswered, questionsSent: questionsSent,
      now: MonotonicClock.now, options: options)
    cterminal_answers_expect(Int32(answersTaken + owed.count), Int64((owed.deadline * 1000).rounded(.up)))
  }

  private func record(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { recorder?.record($0[...], now: MonotonicClock.now) }
  }
}
