import CTerminal
import Dispatch
import Synchronization
public import TextCanvas
import WholeNumbers

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A thread that waits for the terminal, for signals and for scheduled times, and delivers its events to the main
/// actor.
///
/// The thread never waits for the main actor: it adds its events to a bounded buffer. The main actor moves the
/// contents of that buffer to its queue before each event that it handles. The terminal is always read, so that an
/// interrupt key is recognised even if many keys are waiting. While ``LoopEventQueue/maximumInputs`` are waiting,
/// further inputs are dropped. If there is no scheduled time, the thread sleeps without a timeout.
final class TerminalEventLoop: Sendable {
  /// An event of the thread.
  enum LoopEvent: Sendable {
    /// Input from the user, with its time.
    case input(InputEvent, at: Double)
    /// A reply of the terminal, with its time.
    case answer(TerminalReply, at: Double)
    /// A requested time was reached.
    case deadlineReached(Deadline, Double)
    /// The terminal can be written again.
    case writable
    /// One of the caught signals.
    case signal(Int32)
    /// The terminal was disconnected.
    case disconnected
  }

  /// The times that can be requested.
  enum Deadline: Int, Sendable, CaseIterable {
    /// The time of the next frame.
    case frame
    /// The time at which the output stops waiting for a reply.
    case output
  }

  private struct State {
    var deadlines: [Double?] = [nil, nil]
    var waitsForWritable = false
    var isStopping = false
    var mailbox = LoopEventQueue()
    var isDraining = false
    var sleepsUntil: Double?
    /// The signal that ends the process if the program has not ended by the given time. `nil` unless such a signal was
    /// received.
    var end: (signal: Int32, at: Double)?
  }

  /// Seconds that a program has to close its session after a signal that ends it.
  static let closeTimeout = 3.0

  private let device: TerminalDevice
  private let wake: Pipe
  private let signals: Pipe
  private let state = Mutex(State())
  private let deliver: @MainActor @Sendable (LoopEvent, _ precedesInput: Bool) -> Void
  @MainActor private var queue = LoopEventQueue()
  private let thread = Mutex<pthread_t?>(nil)

