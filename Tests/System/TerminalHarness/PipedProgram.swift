import CTerminal
public import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program with pipes as its standard input, output and error, as in a script.
///
/// All methods run on the test's thread, and all waits have a timeout. A program that is still running when this object
/// is released is killed.
public final class PipedProgram {
  /// The bytes that the program has written to standard output so far.
  public private(set) var output: [UInt8] = []
  /// The bytes that the program has written to standard error so far.
  public private(set) var errors: [UInt8] = []

  /// The resource usage of the program, or `nil` until it has ended.
  public private(set) var usage: Usage?

  /// The resource usage of a program.
  public struct Usage: Hashable, Sendable {
    /// The processor time in user and system mode, in seconds.
    public var processorSeconds: Double
    /// The maximum memory in bytes. It is at least the maximum of this process: Linux includes the memory that a child
    /// shares with its parent before it executes a program.
    public var memory: Int
    /// The maximum memory of this process in bytes.
    public var ownMemory: Int
  }

  private let child: pid_t
  private var input: Int32
  private var pipes: [Int32]
  private var ended: Ending?
  private var taken = 0

  /// Starts a program in a new session without a terminal.
  ///
  /// - Parameters:
  ///   - executable: The path of the program.
  ///   - arguments: The arguments without the program's name.
  ///   - environment: The complete environment.
  ///   - directory: The working directory. If `nil`, that of the test.
  ///   - redirecting: Paths of files to which standard output or error is redirected, by descriptor.
  /// - Throws: ``HarnessError/system(_:_:)`` if a system call fails.
  public init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String], directory: URL? = nil,
    redirecting: [Int32: String] = [:]
  ) throws {
    // SIGPIPE is ignored: a program that ends before it has read its input must not end the tests.
    _ = Self.ignoringBrokenPipes
    let ends = try (0..<3).map { _ in try Self.pipe() }
    child = try spawn(executable, arguments, environment: environment, directory: directory) { actions in
      posix_spawn_file_actions_adddup2(&actions, ends[0].read, 0)
      for descriptor in Int32(1)...2 {
        if let path = redirecting[descriptor] {
          posix_spawn_file_actions_addopen(&actions, descriptor, path, O_WRONLY, 0)
        } else {
          posix_spawn_file_actions_adddup2(&actions, ends[Int(descriptor)].write, descriptor)
        }
      }
    }
    input = ends[0].write
    pipes = [ends[1].read, ends[2].read]
    for descriptor in [ends[0].read, ends[1].write, ends[2].write] { close(descriptor) }
    for descriptor in [input] + pipes {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  deinit {
    if ended == nil {
      kill(child, SIGKILL)
      var status: Int32 = 0
      waitpid(child, &status, 0)
    }
    for descriptor in [input] + pipes where descriptor >= 0 { close(descriptor) }
  }

  private static let ignoringBrokenPipes: Void = {
    #if canImport(Glibc)
    _ = Glibc.signal(SIGPIPE, SIG_IGN)
    #else
    _ = Darwin.signal(SIGPIPE, SIG_IGN)
    #endif
  }()

  /// Returns a pipe whose ends are closed by `exec`, so that no other program of the tests keeps them open.
  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard cterminal_pipe(&ends) == 0 else { throw HarnessError.system("pipe", errno) }
    // The ends of the program must block, as those of a shell do.
    for end in ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) & ~O_NONBLOCK) }
    return (ends[0], ends[1])
  }

  /// The process ID of the program.
  public var processIdentifier: Int32 { child }

  /// Writes to standard input. Bytes that the program does not read before it ends are dropped.
  public func write(_ text: String, within seconds: Double = harnessTimeout) throws {
    var bytes = Array(text.utf8)[...]
    let deadline = monotonicSeconds() + seconds
    while !bytes.isEmpty, input >= 0 {
      let count = bytes.withUnsafeBytes { Self.systemWrite(input, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes.removeFirst(count)
      } else if errno == EAGAIN || errno == EINTR {
        guard monotonicSeconds() < deadline else { throw timedOut("it to read its input") }
        pump(waiting: 0.005)
      } else {
        return
      }
    }
  }

  /// Closes standard input.
  public func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Closes the reading end of standard output, like `head` does after enough lines.
  public func closeOutput() {
    if pipes[0] >= 0 { close(pipes[0]) }
    pipes[0] = -1
  }

  /// Sends a signal to the program.
  public func signal(_ signal: Int32) { kill(child, signal) }

  /// Returns the next line of standard output without its line feed, or `nil` if the output ends before the next line
  /// feed.
  public func readLine(within seconds: Double = harnessTimeout) throws -> String? {
    let deadline = monotonicSeconds() + seconds
    while true {
      if let end = output[taken...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { taken = end + 1 }
        return String(decoding: output[taken..<end], as: UTF8.self)
      }
      guard pipes[0] >= 0 else { return nil }
      guard monotonicSeconds() < deadline else { throw timedOut("a line") }
      pump(waiting: 0.05)
    }
  }

  /// Waits until the program has ended and all output has been read.
  ///
  /// - Parameter watching: Called repeatedly while the program runs.
  /// - Throws: ``HarnessError/timedOut(waitingFor:screen:)`` if the program does not end in time. It is killed then.
  public func waitForExit(within seconds: Double = harnessTimeout, watching: () -> Void = {}) throws -> Ending {
    let deadline = monotonicSeconds() + seconds
    while ended == nil || pipes.contains(where: { $0 >= 0 }) {
      watching()
      guard monotonicSeconds() < deadline else {
        kill(child, SIGKILL)
        throw timedOut("its end")
      }
      // If both output pipes are closed, the program ends soon, and there is no descriptor to wait for.
      pump(waiting: pipes.contains { $0 >= 0 } ? 0.02 : 0.0005)
      var status: Int32 = 0
      var consumed = rusage()
      if ended == nil, wait4(child, &status, WNOHANG, &consumed) == child {
        ended = Ending(status: status)
        usage = Usage(consumed)
      }
    }
    return ended!
  }

  private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
    Glibc.write(descriptor, bytes, count)
    #else
    Darwin.write(descriptor, bytes, count)
    #endif
  }

  private func timedOut(_ what: String) -> HarnessError {
    .timedOut(waitingFor: what, screen: String(decoding: output + errors, as: UTF8.self))
  }

  private func pump(waiting seconds: Double) {
    var descriptors = pipes.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard cterminal_wait(&descriptors, 2, Int64(seconds * 1e9)) > 0 else { return }
    for index in 0..<2 where descriptors[index].revents != 0 {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(pipes[index], &buffer, buffer.count)
      if count > 0 {
        if index == 0 { output += buffer[..<count] } else { errors += buffer[..<count] }
      } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
        close(pipes[index])
        pipes[index] = -1
      }
    }
  }
}

extension PipedProgram.Usage {
  init(_ usage: rusage) {
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    var ownUsage = rusage()
    // `RUSAGE_SELF`, whose type in Swift differs from that of the parameter.
    getrusage(0, &ownUsage)
    // Source: getrusage(2): kilobytes on Linux, bytes on macOS.
    #if canImport(Glibc)
    let unit = 1024
    #else
    let unit = 1
    #endif
    self.init(
      processorSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), memory: Int(usage.ru_maxrss) * unit,
      ownMemory: Int(ownUsage.ru_maxrss) * unit)
  }
}
