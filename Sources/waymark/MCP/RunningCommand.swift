import CTerminal
import ExternalPrograms

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A command that answers a tool call in its own process.
///
/// Commands write to the standard output of their process and may end the process, so several commands cannot share
/// one. In addition, a command that crashes does not affect the server or other calls.
struct RunningCommand {
  let call: MCPSession.Call
  /// Whether the client has cancelled the call.
  private(set) var isCancelled = false
  private let program: RunningProgram
  /// Standard output and standard error.
  private var pipes: [Captured]

  /// The captured output of a pipe.
  private struct Captured {
    /// The read end of the pipe, or -1 after the end of the output.
    var descriptor: Int32
    var bytes: [UInt8] = []
    var isTooLong = false
  }

  /// The maximum length of an answer in bytes. The answer is held in memory, and a language model must read all of it.
  static let maximumAnswerBytes = 1 << 20

  /// Starts a command. Returns `nil` if the system cannot start another process.
  ///
  /// - Parameters:
  ///   - path: The path of the program.
  ///   - arguments: The name and the arguments of the command.
  init?(_ path: String, _ arguments: [String], for call: MCPSession.Call) {
    var ends: [[Int32]] = []
    for _ in 0..<2 {
      var pair: [Int32] = [-1, -1]
      if cterminal_pipe(&pair) == 0 { ends.append(pair) }
    }
    // The command is in the process group of the server, so that a client can end both with one signal.
    let program =
      ends.count < 2
      ? nil
      : ExternalProgram(path: path).start(arguments, output: ends[0][1], errors: ends[1][1], hasOwnSession: false)
    for pair in ends { close(pair[1]) }
    guard let program else {
      for pair in ends { close(pair[0]) }
      return nil
    }
    self.call = call
    self.program = program
    pipes = ends.map { Captured(descriptor: $0[0]) }
  }

  /// The descriptors to poll. -1 represents an output that has ended.
  var descriptors: [Int32] { pipes.map(\.descriptor) }

  /// Whether both outputs have ended.
  var hasEnded: Bool { pipes.allSatisfy { $0.descriptor < 0 } }

  /// Reads the output that has arrived.
  mutating func read() {
    for index in pipes.indices where pipes[index].descriptor >= 0 {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = systemRead(pipes[index].descriptor, &buffer, buffer.count)
      if count > 0 {
        if pipes[index].bytes.count + count > Self.maximumAnswerBytes {
          if !pipes[index].isTooLong { program.terminate() }
          pipes[index].isTooLong = true
        } else if !isCancelled {
          pipes[index].bytes += buffer[..<count]
        }
      } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
        close(pipes[index].descriptor)
        pipes[index].descriptor = -1
      }
    }
  }

  /// Terminates the command and discards its output.
  mutating func cancel() {
    isCancelled = true
    program.terminate()
  }

  /// Terminates the command and waits for its end.
  func stop() {
    // The pipes are closed first, so that a command that is still writing does not wait for a reader.
    for pipe in pipes where pipe.descriptor >= 0 { close(pipe.descriptor) }
    program.terminate()
    _ = program.waitForEnd()
  }

  /// Waits for the process after both outputs have ended, and returns the answer.
  func answer() -> (texts: [String], isError: Bool) {
    let succeeded = program.waitForEnd()
    let name = call.tool.name
    guard !pipes.contains(where: \.isTooLong) else {
      let text =
        "Could not call '\(name)': the answer is longer than \(Self.maximumAnswerBytes) bytes. \(call.tool.narrowing)"
      return ([text], true)
    }
    let texts = pipes.map { String(decoding: $0.bytes, as: UTF8.self) }
    // If the command failed, its error message comes first. If it succeeded, messages such as "Did you mean" follow the
    // answer.
    let nonEmptyTexts = (succeeded ? texts : texts.reversed()).filter { !$0.isEmpty }
    if nonEmptyTexts.isEmpty, !succeeded {
      return (["Could not call '\(name)': the command ended without a message. Try again."], true)
    }
    return (nonEmptyTexts, !succeeded)
  }
}

// The method `read()` hides the system call of the same name.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
