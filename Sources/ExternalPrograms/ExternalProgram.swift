import CProcess
import Foundation
import WholeNumbers

/// An installed program, started without a shell.
package struct ExternalProgram: Sendable {
  /// The absolute path of the program.
  package let path: String

  /// Creates a reference to the program at an absolute path. There need not be a file at the path.
  package init(path: String) { self.path = path }

  /// Finds a program.
  ///
  /// - Parameters:
  ///   - name: The name of the program, or a path that contains a slash.
  ///   - searchPath: Folders separated by colons. If `nil`, the value of `PATH`.
  /// - Returns: `nil` if no folder contains an executable file of that name.
  package init?(named name: String, searchPath: String? = nil) {
    let folders = searchPath ?? ProcessInfo.processInfo.environment["PATH"] ?? Self.usualFolders
    let candidates =
      name.contains("/") ? [name] : folders.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
    guard let path = candidates.first(where: Self.isProgram) else { return nil }
    self.path = path
  }

  /// The folders that are searched if `PATH` is not set.
  package static let usualFolders = "/usr/local/bin:/usr/bin:/bin"

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && access(path, X_OK) == 0
  }

  // MARK: - Starting without limits

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - arguments: The arguments without the program's name.
  ///   - input: The descriptor of standard input. If `nil`, the null device.
  ///   - output: The descriptor of standard output. If `nil`, the null device.
  ///   - errors: The descriptor of standard error. If `nil`, the null device.
  ///   - hasOwnSession: Whether the program runs in a session of its own. It then has no terminal and does not receive
  ///     the signals that are sent to the process group of this program.
  /// - Returns: `nil` if the program cannot be started.
  package func start(
    _ arguments: [String], input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil, hasOwnSession: Bool = true
  ) -> RunningProgram? {
    let descriptors = [input, output, errors].map { $0 ?? CPROCESS_NOTHING }
    return try? launch(arguments, descriptors: descriptors, hasOwnSession: hasOwnSession).program
  }

  /// Starts the program on the terminal, which the caller must not use until the program has ended.
  ///
  /// - Returns: `nil` if the program cannot be started.
  package func startOnTerminal(_ arguments: [String]) -> RunningProgram? {
    try? launch(
      arguments, descriptors: [CPROCESS_TERMINAL, CPROCESS_TERMINAL, CPROCESS_TERMINAL], hasOwnSession: false
    )
    .program
  }

  /// Starts the program with redirected descriptors.
  ///
  /// - Throws: ``ProgramFailure/cannotStart(reason:)``.
  func launch(
    _ arguments: [String], descriptors: [Int32], hasOwnSession: Bool, environment: [String: String]? = nil,
    folder: String? = nil, limits: ProgramLimits? = nil
  ) throws -> (program: RunningProgram, hasNetwork: Bool) {
    let variables = environment ?? ProcessInfo.processInfo.environment
    let argumentStrings = CStrings([path] + arguments)
    let variableStrings = CStrings(variables.map { "\($0)=\($1)" })
    let directory = folder.map { strdup($0) }
    let name = strdup(path)
    defer {
      free(directory ?? nil)
      free(name)
    }
    var start = cprocess_start()
    start.path = UnsafePointer(name)
    start.folder = directory.flatMap { UnsafePointer($0) }
    start.descriptors = (descriptors[0], descriptors[1], descriptors[2])
    start.has_own_session = hasOwnSession
    if let limits {
      start.is_confined = limits.isConfined
      start.most_seconds = UInt64(limits.processorSeconds ?? 0)
      start.most_memory = UInt64(limits.memory ?? 0)
      start.most_file_bytes = 0
    }
    var process: pid_t = 0
    var hasNetwork = true
    let code = argumentStrings.withPointers { argumentStrings in
      variableStrings.withPointers { variableStrings in
        start.arguments = UnsafePointer(argumentStrings)
        start.environment = UnsafePointer(variableStrings)
        return cprocess_start(&start, &process, &hasNetwork)
      }
    }
    guard code == 0 else { throw ProgramFailure.cannotStart(reason: String(cString: strerror(code))) }
    return (RunningProgram(process: process), hasNetwork)
  }
}

/// A started program.
package struct RunningProgram {
  let process: pid_t

  /// Waits until the program has ended.
  ///
  /// - Returns: Whether the program exited with the code 0.
  package func waitForEnd() -> Bool { waitForStatus() == 0 }

  /// Waits until the program has ended, and removes it from the table of processes.
  ///
  /// - Returns: The exit code, or 128 plus the number of the signal if a signal ended the program.
  func waitForStatus() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return -1 } }
    // Source: POSIX, `WIFEXITED`; the macros are not imported.
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Asks the program to end, with SIGTERM. Must not be called after ``waitForEnd()``.
  package func terminate() { kill(process, SIGTERM) }

  /// Kills the program and all processes of its session. The program must have its own session.
  func killGroup() { kill(-process, SIGKILL) }

  var hasEnded: Bool { cprocess_has_ended(process) }
}

/// Copies of strings for a C function, with a null pointer after the last.
private final class CStrings {
  private var pointers: [UnsafeMutablePointer<CChar>?]

  init(_ strings: [String]) { pointers = strings.map { strdup($0) } + [nil] }

  deinit { for pointer in pointers { free(pointer) } }

  func withPointers<Result>(_ use: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result) -> Result {
    pointers.withUnsafeMutableBufferPointer { use($0.baseAddress!) }
  }
}

