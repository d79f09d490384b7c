import CTerminal
import Dispatch
import Synchronization
import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// One thread that waits for the terminal, the signals and the next moments, and feeds the main actor.
///
/// The thread never waits for the main actor: it puts its findings into a bounded box, and the main actor moves the
/// contents of the box into its queue before each finding that it handles. The terminal is read ahead of the handler,
/// so that an interrupt key is recognised among keys that wait. While the box is full the terminal is not read,
/// and the kernel keeps what is typed. With nothing to wait for but the terminal the thread sleeps without a timeout.
final class TerminalEventLoop: Sendable {
  /// What the thread finds.
  enum Finding: Sendable {
    /// A person did something, at this moment.
    case input(InputEvent, at: Double)
    /// The terminal answered, at this moment.
    case answer(TerminalAnswer, at: Double)
    /// The moment that was asked for has come.
    case due(Moment, Double)
    /// The terminal can be written again.
    case writable
    /// One of the signals that are caught.
    case signal(Int32)
    /// The terminal is gone.
    case gone
  }

  /// The moments the loop can be asked for.
  enum Moment: Int, Sendable, CaseIterable {
    /// The next frame.
    case frame
    /// The output's patience with a terminal that does not answer.
    case output
  }

  private struct State {
    var moments: [Double?] = [nil, nil]
    var wantsWritable = false
    var isStopping = false
    var box: [Finding] = []
    var isDraining = false
    var sleepsUntil: Double?
    /// When a request to end that had no answer is carried out.
    var end: (signal: Int32, at: Double)?
  }

  /// The number of findings that wait in the box, or in the queue, before no more are taken.
  private static let boxLimit = 1 << 20
  /// Seconds that a program has to close its session after a signal that ends it.
  static let grace = 3.0

  private let device: TerminalDevice
  private let wake: Pipe
  private let signals: Pipe
  private let state = Mutex(State())
  private let deliver: @MainActor @Sendable (Finding, _ precedesInput: Bool) -> Void
  @MainActor private var queue = FindingQueue()
  private let thread = Mutex<pthread_t?>(nil)

  /// Makes a loop that does not run yet; signals are caught from now on.
  ///
  /// - Parameter deliver: Handles a finding; `precedesInput` is true if inputs that have arrived must be handled before
  ///   the next frame.
  @MainActor init(
    device: TerminalDevice, deliver: @escaping @MainActor @Sendable (Finding, _ precedesInput: Bool) -> Void
  ) throws(TerminalError) {
    self.device = device
    self.deliver = deliver
    wake = try Pipe()
    signals = try Pipe()
    guard cterminal_signals_catch(signals.writing) == 0 else {
      throw .systemRefused(call: "sigaction", code: errno)
    }
  }

  /// Starts the thread.
  func start() throws(TerminalError) {
    #if canImport(Glibc)
    var thread = pthread_t()
    #else
    var thread: pthread_t?
    #endif
    let context = Unmanaged.passRetained(self).toOpaque()
    let code = pthread_create(
      &thread, nil,
      { context in
        // The types of a thread's context differ between platforms only in being optional.
        let pointer: UnsafeMutableRawPointer? = context
        if let pointer { Unmanaged<TerminalEventLoop>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, context)
    guard code == 0 else {
      Unmanaged<TerminalEventLoop>.fromOpaque(context).release()
      throw .systemRefused(call: "pthread_create", code: code)
    }
    self.thread.withLock { $0 = thread }
  }

  /// Ends the thread, waits for it, and puts the signals' actions back; findings that wait are dropped.
  func stop() {
    state.withLock {
      $0.isStopping = true
      $0.box.removeAll()
    }
    wake.write()
    if let thread = thread.withLock({ thread in
      defer { thread = nil }
      return thread
    }) {
      pthread_join(thread, nil)
    }
    cterminal_signals_release()
  }

  /// Asks for a moment, in place of the one that was asked for before; nil for none.
  func request(_ moment: Moment, at time: Double?) {
    let mustWake = state.withLock { state in
      state.moments[moment.rawValue] = time
      guard let time else { return false }
      return time < state.sleepsUntil ?? .infinity
    }
    if mustWake { wake.write() }
  }

  /// Asks to be told once when the terminal can be written.
  func requestWritable() {
    state.withLock { $0.wantsWritable = true }
    wake.write()
  }

  // MARK: On the thread

  private func run() {
    cterminal_thread_name("terminal")
    cterminal_guard_thread()
    cterminal_turns_shorten()
    var decoder = TimedInputDecoder()
    var isGone = false
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
    defer { buffer.deallocate() }

    while true {
      var waiting = [
        pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: device.descriptor, events: 0, revents: 0),
      ]
      let plan = state.withLock { state -> (isStopping: Bool, until: Double?) in
        if state.box.count < Self.boxLimit { waiting[2].events |= Int16(POLLIN) }
        if state.wantsWritable { waiting[2].events |= Int16(POLLOUT) }
        let moments = state.moments + [decoder.deadline, state.end?.at]
        state.sleepsUntil = moments.compactMap { $0 }.min()
        return (state.isStopping, state.sleepsUntil)
      }
      if plan.isStopping { return }
      // A terminal that is gone would be ready for ever.
      if isGone || waiting[2].events == 0 { waiting[2].fd = -1 }
      let timeout = plan.until.map { Int64(max(0, $0 - MonotonicClock.now) * 1e9) } ?? -1
      _ = cterminal_wait(&waiting, 3, timeout)

      let now = MonotonicClock.now
      var findings: [Finding] = []
      if waiting[0].revents != 0 { wake.drain() }
      if waiting[1].revents != 0 { take(signals.drain(), at: now, into: &findings) }
      if waiting[2].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
        switch device.read(into: buffer) {
        case .count(let count):
          append(decoder.feed(buffer[..<count], at: now), at: now, to: &findings)
        case .wouldBlock: break
        case .gone:
          isGone = true
          findings.append(.gone)
        }
      } else {
        append(decoder.expire(at: now), at: now, to: &findings)
      }
      let isWritable = waiting[2].revents & Int16(POLLOUT) != 0
      post(findings, isWritable: isWritable, at: now)
    }
  }

