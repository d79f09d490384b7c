import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The line in which writers of all processes stand, so that each is woken by the one before it and not by a clock.
///
/// It has two locks, which the kernel gives away in the order in which they are asked for. Whoever holds the first stands
/// at the head of the line; whoever holds the second has the turn. The turn is asked for at the head only, so nobody who
/// has just come, or has just had it, takes it from those who wait. Both go with the process that holds them.
///
/// SQLite's own lock decides who writes; the line only says who asks for it next. Where files cannot be locked, and with
/// programs that do not know the line, everybody asks SQLite again and again, as ``Patience`` does.
///
/// The locks are on the write-ahead log, on which SQLite holds none itself. It stays while anybody has the database open.
///
/// Source: Linux, fcntl(2), "Open file description locks": they are a descriptor's, whichever thread asks for them, and
/// closing another descriptor of the file keeps them. No such lock can be waited for with a limit, so a thread of the line
/// waits for it, which is there from the first time that somebody has to wait.
final class WritersLine: Sendable {
  private let place: Place

  init(for path: String) { place = Place(log: path + "-wal") }

  deinit { place.close() }

  /// Takes the turn where it is free and nobody is in line; else joins the line.
  ///
  /// - Parameter deadline: Until when to wait. Whoever has no turn then keeps the place in the line until ``leave()``.
  /// - Returns: Whether it is this writer's turn.
  @discardableResult
  func wait(until deadline: ContinuousClock.Instant) -> Bool { place.wait(until: deadline) }

  /// Gives up the turn, or the place in the line.
  func leave() { place.leave() }

  /// Whether somebody else stands in line.
  var isSomebodyWaiting: Bool { place.isSomebodyElseAtHead }
}

/// One writer's place in the line. It outlives the line for as long as its thread still waits.
private final class Place: Sendable {
  /// The two locks, each a byte of the file.
  private enum Lock {
    case head
    case turn
    /// Both at once, or none.
    case both

    var bytes: (first: Int, count: Int) {
      switch self {
      case .head: (0, 1)
      case .turn: (1, 1)
      case .both: (0, 2)
      }
    }
  }

  private enum Standing {
    /// Nobody wants anything.
    case away
    /// The thread waits, for a writer.
    case waiting
    /// The thread waits for a lock that nobody wants any more; another try takes it over.
    case givenUp
    case hasTurn
  }

  private struct State {
    var descriptor: Int32 = -1
    var standing = Standing.away
    var hasThread = false
    /// Whether the thread has answered, and the writer has not heard it: it had stopped waiting.
    var isUnheard = false
    var isClosed = false
  }

  private let log: String
  private let state = Mutex(State())
  /// Wakes the thread, and is how the thread wakes the writer.
  private let asked = DispatchSemaphore(value: 0)
  private let answered = DispatchSemaphore(value: 0)

  init(log: String) { self.log = log }

  func wait(until deadline: ContinuousClock.Instant) -> Bool {
    let (hasTurn, hasToWait) = state.withLock { state in
      switch state.standing {
      case .hasTurn: return (true, false)
      case .waiting, .givenUp:
        state.standing = .waiting
        return (false, true)
      case .away: break
      }
      let descriptor = opened(&state)
      // Mostly nobody is there.
      if let descriptor, Self.ask(.both, F_WRLCK, descriptor) {
        Self.ask(.head, F_UNLCK, descriptor)
        state.standing = .hasTurn
        return (true, false)
      }
      guard let descriptor, Self.ask(.head, F_WRLCK, descriptor) else {
        // Somebody is at the head; or the file cannot be locked, and then nobody is.
        guard errno == EAGAIN || errno == EACCES else { return (false, false) }
        join(&state)
        return (false, true)
      }
      guard Self.ask(.turn, F_WRLCK, descriptor) else {
        join(&state)
        return (false, true)
      }
      Self.ask(.head, F_UNLCK, descriptor)
      state.standing = .hasTurn
      return (true, false)
    }
    guard hasToWait else { return hasTurn }
    let left = ContinuousClock.now.duration(to: deadline) / .microseconds(1)
    let isAnswered = answered.wait(timeout: .now() + .microseconds(Int(max(0, left)))) == .success
    return state.withLock { state in
      if isAnswered { state.isUnheard = false }
      return state.standing == .hasTurn
    }
  }

  private func join(_ state: inout State) {
    state.standing = .waiting
    if !state.hasThread {
      state.hasThread = true
      Thread.detachNewThread { self.stand() }
    }
    asked.signal()
  }

  func leave() {
    state.withLock { state in
      switch state.standing {
      case .hasTurn:
        Self.ask(.turn, F_UNLCK, state.descriptor)
        state.standing = .away
        // Asking without need is a system call that sleeps: a tenth of a step.
        if state.isUnheard { answered.wait() }
        state.isUnheard = false
      case .waiting: state.standing = .givenUp
      case .away, .givenUp: break
      }
    }
  }

  var isSomebodyElseAtHead: Bool {
    state.withLock { state in
      guard state.standing == .away, let descriptor = opened(&state) else { return false }
      guard Self.ask(.head, F_RDLCK, descriptor) else { return errno == EAGAIN || errno == EACCES }
      Self.ask(.head, F_UNLCK, descriptor)
      return false
    }
  }

  func close() {
    let hasThread = state.withLock { state in
      state.isClosed = true
      if !state.hasThread, state.descriptor >= 0 { systemClose(state.descriptor) }
      return state.hasThread
    }
    if hasThread { asked.signal() }
  }

  // MARK: - The thread

  private func stand() {
    while true {
      asked.wait()
      let (descriptor, standing) = state.withLock { ($0.isClosed ? -1 : $0.descriptor, $0.standing) }
      if descriptor >= 0, standing != .away {
        Self.ask(.head, F_WRLCK, descriptor, waiting: true)
        Self.ask(.turn, F_WRLCK, descriptor, waiting: true)
        Self.ask(.head, F_UNLCK, descriptor)
      }
      let isOver = state.withLock { state in
        switch state.standing {
        case .waiting where !state.isClosed:
          state.standing = .hasTurn
          state.isUnheard = true
          answered.signal()
        case .waiting, .givenUp:
          Self.ask(.turn, F_UNLCK, state.descriptor)
          state.standing = .away
        case .away, .hasTurn: break
        }
        if state.isClosed, state.descriptor >= 0 {
          systemClose(state.descriptor)
          state.descriptor = -1
        }
        return state.isClosed
      }
      if isOver { return }
    }
  }

  // MARK: - The file

  private func opened(_ state: inout State) -> Int32? {
    if state.descriptor < 0 { state.descriptor = open(log, O_RDWR | O_CLOEXEC) }
    return state.descriptor < 0 ? nil : state.descriptor
  }

  /// Takes a lock, or gives it up.
  ///
  /// - Returns: Whether it was granted; `errno` says why not.
  @discardableResult
  private static func ask(_ lock: Lock, _ type: Int32, _ descriptor: Int32, waiting: Bool = false) -> Bool {
    #if canImport(Glibc)
    var request = flock()
    request.l_type = Int16(type)
    request.l_whence = Int16(SEEK_SET)
    (request.l_start, request.l_len) = lock.bytes
    // F_OFD_SETLKW and F_OFD_SETLK, which are not imported.
    let command: Int32 = waiting ? 38 : 37
    while fcntl(descriptor, command, &request) != 0 {
      guard waiting, errno == EINTR else { return false }
    }
    return true
    #else
    errno = ENOTSUP
    return false
    #endif
  }
}

private func systemClose(_ descriptor: Int32) { close(descriptor) }