/// The limits of a program that runs to its end.
package struct ProgramLimits: Hashable, Sendable {
  /// The maximum processor time in seconds. If `nil`, unlimited.
  package var processorSeconds: Int?
  /// The maximum running time in seconds. If `nil`, unlimited.
  package var seconds: Double?
  /// The maximum address space in bytes. If `nil`, unlimited.
  package var memory: Int?
  /// The maximum number of bytes of standard output.
  package var output: Int
  /// Whether the program is confined: it cannot write to files, gets no new privileges, is killed when the calling
  /// thread ends, and has no network if the system supports network namespaces.
  package var isConfined: Bool

  package init(
    processorSeconds: Int? = nil, seconds: Double? = nil, memory: Int? = nil, output: Int, isConfined: Bool
  ) {
    self.processorSeconds = processorSeconds
    self.seconds = seconds
    self.memory = memory
    self.output = output
    self.isConfined = isConfined
  }
}

/// The reason why a program did not run to its end.
package enum ProgramFailure: Error, Hashable, Sendable {
  /// The program cannot be started; `reason` is the system's message.
  case cannotStart(reason: String)
  /// The program took longer than ``ProgramLimits/seconds``.
  case tooSlow(seconds: Int)
  /// The program wrote more than ``ProgramLimits/output`` bytes.
  case tooMuchOutput(bytes: Int)
}

/// The result of a program that ran to its end.
package struct ProgramResult: Hashable, Sendable {
  /// The exit code, or 128 plus the number of the signal if a signal ended the program.
  package let code: Int32
  /// The bytes of standard output.
  package let output: [UInt8]
  /// The first 64 KiB of standard error.
  package let errors: [UInt8]
  /// Whether the program could use the network.
  package let hadNetwork: Bool
}

extension ExternalProgram {
  /// Runs the program to its end in a session of its own. It cannot use the terminal, and all processes of its
  /// session have ended when this function returns.
  ///
  /// - Parameters:
  ///   - arguments: The arguments without the program's name.
  ///   - input: The bytes of standard input.
  ///   - environment: The environment variables. If `nil`, the caller's.
  ///   - folder: The working directory. If `nil`, the caller's.
  ///   - limits: The limits. The program is killed if it exceeds one.
  ///   - check: Called at least ten times a second; an error that it throws ends the program.
  /// - Throws: ``ProgramFailure``, and the error of `check`.
  package func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String]? = nil, folder: String? = nil,
    limits: ProgramLimits, check: () throws -> Void = {}
  ) throws -> ProgramResult {
    let channels = try (0..<3).map { _ in try Channel() }
    let (program, hasNetwork) = try launch(
      arguments, descriptors: channels.map(\.theirEnd), hasOwnSession: true, environment: environment, folder: folder,
      limits: limits)
    for channel in channels { channel.closeTheirEnd() }
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
  private static let maximumErrorBytes = 64 << 10

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
    end = limits.seconds.map { .now + .milliseconds(Int(clamping: $0 * 1000)) }
  }

  mutating func finish(_ check: () throws -> Void) throws {
    while true {
      try check()
      if let end, end < .now {
        throw ProgramFailure.tooSlow(seconds: Int(clamping: limits.seconds ?? 0))
      }
      if input.isEmpty, isOpen[0] { close(0) }
      let hasEnded = program.hasEnded
      // Remaining children of the program could keep the output open.
      if hasEnded { program.killGroup() }
      try transfer(milliseconds: hasEnded ? 0 : 50)
      if hasEnded, !isOpen[1], !isOpen[2] { return }
    }
  }

  private mutating func close(_ index: Int) {
    isOpen[index] = false
    channels[index].closeOurEnd()
  }

  private mutating func transfer(milliseconds: Int32) throws {
    var polled = (0..<3).map { index in
      pollfd(fd: isOpen[index] ? channels[index].ourEnd : -1, events: Int16(index == 0 ? POLLOUT : POLLIN), revents: 0)
    }
    // If all channels are closed, no descriptor is polled, and this only waits for the given time.
    guard poll(&polled, 3, milliseconds) > 0 else { return }
    if polled[0].revents != 0 { send() }
    for index in [1, 2] where polled[index].revents != 0 { try receive(index) }
  }

  private mutating func send() {
    let count = input.withUnsafeBytes { Channel.send($0, to: channels[0].ourEnd) }
    if count > 0 {
      input = input.dropFirst(count)
    } else if count < 0, errno != EINTR, errno != EAGAIN {
      // The program does not read the rest.
      input = []
    }
  }

  private mutating func receive(_ index: Int) throws {
    let count = recv(channels[index].ourEnd, &buffer, buffer.count, 0)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else { return close(index) }
    if index == 1 {
      output += buffer[..<count]
      guard output.count <= limits.output else { throw ProgramFailure.tooMuchOutput(bytes: limits.output) }
    } else if errors.count < Self.maximumErrorBytes {
      errors += buffer[..<min(count, Self.maximumErrorBytes - errors.count)]
    }
  }
}

/// Two connected sockets. Unlike a pipe, a socket can be written to without SIGPIPE.
private final class Channel {
  private(set) var ourEnd: Int32
  private(set) var theirEnd: Int32

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
    (ourEnd, theirEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ourEnd, F_SETFL, fcntl(ourEnd, F_GETFL) | O_NONBLOCK)
    #if os(macOS)
    var isQuiet: Int32 = 1
    setsockopt(here, SOL_SOCKET, SO_NOSIGPIPE, &isQuiet, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  func closeOurEnd() {
    if ourEnd >= 0 { close(ourEnd) }
    ourEnd = -1
  }

  func closeTheirEnd() {
    if theirEnd >= 0 { close(theirEnd) }
    theirEnd = -1
  }

  deinit {
    closeOurEnd()
    closeTheirEnd()
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