  private func append(_ decoded: [DecodedInput], at now: Double, to findings: inout [Finding]) {
    for result in decoded {
      switch result {
      case .event(let event): findings.append(.input(event, at: now))
      case .answer(let answer):
        if answer.isCounted { cterminal_answers_heard() }
        findings.append(.answer(answer, at: now))
      }
    }
  }

  private func take(_ numbers: [UInt8], at now: Double, into findings: inout [Finding]) {
    for number in numbers.map(Int32.init) {
      if EndingSignal(rawValue: number) != nil {
        let isRepeated = state.withLock { state in
          defer { if state.end == nil { state.end = (number, now + Self.grace) } }
          return state.end != nil
        }
        // Whoever asks twice does not want to wait.
        if isRepeated { cterminal_die_of(number) }
      }
      findings.append(.signal(number))
    }
  }

  /// Puts findings into the box, and calls the main actor when it is not called yet.
  private func post(_ findings: [Finding], isWritable: Bool, at now: Double) {
    let (mustCall, overdue) = state.withLock { state -> (Bool, Int32?) in
      state.box.append(contentsOf: findings)
      if isWritable {
        state.wantsWritable = false
        state.box.append(.writable)
      }
      for moment in Moment.allCases {
        guard let time = state.moments[moment.rawValue], time <= now else { continue }
        state.moments[moment.rawValue] = nil
        state.box.append(.due(moment, time))
      }
      let overdue = state.end.flatMap { $0.at <= now ? $0.signal : nil }
      guard !state.box.isEmpty, !state.isDraining else { return (false, overdue) }
      state.isDraining = true
      return (true, overdue)
    }
    if let overdue { cterminal_die_of(overdue) }
    if mustCall { DispatchQueue.main.async { MainActor.assumeIsolated { self.drain() } } }
  }

  @MainActor private func drain() {
    cterminal_guard_thread()
    cterminal_turns_shorten()
    while takeArrived() {
      guard let (finding, precedesInput) = queue.popFirst() else { continue }
      if !isMoot(finding) { deliver(finding, precedesInput) }
    }
  }

  /// Moves the contents of the box to the queue.
  ///
  /// - Returns: Whether anything waits in the queue; if not, the main actor is called again when something arrives.
  @MainActor private func takeArrived() -> Bool {
    let hasRoom = queue.count < Self.boxLimit
    let isEmpty = queue.count == 0
    let (arrived, wasFull) = state.withLock { state -> ([Finding], Bool) in
      guard hasRoom, !state.isStopping else {
        if isEmpty { state.isDraining = false }
        return ([], false)
      }
      defer { state.box.removeAll(keepingCapacity: state.box.count < 4096) }
      if isEmpty, state.box.isEmpty { state.isDraining = false }
      return (state.box, state.box.count >= Self.boxLimit)
    }
    if wasFull { wake.write() }
    queue.append(arrived)
    return queue.count > 0
  }

  /// Whether a finding is input that waits before a signal to end, which must not wait for thousands of keys.
  private func isMoot(_ finding: Finding) -> Bool {
    guard case .input = finding else { return false }
    return state.withLock { $0.end != nil }
  }
}
