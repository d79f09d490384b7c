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
  ) throws -> (program: RunningProgram, started: cprocess_started) {
    let sandbox = limits?.sandbox
    let variables = environment ?? sandbox?.variables ?? ProcessInfo.processInfo.environment
    let argumentStrings = CStrings([path] + arguments)
    let variableStrings = CStrings(variables.map { "\($0)=\($1)" })
    let readable = CStrings(sandbox?.readableFiles(of: self, in: folder) ?? [])
    let writable = CStrings(sandbox?.writable ?? [])
    let executable = sandbox == nil ? path : ProgramSandbox.executable(at: path)
    let strings = CStrings([executable] + (folder.map { [$0] } ?? []))
    var start = cprocess_start()
    start.descriptors = (descriptors[0], descriptors[1], descriptors[2])
    start.has_own_session = hasOwnSession
    // The watch sees first that the time is exceeded, so that it is named.
    let watchTime = limits?.total?.processorSeconds == nil ? 0 : 2 + Int(limits?.secondsToEnd ?? 0)
    start.most_seconds = UInt64(limits?.processorSeconds.map { $0 + watchTime } ?? 0)
    start.most_memory = UInt64(limits?.memory ?? 0)
    start.most_data = UInt64(limits?.data ?? 0)
    start.path = strings.constants[0]
    start.folder = strings.constants[1]
    start.arguments = UnsafePointer(argumentStrings.pointers)
    start.environment = UnsafePointer(variableStrings.pointers)
    var started = cprocess_started()
    var confinement = cprocess_sandbox()
    confinement.readable = readable.constants
    confinement.writable = writable.constants
    confinement.has_loopback = sandbox?.hasLoopback ?? false
    confinement.has_network = sandbox?.hasNetwork ?? false
    confinement.most_processes = UInt64(sandbox?.processes ?? 0)
    confinement.most_file_bytes = UInt64(sandbox?.fileBytes ?? 0)
    confinement.strongest = (sandbox?.strongest ?? .unprotected).code
    confinement.weakest = (sandbox?.weakest ?? .unprotected).code
    let code = withUnsafePointer(to: &confinement) { confinement in
      start.sandbox = sandbox == nil ? nil : confinement
      return withExtendedLifetime((argumentStrings, variableStrings, readable, writable, strings)) {
        cprocess_start(&start, &started)
      }
    }
    guard !started.is_refused else { throw ProgramFailure.tooWeak }
    guard code == 0 else { throw ProgramFailure.cannotStart(reason: String(cString: strerror(code))) }
    return (RunningProgram(process: started.process, isSupervised: started.is_supervised), started)
  }
}

/// A started program.
package struct RunningProgram {
  let process: pid_t
  /// Whether ``process`` is the supervisor of a confined program.
  fileprivate(set) var isSupervised = false

  /// Waits until the program has ended.
  ///
  /// - Returns: Whether the program exited with the code 0.
  package func waitForEnd() -> Bool { waitForStatus() == 0 }

  /// Waits until a program on the terminal has ended. If the program stops, as with Ctrl-Z, this process stops too, so
  /// that the shell gets the terminal. The shell continues both.
  ///
  /// - Returns: Whether the program exited with the code 0.
  package func waitForEndOnTerminal() -> Bool {
    var status: Int32 = 0
    while waitpid(process, &status, WUNTRACED) < 0 || status & 0xFF == 0x7F {
      // Source: POSIX, `WIFSTOPPED`; the macros are not imported.
      guard status & 0xFF == 0x7F else {
        if errno == EINTR { continue }
        return false
      }
      // If the terminal has stopped both processes, the shell has continued both by now. `raise` would have no effect,
      // because the threads of dispatch queues block the signal.
      if waitpid(process, &status, WCONTINUED | WNOHANG) != process { kill(getpid(), SIGTSTP) }
      status = 0
    }
    return status == 0
  }

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

  /// Kills a confined program and all processes that it started, or another program and the processes of its group. That
  /// program must have its own session.
  func killAll() { _ = isSupervised ? kill(process, SIGTERM) : kill(-process, SIGKILL) }

  /// Sends the signal of Ctrl-C to the group of the program, which must have its own session.
  func interrupt() { _ = isSupervised ? kill(process, SIGINT) : kill(-process, SIGINT) }

  var hasEnded: Bool { cprocess_has_ended(process) }
}