  /// Creates a loop that is not running yet. Signals are caught from now on.
  ///
  /// - Parameter deliver: Handles an event; `precedesInput` is true if inputs that have arrived must be handled before
  ///   the next frame.
  @MainActor init(
    device: TerminalDevice, deliver: @escaping @MainActor @Sendable (LoopEvent, _ precedesInput: Bool) -> Void
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

  /// Ends the thread, waits for it, and restores the actions of the signals. Waiting events are dropped.
  func stop() {
    state.withLock {
      $0.isStopping = true
      $0.mailbox = LoopEventQueue()
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

  /// Requests a time, which replaces an earlier request. `nil` cancels it.
  func request(_ deadline: Deadline, at time: Double?) {
    let mustWake = state.withLock { state in
      state.deadlines[deadline.rawValue] = time
      guard let time else { return false }
      return time < state.sleepsUntil ?? .infinity
    }
    if mustWake { wake.write() }
  }

  /// Requests a single ``LoopEvent/writable`` when the terminal can be written.
  func requestWritable() {
    state.withLock { $0.waitsForWritable = true }
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
        pollfd(fd: device.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let plan = state.withLock { state -> (isStopping: Bool, until: Double?) in
        if state.waitsForWritable { waiting[2].events |= Int16(POLLOUT) }
        let times = state.deadlines + [decoder.deadline, state.end?.at]
        state.sleepsUntil = times.compactMap { $0 }.min()
        return (state.isStopping, state.sleepsUntil)
      }
      if plan.isStopping { return }
      // poll would always report a disconnected terminal as ready.
      if isGone { waiting[2].fd = -1 }
      let timeout = plan.until.map { Int64(clamping: max(0, $0 - MonotonicClock.now) * 1e9) } ?? -1
      _ = cterminal_wait(&waiting, 3, timeout)

      let now = MonotonicClock.now
      var events: [LoopEvent] = []
      if waiting[0].revents != 0 { wake.drain() }
      if waiting[1].revents != 0 { decode(signals.drain(), at: now, into: &events) }
      if waiting[2].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
        switch device.read(into: buffer) {
        case .count(let count):
          append(decoder.feed(buffer[..<count], at: now), at: now, to: &events)
        case .wouldBlock: break
        case .disconnected:
          isGone = true
          events.append(.disconnected)
        }
      } else {
        append(decoder.expire(at: now), at: now, to: &events)
      }
      let isWritable = waiting[2].revents & Int16(POLLOUT) != 0
      post(events, isWritable: isWritable, at: now)
    }
  }

  private func append(_ decoded: [DecodedInput], at now: Double, to events: inout [LoopEvent]) {
    for result in decoded {
      switch result {
      case .event(let event): events.append(.input(event, at: now))
      case .answer(let answer): events.append(.answer(answer, at: now))
      }
    }
  }

  private func decode(_ numbers: [UInt8], at now: Double, into events: inout [LoopEvent]) {
    for number in numbers.map(Int32.init) {
      if EndingSignal(rawValue: number) != nil {
        let isRepeated = state.withLock { state in
          defer { if state.end == nil { state.end = (number, now + Self.closeTimeout) } }
          return state.end != nil
        }
        // A second signal ends the process immediately.
        if isRepeated { cterminal_die_of(number) }
      }
      events.append(.signal(number))
    }
  }

  /// Adds events to the buffer, and schedules their delivery on the main actor unless it is already scheduled.
  private func post(_ events: [LoopEvent], isWritable: Bool, at now: Double) {
    let (mustCall, overdue) = state.withLock { state -> (Bool, Int32?) in
      state.mailbox.append(events)
      if isWritable {
        state.waitsForWritable = false
        state.mailbox.append([.writable])
      }
      for deadline in Deadline.allCases {
        guard let time = state.deadlines[deadline.rawValue], time <= now else { continue }
        state.deadlines[deadline.rawValue] = nil
        state.mailbox.append([.deadlineReached(deadline, time)])
      }
      let overdue = state.end.flatMap { $0.at <= now ? $0.signal : nil }
      guard state.mailbox.count > 0, !state.isDraining else { return (false, overdue) }
      state.isDraining = true
      return (true, overdue)
    }
    if let overdue { cterminal_die_of(overdue) }
    if mustCall { DispatchQueue.main.async { MainActor.assumeIsolated { self.drain() } } }
  }

  @MainActor private func drain() {
    cterminal_guard_thread()
    cterminal_turns_shorten()
    while drainMailbox() {
      guard let (event, precedesInput) = queue.popFirst() else { continue }
      if !isObsolete(event) { deliver(event, precedesInput) }
    }
  }

  /// Moves the contents of the buffer to the queue.
  ///
  /// - Returns: Whether the queue has events. If not, delivery is scheduled again when events arrive.
  @MainActor private func drainMailbox() -> Bool {
    let isEmpty = queue.count == 0
    let arrived = state.withLock { state in
      defer { state.mailbox = LoopEventQueue() }
      if isEmpty, state.mailbox.count == 0 || state.isStopping { state.isDraining = false }
      return state.isStopping ? [] : state.mailbox.waiting
    }
    queue.append(arrived)
    return queue.count > 0
  }

  /// Returns whether an event is input that precedes a signal to end. Such input is skipped, so that the signal does
  /// not wait for thousands of keys.
  private func isObsolete(_ event: LoopEvent) -> Bool {
    guard case .input = event else { return false }
    return state.withLock { $0.end != nil }
  }
}

/// An event of a ``TerminalSession``. Events are delivered in the order in which they happen.
public enum TerminalEvent: Hashable, Sendable {
  /// Input from the keyboard, the mouse or the window, including a resize. The time is in seconds of
  /// ``MonotonicClock``.
  case input(InputEvent, at: Double)
  /// The time of ``TerminalSession/requestFrame(at:)`` has come, and the terminal can receive a frame. The value is the
  /// requested time, in seconds of ``MonotonicClock``.
  case frameDue(Double)
  /// The terminal has replied to a query, and its capabilities are better known.
  case capabilities(Capabilities)
  /// The program was stopped and continues (Ctrl-Z and `fg`). The screen is empty, so the program must present a frame.
  case resumed
  /// The program must end. It has three seconds to save its data and close the session; then the process is ended.
  case ending(EndingSignal)
}

/// A signal that requests the end of a program.
public enum EndingSignal: Int32, Hashable, Sendable {
  /// SIGHUP: the terminal was disconnected.
  case hangup = 1
  /// SIGINT: an interrupt from another process. Ctrl-C in the terminal is a key.
  case interrupt = 2
  /// SIGTERM: a request to terminate.
  case terminate = 15

  /// Ends the process with this signal, so that its parent process sees the cause. Close the session first.
  public func endProcess() -> Never { cterminal_die_of(rawValue) }
}

/// The events of the event loop that the main actor has not handled yet, in order.
struct LoopEventQueue {
  /// The maximum number of waiting inputs; each KiB of a paste counts as one. Further inputs are dropped, except
  /// interrupt keys.
  static let maximumInputs = 1 << 16
  /// The maximum number of inputs that are handled before an interrupt key. If more are waiting, all of them are
  /// dropped, so that the program can always be interrupted.
  ///
  /// Source: POSIX.1-2017, 11.1.9: a terminal that is not raw discards the whole input queue at its interrupt
  /// character.
  static let maximumInputsBeforeInterrupt = 32
  /// The maximum number of inputs that are handled without a frame between them.
  static let maximumInputsWithoutFrame = 1000

  private var events: [TerminalEventLoop.LoopEvent] = []
  private var next = 0
  private var pendingInputs = 0
  private var inputsSinceFrame = 0

  /// The number of waiting events.
  var count: Int { events.count - next }
  /// The waiting events.
  var waiting: ArraySlice<TerminalEventLoop.LoopEvent> { events[next...] }

  /// Appends events. An interrupt key removes the inputs before it if there are more than
  /// ``maximumInputsBeforeInterrupt``.
  mutating func append(_ arrived: some Sequence<TerminalEventLoop.LoopEvent>) {
    if next > 0, next * 2 >= events.count {
      events.removeFirst(next)
      next = 0
    }
    for event in arrived {
      if case .input(.key(let key), at: _) = event, key.isInterrupt, pendingInputs > Self.maximumInputsBeforeInterrupt {
        events = events[next...].filter { $0.inputs == 0 }
        (next, pendingInputs) = (0, 0)
      }
      guard event.inputs == 0 || pendingInputs < Self.maximumInputs else { continue }
      pendingInputs += event.inputs
      events.append(event)
    }
  }

  /// Removes the first event.
  ///
  /// - Returns: The event, and whether inputs that have arrived must be handled before the next frame. `nil` if the
  ///   queue is empty.
  mutating func popFirst() -> (event: TerminalEventLoop.LoopEvent, precedesInput: Bool)? {
    guard next < events.count else { return nil }
    let event = events[next]
    next += 1
    pendingInputs -= event.inputs
    inputsSinceFrame += event.inputs
    let precedesInput = pendingInputs > 0 && inputsSinceFrame < Self.maximumInputsWithoutFrame
    if !precedesInput { inputsSinceFrame = 0 }
    return (event, precedesInput)
  }
}

extension TerminalEventLoop.LoopEvent {
  /// The number of inputs that the event counts as: 0 for other events.
  fileprivate var inputs: Int {
    switch self {
    case .input(.paste(let text), at: _): 1 + text.utf8.count >> 10
    case .input: 1
    default: 0
    }
  }
}

/// An ``InputDecoder`` together with the time of the last byte.
struct TimedInputDecoder {
  private var decoder = InputDecoder()
  private var lastByte = 0.0

  /// The time at which ``expire(at:)`` must be called unless bytes arrive before, or `nil` if no sequence is
  /// unfinished.
  var deadline: Double? { decoder.timeout.map { lastByte + $0 } }

  /// Decodes the bytes of one read. Bytes that arrive at or after the deadline, but before ``expire(at:)`` is called,
  /// still continue a sequence, because the reading thread may have been late.
  mutating func feed(_ bytes: some Sequence<UInt8>, at now: Double) -> [DecodedInput] {
    lastByte = now
    return decoder.feed(bytes)
  }

  /// Gives up an unfinished sequence if its deadline has passed.
  mutating func expire(at now: Double) -> [DecodedInput] {
    guard let deadline, now >= deadline else { return [] }
    return decoder.expire()
  }
}

/// A pipe that wakes a waiting thread. Neither end blocks.
final class Pipe: Sendable {
  /// The end for which the thread waits.
  let reading: Int32
  /// The end that wakes the thread.
  let writing: Int32

  init() throws(TerminalError) {
    var ends: [Int32] = [-1, -1]
    guard cterminal_pipe(&ends) == 0 else { throw .systemRefused(call: "pipe", code: errno) }
    reading = ends[0]
    writing = ends[1]
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Wakes the waiting thread. If the pipe is full, the thread is already being woken.
  func write() {
    var byte: UInt8 = 0
    #if canImport(Glibc)
    _ = Glibc.write(writing, &byte, 1)
    #else
    _ = Darwin.write(writing, &byte, 1)
    #endif
  }

  /// Reads and returns all bytes in the pipe.
  @discardableResult
  func drain() -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(reading, &buffer, buffer.count)
      guard count > 0 else { return all }
      all.append(contentsOf: buffer[..<count])
    }
  }
}
