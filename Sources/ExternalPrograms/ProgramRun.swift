import CProcess
import Foundation

extension ExternalProgram {
  /// Runs the program to its end, in a session of its own: it cannot use the terminal, and no process of its session is
  /// left when this function returns.
  ///
  /// - Parameters:
  ///   - arguments: The arguments without the program's name.
  ///   - input: The bytes of standard input.
  ///   - environment: The variables. If `nil`, the caller's.
  ///   - folder: The working directory. If `nil`, the caller's.
  ///   - limits: The limits. The program is killed if it breaks one.
  ///   - check: Called at least ten times a second; an error that it throws ends the program.
  /// - Throws: ``ProgramFailure``, and the error of `check`.
  package func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String]? = nil, folder: String? = nil,
    limits: ProgramLimits, check: () throws -> Void = {}
  ) throws -> ProgramResult {
    let channels = try (0..<3).map { _ in try Channel() }
    let (program, hasNetwork) = try launch(
      arguments, descriptors: channels.map(\.there), hasOwnSession: true, environment: environment, folder: folder,
      limits: limits)
    for channel in channels { channel.closeThere() }
    var run = ProgramRun(program: program, channels: channels, input: input, limits: limits)
    do {
      try run.finish(check)
    } catch {
      program.killGroup()
      _ = program.waitForStatus()
      throw error
    }
    return ProgramResult(
      code: program.waitForStatus(), output: run.output, errors: run.errors, hadNetwork: hasNetwork)
  }
}

/// Moves bytes between the caller and a program until the program has ended.
private struct ProgramRun {
  private static let mostErrors = 64 << 10

  let program: RunningProgram
  /// Standard input, standard output and standard error.
  let channels: [Channel]
  let limits: ProgramLimits
  private(set) var output: [UInt8] = []
  private(set) var errors: [UInt8] = []
  private var input: ArraySlice<UInt8>
  private var isOpen = [true, true, true]
  private let end: ContinuousClock.Instant?
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init(program: RunningProgram, channels: [Channel], input: [UInt8], limits: ProgramLimits) {
    self.program = program
    self.channels = channels
    self.input = input[...]
    self.limits = limits
    end = limits.seconds.map { .now + .seconds($0) }
  }

  mutating func finish(_ check: () throws -> Void) throws {
    while true {
      try check()
      if let end, ContinuousClock.now > end { throw ProgramFailure.tooSlow(seconds: Int(limits.seconds ?? 0)) }
      if input.isEmpty, isOpen[0] { close(0) }
      let hasEnded = program.hasEnded
      // Remaining children of the program could keep the output open.
      if hasEnded { program.killGroup() }
      try move(milliseconds: hasEnded ? 0 : 50)
      if hasEnded, !isOpen[1], !isOpen[2] { return }
    }
  }

  private mutating func close(_ index: Int) {
    isOpen[index] = false
    channels[index].closeHere()
  }

  private mutating func move(milliseconds: Int32) throws {
    var polled = (0..<3).map { index in
      pollfd(fd: isOpen[index] ? channels[index].here : -1, events: Int16(index == 0 ? POLLOUT : POLLIN), revents: 0)
    }
    // While only the end is awaited, this is a pause.
    guard poll(&polled, 3, milliseconds) > 0 else { return }
    if polled[0].revents != 0 { send() }
    for index in [1, 2] where polled[index].revents != 0 { try receive(index) }
  }

  private mutating func send() {
    let count = input.withUnsafeBytes { Channel.send($0, to: channels[0].here) }
    if count > 0 {
      input = input.dropFirst(count)
    } else if count < 0, errno != EINTR, errno != EAGAIN {
      // The program does not read the rest.
      input = []
    }
  }

  private mutating func receive(_ index: Int) throws {
    let count = recv(channels[index].here, &buffer, buffer.count, 0)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else { return close(index) }
    if index == 1 {
      output += buffer[..<count]
      guard output.count <= limits.output else { throw ProgramFailure.tooMuchOutput(bytes: limits.output) }
    } else if errors.count < Self.mostErrors {
      errors += buffer[..<min(count, Self.mostErrors - errors.count)]
    }
  }
}

/// Two connected sockets. Unlike a pipe, a socket can be written to without SIGPIPE.
private final class Channel {
  private(set) var here: Int32
  private(set) var there: Int32

  /// - Throws: ``ProgramFailure/cannotStart(reason:)``.
  init() throws {
    var ends: [Int32] = [-1, -1]
    #if os(Linux)
    let kind = Int32(SOCK_STREAM.rawValue)
    #else
    let kind = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw ProgramFailure.cannotStart(reason: String(cString: strerror(errno)))
    }
    (here, there) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(here, F_SETFL, fcntl(here, F_GETFL) | O_NONBLOCK)
    #if os(macOS)
    var isQuiet: Int32 = 1
    setsockopt(here, SOL_SOCKET, SO_NOSIGPIPE, &isQuiet, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  func closeHere() {
    if here >= 0 { close(here) }
    here = -1
  }

  func closeThere() {
    if there >= 0 { close(there) }
    there = -1
  }

  deinit {
    closeHere()
    closeThere()
  }

  static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Int {
    #if os(macOS)
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    return Foundation.send(socket, bytes.baseAddress, bytes.count, flags)
  }
}