/// Copies of strings for a C function, with a null pointer after the last.
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    pointers = .allocate(capacity: count + 1)
    for (index, text) in strings.enumerated() { pointers[index] = strdup(text) }
    pointers[count] = nil
  }

  deinit {
    for index in 0..<count { free(pointers[index]) }
    pointers.deallocate()
  }

  var constants: UnsafePointer<UnsafePointer<CChar>?> {
    UnsafeRawPointer(pointers).assumingMemoryBound(to: UnsafePointer<CChar>?.self)
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
  /// The maximum size of the heap, the stack and the private writable mappings of one process, in bytes. If `nil`, unlimited.
  package var data: Int?
  /// The limits of all processes of the program together, or `nil` if they are not watched.
  package var total: TotalLimits?
  /// The seconds in which a program that was interrupted, as with Ctrl-C, may write and end before it is killed.
  package var secondsToEnd = 0.0
  /// The maximum number of bytes of standard output.
  package var output: Int
  /// The files that the program can use, or `nil` if the program is not confined.
  package var sandbox: ProgramSandbox?

  package init(
    processorSeconds: Int? = nil, seconds: Double? = nil, memory: Int? = nil, output: Int, sandbox: ProgramSandbox?
  ) {
    self.processorSeconds = processorSeconds
    self.seconds = seconds
    self.memory = memory
    self.output = output
    self.sandbox = sandbox
  }
}

/// The reason why a program did not run to its end.
package enum ProgramFailure: Error, Hashable, Sendable {
  /// The program cannot be started; `reason` is the system's message.
  case cannotStart(reason: String)
  /// The system does not allow the protection ``ProgramSandbox/weakest``.
  case tooWeak
  /// The program took longer than ``ProgramLimits/seconds``.
  case tooSlow(seconds: Int)
  /// The program wrote more than ``ProgramLimits/output`` bytes.
  case tooMuchOutput(bytes: Int)
  /// The processes of the program exceeded a limit of ``ProgramLimits/total``.
  case exceeded(TotalLimits.Kind, limit: Int)
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
  /// The protection that the system enforced. `unprotected` if the program was not confined.
  package let protection: SandboxProtection
}

extension ExternalProgram {
  /// Runs the program to its end in a session of its own. It cannot use the terminal, and all processes of its
  /// session have ended when this function returns. If the program is confined, all processes that it started have ended.
  ///
  /// - Parameters:
  ///   - arguments: The arguments without the program's name.
  ///   - input: The bytes of standard input.
  ///   - environment: The environment variables. If `nil`, the caller's, or those of the sandbox.
  ///   - folder: The working directory. If `nil`, the caller's, or `/` in a new root folder.
  ///   - limits: The limits. The program is killed if it exceeds one.
  ///   - check: Called at least ten times a second; an error that it throws ends the program.
  ///   - receive: Receives the bytes of standard output and standard error while the program runs, in the order in which they
  ///     were written. If it is given, the result has no output, and ``ProgramLimits/output`` does not apply.
  /// - Throws: ``ProgramFailure``, and the error of `check`.
  package func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String]? = nil, folder: String? = nil,
    limits: ProgramLimits, check: () throws -> Void = {}, receive: ((ArraySlice<UInt8>) -> Void)? = nil
  ) throws -> ProgramResult {
    let file = Descriptor(cprocess_input())
    do {
      let handle = FileHandle(fileDescriptor: file.number)
      try handle.write(contentsOf: Data(input))
      try handle.seek(toOffset: 0)
    } catch {
      throw ProgramFailure.cannotStart(reason: String(cString: strerror(errno)))
    }
    let outputs = try (0..<(receive == nil ? 2 : 1)).map { _ in try Pipe() }
    let watch = limits.total.map(TotalWatch.init)
    let (program, started) = try launch(
      arguments, descriptors: [file.number, outputs[0].writeEnd.number, outputs.last!.writeEnd.number],
      hasOwnSession: true, environment: environment, folder: folder, limits: limits)
    for output in outputs { output.writeEnd.close() }
    var run = ProgramRun(program: program, outputs: outputs.map(\.readEnd), limits: limits)
    do {
      try run.finish(check, watching: watch, receive)
    } catch {
      if limits.secondsToEnd > 0, Self.mayEndItself(after: error) {
        program.interrupt()
        run.end = .now + .seconds(limits.secondsToEnd)
        try? run.finish({}, watching: nil, receive)
      }
      program.killAll()
      _ = program.waitForStatus()
      throw error
    }
    return ProgramResult(
      code: program.waitForStatus(), output: run.output, errors: run.errors, hadNetwork: started.has_network,
      protection: SandboxProtection(rawValue: started.protection.rawValue) ?? .unprotected)
  }
}

