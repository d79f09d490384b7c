import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A pane of tmux, with which tests check the output of programs. It is a second terminal, independent of ``Emulator``.
///
/// Each pane has its own server and socket, which end with the object. Commands are sent in tmux's control mode, and
/// output is fed through a named pipe.
///
/// Source: tmux(1), "CONTROL MODE".
public final class TmuxPane {
  /// The path of tmux, or `nil` if it is not installed.
  public static let executable = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The number of columns.
  public private(set) var columns: Int
  /// The number of rows.
  public private(set) var rows: Int

  private let folder: String
  private let client: PipedProgram
  private let pipe: Int32
  private var fed = 0

  /// Opens a pane that displays the bytes that it is fed.
  ///
  /// - Throws: ``HarnessError`` if tmux is not installed, does not start or does not answer.
  public init(columns: Int, rows: Int) throws {
    guard let tmux = Self.executable else { throw HarnessError.system("tmux", ENOENT) }
    self.columns = columns
    self.rows = rows
    // The path of a socket must not exceed about a hundred bytes.
    folder = "/tmp/waymark-tmux-\(UUID().uuidString.prefix(8).lowercased())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    guard mkfifo("\(folder)/bytes", 0o600) == 0 else { throw HarnessError.system("mkfifo", errno) }
    // Opened for reading and writing, so that `open` does not block.
    pipe = open("\(folder)/bytes", O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard pipe >= 0 else { throw HarnessError.system("open", errno) }
    client = try PipedProgram(
      tmux,
      [
        "-u", "-S", "\(folder)/socket", "-f", "/dev/null", "-C", "new-session", "-x", "\(columns)", "-y", "\(rows)",
        "stty raw -echo; exec cat < '\(folder)/bytes'",
      ],
      environment: ["LANG": "C.UTF-8", "PATH": "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin", "SHELL": "/bin/sh"])
    _ = try block()
    // The server ends with its client, even if the client crashes.
    for setting in ["destroy-unattached on", "status off", "window-size manual", "history-limit 0"] {
      _ = try ask("set-option -g \(setting)")
    }
    _ = try ask("refresh-client -f no-output")
    try resize(columns: columns, rows: rows)
  }

  deinit {
    try? client.write("kill-server\n")
    client.closeInput()
    _ = try? client.waitForExit(within: 5)
    close(pipe)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Processes output bytes, and returns when tmux has processed them.
  ///
  /// A unique title is appended to the bytes. tmux processes output in order, so all bytes have been drawn when the
  /// title is set.
  public func feed(_ bytes: some Sequence<UInt8>) throws {
    fed += 1
    var unwritten = (Array(bytes) + Array("\u{1B}]2;fed \(fed)\u{1B}\\".utf8))[...]
    let deadline = monotonicSeconds() + harnessTimeout
    while !unwritten.isEmpty {
      let count = unwritten.withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
      if count > 0 { unwritten.removeFirst(count) } else { usleep(1000) }
      try check(deadline, "the pane to read")
    }
    while try ask("display-message -p '#{pane_title}'") != ["fed \(fed)"] {
      usleep(500)
      try check(deadline, "the pane to have read")
    }
  }

  /// Processes an output text, and returns when tmux has processed it.
  public func feed(_ text: String) throws { try feed(text.utf8) }

  /// Changes the size of the pane.
  public func resize(columns: Int, rows: Int) throws {
    (self.columns, self.rows) = (columns, rows)
    _ = try ask("resize-window -x \(columns) -y \(rows)")
    let deadline = monotonicSeconds() + harnessTimeout
    while try ask("display-message -p '#{pane_width} #{pane_height}'") != ["\(columns) \(rows)"] {
      usleep(500)
      try check(deadline, "the pane's size")
    }
  }

  /// Returns the characters of each row with their styles. A wide character occurs once. A row may end before the last
  /// column if the remaining cells were never written or were erased.
  public func cells() throws -> [[ShownCell]] {
    var reader = GraphicRenditionReader()
    return try ask("capture-pane -e -p -N").map { reader.cells(of: $0) }
  }

  // MARK: - Control mode

  /// Sends a command and returns its answer.
  private func ask(_ command: String) throws -> [String] {
    try client.write(command + "\n")
    return try block()
  }

  /// Reads the lines of the next answer and skips notifications.
  private func block() throws -> [String] {
    var end: String?
    var lines: [String] = []
    while let line = try client.readLine() {
      if let end {
        if line == "%end" + end { return lines }
        if line == "%error" + end { break }
        lines.append(line)
      } else if line.hasPrefix("%begin ") {
        end = String(line.dropFirst(6))
      }
    }
    throw HarnessError.timedOut(waitingFor: "an answer of tmux", screen: lines.joined(separator: "\n"))
  }

  private func check(_ deadline: Double, _ what: String) throws {
    guard monotonicSeconds() > deadline else { return }
    throw HarnessError.timedOut(waitingFor: what, screen: (try? ask("capture-pane -p").joined(separator: "\n")) ?? "")
  }
}
