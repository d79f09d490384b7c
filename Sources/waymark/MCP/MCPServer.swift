import Answers
import CTerminal
import Foundation
import TerminalIO

/// Serves one client of the Model Context Protocol on standard input and output.
///
/// A single thread waits for the client, for signals and for running commands. Writing to a slow client does not block
/// it, so a signal always ends the server.
struct MCPServer {
  /// The maximum number of commands that run concurrently.
  private static let maximumRunning = 4
  /// The maximum number of waiting calls. At this number, the server pauses reading messages.
  private static let maximumWaiting = 64
  /// The number of bytes that can always be written without blocking to a pipe that is reported as writable.
  ///
  /// Source: POSIX, `write`; 512 is the minimum value of `PIPE_BUF`, and Linux has 4096.
  private static let readSize = 512

  private var session: MCPSession
  /// The path of this program.
  private let program: String
  /// The options that are passed to each command.
  private let options: [String]
  private var lines = LineBuffer(limit: LineBuffer.maximumBytes)
  private var hasInputEnded = false
  private var pendingCalls: [MCPSession.Call] = []
  private var running: [RunningCommand] = []
  private var outgoing: [UInt8] = []
  private var sent = 0

  /// - Parameters:
  ///   - program: The path of this program, which is run for each call.
  ///   - options: The database and the learner, as options for each command.
  init(program: String, options: [String], allowsWriting: Bool) {
    self.program = program
    self.options = options
    session = MCPSession(allowsWriting: allowsWriting)
  }

  /// Serves until the input has ended and each request is answered, or until a signal asks the program to end.
  ///
  /// - Returns: The signal, or `nil`.
  mutating func serve() throws(TerminalError) -> Int32? {
    var signals: [Int32] = [-1, -1]
    guard cterminal_pipe(&signals) == 0 else { throw .systemRefused(call: "pipe", code: errno) }
    guard cterminal_signals_catch(signals[1]) == 0 else { throw .systemRefused(call: "sigaction", code: errno) }
    while !hasInputEnded || !pendingCalls.isEmpty || !running.isEmpty || sent < outgoing.count {
      startCalls()
      let readsInput =
        !hasInputEnded && pendingCalls.count < Self.maximumWaiting && outgoing.count < LineBuffer.maximumBytes
      var descriptors = [
        pollfd(fd: signals[0], events: Int16(POLLIN), revents: 0),
        pollfd(fd: readsInput ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: sent < outgoing.count ? STDOUT_FILENO : -1, events: Int16(POLLOUT), revents: 0),
      ]
      descriptors += running.flatMap(\.descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard cterminal_wait(&descriptors, Int32(descriptors.count), -1) > 0 else { continue }
      if descriptors[0].revents != 0, let signal = Self.ending(from: signals[0]) {
        for command in running { command.stop() }
        return signal
      }
      if descriptors[1].revents != 0 { readInput() }
      if descriptors[2].revents != 0, !writeOutput() {
        for command in running { command.stop() }
        return nil
      }
      for index in running.indices { running[index].read() }
      for command in running where command.hasEnded { finish(command) }
      running.removeAll(where: \.hasEnded)
    }
    return nil
  }

  /// Reads the signals that have arrived.
  ///
  /// - Returns: A signal that asks the program to end, or `nil`.
  private static func ending(from descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    let signals = bytes.prefix(max(0, count)).map(Int32.init)
    if signals.contains(SIGTSTP) { cterminal_stop_process() }
    return signals.first { [SIGINT, SIGTERM, SIGHUP].contains($0) }
  }

  // MARK: - Messages

  private mutating func readInput() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    hasInputEnded = count <= 0
    for line in hasInputEnded ? lines.finish() : lines.append(buffer[..<count]) {
      switch line {
      case .tooLong: send(MCPSession.answer(toLineLongerThan: lines.limit))
      case .text(let bytes): for reaction in session.receive(bytes) { perform(reaction) }
      }
    }
  }

  private mutating func perform(_ reaction: MCPSession.Reaction) {
    switch reaction {
    case .answer(let answer): send(answer)
    case .call(let call):
      let isRepeated =
        pendingCalls.contains { $0.id == call.id } || running.contains { $0.call.id == call.id && !$0.isCancelled }
      if isRepeated { send(MCPSession.answer(toRepeated: call.id)) } else { pendingCalls.append(call) }
    case .cancel(let id):
      pendingCalls.removeAll { $0.id == id }
      for index in running.indices where running[index].call.id == id && !running[index].isCancelled {
        running[index].cancel()
      }
    }
  }

  private mutating func send(_ message: OutputValue) { outgoing += Array((message.json + "\n").utf8) }

  /// Writes a chunk of the outgoing messages.
  ///
  /// - Returns: `false` if the client has closed the pipe.
  private mutating func writeOutput() -> Bool {
    let end = min(outgoing.count, sent + Self.readSize)
    let count = outgoing[sent..<end].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    guard count >= 0 else { return errno == EAGAIN || errno == EINTR }
    sent += count
    if sent == outgoing.count {
      outgoing.removeAll(keepingCapacity: true)
      sent = 0
    }
    return true
  }

  // MARK: - Commands

  /// Starts waiting calls, the oldest first. Calls that change data run one after another, in the order of the
  /// requests.
  private mutating func startCalls() {
    while running.count < Self.maximumRunning {
      let isWriting = running.contains { $0.call.tool.writes }
      guard let index = pendingCalls.firstIndex(where: { !$0.tool.writes || !isWriting }) else { return }
      let call = pendingCalls.remove(at: index)
      if let command = RunningCommand(program, arguments(of: call), for: call) {
        running.append(command)
      } else {
        let text =
          "Could not call '\(call.tool.name)': its command could not be started. Pass shorter arguments, or try again."
        send(MCPSession.result(of: call.id, [text], isError: true, isSelfDescribing: call.isSelfDescribing))
      }
    }
  }

  /// Returns the command line of a call. Options come before operands.
  private func arguments(of call: MCPSession.Call) -> [String] {
    let end = call.arguments.firstIndex(of: "--") ?? call.arguments.endIndex
    return call.arguments[..<end] + options + call.arguments[end...]
  }

  private mutating func finish(_ command: RunningCommand) {
    let (texts, isError) = command.answer()
    guard !command.isCancelled else { return }
    let call = command.call
    send(MCPSession.result(of: call.id, texts, isError: isError, isSelfDescribing: call.isSelfDescribing))
  }
}