extension ExternalProgram {
  /// Whether a program that is ended for a reason may write and end itself. One that uses too much of the system may not.
  private static func mayEndItself(after error: any Error) -> Bool {
    switch error {
    case ProgramFailure.exceeded(let kind, _): kind == .processorSeconds
    default: true
    }
  }
}

/// Receives the output of a program until the program has ended.
private struct ProgramRun {
  private static let maximumErrorBytes = 64 << 10

  let program: RunningProgram
  /// Standard output and standard error.
  let outputs: [Descriptor]
  let limits: ProgramLimits
  private(set) var output: [UInt8] = []
  private(set) var errors: [UInt8] = []
  /// Readable when the program has ended, so that the end is noticed at once. -1 if the system has no such descriptor.
  private let ending: Descriptor
  /// The time at which the program is ended, or `nil` if it may run for any time.
  var end: ContinuousClock.Instant?
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init(program: RunningProgram, outputs: [Descriptor], limits: ProgramLimits) {
    self.program = program
    self.outputs = outputs
    self.limits = limits
    ending = Descriptor(cprocess_end(program.process))
    end = limits.seconds.map { .now + .milliseconds(Int(clamping: $0 * 1000)) }
  }

  mutating func finish(
    _ check: () throws -> Void, watching watch: TotalWatch?, _ handler: ((ArraySlice<UInt8>) -> Void)?
  ) throws {
    var watch = watch
    while true {
      try check()
      try watch?.look(at: program.process)
      if let end, end < .now { throw ProgramFailure.tooSlow(seconds: Int(clamping: limits.seconds ?? 0)) }
      let hasEnded = program.hasEnded
      // Remaining children of a program that is not confined could keep the output open.
      if hasEnded { program.killAll() }
      try receive(milliseconds: hasEnded ? 0 : 50, handler)
      if hasEnded, outputs.allSatisfy({ $0.number < 0 }) { return try watch?.lookAtFolders() ?? () }
    }
  }

  private mutating func receive(milliseconds: Int32, _ handler: ((ArraySlice<UInt8>) -> Void)?) throws {
    var polled = (outputs + [ending]).map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
    guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return }
    for index in outputs.indices where polled[index].revents != 0 {
      let count = read(outputs[index].number, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      if count <= 0 {
        outputs[index].close()
      } else if let handler {
        handler(buffer[..<count])
      } else if index == 0 {
        output += buffer[..<count]
        guard output.count <= limits.output else { throw ProgramFailure.tooMuchOutput(bytes: limits.output) }
      } else if errors.count < Self.maximumErrorBytes {
        errors += buffer[..<min(count, Self.maximumErrorBytes - errors.count)]
      }
    }
  }
}

/// An open descriptor. -1 after it was closed.
private final class Descriptor {
  private(set) var number: Int32

  init(_ number: Int32) { self.number = number }

  func close() {
    if number >= 0 { Foundation.close(number) }
    number = -1
  }

  deinit { close() }
}

/// A pipe for the output of a program. Unlike a socket, a program can open it again as `/dev/stdout`.
private struct Pipe {
  let readEnd: Descriptor
  let writeEnd: Descriptor

  /// - Throws: ``ProgramFailure/cannotStart(reason:)``.
  init() throws {
    var ends: [Int32] = [-1, -1]
    guard cprocess_pipe(&ends) == 0 else {
      throw ProgramFailure.cannotStart(reason: String(cString: strerror(errno)))
    }
    (readEnd, writeEnd) = (Descriptor(ends[0]), Descriptor(ends[1]))
  }
}
