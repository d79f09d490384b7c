import CProcess
import Foundation

/// A program of the system, started without a shell.
package struct ExternalProgram: Sendable {
  /// The absolute path of the program.
  package let path: String

  /// Creates a reference to the program at an absolute path, whether or not there is one.
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
  ///   - hasOwnSession: Whether the program runs in a session of its own, where it has no terminal and does not receive the
  ///     signals that are sent to the process group of this program.
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

  /// Starts the program.
  ///
  /// - Throws: ``ProgramFailure/cannotStart(reason:)``.
  func launch(
    _ arguments: [String], descriptors: [Int32], hasOwnSession: Bool, environment: [String: String]? = nil,
    folder: String? = nil, limits: ProgramLimits? = nil
  ) throws -> (program: RunningProgram, hasNetwork: Bool) {
    let variables = environment ?? ProcessInfo.processInfo.environment
    let words = CStrings([path] + arguments)
    let values = CStrings(variables.map { "\($0)=\($1)" })
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
    let code = words.withPointers { words in
      values.withPointers { values in
        start.arguments = UnsafePointer(words)
        start.environment = UnsafePointer(values)
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
  /// - Returns: The exit code; 128 and the number of the signal if a signal ended the program.
  func waitForStatus() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return -1 } }
    // Source: POSIX, `WIFEXITED`; the macros are not imported.
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Asks the program to end, with SIGTERM. Must not be called after ``waitForEnd()``.
  package func terminate() { kill(process, SIGTERM) }

  /// Ends the program and all processes of its session. Only for a program with a session of its own.
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
